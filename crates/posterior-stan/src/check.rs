//! The type checker: what every expression is, and what has no meaning.

mod assignments;
mod calls;
mod choice;
mod declarations;
mod distributions;
mod expressions;
mod functions;
mod indexing;
mod laplace;
mod old_names;
mod places;
mod scope;
mod statements;
mod variadic;

use std::collections::{BTreeMap, BTreeSet};

use crate::ast::{BlockKind, Statement, Tree};
use crate::diagnostic::{Diagnostic, Severity};
use crate::dialect::Dialect;
use crate::span::Span;
use crate::types::Type;
use places::Place;
use scope::Scopes;

/// What an expression is: its type, and whether it is known before sampling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExprType {
    /// The type.
    pub of: Type,
    /// Whether it depends on data only, not on parameters.
    pub data: bool,
}

impl ExprType {
    const fn new(of: Type, data: bool) -> Self {
        Self { of, data }
    }

    fn unknown() -> Self {
        Self::new(Type::Unknown, true)
    }
}

/// Which form of a function a call or an operator means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolved {
    /// The function, with the suffix that it is defined with.
    pub function: String,
    /// Types of its arguments: those given are promoted to them.
    pub args: Vec<Type>,
    /// What it returns; nothing if `void`.
    pub returns: Option<Type>,
    /// The definition's index in the block of functions; nothing if it is of the library.
    pub user: Option<usize>,
}

/// A function that the user defines.
#[derive(Debug, Clone)]
pub(crate) struct UserFunction {
    /// Whether each argument accepts data only, and its type.
    pub(crate) args: Vec<(bool, Type)>,
    pub(crate) returns: Option<Type>,
    /// Whether its body was seen, not its announcement only.
    pub(crate) defined: bool,
    /// Its index in the block.
    pub(crate) index: usize,
    pub(crate) span: Span,
}

/// The most findings of one program.
const MOST: usize = 100;

/// What the checker finds.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) types: Vec<Option<ExprType>>,
    pub(crate) calls: BTreeMap<u32, Resolved>,
    /// Those of distribution statements, by the place of the distribution's name.
    pub(crate) distributions: BTreeMap<Span, Resolved>,
    pub(crate) findings: Vec<Diagnostic>,
}

struct Checker {
    found: Found,
    functions: BTreeMap<String, Vec<UserFunction>>,
    /// What each function of the user calls.
    called: BTreeMap<String, BTreeSet<String>>,
    scopes: Scopes,
    place: Place,
    /// Loops around the statement.
    loops: usize,
    dialect: Dialect,
}

/// Checks a tree.
pub(crate) fn check(tree: &Tree, dialect: Dialect) -> Found {
    let found = Found { types: vec![None; tree.expressions as usize], ..Found::default() };
    let mut checker = Checker {
        found,
        functions: BTreeMap::new(),
        called: BTreeMap::new(),
        scopes: Scopes::default(),
        place: Place::default(),
        loops: 0,
        dialect,
    };
    if let Some(block) = &tree.functions {
        checker.functions(&block.definitions);
    }
    for block in &tree.blocks {
        checker.place = Place::block(block.kind);
        if block.kind == BlockKind::Model {
            checker.scopes.open();
        }
        checker.statements(&block.statements);
        if block.kind == BlockKind::Model {
            checker.scopes.close();
        }
    }
    checker.found
}

impl Checker {
    fn error(&mut self, error: Diagnostic) {
        if self.found.findings.len() < MOST {
            self.found.findings.push(error);
        }
    }

    fn warn(&mut self, span: Span, message: &str, help: &str) {
        self.error(Diagnostic::new(Severity::Warning, span, message).with_help(help));
    }

    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.statement(statement);
        }
    }
}
