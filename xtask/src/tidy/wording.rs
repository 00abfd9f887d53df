//! Wording: words that are not to come back, names and documentation that say too little, and comments that
//! are too wide.
//!
//! [`list::RULES`] are in force. [`list::PENDING`] are counted by `cargo xtask tidy --pending`; a rule moves
//! from one to the other when the last place is mended.

mod list;
mod rules;
#[cfg(test)]
mod tests;
mod words;

use std::fmt;
use std::path::Path;

use super::{Finding, book};
use crate::Outcome;

pub(super) use self::rules::Files;

/// Places that are printed of a rule that is pending.
const SHOWN: usize = 20;

/// What a rule forbids.
#[derive(Debug, Clone, Copy)]
enum Rule {
    /// Words, whole or as parts of names, in any case.
    Words(Words),
    /// Documentation of a public item that is a letter or two.
    LetterDocs,
    /// Lines of comments with more characters than rustfmt lets code have.
    WideComments,
    /// Public types of the same name in the libraries, but for those that are said with their module:
    /// `lda::Gibbs`.
    TypeNames { spoken: &'static [&'static str] },
}

/// Words and what to write for them.
#[derive(Debug, Clone, Copy)]
struct Words {
    /// Each a word or several, in lower case.
    forms: &'static [&'static str],
    instead: &'static str,
    /// Phrases in which they are right, in lower case.
    phrases: &'static [&'static str],
    /// Files, or folders with a slash at the end, that may have them: data, quotations.
    places: &'static [&'static str],
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Words(words) => write!(f, "{} -> {}", words.forms.join(", "), words.instead),
            Self::LetterDocs => f.write_str("public items documented by a letter"),
            Self::WideComments => f.write_str("wide comments"),
            Self::TypeNames { .. } => f.write_str("public types of one name"),
        }
    }
}

/// The findings of all rules that are in force, in Rust files and pages.
pub(super) fn check(files: &Files) -> Vec<Finding> {
    list::RULES.iter().flat_map(|rule| rules::findings(rule, files)).collect()
}

/// Prints the places that rules to come would find, of each rule the first ones or all.
pub(super) fn pending(files: &Files, all: bool) {
    let most = if all { usize::MAX } else { SHOWN };
    for rule in list::PENDING {
        let findings = rules::findings(rule, files);
        println!("{rule}: {}", findings.len());
        findings.iter().take(most).for_each(|finding| println!("    {finding}"));
    }
}

/// The pages that the rules of words look at.
pub(super) fn pages(root: &Path) -> Result<Vec<String>, String> {
    let mut pages = book::pages(root)?;
    pages.retain(|page| !list::HISTORY.contains(&page.as_str()));
    Ok(pages)
}

/// Reads a file below the root.
pub(super) fn read(root: &Path, files: &mut Files, path: &str) -> Outcome {
    let text = std::fs::read_to_string(root.join(path)).map_err(|error| format!("{path}: {error}"))?;
    files.push((path.to_owned(), text));
    Ok(())
}
