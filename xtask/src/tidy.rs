//! `cargo xtask tidy`: the rules of the house that no compiler knows, over every Rust file, manifest and
//! page.

mod attributes;
mod book;
mod comments;
mod layout;
mod manifests;
mod panics;
mod readmes;
mod size;
mod source;
#[cfg(test)]
mod tests;
mod wording;

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use self::source::Source;
use crate::{Outcome, cargo};

/// The folders with packages, from the root of the workspace.
const FOLDERS: &[&str] = &["benches", "crates", "fuzz", "xtask"];

/// The name of manifests.
const MANIFEST: &str = "/Cargo.toml";

/// How a slow test is marked.
pub(crate) const SLOW: &str = "#[ignore = \"slow";

/// A broken rule, where it is broken.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Finding {
    path: String,
    line: usize,
    message: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path, self.line, self.message)
    }
}

/// Checks every Rust file, manifest and page of the workspace, and prints a line for every finding.
///
/// `--pending` prints instead what the rules to come would find: the first places of each rule, with `--all`
/// every place.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (pending, all) = match words[..] {
        [] => (false, false),
        ["--pending"] => (true, false),
        ["--pending", "--all"] => (true, true),
        _ => return Err("usage: cargo xtask tidy [--pending [--all]]".to_owned()),
    };
    let root = cargo::root();
    let files = files(&root)?;
    let mut texts = wording::Files::new();
    for path in files.iter().chain(&wording::pages(&root)?) {
        wording::read(&root, &mut texts, path)?;
    }
    if pending {
        wording::pending(&texts, all);
        return Ok(());
    }
    let mut findings = size::stale_exceptions(size::LONG_FILES, &files);
    let mut lengths = Vec::new();
    for (path, text) in texts.iter().take(files.len()) {
        let (found, length) = check(path, text);
        findings.extend(found);
        lengths.extend(length);
    }
    findings.extend(wording::check(&texts));
    findings.extend(book::check(&root)?);
    findings.extend(readmes::check(&root)?);
    findings.sort();
    for finding in &findings {
        println!("{finding}");
    }
    match findings.len() {
        0 => {
            println!("tidy: {} files are in order; {}", files.len(), size::spread(lengths)?);
            Ok(())
        }
        n => Err(format!("tidy has {n} finding(s)")),
    }
}

/// Everything that breaks a rule in one file, and the lines of code of Rust; `path` is from the root, with
/// slashes.
fn check(path: &str, text: &str) -> (Vec<Finding>, Option<usize>) {
    let finding = |(line, message): (usize, String)| Finding { path: path.to_owned(), line, message };
    if path.ends_with(MANIFEST) {
        return (manifests::check(text).map(finding).into_iter().collect(), None);
    }
    let source = match Source::parse(path, text) {
        Ok(source) => source,
        Err((line, message)) => return (vec![finding((line, format!("does not parse: {message}")))], None),
    };
    let mut found = layout::check(&source);
    found.extend(attributes::check(&source));
    found.extend(comments::check(&source));
    found.extend(panics::check(&source));
    let length = size::code_lines(&source);
    found.extend(size::check(path, length, size::LONG_FILES));
    found.sort();
    (found.into_iter().map(finding).collect(), Some(length))
}

/// All Rust files and the pages, as paths from the root.
pub(crate) fn rust_files_and_pages() -> Result<Vec<String>, String> {
    let root = cargo::root();
    let mut paths = files(&root)?;
    paths.retain(|path| !path.ends_with(MANIFEST));
    paths.extend(book::pages(&root)?);
    Ok(paths)
}

/// All Rust files and manifests in order, as paths from `root` with slashes.
fn files(root: &Path) -> Result<Vec<String>, String> {
    let mut files = Vec::new();
    for folder in FOLDERS {
        collect(&root.join(folder), folder, &mut files)?;
    }
    files.sort();
    Ok(files)
}

fn collect(folder: &Path, name: &str, files: &mut Vec<String>) -> Outcome {
    let context = |error: std::io::Error| format!("{}: {error}", folder.display());
    for entry in fs::read_dir(folder).map_err(context)? {
        let path: PathBuf = entry.map_err(context)?.path();
        let Some(last) = path.file_name().and_then(|last| last.to_str()) else {
            return Err(format!("{}: the name is not Unicode", path.display()));
        };
        let name = format!("{name}/{last}");
        if path.is_dir() {
            if last != "target" && !last.starts_with('.') {
                collect(&path, &name, files)?;
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") || name.ends_with(MANIFEST) {
            files.push(name);
        }
    }
    Ok(())
}
