//! What the six properties test: three ways to be wrong.
use std::collections::{BTreeMap, VecDeque};

/// April has 31 days, unless it is right.
pub fn add_months(y: u32, m: u32, d: u32, n: u32, is_right: bool) -> (u32, u32, u32) {
    let at = 12 * y + m - 1 + n;
    let (y, m) = (at / 12, at % 12 + 1);
    (
        y,
        m,
        d.min(if m == 2 {
            28
        } else if is_right && [4, 6, 9, 11].contains(&m) {
            30
        } else {
            31
        }),
    )
}

#[derive(Debug, Default)]
pub struct Ring {
    items: [u8; 8],
    head: usize,
    count: usize,
}

impl Ring {
    pub fn push(&mut self, x: u8) {
        self.items[(self.head + self.count) % 8] = x;
        self.count += 1;
    }
    pub fn pop(&mut self) -> u8 {
        self.count -= 1;
        self.head += 1;
        self.items[(self.head - 1) % 7]
    }
}

#[derive(Debug, Default)]
pub struct Cache {
    pub is_right: bool,
    pub items: BTreeMap<u8, u8>,
    pub order: VecDeque<u8>,
}

impl Cache {
    pub fn put(&mut self, k: u8, v: u8) {
        if self.items.len() == 3 && !(self.is_right && self.items.contains_key(&k)) {
            self.items.remove(&self.order.pop_front().unwrap());
        }
        if self.items.insert(k, v).is_none() {
            self.order.push_back(k);
        }
    }
}
