//! A queue with a bug: `frng-search target/release/examples/queue --rng-seed 7`.
use frng::{Frng, OutOfEntropy};

/// A queue of bytes in a ring, 8 deep.
#[derive(Default)]
struct Queue {
    items: [u8; 8],
    head: usize,
    count: usize,
}

impl Queue {
    fn push(&mut self, x: u8) {
        self.items[(self.head + self.count) % 8] = x;
        self.count += 1;
    }

    fn pop(&mut self) -> u8 {
        self.count -= 1;
        self.head += 1;
        self.items[(self.head - 1) % 7]
    }
}

fn test(f: &mut Frng) -> Result<(), OutOfEntropy> {
    let mut queue = Queue::default();
    let (mut first, mut last) = (0_u8, 0_u8);
    loop {
        let want_push = f.bool()?; // returns when the entropy has run out: passed
        if want_push && queue.count < 8 {
            queue.push(last);
            last = last.wrapping_add(1);
        } else if !want_push && queue.count > 0 {
            let got = queue.pop();
            assert!(got == first, "got {got}, not {first}");
            first = first.wrapping_add(1);
        }
    }
}

fn main() {
    frng::run(test)
}

#[test]
fn findings_pass() {
    frng::replay("found", test);
}
