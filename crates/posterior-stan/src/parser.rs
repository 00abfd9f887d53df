//! Recursive descent from tokens to the tree.

mod blocks;
mod declarations;
mod expressions;
mod old_calls;
mod statements;

use std::collections::{BTreeMap, BTreeSet};

use crate::ast::{Expr, ExprKind, Name};
use crate::diagnostic::{Diagnostic, Severity};
use crate::lexer::Tokens;
use crate::span::Span;
use crate::token::Token;

/// The deepest nesting of expressions and statements, so that no text exhausts the stack.
pub(crate) const DEEPEST: usize = 400;

/// The most errors of syntax that are reported.
const MOST_ERRORS: usize = 20;

type Parsed<T> = Result<T, Diagnostic>;

/// A walk over the tokens of one text.
pub(crate) struct Parser<'a> {
    text: &'a str,
    tokens: &'a [(Token, Span)],
    at: usize,
    depth: usize,
    next_id: u32,
    /// Whether the braces that were tried as arrays are arrays, by token.
    arrays: BTreeMap<usize, bool>,
    /// The functions that were defined above.
    defined: BTreeSet<String>,
    /// What stopped the lexer: the reason why the tokens end.
    stopped: Option<&'a Diagnostic>,
    pub(crate) errors: Vec<Diagnostic>,
    /// Old syntax that was understood.
    pub(crate) notes: Vec<Diagnostic>,
}

impl<'a> Parser<'a> {
    pub(crate) fn new(text: &'a str, tokens: &'a Tokens) -> Self {
        Self {
            text,
            tokens: &tokens.list,
            at: 0,
            depth: 0,
            next_id: 0,
            arrays: BTreeMap::new(),
            defined: BTreeSet::new(),
            stopped: tokens.error.as_ref(),
            errors: Vec::new(),
            notes: tokens.notes.clone(),
        }
    }

    fn peek(&self) -> Token {
        self.tokens[self.at].0
    }

    fn peek_after(&self) -> Token {
        self.tokens.get(self.at + 1).map_or(Token::End, |one| one.0)
    }

    fn span(&self) -> Span {
        self.tokens[self.at].1
    }

    /// The end of the token before.
    fn last(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].1
    }

    /// From a start to the end of the token before.
    fn since(&self, start: Span) -> Span {
        start.to(self.last())
    }

    /// Takes a token; its place.
    fn next(&mut self) -> Span {
        let span = self.span();
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        span
    }

    fn is(&self, sign: &str) -> bool {
        matches!(self.peek(), Token::Sign(other) if other == sign)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Word(other) if other == word)
    }

    fn take(&mut self, sign: &str) -> bool {
        let there = self.is(sign);
        if there {
            self.next();
        }
        there
    }

    fn expect(&mut self, sign: &str) -> Parsed<Span> {
        if self.is(sign) { Ok(self.next()) } else { Err(self.unexpected(&format!("`{sign}`"))) }
    }

    fn expect_word(&mut self, word: &str) -> Parsed<Span> {
        if self.is_word(word) { Ok(self.next()) } else { Err(self.unexpected(&format!("`{word}`"))) }
    }

    /// The error of a token that cannot stand here.
    fn unexpected(&self, expected: &str) -> Diagnostic {
        if let (Token::End, Some(stopped)) = (self.peek(), self.stopped) {
            return stopped.clone();
        }
        let found = match self.peek() {
            Token::Name => format!("`{}`", self.span().of(self.text).chars().take(60).collect::<String>()),
            other => other.to_string(),
        };
        let mut error = Diagnostic::error(self.span(), format!("expected {expected}, found {found}"));
        let between = Span { start: self.last().end, end: self.span().start };
        if expected.contains("`;`") && self.peek() != Token::End && between.of(self.text).contains('\n') {
            let line = crate::span::position(self.text, self.last().start).line;
            error = error.with_help(format!("is a `;` missing at the end of line {line}?"));
        }
        if expected.starts_with("the name")
            && let Token::Word(word) | Token::Block(word) = self.peek()
        {
            error = error.with_help(format!("`{word}` is a word of the language and cannot be a name"));
        }
        error
    }

    fn name(&mut self, what: &str) -> Parsed<Name> {
        if self.peek() == Token::Name || self.is_old_name() {
            let span = self.next();
            return Ok(Name { text: span.of(self.text).to_owned(), span });
        }
        Err(self.unexpected(what))
    }

    /// A word that programs before 2.33 may have as a name.
    fn is_old_name(&mut self) -> bool {
        let old = ["offset", "multiplier", "lower", "upper"].into_iter().find(|word| self.is_word(word));
        if let Some(word) = old {
            self.note(
                self.span(),
                format!("`{word}` as a name"),
                "today it is a word of the language: rename it",
            );
        }
        old.is_some()
    }

    fn note(&mut self, span: Span, message: String, today: &str) {
        self.notes.push(Diagnostic::new(Severity::Note, span, message).with_help(today));
    }

    fn expr(&mut self, kind: ExprKind, span: Span, depth: usize) -> Parsed<Expr> {
        if depth > DEEPEST {
            return Err(too_deep(span));
        }
        let id = self.next_id;
        self.next_id += 1;
        Ok(Expr { id, kind, span, depth: depth as u16 })
    }

    /// Runs one level deeper, if the limit allows it.
    fn deeper<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= DEEPEST {
            return Err(too_deep(self.span()));
        }
        self.depth += 1;
        let parsed = parse(self);
        self.depth -= 1;
        parsed
    }

    /// Members with commas between them, up to `close`, which is taken.
    fn list<T>(&mut self, close: &str, mut member: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut list = vec![member(self)?];
        while self.take(",") {
            list.push(member(self)?);
        }
        if self.take(close) { Ok(list) } else { Err(self.unexpected(&format!("`,` or `{close}`"))) }
    }
}

fn too_deep(span: Span) -> Diagnostic {
    let start = Span { start: span.start, end: span.start + 1 };
    let error = Diagnostic::error(start, format!("nested deeper than {DEEPEST} levels"));
    error.with_help("give parts of it a name: a variable for each, or a function")
}
