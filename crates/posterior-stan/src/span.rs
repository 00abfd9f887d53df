//! Places in the text of a program.

/// A stretch of the text: byte offsets, the end excluded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// Where it begins.
    pub start: u32,
    /// Where it ends.
    pub end: u32,
}

impl Span {
    /// The stretch from `start` to `end`.
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start: start as u32, end: end as u32 }
    }

    /// The shortest stretch that holds both.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The text of the stretch.
    pub fn of(self, text: &str) -> &str {
        text.get(self.start as usize..self.end as usize).unwrap_or("")
    }
}

/// A line and a column of a text, both from 1; columns count characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
}

/// The line and column of a byte offset.
///
/// Cost: one walk over the text before it.
pub fn position(text: &str, offset: u32) -> Position {
    let before = text.as_bytes().get(..offset as usize).unwrap_or(text.as_bytes());
    let line = before.split(|&byte| byte == b'\n').count();
    let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let column = text.get(start..before.len()).map_or(0, |line| line.chars().count()) + 1;
    Position { line, column }
}

/// The line that holds a byte offset, without its end.
pub(crate) fn line_of(text: &str, offset: u32) -> &str {
    let at = (offset as usize).min(text.len());
    let start = text.as_bytes()[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let end = text.as_bytes()[at..].iter().position(|&byte| byte == b'\n').map_or(text.len(), |n| at + n);
    text.get(start..end).unwrap_or("").trim_end_matches('\r')
}
