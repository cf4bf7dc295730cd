//! The bytes of a run: given ones, and the expansion of a seed that DRAWS.md describes.

use super::report::number;
use super::shared;
use std::fs::File;
use std::io::{Error, ErrorKind, Result};
use std::ops::Range;
use std::os::unix::fs::FileExt;

/// The bytes of a run. Those of a seed are made when they are drawn.
#[derive(Default)]
pub struct Entropy {
    pub bytes: Vec<u8>, // up to `ready`, and 8 more
    pub ready: usize,
    pub size: usize,
    pub given: Vec<u8>,      // those that the driver gave for its order
    pub first: Range<usize>, // of `given`: those with which the run begins
    seed: (u64, bool),       // of the others, true for a styled one
    expansion: Expansion,
}

impl Entropy {
    /// These bytes, and no others.
    pub fn given(mut bytes: Vec<u8>) -> Entropy {
        let size = bytes.len();
        bytes.resize(size + 8, 0);
        Entropy { bytes, ready: size, size, ..Entropy::default() }
    }

    /// Begin a run.
    pub fn begin(&mut self, size: usize, seed: (u64, bool)) {
        (self.ready, self.size, self.seed) = (0, size, seed);
    }

    /// Begin run `run` of `count` with given bytes.
    pub fn begin_given(&mut self, run: u64, count: u64) {
        let (run, table) = (run as usize, 8 * count as usize);
        let end = |run| table + number(&self.given, run) as usize;
        self.first = if run > 0 { end(run - 1) } else { table }..end(run);
        self.size = self.first.len();
    }

    /// Read the bytes of `count` runs, behind a table of their ends.
    pub fn read_given(&mut self, file: &File, count: u64, size: u64) -> Result<()> {
        self.given.resize(size as usize, 0);
        file.read_exact_at(&mut self.given, 0)?;
        let room = size.checked_sub(8 * count).ok_or(ErrorKind::InvalidInput)?;
        let ends: Vec<u64> = (0..count as usize).map(|run| number(&self.given, run)).collect();
        let rises = ends.windows(2).all(|pair| pair[0] <= pair[1]);
        match ends.last() {
            Some(&end) if rises && end <= room => Ok(()),
            _ => Err(Error::from(ErrorKind::InvalidInput)),
        }
    }

    /// The 8 bytes from `start` on, the lowest one first.
    #[inline]
    pub fn word(&self, start: usize) -> u64 {
        let mut word = [0; 8];
        word.copy_from_slice(&self.bytes[start..start + 8]);
        u64::from_le_bytes(word)
    }

    /// Make `count` bytes from `at` on ready, and some more. False if there are not so many.
    #[cold]
    #[inline(never)]
    pub fn fill(&mut self, at: usize, count: usize) -> bool {
        if count > self.size - at {
            return false;
        }
        if self.ready == 0 {
            self.ready = self.first.len();
            self.make_room(self.ready);
            self.bytes[..self.ready].copy_from_slice(&self.given[self.first.clone()]);
            self.expansion.begin(self.seed.0, self.seed.1);
        }
        if at + count > self.ready {
            let more = (at + count - self.ready).max(self.ready.clamp(32, 32768));
            let end = self.ready + (more + 7) / 8 * 8;
            self.make_room(end);
            self.expansion.fill(&mut self.bytes[self.ready..end]);
            self.ready = end.min(self.size);
        }
        true
    }

    pub fn make_room(&mut self, end: usize) {
        if self.bytes.len() < end + 8 {
            self.bytes.resize(end + 8, 0);
        }
    }
}

/// The expansion of a seed: xoshiro256++ and, for a styled seed, how uneven its bytes are.
#[derive(Default)]
pub struct Expansion {
    state: [u64; 4],
    bits: u32, // of a word
    lead: u32, // bits before the first word
    // The first chance in 64ths, and each next one added to those before it. `near` is 0 where all
    // are: the outputs are the bytes.
    repeat: u64,
    window: u64,
    edge: u64,
    near: u64,
    distance: usize,  // in words, of the window that is open; 0: none is
    made: usize,      // words so far
    words: Vec<u64>,  // the last 64 of them; word i is at i % 64
    rest: (u64, u32), // of a wide extreme: its words to come, the next one lowest, and how many
    carry: u64,       // the bytes that the lead pushed out of the last group
}

impl Expansion {
    /// Begin at the first byte of a seed.
    pub fn begin(&mut self, mut seed: u64, is_styled: bool) {
        for word in &mut self.state {
            seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let z = (seed ^ (seed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            *word = z ^ (z >> 31);
        }
        self.near = 0;
        if is_styled {
            self.choose_style();
        }
    }

    fn choose_style(&mut self) {
        let pick = self.output();
        let one_of = |choices: [u64; 8], shift: u32| choices[(pick >> shift & 7) as usize];
        let edge = one_of(shared::STYLE_EDGES, 3);
        let has_edges_alone = edge >= 48 && pick >> 18 & 1 == 1;
        let repeat = one_of(shared::STYLE_REPEATS, 6);
        self.bits = 8 * one_of(shared::STYLE_WIDTHS, 0) as u32;
        self.repeat = if has_edges_alone { 0 } else { repeat };
        self.window = self.repeat + one_of(shared::STYLE_RARE, 12);
        self.edge = self.window + edge;
        self.near = self.edge + one_of(shared::STYLE_RARE, 9);
        self.lead = 8 * one_of(shared::STYLE_LEADS, 15) as u32 % self.bits;
        self.carry = pick >> 32 & ((1 << self.lead) - 1);
        (self.distance, self.made, self.rest) = (0, 0, (0, 0));
        self.words.resize(64, 0);
    }

    /// Write the next bytes, in groups of 8.
    pub fn fill(&mut self, bytes: &mut [u8]) {
        for group in bytes.chunks_exact_mut(8) {
            let word = if self.near == 0 { self.output() } else { self.next_group() };
            group.copy_from_slice(&word.to_le_bytes());
        }
    }

    /// One step of xoshiro256++.
    fn output(&mut self) -> u64 {
        let s = &mut self.state;
        let result = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        result
    }

    /// The next 8 bytes of a styled seed: the lead and the words follow one another.
    fn next_group(&mut self) -> u64 {
        let (fresh, picks, carry) = (self.output(), self.output(), self.carry);
        let mut group = 0;
        for at in (0..64).step_by(self.bits as usize) {
            let word = self.next_word(fresh.rotate_right(at), picks >> at & 255);
            self.words[self.made % 64] = word;
            self.made += 1;
            group |= word << at;
        }
        if self.lead == 0 {
            return group;
        }
        self.carry = group >> (64 - self.lead);
        group << self.lead | carry
    }

    /// The lowest bits of `number`, unless one of the chances replaces them.
    fn next_word(&mut self, number: u64, pick: u64) -> u64 {
        let (top, chance) = (u64::MAX >> (64 - self.bits), pick >> 2);
        if self.rest.1 > 0 {
            let word = self.rest.0 & top;
            self.rest = (self.rest.0 >> self.bits, self.rest.1 - 1);
            return word;
        }
        if self.distance > 0 && chance >= 8 {
            return self.earlier(self.distance);
        }
        if self.distance > 0 || chance >= self.near {
            self.distance = 0; // the window closes
            return number & top;
        }
        if (self.window..self.edge).contains(&chance) {
            return self.next_extreme(number, pick) & top;
        }
        if self.made == 0 {
            return number & top;
        }
        let distance = 1 + (((number & 255) as usize * self.made.min(64)) >> 8);
        let word = self.earlier(distance);
        if chance >= self.edge {
            let neighbour = if pick & 1 == 1 { word.wrapping_add(1) } else { word.wrapping_sub(1) };
            return neighbour & top;
        }
        if chance >= self.repeat {
            self.distance = distance;
        }
        word
    }

    fn earlier(&self, distance: usize) -> u64 {
        self.words[(self.made - distance) % 64]
    }

    /// The lowest word of an extreme, which can be wider than words of 1 or 2 bytes.
    fn next_extreme(&mut self, number: u64, pick: u64) -> u64 {
        let wide = if self.bits <= 16 { [8, 32, 32, 64][(pick & 3) as usize] } else { 0 };
        let bits = self.bits.max(wide);
        let (top, random) = (u64::MAX >> (64 - bits), number >> 4);
        let extreme = match number & 15 {
            0 | 1 => 0,
            2..=5 => top,
            6 | 7 => top >> 1,
            8..=11 => (top >> 1) + 1,
            12 => random & 15,
            13 | 14 => 1 << (random % u64::from(bits)),
            _ => top - (random & 15),
        };
        if bits > self.bits {
            self.rest = (extreme >> self.bits, bits / self.bits - 1);
        }
        extreme
    }
}
