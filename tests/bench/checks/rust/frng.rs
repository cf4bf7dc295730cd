use frng::{Drawn, Frng};
use std::collections::{BTreeSet, VecDeque};
mod code;
use code::{add_months, Cache, Ring};

#[frng::test]
fn sum(f: &mut Frng) -> Drawn {
    let xs = f.note("xs").list(0..=50, |f| f.u32(0..=99))?;
    assert!(xs.iter().sum::<u32>() < 500);
    Ok(())
}

#[frng::test]
fn distinct(f: &mut Frng) -> Drawn {
    let xs = f.note("xs").list(0..=50, |f| f.u8(..))?;
    assert_eq!(xs.iter().collect::<BTreeSet<_>>().len(), xs.len());
    Ok(())
}

#[frng::test]
fn quote(f: &mut Frng) -> Drawn {
    let s = f.note("s").string("ab'", 0..=9)?;
    assert_eq!(format!("{s}'").split('\'').next().unwrap(), s);
    Ok(())
}

#[frng::test]
fn dates(f: &mut Frng) -> Drawn {
    let (y, m) = (f.note("y").u32(1800..=2200)?, f.note("m").u32(1..=12)?);
    let (d, n) = (f.note("d").u32(1..=31)?, f.note("n").u32(0..=60)?);
    assert_eq!(add_months(y, m, d, n, false), add_months(y, m, d, n, true));
    Ok(())
}

#[derive(Default)]
struct Queue {
    ring: Ring,
    model: VecDeque<u8>,
}

impl Queue {
    fn push(&mut self, f: &mut Frng) -> Drawn {
        f.assume(self.model.len() < 8)?;
        let x = f.note("x").u8(..)?;
        self.ring.push(x);
        self.model.push_back(x);
        Ok(())
    }
    fn pop(&mut self, f: &mut Frng) -> Drawn {
        f.assume(!self.model.is_empty())?;
        assert_eq!(Some(self.ring.pop()), self.model.pop_front());
        Ok(())
    }
}

#[frng::test]
fn queue(f: &mut Frng) -> Drawn {
    f.repeat(&mut Queue::default(), &[("push", Queue::push), ("pop", Queue::pop)], |_| ())
}

#[derive(Default)]
struct Caches {
    cache: Cache,
    model: Cache,
}

impl Caches {
    fn put(&mut self, f: &mut Frng) -> Drawn {
        let (k, v) = (f.note("k").u8(0..=5)?, f.note("v").u8(..)?);
        self.cache.put(k, v);
        self.model.put(k, v);
        Ok(())
    }
    fn get(&mut self, f: &mut Frng) -> Drawn {
        let k = f.note("k").u8(0..=5)?;
        assert_eq!(self.cache.items.get(&k), self.model.items.get(&k));
        Ok(())
    }
}

#[frng::test]
fn cache(f: &mut Frng) -> Drawn {
    let mut both = Caches::default();
    both.model.is_right = true;
    f.repeat(&mut both, &[("put", Caches::put), ("get", Caches::get)], |_| ())
}
