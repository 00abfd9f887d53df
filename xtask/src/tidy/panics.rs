//! Panics: library code has none, and an `expect` states the invariant that makes it impossible.

use proc_macro2::{Delimiter, Group, TokenTree};

use super::source::{Role, Source};

/// Crates that may panic, and why.
const EXEMPT: &[(&str, &str)] =
    &[("posterior-testkit", "a distribution that does not hold fails the test that states it")];

/// The findings about panics in the libraries.
pub(super) fn check(source: &Source<'_>) -> Vec<(usize, String)> {
    if !is_library(source) {
        return Vec::new();
    }
    source
        .windows()
        .filter(|&(_, role)| role == Role::Code)
        .filter_map(|(window, _)| Some((window[0].span().start().line, message(window)?)))
        .collect()
}

fn is_library(source: &Source<'_>) -> bool {
    let mut parts = source.path.split('/');
    let is_source = parts.next() == Some("crates");
    let name = parts.next().unwrap_or_default();
    let exempt = EXEMPT.iter().any(|&(exempt, _)| exempt == name);
    is_source && parts.next() == Some("src") && !exempt && !source.is_test_file()
}

/// What is wrong with the tokens that begin here.
fn message(window: &[TokenTree]) -> Option<String> {
    match window {
        [TokenTree::Ident(name), TokenTree::Punct(bang), TokenTree::Group(_), ..]
            if bang.as_char() == '!'
                && ["panic", "todo", "unimplemented", "dbg"].iter().any(|m| name == m) =>
        {
            Some(format!("`{name}!` in a library; return an error"))
        }
        [TokenTree::Punct(punct), TokenTree::Ident(name), rest @ ..]
            if ['.', ':'].contains(&punct.as_char()) =>
        {
            called(&name.to_string(), rest)
        }
        _ => None,
    }
}

/// What is wrong with `.name` or `::name`, followed by `rest`.
fn called(name: &str, rest: &[TokenTree]) -> Option<String> {
    match (name, rest.first()) {
        ("unwrap" | "unwrap_err", _) => {
            Some(format!("`{name}` in a library; return an error, or `expect` with the invariant"))
        }
        ("expect" | "expect_err", Some(TokenTree::Group(arguments))) if !is_message(arguments) => {
            Some(format!("`{name}` takes a string literal that states the invariant"))
        }
        _ => None,
    }
}

/// `("some text")`.
fn is_message(arguments: &Group) -> bool {
    let trees: Vec<TokenTree> = arguments.stream().into_iter().collect();
    let literal = match trees.as_slice() {
        [TokenTree::Literal(literal)] | [TokenTree::Literal(literal), TokenTree::Punct(_)] => {
            literal.to_string()
        }
        _ => return false,
    };
    let text = literal.trim_start_matches(['r', '#']);
    arguments.delimiter() == Delimiter::Parenthesis
        && text.starts_with('"')
        && !text.trim_matches(['"', '#']).is_empty()
}
