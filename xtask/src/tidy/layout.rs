//! Files: every module says what it is, is named for its idea, and `lib.rs` is a table of contents.

use syn::visit::{self, Visit};

use super::source::Source;

/// Names for whatever found no other place.
const VAGUE: [&str; 6] = ["common", "helper", "helpers", "misc", "util", "utils"];

/// The findings about names and module pages.
pub(super) fn check(source: &Source<'_>) -> Vec<(usize, String)> {
    let mut findings = Vec::new();
    if !source.text.starts_with("//!") {
        findings.push((1, "the file begins with `//!` and what the module is for".to_owned()));
    }
    if source.path.ends_with("/mod.rs") {
        findings.push((1, "no mod.rs: the module `foo` is foo.rs beside its folder foo/".to_owned()));
    }
    if let Some(part) = source.path.split('/').find(|part| VAGUE.contains(&part.trim_end_matches(".rs"))) {
        findings.push((1, format!("{part} names no idea; name the file for what it holds")));
    }
    if let Some((package, _)) =
        source.path.strip_prefix("crates/").and_then(|path| path.split_once("/examples/"))
    {
        let own =
            [package.replace('-', "_").as_str(), "std", "serde_json"].map(|root| format!("use {root}::"));
        let foreign = |line: &str| line.starts_with("use ") && !own.iter().any(|own| line.starts_with(own));
        let lines = source.text.lines().enumerate().filter(|(_, line)| foreign(line));
        findings.extend(
            lines.map(|(at, _)| (at + 1, format!("{package} re-exports what its users need: {}", own[0]))),
        );
    }
    if source.path.ends_with("/lib.rs") {
        let mut bodies = Bodies(Vec::new());
        bodies.visit_file(&source.tree);
        let lines = bodies.0.into_iter().filter(|&line| !source.is_test_line(line));
        findings.extend(
            lines.map(|line| (line, "lib.rs is a table of contents and has no functions".to_owned())),
        );
    }
    findings
}

/// The lines of the functions that have a body.
struct Bodies(Vec<usize>);

impl Bodies {
    fn push(&mut self, signature: &syn::Signature) {
        self.0.push(signature.fn_token.span.start().line);
    }
}

impl Visit<'_> for Bodies {
    fn visit_item_fn(&mut self, node: &syn::ItemFn) {
        self.push(&node.sig);
        visit::visit_item_fn(self, node);
    }

    fn visit_impl_item_fn(&mut self, node: &syn::ImplItemFn) {
        self.push(&node.sig);
        visit::visit_impl_item_fn(self, node);
    }

    fn visit_trait_item_fn(&mut self, node: &syn::TraitItemFn) {
        if node.default.is_some() {
            self.push(&node.sig);
        }
        visit::visit_trait_item_fn(self, node);
    }
}
