use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::{BTreeSet, VecDeque};
mod code;
use code::{add_months, Cache, Ring};

#[derive(Debug, Clone)]
enum Act {
    Push(u8),
    Pop,
    Put(u8, u8),
    Get(u8),
}

fn push_or_pop() -> impl Strategy<Value = Act> {
    prop_oneof![any::<u8>().prop_map(Act::Push), Just(Act::Pop)]
}

fn put_or_get() -> impl Strategy<Value = Act> {
    prop_oneof![
        (0..=5_u8, any::<u8>()).prop_map(|(k, v)| Act::Put(k, v)),
        (0..=5_u8).prop_map(Act::Get)
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..Default::default() })]
    #[test]
    fn sum(xs in vec(0..=99_u32, 0..=50)) {
        prop_assert!(xs.iter().sum::<u32>() < 500);
    }
    #[test]
    fn distinct(xs in vec(any::<u8>(), 0..=50)) {
        prop_assert_eq!(xs.iter().collect::<BTreeSet<_>>().len(), xs.len());
    }
    #[test]
    fn quote(s in "[ab']{0,9}") {
        let quoted = format!("{s}'");
        prop_assert_eq!(quoted.split('\'').next().unwrap(), s);
    }
    #[test]
    fn dates(y in 1800..=2200_u32, m in 1..=12_u32, d in 1..=31_u32, n in 0..=60_u32) {
        prop_assert_eq!(add_months(y, m, d, n, false), add_months(y, m, d, n, true));
    }
    #[test]
    fn queue(acts in vec(push_or_pop(), 0..60)) {
        let (mut ring, mut model) = (Ring::default(), VecDeque::new());
        for act in acts {
            match act {
                Act::Push(x) if model.len() < 8 => {
                    ring.push(x);
                    model.push_back(x);
                }
                Act::Pop if !model.is_empty() => prop_assert_eq!(Some(ring.pop()), model.pop_front()),
                _ => (),
            }
        }
    }
    #[test]
    fn cache(acts in vec(put_or_get(), 0..60)) {
        let (mut cache, mut model) = (Cache::default(), Cache { is_right: true, ..Default::default() });
        for act in acts {
            match act {
                Act::Put(k, v) => {
                    cache.put(k, v);
                    model.put(k, v);
                }
                Act::Get(k) => prop_assert_eq!(cache.items.get(&k), model.items.get(&k)),
                _ => (),
            }
        }
    }
}
