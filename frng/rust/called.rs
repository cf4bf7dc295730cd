//! How the program is called: with arguments, with variables, and with entropy or without.

use super::report::Report;
use super::shared::{NOT_KNOWN, VARIABLES};
use std::fs::File;
use std::io::Read;
use std::os::raw::c_int;
use std::os::unix::{fs::MetadataExt, io::AsFd};
use std::path::Path;
use std::{env, io, panic, process, thread};

extern "C" {
    fn isatty(file: c_int) -> c_int;
}

/// End: the program was called in vain. Drivers know such a line.
fn refuse(line: &str) -> ! {
    eprintln!("frng: usage: {line}");
    process::exit(2);
}

/// Judge nothing: fail the test of a runner with this line alone, or end a program that nobody runs.
pub fn refuse_to_judge(line: &str, status: i32) -> ! {
    eprintln!("frng: {line}");
    if thread::current().name() == Some("main") {
        process::exit(status);
    }
    panic::resume_unwind(Box::new(line.to_string())) // without a backtrace
}

/// True if a driver of any version has started this program, and not only a process that it started:
/// a report is behind the descriptor, of either byte order.
pub fn has_driver() -> bool {
    let offer = variable("FRNG_DRIVER").unwrap_or_default();
    let numbers: Option<Vec<c_int>> =
        offer.split(',').map(|number| number.parse::<c_int>().ok()).collect();
    matches!(numbers.as_deref(), Some([(1..), _, file, _, ..]) if Report::is_at(*file))
}

fn arguments() -> Vec<String> {
    env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect()
}

/// A word as any POSIX shell takes it, and no terminal obeys it.
pub fn quoted(word: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || "@%+=:,./_-".contains(c);
    if !word.is_empty() && word.chars().all(is_bare) {
        return word.to_string();
    }
    let is_odd = |c: char| !"'\"\\".contains(c) && c.escape_debug().len() > 1;
    if !word.chars().any(is_odd) {
        return format!("'{}'", word.replace('\'', "'\\''"));
    }
    let body = word.trim_end_matches('\n'); // as in $(...); the third character of IFS is a newline
    let octal: String = body.bytes().map(|byte| format!("\\{byte:03o}")).collect();
    let newlines = "\"${IFS#??}\"".repeat(word.len() - body.len());
    format!("\"$(printf '{octal}')\"{newlines}")
}

/// Two lines on how to run this program with such arguments.
fn usage(words: &[String]) -> String {
    let name = env::args_os().next().unwrap_or_default();
    let name = name.to_string_lossy();
    let run = quoted(&if name.contains('/') { name.into_owned() } else { format!("./{name}") });
    let more: String = words.iter().map(|word| format!(" {}", quoted(word))).collect();
    let ours = if words.is_empty() { "" } else { " --" };
    format!(
        "  frng-search {run}{ours}{more}  finds the smallest input that fails\n  \
        {run}{more} <FILE  runs the bytes of a file, as FRNG_INPUT=FILE does"
    )
}

/// End if there are arguments: none is for a test.
pub fn check_arguments() {
    match arguments().first() {
        Some(first) if (first == "--help" || first == "-h") && !has_driver() => {
            println!("A test of frng, with no other argument than --help:\n{}", usage(&[]));
            process::exit(0);
        }
        Some(first) => refuse(&format!(
            "unknown argument {first:?}: see --help; a test with arguments calls \
            frng::run_with_arguments"
        )),
        None => {}
    }
}

/// End if nobody gives bytes: an empty file or pipe gives none, which is an input.
pub fn check_entropy() {
    let copy = io::stdin().as_fd().try_clone_to_owned(); // where it is closed, Rust opens /dev/null
    let status = copy.and_then(|stdin| File::from(stdin).metadata());
    // SAFETY: a descriptor is looked at.
    if status.map_or(true, |status| status.rdev() == 0x103) || unsafe { isatty(0) } == 1 {
        let words = usage(&arguments());
        refuse(&format!("no entropy: stdin is a terminal, /dev/null or closed\n{words}"));
    }
}

/// A line on a variable that is almost one of frng's.
pub fn misspelt() -> Option<String> {
    env::vars_os().find_map(|(name, _)| {
        let name = name.to_string_lossy();
        let mut known = VARIABLES.split(' ').map(|known| format!("FRNG_{known}"));
        let is_ours = !name.starts_with("FRNG_") || known.clone().any(|known| known == name);
        let known = known.find(|known| !is_ours && is_near(&name, known))?;
        Some(format!("{name} {NOT_KNOWN} {known}?"))
    })
}

/// A line on a variable that is set for a check, which one run does not read.
pub fn unread() -> Option<String> {
    let names = ["FRNG_SEARCH", "FRNG_REPLAY", "FRNG_RUNS", "FRNG_SEED", "FRNG_PROFILE"];
    let name = names.iter().find(|name| variable(name).is_some())?;
    Some(format!("{name} is read by checks alone"))
}

const STREAM_MIB: usize = 256;

/// Read the entropy of one run, which is in a file or on stdin. Where no driver has `offered` it, a
/// device or a pipe may have no end.
pub fn read_input(path: Option<&Path>, offered: bool) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut file = match path {
        Some(path) => File::open(path)?,
        None => File::from(io::stdin().as_fd().try_clone_to_owned()?),
    };
    if offered || file.metadata()?.is_file() {
        file.read_to_end(&mut bytes)?;
    } else {
        file.take((STREAM_MIB as u64) << 20).read_to_end(&mut bytes)?;
        if bytes.len() == STREAM_MIB << 20 {
            let name = path.map_or("stdin".into(), Path::to_string_lossy);
            refuse(&format!(
                "{name} is no file, and has {STREAM_MIB} MiB or more: name a file of them, or \
                take less"
            ));
        }
    }
    Ok(bytes)
}

/// True if a name is the beginning of a known one, or differs in at most two neighboring letters.
fn is_near(name: &str, known: &str) -> bool {
    let same = name.bytes().zip(known.bytes()).take_while(|(a, b)| a == b).count();
    let (rest, its) = (&name.as_bytes()[same..], &known.as_bytes()[same..]);
    let ends = rest.iter().rev().zip(its.iter().rev()).take_while(|(a, b)| a == b).count();
    rest.is_empty() && same >= 8 || rest.len().max(its.len()) - ends <= 2
}

/// The text of a variable that is set to some.
pub fn variable(name: &str) -> Option<String> {
    env::var_os(name)
        .map(|text| text.to_string_lossy().into_owned())
        .filter(|text| !text.is_empty())
}
