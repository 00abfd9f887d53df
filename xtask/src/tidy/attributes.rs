//! Attributes: `expect` with a reason instead of `allow`, and no test ignored in silence.

use proc_macro2::TokenTree;

use super::source::{Attribute, Role, Source};

/// The findings about attributes.
pub(super) fn check(source: &Source<'_>) -> Vec<(usize, String)> {
    source
        .windows()
        .filter(|&(_, role)| role != Role::Doc)
        .filter_map(|(window, _)| {
            let line = window[0].span().start().line;
            let message = message(&Attribute::at(window)?.tokens())?;
            Some((line, message.to_owned()))
        })
        .collect()
}

/// What is wrong with the tokens inside `#[..]`, or inside the second part of `#[cfg_attr(.., ..)]`.
fn message(tokens: &[TokenTree]) -> Option<&'static str> {
    match tokens {
        [TokenTree::Ident(name), TokenTree::Group(parts)] if name == "cfg_attr" => {
            let parts: Vec<TokenTree> = parts.stream().into_iter().collect();
            parts
                .split(|tree| matches!(tree, TokenTree::Punct(comma) if comma.as_char() == ','))
                .skip(1)
                .find_map(message)
        }
        [TokenTree::Ident(name), TokenTree::Group(_)] if name == "allow" => {
            Some("`allow` outlives its cause; use `expect` with a reason")
        }
        [TokenTree::Ident(name)] if name == "ignore" => {
            Some("an ignored test says why: `#[ignore = \"reason\"]`")
        }
        _ => None,
    }
}
