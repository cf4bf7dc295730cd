//! The port at work: its first argument chooses what it does.
//!
//!     digests         print the digests of DIGESTS.md
//!     vectors FILE    compare draws and expansions with lines that test_ports.py makes
//!     empty ...       be the target of that name
//!
//! SPDX-License-Identifier: MIT

use frng::{expand, Frng, OutOfEntropy};
use std::process::exit;
use std::{env, fs, hint};

#[allow(dead_code, unused_imports)]
#[path = "../../../frng/rust/lib.rs"]
mod internals; // for the target that writes a record itself

type Drawn<T> = Result<T, OutOfEntropy>;

/// The smallest and the largest number, signed ones in two's complement.
type Bounds = (u64, u64);

// ---- Draws by their names ----

/// A draw of u8 to i64, of any value or between bounds. `None` if this is no such type.
fn number(f: &mut Frng, name: &str, bounds: Option<Bounds>) -> Option<Drawn<u64>> {
    macro_rules! number {
        ($($name:ident)*) => {
            match (name, bounds) {
                $(
                    (stringify!($name), None) => f.$name(..).map(|x| x as u64),
                    (stringify!($name), Some((min, max))) =>
                        f.$name(min as $name..=max as $name).map(|x| x as u64),
                )*
                _ => return None,
            }
        };
    }
    Some(number!(u8 u16 u32 u64 i8 i16 i32 i64))
}

/// "3,0,1"
fn list(text: &str) -> Vec<u32> {
    text.split(',').filter_map(|number| number.parse().ok()).collect()
}

fn joined<T: ToString>(numbers: &[T]) -> String {
    numbers.iter().map(T::to_string).collect::<Vec<_>>().join(",")
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn from_hex(text: &str) -> Vec<u8> {
    let byte = |i| u8::from_str_radix(&text[i..i + 2], 16).expect("hex");
    (0..text.len()).step_by(2).map(byte).collect()
}

/// A draw of a vector as text. `None` if the port has no such draw.
fn draw(f: &mut Frng, words: &[&str]) -> Option<Drawn<String>> {
    let at = |i: usize| words[i].parse::<i128>().expect("a number");
    let size = |i: usize| at(i) as usize;
    Some(match words[0] {
        "bytes" => f.bytes(size(1)).map(|bytes| hex(&bytes)),
        "bool" => f.bool().map(|x| u8::from(x).to_string()),
        "index" => f.index(size(1)).map(|x| x.to_string()),
        "pick" => f.pick(&(0..size(1)).collect::<Vec<_>>()).map(|x| x.to_string()),
        "weighted" => f.weighted(&list(words[1])).map(|x| x.to_string()),
        "swarm_weights" => f.swarm_weights(size(1)).map(|weights| joined(&weights)),
        "shuffle" => {
            let mut elements: Vec<_> = (0..size(1)).collect();
            f.shuffle(&mut elements).map(|()| joined(&elements))
        }
        "f64" => f.f64().map(|x| format!("{:016x}", x.to_bits())),
        "chance" => f.chance(at(1) as u32, at(2) as u32).map(|x| u8::from(x).to_string()),
        "more" => f.more(size(1), size(2)..=size(3)).map(|x| u8::from(x).to_string()),
        name if KINDS.contains(&name) => {
            let (name, bounds) = match name.strip_suffix("_range") {
                Some(name) => (name, Some((at(1) as u64, at(2) as u64))),
                None => (name, None),
            };
            let is_signed = name.starts_with('i');
            let text = |x: u64| if is_signed { (x as i64).to_string() } else { x.to_string() };
            number(f, name, bounds)?.map(text)
        }
        _ => return None,
    })
}

// ---- Vectors ----

/// Compare the calls "DRAW ARGUMENT... = VALUE USED EXHAUSTED" of a vector. False if the port lacks
/// a draw of it.
fn check_draws(entropy: &str, calls: &[&str]) -> Result<bool, String> {
    let mut f = Frng::new(from_hex(entropy));
    for call in calls {
        let (words, wanted) = call.split_once(" = ").ok_or(*call)?;
        let words: Vec<_> = words.split(' ').collect();
        let wanted: Vec<_> = wanted.split(' ').collect();
        let value = match draw(&mut f, &words) {
            Some(value) => value,
            None => return Ok(false),
        };
        let has_failed = u8::from(value.is_err()).to_string();
        if [f.used().to_string(), has_failed] != wanted[1..] {
            return Err(format!("{call}: used {}, {value:?}", f.used()));
        }
        if matches!(&value, Ok(value) if value != wanted[0]) {
            return Err(format!("{call}: {value:?}"));
        }
    }
    Ok(true)
}

fn check_vectors(path: &str) -> Result<usize, String> {
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    let mut lines = text.lines().peekable();
    let mut checked = 0;
    while let Some(line) = lines.next() {
        let words: Vec<_> = line.split(' ').collect();
        if let ["expand", seed, size, bytes] = words[..] {
            let expanded = expand(seed, size.parse().expect("a size")).ok_or(line)?;
            if hex(&expanded) != bytes {
                return Err(line.to_string());
            }
            checked += 1;
        } else {
            let mut calls = Vec::new();
            while let Some(call) = lines.next_if(|line| line.contains(" = ")) {
                calls.push(call);
            }
            checked += usize::from(check_draws(words[1], &calls)?);
        }
    }
    Ok(checked)
}

// ---- Digests ----

const KINDS: [&str; 24] = [
    "bytes",
    "bool",
    "u8",
    "u16",
    "u32",
    "u64",
    "i8",
    "i16",
    "i32",
    "i64",
    "u8_range",
    "u16_range",
    "u32_range",
    "u64_range",
    "i8_range",
    "i16_range",
    "i32_range",
    "i64_range",
    "index",
    "weighted",
    "swarm_weights",
    "shuffle",
    "f64",
    "chance",
];

struct Digest(u64);

impl Digest {
    fn fold_byte(&mut self, byte: u8) {
        self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    }

    fn fold(&mut self, number: u64) {
        number.to_le_bytes().into_iter().for_each(|byte| self.fold_byte(byte));
    }
}

fn bounds_of(a: u64, b: u64, bits: u64, is_signed: bool) -> Bounds {
    let top = u64::MAX >> (64 - bits);
    let span = match a % 4 {
        0 => (a >> 8) & 15,
        1 => (a >> 8) & top,
        2 => top,
        _ => (1 << ((a >> 8) % bits)) - 1 + ((a >> 16) & 1),
    };
    let low = (b & top).min(top - span);
    let shift = if is_signed { 1 << (bits - 1) } else { 0 };
    (low.wrapping_sub(shift), (low + span).wrapping_sub(shift))
}

fn fold_draw(f: &mut Frng, kind: &str, a: u64, b: u64, digest: &mut Digest) -> Drawn<()> {
    let few = (a & 7) as usize;
    match kind {
        "bytes" => f.bytes((a & 15) as usize)?.iter().for_each(|&x| digest.fold(x.into())),
        "bool" => digest.fold(f.bool()?.into()),
        "index" => digest.fold(f.index(1 + (a >> (33 + b % 31)) as usize)? as u64),
        "weighted" => {
            let weight = |j| (b >> (8 * j) & 255) as u32 + u32::from(j == 0);
            let weights: Vec<_> = (0..=few).map(weight).collect();
            digest.fold(f.weighted(&weights)? as u64);
        }
        "swarm_weights" => {
            f.swarm_weights(1 + few)?.iter().for_each(|&weight| digest.fold(weight.into()));
        }
        "shuffle" => {
            let mut elements: Vec<_> = (0..few as u64).collect();
            f.shuffle(&mut elements)?;
            elements.iter().for_each(|&element| digest.fold(element));
        }
        "f64" => digest.fold(f.f64()?.to_bits()),
        "chance" => {
            let denominator = 1 + (a & 65535) as u32;
            let numerator = (b % (u64::from(denominator) + 1)) as u32;
            digest.fold(f.chance(numerator, denominator)?.into());
        }
        _ => {
            let (name, is_range) = (kind.trim_end_matches("_range"), kind.ends_with("_range"));
            let bits = name[1..].parse().expect("bits");
            let bounds = bounds_of(a, b, bits, name.starts_with('i'));
            digest.fold(number(f, name, is_range.then(|| bounds)).expect("a type")?);
        }
    }
    Ok(())
}

fn digest_of_kind(k: usize) -> Drawn<u64> {
    let bytes_of = |seed: usize, size| expand(&seed.to_string(), size).expect("a seed");
    let mut f = Frng::new(bytes_of(100 + k, 400_000));
    let mut digest = Digest(0xcbf2_9ce4_8422_2325);
    for pair in bytes_of(200 + k, 160_000).chunks(16) {
        let at = |i| u64::from_le_bytes(pair[i..i + 8].try_into().expect("8 bytes"));
        fold_draw(&mut f, KINDS[k], at(0), at(8), &mut digest)?;
    }
    digest.fold(f.used() as u64);
    Ok(digest.0)
}

fn print_digests() {
    for (k, name) in KINDS.iter().enumerate() {
        println!("{name} {:016x}", digest_of_kind(k).expect("enough entropy"));
    }
    for (name, mark) in [("expand", ""), ("expand_styled", "s")] {
        let mut digest = Digest(0xcbf2_9ce4_8422_2325);
        for seed in 0..300 {
            let bytes = expand(&format!("{seed}{mark}"), 1003).expect("a seed");
            bytes.into_iter().for_each(|byte| digest.fold_byte(byte));
        }
        println!("{name} {:016x}", digest.0);
    }
}

// ---- Targets ----

fn two_bugs(f: &mut Frng) -> Drawn<()> {
    let (mut previous, mut high) = (255, 0);
    loop {
        let x = f.u8(..)?;
        assert!(x != 0 || previous != 0, "few");
        high += u32::from(x >= 128);
        assert!(high < 4, "many");
        previous = x;
    }
}

/// Draws 0..=9 by `% 10`, which its record does not say.
fn liar(f: &mut internals::Frng) -> Result<(), internals::OutOfEntropy> {
    loop {
        f.step("step");
        let mut value = 0;
        if f.bool()? {
            value = f.number(1)? % 10;
            f.drawn(2, 1, 0, 9, value);
        }
        assert!(value != 7, "seven");
    }
}

fn exits(f: &mut Frng) -> Drawn<()> {
    let mut previous = 0;
    loop {
        let x = f.u8(..)?;
        if x < 64 {
            exit(0);
        }
        assert!(x <= 250 || previous <= 250, "two large ones");
        previous = x;
    }
}

fn hangs(f: &mut Frng) -> Drawn<()> {
    loop {
        let x = f.u8(..)?;
        while x == 200 {
            hint::spin_loop();
        }
    }
}

/// Each required draw in turn, with bounds that are not round.
fn kinds(f: &mut Frng) -> Drawn<()> {
    macro_rules! noted {
        ($($name:literal $draw:ident($($argument:expr),*);)*) => {
            $(
                f.note($name);
                f.$draw($($argument),*)?;
            )*
        };
    }
    loop {
        f.step("all kinds");
        noted! { "bytes" bytes(3); "bool" bool(); }
        f.note("u8");
        assert!(f.u8(..)? != 77, "77");
        noted! {
            "u16" u16(..); "u32" u32(..); "u64" u64(..);
            "i8" i8(..); "i16" i16(..); "i32" i32(..); "i64" i64(..);
            "u8_range" u8(3..=12); "u16_range" u16(3..=1002); "u32_range" u32(3..=100_002);
            "u64_range" u64(3..=10_000_000_002); "i8_range" i8(-5..=5);
            "i16_range" i16(-500..=500); "i32_range" i32(-50_000..=50_000);
            "i64_range" i64(-5_000_000_000..=5_000_000_000);
            "index" index(10); "weighted" weighted(&[3, 0, 1]); "swarm_weights" swarm_weights(2);
            "shuffle" shuffle(&mut [0, 1, 2]); "f64" f64(); "chance" chance(1, 8);
            "pick" pick(&[2, 3, 5, 7]); "more" more(1, 0..=3);
        }
    }
}

fn main() {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let words: Vec<_> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["digests"] => print_digests(),
        ["vectors", path] => match check_vectors(path) {
            Ok(count) => println!("{count} vectors"),
            Err(why) => {
                println!("vector differs: {why}");
                exit(1);
            }
        },
        ["empty"] => frng::run(|_| Ok(())),
        ["draws", count] => {
            let count: usize = count.parse().expect("a number of draws");
            frng::run(|f| (0..count).try_for_each(|_| f.u8(..).map(drop)))
        }
        ["fails"] => frng::run(|f| {
            f.bool()?;
            panic!("always")
        }),
        ["two-bugs"] => frng::run(two_bugs),
        ["liar"] => internals::run(liar),
        ["stateful"] => {
            let mut runs = 0;
            frng::run(|f| {
                f.u8(..)?;
                runs += 1;
                assert!(runs <= 50, "too many runs");
                Ok(())
            })
        }
        ["exits"] => frng::run(exits),
        ["hangs"] => frng::run(hangs),
        ["kinds"] => frng::run(kinds),
        _ => {
            eprintln!("suite: no such sub-command: {}", words.join(" "));
            exit(2);
        }
    }
}
