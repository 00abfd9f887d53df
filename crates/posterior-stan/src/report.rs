//! What a person reads about a program: the texts of `posterior model check` and `posterior model fmt`.

use std::fmt::Write as _;

use crate::ast::{BlockKind, StatementKind};
use crate::diagnostics::Diagnostics;
use crate::dialect::Dialect;
use crate::program::{Program, TypedProgram};

/// What a checked program declares, block by block, with its warnings and notes.
///
/// `find` returns the text of an included file.
///
/// # Errors
/// All errors of syntax and of types, each with its place.
pub fn check_report(
    name: &str,
    text: &str,
    find: impl FnMut(&str) -> Option<String>,
) -> Result<String, Diagnostics> {
    let typed = Program::parse_with(name, text, Dialect::Any, find)?.check()?;
    let mut report = typed.summary();
    if !typed.findings().is_empty() {
        let _ = write!(report, "\n{}", typed.findings());
    }
    Ok(report)
}

/// The printed form of a program: [`Program::format`].
///
/// # Errors
/// All errors of syntax, each with its place; types are not checked. A program that includes files is
/// refused, as it would be printed with their text.
pub fn format_report(name: &str, text: &str) -> Result<String, Diagnostics> {
    Ok(Program::parse_file(name, text, Dialect::Any)?.format())
}

impl TypedProgram {
    /// The declarations of a program, a line for each, by block.
    pub fn summary(&self) -> String {
        let mut out = String::new();
        if let Some(block) = &self.tree().functions {
            let defined = block.definitions.iter().filter(|one| one.body.is_some());
            let names: Vec<&str> = defined.map(|one| one.name.text.as_str()).collect();
            let _ = writeln!(out, "functions: {}", names.join(", "));
        }
        for block in &self.tree().blocks {
            if block.kind == BlockKind::Model {
                let _ = writeln!(out, "model: {}", count(block.statements.len(), "statement"));
                continue;
            }
            let _ = writeln!(out, "{}:", block.kind.name());
            for statement in &block.statements {
                let StatementKind::Declare(declaration) = &statement.kind else {
                    continue;
                };
                for (name, _) in &declaration.variables {
                    let _ = writeln!(out, "  {}: {}", name.text, declaration.sized);
                }
            }
        }
        out
    }
}

fn count(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}
