//! Text into tokens and comments.

use crate::diagnostic::{Diagnostic, Severity};
use crate::span::Span;
use crate::token::{KEYWORDS, SIGNS, Token};

/// The tokens of a text; the last is [`Token::End`].
#[derive(Debug, Default)]
pub(crate) struct Tokens {
    pub(crate) list: Vec<(Token, Span)>,
    pub(crate) comments: Vec<Span>,
    /// Old syntax that was understood.
    pub(crate) notes: Vec<Diagnostic>,
    /// What could not be read: reading ended there.
    pub(crate) error: Option<Diagnostic>,
}

/// The longest name: longer ones are refused, whatever they stand for.
const LONGEST_NAME: usize = 1000;

/// Splits a text into tokens.
pub(crate) fn tokenize(text: &str) -> Tokens {
    let mut lexer = Lexer { text, bytes: text.as_bytes(), at: 0, out: Tokens::default() };
    if let Err(error) = lexer.run() {
        lexer.out.error = Some(error);
    }
    let end = lexer.at.min(text.len());
    let end = lexer.out.error.as_ref().map_or(Span::new(end, end), |error| error.span);
    lexer.out.list.push((Token::End, end));
    lexer.out
}

struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    out: Tokens,
}

impl Lexer<'_> {
    fn run(&mut self) -> Result<(), Diagnostic> {
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' | 0x0c => self.at += 1,
                b'#' => self.hash()?,
                b'/' if self.next_is("//") => self.line_comment(),
                b'/' if self.next_is("/*") => self.block_comment()?,
                b'a'..=b'z' | b'A'..=b'Z' => self.word()?,
                b'0'..=b'9' => self.number()?,
                b'.' if self.digit(self.at + 1) => self.dot_number()?,
                b'"' => self.quoted()?,
                _ => self.sign()?,
            }
        }
        Ok(())
    }

    fn next_is(&self, word: &str) -> bool {
        self.bytes[self.at..].starts_with(word.as_bytes())
    }

    fn digit(&self, at: usize) -> bool {
        self.bytes.get(at).is_some_and(u8::is_ascii_digit)
    }

    fn push(&mut self, token: Token, start: usize) {
        self.out.list.push((token, Span::new(start, self.at)));
    }

    fn rest_of_line(&self) -> usize {
        let rest = &self.bytes[self.at..];
        rest.iter().position(|&byte| byte == b'\n').map_or(self.bytes.len(), |n| self.at + n)
    }

    fn line_comment(&mut self) {
        let end = self.rest_of_line();
        self.out.comments.push(Span::new(self.at, end));
        self.at = end;
    }

    fn block_comment(&mut self) -> Result<(), Diagnostic> {
        let start = self.at;
        let Some(length) = self.text[start + 2..].find("*/") else {
            self.at = self.bytes.len();
            let here = Span::new(self.at, self.at);
            let error = Diagnostic::error(here, "the file ends inside a comment");
            return Err(error.with_help(format!(
                "the comment begins in line {}; close it by `*/`",
                crate::span::position(self.text, start as u32).line
            )));
        };
        self.at = start + length + 4;
        self.out.comments.push(Span::new(start, self.at));
        Ok(())
    }

    /// `#include` is refused here: files are joined before ([`crate::Program::parse_with`]).
    fn hash(&mut self) -> Result<(), Diagnostic> {
        let span = Span::new(self.at, self.rest_of_line());
        if span.of(self.text).starts_with("#include") {
            let error = Diagnostic::error(span, "`#include` names a file that is not here");
            return Err(error.with_help("give a function that finds files, or paste the text here"));
        }
        let note = Diagnostic::new(Severity::Note, span, "a comment that begins with `#`");
        self.out.notes.push(note.with_help("today: `//`"));
        self.line_comment();
        Ok(())
    }

    fn word(&mut self) -> Result<(), Diagnostic> {
        let start = self.at;
        self.at = self.word_end(start);
        let word = &self.text[start..self.at];
        if word.len() > LONGEST_NAME {
            let span = Span::new(start, start + 20);
            return Err(Diagnostic::error(
                span,
                format!("a name of {} letters; at most {LONGEST_NAME}", word.len()),
            ));
        }
        let joined = match word {
            "transformed" => ["data", "parameters"].iter().find_map(|second| self.second(second)),
            "generated" => self.second("quantities"),
            _ => None,
        };
        if let Some((second, end)) = joined {
            self.at = end;
            let name = match second {
                "data" => "transformed data",
                "parameters" => "transformed parameters",
                _ => "generated quantities",
            };
            self.push(Token::Block(name), start);
            return Ok(());
        }
        let token = KEYWORDS.iter().find(|&&keyword| keyword == word);
        self.push(token.map_or(Token::Name, |keyword| Token::Word(keyword)), start);
        Ok(())
    }

    fn word_end(&self, start: usize) -> usize {
        let length =
            self.bytes[start..].iter().position(|&byte| !(byte.is_ascii_alphanumeric() || byte == b'_'));
        length.map_or(self.bytes.len(), |n| start + n)
    }

    /// The second word of a block's name, and where it ends.
    fn second(&self, word: &'static str) -> Option<(&'static str, usize)> {
        let rest = &self.bytes[self.at..];
        let start = self.at + rest.iter().position(|byte| !byte.is_ascii_whitespace())?;
        let end = self.word_end(start);
        (start > self.at && &self.text[start..end] == word).then_some((word, end))
    }

    /// Digits with single underscores between them, from `at`; the place after them.
    fn digits(&self, mut at: usize) -> usize {
        while self.digit(at)
            || (self.bytes.get(at) == Some(&b'_') && self.digit(at - 1) && self.digit(at + 1))
        {
            at += 1;
        }
        at
    }

    fn exponent(&self, at: usize) -> usize {
        if !matches!(self.bytes.get(at), Some(b'e' | b'E')) {
            return at;
        }
        let sign = usize::from(matches!(self.bytes.get(at + 1), Some(b'+' | b'-')));
        if self.digit(at + 1 + sign) { self.digits(at + 1 + sign) } else { at }
    }

    fn number(&mut self) -> Result<(), Diagnostic> {
        let start = self.at;
        let mut token = Token::Int;
        self.at = self.digits(start);
        // `1.*x` is a number and a product; `1 .* x` is written with a space.
        if self.bytes.get(self.at) == Some(&b'.') {
            token = Token::Real;
            self.at = self.digits_after_point(self.at + 1);
        }
        let end = self.exponent(self.at);
        if end > self.at {
            token = Token::Real;
            self.at = end;
        }
        self.finish_number(token, start)
    }

    fn digits_after_point(&self, at: usize) -> usize {
        if self.digit(at) { self.digits(at) } else { at }
    }

    fn dot_number(&mut self) -> Result<(), Diagnostic> {
        let start = self.at;
        self.at = self.digits(start + 1);
        let end = self.exponent(self.at);
        let token = if end > self.at { Token::Real } else { Token::Dot };
        self.at = end;
        self.finish_number(token, start)
    }

    fn finish_number(&mut self, mut token: Token, start: usize) -> Result<(), Diagnostic> {
        if self.bytes.get(self.at) == Some(&b'i') && self.word_end(self.at) == self.at + 1 {
            token = Token::Imaginary;
            self.at += 1;
        }
        self.push(token, start);
        if self.bytes.get(self.at) == Some(&b'_') {
            let span = Span::new(self.at, self.at + 1);
            let error = Diagnostic::error(span, "an underscore in a number that is not between two digits");
            return Err(error.with_help("write 10_000, with one underscore between digits"));
        }
        Ok(())
    }

    fn quoted(&mut self) -> Result<(), Diagnostic> {
        let start = self.at;
        let rest = &self.text[start + 1..];
        let end = rest.find(|c: char| c == '"' || (c.is_control() && c != '\t'));
        match end {
            Some(length) if rest.as_bytes()[length] == b'"' => {
                self.at = start + length + 2;
                self.push(Token::Text, start);
                Ok(())
            }
            _ => {
                let error =
                    Diagnostic::error(Span::new(start, start + 1), "a text in quotes without its end");
                Err(error.with_help("close it by `\"` in the same line"))
            }
        }
    }

    fn sign(&mut self) -> Result<(), Diagnostic> {
        let start = self.at;
        if let Some(sign) = SIGNS.iter().find(|sign| self.next_is(sign)).filter(|sign| **sign != "&") {
            self.at += sign.len();
            self.push(Token::Sign(sign), start);
            return Ok(());
        }
        let found = self.text[start..].chars().next().unwrap_or(' ');
        let span = Span::new(start, start + found.len_utf8());
        let error = Diagnostic::error(span, format!("the character {found:?} has no meaning here"));
        let help = match found {
            '&' => Some("and is written `&&`"),
            '.' => Some("a name has letters, digits and underscores only"),
            '_' => Some("a name begins with a letter"),
            _ => None,
        };
        Err(error.with_help_if(help.map(str::to_owned)))
    }
}
