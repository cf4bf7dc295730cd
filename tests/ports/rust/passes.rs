//! Checks that pass, the second of which is no target. SPDX-License-Identifier: MIT

#[test]
fn passes() {
    frng::check(|f| loop {
        f.u8(..)?;
    });
    frng::check(|f| f.u8(..).map(|_| ()));
}
