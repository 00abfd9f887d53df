//! Tests that take long: `#[ignore = "slow: .."]`. They run with `--slow` only, by their names.

use std::fs;

use super::scope::Scope;
use crate::tidy::SLOW;
use crate::{cargo, tidy};

/// The names of the slow tests of these packages.
pub(super) fn names(scope: &Scope) -> Result<Vec<String>, String> {
    let mut names = Vec::new();
    for path in tidy::rust_files_and_pages()? {
        let Some(package) = path.strip_prefix("crates/").and_then(|rest| rest.split('/').next()) else {
            continue;
        };
        if scope.holds(package) {
            let text =
                fs::read_to_string(cargo::root().join(&path)).map_err(|error| format!("{path}: {error}"))?;
            names.extend(marked(&text).map(str::to_owned));
        }
    }
    Ok(names)
}

/// The names of the functions that follow a mark.
fn marked(text: &str) -> impl Iterator<Item = &str> {
    text.split(SLOW).skip(1).filter_map(|rest| rest.split("fn ").nth(1)?.split('(').next())
}

/// One line about the tests that were left out.
pub(super) fn summary(names: &[String]) -> String {
    match names {
        [] => "slow tests left out: none\n".to_owned(),
        _ => format!(
            "slow tests left out: {} ({}); `cargo xtask ci --slow` runs them\n",
            names.len(),
            names.join(", ")
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marked_functions_are_found() {
        let text = format!(
            "fn a() {{}}\n{SLOW}: minutes\"]\nfn b() {{}}\n#[ignore = \"page\"]\nfn c() {{}}\n{SLOW}\"]\nfn d() {{}}"
        );
        assert_eq!(marked(&text).collect::<Vec<_>>(), ["b", "d"]);
        assert_eq!(
            summary(&["b".to_owned()]),
            "slow tests left out: 1 (b); `cargo xtask ci --slow` runs them\n"
        );
    }
}
