//! What each rule finds.

use std::collections::BTreeMap;
use std::path::Path;

use super::super::Finding;
use super::words;
use super::{Rule, Words};
use crate::items::{self, Item, Kind};
use crate::modules::Module;

/// Paths from the root, and texts.
pub(in super::super) type Files = Vec<(String, String)>;

/// Characters of a line, as `max_width` of rustfmt.
const WIDTH: usize = 110;

/// Letters that are no documentation.
const LETTERS: usize = 2;

/// Where this rule stands, with its words.
const OWN: &str = "xtask/src/tidy/wording/";

/// Packages whose names need not differ from those of the libraries: programs, stories and tests.
const APART: [&str; 3] = ["crates/posterior-cli/", "crates/posterior-stories/", "crates/posterior-testkit/"];

/// The findings of a rule in all files.
pub(super) fn findings(rule: &Rule, files: &Files) -> Vec<Finding> {
    match rule {
        Rule::Words(list) => files.iter().flat_map(|(path, text)| forbidden(list, path, text)).collect(),
        Rule::LetterDocs => in_rust(files).flat_map(|(path, text)| letter_docs(path, text)).collect(),
        Rule::WideComments => in_rust(files).flat_map(|(path, text)| wide_comments(path, text)).collect(),
        Rule::TypeNames { spoken } => type_names(files, spoken),
    }
}

fn in_rust(files: &Files) -> impl Iterator<Item = (&str, &str)> {
    let pairs = files.iter().map(|(path, text)| (path.as_str(), text.as_str()));
    pairs.filter(|(path, _)| Path::new(path).extension().is_some_and(|own| own == "rs"))
}

/// Files of the libraries that are no tests.
fn in_libraries(files: &Files) -> impl Iterator<Item = (&str, &str)> {
    in_rust(files).filter(|(path, _)| {
        let library = path.starts_with("crates/") && path.split('/').nth(2) == Some("src");
        library && !path.ends_with("/tests.rs") && !path.contains("/tests/")
    })
}

fn finding(path: &str, line: usize, message: String) -> Finding {
    Finding { path: path.to_owned(), line, message }
}

fn forbidden(list: &Words, path: &str, text: &str) -> Vec<Finding> {
    let excused = |place: &&str| path == *place || place.ends_with('/') && path.starts_with(*place);
    if path.starts_with(OWN) || list.places.iter().any(excused) {
        return Vec::new();
    }
    let lines = words::lines(list, &words::split(text));
    lines
        .into_iter()
        .map(|(line, form)| finding(path, line, format!("{form:?}; write {}", list.instead)))
        .collect()
}

/// The public items that stand in a file, those of inline modules left out.
fn public(path: &str, text: &str) -> Vec<Item> {
    let items = syn::parse_file(text).map(|tree| tree.items).unwrap_or_default();
    let items =
        items.into_iter().filter(|item| !crate::modules::is_for_tests(crate::modules::attributes(item)));
    items::public(&Module {
        path: Vec::new(),
        said: Vec::new(),
        file: path.to_owned(),
        items: items.collect(),
    })
}

fn letter_docs(path: &str, text: &str) -> Vec<Finding> {
    let bare = |item: &Item| {
        let text = item.docs.join(" ");
        let letters = text.chars().filter(|c| c.is_alphanumeric()).count();
        letters > 0 && letters <= LETTERS
    };
    let items = public(path, text);
    let bare = items.iter().filter(|item| bare(item));
    bare.map(|item| {
        let message =
            format!("`{}` is documented by {:?} alone; say what it is", item.shown(), item.docs.join(" "));
        finding(path, item.line, message)
    })
    .collect()
}

/// Lines of tables, of examples and lines with an address cannot be broken.
fn wide_comments(path: &str, text: &str) -> Vec<Finding> {
    let mut example = false;
    let mut wide = |line: &str| {
        let Some(comment) = line.trim_start().strip_prefix("//") else {
            example = false;
            return false;
        };
        let comment = comment.trim_start_matches(['/', '!', ' ']);
        example ^= comment.starts_with("```");
        !example && !comment.starts_with('|') && !comment.contains("://") && line.chars().count() > WIDTH
    };
    let lines = text.lines().enumerate().filter(|(_, line)| wide(line));
    lines
        .map(|(i, line)| {
            finding(path, i + 1, format!("a comment of {} characters; {WIDTH} fit", line.chars().count()))
        })
        .collect()
}

fn type_names(files: &Files, spoken: &[&str]) -> Vec<Finding> {
    let mut by_name: BTreeMap<String, Vec<(&str, usize)>> = BTreeMap::new();
    for (path, text) in
        in_libraries(files).filter(|(path, _)| !APART.iter().any(|apart| path.starts_with(apart)))
    {
        for item in public(path, text) {
            let is_type = matches!(item.kind, Kind::Type | Kind::Trait) && item.owner.is_none();
            if is_type && !spoken.contains(&format!("{}::{}", module(path), item.name).as_str()) {
                by_name.entry(item.name).or_default().push((path, item.line));
            }
        }
    }
    let repeated = by_name.iter().filter(|(_, places)| places.len() > 1);
    let message = |name: &str, places: &[(&str, usize)]| {
        let others: Vec<String> =
            places.iter().skip(1).map(|(path, line)| format!("{path}:{line}")).collect();
        format!("the public type `{name}` is also {}", others.join(" "))
    };
    repeated.map(|(name, places)| finding(places[0].0, places[0].1, message(name, places))).collect()
}

/// The module that people see: `lda` of `src/lda/gibbs.rs`, `gibbs` of `src/gibbs.rs`.
fn module(path: &str) -> &str {
    let parts: Vec<&str> = path.split('/').collect();
    match parts[..] {
        [.., "src", file] => file.trim_end_matches(".rs"),
        [.., folder, _] => folder,
        _ => path,
    }
}
