//! The list of words, and the rules that are in force and those to come.

use super::{Rule, Words};

/// Pages and files that speak of old names.
pub(super) const HISTORY: &[&str] = &["CHANGELOG.md", "docs/renamed.md", "docs/vocabulary.md"];

const fn words(
    forms: &'static [&'static str],
    instead: &'static str,
    phrases: &'static [&'static str],
    places: &'static [&'static str],
) -> Rule {
    Rule::Words(Words { forms, instead, phrases, places })
}

/// Rules in force: a place that breaks one is a finding of `cargo xtask tidy`.
pub(super) const RULES: &[Rule] = &[
    words(
        &["law", "laws"],
        "distribution",
        &[
            "law of large numbers",
            "laws of large numbers",
            "law of total",
            "law of the iterated logarithm",
            "power law",
            "power laws",
            "zipf s law",
            "heaps law",
            "benford s law",
            "laws of the test kit",
            "testkit laws",
            "test support laws",
            "by law",
            "law of the land",
            "distributive law",
        ],
        // A column of the data is called so.
        &["crates/posterior-regression/tests/it/glm/"],
    ),
    words(&["told"], "reported, output, given", &[], &[]),
    words(&["learnt"], "fitted, learned", &[], &[]),
    words(&["datum"], "observation", &[], &[]),
    words(
        &["freedom"],
        "degrees of freedom",
        &["degrees of freedom", "degree of freedom", "celebration of freedom"],
        &[],
    ),
    words(&["rung", "rungs"], "level (of a temperature), method", &[], &[]),
    words(&["road", "roads"], "route, derivation, formula", &["deaths on roads"], &[]),
    words(&["is no number", "are no numbers"], "is not a number (NaN), is not finite", &[], &[]),
    words(&["at hand"], "available, given", &[], &[]),
    words(&["one for certain"], "identically 1", &[], &[]),
    Rule::LetterDocs,
    Rule::TypeNames { spoken: SPOKEN },
    Rule::WideComments,
];

/// Public types of one name that are said with their module or their crate.
const SPOKEN: &[&str] = &[
    // Each crate has one, and it is said with it: `pgm::Error`, `inference::graph_cut::Error`.
    "error::Error",
    "cut_error::Error",
];

/// Rules to come: `cargo xtask tidy --pending` says how many places break each. Move a line to [`RULES`] when
/// there is none.
pub(super) const PENDING: &[Rule] = &[];
