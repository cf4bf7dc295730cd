//! Findings, the small JSON files that `frng-search --findings` writes, and their seeds.

use super::entropy::Expansion;
use super::report::message;
use super::{Frng, OutOfEntropy};
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
    if !folder.exists() {
        let mut out = io::stderr(); // that of print macros is captured
        let _ = writeln!(out, "skipped: no findings: {}: no such folder", folder.display());
        return;
    }
    let paths = list(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut failed = String::new();
    for path in paths {
        let read = fs::read_to_string(&path).map_err(|error| error.to_string());
        let (options, bytes) = read
            .and_then(|text| parse(&text).map_err(String::from))
            .unwrap_or_else(|why| panic!("{}: {why}", path.display()));
        let mut f = Frng::new(bytes);
        if let Err(payload) = catch_unwind(AssertUnwindSafe(|| test(&mut f))) {
            failed += &format!("\n{}: {}", name_of(&path, &options), message(&*payload));
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

/// The findings of a folder, the smallest first.
pub fn list(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().map_or(false, |extension| extension == "json") {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

/// The options that replay a finding, and its entropy.
pub fn parse(json: &str) -> Result<(String, Vec<u8>), &'static str> {
    match field(json, "format") {
        Some("1" | "2") => {}
        Some(_) => return Err("a finding of a later format than this port reads"),
        None => return Err("no finding"),
    }
    if let Some(hex) = field(json, "hex") {
        return Ok((
            format!("--hex {hex}"),
            from_hex(hex).ok_or("its hex is not an even count of hex digits")?,
        ));
    }
    if field(json, "expand") != Some("1") {
        return Err("its seed expands in another way");
    }
    let size = field(json, "size").and_then(|size| size.parse().ok()).ok_or("it has no size")?;
    let seed = field(json, "seed").ok_or("it has no seed")?;
    let bytes = expand(seed, size).ok_or("it has no seed")?;
    Ok((format!("--size {size} --seed {seed}"), bytes))
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

pub fn from_hex(hex: &str) -> Option<Vec<u8>> {
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
