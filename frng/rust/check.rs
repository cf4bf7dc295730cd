//! Searches in `cargo test`, as frng-search does outside of it. Findings are replayed first. Then
//! fresh seeds run, half of them styled, at sizes from 16 bytes on, doubled as long as runs draw so
//! much. A failure that repeats gives the size to go below, by fresh seeds again. What is left is the
//! report: the smallest input, its draws by name, the panic, and lines to go on.
//!
//! The test program is a target, too: offered a driver, the first check of a test serves it. So
//! frng-reduce, where it is on PATH, reduces what was found.

use super::report::{message, site_of};
use super::story::Story;
use super::{expand, findings, Drawn, Frng};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, Once, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};
use std::{env, fs, process, thread};

const SIZE_MIN: usize = 16;
const LOWER_TRIES: usize = 50; // fresh runs that pass at a size
const END_TRIES: usize = 100; // and at the last one
const REDUCE_TIME: &str = "10s";

/// A search in a test, and its options. The environment overrides them: FRNG_RUNS is the count of
/// runs; FRNG_SEED fixes the seeds, and so does FRNG_PROFILE=ci, with ten times the runs;
/// FRNG_FINDINGS is the folder of findings. FRNG_REPLAY="size=16 seed=7" makes this run alone, and
/// FRNG_REDUCE=0 reduces nothing.
pub struct Check {
    name: String,
    runs: usize,
    size_max: usize,
    findings: Option<PathBuf>,
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
        Check { name: name.to_string(), runs: 1000, size_max: 4096, findings: None }
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

    /// Search. Panics with the smallest failure.
    #[track_caller]
    pub fn run(self, mut test: impl FnMut(&mut Frng) -> Drawn) {
        let can_serve = is_first(&self.name);
        if can_serve && env::var_os("FRNG_DRIVER").is_some() {
            super::run(test);
        }
        let end = Search::new(self, can_serve, &mut test).and_then(|mut search| search.search());
        if let Err(report) = end {
            panic!("{report}");
        }
    }
}

/// True for the first check of a test: a driver cannot know of others.
fn is_first(name: &str) -> bool {
    static NAMES: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    let is_first = !names.iter().any(|known| known == name);
    names.push(name.to_string());
    is_first
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

// ---- Inputs ----

/// The bytes of a run, as the options of the tools name them.
#[derive(Clone)]
struct Input {
    size: usize,
    seed: Option<String>,
    bytes: Vec<u8>,
}

impl Input {
    /// "size=16 seed=7" or "hex=0100", with other words around them.
    fn parse(text: &str) -> Result<Input, String> {
        let field = |name: &str| text.split_whitespace().find_map(|word| word.strip_prefix(name));
        if let Some(seed) = field("seed=") {
            let size = field("size=").and_then(|size| size.parse().ok());
            let size = size.ok_or(format!("{text:?} has no size"))?;
            let bytes = expand(seed, size).ok_or(format!("{seed:?} is no seed"))?;
            return Ok(Input { size, seed: Some(seed.to_string()), bytes });
        }
        let bytes = field("hex=").and_then(findings::from_hex);
        let bytes = bytes.ok_or(format!("{text:?} has neither seed nor hex"))?;
        Ok(Input { size: bytes.len(), seed: None, bytes })
    }

    fn hex(&self) -> String {
        self.bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    fn options(&self) -> String {
        match &self.seed {
            Some(seed) => format!("--size {} --seed {seed}", self.size),
            None => format!("--hex {}", self.hex()),
        }
    }

    fn result(&self) -> String {
        match &self.seed {
            Some(seed) => format!("size={} seed={seed}", self.size),
            None => format!("size={} hex={}", self.size, self.hex()),
        }
    }
}

// ---- The search ----

type Test<'a> = &'a mut dyn FnMut(&mut Frng) -> Drawn;

struct Search<'a> {
    options: Check,
    can_serve: bool,
    test: Test<'a>,
    base: u64, // of the seeds
    seeds: super::entropy::Expansion,
    made: usize, // fresh runs
    most: usize, // bytes that one of them drew
    marks: BTreeMap<String, usize>,
}

/// The number of an environment variable.
fn number(name: &str) -> Result<Option<u64>, String> {
    match env::var(name) {
        Ok(text) => text.parse().map(Some).map_err(|_| format!("{name}={text} is no number")),
        Err(_) => Ok(None),
    }
}

impl<'a> Search<'a> {
    fn new(mut options: Check, can_serve: bool, test: Test<'a>) -> Result<Search<'a>, String> {
        hear_panics();
        let is_ci = env::var_os("FRNG_PROFILE").map_or(false, |profile| profile == "ci");
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |t| t.as_nanos() as u64);
        let base = number("FRNG_SEED")?.unwrap_or(if is_ci { 1 } else { now });
        options.runs = number("FRNG_RUNS")?.map_or(options.runs, |runs| runs as usize);
        options.runs *= if is_ci { 10 } else { 1 };
        let name = options.name.bytes().fold(base ^ 0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3) // tests differ in their seeds
        });
        let mut seeds = super::entropy::Expansion::default();
        seeds.begin(name, false);
        let (made, most, marks) = (0, 0, BTreeMap::new());
        Ok(Search { options, can_serve, test, base, seeds, made, most, marks })
    }

    fn search(&mut self) -> Result<(), String> {
        if let Ok(text) = env::var("FRNG_REPLAY") {
            let input = Input::parse(&text).map_err(|why| format!("FRNG_REPLAY: {why}"))?;
            return match self.fails(&input) {
                Some(_) => Err(self.report(&input, "FRNG_REPLAY fails")),
                None => Ok(()),
            };
        }
        self.replay_findings()?;
        match self.grow() {
            Some((input, failure)) => Err(self.found(input, failure)),
            None => {
                println!(
                    "frng: {} runs passed, of up to {} bytes{}",
                    self.made,
                    self.most,
                    self.shares()
                );
                Ok(())
            }
        }
    }

    /// FRNG_FINDINGS/NAME or FRNG_FINDINGS, that of the options, or findings/NAME.
    fn folder(&self) -> PathBuf {
        let own: PathBuf = self.options.name.split("::").collect();
        match (env::var_os("FRNG_FINDINGS"), &self.options.findings) {
            (Some(all), _) => {
                Some(Path::new(&all).join(&own)).filter(|p| p.is_dir()).unwrap_or(all.into())
            }
            (None, Some(folder)) => folder.clone(),
            (None, None) => Path::new("findings").join(&own),
        }
    }

    fn replay_findings(&mut self) -> Result<(), String> {
        let folder = self.folder();
        for path in findings::list(&folder).unwrap_or_default() {
            let text =
                fs::read_to_string(&path).map_err(|why| format!("{}: {why}", path.display()))?;
            let (options, bytes) =
                findings::parse(&text).map_err(|why| format!("{}: {why}", path.display()))?;
            let seed = options.split_once(" --seed ").map(|(_, seed)| seed.to_string());
            let input = Input { size: bytes.len(), seed, bytes };
            if self.fails(&input).is_some() {
                return Err(self.report(&input, &format!("{} still fails", path.display())));
            }
        }
        Ok(())
    }

    /// Make a run. Returns its panic, if it has one.
    fn run(&mut self, f: &mut Frng) -> Option<Failure> {
        IN_RUN.with(|is_in| is_in.set(true));
        let end = panic::catch_unwind(AssertUnwindSafe(|| (self.test)(f)));
        IN_RUN.with(|is_in| is_in.set(false));
        let last = LAST.with(|last| last.borrow_mut().take());
        let payload = end.err()?;
        let other = Failure { site: String::new(), text: message(&*payload).to_string() };
        Some(last.unwrap_or(other)) // without one it was in another thread
    }

    fn fails(&mut self, input: &Input) -> Option<Failure> {
        self.run(&mut Frng::new(input.bytes.clone()))
    }

    /// Make a run of the next seed. A failing input is cut to the bytes that it drew, for these alone
    /// fail, too.
    fn fresh(&mut self, size: usize, is_styled: bool) -> Option<(Input, Failure)> {
        let mut word = [0; 8];
        self.seeds.fill(&mut word);
        let seed = format!("{}{}", u64::from_le_bytes(word), if is_styled { "s" } else { "" });
        let bytes = expand(&seed, size).unwrap_or_default();
        let mut f = Frng::new(bytes);
        let failure = self.run(&mut f);
        self.made += 1;
        self.most = self.most.max(if f.has_run_out { size } else { f.used });
        for mark in f.marks {
            *self.marks.entry(mark).or_insert(0) += 1;
        }
        let failure = failure?;
        let input = |size| {
            let bytes = expand(&seed, size).unwrap_or_default();
            Input { size, seed: Some(seed.clone()), bytes }
        };
        let cut = input(f.used);
        let again = self.fails(&cut).filter(|again| again.site == failure.site);
        Some((if again.is_some() { cut } else { input(size) }, failure))
    }

    /// Make the fresh runs, at the size that has cost least so far, until one fails.
    fn grow(&mut self) -> Option<(Input, Failure)> {
        let size_max = self.options.size_max;
        let doubled = std::iter::successors(Some(SIZE_MIN), |size| Some(2 * size));
        let mut levels: Vec<(usize, usize)> =
            doubled.take_while(|&size| size < size_max).map(|size| (size, 0)).collect();
        levels.push((size_max, 0));
        while self.made < self.options.runs {
            // Sizes beyond twice what runs draw would be the same runs.
            let open = 1 + levels[1..].iter().filter(|(size, _)| *size <= 2 * self.most).count();
            let cost = |&(size, count): &(usize, usize)| (count + 1) * (4096 + size);
            let at = (0..open).min_by_key(|&at| cost(&levels[at]))?;
            levels[at].1 += 1;
            let (size, count) = levels[at];
            let found = self.fresh(size, count % 2 == 0);
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// Find the smallest failure of the same place: by halving the size, then a byte below the best,
    /// until enough fresh runs have passed there.
    fn lower(&mut self, mut best: Input, site: &str) -> Input {
        let limit = self.made + 2 * self.options.runs;
        let mut low = 0;
        while best.size > 0 && self.made < limit {
            let is_end = low >= best.size;
            let size = if is_end { best.size - 1 } else { (low + best.size) / 2 };
            let tries = if is_end { END_TRIES } else { LOWER_TRIES };
            let found = (0..tries).find_map(|i| {
                if self.made >= limit {
                    return None;
                }
                self.fresh(size, i % 2 == 1).filter(|(_, failure)| failure.site == site)
            });
            match found {
                Some((input, _)) => best = input,
                None if is_end => break,
                None => low = size + 1,
            }
        }
        best
    }

    // ---- Reports ----

    fn found(&mut self, input: Input, failure: Failure) -> String {
        let first = self.made;
        if self.fails(&input).is_none() {
            let (result, go_on) = (input.result(), self.go_on(&input));
            return format!(
                "flaky: {result} failed, and then passed: the test keeps state, or is not repeatable\n\
                {}: {}\n{go_on}",
                failure.site, failure.text
            );
        }
        let best = self.lower(input, &failure.site);
        let how = format!("fails in run {first}, smallest after {} more", self.made - first);
        match self.reduce(&best, &failure) {
            Some(reduced) => {
                let how = format!("{how}: {}\nreduced by frng-reduce", best.result());
                self.report(&reduced, &how)
            }
            None => self.report(&best, &how),
        }
    }

    /// Make a failing run once more, and tell all of it.
    fn report(&mut self, input: &Input, how: &str) -> String {
        let mut f = Frng::new(input.bytes.clone());
        f.is_heard = true;
        f.story = Some(Box::new(Story::default()));
        let failure = self.run(&mut f);
        let mut text = format!("{how}: {}\n", input.result());
        if let Some(mut story) = f.story {
            story.flush();
            story.lines.iter().for_each(|line| text += &format!("  {line}\n"));
        }
        let Failure { site, text: why } =
            failure.unwrap_or(Failure { site: "flaky".into(), text: "now it passes".into() });
        format!("{text}{site}: {why}\n{}", self.go_on(input))
    }

    /// The commands that go on from an input.
    fn go_on(&self, input: &Input) -> String {
        let name = &self.options.name;
        let mut text =
            format!("to go on:\n  FRNG_REPLAY='{}' cargo test {name} -- --exact\n", input.result());
        if let (Ok(program), true) = (env::current_exe(), self.can_serve) {
            let here = env::current_dir().unwrap_or_default();
            let program = program.strip_prefix(here).unwrap_or(&program).display();
            let findings = format!(" --findings {}", self.folder().display());
            for (tool, more) in [("replay", " --trace"), ("reduce", findings.as_str())] {
                text += &format!(
                    "  frng-{tool} {program} {}{more} -- {name} --exact\n",
                    input.options()
                );
            }
        }
        text + &format!("  FRNG_SEED={} repeats the search", self.base)
    }

    /// Let frng-reduce, if it is on PATH, reduce an input, for some seconds.
    fn reduce(&mut self, input: &Input, failure: &Failure) -> Option<Input> {
        let is_off = env::var_os("FRNG_REDUCE").map_or(false, |wish| wish == "0");
        if is_off || !self.can_serve {
            return None;
        }
        let program = env::current_exe().ok()?;
        let output = process::Command::new("frng-reduce")
            .arg(program)
            .args(input.options().split(' '))
            .args(["--time", REDUCE_TIME, "--explain", "no", "--quiet", "--", &self.options.name])
            .arg("--exact")
            .stderr(process::Stdio::null())
            .output()
            .ok()?;
        let reduced = Input::parse(&String::from_utf8_lossy(&output.stdout)).ok()?;
        let again = self.fails(&reduced).filter(|again| again.site == failure.site);
        again.filter(|_| reduced.seed.is_none()).map(|_| reduced)
    }

    /// The parts of the runs that had each label.
    fn shares(&self) -> String {
        let share = |(name, &count): (&String, &usize)| {
            format!("{name} {:.1}%", 100.0 * count as f64 / self.made as f64)
        };
        let shares: Vec<String> = self.marks.iter().map(share).collect();
        if shares.is_empty() {
            return String::new();
        }
        format!("; labels: {}", shares.join(", "))
    }
}
