//! `#[frng::test]` makes a function of a `&mut Frng` a test of `cargo test`, by frng::Check.
//! SPDX-License-Identifier: MIT

use proc_macro::{Delimiter, Group, TokenStream, TokenTree};

/// A test that searches: `#[frng::test] fn sorts(f: &mut Frng) -> frng::Drawn { ... }`. Its
/// arguments are the options of `frng::Check`: `#[frng::test(runs = 5000, size_max = 65536)]`.
#[proc_macro_attribute]
pub fn test(options: TokenStream, item: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = item.into_iter().collect();
    let is_word =
        |tree: &TokenTree, word: &str| matches!(tree, TokenTree::Ident(i) if i.to_string() == word);
    let at = tokens.iter().position(|tree| is_word(tree, "fn"));
    let name = match at.and_then(|at| tokens.get(at + 1)) {
        Some(TokenTree::Ident(name)) => name.to_string(),
        _ => return error("#[frng::test] is for a function"),
    };
    let calls = match calls(options) {
        Ok(calls) => calls,
        Err(why) => return error(&why),
    };
    let (before, function) = tokens.split_at(at.unwrap_or_default());
    // The name as `cargo test` has it: without that of the crate.
    let run = format!(
        "let name = ::std::concat!(::std::module_path!(), \"::{name}\");\
         let name = name.split_once(\"::\").map_or(name, |(_, name)| name);\
         ::frng::Check::named(name){calls}.run(|f| ::frng::drawn({name}(f), f));"
    );
    let mut body: TokenStream = function.iter().cloned().collect();
    body.extend(parsed(&run));
    let mut test = parsed("#[::core::prelude::v1::test]");
    test.extend(before.iter().cloned());
    test.extend(parsed(&format!("fn {name}()")));
    test.extend([TokenTree::Group(Group::new(Delimiter::Brace, body))]);
    test
}

/// "runs = 5000, size_max = 9" as ".runs(5000).size_max(9)".
fn calls(options: TokenStream) -> Result<String, String> {
    let (mut calls, mut option) = (String::new(), Vec::new());
    let comma = parsed(",");
    for tree in options.into_iter().chain(comma) {
        if !matches!(&tree, TokenTree::Punct(p) if p.as_char() == ',') {
            option.push(tree);
            continue;
        }
        match option.as_slice() {
            [] => {}
            [TokenTree::Ident(name), TokenTree::Punct(is), value @ ..]
                if is.as_char() == '=' && !value.is_empty() =>
            {
                let value: TokenStream = value.iter().cloned().collect();
                calls += &format!(".{name}({value})");
            }
            _ => return Err("options are name = value: runs, size_max, findings".to_string()),
        }
        option.clear();
    }
    Ok(calls)
}

fn parsed(text: &str) -> TokenStream {
    text.parse().unwrap_or_default()
}

fn error(why: &str) -> TokenStream {
    parsed(&format!("::core::compile_error!({why:?});"))
}
