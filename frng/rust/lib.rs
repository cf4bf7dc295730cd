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
//! In `cargo test`, [`check`] and `#[frng::test]` search for the smallest input that panics.
mod called;
mod check;
mod choices;
mod draws;
mod entropy;
mod findings;
mod goals;
mod regex;
mod report;
mod server;
mod shared;
mod story;
pub use check::{check, Check};
pub use draws::{Integer, Rule};
use entropy::Entropy;
pub use findings::{expand, replay};
#[cfg(feature = "macros")]
pub use frng_macros::test;
use report::Report;
pub use server::{run, run_with_arguments};
use std::fmt::{Arguments, Debug};
use std::mem::replace;
use std::ops::{RangeBounds, RangeInclusive};
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe, Location};

/// What a draw returns, and a test: `fn test(f: &mut Frng) -> frng::Drawn`.
pub type Drawn<T = ()> = Result<T, OutOfEntropy>;

/// The entropy has run out, and the test has passed; or it is discarded. Pass it up by `?`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OutOfEntropy;
impl std::error::Error for OutOfEntropy {}

impl std::fmt::Display for OutOfEntropy {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str("the entropy has run out")
    }
}

/// How a test of the attribute ends: an error of its own panics, but not one that may be of the end
/// of the entropy, or of `assume`.
#[doc(hidden)]
#[track_caller]
pub fn drawn(end: impl Ends, f: &Frng) -> Drawn {
    match end.error() {
        None => Ok(()),
        Some(_) if f.has_run_out || f.is_discarded => Err(OutOfEntropy),
        Some(why) => panic!("Error: {why}"),
    }
}

/// What a test of the attribute returns.
#[doc(hidden)]
pub trait Ends {
    fn error(self) -> Option<String>;
}

impl Ends for () {
    fn error(self) -> Option<String> {
        None
    }
}

impl<E: Debug> Ends for Result<(), E> {
    fn error(self) -> Option<String> {
        self.err().map(|why| format!("{why:?}"))
    }
}

/// Make a run. Where the entropy has run out, `unwrap` and `expect` end it as `?` does.
pub(crate) fn make(f: &mut Frng, test: &mut dyn FnMut(&mut Frng) -> Drawn) {
    if let Err(payload) = catch_unwind(AssertUnwindSafe(|| test(f))) {
        let is_over = f.has_run_out || f.is_discarded;
        if !is_over || !report::message(&*payload).ends_with(": OutOfEntropy") {
            resume_unwind(payload);
        }
        report::forget_panic();
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
    is_discarded: bool,
    is_styled: bool, // the seed, as far as it is known
    report: Report,
    is_heard: bool, // the report records each draw, or the story tells it
    draws: u64,
    story: Option<Box<story::Story>>, // of the draws by their names
    marks: Vec<String>,               // the labels of the run
    choices: Option<Box<choices::Choices>>, // in place of the entropy
    kept: Option<Box<findings::Kept>>, // of a finding, and these of its run
    frame: usize,                     // where the stack was when the run began
    sites: Vec<&'static Location<'static>>, // that drew in this run, by their first draws
    place: Option<&'static Location<'static>>, // of a call that makes several draws
    rule: Option<bool>,               // of `repeat`, in progress; true: `assume` has ended it
}

/// The place of the frame of the caller, nearly.
#[inline(always)]
fn stack_pointer() -> usize {
    let here = 0_u8;
    std::ptr::addr_of!(here) as usize
}

macro_rules! integers {
    ($($name:ident)*) => {$(
        #[doc = concat!("A `", stringify!($name), "` of a range, or any: `f.", stringify!($name),
            "(1..=6)?`, `f.", stringify!($name), "(..)?`. It takes as many bytes as the type has.")]
        #[track_caller]
        #[inline(always)]
        pub fn $name(&mut self, range: impl RangeBounds<$name>) -> Drawn<$name> {
            self.integer(range)
        }
    )*};
}

impl Frng {
    integers! { u8 u16 u32 u64 i8 i16 i32 i64 usize isize }

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
        self.entropy.size.saturating_sub(self.used)
    }

    /// Name the draws that follow, in a trace and a failure: `let key = f.note("key").u8(..)?`.
    pub fn note(&mut self, name: &str) -> &mut Frng {
        self.name(255, name);
        self.tell(|story| story.note(name));
        self
    }

    /// Begin an operation: the draws up to the next step belong together.
    pub fn step(&mut self, name: &str) {
        self.name(254, name);
        self.tell(|story| story.step(name));
    }

    /// Add a line to a trace, and to a failure: `f.say(format_args!("x is {x}"))`.
    pub fn say(&mut self, line: Arguments) {
        if self.is_heard && self.report.wants_lines() {
            self.report.say(self.used, &line.to_string());
        }
        self.tell(|story| story.say(&line.to_string()));
    }

    /// Say that this run has a property. A search shows the shares.
    pub fn label(&mut self, name: &str) {
        self.report.mark(2, name, 1);
        if !self.marks.iter().any(|mark| mark == name) {
            self.marks.push(name.to_string());
        }
    }

    /// Say that the number of this name is `value` in this run.
    pub fn measure(&mut self, name: &str, value: u64) {
        self.report.mark(3, name, value);
    }

    /// Say how high this run came: a search goes on from the inputs that came highest. The largest
    /// value of a run counts.
    pub fn maximize(&mut self, name: &str, value: u64) {
        self.report.mark(goals::GOAL, name, value);
    }

    /// Discard the run unless a condition holds, and end it: `f.assume(x != y)?`. It has neither passed
    /// nor failed. In a rule of [`repeat`](Frng::repeat) it ends the rule alone.
    pub fn assume(&mut self, condition: bool) -> Drawn {
        if condition {
            return Ok(());
        }
        if self.rule.is_some() && !self.has_run_out {
            self.rule = Some(true);
            return Err(OutOfEntropy);
        }
        self.is_discarded |= !self.has_run_out;
        self.run_out()
    }

    /// The next `count` bytes.
    #[track_caller]
    #[inline(always)]
    pub fn bytes(&mut self, count: usize) -> Result<Vec<u8>, OutOfEntropy> {
        self.ask(0, 1, 0, count as u64, None)?;
        let start = self.take(count)?;
        self.drawn(0, 1, 0, count as u64, 0);
        let bytes = self.entropy.bytes[start..start + count].to_vec();
        self.tell(|story| story.retell(&bytes));
        Ok(bytes)
    }

    /// A coin: the lowest bit of one byte.
    #[track_caller]
    #[inline(always)]
    pub fn bool(&mut self) -> Result<bool, OutOfEntropy> {
        self.ask(1, 1, 0, 1, None)?;
        let value = self.number(1)? & 1;
        Ok(self.drawn(1, 1, 0, 1, value) == 1)
    }

    /// A number below `count`, from 8 bytes.
    #[track_caller]
    #[inline(always)]
    pub fn index(&mut self, count: usize) -> Result<usize, OutOfEntropy> {
        assert!(count > 0, "no index is below 0");
        Ok(self.draw_number(4, 8, 0, count as u64 - 1)? as usize)
    }

    /// One of these elements, from as few bytes as hold its index: 1 for up to 256.
    #[track_caller]
    #[inline(always)]
    pub fn pick<'a, T: Debug>(&mut self, elements: &'a [T]) -> Result<&'a T, OutOfEntropy> {
        assert!(!elements.is_empty(), "no element can be picked");
        let element = &elements[self.pick_index(elements.len())?];
        self.tell(|story| story.retell(element));
        Ok(element)
    }

    /// An index in proportion to its weight, never one of weight 0, from 8 bytes.
    #[track_caller]
    #[inline(always)]
    pub fn weighted(&mut self, weights: &[u32]) -> Result<usize, OutOfEntropy> {
        let sum = draws::sum(weights);
        self.by_weight(weights, 8, sum)
    }

    /// Weights of 1 to 100. Drawn once, they make each run favour others: swarm testing.
    #[track_caller]
    pub fn swarm_weights(&mut self, count: usize) -> Result<Vec<u32>, OutOfEntropy> {
        self.as_one("swarm", |f| (0..count).map(|_| f.u32(1..=100)).collect())
    }

    /// Bring these elements into any order, from 8 bytes for each but the last.
    #[track_caller]
    pub fn shuffle<T: Debug>(&mut self, elements: &mut [T]) -> Result<(), OutOfEntropy> {
        self.as_one("shuffle", |f| {
            for i in 1..elements.len() {
                elements.swap(i - 1, i - 1 + f.index(elements.len() - i + 1)?);
            }
            Ok(elements)
        })?;
        Ok(())
    }

    /// A multiple of 2^-53 in [0, 1), from 8 bytes.
    #[track_caller]
    #[inline(always)]
    pub fn f64(&mut self) -> Result<f64, OutOfEntropy> {
        self.ask(6, 8, 0, u64::MAX, None)?;
        let number = self.number(8)?;
        Ok((self.drawn(6, 8, 0, u64::MAX, number) >> 11) as f64 / (1_u64 << 53) as f64)
    }

    /// True in `numerator` of `denominator` cases, from 4 bytes.
    #[track_caller]
    #[inline(always)]
    pub fn chance(&mut self, numerator: u32, denominator: u32) -> Result<bool, OutOfEntropy> {
        assert!(numerator <= denominator && denominator > 0, "the chance is not 0 to 1");
        self.ask(7, 4, numerator.into(), denominator.into(), None)?;
        let is_true = self.bounded(4, u64::from(denominator) - 1)? < numerator.into();
        Ok(self.drawn(7, 4, numerator.into(), denominator.into(), is_true.into()) == 1)
    }

    /// Is there one more element, after `n` of them? `while f.more(v.len(), 0..=9)? { v.push(..) }`
    #[track_caller]
    #[inline(always)]
    pub fn more(&mut self, n: usize, size: RangeInclusive<usize>) -> Result<bool, OutOfEntropy> {
        let (min, max) = (*size.start(), *size.end());
        assert!(min <= max, "no size is in {size:?}");
        let (value, how) = self.next(8, 1, n, min, max)?;
        let is_more = self.drawn(8, 1, how, 1, value) == 1;
        self.tell(|story| story.more(n, is_more));
        Ok(is_more)
    }

    /// A list whose elements are draws: `f.list(0..=20, |f| f.i32(-9..=9))?`.
    #[track_caller]
    #[inline(always)]
    pub fn list<T: Debug>(
        &mut self,
        size: RangeInclusive<usize>,
        mut element: impl FnMut(&mut Frng) -> Drawn<T>,
    ) -> Drawn<Vec<T>> {
        let mut list = Vec::new();
        self.tell(|story| story.begin());
        while self.more(list.len(), size.clone())? {
            list.push(element(self)?);
        }
        self.tell(|story| story.made(&list));
        Ok(list)
    }

    /// What a function makes of draws, which a failure shows as one value: `f.note("tree").draw(tree)?`.
    pub fn draw<T: Debug>(&mut self, make: impl FnOnce(&mut Frng) -> Drawn<T>) -> Drawn<T> {
        self.tell(|story| story.begin());
        let value = make(self)?;
        self.tell(|story| story.made(&value));
        Ok(value)
    }

    /// The same of draws of this crate, which are not told one by one.
    #[track_caller]
    fn as_one<T: Debug>(
        &mut self,
        kind: &str,
        make: impl FnOnce(&mut Frng) -> Drawn<T>,
    ) -> Drawn<T> {
        let (told, place) = (self.story.take(), self.place.replace(Location::caller()));
        let value = make(self);
        (self.story, self.place) = (told, place);
        if let Ok(value) = &value {
            self.tell(|story| story.add(kind, format!("{value:?}")));
        }
        value
    }

    fn name(&mut self, kind: u8, name: &str) {
        if self.is_heard {
            self.report.record((kind, 0, 0, 0), self.used..self.used, report::words(name));
        }
    }

    /// A number of min..=max in two's complement. All of a type takes the bytes as they are.
    #[track_caller]
    #[inline(always)]
    fn draw_number(
        &mut self,
        kind: u8,
        width: usize,
        min: u64,
        max: u64,
    ) -> Result<u64, OutOfEntropy> {
        self.ask(kind, width, min, max, None)?;
        self.draw_asked(kind, width, min, max)
    }

    #[track_caller]
    #[inline(always)]
    fn draw_asked(&mut self, kind: u8, width: usize, min: u64, max: u64) -> Drawn<u64> {
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
            return self.run_out();
        }
        self.at += count;
        Ok(self.at - count)
    }

    #[cold]
    fn run_out<T>(&mut self) -> Drawn<T> {
        (self.entropy.ready, self.entropy.size) = (self.used, self.used);
        (self.at, self.has_run_out) = (self.used, true);
        Err(OutOfEntropy)
    }

    fn tell(&mut self, how: impl FnOnce(&mut story::Story)) {
        if let Some(story) = &mut self.story {
            how(story);
        }
    }

    /// End a draw, and return its value.
    #[track_caller]
    #[inline(always)]
    pub(crate) fn drawn(&mut self, kind: u8, width: usize, min: u64, max: u64, value: u64) -> u64 {
        let start = replace(&mut self.used, self.at);
        self.report.set_drawn(self.used);
        self.draws += 1;
        if self.is_heard {
            self.hear(kind, width as u8, start, [min, max, value]);
        }
        value
    }

    /// The number of a place, if records are wanted.
    fn site(&mut self, place: &'static Location<'static>) -> u32 {
        let known = self.sites.iter().take_while(|&&known| known != place).count();
        if known == self.sites.len() && self.report.has_records() {
            self.sites.push(place);
        }
        known as u32 + 1
    }

    /// Tell of a draw. It was made in the function that calls this one, into which draws are inlined.
    #[cold]
    #[inline(never)]
    #[track_caller]
    fn hear(&mut self, kind: u8, width: u8, start: usize, [min, max, value]: [u64; 3]) {
        let index = self.choices.as_ref().map_or(0, |choices| choices.index_word(kind, value));
        let depth = u16::try_from(self.frame.wrapping_sub(stack_pointer()) / 16).unwrap_or(0);
        let site = self.site(self.place.unwrap_or(Location::caller()));
        let head = (kind, width, depth, site);
        self.report.record(head, start..self.used, [min, max, value, index]);
        let place = [start as u64, self.used as u64, min, max, value];
        self.report.goal_draw(self.draws - 1, [kind, width], place);
        self.tell(|story| story.draw(kind, value, (min, max)));
        if let Some(kept) = &mut self.kept {
            kept.add(kind, width, min, max);
        }
    }
}
