//! A check that passes. SPDX-License-Identifier: MIT

#[test]
fn passes() {
    frng::check(|f| loop {
        f.u8(..)?;
    });
}
