//! What is wrong with a program, and where.

use crate::span::Span;

/// How grave a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Severity {
    /// The program has no meaning.
    Error,
    /// The program has a meaning that may not be the wanted one.
    Warning,
    /// Old syntax that was understood, with how it is written today.
    Note,
}

/// One finding: what is wrong, where, and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// How grave it is.
    pub severity: Severity,
    /// The place.
    pub span: Span,
    /// What is wrong, in one sentence.
    pub message: String,
    /// What to do about it, or what is near.
    pub help: Vec<String>,
}

impl Diagnostic {
    /// A finding without help.
    pub(crate) fn new(severity: Severity, span: Span, message: impl Into<String>) -> Self {
        Self { severity, span, message: shortened(message.into()), help: Vec::new() }
    }

    /// An error without help.
    pub(crate) fn error(span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, span, message)
    }

    /// The same finding with a line of help.
    #[must_use]
    pub(crate) fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help.push(shortened(help.into()));
        self
    }

    /// The same finding with a line of help, if there is one.
    #[must_use]
    pub(crate) fn with_help_if(mut self, help: Option<String>) -> Self {
        self.help.extend(help);
        self
    }
}

/// A text of a length that is read: types can be as long as a program wants them.
fn shortened(text: String) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text,
    }
}

/// The most characters of a message.
const LONGEST: usize = 600;
