//! The printer of programs: one form for each, comments kept.

mod comments;
mod expressions;
mod statements;

use std::fmt;

use crate::ast::{Expr, SizedType};
use crate::program::Program;
use comments::Comments;

/// The longest line, where it can be broken.
const WIDTH: usize = 80;

/// A place where a line may be broken; a space otherwise.
const BREAK: char = '\u{1}';

/// A printer: what was written, and the comments that are still to come.
struct Printer<'p> {
    out: String,
    indent: usize,
    comments: Comments<'p>,
}

impl Program {
    /// The program in its printed form: two spaces of indentation, at most 80 columns where that can be,
    /// braces around every body, comments kept, old syntax written as it is today.
    ///
    /// Printing what was printed changes nothing.
    pub fn format(&self) -> String {
        let comments = Comments::new(&self.source.text, &self.comments);
        let mut printer = Printer { out: String::new(), indent: 0, comments };
        printer.tree(&self.tree);
        printer.out
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.format())
    }
}

impl fmt::Display for SizedType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&expressions::sized(self).replace(BREAK, " "))
    }
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&expressions::expr(self).replace(BREAK, " "))
    }
}

impl Printer<'_> {
    /// Writes one logical line, broken where it is too long.
    fn line(&mut self, text: &str) {
        let width = WIDTH.saturating_sub(2 * self.indent);
        let margin = "  ".repeat(self.indent);
        self.out.push_str(&margin);
        if text.chars().count() <= width {
            self.out.push_str(&text.replace(BREAK, " "));
            self.out.push('\n');
            return;
        }
        let mut column = 0;
        for (at, piece) in text.split(BREAK).enumerate() {
            let length = piece.chars().count();
            if at > 0 && column + 1 + length > width {
                self.out.push('\n');
                self.out.push_str(&margin);
                self.out.push_str("    ");
                column = 4;
            } else if at > 0 {
                self.out.push(' ');
                column += 1;
            }
            self.out.push_str(piece);
            column += length;
        }
        self.out.push('\n');
    }

    /// Adds to the line that was written last.
    fn append(&mut self, text: &str) {
        if self.out.ends_with('\n') {
            self.out.pop();
        }
        self.out.push_str(text);
        self.out.push('\n');
    }
}
