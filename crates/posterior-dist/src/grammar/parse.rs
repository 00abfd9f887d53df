//! The grammar of written distributions.
//!
//! ```text
//! call     = name [ "(" [ argument { "," argument } [","] ] ")" ]
//! argument = [ name "=" ] value
//! value    = product { "+" product }
//! product  = factor { "*" factor }
//! factor   = number | "[" [ value { "," value } [","] ] "]" | call | "(" value ")"
//! number   = [ "+" | "-" ] ( digits … | "inf" | "infinity" | "nan" )
//! ```

use std::str::FromStr;

use super::error::TextError;
use super::syntax::{Argument, Call, Form, Value};

/// Distributions and lists within each other, at most: a text must not decide how deep the stack goes.
const DEEPEST: usize = 16;

/// What a value begins with, for messages.
const VALUE: &str = "a number, a list or a distribution";

impl FromStr for Call {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        let mut parser = Parser::of(text);
        let column = parser.column();
        let name = parser.name().ok_or_else(|| parser.expected("the name of a distribution"))?;
        let call = parser.call(name, column, 0)?;
        parser.end()?;
        Ok(call)
    }
}

impl FromStr for Value {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        let mut parser = Parser::of(text);
        let value = parser.value(0)?;
        parser.end()?;
        Ok(value)
    }
}

/// A text and the place reached in it, never at a space.
struct Parser {
    text: Vec<char>,
    at: usize,
}

impl Parser {
    fn of(text: &str) -> Self {
        let mut parser = Self { text: text.chars().collect(), at: 0 };
        parser.skip_spaces();
        parser
    }

    fn peek(&self) -> Option<char> {
        self.text.get(self.at).copied()
    }

    fn column(&self) -> usize {
        self.at + 1
    }

    fn skip_spaces(&mut self) {
        self.take_while(char::is_whitespace);
    }

    /// The longest piece of such letters.
    fn take_while(&mut self, is_part: impl Fn(char) -> bool) -> String {
        let rest = &self.text[self.at..];
        let length = rest.iter().take_while(|&&letter| is_part(letter)).count();
        let piece = rest[..length].iter().collect();
        self.at += length;
        piece
    }

    /// Whether the next letter is this one; it is taken then.
    fn take(&mut self, letter: char) -> bool {
        let there = self.peek() == Some(letter);
        if there {
            self.at += 1;
            self.skip_spaces();
        }
        there
    }

    fn expected(&self, what: &str) -> TextError {
        let found = self.peek().map_or_else(|| "the end".to_owned(), |letter| format!("{letter:?}"));
        TextError::expected(self.column(), what, &found)
    }

    fn end(&self) -> Result<(), TextError> {
        if self.at == self.text.len() { Ok(()) } else { Err(self.expected("the end")) }
    }

    fn name(&mut self) -> Option<String> {
        self.peek().filter(|letter| letter.is_alphabetic())?;
        let name = self.take_while(|letter| letter.is_alphanumeric() || letter == '_');
        self.skip_spaces();
        Some(name)
    }

    fn call(&mut self, name: String, column: usize, depth: usize) -> Result<Call, TextError> {
        let mut arguments = Vec::new();
        if self.take('(') {
            self.until(')', |parser| {
                arguments.push(parser.argument(depth + 1)?);
                Ok(())
            })?;
        }
        Ok(Call { name, column, arguments })
    }

    /// Items with commas between them, up to the closing bracket.
    fn until(
        &mut self,
        close: char,
        mut item: impl FnMut(&mut Self) -> Result<(), TextError>,
    ) -> Result<(), TextError> {
        while !self.take(close) {
            item(self)?;
            if !self.take(',') && self.peek() != Some(close) {
                return Err(self.expected(&format!("',' or {close:?}")));
            }
        }
        Ok(())
    }

    fn argument(&mut self, depth: usize) -> Result<Argument, TextError> {
        let (start, column) = (self.at, self.column());
        if let Some(name) = self.name()
            && self.take('=')
        {
            return Ok(Argument { name: Some(name), column, value: self.value(depth)? });
        }
        self.at = start;
        Ok(Argument { name: None, column, value: self.value(depth)? })
    }

    fn value(&mut self, depth: usize) -> Result<Value, TextError> {
        self.operated('+', Form::Sum, |parser| {
            parser.operated('*', Form::Product, |parser| parser.factor(depth))
        })
    }

    /// One part, or several with the operator between them.
    fn operated(
        &mut self,
        operator: char,
        form: fn(Vec<Value>) -> Form,
        mut part: impl FnMut(&mut Self) -> Result<Value, TextError>,
    ) -> Result<Value, TextError> {
        let first = part(self)?;
        if self.peek() != Some(operator) {
            return Ok(first);
        }
        let column = first.column;
        let mut parts = vec![first];
        while self.take(operator) {
            parts.push(part(self)?);
        }
        Ok(Value { column, form: form(parts) })
    }

    fn factor(&mut self, depth: usize) -> Result<Value, TextError> {
        let column = self.column();
        if depth > DEEPEST {
            return Err(TextError::new(
                column,
                format!("distributions and lists are nested more than {DEEPEST} deep"),
            ));
        }
        let form = match self.peek() {
            Some('[') => self.list(depth)?,
            Some('(') => {
                self.take('(');
                let value = self.value(depth + 1)?;
                if !self.take(')') {
                    return Err(self.expected("')'"));
                }
                return Ok(value);
            }
            Some(letter) if letter.is_alphabetic() => self.word(column, depth)?,
            Some(letter) if letter.is_ascii_digit() || "+-.".contains(letter) => self.number()?,
            _ => return Err(self.expected(VALUE)),
        };
        Ok(Value { column, form })
    }

    fn list(&mut self, depth: usize) -> Result<Form, TextError> {
        self.take('[');
        let mut items = Vec::new();
        self.until(']', |parser| {
            items.push(parser.value(depth + 1)?);
            Ok(())
        })?;
        Ok(Form::List(items))
    }

    /// `inf`, `nan`, or a distribution.
    fn word(&mut self, column: usize, depth: usize) -> Result<Form, TextError> {
        let name = self.name().ok_or_else(|| self.expected(VALUE))?;
        if self.peek() != Some('(')
            && let Some(number) = named_number(&name)
        {
            return Ok(Form::Number(number));
        }
        self.call(name, column, depth).map(Form::Distribution)
    }

    fn number(&mut self) -> Result<Form, TextError> {
        let column = self.column();
        let mut piece = self.take_while(|letter| "+-".contains(letter));
        let digits = self.take_while(|letter| letter.is_alphanumeric() || letter == '.');
        let exponent =
            digits.ends_with(['e', 'E']) && digits.starts_with(|c: char| c.is_ascii_digit() || c == '.');
        piece.push_str(&digits);
        if exponent {
            piece.push_str(&self.take_while(|letter| letter.is_ascii_digit() || "+-".contains(letter)));
        }
        self.skip_spaces();
        let number =
            piece.parse().map_err(|_| TextError::expected(column, "a number", &format!("{piece:?}")))?;
        Ok(Form::Number(number))
    }
}

/// The numbers that are words.
fn named_number(name: &str) -> Option<f64> {
    match name {
        "inf" | "infinity" => Some(f64::INFINITY),
        "nan" | "NaN" => Some(f64::NAN),
        _ => None,
    }
}
