//! What test_ports.py asks of the port to Rust; see c/suite.c. SPDX-License-Identifier: MIT

use frng::{expand, Frng, OutOfEntropy};
use std::panic::{self, AssertUnwindSafe};
use std::process::exit;
use std::time::Duration;
use std::{env, fs, io, thread};

type Drawn<T> = Result<T, OutOfEntropy>;

/// The smallest and the largest number, signed ones in two's complement.
type Bounds = (u64, u64);

// ---- Answers ----

/// A draw of u8 to i64, of any value, between bounds or mixed. `None` if this is no such type.
fn number(f: &mut Frng, name: &str, bounds: Option<Bounds>) -> Option<Drawn<u64>> {
    macro_rules! number {
        ($($name:ident)*) => {
            match (name, bounds) {
                $(
                    (concat!(stringify!($name), "_mixed"), Some((min, max))) =>
                        f.mixed(min as $name..=max as $name).map(|x| x as u64),
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

/// The draw of a call as text. `None` if the port has no such draw.
fn draw(f: &mut Frng, words: &[&str]) -> Option<Drawn<String>> {
    let at = |i: usize| words[i].parse::<i128>().unwrap_or(0);
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
        "pick_weighted" => f.pick_weighted(&list(words[1])).map(|x| x.to_string()),
        "swarm" => f.swarm(size(1)).map(|weights| joined(&weights)),
        "permutation" => f.permutation(size(1)).map(|order| joined(&order)),
        "subset" => f.subset(size(1)).map(|mask| mask.to_string()),
        "depth" => f.depth(size(1)).map(|deeper| u8::from(deeper).to_string()),
        "utf8" => f.utf8(size(1)..=size(2)).map(|text| hex(text.as_bytes())),
        "regex" => f.regex(words[1]).map(|text| hex(text.as_bytes())),
        "pool" => {
            let mut things: Vec<usize> = (0..size(1)).collect();
            let taken: Result<Vec<usize>, _> =
                (0..size(2)).map(|_| f.take_thing(&mut things)).collect();
            taken.map(|list| joined(&list))
        }
        "string" => f.string(words[1], size(2)..=size(3)),
        "f64_any" => f.f64_any().map(|x| format!("{:016x}", x.to_bits())),
        "f64_range" => {
            let bound = |i: usize| f64::from_bits(u64::from_str_radix(words[i], 16).unwrap_or(0));
            f.f64_range(bound(1)..=bound(2)).map(|x| format!("{:016x}", x.to_bits()))
        }
        "date" | "date_range" => {
            let parts = |i: usize| words[i].split('-').map(|part| part.parse().unwrap_or(0));
            let day = |i| {
                let day: Vec<u32> = parts(i).collect();
                (day[0] as i32, day[1], day[2])
            };
            let is_range = words.len() > 1;
            let drawn = if is_range { f.date_range(day(1)..=day(2)) } else { f.date() };
            drawn.map(|(year, month, day)| format!("{year:04}-{month:02}-{day:02}"))
        }
        "more" => f.more(size(1), size(2)..=size(3)).map(|x| u8::from(x).to_string()),
        name => {
            let bounds = words.get(2).map(|_| (at(1) as u64, at(2) as u64));
            let name = name.strip_suffix("_range").unwrap_or(name);
            let is_signed = name.starts_with('i');
            let text = |x: u64| if is_signed { (x as i64).to_string() } else { x.to_string() };
            return number(f, name, bounds).map(|drawn| drawn.map(text));
        }
    })
}

fn answer_draw(f: &mut Frng, words: &[&str]) -> String {
    match panic::catch_unwind(AssertUnwindSafe(|| draw(f, words))) {
        Err(_) => format!("misuse {} 0", f.used()),
        Ok(None) => "?".to_string(),
        Ok(Some(value)) => {
            let has_failed = u8::from(value.is_err());
            format!("{} {} {has_failed}", value.unwrap_or("-".to_string()), f.used())
        }
    }
}

fn answer() {
    let mut f = Frng::new(Vec::new());
    panic::set_hook(Box::new(|_| {}));
    for line in io::stdin().lines() {
        let line = line.expect("a line");
        let words: Vec<_> = line.split(' ').collect();
        match words[..] {
            ["entropy", bytes] => f = Frng::new(from_hex(bytes)),
            ["expand", seed, size] => {
                let bytes = expand(seed, size.parse().expect("a size")).expect("a seed");
                println!("{}", hex(&bytes));
            }
            _ => println!("{}", answer_draw(&mut f, &words)),
        }
    }
}

// ---- Targets ----

fn calls(f: &mut Frng, text: &str) -> Drawn<()> {
    loop {
        f.step("all kinds");
        for line in text.lines() {
            let words: Vec<_> = line.split(' ').collect();
            f.note(words[0]);
            let value = draw(f, &words).expect("a draw")?;
            assert!(words[0] != "u8" || value != "77", "77");
        }
    }
}

fn marks(f: &mut Frng) -> Drawn<()> {
    for count in 0.. {
        f.measure("count", count);
        let x = f.u8(..)?;
        if x % 2 == 1 {
            f.label("odd");
        }
        f.say(format_args!("byte {count} is {x}, in a line that takes two records of a trace"));
    }
    Ok(())
}

fn assumes(f: &mut Frng) -> Drawn<()> {
    let x = f.u8(..)?;
    if x % 2 == 1 {
        f.label("odd");
    }
    f.assume(x >= 160)?;
    f.u8(..).map(drop)
}

fn climbs(f: &mut Frng) -> Drawn<()> {
    let mut high = 0;
    for _ in 0..20 {
        high = if u64::from(f.u8(..)?) % 32 == (high + 1) * 11 % 32 { high + 1 } else { 0 };
        f.maximize("high", high);
        assert!(high < 4, "too high");
    }
    Ok(())
}

#[inline(never)]
fn tree(f: &mut Frng) -> Drawn<u64> {
    if f.bool()? {
        Ok(tree(f)? + tree(f)?)
    } else {
        f.u8(0..=9).map(u64::from)
    }
}

fn places(f: &mut Frng) -> Drawn<()> {
    for bound in 0..2 {
        f.u8(0..=bound)?;
        f.string("ab", 2..=2)?;
    }
    f.u8(0..=1)?;
    f.permutation(3)?;
    f.list(1..=1, |f| f.u8(0..=1))?;
    tree(f).map(drop)
}

fn bugs(f: &mut Frng, how: &str) -> Drawn<()> {
    let (mut previous, mut high) = (255, 0);
    loop {
        let x = f.u8(..)?;
        if how == "exits" && x < 64 {
            exit(0);
        }
        while how == "hangs" && x == 200 {
            thread::sleep(Duration::from_secs(9));
        }
        assert!(x != 0 || previous != 0, "few");
        high += u32::from(x >= 128);
        assert!(high < 4, "many");
        previous = x;
    }
}

/// Fail, and leave what changes later runs of this process.
fn leaves(f: &mut Frng, what: &str, has_failed: &mut bool) -> Drawn<()> {
    while *has_failed && what == "hangs" {
        thread::sleep(Duration::from_secs(9));
    }
    assert!(!*has_failed || what != "fails", "left");
    if *has_failed && what == "exits" {
        exit(0);
    }
    let mut high = 0;
    while !*has_failed || what != "passes" {
        high += u32::from(f.u8(..)? >= 128);
        if high == 4 {
            *has_failed = true;
            if what == "thread" {
                thread::spawn(|| thread::sleep(Duration::from_secs(3600)));
            }
            panic!("four");
        }
    }
    Ok(())
}

fn run(test: impl FnMut(&mut Frng) -> Drawn<()>) -> ! {
    frng::run_with_arguments(test)
}

extern "C" {
    fn atexit(handler: extern "C" fn()) -> i32;
    fn _exit(status: i32) -> !;
}

extern "C" fn end_with_3() {
    // SAFETY: it ends the process.
    unsafe { _exit(3) }
}

fn main() {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let words: Vec<_> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["answers"] => answer(),
        ["calls", path] => {
            let text = fs::read_to_string(path).expect("a file of calls");
            run(|f| calls(f, &text))
        }
        ["draws", count, ..] => {
            let count: usize = count.parse().expect("a number of draws");
            run(|f| (0..count).try_for_each(|_| f.u8(..).map(drop)))
        }
        ["places"] => run(places),
        ["marks"] => run(marks),
        ["climbs"] => run(climbs),
        ["assumes"] => run(assumes),
        ["ends"] => {
            // SAFETY: as exit handlers are registered.
            unsafe { atexit(end_with_3) };
            run(|f| f.u8(..).map(drop))
        }
        ["bugs"] => run(|f| bugs(f, "")),
        ["bugs", how] => run(|f| bugs(f, how)),
        ["leaves", what] => {
            let mut has_failed = false;
            run(|f| leaves(f, what, &mut has_failed))
        }
        ["stateful"] => {
            let mut runs = 0;
            run(|f| {
                f.u8(..)?;
                runs += 1;
                assert!(runs <= 50, "too many runs");
                Ok(())
            })
        }
        _ => {
            eprintln!("suite: no such sub-command: {}", words.join(" "));
            exit(2);
        }
    }
}
