//! Tests of `cargo test` that fail, as test_rust.py wants them. SPDX-License-Identifier: MIT

use frng::{Drawn, Frng};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// A ring of bytes, 8 deep, with the bug of frng's README, and what it should hold.
#[derive(Default)]
struct Machine {
    items: [u8; 8],
    head: usize,
    count: usize,
    model: VecDeque<u8>,
}

impl Machine {
    fn push(&mut self, f: &mut Frng) -> Drawn {
        if self.count < 8 {
            let x = f.note("x").u8(0..=9)?;
            self.items[(self.head + self.count) % 8] = x;
            self.count += 1;
            self.model.push_back(x);
        }
        Ok(())
    }

    fn pop(&mut self, _: &mut Frng) -> Drawn {
        if let Some(wanted) = self.model.pop_front() {
            let got = self.items[self.head % 7];
            self.head += 1;
            self.count -= 1;
            assert_eq!(got, wanted);
        }
        Ok(())
    }

    fn check(&self) {
        assert_eq!(self.count, self.model.len());
    }
}

#[frng::test]
fn machine(f: &mut Frng) -> Drawn {
    let rules: &[(&str, frng::Rule<Machine>)] = &[("push", Machine::push), ("pop", Machine::pop)];
    f.repeat(&mut Machine::default(), rules, Machine::check)
}

/// What is told of each kind of draw.
#[frng::test(runs = 300)]
fn names(f: &mut Frng) -> Drawn {
    let pair = |f: &mut Frng| Ok((f.i8(0..=1)?, f.i8(-1..=1)?));
    let xs = f.note("xs").list(0..=5, pair)?;
    f.note("word").string("ab", 2..=2)?;
    f.note("id").regex("[ab](-[01]{2})+")?;
    let fruit = *f.note("fruit").pick(&["fig"])?;
    f.note("day").date()?;
    f.note("size").f64_range(0.0..=8.0)?;
    f.note("lists").list(2..=2, |f| f.list(1..=1, Frng::bool))?;
    f.say(format_args!("a {fruit} of {}", xs.len()));
    f.bytes(2)?;
    panic!("all are told")
}

#[derive(Debug)]
#[allow(dead_code)]
struct Span {
    from: u8,
    to: u8,
}

fn span(f: &mut Frng) -> Drawn<Span> {
    Ok(Span { from: f.u8(0..=0)?, to: f.note("inner").u8(3..=3)? })
}

/// Values of several draws, and those that only the test knows.
#[frng::test]
fn values(f: &mut Frng) -> Drawn {
    f.note("spans").list(2..=2, span)?;
    f.note("one").draw(span)?;
    (f.note("pair").u8(0..=0)?, f.u8(3..=3)?);
    f.note("order").permutation(1)?;
    f.note("words").shuffle(&mut ["a b"])?;
    let mut n = 0;
    while f.more(n, 1..=1)? {
        f.note("key").u8(0..=0)?;
        n += 1;
    }
    f.note("lost").list(1..=1, |f| -> Drawn {
        span(f)?;
        panic!("all are told")
    })?;
    Ok(())
}

/// The draw that chooses an operation is no argument of the one before.
#[frng::test]
fn chosen(f: &mut Frng) -> Drawn {
    let mut sum = 0;
    loop {
        if f.u8(0..=1)? == 0 {
            f.step("add");
            sum += f.note("by").u8(3..=3)?;
        } else {
            f.step("rest");
            f.u8(5..=5)?;
        }
        assert!(sum < 9, "too much");
    }
}

#[frng::test(size_max = 10)]
fn in_order(f: &mut Frng) -> Drawn {
    f.step("open");
    (f.usize(1..=1)?, f.isize(-9..=-9)?); // a byte each
    f.step("close");
    assert!(f.index(1)? > 0, "closed");
    Ok(())
}

mod inner {
    use super::*;

    #[frng::test(runs = 300)]
    fn passes(f: &mut Frng) -> Drawn {
        let x = f.u8(..)?;
        f.label("done");
        if x < 128 {
            f.label("low");
        }
        Ok(())
    }

    #[frng::test]
    #[should_panic(expected = "size=1 ")]
    fn fails_as_it_should(f: &mut Frng) -> Drawn {
        assert!(f.u8(..)? < 200);
        Ok(())
    }
}

/// Fails at one byte of 256, and hangs at others, where the environment says so.
#[frng::test(runs = 1)]
fn rare(f: &mut Frng) -> Drawn {
    f.step("hit");
    let x = f.u8(..)?;
    let wish = std::env::var("RARE").unwrap_or_default();
    while wish == "hangs" && x >= 100 {
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    if wish == "fails" && x == 7 {
        f.say(format_args!("of seven"));
        panic!("seven");
    }
    Ok(())
}

mod discards {
    use super::*;

    #[frng::test(runs = 300)]
    fn most(f: &mut Frng) -> Drawn {
        f.label("made");
        let x = f.u8(..)?;
        f.assume(x >= 160)
    }

    #[frng::test(runs = 300)]
    fn nearly_all(f: &mut Frng) -> Drawn {
        let x = f.u8(..)?;
        f.assume(x == 250)
    }

    #[frng::test]
    fn all(f: &mut Frng) -> Drawn {
        f.assume(false)
    }

    #[frng::test]
    fn rules(f: &mut Frng) -> Drawn {
        f.repeat(&mut (), &[("all", |_, f| f.assume(false))], |_| ())
    }
}

static RUNS: AtomicU32 = AtomicU32::new(0);
static KEPT: AtomicU32 = AtomicU32::new(0);

#[frng::test]
fn flaky(f: &mut Frng) -> Drawn {
    let _ = f.u8(..)?;
    assert!(RUNS.fetch_add(1, Relaxed) != 0, "once");
    Ok(())
}

#[frng::test]
fn keeps_state(f: &mut Frng) -> Drawn {
    let kept = KEPT.fetch_add(f.u8(0..=3)?.into(), Relaxed);
    assert!(kept < 60, "many");
    Ok(())
}

#[frng::test]
#[ignore]
fn ignored(f: &mut Frng) -> Drawn {
    assert!(f.u8(..)? < 200);
    Ok(())
}

#[derive(Debug)]
enum Own {
    End,
    Large,
}

impl std::fmt::Display for Own {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{self:?}")
    }
}

impl std::error::Error for Own {}

#[frng::test]
fn shared(f: &mut Frng) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    Ok(f.u32(..).map(drop)?)
}

#[frng::test]
fn told(f: &mut Frng) -> Result<(), String> {
    let x = f.u8(..).map_err(|e| e.to_string())?;
    f.assume(x < 128).map_err(|e| e.to_string())
}

#[frng::test]
fn unwraps(f: &mut Frng) {
    f.u8(..).expect("a byte");
    f.u32(..).unwrap();
}

#[frng::test]
fn returns(f: &mut Frng) -> Result<(), Box<dyn std::error::Error>> {
    let x = f.note("x").u8(..).map_err(|_| Own::End)?;
    if x >= 200 {
        return Err(Own::Large.into());
    }
    Ok(f.u32(..).map(drop)?)
}

#[test]
fn twice() {
    frng::check(|f| f.u8(..).map(drop));
    frng::check(|f| f.u8(..).map(|x| assert!(x < 250)));
}
