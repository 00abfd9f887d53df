//! Comments: what is left to do belongs into an issue, where someone will find it.

use proc_macro2::{LineColumn, TokenTree};

use super::source::{Role, Source};

const WORDS: [&str; 2] = ["TODO", "FIXME"];

/// The findings about notes to oneself. Literals are not comments.
pub(super) fn check(source: &Source<'_>) -> Vec<(usize, String)> {
    let literals = literals(source);
    let inside = |line, column| {
        let at = LineColumn { line, column };
        literals.iter().any(|&(start, end)| start <= at && at < end)
    };
    let mut findings = Vec::new();
    for (i, text) in source.text.lines().enumerate() {
        for word in WORDS {
            if let Some(column) = column_of(text, word).filter(|&column| !inside(i + 1, column)) {
                let message = format!("{word} in column {}: do it, or write an issue", column + 1);
                findings.push((i + 1, message));
            }
        }
    }
    findings
}

/// Where each literal of the code begins and ends.
fn literals(source: &Source<'_>) -> Vec<(LineColumn, LineColumn)> {
    source
        .windows()
        .filter(|&(_, role)| role != Role::Doc)
        .filter_map(|(window, _)| match &window[0] {
            TokenTree::Literal(literal) => Some((literal.span().start(), literal.span().end())),
            _ => None,
        })
        .collect()
}

/// The first column, in characters from 0, at which `word` stands alone.
fn column_of(text: &str, word: &str) -> Option<usize> {
    let part_of_word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).find_map(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + word.len()..]);
        let alone = !before.ends_with(part_of_word) && !after.starts_with(part_of_word);
        alone.then(|| before.chars().count())
    })
}
