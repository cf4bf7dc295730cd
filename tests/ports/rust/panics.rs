//! Ways to panic and not to fail, for test_rust.py. The first argument is a way to make runs, or
//! "replay FOLDER", the second one a target: each fails if it draws a u8 above 199.
//!
//! SPDX-License-Identifier: MIT

use frng::{Frng, OutOfEntropy};
use std::panic::{catch_unwind, panic_any, resume_unwind};
use std::sync::{Arc, Mutex};
use std::{env, process, thread};

/// Panics when it is dropped.
struct Grenade;

impl Drop for Grenade {
    fn drop(&mut self) {
        panic!("dropped");
    }
}

extern "C" fn cannot_unwind() {
    panic!("in C");
}

fn poisoned() -> Arc<Mutex<u8>> {
    let mutex = Arc::new(Mutex::new(0));
    let other = Arc::clone(&mutex);
    let holder = thread::spawn(move || {
        let _held = other.lock().unwrap();
        panic!("holder");
    });
    assert!(holder.join().is_err(), "the holder lives");
    mutex
}

/// Fail in the way of the target.
fn fail(f: &mut Frng, target: &str) -> Result<(), OutOfEntropy> {
    match target {
        "thread" => thread::spawn(|| panic!("in a thread")).join().unwrap(),
        "scope" => thread::scope(|s| {
            s.spawn(|| panic!("in a scope"));
        }),
        "poison" => *poisoned().lock().unwrap() += 1,
        "resumed" => resume_unwind(catch_unwind(|| panic!("first")).unwrap_err()),
        "value" => panic_any(7),
        "drop" => {
            let _grenade = Grenade;
            panic!("before");
        }
        "nounwind" => cannot_unwind(),
        "bounds" => drop(f.u8(9..=f.used() as u8)?),
        "lines" => assert_eq!(f.used(), 0, "{}", "drawn\nbytes"),
        "never" | "discards" => {}
        "exit" => process::exit(3),
        "abort" => process::abort(),
        _ => panic!("plain"),
    }
    Ok(())
}

/// Panic and go on.
fn survive() {
    assert!(catch_unwind(|| panic!("caught")).is_err(), "no panic");
    assert!(thread::spawn(|| panic!("kept")).join().is_err(), "no panic in a thread");
}

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let target = &arguments[1];
    let test = |f: &mut Frng| loop {
        let drawn = f.u8(..);
        let x = if target == "unwraps" { drawn.unwrap() } else { drawn? };
        if ["caught", "exit", "abort"].contains(&target.as_str()) {
            survive();
        }
        if x > 199 {
            fail(f, target)?;
        }
    };
    match arguments[0].as_str() {
        "run" => frng::run_with_arguments(test),
        _ => frng::replay(target, test),
    }
}
