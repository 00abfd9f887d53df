//! `cargo xtask readme`: the README of every published library, made from the first page of its
//! documentation, and the table of crates in that of the workspace.
//!
//! One text in two places drifts apart; here the second is made from the first, and `cargo xtask tidy`
//! compares them.

pub(crate) mod crates;
mod program;
#[cfg(test)]
mod tests;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::{Outcome, cargo, no_arguments};

/// The crate whose first page is a guide through all others, longer than a README: that of its own is tested
/// as a page.
const UMBRELLA: &str = "posterior";

/// The chapters of the book that say what a crate is for.
const CHAPTERS: &[(&str, &str)] = &[
    ("posterior-decision", "decisions.md"),
    ("posterior-dist", "conjugacy.md"),
    ("posterior-evaluation", "which-method-when.md"),
    ("posterior-gaussian", "gaussian.md"),
    ("posterior-gp", "gaussian-processes.md"),
    ("posterior-graph", "graphs.md"),
    ("posterior-hierarchical", "mixed-effects.md"),
    ("posterior-inference", "message-passing.md"),
    ("posterior-kalman", "time.md"),
    ("posterior-latent", "latent-variables.md"),
    ("posterior-model", "state-a-model.md"),
    ("posterior-pgm", "message-passing.md"),
    ("posterior-regression", "regression.md"),
    ("posterior-sampling", "monte-carlo.md"),
    ("posterior-sequence", "sequences.md"),
    ("posterior-stan", "state-a-model.md"),
    ("posterior-text", "topics.md"),
    ("posterior-topics", "topics.md"),
];

/// The README of the workspace.
pub(crate) const WORKSPACE: &str = "README.md";

/// Writes the README of every published library, and the table in that of the workspace.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    no_arguments("readme", arguments)?;
    let mut written = 0;
    for (folder, name) in cargo::published()? {
        if let Some(text) = expected(&folder, &name)? {
            let path = folder.join("README.md");
            fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
            written += 1;
        }
    }
    let root = cargo::root();
    let path = root.join(WORKSPACE);
    let context = |error: std::io::Error| format!("{WORKSPACE}: {error}");
    let page = fs::read_to_string(&path).map_err(context)?;
    fs::write(&path, crates::with_table(&page, &root, crates::thousands)?).map_err(context)?;
    println!("readme: wrote {} files", written + 1);
    Ok(())
}

/// What the README of a crate has to say; none for the umbrella and for a crate without a library, whose
/// READMEs are written by hand.
pub(crate) fn expected(folder: &Path, name: &str) -> Result<Option<String>, String> {
    let library = folder.join("src/lib.rs");
    if name == UMBRELLA || !library.is_file() {
        return Ok(None);
    }
    let source = fs::read_to_string(&library).map_err(|error| format!("{}: {error}", library.display()))?;
    text(name, &source).map(Some).map_err(|message| format!("{}: {message}", library.display()))
}

/// The README of a crate with this name and this `lib.rs`.
fn text(name: &str, source: &str) -> Result<String, String> {
    let page: Vec<&str> = source
        .lines()
        .map_while(|line| line.strip_prefix("//!"))
        .map(|line| line.strip_prefix(' ').unwrap_or(line))
        .collect();
    let example = page
        .iter()
        .position(|line| matches!(*line, "```" | "```rust"))
        .ok_or("the first page has no example, which the README would show")?;
    let code: Vec<&str> = page[example + 1..].iter().copied().take_while(|line| *line != "```").collect();
    let mut out = format!("# {name}\n\n{}\n\n", opening(&page));
    let _ =
        write!(out, "```rust\n{}```\n\nThe program needs {}.\n\n", program::whole(&code), needs(name, &code));
    if let Some((_, chapter)) = CHAPTERS.iter().find(|(of, _)| *of == name) {
        let _ = writeln!(out, "- [The chapter of the book](../../docs/book/{chapter})");
    }
    out.push_str("- [The workspace](../../README.md) that this crate is a part of\n");
    out.push_str("- Licence: [MIT](LICENSE-MIT) or [Apache-2.0](LICENSE-APACHE), as you like\n\n");
    out.push_str("<!-- Made from src/lib.rs by `cargo xtask readme`. -->\n");
    Ok(out)
}

/// The paragraphs before the first table, list, heading or example, without links into the documentation.
fn opening(page: &[&str]) -> String {
    let ends = |line: &str| line.starts_with(['|', '#', '-']) || line.starts_with("```");
    let prose: Vec<&str> = page.iter().copied().take_while(|line| !ends(line)).collect();
    without_links(prose.join("\n").trim())
}

/// The text with its links shown as their first part where they lead into the documentation, with their
/// target or without.
fn without_links(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find('[') {
        out.push_str(&rest[..start]);
        let inside = &rest[start + 1..];
        let Some(end) = inside.find(']') else {
            out.push_str(&rest[start..]);
            return out;
        };
        out.push_str(&inside[..end]);
        rest = &inside[end + 1..];
        if let Some(target) = rest.strip_prefix('(') {
            rest = after_target(target);
        }
    }
    out.push_str(rest);
    out
}

/// What follows the target of a link; a target such as `filter()` has brackets of its own.
fn after_target(target: &str) -> &str {
    let mut open = 1;
    for (at, letter) in target.char_indices() {
        match letter {
            '(' => open += 1,
            ')' => open -= 1,
            _ => {}
        }
        if open == 0 {
            return &target[at + 1..];
        }
    }
    ""
}

/// The crates that an example uses, the crate itself first, as a list in words.
fn needs(name: &str, code: &[&str]) -> String {
    let mut crates = vec![name.to_owned()];
    for line in code {
        for part in line.split(|letter: char| !letter.is_alphanumeric() && letter != '_') {
            let used = part.replace('_', "-");
            let known = part.starts_with("posterior_") || matches!(part, "rand" | "rand_distr");
            if known && line.contains(&format!("{part}::")) && !crates.contains(&used) {
                crates.push(used);
            }
        }
    }
    let quoted: Vec<String> = crates.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, [])) => format!("the crate {last}"),
        Some((last, others)) => format!("the crates {} and {last}", others.join(", ")),
        None => String::new(),
    }
}
