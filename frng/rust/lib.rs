//! A finite random number generator. A test draws its decisions from bytes, its entropy, and has
//! passed when they run out; `frng-search` finds the fewest bytes with which it panics. The draws
//! are those of DRAWS.md, the server speaks PROTOCOL.md, on Linux. SPDX-License-Identifier: MIT
//!
//! ```
//! fn test(f: &mut frng::Frng) -> Result<(), frng::OutOfEntropy> {
//!     let count = f.u32(0..=10)?; // returns from the test when the entropy has run out
//!     assert_ne!(count, 11);
//!     Ok(())
//! } // fn main() { frng::run(test) }
//! # test(&mut frng::Frng::new(vec![7; 4])).unwrap();
//! ```
mod entropy;
mod findings;
mod report;
mod server;
use entropy::Entropy;
pub use findings::{expand, replay};
use report::Report;
pub use server::{run, run_forked};
use std::mem::{replace, size_of};
use std::ops::{Bound, RangeBounds, RangeInclusive};

/// The entropy has run out: the test is over and has passed. Pass it up by `?`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OutOfEntropy;
impl std::error::Error for OutOfEntropy {}

impl std::fmt::Display for OutOfEntropy {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str("the entropy has run out")
    }
}

/// The draws of one run. The same bytes give the same values on every machine, and small ones
/// the simplest. Wrong arguments, such as an empty range, panic at the line of the call.
#[derive(Default)]
pub struct Frng {
    entropy: Entropy,
    used: usize,
    at: usize, // the end of the draw in progress
    has_run_out: bool,
    report: Report,
    is_heard: bool, // the report records each draw
}

macro_rules! integers {
    ($($name:ident $kind:literal)*) => {$(
        #[doc = concat!("A `", stringify!($name), "` of a range, or any: `f.", stringify!($name),
            "(1..=6)?`, `f.", stringify!($name), "(..)?`. It takes as many bytes as the type has.")]
        #[track_caller]
        pub fn $name(&mut self, range: impl RangeBounds<$name>) -> Result<$name, OutOfEntropy> {
            let (min, max) = bounds(range, $name::MIN, $name::MAX);
            Ok(self.draw($kind, size_of::<$name>(), min, max)? as $name)
        }
    )*};
}

impl Frng {
    integers! { u8 2 u16 2 u32 2 u64 2 i8 3 i16 3 i32 3 i64 3 }

    /// The draws from these bytes, for a test that is called without a driver.
    pub fn new(bytes: Vec<u8>) -> Frng {
        Frng { entropy: Entropy::given(bytes), ..Frng::default() }
    }

    /// The bytes drawn so far. They alone give the same run.
    pub fn used(&self) -> usize {
        self.used
    }

    /// The bytes not yet drawn. A failure of a test that looks at them does not bound the size.
    pub fn left(&self) -> usize {
        self.entropy.size - self.used
    }

    /// Name the draws that follow, for a trace.
    pub fn note(&mut self, name: &str) {
        self.name(255, name);
    }

    /// Begin an operation: the draws up to the next step belong together.
    pub fn step(&mut self, name: &str) {
        self.name(254, name);
    }

    /// The next `count` bytes.
    pub fn bytes(&mut self, count: usize) -> Result<Vec<u8>, OutOfEntropy> {
        let start = self.take(count)?;
        self.drawn(0, 1, 0, count as u64, 0);
        Ok(self.entropy.bytes[start..start + count].to_vec())
    }

    /// A coin: the lowest bit of one byte.
    #[inline]
    pub fn bool(&mut self) -> Result<bool, OutOfEntropy> {
        let value = self.number(1)? & 1;
        Ok(self.drawn(1, 1, 0, 1, value) == 1)
    }

    /// A number below `count`, from 8 bytes.
    #[track_caller]
    pub fn index(&mut self, count: usize) -> Result<usize, OutOfEntropy> {
        assert!(count > 0, "no index is below 0");
        Ok(self.draw(4, 8, 0, count as u64 - 1)? as usize)
    }

    /// One of these elements, from as few bytes as hold its index: 1 for up to 256.
    #[track_caller]
    pub fn pick<'a, T>(&mut self, elements: &'a [T]) -> Result<&'a T, OutOfEntropy> {
        assert!(!elements.is_empty(), "no element can be picked");
        let max = elements.len() as u64 - 1;
        let width = [1, 2, 4].into_iter().find(|width| max >> (8 * width) == 0).unwrap_or(8);
        Ok(&elements[self.draw(4, width, 0, max)? as usize])
    }

    /// An index in proportion to its weight, never one of weight 0, from 8 bytes.
    #[track_caller]
    pub fn weighted(&mut self, weights: &[u32]) -> Result<usize, OutOfEntropy> {
        let sum: u64 = weights.iter().map(|&weight| u64::from(weight)).sum();
        assert!(sum > 0, "no weight is above 0");
        let (mut rest, mut index) = (self.draw(5, 8, 0, sum - 1)?, 0);
        while rest >= weights[index].into() {
            rest -= u64::from(weights[index]);
            index += 1;
        }
        Ok(index)
    }

    /// Weights of 1 to 100. Drawn once, they make each run favour others: swarm testing.
    pub fn swarm_weights(&mut self, count: usize) -> Result<Vec<u32>, OutOfEntropy> {
        (0..count).map(|_| self.u32(1..=100)).collect()
    }

    /// Bring these elements into any order, from 8 bytes for each but the last.
    pub fn shuffle<T>(&mut self, elements: &mut [T]) -> Result<(), OutOfEntropy> {
        for i in 1..elements.len() {
            elements.swap(i - 1, i - 1 + self.index(elements.len() - i + 1)?);
        }
        Ok(())
    }

    /// A multiple of 2^-53 in [0, 1), from 8 bytes.
    pub fn f64(&mut self) -> Result<f64, OutOfEntropy> {
        let number = self.number(8)?;
        Ok((self.drawn(6, 8, 0, u64::MAX, number) >> 11) as f64 / (1_u64 << 53) as f64)
    }

    /// True in `numerator` of `denominator` cases, from 4 bytes.
    #[track_caller]
    pub fn chance(&mut self, numerator: u32, denominator: u32) -> Result<bool, OutOfEntropy> {
        assert!(numerator <= denominator && denominator > 0, "the chance is not 0 to 1");
        let is_true = self.bounded(4, u64::from(denominator) - 1)? < numerator.into();
        Ok(self.drawn(7, 4, numerator.into(), denominator.into(), is_true.into()) == 1)
    }

    /// Is there one more element, after `n` of them? `while f.more(v.len(), 0..=9)? { v.push(..) }`
    #[track_caller]
    pub fn more(&mut self, n: usize, size: RangeInclusive<usize>) -> Result<bool, OutOfEntropy> {
        let (min, max) = (*size.start(), *size.end());
        assert!(min <= max, "no size is in {size:?}");
        let mean = if max > min { ((max - min) / 2 + 1).min(16) as u64 } else { 16 };
        let (share, end) = (256 * mean / (mean + 1), 256 / (mean + 1)); // numbers: go on, end
        let must = u64::from(n >= max) | u64::from(n < min) << 1;
        let mut number = self.bounded(1, end + share - 1)?;
        while n < min && number < end {
            number = self.bounded(1, end + share - 1)?;
        }
        let value = u64::from(n < max && number >= end);
        Ok(self.drawn(8, 1, end | share << 16 | must << 32, 1, value) == 1)
    }

    fn name(&mut self, kind: u8, name: &str) {
        if self.is_heard {
            self.report.record(kind, 0, self.used..self.used, report::words(name));
        }
    }

    /// A number of min..=max in two's complement. All of a type takes the bytes as they are.
    #[inline]
    fn draw(&mut self, kind: u8, width: usize, min: u64, max: u64) -> Result<u64, OutOfEntropy> {
        let (top, span) = (u64::MAX >> (64 - 8 * width), max.wrapping_sub(min));
        let number = self.bounded(width, span)?;
        let offset = if span == top { number.wrapping_sub(min) & top } else { number };
        Ok(self.drawn(kind, width, min, max, min.wrapping_add(offset)))
    }

    /// 0..=max, unbiased: the high half of a product, unless its low half is rejected.
    #[inline]
    fn bounded(&mut self, width: usize, max: u64) -> Result<u64, OutOfEntropy> {
        let top = u64::MAX >> (64 - 8 * width);
        loop {
            let number = self.number(width)?;
            if max == top {
                return Ok(number);
            }
            let product = u128::from(number) * u128::from(max + 1);
            let low = product as u64 & top;
            if low > max || low >= (top - max) % (max + 1) {
                return Ok((product >> (8 * width)) as u64);
            }
        }
    }

    #[inline]
    pub(crate) fn number(&mut self, width: usize) -> Result<u64, OutOfEntropy> {
        let start = self.take(width)?;
        Ok(self.entropy.word(start) & u64::MAX >> (64 - 8 * width))
    }

    #[inline]
    fn take(&mut self, count: usize) -> Result<usize, OutOfEntropy> {
        if count > self.entropy.ready - self.at && !self.entropy.fill(self.at, count) {
            (self.entropy.ready, self.entropy.size) = (self.used, self.used);
            (self.at, self.has_run_out) = (self.used, true);
            return Err(OutOfEntropy);
        }
        self.at += count;
        Ok(self.at - count)
    }

    /// End a draw, and return its value.
    #[inline]
    pub(crate) fn drawn(&mut self, kind: u8, width: usize, min: u64, max: u64, value: u64) -> u64 {
        let start = replace(&mut self.used, self.at);
        self.report.set_drawn(self.used);
        if self.is_heard {
            self.report.record(kind, width as u8, start..self.used, [min, max, value, 0]);
        }
        value
    }
}

/// The bounds of a range, both inclusive. They are those of the type where it has none.
#[track_caller]
fn bounds<T: Copy + Into<i128>>(range: impl RangeBounds<T>, min: T, max: T) -> (u64, u64) {
    let low = match range.start_bound() {
        Bound::Included(&low) => low.into(),
        Bound::Excluded(&low) => low.into() + 1,
        Bound::Unbounded => min.into(),
    };
    let high = match range.end_bound() {
        Bound::Included(&high) => high.into(),
        Bound::Excluded(&high) => high.into() - 1,
        Bound::Unbounded => max.into(),
    };
    assert!(low <= high, "no number is in {low}..={high}");
    (low as u64, high as u64)
}
