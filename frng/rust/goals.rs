//! The table of goals that a driver may want in place of labels, as PROTOCOL.md describes it: how
//! high runs came, and the draws of those that came higher than any before.

use super::report::{Report, RUN};
use std::sync::atomic::{AtomicU64, Ordering::Acquire, Ordering::Release};

pub const CAN_CLIMB: u64 = 4096;
pub const LABEL: u64 = 2;
pub const GOAL: u64 = 8;
pub const GOAL_RUN: usize = 260; // word of a row of the table of labels
const HEAD: usize = 8321; // words; 8 of each record follow
const PLACES: usize = 129 + 2 * 3840; // of goals
const NEWEST: u64 = 256; // draws
const RUN_MAX: u64 = 1024; // records
const NEWS: u32 = 1 << 31;

/// Two numbers of 32 bits in the memory of a word.
pub fn pair(first: u32, second: u32) -> u64 {
    let (high, low) =
        if cfg!(target_endian = "little") { (second, first) } else { (first, second) };
    u64::from(high) << 32 | u64::from(low)
}

fn halves(word: u64) -> [u32; 2] {
    let (high, low) = ((word >> 32) as u32, word as u32);
    if cfg!(target_endian = "little") {
        [low, high]
    } else {
        [high, low]
    }
}

impl Report {
    /// Take the driver's wish for goals in the next runs.
    pub fn take_goals(&mut self) {
        let goals = self.rows_of_bytes(14);
        self.goals = if goals.len() > HEAD { goals } else { &[] };
    }

    fn record_of(&self, i: u64) -> &'static [AtomicU64] {
        let at = HEAD + 8 * (self.goals[0].load(Acquire) + i) as usize;
        self.goals.get(at..at + 8).unwrap_or_default()
    }

    /// Note how high a run came. As high as ever is news, too, after fewer bytes.
    pub fn climb(&self, kind: u64, name: &str, value: u64) {
        if self.goals.is_empty() || kind != GOAL {
            return;
        }
        let mix = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        let hash = name.as_bytes().iter().take(55).fold(0xcbf2_9ce4_8422_2325, mix);
        let place = &self.goals[PLACES + 2 * (hash % 256) as usize..][..2];
        let ([at, _], near) = (halves(place[1].load(Acquire)), place[0].load(Acquire));
        let used = self.drawn() as u32;
        if value > near || value == near && used < at - at / 4 {
            place[0].store(value, Release);
            place[1].store(pair(used, self.get(RUN) as u32), Release);
        }
    }

    /// Record draw number `draws` of the run, in the place of an old one.
    pub fn goal_draw(&self, draws: u64, [kind, width]: [u8; 2], numbers: [u64; 5]) {
        if self.goals.is_empty() {
            return;
        }
        let head = pair(u32::from_ne_bytes([1, kind, width, 0]), self.get(RUN) as u32);
        let words = [head, draws].into_iter().chain(numbers).chain([0]);
        self.record_of(draws % NEWEST).iter().zip(words).for_each(|(to, x)| to.store(x, Release));
    }

    /// Let the draws of a run that has passed count, if it came higher; else those behind what it
    /// repeats, unless the driver wants none.
    pub fn end_goals(&self, run: u64, draws: u64) {
        let from = match self.goals.get(1 + run as usize / 2).filter(|_| run < NEWEST) {
            Some(from) => halves(from.load(Acquire))[run as usize % 2],
            None => return,
        };
        let places = self.goals[PLACES..PLACES + 512].chunks_exact(2);
        let is_news = places.map(|p| halves(p[1].load(Acquire))[1]).any(|r| u64::from(r) == run);
        let mut kept = 0;
        for i in (0..draws.min(NEWEST)).filter(|_| is_news || from < NEWS) {
            let record = self.record_of(i);
            if is_news || record[3].load(Acquire) > u64::from(from) {
                let to = self.record_of(kept).iter();
                to.zip(record).for_each(|(to, x)| to.store(x.load(Acquire), Release));
                kept += 1;
            }
        }
        self.goals[0].fetch_add(kept, Release);
    }

    /// True if another run would find no room.
    pub fn is_full_of_goals(&self) -> bool {
        let room = self.goals.len().saturating_sub(HEAD) as u64 / 8;
        !self.goals.is_empty() && room < self.goals[0].load(Acquire) + RUN_MAX
    }
}
