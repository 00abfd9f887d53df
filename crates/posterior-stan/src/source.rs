//! The text of a program with the files that it includes.

use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::span::{Position, Span, position};

/// The deepest chain of files that include each other.
const DEEPEST: usize = 20;

/// The longest text, included files counted as often as they are named.
const LONGEST: usize = 1 << 26;

/// A stretch of the text that comes from one file without a break.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Piece {
    /// Where it begins in the joined text.
    at: u32,
    name: Arc<str>,
    /// The line of its file in which it begins, from 1.
    line: usize,
}

/// The joined text, and which file each part of it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SourceFile {
    pub(crate) text: Arc<str>,
    pieces: Arc<[Piece]>,
}

impl SourceFile {
    /// A text that includes nothing.
    pub(crate) fn plain(name: &str, text: &str) -> Self {
        let piece = Piece { at: 0, name: Arc::from(name), line: 1 };
        Self { text: Arc::from(text), pieces: Arc::from([piece]) }
    }

    /// The file, line and column of a byte of the joined text.
    pub(crate) fn place(&self, offset: u32) -> (&str, Position) {
        let after = self.pieces.partition_point(|piece| piece.at <= offset);
        let piece = &self.pieces[after.saturating_sub(1)];
        let rest = self.text.get(piece.at as usize..).unwrap_or("");
        let Position { line, column } = position(rest, offset - piece.at);
        (&piece.name, Position { line: line + piece.line - 1, column })
    }

    /// Replaces each line `#include NAME` by the file that `find` returns for the name.
    pub(crate) fn join(
        name: &str,
        text: &str,
        find: &mut dyn FnMut(&str) -> Option<String>,
    ) -> Result<Self, (Self, Diagnostic)> {
        let mut joined = Joined { text: String::new(), pieces: Vec::new(), error: None };
        joined.add(&Arc::from(name), text, find, 0);
        let source = Self { text: Arc::from(joined.text), pieces: Arc::from(joined.pieces) };
        match joined.error {
            Some(error) => Err((source, error)),
            None => Ok(source),
        }
    }
}

struct Joined {
    text: String,
    pieces: Vec<Piece>,
    error: Option<Diagnostic>,
}

impl Joined {
    fn add(
        &mut self,
        name: &Arc<str>,
        text: &str,
        find: &mut dyn FnMut(&str) -> Option<String>,
        depth: usize,
    ) {
        self.piece(name, 1);
        let mut in_comment = false;
        for (at, line) in text.split_inclusive('\n').enumerate() {
            let included = if in_comment { None } else { included(line) };
            let start = self.text.len();
            self.text.push_str(line);
            in_comment = ends_in_comment(line, in_comment);
            let Some(file) = included else {
                continue;
            };
            let span = Span::new(start, start + line.trim_end().len());
            let inner = if depth < DEEPEST && self.text.len() < LONGEST { find(file) } else { None };
            let Some(inner) = inner else {
                self.error.get_or_insert_with(|| missing(file, span, depth));
                continue;
            };
            self.text.truncate(start);
            self.add(&Arc::from(file), &inner, find, depth + 1);
            if !self.text.ends_with('\n') {
                self.text.push('\n');
            }
            self.piece(name, at + 2);
        }
    }

    fn piece(&mut self, name: &Arc<str>, line: usize) {
        self.pieces.push(Piece { at: self.text.len() as u32, name: Arc::clone(name), line });
    }
}

fn missing(file: &str, span: Span, depth: usize) -> Diagnostic {
    if depth >= DEEPEST {
        let error = Diagnostic::error(span, format!("files include each other {DEEPEST} deep"));
        return error.with_help("does one of them include itself?");
    }
    let error = Diagnostic::error(span, format!("the file `{file}` is not found"));
    error.with_help("give the folder that holds it, or paste its text here")
}

/// The file that a line includes.
fn included(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix("#include")?;
    let name = rest.trim();
    let quoted = name.strip_prefix('"').and_then(|rest| rest.split_once('"'));
    let quoted = quoted.or_else(|| name.strip_prefix('<').and_then(|rest| rest.split_once('>')));
    let name = quoted.map_or_else(|| name.split_whitespace().next().unwrap_or(""), |(name, _)| name);
    (rest.starts_with([' ', '\t', '"', '<']) && !name.is_empty()).then_some(name)
}

/// Whether a comment `/* */` is open after a line.
fn ends_in_comment(line: &str, mut open: bool) -> bool {
    let bytes = line.as_bytes();
    let (mut at, mut quoted) = (0, false);
    while at < bytes.len() {
        let two = bytes.get(at..at + 2).unwrap_or(&[]);
        match two {
            b"*/" if open => {
                open = false;
                at += 1;
            }
            b"/*" if !open && !quoted => {
                open = true;
                at += 1;
            }
            b"//" if !open && !quoted => return false,
            _ if bytes[at] == b'"' && !open => quoted = !quoted,
            _ => {}
        }
        at += 1;
    }
    open
}
