//! Checks that pass, the second of which is no target, and one that fails. They make no draw where
//! NOTHING is set. The main is for a program without a test runner. SPDX-License-Identifier: MIT

fn main() {
    frng::check(|f| {
        while std::env::var_os("NOTHING").is_none() {
            f.u8(..)?;
        }
        Ok(())
    });
}

#[test]
fn passes() {
    main();
    frng::check(|f| f.u8(..).map(|_| ()));
}

/// Fails as those of the checks of vectors.json (DRAWS.md), and discards where DISCARDS is set.
#[test]
fn fails() {
    frng::check(|f| {
        assert!(std::env::var_os("AT_ONCE").is_none(), "at once");
        let first = f.u8(..)?;
        f.assume(first % 8 == 0 || std::env::var_os("DISCARDS").is_none())?;
        let (mut high, mut x) = (0, first);
        while x != 77 {
            high += i32::from(x >= 240);
            assert!(high < 4 || first / 4 != 24, "four");
            x = f.u8(..)?;
        }
        Ok(())
    });
}
