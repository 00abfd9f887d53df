//! Names: who knows whom, and which are allowed.

use std::collections::BTreeMap;

use super::Checker;
use crate::ast::{BlockKind, Name};
use crate::diagnostic::Diagnostic;
use crate::nearest::nearest;
use crate::signatures::function_names;
use crate::types::Type;

/// A variable that was declared.
#[derive(Debug, Clone)]
pub(super) struct Variable {
    pub(super) of: Type,
    /// Whether it holds data only.
    pub(super) data: bool,
    /// The block in which it was declared.
    pub(super) block: BlockKind,
    /// Whether it is declared at the top of its block, for those that follow.
    pub(super) global: bool,
    /// Why it cannot be assigned to.
    pub(super) fixed: Option<&'static str>,
}

/// The variables that are known, from the outer braces to the inner.
#[derive(Debug)]
pub(super) struct Scopes(Vec<BTreeMap<String, Variable>>);

impl Default for Scopes {
    fn default() -> Self {
        Self(vec![BTreeMap::new()])
    }
}

impl Scopes {
    pub(super) fn open(&mut self) {
        self.0.push(BTreeMap::new());
    }

    pub(super) fn close(&mut self) {
        self.0.pop();
    }

    pub(super) fn is_top(&self) -> bool {
        self.0.len() == 1
    }

    pub(super) fn get(&self, name: &str) -> Option<&Variable> {
        self.0.iter().rev().find_map(|scope| scope.get(name))
    }

    pub(super) fn insert(&mut self, name: &str, variable: Variable) {
        if let Some(scope) = self.0.last_mut() {
            scope.insert(name.to_owned(), variable);
        }
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().flat_map(BTreeMap::keys).map(String::as_str)
    }
}

/// After so many findings no more names are compared: it takes long where there are many.
const MOST_SUGGESTIONS: usize = 20;

/// Words that no program may use as names, though they mean nothing today.
const RESERVED: [&str; 15] = [
    "true",
    "false",
    "repeat",
    "until",
    "then",
    "struct",
    "typedef",
    "export",
    "auto",
    "extern",
    "var",
    "static",
    "transformed",
    "generated",
    "quantities",
];

impl Checker {
    /// What is wrong with a new name, whatever it stands for.
    pub(super) fn check_spelling(&mut self, name: &Name) {
        let text = name.text.as_str();
        let reason = if text.ends_with("__") {
            Some("names that end in two underscores belong to the compiler")
        } else if RESERVED.contains(&text) {
            Some("the word is reserved")
        } else if text.ends_with("_lupdf") || text.ends_with("_lupmf") {
            Some(
                "the suffixes `_lupdf` and `_lupmf` belong to densities without constants; define `_lpdf` or `_lpmf`",
            )
        } else {
            None
        };
        if let Some(reason) = reason {
            self.error(Diagnostic::error(name.span, format!("`{text}` cannot be a name")).with_help(reason));
        }
    }

    /// Declares a variable; its name must be new.
    pub(super) fn declare(&mut self, name: &Name, variable: Variable) {
        self.check_spelling(name);
        let text = name.text.as_str();
        if self.scopes.get(text).is_some() {
            let error = Diagnostic::error(name.span, format!("a variable `{text}` exists already"));
            self.error(error.with_help("an inner name cannot hide an outer one: choose another"));
        }
        self.scopes.insert(text, variable);
    }

    /// The error of a name that nothing has.
    pub(super) fn unknown_variable(&self, name: &str, span: crate::span::Span) -> Diagnostic {
        if self.found.findings.len() > MOST_SUGGESTIONS {
            return Diagnostic::error(span, format!("no variable `{name}` is declared here"));
        }
        let near = nearest(name, self.scopes.names().chain(self.functions.keys().map(String::as_str)));
        let error = Diagnostic::error(span, format!("no variable `{name}` is declared here"));
        error.with_help_if(near.map(|near| format!("did you mean `{near}`?")))
    }

    /// The known function that looks most like a name.
    pub(super) fn nearest_function(&self, name: &str) -> Option<String> {
        let mut known: Vec<&str> = self.functions.keys().map(String::as_str).collect();
        known.extend(function_names());
        known.extend_from_slice(&super::variadic::NAMES);
        nearest(name, known).map(str::to_owned)
    }
}
