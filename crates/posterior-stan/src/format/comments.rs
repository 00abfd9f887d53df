//! Comments between statements.

use super::Printer;
use crate::span::Span;

/// The comments that are still to be written, and what was written last.
pub(super) struct Comments<'p> {
    text: &'p str,
    list: &'p [Span],
    next: usize,
    /// Where the last thing ended that a comment can stand behind.
    anchor: Option<u32>,
    /// Where the last thing ended: blank lines are counted from there. Nothing at the start of a block.
    last: Option<u32>,
}

impl<'p> Comments<'p> {
    pub(super) fn new(text: &'p str, list: &'p [Span]) -> Self {
        Self { text, list, next: 0, anchor: None, last: None }
    }

    fn newlines(&self, from: u32, to: u32) -> usize {
        let between = self.text.as_bytes().get(from as usize..to as usize).unwrap_or(&[]);
        between.split(|&byte| byte == b'\n').count() - 1
    }

    fn next_before(&mut self, end: u32) -> Option<Span> {
        let span = *self.list.get(self.next).filter(|span| span.start < end)?;
        self.next += 1;
        Some(span)
    }
}

impl Printer<'_> {
    /// Something ended here in the text: comments of the same line are written behind it.
    pub(super) fn ended(&mut self, end: u32) {
        self.comments.anchor = Some(end);
        self.comments.last = Some(end);
    }

    /// A block was opened: no blank line follows it.
    pub(super) fn opened(&mut self, end: u32) {
        self.comments.anchor = Some(end);
        self.comments.last = None;
    }

    /// Writes the comments before a place: behind what stands in their line, or in lines of their own.
    pub(super) fn comments_before(&mut self, start: u32) {
        while let Some(span) = self.comments.next_before(start) {
            let behind = self
                .comments
                .anchor
                .is_some_and(|end| end <= span.start && self.comments.newlines(end, span.start) == 0);
            let text = comment(span.of(self.comments.text));
            if behind && !self.out.is_empty() {
                self.append(&format!(" {text}"));
            } else {
                self.blank_line(span.start);
                let margin = "  ".repeat(self.indent);
                self.out.extend([margin.as_str(), &text, "\n"]);
            }
            if self.comments.last.is_some() || !behind {
                self.comments.last = Some(span.end);
            }
            if text.starts_with("//") {
                self.comments.anchor = None;
            }
        }
    }

    /// Writes the comments before a statement and those inside it, then a blank line if there was one.
    pub(super) fn before(&mut self, start: u32, end: u32) {
        self.comments_before(start);
        self.comments.anchor = None;
        self.comments_before(end);
        self.blank_line(start);
    }

    fn blank_line(&mut self, start: u32) {
        if self.comments.last.is_some_and(|last| self.comments.newlines(last, start) > 1) {
            self.out.push('\n');
        }
    }
}

/// A comment as it is written today, without spaces at its end.
fn comment(text: &str) -> String {
    let text = text.trim_end();
    text.strip_prefix('#').map_or_else(|| text.to_owned(), |rest| format!("//{rest}"))
}
