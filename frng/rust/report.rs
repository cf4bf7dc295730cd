//! What a driver sees of a run: a report in shared memory, as PROTOCOL.md describes it, and the
//! panic that ended the run. A panic does that if it leaves the test or aborts the process.

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
const SEED: usize = 17;
pub const LEFT_BATCH: usize = 18;
const DIGEST: usize = 19;
const DIGEST_DRAWN: usize = 20;
const TRACED: usize = 21;
const DRAWN: usize = 24;
const SITE: usize = 32;
const WORDS: usize = 48;

/// What a driver sees of a run: memory that it shares, also after a crash.
#[derive(Clone, Copy)]
pub struct Report {
    words: &'static [AtomicU64], // WORDS or more
    records: &'static [AtomicU64],
    runs: &'static [AtomicU64],
    digests: bool,
}

impl Default for Report {
    /// The report of runs without a driver: it is never read.
    fn default() -> Report {
        #[allow(clippy::declare_interior_mutable_const)]
        const ZERO: AtomicU64 = AtomicU64::new(0);
        static NOWHERE: [AtomicU64; WORDS] = [ZERO; WORDS];
        Report { words: &NOWHERE, records: &[], runs: &[], digests: false }
    }
}

impl Report {
    /// Where the count of drawn bytes is, in bytes.
    pub const DRAWN_AT: u64 = 8 * DRAWN as u64;

    /// Map the report behind a descriptor, and close it. `None` if it is no report.
    pub fn map(file: c_int) -> Option<Report> {
        // SAFETY: the offer says that this descriptor is for this process. It stays open if not.
        let file_of_report = ManuallyDrop::new(unsafe { File::from_raw_fd(file) });
        let mut head = [0; 16];
        file_of_report.read_exact_at(&mut head, 0).ok()?;
        let size = number(&head, 1) as usize;
        let is_whole = size >= 8 * WORDS && size as u64 <= file_of_report.metadata().ok()?.len();
        if number(&head, 0) != 0x3174_7270_676e_7266 || !is_whole {
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
        Some(Report { words, records: &[], runs: &[], digests: false })
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

    /// Take the driver's wishes for the next runs.
    pub fn take_wishes(&mut self) {
        self.records = self.rows(2, 7);
        self.runs = self.rows(5, 1);
    }

    /// Begin a run. Returns whether its draws are to be recorded.
    pub fn begin(&mut self, run: u64, seed: u64, digests: bool) -> bool {
        self.set(RUN, run);
        self.set(SEED, seed);
        self.set(TRACED, 0);
        self.set(DRAWN, 0);
        self.digests = digests;
        digests || !self.records.is_empty()
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
    pub fn record(&self, kind: u8, width: u8, place: Range<usize>, content: [u64; 4]) {
        let head = (u64::from(kind) | u64::from(width) << 8).to_le();
        let (start, taken) = (place.start as u64, place.len() as u64);
        let [a, b, c, d] = content;
        let record = [start, taken, head, a, b, c, d];
        if self.digests && kind < 16 {
            let mix = |d: u64, word: u64| (d ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let digest =
                record.iter().fold(self.get(DIGEST), |d, &word| mix(d, word).rotate_left(29));
            self.set(DIGEST, digest);
        }
        if !self.records.is_empty() {
            let traced = self.get(TRACED);
            if let Some(row) = self.records.chunks_exact(7).nth(traced as usize) {
                row.iter().zip(record).for_each(|(to, word)| to.store(word, Release));
            }
            self.set(TRACED, traced + 1);
        }
    }

    /// End run `run`, which has passed.
    pub fn passed(&self, run: u64, drawn: usize, has_run_out: bool) {
        if self.digests {
            self.set(DIGEST_DRAWN, drawn as u64);
        }
        if let Some(row) = self.runs.get(run as usize) {
            row.store(drawn as u64 | u64::from(has_run_out) << 63, Release);
        }
    }
}

/// A text as words of memory, cut short so that it ends with a 0.
pub fn words<const COUNT: usize>(text: &str) -> [u64; COUNT] {
    let mut words = [0; COUNT];
    for (i, &byte) in text.as_bytes().iter().take(8 * COUNT - 1).enumerate() {
        words[i / 8] |= u64::from(byte) << (8 * (i % 8));
    }
    words.map(u64::to_le)
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
        let place = info.location();
        let file = place.map_or("", |place| place.file().rsplit('/').next().unwrap_or_default());
        let site = format!("{file}:{}", place.map_or(0, |place| place.line()));
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

/// The text of a panic.
pub fn message(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("a panic")
}
