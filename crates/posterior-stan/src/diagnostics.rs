//! The findings of a program, with the text that they are about.

use std::fmt;

use crate::diagnostic::{Diagnostic, Severity};
use crate::source::SourceFile;
use crate::span::{Position, line_of};

/// The findings of one program with its text: an error that prints each place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostics {
    source: SourceFile,
    list: Vec<Diagnostic>,
}

impl Diagnostics {
    pub(crate) fn new(source: SourceFile, mut list: Vec<Diagnostic>) -> Self {
        list.dedup_by(|a, b| a.span == b.span && a.message == b.message);
        Self { source, list }
    }

    /// The findings in the order in which they were made: those of syntax first, then by block.
    pub fn as_slice(&self) -> &[Diagnostic] {
        &self.list
    }

    /// Whether there is nothing to report.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether one of the findings is an error.
    pub fn has_errors(&self) -> bool {
        self.list.iter().any(|one| one.severity == Severity::Error)
    }

    /// The line and column of a finding, in the file that holds it.
    pub fn position(&self, finding: &Diagnostic) -> Position {
        self.source.place(finding.span.start).1
    }

    /// The name of the file that holds a finding: the program's, or one that it includes.
    pub fn file(&self, finding: &Diagnostic) -> &str {
        self.source.place(finding.span.start).0
    }
}

/// The longest piece of a line that is shown around a place.
const WIDEST: usize = 100;

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, one) in self.list.iter().enumerate() {
            if at > 0 {
                writeln!(f)?;
            }
            self.show(f, one)?;
        }
        Ok(())
    }
}

impl Diagnostics {
    fn show(&self, f: &mut fmt::Formatter<'_>, one: &Diagnostic) -> fmt::Result {
        let kind = match one.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        };
        let (file, Position { line, column }) = self.source.place(one.span.start);
        writeln!(f, "{kind}: {}", one.message)?;
        writeln!(f, "  --> {file}:{line}:{column}")?;
        let text = line_of(&self.source.text, one.span.start);
        let first = if column > WIDEST { column - WIDEST / 2 } else { 1 };
        let shown = text.chars().skip(first - 1).take(WIDEST).map(|c| if c == '\t' { ' ' } else { c });
        let shown = shown.collect::<String>();
        let margin = line.to_string();
        let blank = " ".repeat(margin.len());
        writeln!(f, "{blank} |")?;
        writeln!(f, "{margin} | {}", shown.trim_end())?;
        let length = one.span.of(&self.source.text).lines().next().unwrap_or("").chars().count();
        let length = length.clamp(1, (WIDEST + first).saturating_sub(column).max(1));
        writeln!(f, "{blank} | {}{}", " ".repeat(column - first), "^".repeat(length))?;
        for help in &one.help {
            writeln!(f, "{blank} = {help}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostics {}
