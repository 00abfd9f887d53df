//! Signatures of the library's functions: one table of patterns, read once.

mod page;
mod pattern;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use crate::types::{Type, list};

pub use page::functions_page;

/// One form of a function.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Signature {
    /// Types of the arguments.
    pub args: Vec<Type>,
    /// The places of those that take data only, from 0.
    pub data_only: Vec<usize>,
    /// What is returned.
    pub returns: Type,
}

impl std::fmt::Display for Signature {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "({}) => {}", list(&self.args), self.returns)
    }
}

/// Functions with the same forms.
#[derive(Debug, Default)]
struct Group {
    names: Vec<String>,
    patterns: Vec<&'static str>,
    forms: OnceLock<Vec<Signature>>,
}

struct Table {
    groups: Vec<Group>,
    by_name: BTreeMap<String, usize>,
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| read(include_str!("signatures/table.txt")))
}

fn read(text: &'static str) -> Table {
    let mut groups: Vec<Group> = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()) {
        if let Some(pattern) = line.strip_prefix("  ") {
            if let Some(group) = groups.last_mut() {
                group.patterns.push(pattern);
            }
            continue;
        }
        if groups.last().is_none_or(|group| !group.patterns.is_empty()) {
            groups.push(Group::default());
        }
        if let Some(group) = groups.last_mut() {
            group.names.extend(line.split_whitespace().flat_map(names));
        }
    }
    let by_name = groups.iter().enumerate();
    let by_name =
        by_name.flat_map(|(at, group)| group.names.iter().map(move |name| (name.clone(), at))).collect();
    Table { groups, by_name }
}

/// `beta_cdf|lpdf` is `beta_cdf` and `beta_lpdf`.
fn names(word: &str) -> Vec<String> {
    let Some((first, others)) = word.split_once('|') else {
        return vec![word.to_owned()];
    };
    let stem = first.rfind('_').map_or("", |at| &first[..=at]);
    std::iter::once(first.to_owned())
        .chain(others.split('|').map(|suffix| format!("{stem}{suffix}")))
        .collect()
}

/// All forms of a function of the library; none if it has no function of that name.
///
/// Functions that pass arguments on (`reduce_sum`, `ode_rk45`, ...) are not in the table: their forms depend
/// on the function that they are given.
///
/// Cost: the first call of a function expands its patterns, up to a thousand forms.
pub fn signatures(name: &str) -> Option<&'static [Signature]> {
    let table = table();
    let group = &table.groups[*table.by_name.get(name)?];
    Some(group.forms.get_or_init(|| {
        let mut forms: Vec<_> = group.patterns.iter().flat_map(|pattern| pattern::expand(pattern)).collect();
        forms.sort();
        forms.dedup();
        forms
    }))
}

/// The names of the library's functions, sorted.
pub fn function_names<'a>() -> impl Iterator<Item = &'a str> {
    table().by_name.keys().map(String::as_str)
}
