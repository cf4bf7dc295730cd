//! Draws that most tests want, beside those of the crate's root; DRAWS.md describes their bytes.

use super::{Drawn, Frng};
use std::fmt::Debug;
use std::ops::{Bound, RangeBounds, RangeInclusive};

/// An integer that is drawn: u8 to i64; usize and isize, in as few bytes as their range has.
pub trait Integer: Copy {
    #[doc(hidden)]
    const KIND: u8;
    #[doc(hidden)]
    const WIDTH: usize;
    #[doc(hidden)]
    const FITS: bool;
    #[doc(hidden)]
    const ALL: (i128, i128);
    #[doc(hidden)]
    fn widen(self) -> i128;
    #[doc(hidden)]
    fn of(number: u64) -> Self;
}

macro_rules! integer {
    ($fits:literal $($name:ident $kind:literal $width:literal)*) => {$(
        impl Integer for $name {
            const KIND: u8 = $kind;
            const WIDTH: usize = $width;
            const FITS: bool = $fits;
            const ALL: (i128, i128) = ($name::MIN as i128, $name::MAX as i128);
            fn widen(self) -> i128 { self as i128 }
            fn of(number: u64) -> $name { number as $name }
        }
    )*};
}

integer! { false u8 2 1 u16 2 2 u32 2 4 u64 2 8 i8 3 1 i16 3 2 i32 3 4 i64 3 8 }
integer! { true usize 2 8 isize 3 8 }

/// The bytes that a number of such a range takes.
fn width_of<T: Integer>(min: u64, max: u64) -> usize {
    match T::KIND {
        _ if !T::FITS => T::WIDTH,
        2 => fit(max),
        _ => fit(2 * ((min as i64 >> 63) as u64 ^ min).max((max as i64 >> 63) as u64 ^ max)),
    }
}

/// The bounds of a range, both inclusive. They are those of the type where it has none.
#[track_caller]
fn bounds<T: Integer>(range: impl RangeBounds<T>) -> (u64, u64) {
    let low = match range.start_bound() {
        Bound::Included(&low) => low.widen(),
        Bound::Excluded(&low) => low.widen() + 1,
        Bound::Unbounded => T::ALL.0,
    };
    let high = match range.end_bound() {
        Bound::Included(&high) => high.widen(),
        Bound::Excluded(&high) => high.widen() - 1,
        Bound::Unbounded => T::ALL.1,
    };
    assert!(low <= high, "no number is in {low}..={high}");
    (low as u64, high as u64)
}

/// The 95 letters of ASCII that print, and 33 that break programs.
pub const UTF8: &str = concat!(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
    "\0\t\n\r\x1b\x7f\u{80}\u{a0}\u{ad}²ßàÿİıŉſǅ\u{301}Ωя\u{5d0}\u{661}",
    "\u{200b}\u{200d}\u{202e}\u{2028}ﬀ\u{feff}\u{ffff}😀𝒳\u{10ffff}"
);

#[track_caller]
pub fn sum(weights: &[u32]) -> u64 {
    let sum = weights.iter().map(|&weight| u64::from(weight)).sum();
    assert!(sum > 0, "no weight is above 0");
    sum
}

/// The fewest bytes of a number up to `max`.
pub fn fit(max: u64) -> usize {
    [1, 2, 4].into_iter().find(|width| max >> (8 * width) == 0).unwrap_or(8)
}

pub fn bit_count(number: u64) -> u64 {
    u64::from(64 - number.leading_zeros())
}

/// Number `rank` of 0, 1, -1, 2, -2 ... as far as they are in min..=max.
pub fn zigzag(min: i64, max: i64, rank: u64) -> i64 {
    if min > 0 {
        return min.wrapping_add(rank as i64);
    }
    if max < 0 {
        return max.wrapping_sub(rank as i64);
    }
    let (below, above) = (min.unsigned_abs(), max as u64);
    let both = below.min(above);
    match rank {
        _ if rank > 2 * both && above > below => (rank - both) as i64,
        _ if rank > 2 * both => (both.wrapping_sub(rank)) as i64,
        _ if rank % 2 == 1 => (rank / 2 + 1) as i64,
        _ => (rank / 2).wrapping_neg() as i64,
    }
}

/// A rule of a stateful test: an operation of the state and what it draws.
pub type Rule<S> = fn(&mut S, &mut Frng) -> Drawn;

impl Frng {
    /// An integer of any type, of a range or any: `f.integer(0..=9_u16)?`.
    #[track_caller]
    #[inline(always)]
    pub fn integer<T: Integer>(&mut self, range: impl RangeBounds<T>) -> Drawn<T> {
        let (min, max) = bounds(range);
        let width = width_of::<T>(min, max);
        if width < T::WIDTH {
            self.narrow();
        }
        Ok(T::of(self.draw_number(T::KIND, width, min, max)?))
    }

    /// An integer of every magnitude: each count of bits is as likely. `f.mixed(-5..=1000_i32)?`.
    #[track_caller]
    #[inline(always)]
    pub fn mixed<T: Integer>(&mut self, range: impl RangeBounds<T>) -> Drawn<T> {
        let ((min, max), kind) = (bounds(range), T::KIND + 8);
        self.ask(kind, T::WIDTH, min, max, None)?;
        let span = max.wrapping_sub(min);
        let bits = self.bounded(1, bit_count(span))?;
        let rank = self.of_bits(bits, span)?;
        let value = match T::KIND {
            3 => zigzag(min as i64, max as i64, rank) as u64,
            _ => min + rank,
        };
        Ok(T::of(self.drawn(kind, T::WIDTH, min, max, value)))
    }

    /// A number of exactly so many bits, at most max.
    #[inline]
    pub(crate) fn of_bits(&mut self, bits: u64, max: u64) -> Drawn<u64> {
        if bits == 0 {
            return Ok(0);
        }
        let low = 1 << (bits - 1);
        match (low - 1).min(max - low) {
            0 => Ok(low),
            span => Ok(low + self.bounded(fit(span), span)?),
        }
    }

    /// 0, the end of a list, or one of 1..=letters. Also how, the field min of the record.
    #[track_caller]
    #[inline(always)]
    pub(crate) fn next(
        &mut self,
        kind: u8,
        letters: u64,
        n: usize,
        min: usize,
        max: usize,
    ) -> Drawn<(u64, u64)> {
        let width = if letters <= 128 { 1 } else { 2 };
        let mean = if max > min { ((max - min) / 2 + 1).min(16) as u64 } else { 16 };
        let share = (mean << (8 * width)) / (letters * (mean + 1));
        let end = share * letters / mean;
        let must = if n >= max { 1 } else { u64::from(n < min) << 1 };
        let how = end | share << 16 | must << 32;
        self.ask(kind, width, how, letters, None)?;
        let mut number = self.bounded(width, end + share * letters - 1)?;
        while n < min && number < end {
            number = self.bounded(width, end + share * letters - 1)?;
        }
        Ok((if n >= max || number < end { 0 } else { 1 + (number - end) / share }, how))
    }

    /// A string of characters of an alphabet, whose first one is the simplest: `f.string("ab", 0..=9)?`.
    #[track_caller]
    #[inline(always)]
    pub fn string(&mut self, alphabet: &str, size: RangeInclusive<usize>) -> Drawn<String> {
        let letters: Vec<char> = alphabet.chars().collect();
        let (min, max, count) = (*size.start(), *size.end(), letters.len() as u64);
        assert!(min <= max, "no size is in {size:?}");
        assert!((1..=32768).contains(&count), "an alphabet of {count} letters");
        let (mut text, mut n) = (String::new(), 0);
        loop {
            let (which, how) = self.next(9, count, n, min, max)?;
            let letter = if which > 0 { Some(letters[which as usize - 1]) } else { None };
            let shown = letter.map_or(0, |c| if c.is_ascii() { c as u64 } else { u64::from(b'?') });
            self.drawn(9, if count <= 128 { 1 } else { 2 }, how, count, which | shown << 32);
            n += 1;
            match letter {
                Some(letter) => text.push(letter),
                None => {
                    self.tell(|story| story.add("string", format!("{text:?}")));
                    return Ok(text);
                }
            }
        }
    }

    /// A string of code points: the 95 of ASCII that print, and 33 that break programs, such as zeros,
    /// ends of lines, accents, emoji, and marks of direction.
    #[track_caller]
    #[inline(always)]
    pub fn utf8(&mut self, size: RangeInclusive<usize>) -> Drawn<String> {
        self.string(UTF8, size)
    }

    /// Does a tree go a level deeper, with so many levels left? From 1 byte, or no.
    #[track_caller]
    #[inline(always)]
    pub fn depth(&mut self, left: usize) -> Drawn<bool> {
        if left == 0 {
            Ok(false)
        } else {
            self.bool()
        }
    }

    /// One of the things that a test has made. It counts back from the newest, the last of the list, so
    /// that a reduction can delete those before it.
    #[track_caller]
    #[inline(always)]
    pub fn thing<'a, T: Debug>(&mut self, things: &'a [T]) -> Drawn<&'a T> {
        assert!(!things.is_empty(), "nothing has been made");
        let thing = &things[things.len() - 1 - self.pick_index(things.len())?];
        self.tell(|story| story.retell(thing));
        Ok(thing)
    }

    /// The same, and take it out of the list.
    #[track_caller]
    #[inline(always)]
    pub fn take_thing<T: Debug>(&mut self, things: &mut Vec<T>) -> Drawn<T> {
        assert!(!things.is_empty(), "nothing has been made");
        let thing = things.remove(things.len() - 1 - self.pick_index(things.len())?);
        self.tell(|story| story.retell(&thing));
        Ok(thing)
    }

    /// An index below `count`, from as few bytes as hold it.
    #[track_caller]
    #[inline(always)]
    pub(crate) fn pick_index(&mut self, count: usize) -> Drawn<usize> {
        let max = count as u64 - 1;
        Ok(self.draw_number(4, fit(max), 0, max)? as usize)
    }

    /// An index as [`Frng::weighted`], from as few bytes as do.
    #[track_caller]
    #[inline(always)]
    pub fn pick_weighted(&mut self, weights: &[u32]) -> Drawn<usize> {
        let sum = sum(weights);
        self.by_weight(weights, fit(sum - 1), sum)
    }

    #[track_caller]
    #[inline(always)]
    pub(crate) fn by_weight(&mut self, weights: &[u32], width: usize, sum: u64) -> Drawn<usize> {
        self.ask(5, width, 0, sum - 1, Some(weights))?;
        let (mut rest, mut index) = (self.draw_asked(5, width, 0, sum - 1)?, 0);
        while rest >= weights[index].into() {
            rest -= u64::from(weights[index]);
            index += 1;
        }
        self.tell(|story| story.retell(&index));
        Ok(index)
    }

    /// Small weights, of which some are 0, but not all, from 1 byte each. Drawn once, they make each
    /// run leave out others.
    #[track_caller]
    pub fn swarm(&mut self, count: usize) -> Drawn<Vec<u32>> {
        self.as_one("swarm", |f| {
            let weight = |_| Ok([1, 0, 0, 0, 1, 2, 4, 8][usize::from(f.u8(..=7)?)]);
            let weights: Vec<u32> = (0..count).map(weight).collect::<Drawn<_>>()?;
            Ok(if weights.iter().all(|&weight| weight == 0) { vec![1; count] } else { weights })
        })
    }

    /// The numbers below `count` in any order, from as few bytes as do.
    #[track_caller]
    pub fn permutation(&mut self, count: usize) -> Drawn<Vec<usize>> {
        self.as_one("permutation", |f| {
            let mut left: Vec<usize> = (0..count).collect();
            let mut order = Vec::with_capacity(count);
            while left.len() > 1 {
                let at = f.pick_index(left.len())?;
                order.push(left.remove(at));
            }
            order.append(&mut left);
            Ok(order)
        })
    }

    /// A mask of `count` bits, at most 64, of which any can be set.
    #[track_caller]
    #[inline(always)]
    pub fn subset(&mut self, count: usize) -> Drawn<u64> {
        assert!((1..=64).contains(&count), "a subset is one of 1 to 64 things");
        let all = u64::MAX >> (64 - count);
        self.ask(14, fit(all), 0, all, None)?;
        let mask = self.number(fit(all))? & all;
        Ok(self.drawn(14, fit(all), 0, all, mask))
    }

    /// A day of the years 1 to 9999: year, month and day. 2000-01-01 is the simplest one.
    #[track_caller]
    #[inline(always)]
    pub fn date(&mut self) -> Drawn<(i32, u32, u32)> {
        self.date_of(0, DAYS - 1)
    }

    /// A day of a range, of which the first is the simplest: `f.date_range((1970, 1, 1)..=(2038, 1, 19))`.
    #[track_caller]
    #[inline(always)]
    pub fn date_range(&mut self, range: RangeInclusive<(i32, u32, u32)>) -> Drawn<(i32, u32, u32)> {
        assert!(
            !range.is_empty() && range.start().0 >= 1 && range.end().0 <= 9999,
            "no days are in {range:?}"
        );
        let (first, last) = (number_of_day(*range.start()), number_of_day(*range.end()));
        self.date_of(first, (last + DAYS - first) % DAYS)
    }

    #[track_caller]
    #[inline(always)]
    fn date_of(&mut self, first: u64, span: u64) -> Drawn<(i32, u32, u32)> {
        self.ask(15, 4, first, first + span, None)?;
        let number = first + self.bounded(4, span)?;
        self.drawn(15, 4, first, first + span, number);
        let (year, month, day) = day(number);
        self.tell(|story| story.retell(&format_args!("{year:04}-{month:02}-{day:02}")));
        Ok((year, month, day))
    }

    /// Any double: a whole number, one with a fraction, one near a power of two or special, or any bits.
    #[track_caller]
    #[inline(always)]
    pub fn f64_any(&mut self) -> Drawn<f64> {
        self.ask(12, 8, 0, 0, None)?;
        let head = self.number(1)?;
        let value = match head {
            0..=63 => whole(self.of_bits(head % 55, (1 << 54) - 1)?),
            64..=127 => {
                let rank = self.of_bits(head % 32 + 1, u32::MAX.into())?;
                whole(rank) / (2_u64 << (self.number(1)? % 16)) as f64
            }
            128..=191 => f64::from_bits(near(self.number(8)?)),
            _ => f64::from_bits(self.number(8)?),
        };
        Ok(f64::from_bits(self.drawn(12, 8, 0, 0, value.to_bits())))
    }

    /// A double of a range of finite ones: uniform, in units of the last place of the larger bound.
    #[track_caller]
    #[inline(always)]
    pub fn f64_range(&mut self, range: RangeInclusive<f64>) -> Drawn<f64> {
        let (min, max) = (*range.start(), *range.end());
        assert!(min <= max && min.is_finite() && max.is_finite(), "no doubles are in {range:?}");
        let (low_bits, high_bits) = (min.to_bits(), max.to_bits());
        self.ask(13, 8, low_bits, high_bits, None)?;
        let (exponent, low, high) = grid(min, max);
        let rank = self.bounded(8, (high - low) as u64)?;
        let value = zigzag(low, high, rank) as f64 * power(exponent);
        let value = if value < min { min } else { value };
        let value = if value > max { max } else { value };
        Ok(f64::from_bits(self.drawn(13, 8, low_bits, high_bits, value.to_bits())))
    }

    /// Take rules until the entropy ends, and with it the run. Each run favours some rules and leaves
    /// others out. `check` looks at the state, at first and after each rule; the name of a rule is the
    /// step of a trace. A rule that cannot be taken now returns `Ok(())`, or assumes what it needs.
    ///
    /// ```
    /// # use frng::{Drawn, Frng};
    /// fn push(list: &mut Vec<u8>, f: &mut Frng) -> Drawn {
    ///     list.push(f.note("x").u8(..)?);
    ///     Ok(())
    /// }
    /// fn test(f: &mut Frng) -> Drawn {
    ///     let clear = |list: &mut Vec<u8>, _: &mut Frng| Ok(list.clear());
    ///     f.repeat(&mut Vec::new(), &[("push", push), ("clear", clear)], |list| {
    ///         assert!(list.len() <= 4096)
    ///     })
    /// }
    /// # frng::check(test);
    /// ```
    #[track_caller]
    pub fn repeat<S>(
        &mut self,
        state: &mut S,
        rules: &[(&str, Rule<S>)],
        check: impl Fn(&S),
    ) -> Drawn {
        let told = self.story.take(); // which rule comes is told by its name alone
        let weights = self.swarm(rules.len());
        self.story = told;
        let weights = weights?;
        loop {
            check(state);
            let told = self.story.take();
            let picked = self.pick_weighted(&weights);
            self.story = told;
            let (name, rule) = rules[picked?];
            self.step(name);
            self.rule = Some(false);
            let taken = rule(state, self);
            if self.rule.take() != Some(true) {
                taken?;
            }
        }
    }
}

const DAYS: u64 = 3_652_059;

/// The way back of [`day`].
fn number_of_day((year, month, day): (i32, u32, u32)) -> u64 {
    let (month, day) = (i64::from(month), i64::from(day));
    let (y, march) = (i64::from(year) - i64::from(month <= 2), (month + 9) % 12);
    let of_era = y % 400 * 365 + y % 400 / 4 - y % 400 / 100; // up to March
    let days = y / 400 * 146_097 + of_era + (153 * march + 2) / 5 + day - 1;
    (days as u64 + DAYS - 730_425) % DAYS
}

/// Day `number` from 2000-01-01 on, and from 0001-01-01 after 9999-12-31.
fn day(number: u64) -> (i32, u32, u32) {
    let days = ((number + 730_119) % DAYS + 306) as i64; // since 0000-03-01
    let (era, of_era) = (days / 146_097, days % 146_097);
    let years = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * years + years / 4 - years / 100);
    let march = (5 * of_year + 2) / 153; // months since March
    let month = if march < 10 { march + 3 } else { march - 9 };
    let year = years + 400 * era + i64::from(month <= 2);
    (year as i32, month as u32, (of_year - (153 * march + 2) / 5 + 1) as u32)
}

pub fn whole(rank: u64) -> f64 {
    zigzag(-(1 << 53), 1 << 53, rank) as f64
}

/// Bits at most 31 steps from a power of two, or special.
fn near(drawn: u64) -> u64 {
    let special = [0, 1, 1022, 1023, 1024, 1076, 2046, 2047][(drawn >> 2 & 7) as usize];
    let power: u64 = if drawn & 3 == 0 { drawn >> 5 & 2047 } else { special };
    let (base, steps) = (power << 52, drawn >> 16 & 31);
    let bits = match drawn >> 21 & 7 {
        1 | 5 => base + 1,
        2 | 6 => base.saturating_sub(1),
        3 => base + steps,
        7 => base.saturating_sub(steps),
        _ => base,
    };
    (if bits > 2047 << 52 { 4095 << 51 } else { bits }) | drawn & 1 << 63
}

/// 2^exponent, for -1074..=1023.
pub fn power(exponent: i32) -> f64 {
    f64::from_bits(match exponent {
        -1022.. => ((exponent + 1023) as u64) << 52,
        _ => 1 << (exponent + 1074),
    })
}

/// The exponent of the last place of the larger bound, and the bounds in such units.
pub fn grid(min: f64, max: f64) -> (i32, i64, i64) {
    let field = (min.abs().max(max.abs()).to_bits() >> 52) as i32;
    let exponent = field.max(1) - 1075;
    (exponent, units(min, exponent, false), units(max, exponent, true))
}

/// floor(value / 2^exponent), or ceil. The result has 53 bits at most.
pub fn units(value: f64, exponent: i32, up: bool) -> i64 {
    let bits = value.to_bits();
    let field = (bits >> 52 & 2047) as i32;
    let digits = (bits & ((1 << 52) - 1)) | u64::from(field > 0) << 52;
    let shift = exponent + 1075 - field.max(1);
    let whole = if shift < 64 { digits >> shift } else { 0 };
    let has_rest = if shift < 64 { whole << shift != digits } else { digits != 0 };
    let away = (whole + u64::from(has_rest && up != value.is_sign_negative())) as i64;
    if value.is_sign_negative() {
        -away
    } else {
        away
    }
}
