//! A driver that reduces can give a run a list of choices in place of entropy, one for each draw that
//! it expects. The draw takes the next choice of its kind and width, and the smallest bytes with its
//! value, under the bounds of that moment, are written as the entropy; PROTOCOL.md describes them.
//! The way back from values to bytes is that of `frng_encode.h`.

use super::draws::{bit_count, fit, grid, units, zigzag};
use super::report::RAN_OUT;
use super::{Drawn, Frng};

#[derive(Default)]
pub struct Choices {
    list: Vec<u8>,
    at: usize,
    seen: usize,
    has_ended: bool,
    first: usize, // where the bytes go, in the report
    room: usize,
    weights: Option<Vec<u32>>, // of the weighted draw in progress
}

#[derive(Clone, Copy, Default)]
struct Choice {
    kind: u8,
    width: usize,
    is_drawn: bool, // of a weighted draw: the number is the one drawn
    number: u64,
}

impl Choice {
    /// A bool of 8 bytes ends the entropy.
    fn is_end(&self) -> bool {
        self.kind == 1 && self.width == 8
    }
}

impl Choices {
    /// The choice at a place, and its size; 0 if there is none.
    fn load(&self, at: usize) -> (Choice, usize) {
        let bytes = self.list.get(at..).unwrap_or_default();
        let head = match bytes.first() {
            Some(&head) => head,
            None => return (Choice::default(), 0),
        };
        let width = usize::from(head >> 4 & 7) + 1;
        let mut choice = Choice { kind: head & 15, width, is_drawn: head & 128 != 0, number: 0 };
        for (i, &byte) in bytes.iter().enumerate().take(11).skip(1) {
            choice.number |= u64::from(byte & 127) << (7 * (i - 1));
            if byte < 128 {
                return (choice, i + 1);
            }
        }
        (choice, 0)
    }

    /// The choice for a draw. Without one of its kind and width it has its simplest value.
    fn next(&mut self, kind: u8, width: usize) -> Choice {
        let (choice, size) = self.load(self.at);
        self.has_ended |= size == 0;
        self.seen = self.seen.max(self.at + size);
        let is_free = kind == 4 || kind == 5; // their widths follow their bounds
        if size == 0 || choice.kind != kind || choice.width != width && !is_free {
            return Choice::default();
        }
        self.at += size;
        choice
    }

    /// The bytes that the list takes as it stands.
    fn size(&self) -> usize {
        let (mut at, mut total) = (0, 0);
        loop {
            let (choice, size) = self.load(at);
            if size == 0 || choice.is_end() {
                return total;
            }
            let any = Request { kind: choice.kind, width: choice.width, min: 0, max: u64::MAX };
            let is_short = (10..=12).contains(&choice.kind);
            total += if is_short { encode(&any, choice.number).len() } else { choice.width };
            at += size;
        }
    }

    /// Where the choices that the run looked at end, and whether it wanted more.
    pub fn end(&self) -> (usize, bool) {
        (self.seen, self.has_ended)
    }

    /// What the record of a weighted draw says of its index.
    pub fn index_word(&self, kind: u8, value: u64) -> u64 {
        let (mut before, mut index) = (0, 0);
        match &self.weights {
            Some(weights) if kind == 5 => {
                for (k, &weight) in weights.iter().enumerate() {
                    before += u64::from(weight);
                    index = if before <= value { k as u64 + 1 } else { index };
                }
                (index + 1) | (weights.len() as u64) << 32
            }
            _ => 0,
        }
    }
}

impl Frng {
    /// Take the bytes of the run for choices.
    pub(crate) fn begin_choices(&mut self) {
        let list = self.entropy.given[self.entropy.first.clone()].to_vec();
        let (first, room) = self.report.chosen();
        let choices = Choices { list, first, room, ..Choices::default() };
        self.entropy.size = choices.size();
        self.choices = Some(Box::new(choices));
    }

    /// Write the bytes of the draw that begins now, if the run gets choices.
    #[inline]
    pub(crate) fn ask(
        &mut self,
        kind: u8,
        width: usize,
        min: u64,
        max: u64,
        weights: Option<&[u32]>,
    ) -> Drawn {
        match self.choices {
            Some(_) if !self.has_run_out => self.choose(Request { kind, width, min, max }, weights),
            _ => Ok(()),
        }
    }

    #[cold]
    fn choose(&mut self, mut r: Request, weights: Option<&[u32]>) -> Drawn {
        let mut c = self.choices.take().unwrap_or_default();
        let (next, size) = c.load(c.at);
        let bytes = if size > 0 && next.is_end() {
            (c.has_ended, c.seen) = (true, c.at + size);
            None
        } else if r.kind == 0 {
            let count = r.max.min(c.room as u64 + 1);
            Some((0..count).map(|_| c.next(0, r.width).number as u8).collect())
        } else {
            let choice = c.next(r.kind, r.width);
            if let (Some(weights), false) = (weights, choice.is_drawn) {
                r.kind = 5;
                Some(integer(&r, number_of_index(weights, r.max + 1, choice.number)))
            } else {
                Some(encode(&r, choice.number)).filter(|bytes| !bytes.is_empty())
            }
        };
        c.weights = weights.map(<[u32]>::to_vec);
        let (first, room) = (c.first, c.room);
        self.choices = Some(c);
        match bytes {
            Some(bytes) if bytes.len() <= room - self.used => {
                let end = self.used + bytes.len();
                self.entropy.make_room(end);
                self.entropy.bytes[self.used..end].copy_from_slice(&bytes);
                self.entropy.ready = end;
                self.entropy.size = self.entropy.size.max(end);
                self.report.store(first + self.used, &bytes);
                Ok(())
            }
            _ => {
                self.report.set(RAN_OUT, 1);
                self.run_out()
            }
        }
    }
}

/// What a draw asks for.
struct Request {
    kind: u8,
    width: usize,
    min: u64,
    max: u64,
}

fn little(number: u64, width: usize) -> Vec<u8> {
    number.to_le_bytes()[..width].to_vec()
}

/// The smallest number of `width` bytes that a bounded draw takes for a value.
fn bounded(width: usize, max: u64, value: u64) -> Vec<u8> {
    if max == u64::MAX >> (64 - 8 * width) {
        return little(value, width);
    }
    let (n, all) = (u128::from(max) + 1, 1_u128 << (8 * width));
    let (product, threshold) = (u128::from(value) * all, all % n);
    // The number x has the high part `value` and a low part of `threshold` or more.
    little(((product + threshold + n - 1) / n) as u64, width)
}

fn of_bits(number: u64, max: u64) -> Vec<u8> {
    if number == 0 {
        return Vec::new();
    }
    let low = 1 << (bit_count(number) - 1);
    match (low - 1).min(max - low) {
        0 => Vec::new(),
        span => bounded(fit(span), span, number - low),
    }
}

/// The way back of [`zigzag`].
fn unzigzag(min: i64, max: i64, value: i64) -> u64 {
    if min > 0 {
        return value.wrapping_sub(min) as u64;
    }
    if max < 0 {
        return max.wrapping_sub(value) as u64;
    }
    if value == 0 {
        return 0;
    }
    let (size, below, above) = (value.unsigned_abs(), min.unsigned_abs(), max as u64);
    let simpler = 1 + (size - 1).min(above) + (size - 1).min(below);
    simpler + u64::from(value < 0 && size <= above)
}

/// The bytes of a draw; none for a kind that has no numbers.
fn encode(r: &Request, number: u64) -> Vec<u8> {
    let span = r.max.wrapping_sub(r.min);
    match r.kind {
        1 => vec![number.min(1) as u8],
        6 => little(number, r.width),
        14 => little(number & r.max, r.width),
        7 => bounded(r.width, r.max - 1, if number == 0 && r.min < r.max { r.min } else { 0 }),
        2..=5 | 15 => integer(r, number),
        10 | 11 => {
            let rank = number.min(span);
            let mut bytes = bounded(1, bit_count(span), bit_count(rank));
            bytes.extend(of_bits(rank, span));
            bytes
        }
        8 | 9 => pick(r, number),
        12 => real(number),
        13 => real_range(f64::from_bits(r.min), f64::from_bits(r.max), number),
        _ => Vec::new(),
    }
}

fn integer(r: &Request, rank: u64) -> Vec<u8> {
    let span = r.max.wrapping_sub(r.min);
    let mut offset = rank.min(span);
    if r.kind == 3 {
        offset = (zigzag(r.min as i64, r.max as i64, offset) as u64).wrapping_sub(r.min);
    }
    let top = u64::MAX >> (64 - 8 * r.width);
    if span == top {
        return little(r.min.wrapping_add(offset) & top, r.width);
    }
    bounded(r.width, span, offset)
}

/// The first number drawn that means an index, or the nearest one that has a weight.
fn number_of_index(weights: &[u32], sum: u64, index: u64) -> u64 {
    let (mut before, mut last, mut k) = (0, 0, 0);
    while before < sum && (k <= index || before == 0) {
        let weight = weights[k as usize];
        last = if weight > 0 { before } else { last };
        before += u64::from(weight);
        k += 1;
    }
    last
}

fn pick(r: &Request, number: u64) -> Vec<u8> {
    let (end, share, must) = (r.min & 0xffff, r.min >> 16 & 0xffff, r.min >> 32);
    let least = u64::from(must & 2 != 0);
    let most = if must & 1 != 0 { 0 } else { r.max };
    let number = number.max(least).min(most);
    let value = if number == 0 { 0 } else { end + (number - 1) * share };
    bounded(r.width, end + share * r.max - 1, value)
}

const WHOLE_MOST: f64 = 9007199254740992.0; // 2^53

/// The rank of a double that is a whole number.
fn rank_of(value: f64) -> Option<u64> {
    let is_whole = value.abs() <= WHOLE_MOST && value == value.trunc();
    Some(unzigzag(-(1 << 53), 1 << 53, value as i64)).filter(|_| is_whole)
}

fn real(bits: u64) -> Vec<u8> {
    const SPAN: u64 = (1 << 54) - 1;
    let mut value = f64::from_bits(bits);
    if let Some(rank) = rank_of(value).filter(|&rank| bits != 1 << 63 && rank <= SPAN) {
        let mut bytes = vec![bit_count(rank) as u8];
        bytes.extend(of_bits(rank, SPAN));
        return bytes;
    }
    for k in 0..16 {
        value *= 2.0;
        if let Some(rank) = rank_of(value).filter(|_| value != 0.0) {
            if rank > u32::MAX.into() {
                break;
            }
            let mut bytes = vec![64 + bit_count(rank) as u8 - 1];
            bytes.extend(of_bits(rank, u32::MAX.into()));
            bytes.push(k);
            return bytes;
        }
    }
    let mut bytes = vec![192];
    bytes.extend(little(bits, 8));
    bytes
}

/// The nearest double of a range; 0 stands for its simplest, a whole number.
fn real_range(min: f64, max: f64, bits: u64) -> Vec<u8> {
    const MOST: f64 = 4503599627370496.0; // 2^52
    let mut value = f64::from_bits(bits);
    if bits == 0 && (min > 0.0 && max < MOST || max < 0.0 && min > -MOST) {
        let (low, high) = (units(min, 0, true), units(max, 0, false));
        if low <= high {
            value = if min > 0.0 { low } else { high } as f64;
        }
    }
    let (exponent, low, high) = grid(min, max);
    let unit = if value >= max {
        high
    } else if value > min {
        units(value, exponent, false)
    } else {
        low
    };
    bounded(8, (high - low) as u64, unzigzag(low, high, unit))
}
