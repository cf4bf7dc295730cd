//! Findings, the small JSON files that `frng-search --findings` writes, and their seeds.

use super::called::{quoted, refuse_to_judge};
use super::entropy::Expansion;
use super::report::message;
use super::shared::{INPUT_MAX, OTHER_DRAWS, UNFINISHED};
use super::{make, Frng, OutOfEntropy};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::{fs, io, io::Write};

/// Run the test on each finding of a folder, for `cargo test`. Panics if one still fails, after all
/// of them have run, and if a finding cannot be read. Skips, and says so, if there is no such folder.
///
/// ```no_run
/// # fn test(_: &mut frng::Frng) -> Result<(), frng::OutOfEntropy> { Ok(()) }
/// #[test]
/// fn findings_pass() {
///     frng::replay("found", test);
/// }
/// ```
pub fn replay<F>(folder: impl AsRef<Path>, mut test: F)
where
    F: FnMut(&mut Frng) -> Result<(), OutOfEntropy>,
{
    let folder = folder.as_ref();
    let paths = list(folder).unwrap_or_else(|why| refuse_to_judge(&why, 2));
    if paths.is_none() {
        let mut out = io::stderr(); // that of print macros is captured
        let _ = writeln!(out, "skipped: no findings: {}: no such folder", folder.display());
    }
    let mut failed = String::new();
    for path in paths.unwrap_or_default() {
        let input = read(&path).unwrap_or_else(|why| refuse_to_judge(&why, 2));
        let mut f = input.generator();
        if let Err(payload) = catch_unwind(AssertUnwindSafe(|| make(&mut f, &mut test))) {
            failed += &format!("\n{}: {}", name_of(&path, &input.options()), message(&*payload));
        } else if let Err(why) = f.check_kept(&path) {
            failed += &format!("\n{why}");
        }
    }
    assert!(failed.is_empty(), "findings still fail:{failed}");
}

/// The name of a finding: its file, and the options that replay it if they are short.
fn name_of(path: &Path, options: &str) -> String {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    if options.len() <= 140 {
        format!("{name}: {options}")
    } else {
        name.into_owned()
    }
}

/// The findings of a folder, the smallest first. `None` if there is no such folder.
pub fn list(folder: &Path) -> Result<Option<Vec<PathBuf>>, String> {
    let is_there = fs::symlink_metadata(folder).is_ok();
    let entries: Vec<_> = match fs::read_dir(folder).and_then(Iterator::collect) {
        Err(error) if error.kind() == io::ErrorKind::NotFound && !is_there => return Ok(None),
        read => {
            read.map_err(|error| format!("cannot read findings: {}: {error}", folder.display()))?
        }
    };
    let paths = entries.iter().map(fs::DirEntry::path);
    let mut paths: Vec<_> =
        paths.filter(|path| path.extension().map_or(false, |end| end == "json")).collect();
    paths.sort();
    Ok(Some(paths))
}

/// The bytes of a run, as the options of the tools name them.
#[derive(Clone)]
pub struct Input {
    pub size: usize,
    pub seed: Option<String>,
    pub bytes: Vec<u8>,
    kept: Option<Box<Kept>>,
}

/// The draws that a finding keeps, and those of a run.
#[derive(Clone)]
pub struct Kept {
    draws: String,
    count: usize,
    made: usize,
    digest: u64,
    has_narrowed: bool,
}

impl Kept {
    /// Those of a finding that does not tell them.
    fn untold() -> Box<Kept> {
        Box::new(Kept { draws: String::new(), count: 0, made: 0, digest: 0, has_narrowed: false })
    }

    /// "16-479e4b600cd16ce5"
    fn of(draws: &str) -> Option<Box<Kept>> {
        let (count, digest) = draws.split_once('-')?;
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        let is_right = digest.len() == 16 && digest.bytes().all(is_digit);
        let count = count.parse().ok().filter(|count| is_right && (1..10_000).contains(count))?;
        let (draws, digest) = (draws.to_string(), 0xcbf2_9ce4_8422_2325);
        Some(Box::new(Kept { draws, count, digest, ..*Kept::untold() }))
    }

    pub fn add(&mut self, kind: u8, width: u8, min: u64, max: u64) {
        if self.made < self.count {
            self.made += 1;
            let bounds = [min.to_le_bytes(), max.to_le_bytes()].concat();
            let bytes = [kind, width].into_iter().chain(bounds);
            let mix = |d: u64, byte| (d ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
            self.digest = bytes.fold(self.digest, mix);
        }
    }
}

impl Frng {
    /// An error if the run of a finding, which has passed, made other draws than it was found with.
    pub(crate) fn check_kept(&self, path: &Path) -> Result<(), String> {
        let draws_others = |kept: &Kept| match kept.draws.as_str() {
            "" => kept.has_narrowed,
            draws => draws != format!("{}-{:016x}", kept.made, kept.digest),
        };
        match &self.kept {
            Some(kept) if draws_others(kept) => Err(format!("{} {OTHER_DRAWS}", path.display())),
            _ => Ok(()),
        }
    }

    /// Tell that the run draws from fewer bytes than it did before findings told their draws.
    #[cold]
    pub(crate) fn narrow(&mut self) {
        self.report.tell_narrowed();
        if let Some(kept) = &mut self.kept {
            kept.has_narrowed = true;
        }
    }
}

impl Input {
    pub fn new(bytes: Vec<u8>, seed: Option<String>) -> Input {
        Input { size: bytes.len(), seed, bytes, kept: None }
    }

    pub fn generator(&self) -> Frng {
        let mut f = Frng::new(self.bytes.clone());
        (f.is_heard, f.kept) = (self.kept.is_some(), self.kept.clone());
        f
    }

    /// That of the fields of a result line, or of a finding.
    fn of<'a>(field: impl Fn(&str) -> Option<&'a str>) -> Result<Input, &'static str> {
        let size = field("size").map(|size| size.parse().ok().filter(|&size| size <= INPUT_MAX));
        if let Some(hex) = field("hex") {
            let bytes = from_hex(hex).ok_or("its hex is not an even count of hex digits")?;
            if size.map_or(false, |size| size != Some(bytes.len())) {
                return Err("its size is not that of its bytes");
            }
            return Ok(Input::new(bytes, None));
        }
        let size = size.flatten().ok_or("it has no hex, and no size")?;
        let seed = field("seed").ok_or("it has no seed")?;
        let bytes = expand(seed, size).ok_or("it has no seed")?;
        Ok(Input::new(bytes, Some(seed.to_string())))
    }

    /// That of "size=16 seed=7" or "hex=0100", with other words around them.
    pub fn parse(text: &str) -> Result<Input, &'static str> {
        let words = || text.split_whitespace().filter_map(|word| word.split_once('='));
        Input::of(|name| words().find(|(field, _)| *field == name).map(|(_, value)| value))
    }

    /// The result of frng-reduce, and whether it came to its end, of its events.
    pub fn of_events(events: &str) -> Option<(Input, String)> {
        let done = events.lines().find(|line| line.starts_with("{\"event\":\"done\""))?;
        let input = Input::parse(&format!("hex={}", field(done, "hex")?)).ok()?;
        let calls = field(done, "calls").filter(|_| field(done, "complete") == Some("false"));
        let end =
            calls.map_or(String::new(), |calls| format!(", {}", UNFINISHED.replace("{}", calls)));
        Some((input, end))
    }

    pub fn hex(&self) -> String {
        self.bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    pub fn options(&self) -> String {
        match &self.seed {
            Some(seed) => format!("--size {} --seed {seed}", self.size),
            None => format!("--hex {}", quoted(&self.hex())),
        }
    }

    pub fn result(&self) -> String {
        match &self.seed {
            Some(seed) => format!("size={} seed={seed}", self.size),
            None => format!("size={} hex={}", self.size, self.hex()),
        }
    }
}

/// True if a finding is not of another test program, whose test has the same name.
pub fn is_own(path: &Path) -> bool {
    let text = fs::read_to_string(path).unwrap_or_default();
    let name = |program: &str| {
        let file = program.rsplit('/').next().unwrap_or_default();
        file.rsplit_once('-').map_or(file, |(name, _hash)| name).to_string()
    };
    let own = std::env::current_exe().map_or(String::new(), |path| path.display().to_string());
    field(&text, "sut").map_or(true, |program| name(program) == name(&own))
}

/// The input of a finding.
pub fn read(path: &Path) -> Result<Input, String> {
    let text = match fs::metadata(path) {
        Ok(status) if !status.is_file() => Err("it is no regular file".to_string()), // it may wait
        Ok(status) if status.len() > 4 * INPUT_MAX as u64 => Err("it is too large".to_string()),
        Ok(_) => fs::read_to_string(path).map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    };
    text.and_then(|text| parse(&text).map_err(String::from))
        .map_err(|why| format!("{} is no finding: {why}", path.display()))
}

fn parse(json: &str) -> Result<Input, &'static str> {
    match field(json, "format") {
        Some("1" | "2") => {}
        Some(_) => return Err("a finding of a later format than this port reads"),
        None => return Err("it has no format"),
    }
    if field(json, "hex").is_none() && field(json, "expand") != Some("1") {
        return Err("its seed expands in another way");
    }
    let mut input = Input::of(|name| field(json, name))?;
    input.kept = match field(json, "draws").filter(|draws| *draws != "null") {
        Some(draws) => Some(Kept::of(draws).ok_or("its draws make no sense")?),
        None => Some(Kept::untold()),
    };
    Ok(input)
}

/// The text of a number or a plain string. A quoted name before a colon is a name, since quotes
/// within strings have backslashes.
fn field<'a>(json: &'a str, name: &str) -> Option<&'a str> {
    let quoted = format!("\"{name}\":");
    let value = json[json.find(&quoted)? + quoted.len()..].trim_start();
    match value.strip_prefix('"') {
        Some(text) => text.split_once('"').map(|(text, _)| text),
        None => value.split([',', '}', '\n']).next().map(str::trim_end),
    }
}

fn from_hex(hex: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u32>> = hex.chars().map(|digit| digit.to_digit(16)).collect();
    let digits = digits.filter(|digits| digits.len() % 2 == 0)?;
    Some(digits.chunks(2).map(|pair| (pair[0] * 16 + pair[1]) as u8).collect())
}

/// The first `size` bytes of a seed as frng prints it: `17` or `17s`. `None` if this is no seed.
pub fn expand(seed: &str, size: usize) -> Option<Vec<u8>> {
    let digits = seed.strip_suffix('s').unwrap_or(seed);
    if digits.starts_with('+') {
        return None;
    }
    let mut bytes = vec![0; (size + 7) / 8 * 8];
    let mut expansion = Expansion::default();
    expansion.begin(digits.parse().ok()?, seed.ends_with('s'));
    expansion.fill(&mut bytes);
    bytes.truncate(size);
    Some(bytes)
}
