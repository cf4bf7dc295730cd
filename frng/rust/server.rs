//! The main of a target, and its words with a driver, as PROTOCOL.md describes them.

use super::called::{
    check_arguments, check_entropy, has_driver, misspelt, read_input, unread, variable,
};
use super::goals::CAN_CLIMB;
use super::report::{forget_panic, number, tell_panic, watch_panics, Report, RUN, STOP};
use super::{make, stack_pointer, Frng, OutOfEntropy};
use std::fs::File;
use std::io::{self, Read, Write};
use std::ops::Range;
use std::os::raw::c_int;
use std::os::unix::{fs::MetadataExt, io::FromRawFd};
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::{env, fs, process, ptr};

type Test<'a> = &'a mut dyn FnMut(&mut Frng) -> Result<(), OutOfEntropy>;

/// Type, version, flags, offset and width of the count of drawn bytes, first seed, count, size, run
/// to digest, status.
type Message = [u64; 10];

// Flags of HELLO, RUN and DONE.
const CAN_ALL: u64 = 1 | 2 | 16; // expand seeds, batch, expand styled seeds
const CAN_READ: u64 = 4; // take explicit bytes
const NO_FORK: u64 = 256;
const CAN_STAY: u64 = 2048;
const DIGEST: u64 = 2;
const GIVEN: u64 = 4;
const CHOICES: u64 = 128; // of HELLO, too
const STYLED: u64 = 16;
const HALF_STYLED: u64 = 32;
const STAY: u64 = 256;
const NO_PROCESS: u64 = 2;
const WENT_ON: u64 = 8;

const EINVAL: i32 = 22;
const FAILED: i32 = 101; // the exit status of a panic
const PANICS_MAX: usize = 64; // that a process goes on after

fn done(flags: u64, count: u64, status: i32) -> Message {
    [3, 0, flags, 0, 0, 0, count, 0, 0, status as u64]
}

/// Run the test on the entropy of stdin, or of the file that FRNG_INPUT names, or as often as a
/// driver asks. A panic ends the process with status 101, and the next run begins in another one.
/// Arguments of the program are refused.
pub fn run(test: impl FnMut(&mut Frng) -> Result<(), OutOfEntropy>) -> ! {
    check_arguments();
    run_with_arguments(test)
}

/// As [`run`], for a program with arguments of its own.
pub fn run_with_arguments(mut test: impl FnMut(&mut Frng) -> Result<(), OutOfEntropy>) -> ! {
    // Tools search a program for these words, to know that it takes offers and reads FRNG_INPUT.
    static WORDS: [u8; 24] = *b"FRNG_DRIVER frng_main:1\0";
    // SAFETY: a static variable, read so that the linker keeps it.
    unsafe { ptr::read_volatile(&WORDS) };
    let mut f = Frng::new(Vec::new());
    let is_offered = has_driver();
    let offer = take_offer(&mut f.report);
    if !is_offered {
        misspelt().iter().chain(&unread()).for_each(|line| eprintln!("frng: {line}"));
        if env::var_os("FRNG_INPUT").is_none() {
            check_entropy();
        }
    }
    watch_panics(f.report);
    let end = panic::catch_unwind(AssertUnwindSafe(|| match offer {
        Some(files) => f.serve(files, &mut test).map_or(0, |()| 0), // the driver hung up
        None => f.run_input(is_offered, &mut test),
    }));
    if end.is_err() {
        tell_panic();
    }
    process::exit(end.unwrap_or(FAILED));
}

/// Take a driver's offer: map its report, and return its socket, or -1, and its entropy file.
fn take_offer(report: &mut Report) -> Option<[c_int; 2]> {
    let offer = env::var("FRNG_DRIVER").ok()?;
    env::remove_var("FRNG_DRIVER"); // not for child processes
    let numbers: Vec<c_int> = offer.split(',').map_while(|number| number.parse().ok()).collect();
    match numbers[..] {
        [1, control, file, entropy] if file >= 0 => {
            *report = Report::map(file)?;
            Some([control, entropy]).filter(|_| control >= 0)
        }
        _ => None,
    }
}

impl Frng {
    /// Make one run with the entropy of this process. Returns the exit status.
    fn run_input(&mut self, is_offered: bool, test: Test) -> i32 {
        let name = env::var_os("FRNG_INPUT");
        match read_input(name.as_deref().map(Path::new), is_offered) {
            Ok(bytes) => self.entropy.given = bytes,
            Err(error) => {
                let name = name.unwrap_or_else(|| "stdin".into());
                eprintln!("frng: cannot read entropy from {}: {error}", name.to_string_lossy());
                return 125;
            }
        }
        self.entropy.first = 0..self.entropy.given.len();
        self.report.take_wishes();
        let order = [2, 0, 0, 0, 0, 0, 1, self.entropy.given.len() as u64, 0, 0];
        self.make_runs(&order, 0..1, test);
        0
    }

    /// Make runs for a driver until it hangs up.
    fn serve(&mut self, files: [c_int; 2], test: Test) -> io::Result<()> {
        let [control, entropy] = files;
        // SAFETY: the offer says that these are for this process. The copies are closed by exec.
        let own = |file| unsafe { File::from_raw_fd(file) }.try_clone();
        let entropy = if entropy < 0 { None } else { Some(own(entropy)?) };
        let reads = if entropy.is_some() { CAN_READ | CHOICES } else { 0 };
        let stays = variable("FRNG_NO_JUMP").map_or(true, |off| off == "0");
        let goes_on = if stays { CAN_STAY } else { 0 };
        let abilities = CAN_ALL | CAN_CLIMB | NO_FORK | reads | goes_on;
        let mut patience = (thread_count(), PANICS_MAX);
        let mut socket = own(control)?;
        let mut answer = [1, 1, abilities, Report::DRAWN_AT, 8, 0, 0, 0, 0, 0];
        loop {
            let mut packet = [0; 80];
            socket.write_all(&answer.map(u64::to_ne_bytes).concat())?;
            socket.read_exact(&mut packet)?;
            let mut order: Message = [0; 10];
            order.iter_mut().enumerate().for_each(|(i, word)| *word = number(&packet, i));
            answer = match self.take_order(&order, entropy.as_ref()) {
                Ok(()) => self.make_here(&order, &mut patience, test),
                Err(error) => done(NO_PROCESS, 0, error.raw_os_error().unwrap_or(EINVAL)),
            };
        }
    }

    /// Read what an order needs.
    fn take_order(&mut self, order: &Message, file: Option<&File>) -> io::Result<()> {
        let [kind, _, flags, _, _, _, count, size, _, _] = *order;
        let nonsense = || io::Error::from_raw_os_error(EINVAL);
        if kind != 2 || !(1..=1 << 24).contains(&count) {
            return Err(nonsense());
        }
        self.entropy.first = 0..0;
        if flags & GIVEN != 0 {
            self.entropy.read_given(file.ok_or_else(nonsense)?, count, size)?;
        }
        self.report.take_wishes();
        Ok(())
    }

    fn begin(&mut self, order: &Message, run: u64) {
        let [_, _, flags, _, _, first_seed, count, size, digest_run, _] = *order;
        let seed = first_seed.wrapping_add(run);
        self.is_heard = self.report.begin(run, seed, flags & DIGEST != 0 && run == digest_run);
        (self.at, self.used, self.has_run_out, self.draws) = (0, 0, false, 0);
        (self.is_discarded, self.rule) = (false, None);
        (self.marks, self.sites, self.place) = Default::default();
        self.is_styled = if flags & HALF_STYLED != 0 { seed % 2 == 1 } else { flags & STYLED != 0 };
        self.entropy.begin(size as usize, (seed, self.is_styled));
        if flags & GIVEN != 0 {
            self.entropy.begin_given(run, count);
        }
        self.choices = None;
        if flags & CHOICES != 0 {
            self.begin_choices();
        }
    }

    /// Make these runs of an order, or fewer if the driver stops them. Returns where they ended.
    fn make_runs(&mut self, order: &Message, runs: Range<u64>, test: Test) -> u64 {
        let mut run = runs.start;
        self.frame = stack_pointer();
        loop {
            self.begin(order, run);
            make(self, test);
            let (seen, has_ended) =
                self.choices.as_ref().map_or((self.used, false), |choices| choices.end());
            self.report.passed(
                run,
                [self.used as u64, self.draws, seen as u64],
                [self.has_run_out, self.has_run_out || has_ended],
                self.is_discarded.then(|| self.is_styled),
            );
            run += 1;
            if run == runs.end || self.report.get(STOP) != 0 || self.report.is_full_of_goals() {
                self.report.set(RUN, run);
                return run;
            }
        }
    }

    /// Make the runs of an order in this process. Where the driver lets it, and the test has left no
    /// thread, the process goes on after a panic: so often at most. Returns the answer.
    fn make_here(&mut self, order: &Message, patience: &mut (u64, usize), test: Test) -> Message {
        let runs = AssertUnwindSafe(|| self.make_runs(order, 0..order[6], test));
        let cause = match panic::catch_unwind(runs) {
            Ok(count) => return done(0, count, 0),
            Err(cause) => cause,
        };
        if order[2] & STAY == 0 || patience.1 == 0 || thread_count() != patience.0 {
            panic::resume_unwind(cause);
        }
        patience.1 -= 1;
        tell_panic();
        forget_panic();
        done(WENT_ON, self.report.get(RUN), FAILED << 8)
    }
}

/// The threads of this process: those of the program, and what the test has left.
fn thread_count() -> u64 {
    fs::metadata("/proc/self/task").map_or(0, |tasks| tasks.nlink())
}
