//! Checks that pass, the second of which is no target, and one that fails. SPDX-License-Identifier: MIT

#[test]
fn passes() {
    frng::check(|f| loop {
        f.u8(..)?;
    });
    frng::check(|f| f.u8(..).map(|_| ()));
}

/// Fails at the fourth byte of 240 or more.
#[test]
fn fails() {
    frng::check(|f| {
        let mut high = 0;
        loop {
            high += i32::from(f.u8(..)? >= 240);
            assert!(high < 4, "four");
        }
    });
}
