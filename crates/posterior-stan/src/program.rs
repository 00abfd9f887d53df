//! A program: its text and its tree.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::ast::{Distribution, Expr, Tree};
use crate::check::{ExprType, Resolved, check};
use crate::diagnostic::{Diagnostic, Severity};
use crate::diagnostics::Diagnostics;
use crate::dialect::Dialect;
use crate::lexer::tokenize;
use crate::parser::Parser;
use crate::source::SourceFile;
use crate::span::Span;

/// A program that was read: its text, its tree, its comments.
#[derive(Debug, Clone, PartialEq)]
pub struct Program {
    pub(crate) source: SourceFile,
    pub(crate) tree: Tree,
    pub(crate) comments: Vec<Span>,
    pub(crate) notes: Vec<Diagnostic>,
    pub(crate) dialect: Dialect,
}

impl Program {
    /// Reads a program; old syntax is understood.
    ///
    /// # Errors
    /// All errors of syntax, each with its place.
    pub fn parse(text: &str) -> Result<Self, Diagnostics> {
        Self::parse_file("program.stan", text, Dialect::Any)
    }

    /// Reads a program that messages call `name`.
    ///
    /// # Errors
    /// All errors of syntax, each with its place.
    pub fn parse_file(name: &str, text: &str, dialect: Dialect) -> Result<Self, Diagnostics> {
        Self::read(SourceFile::plain(name, text), dialect)
    }

    /// Reads a program that may include files: `find` returns the text of the file that `#include` names.
    ///
    /// # Errors
    /// A file that is not found, files that include themselves, and all errors of syntax; each with its file.
    pub fn parse_with(
        name: &str,
        text: &str,
        dialect: Dialect,
        mut find: impl FnMut(&str) -> Option<String>,
    ) -> Result<Self, Diagnostics> {
        let source = SourceFile::join(name, text, &mut find)
            .map_err(|(source, error)| Diagnostics::new(source, vec![error]))?;
        Self::read(source, dialect)
    }

    fn read(source: SourceFile, dialect: Dialect) -> Result<Self, Diagnostics> {
        let text = Arc::clone(&source.text);
        if text.len() > u32::MAX as usize / 2 {
            let error = Diagnostic::error(Span::default(), "a program of more than 2 GB");
            return Err(Diagnostics::new(SourceFile::plain("program", ""), vec![error]));
        }
        let tokens = tokenize(&text);
        let mut parser = Parser::new(&text, &tokens);
        let tree = parser.program();
        let (mut errors, mut notes) = (parser.errors, parser.notes);
        if dialect == Dialect::Current {
            errors.extend(notes.drain(..).map(|note| Diagnostic { severity: Severity::Error, ..note }));
            errors.sort_by_key(|error| error.span.start);
        }
        if !errors.is_empty() {
            errors.extend(notes);
            return Err(Diagnostics::new(source, errors));
        }
        Ok(Self { source, tree, comments: tokens.comments, notes, dialect })
    }

    /// The tree.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The text that was read, with that of included files.
    pub fn text(&self) -> &str {
        &self.source.text
    }

    /// The comments, in their order.
    pub fn comments(&self) -> impl Iterator<Item = &str> {
        self.comments.iter().map(|span| span.of(&self.source.text))
    }

    /// Old syntax that was understood, with how it is written today.
    pub fn notes(&self) -> Diagnostics {
        Diagnostics::new(self.source.clone(), self.notes.clone())
    }
}

impl Program {
    /// Finds the type of each expression, or all errors.
    ///
    /// # Errors
    /// What has no meaning, each with its place; warnings and notes come with them.
    pub fn check(&self) -> Result<TypedProgram, Diagnostics> {
        let found = check(&self.tree, self.dialect);
        let mut findings = self.notes.clone();
        findings.extend(found.findings);
        // Errors stay in the order in which they were found: the first is the cause of others.
        let place = |one: &Diagnostic| if one.severity == Severity::Error { 0 } else { one.span.start };
        findings.sort_by_key(|one| (one.severity, place(one)));
        let findings = Diagnostics::new(self.source.clone(), findings);
        if findings.has_errors() {
            return Err(findings);
        }
        Ok(TypedProgram {
            program: self.clone(),
            types: found.types,
            calls: found.calls,
            distributions: found.distributions,
            findings,
        })
    }
}

/// A program whose every expression has a type.
#[derive(Debug, Clone, PartialEq)]
pub struct TypedProgram {
    program: Program,
    types: Vec<Option<ExprType>>,
    calls: BTreeMap<u32, Resolved>,
    distributions: BTreeMap<Span, Resolved>,
    findings: Diagnostics,
}

impl TypedProgram {
    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The tree.
    pub fn tree(&self) -> &Tree {
        &self.program.tree
    }

    /// The type of an expression of this program; nothing of names that stand for functions.
    pub fn type_of(&self, expr: &Expr) -> Option<&ExprType> {
        self.types.get(expr.id as usize)?.as_ref()
    }

    /// The function that a call, an operator or a function's name means here. Of `x += y` it is kept with
    /// `x`.
    ///
    /// Functions that pass arguments on (`reduce_sum`, `ode_rk45`, ...) have no types of arguments there; the
    /// function that they are given has its own entry, under the expression that names it.
    pub fn resolved(&self, expr: &Expr) -> Option<&Resolved> {
        self.calls.get(&expr.id)
    }

    /// The density that a distribution statement adds.
    pub fn density(&self, statement: &Distribution) -> Option<&Resolved> {
        self.distributions.get(&statement.name.span)
    }

    /// Warnings, and notes of old syntax.
    pub fn findings(&self) -> &Diagnostics {
        &self.findings
    }
}
