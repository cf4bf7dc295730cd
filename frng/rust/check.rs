//! Searches in `cargo test`. Findings are replayed first. Then fresh runs are made as DRAWS.md
//! describes, and the report is the smallest that fails, its draws by name, the panic, and lines to
//! go on.
//!
//! A thread watches the runs: one that hangs ends the test program, after a report.
//!
//! The test program is a target, too: offered a driver, the first check of a test serves it. So
//! frng-reduce, where it is on PATH, reduces what was found, and with FRNG_SEARCH frng-search goes on
//! where all runs have passed.

use super::called::{has_driver, misspelt, quoted, refuse_to_judge, variable};
use super::findings::{self, Input};
use super::report::{message, site_of};
use super::shared::*;
use super::story::Story;
use super::{expand, make, Drawn, Frng};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::os::raw::{c_int, c_long, c_ulong};
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, Once, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use std::{env, fs, process, thread};

/// A search in a test, and its options. The environment overrides them: FRNG_RUNS is the count of
/// runs; FRNG_SEED fixes the seeds, and so does FRNG_PROFILE=ci, with ten times the runs;
/// FRNG_FINDINGS is the folder of findings; FRNG_TIMEOUT is the time limit of a run, in seconds.
/// FRNG_REPLAY="size=16 seed=7" makes this run alone, without a limit. FRNG_REDUCE=0 reduces nothing.
/// FRNG_SEARCH=10m lets frng-search go on for so long, with all processors.
pub struct Check {
    name: String,
    runs: usize,
    size_max: usize,
    findings: Option<PathBuf>,
    timeout: Duration,
}

/// Search a test for its smallest failure, and panic with it: `Check::new().run(test)`.
#[track_caller]
pub fn check(test: impl FnMut(&mut Frng) -> Drawn) {
    Check::new().run(test);
}

impl Default for Check {
    fn default() -> Check {
        Check::new()
    }
}

impl Check {
    /// 1000 runs of up to 4096 bytes, for the test of this thread, and the findings in
    /// `findings/NAME` of its crate, if that is there.
    pub fn new() -> Check {
        Check::named(thread::current().name().unwrap_or("main"))
    }

    /// As [`Check::new`], for the test of this name, as `cargo test` prints it.
    pub fn named(name: &str) -> Check {
        let (name, timeout) = (name.to_string(), Duration::from_secs(TIMEOUT_S));
        Check { name, runs: RUNS, size_max: SIZE_MAX, findings: None, timeout }
    }

    /// Make so many fresh runs.
    pub fn runs(mut self, count: usize) -> Check {
        self.runs = count;
        self
    }

    /// Of so many bytes at most.
    pub fn size_max(mut self, bytes: usize) -> Check {
        self.size_max = bytes;
        self
    }

    /// Replay the findings of this folder.
    pub fn findings(mut self, folder: impl AsRef<Path>) -> Check {
        self.findings = Some(folder.as_ref().to_path_buf());
        self
    }

    /// A run that takes longer hangs. It ends the test program.
    pub fn timeout(mut self, limit: Duration) -> Check {
        self.timeout = limit;
        self
    }

    /// Search. Panics with the smallest failure.
    #[track_caller]
    pub fn run(self, mut test: impl FnMut(&mut Frng) -> Drawn) {
        let can_serve = is_first(&self.name);
        if can_serve && has_driver() {
            super::run_with_arguments(test);
        }
        let search = Search::new(self, can_serve, &mut test).map_err(End::from);
        match search.and_then(|mut search| search.search()) {
            Ok(()) => {}
            Err(End::Fails(report)) => fail(report),
            Err(End::Refused(why, status)) => refuse_to_judge(&why, status),
        }
    }
}

impl Check {
    /// FRNG_FINDINGS/NAME or FRNG_FINDINGS, that of the options, or findings/NAME. What the tools find
    /// goes to the first one.
    fn folder(&self, is_for_tools: bool) -> PathBuf {
        let own: PathBuf = self.name.split("::").collect();
        match (env::var_os("FRNG_FINDINGS").filter(|all| !all.is_empty()), &self.findings) {
            (Some(all), _) => {
                let named = Some(Path::new(&all).join(&own));
                let is_absent = |path: &PathBuf| {
                    fs::symlink_metadata(path)
                        .map_or_else(|why| why.kind() == io::ErrorKind::NotFound, |_| false)
                };
                named.filter(|path| is_for_tools || !is_absent(path)).unwrap_or(all.into())
            }
            (None, Some(folder)) => folder.clone(),
            (None, None) => Path::new("findings").join(&own),
        }
    }
}

/// Panic as the default hook prints it, but without the back trace, which has no frame of the test.
#[track_caller]
fn fail(report: String) -> ! {
    let (thread, place) = (thread::current(), panic::Location::caller());
    let name = thread.name().unwrap_or("<unnamed>");
    eprintln!("\nthread '{name}' panicked at {place}:\n{report}");
    panic::resume_unwind(Box::new(report))
}

/// True for the first check of a test: a driver cannot know of others.
fn is_first(name: &str) -> bool {
    static NAMES: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    let is_first = !names.iter().any(|known| known == name);
    names.push(name.to_string());
    is_first
}

/// The words that choose a test beside its name, which may be ignored.
fn only_this() -> Vec<&'static str> {
    let is_ignored = env::args().any(|word| word == "--ignored" || word == "--include-ignored");
    if is_ignored {
        vec!["--exact", "--include-ignored"]
    } else {
        vec!["--exact"]
    }
}

// ---- Panics of this thread ----

/// The panic that ended a run.
#[derive(Clone)]
struct Failure {
    site: String,
    text: String,
}

thread_local! {
    static IN_RUN: Cell<bool> = Cell::new(false);
    static LAST: RefCell<Option<Failure>> = RefCell::new(None);
}

/// From now on, keep the panics of runs in place of a message for each.
fn hear_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let default = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !IN_RUN.with(Cell::get) {
                return default(info);
            }
            let text = message(info.payload()).to_string();
            let failure = Failure { site: site_of(info.location()), text };
            LAST.with(|last| *last.borrow_mut() = Some(failure));
            if env::var_os("RUST_BACKTRACE").map_or(false, |wish| wish == "full") {
                default(info);
            }
        }));
    });
}

// ---- Hangs ----

/// A thread that ends the test program where a run takes too long. It holds the lines to go on from
/// the run in progress, and when that began.
struct Watch {
    run: Arc<(Mutex<Run>, Condvar)>,
}

#[derive(Default)]
struct Run {
    began: Option<(Instant, c_int, Duration)>, // when; its thread's clock, and what that showed
    input: (String, String),                   // as a result line and as options
    has_ended: bool,                           // the search
}

extern "C" {
    fn pthread_self() -> c_ulong;
    fn pthread_getcpuclockid(thread: c_ulong, clock: *mut c_int) -> c_int;
    fn clock_gettime(clock: c_int, time: *mut [c_long; 4]) -> c_int;
}

/// The clock of the processor time of this thread.
fn own_clock() -> c_int {
    let mut clock = 0;
    unsafe { pthread_getcpuclockid(pthread_self(), &mut clock) };
    clock
}

fn read_clock(clock: c_int) -> Duration {
    let mut time = [0; 4];
    unsafe { clock_gettime(clock, &mut time) };
    Duration::new(time[0] as u64, time[1] as u32)
}

impl Run {
    /// The time until it may hang: that is once it has used a processor for the limit, or has waited
    /// IDLE times that. On a busy machine a run that gets none has more time.
    fn left(&self, limit: Duration) -> Duration {
        let (began, clock, used) = match self.began {
            Some(begun) => begun,
            None => return limit,
        };
        let waited = began.elapsed();
        let most = limit.checked_mul(IDLE as u32).unwrap_or(Duration::MAX);
        if waited >= most || waited >= limit && read_clock(clock) - used >= limit {
            return Duration::ZERO;
        }
        if waited < limit {
            limit - waited
        } else {
            limit / 4
        }
    }
}

impl Watch {
    fn new(lines: Lines, limit: Duration) -> Watch {
        let run = Arc::new((Mutex::new(Run::default()), Condvar::new()));
        let watched = run.clone();
        thread::spawn(move || {
            let (run, change) = &*watched;
            let mut run = run.lock().unwrap_or_else(PoisonError::into_inner);
            while !run.has_ended {
                let left = run.left(limit);
                if left.is_zero() {
                    let (result, options) = &run.input;
                    let timed = format!("{options} --timeout {}ms", limit.as_millis());
                    let text = format!(
                        "\nfrng: {} hangs: a run has not ended after {limit:?}: {result}\n{}\n",
                        lines.name,
                        lines.go_on(result, &timed, true)
                    );
                    let _ = io::stderr().write_all(text.as_bytes()); // past the capture
                    process::exit(101);
                }
                run = change.wait_timeout(run, left).unwrap_or_else(PoisonError::into_inner).0;
            }
        });
        Watch { run }
    }

    fn set(&self, run: Run) {
        let is_end = run.has_ended;
        *self.run.0.lock().unwrap_or_else(PoisonError::into_inner) = run;
        if is_end {
            self.run.1.notify_one();
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.set(Run { has_ended: true, ..Run::default() });
    }
}

/// What the lines that go on from an input need.
#[derive(Clone)]
struct Lines {
    name: String,
    program: Option<String>, // that serves drivers
    findings: String,
    base: u64,
    needs_state: bool, // the failure, of runs before it
}

impl Lines {
    /// The commands that go on from an input, which a search has found, or a replay.
    fn go_on(&self, result: &str, options: &str, is_search: bool) -> String {
        let (name, only) = (quoted(&self.name), only_this().join(" "));
        if self.needs_state {
            return format!("{GO_ON}\n  FRNG_SEED={} {REPEATS}", self.base);
        }
        let mut text = format!("{GO_ON}\n  FRNG_REPLAY='{result}' cargo test {name} -- {only}\n");
        let keep = format!("--findings {}", quoted(&self.findings));
        for (tool, more) in [("replay", "--trace"), ("reduce", keep.as_str())] {
            if let Some(program) = &self.program {
                let program = quoted(program);
                text += &format!("  frng-{tool} {program} {options} {more} -- {name} {only}\n");
            }
        }
        let path = env::var_os("PATH").unwrap_or_default();
        let has_tools = env::split_paths(&path).any(|folder| folder.join("frng-reduce").exists());
        if self.program.is_some() && !has_tools {
            text += &format!("  ({NO_TOOLS})\n");
        }
        if is_search {
            text += &format!("  FRNG_SEED={} {REPEATS}\n", self.base);
        }
        text.trim_end().to_string()
    }
}

// ---- The search ----

/// A fresh run that failed.
struct Found {
    input: Input,
    failure: Failure,
    is_flaky: bool, // it failed, and then passed
}

/// Why a check does not pass: a run fails, or nothing is judged, with the status of a program.
enum End {
    Fails(String),
    Refused(String, i32),
}

impl From<String> for End {
    fn from(why: String) -> End {
        End::Refused(why, 2)
    }
}

type Test<'a> = &'a mut dyn FnMut(&mut Frng) -> Drawn;

struct Search<'a> {
    options: Check,
    lines: Lines,
    watch: Option<Watch>,
    test: Test<'a>,
    seed: u64,        // of the next fresh run
    made: usize,      // fresh runs
    most: usize,      // bytes that one of them drew
    discarded: usize, // of the fresh runs
    marks: BTreeMap<String, usize>,
}

/// The number of an environment variable.
fn number(name: &str, most: u64) -> Result<Option<u64>, String> {
    let bounded = |text: &str| text.parse().ok().filter(|&number| number <= most);
    let read = |text: String| bounded(&text).ok_or(format!("{name}={text} {NO_NUMBER}"));
    variable(name).map(read).transpose()
}

impl<'a> Search<'a> {
    fn new(mut options: Check, can_serve: bool, test: Test<'a>) -> Result<Search<'a>, String> {
        hear_panics();
        misspelt().map_or(Ok(()), Err)?;
        let is_ci = match variable("FRNG_PROFILE") {
            Some(name) if name != "ci" => {
                return Err(format!("FRNG_PROFILE={name} {NO_PROFILE}"));
            }
            profile => profile.is_some(),
        };
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |t| t.as_nanos() as u64);
        let base = number("FRNG_SEED", u64::MAX)?.unwrap_or(if is_ci { 1 } else { now });
        let runs = number("FRNG_RUNS", i32::MAX as u64)?;
        options.runs = runs.map_or(options.runs, |runs| runs as usize);
        options.runs *= if is_ci { 10 } else { 1 };
        let (mut seeds, mut seed) = (super::entropy::Expansion::default(), [0; 8]);
        seeds.begin(base, false);
        seeds.fill(&mut seed);
        let seed = u64::from_le_bytes(seed);
        let limit = number("FRNG_TIMEOUT", i32::MAX as u64)?.map(Duration::from_secs);
        let is_alone = variable("FRNG_REPLAY").is_some(); // for a debugger
        options.timeout = limit.unwrap_or(if is_alone { Duration::ZERO } else { options.timeout });
        let here = env::current_dir().unwrap_or_default();
        let program = env::current_exe().ok().filter(|_| can_serve);
        let lines = Lines {
            name: options.name.clone(),
            program: program.map(|p| p.strip_prefix(here).unwrap_or(&p).display().to_string()),
            findings: options.folder(true).display().to_string(),
            base,
            needs_state: false,
        };
        let timed = Some(options.timeout).filter(|limit| !limit.is_zero());
        let watch = timed.map(|limit| Watch::new(lines.clone(), limit));
        let (made, most, marks) = (0, 0, BTreeMap::new());
        Ok(Search { options, lines, watch, test, seed, made, most, discarded: 0, marks })
    }

    fn search(&mut self) -> Result<(), End> {
        if let Some(text) = variable("FRNG_REPLAY") {
            let input =
                Input::parse(&text).map_err(|_| format!("FRNG_REPLAY={text} {NO_INPUT}"))?;
            return match self.fails(&input) {
                Some(_) => Err(End::Fails(self.report(&input, "FRNG_REPLAY fails"))),
                None => {
                    println!("frng: {}: {PASSES}", self.options.name);
                    Ok(())
                }
            };
        }
        let known = self.replay_findings()?;
        match self.grow() {
            Some(found) => Err(End::Fails(self.found(found))),
            None if 10 * self.discarded > 9 * self.made => {
                Err(End::Refused(self.discarded_line(), 3))
            }
            None if self.is_unread(1) => {
                let (made, name) = (self.made, &self.options.name);
                Err(End::Refused(format!("none of {made} runs of {name} {NO_DRAW}"), 3))
            }
            None => {
                if 2 * self.discarded > self.made {
                    let mut out = io::stderr(); // that of print macros is captured
                    let _ = writeln!(out, "frng: {}", self.discarded_line());
                }
                if !self.search_on()? && self.made + known == 0 {
                    return Err(NO_RUNS.to_string().into());
                }
                let (passed, most) = (self.made - self.discarded, self.most);
                let findings =
                    if known > 0 { format!(", and {known} of findings") } else { String::new() };
                println!(
                    "frng: {passed} runs passed, of up to {most} bytes{findings}{}",
                    self.shares()
                );
                Ok(())
            }
        }
    }

    /// Make the runs of the findings. Returns how many there are.
    fn replay_findings(&mut self) -> Result<usize, End> {
        let (folder, named) = (self.options.folder(false), variable("FRNG_FINDINGS"));
        let found = findings::list(&folder)?;
        if let (None, Some(_)) = (&found, &named) {
            let folder = folder.display();
            eprintln!("frng: FRNG_FINDINGS={folder} is not there: no finding is replayed");
        }
        let paths = found.unwrap_or_default();
        for path in &paths {
            let input = findings::read(path)?;
            let mut f = input.generator();
            if self.run(&mut f, &input).is_some() {
                let how = format!("{} still fails", path.display());
                return Err(End::Fails(self.report(&input, &how)));
            }
            f.check_kept(path)
                .or_else(|why| if findings::is_own(path) { Err(why) } else { Ok(()) })?;
        }
        Ok(paths.len())
    }

    /// Make the run of an input. Returns its panic, if it has one.
    fn run(&mut self, f: &mut Frng, input: &Input) -> Option<Failure> {
        if let Some(watch) = &self.watch {
            let (clock, input) = (own_clock(), (input.result(), input.options()));
            let began = Some((Instant::now(), clock, read_clock(clock)));
            watch.set(Run { began, input, has_ended: false });
        }
        IN_RUN.with(|is_in| is_in.set(true));
        let end = panic::catch_unwind(AssertUnwindSafe(|| make(f, self.test)));
        IN_RUN.with(|is_in| is_in.set(false));
        if let Some(watch) = &self.watch {
            watch.set(Run::default());
        }
        let last = LAST.with(|last| last.borrow_mut().take());
        let payload = end.err()?;
        let other = Failure { site: String::new(), text: message(&*payload).to_string() };
        Some(last.unwrap_or(other)) // without one it was in another thread
    }

    fn fails(&mut self, input: &Input) -> Option<Failure> {
        self.run(&mut Frng::new(input.bytes.clone()), input)
    }

    /// Make the next run. Returns its input if it fails: as many bytes as it drew, or all.
    fn fresh(&mut self, size: usize) -> Option<Found> {
        let seed = format!("{}{}", self.seed, if self.seed % 2 == 1 { "s" } else { "" });
        self.seed = self.seed.wrapping_add(1);
        self.made += 1;
        let input = |size| Input::new(expand(&seed, size).unwrap_or_default(), Some(seed.clone()));
        let whole = input(size);
        let mut f = Frng::new(whole.bytes.clone());
        let failure = self.run(&mut f, &whole);
        if f.is_discarded && failure.is_none() {
            self.discarded += 1;
            self.most = self.most.max(f.used);
            return None;
        }
        for mark in f.marks {
            *self.marks.entry(mark).or_insert(0) += 1;
        }
        if failure.is_none() {
            self.most = self.most.max(if f.has_run_out { size } else { f.used });
        }
        let first = failure?;
        for input in [input(f.used), input(size)] {
            if let Some(failure) = self.fails(&input) {
                return Some(Found { input, failure, is_flaky: false });
            }
        }
        Some(Found { input: whole, failure: first, is_flaky: true })
    }

    fn discarded_line(&self) -> String {
        format!("{} of {} runs of {} {DISCARDED}", self.discarded, self.made, self.options.name)
    }

    /// The runs that count: of ten that were discarded one does, so that there is an end.
    fn counted(&self) -> usize {
        self.made - self.discarded + self.discarded / 10
    }

    /// Make rows of runs, at the size that has cost least so far, until one fails.
    fn grow(&mut self) -> Option<Found> {
        let size_max = self.options.size_max;
        let doubled = std::iter::successors(Some(SIZE_MIN), |size| Some(2 * size));
        let mut levels: Vec<(usize, usize)> =
            doubled.take_while(|&size| size < size_max).map(|size| (size, 0)).collect();
        levels.push((size_max, 0));
        while self.counted() < self.options.runs && !self.is_unread(UNREAD) {
            // Sizes beyond twice what runs draw would be the same runs.
            let open = 1 + levels[1..].iter().filter(|(size, _)| *size <= 2 * self.most).count();
            let cost = |&(size, count): &(usize, usize)| (count + 1) * (RUN_COST + size);
            let at = (0..open).min_by_key(|&at| cost(&levels[at]))?;
            let (size, count) = levels[at];
            let row = (1 + count / 4).min(self.options.runs - self.counted());
            levels[at].1 += row;
            let found = (0..row).find_map(|_| self.fresh(size));
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// True if so many fresh runs, or more, have drawn nothing.
    fn is_unread(&self, least: usize) -> bool {
        self.made >= least && self.most == 0 && self.options.size_max > 0
    }

    /// Find the smallest failure of the same place: by halving the size, then a byte below the best,
    /// until enough fresh runs have passed there.
    fn lower(&mut self, mut best: Found) -> Found {
        let limit = self.counted() + 2 * self.options.runs;
        let mut low = 0;
        while best.input.size > 0 && self.counted() < limit {
            let is_end = low >= best.input.size;
            let size = if is_end { best.input.size - 1 } else { (low + best.input.size) / 2 };
            let site = &best.failure.site;
            let is_alike = |found: &Found| !found.is_flaky && found.failure.site == *site;
            let until = self.counted() + if is_end { END } else { LOWER };
            let mut found = None;
            while found.is_none() && self.counted() < until {
                found = self.fresh(size).filter(is_alike);
            }
            match found {
                Some(found) => best = found,
                None if is_end => break,
                None => low = size + 1,
            }
        }
        best
    }

    // ---- Reports ----

    fn found(&mut self, found: Found) -> String {
        let first = self.made;
        if found.is_flaky {
            let Found { input, failure: Failure { site, text }, .. } = found;
            let result = input.result();
            let go_on = self.lines.go_on(&result, &input.options(), true);
            return format!("flaky: {result} {FLAKY}\n{site}: {text}\n{go_on}");
        }
        let input = found.input.clone();
        let best = self.lower(found);
        let how = format!("fails in run {first}, smallest after {} more", self.made - first);
        let reduced = self.reduce(&best.input, &best.failure);
        self.lines.needs_state = reduced.is_none() && first > 1 && self.passes_alone(&input);
        if self.lines.needs_state {
            let how = format!("fails only after {} other runs; {STATE}", first - 1);
            return self.report(&input, &how);
        }
        self.reduced(reduced, &best.input, &how)
    }

    /// True if an input passes in a new process, which has made no run before it.
    fn passes_alone(&self, input: &Input) -> bool {
        let limit = self.options.timeout.as_secs_f64().ceil();
        let output = env::current_exe().and_then(|program| {
            process::Command::new(program)
                .args([&self.options.name, "--nocapture"])
                .args(only_this())
                .envs([("FRNG_REPLAY", input.result()), ("FRNG_TIMEOUT", limit.to_string())])
                .output()
        });
        let says = |output: process::Output| {
            output.status.success() && String::from_utf8_lossy(&output.stdout).contains(PASSES)
        };
        self.lines.program.is_some() && output.map_or(false, says)
    }

    /// Make a failing run once more, and tell all of it.
    fn report(&mut self, input: &Input, how: &str) -> String {
        let mut f = Frng::new(input.bytes.clone());
        f.is_heard = true;
        f.story = Some(Box::new(Story::default()));
        let failure = self.run(&mut f, input);
        let mut text = format!("{how}: {}\n", input.result());
        if let Some(mut story) = f.story {
            story.flush();
            story.lines.iter().for_each(|line| text += &format!("  {line}\n"));
        }
        let Failure { site, text: why } =
            failure.unwrap_or(Failure { site: "flaky".into(), text: "now it passes".into() });
        let go_on = self.lines.go_on(&input.result(), &input.options(), self.made > 0);
        format!("{text}{site}: {why}\n{go_on}")
    }

    /// Let frng-search search for a while, where FRNG_SEARCH says so. Returns whether it did.
    fn search_on(&mut self) -> Result<bool, End> {
        let span = variable("FRNG_SEARCH").unwrap_or_default();
        if span.is_empty() || self.lines.program.is_none() {
            if !span.is_empty() {
                let name = &self.options.name;
                let mut out = io::stderr(); // that of print macros is captured
                let _ = writeln!(
                    out,
                    "frng: FRNG_SEARCH={span}: only the first check of {name} is a target"
                );
            }
            return Ok(false);
        }
        let limit = self.options.timeout.as_millis();
        let timeout = if limit > 0 { vec![format!("--timeout={limit}ms")] } else { vec![] };
        let folder = self.lines.findings.clone();
        let output = self
            .tool("search", &["--time", &span, "--quiet", "--findings", &folder], &timeout)
            .map_err(|why| format!("FRNG_SEARCH={span}: frng-search: {why}"))?;
        if output.status.success() {
            return Ok(true);
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let found = Input::parse(&String::from_utf8_lossy(&output.stdout))
            .map_err(|_| format!("FRNG_SEARCH={span}: frng-search: {}\n{said}", output.status))?;
        Err(End::Fails(match self.fails(&found) {
            Some(failure) => {
                let made = self.reduce(&found, &failure);
                self.reduced(made, &found, FOUND)
            }
            None => self.report(&found, FOUND), // calls it flaky
        }))
    }

    /// The report of a failure, reduced where frng-reduce is there.
    fn reduced(&mut self, made: Option<(Input, String)>, input: &Input, how: &str) -> String {
        match made {
            Some((reduced, end)) => {
                let how = format!("{how}: {}\n{REDUCED}{end}", input.result());
                self.report(&reduced, &how)
            }
            None => self.report(input, how),
        }
    }

    /// Run a tool on this test of the program.
    fn tool(&self, name: &str, words: &[&str], more: &[String]) -> io::Result<process::Output> {
        process::Command::new(format!("frng-{name}"))
            .arg(env::current_exe()?)
            .args(words)
            .args(more)
            .args(["--", &self.options.name])
            .args(only_this())
            .output()
    }

    /// Let frng-reduce, if it is on PATH, reduce an input, by some calls. Returns also words
    /// on its end.
    fn reduce(&mut self, input: &Input, failure: &Failure) -> Option<(Input, String)> {
        let is_off = env::var_os("FRNG_REDUCE").map_or(false, |wish| wish == "0");
        if is_off || self.lines.program.is_none() {
            return None;
        }
        let options: Vec<String> = input.options().split(' ').map(String::from).collect();
        let (calls, time) = (REDUCE_CALLS.to_string(), format!("{REDUCE_S}s"));
        let once = ["--unconfirmed", "--mode", "persistent", "--jobs", "1"];
        let limits =
            ["--calls", &calls, "--time", &time, "--explain", "no", "--quiet", "--json", "-"];
        let words = [&limits[..], &once].concat();
        let output = self.tool("reduce", &words, &options).ok()?;
        let (reduced, end) = Input::of_events(&String::from_utf8_lossy(&output.stdout))?;
        self.fails(&reduced).filter(|again| again.site == failure.site)?;
        Some((reduced, end))
    }

    /// The parts of the runs that had each label.
    fn shares(&self) -> String {
        let share = |(name, &count): (&String, &usize)| {
            format!("{name} {:.1}%", 100.0 * count as f64 / (self.made - self.discarded) as f64)
        };
        let shares: Vec<String> = self.marks.iter().map(share).collect();
        if shares.is_empty() {
            return String::new();
        }
        format!("; labels: {}", shares.join(", "))
    }
}
