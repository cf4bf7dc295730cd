//! What a driver sees of a run: a report in shared memory, as PROTOCOL.md describes it, and the
//! panic that ended the run. A panic does that if it leaves the test or aborts the process.

use super::goals::{pair, GOAL, GOAL_RUN, LABEL};
use std::any::Any;
use std::fs::File;
use std::mem::ManuallyDrop;
use std::ops::Range;
use std::os::raw::{c_int, c_long, c_void};
use std::os::unix::{fs::FileExt, io::FromRawFd};
use std::sync::atomic::{AtomicU64, Ordering::Acquire, Ordering::Release};
use std::sync::{Mutex, PoisonError};
use std::{env, panic, ptr, slice, thread};

extern "C" {
    fn mmap(
        at: *mut c_void,
        size: usize,
        access: c_int,
        flags: c_int,
        file: c_int,
        offset: c_long,
    ) -> *mut c_void;
    fn signal(number: c_int, handler: extern "C" fn(c_int)) -> usize;
    fn write(file: c_int, bytes: *const u8, size: usize) -> isize;
}

/// Words of the report.
pub const STOP: usize = 4;
pub const RUN: usize = 16;
const MAGIC: u64 = 0x3174_7270_676e_7266;
const SEED: usize = 17;
const DIGEST: usize = 19;
const DIGEST_DRAWN: usize = 20;
const TRACED: usize = 21;
const MARKED: usize = 22;
const CHOSEN: usize = 10; // bytes; and how many, in the next word
const WANTS: usize = 12;
const WANTS_DISCARDS: u64 = 8;
const HAS_NARROWED: u64 = 1 << 62;
pub const RAN_OUT: usize = 13;
const DRAWN: usize = 24;
const SITE: usize = 32;
const WORDS: usize = 48;

// Words of the table of labels: its head, and each row.
const LABEL_HEAD: usize = 526;
const LABEL_ROW: usize = 268;

/// Bytes of a line of a trace.
const LINE_MAX: usize = 159;

/// What a driver sees of a run: memory that it shares, also after a crash.
#[derive(Clone, Copy)]
pub struct Report {
    words: &'static [AtomicU64], // WORDS or more
    records: &'static [AtomicU64],
    runs: &'static [AtomicU64],
    labels: &'static [AtomicU64], // the table of labels: its head and its rows
    pub goals: &'static [AtomicU64], // the table of goals (goals.rs)
    digests: bool,
}

impl Default for Report {
    /// The report of runs without a driver: it is never read.
    fn default() -> Report {
        #[allow(clippy::declare_interior_mutable_const)]
        const ZERO: AtomicU64 = AtomicU64::new(0);
        static NOWHERE: [AtomicU64; WORDS] = [ZERO; WORDS];
        let none = &[];
        Report {
            words: &NOWHERE,
            records: none,
            runs: none,
            labels: none,
            goals: none,
            digests: false,
        }
    }
}

impl Report {
    /// Where the count of drawn bytes is, in bytes.
    pub const DRAWN_AT: u64 = 8 * DRAWN as u64;

    /// True if a report is behind a descriptor, of either byte order.
    pub fn is_at(file: c_int) -> bool {
        let mut head = [0; 8];
        // SAFETY: the descriptor is read, and stays open.
        let of_report = (file >= 0).then(|| ManuallyDrop::new(unsafe { File::from_raw_fd(file) }));
        let is_read = of_report.map_or(false, |file| file.read_exact_at(&mut head, 0).is_ok());
        is_read && [MAGIC, MAGIC.swap_bytes()].contains(&number(&head, 0))
    }

    /// Map the report behind a descriptor, and close it. `None` if it is no report.
    pub fn map(file: c_int) -> Option<Report> {
        // SAFETY: the offer says that this descriptor is for this process. It stays open if not.
        let file_of_report = ManuallyDrop::new(unsafe { File::from_raw_fd(file) });
        let mut head = [0; 16];
        file_of_report.read_exact_at(&mut head, 0).ok()?;
        let size = number(&head, 1) as usize;
        let is_whole = size >= 8 * WORDS && size as u64 <= file_of_report.metadata().ok()?.len();
        if number(&head, 0) != MAGIC || !is_whole {
            return None;
        }
        // SAFETY: a new mapping (of shared memory, to read and write) for the rest of the process.
        let start = unsafe { mmap(ptr::null_mut(), size, 3, 1, file, 0) };
        drop(ManuallyDrop::into_inner(file_of_report));
        if start as isize == -1 {
            return None;
        }
        // SAFETY: `size` bytes are mapped, and nothing but atomic operations uses them.
        let words = unsafe { slice::from_raw_parts(start.cast(), size / 8) };
        Some(Report { words, ..Report::default() })
    }

    pub fn get(&self, word: usize) -> u64 {
        self.words[word].load(Acquire)
    }

    #[inline]
    pub fn set(&self, word: usize, value: u64) {
        self.words[word].store(value, Release);
    }

    /// The rows of `width` words whose offset in bytes and count the driver wrote at `word`.
    fn rows(&self, word: usize, width: usize) -> &'static [AtomicU64] {
        let (start, count) = (self.get(word) as usize / 8, self.get(word + 1) as usize);
        let end = start.saturating_add(count.saturating_mul(width));
        self.words.get(start.max(WORDS)..end).unwrap_or_default()
    }

    /// The memory whose offset and size in bytes the driver wrote at `word`.
    pub fn rows_of_bytes(&self, word: usize) -> &'static [AtomicU64] {
        let (start, size) = (self.get(word) as usize / 8, self.get(word + 1) as usize / 8);
        self.words.get(start.max(WORDS)..start.saturating_add(size)).unwrap_or_default()
    }

    /// Take the driver's wishes for the next runs.
    pub fn take_wishes(&mut self) {
        self.records = self.rows(2, 7);
        self.runs = self.rows(5, 1);
        self.take_goals();
        let (rows, most) = (self.get(8) as usize, 64);
        let start = self.get(7) as usize / 8;
        let end = start.saturating_add(LABEL_HEAD + rows.min(most) * LABEL_ROW);
        let has_table = (1..=most).contains(&rows) && start >= WORDS;
        self.labels = if has_table { self.words.get(start..end).unwrap_or_default() } else { &[] };
    }

    pub fn has_records(&self) -> bool {
        !self.records.is_empty()
    }

    pub fn tell_narrowed(&self) {
        self.set(WANTS, self.get(WANTS) | HAS_NARROWED);
    }

    pub fn wants_lines(&self) -> bool {
        self.get(WANTS) & 1 != 0
    }

    /// Write a line, 32 bytes in each record.
    pub fn say(&self, at: usize, line: &str) {
        let mut bytes = line.as_bytes().to_vec();
        if bytes.len() > LINE_MAX {
            bytes.truncate(LINE_MAX - 3);
            bytes.extend(b"...");
        }
        let mut rest = bytes.as_slice();
        loop {
            let (some, more) = rest.split_at(rest.len().min(32));
            let mut words = [0; 4];
            put(&mut words, some);
            self.record((253, u8::from(!more.is_empty()), 0, 0), at..at, words);
            if more.is_empty() {
                return;
            }
            rest = more;
        }
    }

    /// The place of the bytes that choices become, and how many there can be.
    pub fn chosen(&self) -> (usize, usize) {
        let (first, room) = (self.get(CHOSEN) as usize, self.get(CHOSEN + 1) as usize);
        let is_within = first >= 8 * WORDS && first.saturating_add(room) <= 8 * self.words.len();
        (first, if is_within { room } else { 0 })
    }

    /// Store bytes at an offset of the report.
    pub fn store(&self, offset: usize, bytes: &[u8]) {
        for (at, &byte) in (offset..).zip(bytes) {
            let mut word = self.get(at / 8).to_ne_bytes();
            word[at % 8] = byte;
            self.set(at / 8, u64::from_ne_bytes(word));
        }
    }

    /// Begin a run. Returns whether its draws are to be recorded.
    pub fn begin(&mut self, run: u64, seed: u64, digests: bool) -> bool {
        self.set(RUN, run);
        self.set(SEED, seed);
        self.set(TRACED, 0);
        self.set(DRAWN, 0);
        self.set(MARKED, 0);
        self.set(RAN_OUT, 0);
        self.digests = digests;
        digests || !self.records.is_empty() || !self.goals.is_empty()
    }

    pub fn drawn(&self) -> u64 {
        self.get(DRAWN)
    }

    #[inline]
    pub fn set_drawn(&self, count: usize) {
        self.set(DRAWN, count as u64);
    }

    /// Say where the run ends.
    pub fn set_site(&self, site: &str) {
        let text = words::<{ WORDS - SITE }>(site);
        (SITE..WORDS).zip(text).for_each(|(word, value)| self.set(word, value));
    }

    /// Write a record of the trace, or mix it into the digest.
    #[cold]
    pub fn record(&self, head: (u8, u8, u16, u32), place: Range<usize>, content: [u64; 4]) {
        let (kind, width, depth, site) = head;
        let head = (u64::from(kind) | u64::from(width) << 8).to_le();
        let (start, taken) = (place.start as u64, place.len() as u64);
        let [a, b, c, d] = content;
        let mut record = [start, taken, head, a, b, c, d];
        if self.digests && kind < 16 {
            let mix = |d: u64, word: u64| (d ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let digest =
                record.iter().fold(self.get(DIGEST), |d, &word| mix(d, word).rotate_left(29));
            self.set(DIGEST, digest);
        }
        record[2] |= (u64::from(depth.to_le()) << 16 | u64::from(site.to_le()) << 32).to_le();
        if !self.records.is_empty() {
            let traced = self.get(TRACED);
            if let Some(row) = self.records.chunks_exact(7).nth(traced as usize) {
                row.iter().zip(record).for_each(|(to, word)| to.store(word, Release));
            }
            self.set(TRACED, traced + 1);
        }
    }

    /// Mark the run in progress: kind 2 is a label, 3 a measure, 8 a goal. It counts when the run has
    /// passed.
    pub fn mark(&self, kind: u64, name: &str, value: u64) {
        self.climb(kind, name, value);
        if self.labels.is_empty() {
            return;
        }
        let (head, rows) = self.labels.split_at(LABEL_HEAD);
        let (text, used) = (words::<7>(name), head[2].load(Acquire) as usize);
        let is_it = |row: &[AtomicU64]| {
            row[7].load(Acquire) == kind && (0..7).all(|i| row[i].load(Acquire) == text[i])
        };
        let mut rows = rows.chunks_exact(LABEL_ROW);
        let at = rows.clone().take(used).position(is_it).unwrap_or(used);
        match rows.nth(at) {
            Some(row) => {
                if at == used {
                    row.iter().for_each(|word| word.store(0, Release));
                    (0..7).for_each(|i| row[i].store(text[i], Release));
                    row[7].store(kind, Release);
                    head[2].store(used as u64 + 1, Release);
                }
                let is_first = kind != GOAL || self.get(MARKED) >> at & 1 == 0;
                row[8]
                    .store(if is_first { value } else { value.max(row[8].load(Acquire)) }, Release);
                self.set(MARKED, self.get(MARKED) | 1 << at);
            }
            None => drop(head[3].fetch_add(1, Release)),
        }
    }

    /// Count a run that has passed in the table of labels.
    fn count_run(&self, drawn: u64, draws: u64, has_run_out: bool, is_discarded: bool) {
        let (head, rows) = self.labels.split_at(LABEL_HEAD);
        head[0].fetch_add(1, Release);
        count(&head[8..], drawn);
        if is_discarded {
            self.set(MARKED, 0); // labels are shares of the others
        } else if has_run_out {
            head[1].fetch_add(1, Release);
        } else if draws < 4 {
            head[4 + draws as usize].fetch_add(1, Release);
        }
        let marked = self.get(MARKED);
        for (i, row) in rows.chunks_exact(LABEL_ROW).enumerate() {
            if marked >> i & 1 == 1 {
                let (kind, value) = (row[7].load(Acquire), row[8].load(Acquire));
                let is_higher = row[9].load(Acquire) == 0 || value > row[11].load(Acquire);
                if kind == GOAL && is_higher {
                    row[GOAL_RUN].store(pair(self.get(RUN) as u32, drawn as u32), Release);
                }
                count(&row[9..], if kind == LABEL { drawn } else { value });
            }
        }
        self.set(MARKED, 0);
    }

    /// End run `run`, which has passed, or was discarded, with a seed that is styled or not. Its row has
    /// `end`, the bytes drawn or the choices seen.
    pub fn passed(
        &self,
        run: u64,
        [drawn, draws, end]: [u64; 3],
        [is_out, is_over]: [bool; 2],
        discarded: Option<bool>,
    ) {
        if self.digests {
            self.set(DIGEST_DRAWN, drawn);
        }
        if !self.labels.is_empty() {
            self.count_run(drawn, draws, is_out, discarded.is_some());
        }
        self.end_goals(run, draws);
        let wants = self.get(WANTS);
        let told = discarded.filter(|_| wants & WANTS_DISCARDS != 0);
        if let Some(is_styled) = told {
            self.set(WANTS, wants + (1 << if is_styled { 35 } else { 8 }));
        }
        if let Some(row) = self.runs.get(run as usize) {
            let is_over = is_over && discarded.is_none();
            row.store(end | u64::from(is_over) << 63 | u64::from(told.is_some()) << 62, Release);
        }
    }
}

/// Add a value to a histogram: the count, the least, the largest, and 512 counts of 32 bits.
fn count(histogram: &[AtomicU64], value: u64) {
    let is_first = histogram[0].fetch_add(1, Release) == 0;
    if is_first || value < histogram[1].load(Acquire) {
        histogram[1].store(value, Release);
    }
    if is_first || value > histogram[2].load(Acquire) {
        histogram[2].store(value, Release);
    }
    let e = u64::from(63 - (value | 1).leading_zeros());
    let bucket = if value < 16 { value } else { 16 + 8 * (e - 4) + (value >> (e - 3) & 7) };
    let word = &histogram[3 + bucket as usize / 2];
    let mut one = [0; 8];
    one[4 * (bucket as usize % 2)] = u8::from(cfg!(target_endian = "little"));
    one[4 * (bucket as usize % 2) + 3] = u8::from(cfg!(target_endian = "big"));
    word.fetch_add(u64::from_ne_bytes(one), Release);
}

/// Put bytes into words of memory.
fn put(words: &mut [u64], bytes: &[u8]) {
    for (i, &byte) in bytes.iter().enumerate() {
        words[i / 8] |= u64::from(byte) << (8 * (i % 8));
    }
    words.iter_mut().for_each(|word| *word = word.to_le());
}

/// A text as words of memory, cut short so that it ends with a 0.
pub fn words<const COUNT: usize>(text: &str) -> [u64; COUNT] {
    let (mut words, bytes) = ([0; COUNT], text.as_bytes());
    put(&mut words, &bytes[..bytes.len().min(8 * COUNT - 1)]);
    words
}

/// Number `i` of numbers of 8 bytes.
pub fn number(bytes: &[u8], i: usize) -> u64 {
    let mut number = [0; 8];
    number.copy_from_slice(&bytes[8 * i..8 * i + 8]);
    u64::from_ne_bytes(number)
}

struct Panic {
    report: Report,
    run: u64,
    site: String, // queue.rs:16
    line: String, // queue.rs:16: got 0, not 7
}

/// The panic that ends the run if it ends now. The test may have caught it.
static LAST: Mutex<Option<Panic>> = Mutex::new(None);

/// Remember each panic from now on, in place of a message.
pub fn watch_panics(report: Report) {
    let default = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let text = message(info.payload());
        let site = site_of(info.location());
        let (line, run) = (format!("{site}: {text}\n"), report.get(RUN));
        let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
        if !is_news(text) || !matches!(&*last, Some(cause) if cause.run == run) {
            *last = Some(Panic { report, run, site, line });
        }
        if env::var_os("RUST_BACKTRACE").map_or(false, |wish| wish == "full") {
            default(info);
        }
    }));
    // SAFETY: the handler works in any thread and at any place. 6 is SIGABRT.
    unsafe { signal(6, aborted) };
}

/// "queue.rs:16"
pub fn site_of(place: Option<&panic::Location>) -> String {
    let file = place.map_or("", |place| place.file().rsplit('/').next().unwrap_or_default());
    format!("{file}:{}", place.map_or(0, |place| place.line()))
}

/// A process can also abort after a panic that the test has caught.
extern "C" fn aborted(_signal: c_int) {
    if thread::panicking() {
        tell_panic();
    }
}

/// True if this panic only says that there was another one, in a thread, say, that was joined.
fn is_news(text: &str) -> bool {
    let news = ["Any { .. }", "PoisonError {", "scoped thread", "cannot unwind", "during cleanup"];
    news.iter().any(|words| text.contains(words))
}

/// Tell the driver and people of the panic that ended the run.
pub fn tell_panic() {
    if let Ok(Some(last)) = LAST.try_lock().as_deref() {
        if last.run == last.report.get(RUN) {
            last.report.set_site(&last.site);
            // SAFETY: these bytes. Not by eprint!, since an abort can come in the middle of one.
            unsafe { write(2, last.line.as_ptr(), last.line.len()) };
        }
    }
}

/// Later runs of this number did not panic so.
pub fn forget_panic() {
    *LAST.lock().unwrap_or_else(PoisonError::into_inner) = None;
}

/// The text of a panic.
pub fn message(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("a panic")
}
