//! Small crates with knots and without.

use super::*;
use crate::modules::{self, tests::files};

/// The knots of a crate with these files below `src/`, as `parent: members`.
fn knots(sources: &[(&str, &str)]) -> Vec<String> {
    found(sources).iter().map(|knot| format!("{}: {}", knot.parent, knot.members.join(" "))).collect()
}

fn found(sources: &[(&str, &str)]) -> Vec<Knot> {
    let named: Vec<(String, &str)> =
        sources.iter().map(|(name, text)| (format!("c/src/{name}.rs"), *text)).collect();
    let borrowed: Vec<(&str, &str)> = named.iter().map(|(name, text)| (name.as_str(), *text)).collect();
    let modules = modules::modules(&files(&borrowed), "c/src/lib.rs").expect("the files are there");
    of("c", &modules)
}

const NONE: [&str; 0] = [];

#[test]
fn one_direction_is_an_order_and_both_are_a_knot() {
    let lib = ("lib", "mod a; mod b;");
    assert_eq!(knots(&[lib, ("a", "use crate::b::B;"), ("b", "struct B;")]), NONE);
    assert_eq!(knots(&[lib, ("a", "use crate::b::B;"), ("b", "use super::a;")]), [": a b"]);
}

#[test]
fn a_knot_of_three_names_the_use_that_closes_it() {
    let knots = found(&[
        ("lib", "mod a; mod b; mod c;"),
        ("a", "use crate::b::B;\nfn f() { crate::b::g() }"),
        ("b", "use crate::c::{C, D};\nuse crate::c::E;"),
        ("c", "\nfn f() -> super::a::A { todo() }"),
    ]);
    assert_eq!(knots.len(), 1);
    assert_eq!(
        knots[0].to_string(),
        "c: in its root the modules a, b, c use each other\n    c uses a: c/src/c.rs:2"
    );
}

#[test]
fn a_parent_and_its_children_are_no_knot() {
    let tree = [("lib", "mod a;"), ("a", "mod b;\nuse self::b::B;\nstruct A;"), ("a/b", "use super::A;")];
    assert_eq!(knots(&tree), NONE);
}

#[test]
fn children_tie_their_parents() {
    let tree = [
        ("lib", "mod a; mod b;"),
        ("a", "mod x;"),
        ("a/x", "use crate::b::y::Y;"),
        ("b", "mod y; mod z;"),
        ("b/y", "struct Y;"),
        ("b/z", "use crate::a::x;"),
    ];
    assert_eq!(knots(&tree), [": a b"]);
}

#[test]
fn what_a_parent_passes_on_counts_for_the_module_that_defines_it() {
    let tree = |lib| [("lib", lib), ("a", "use super::B;"), ("b", "use super::a::A; struct B;")];
    assert_eq!(knots(&tree("mod a; mod b; pub use b::B;")), [": a b"]);
    assert_eq!(knots(&tree("mod a; mod b; pub use self::b::*;")), [": a b"]);
    assert_eq!(knots(&tree("mod a; mod b; struct B;")), NONE);
}

#[test]
fn macros_are_read_and_tests_are_not() {
    let lib = ("lib", "mod a; mod b;");
    let b = ("b", "use crate::a::A;");
    assert_eq!(knots(&[lib, ("a", "fn f() { vec![x, (super::b::g())] }"), b]), [": a b"]);
    assert_eq!(knots(&[lib, ("a", "#[cfg(test)] mod tests { use super::super::b::B; }"), b]), NONE);
    assert_eq!(knots(&[lib, ("a", "#[cfg(test)]\nuse crate::b::B;"), b]), NONE);
    assert_eq!(knots(&[lib, ("a", "/// [`B`](crate::b::B)\nfn f() {}"), b]), NONE);
}

#[test]
fn names_out_of_the_crate_lead_nowhere() {
    let tree = [("lib", "mod a; mod b;"), ("a", "use b::B; use std::fmt;"), ("b", "use crate::a::fmt;")];
    assert_eq!(knots(&tree), NONE);
}

#[test]
fn the_list_holds_what_is_found_and_nothing_else() {
    let found = found(&[("lib", "mod a; mod b;"), ("a", "use crate::b::B;"), ("b", "use super::a;")]);
    assert_eq!(judge_by(&[("c", "", "a b")], &found).findings.len(), 0);
    let fresh = judge_by(&[], &found).findings;
    assert!(fresh[0].contains("(\"c\", \"\", \"a b\"),"), "{fresh:?}");
    let grown = judge_by(&[("c", "", "a b x")], &found).findings;
    assert_eq!(grown.len(), 2, "{grown:?}");
    assert!(judge_by(&[("c", "", "a b")], &[]).findings[0].contains("no knot any more"));
}
