//! Formulas from text, with R's precedence of operators.

use posterior_dist::text::TextError;

use super::expression::{Argument, Expression, Form, Operator, in_name};

/// Parentheses and signs within each other.
const DEEPEST: usize = 100;

/// Operators of a formula: it is a tree that is as deep.
const MOST: usize = 2000;

/// How close a sign binds: closer than `:`, less than `^`.
const SIGN: u8 = 7;

/// The outcome, if there is one, and what explains it.
pub(super) fn formula(text: &str) -> Result<(Option<Expression>, Expression), TextError> {
    let mut reader = Reader { letters: text.chars().collect(), at: 0, depth: 0, operators: 0 };
    if reader.takes("~") {
        return Ok((None, reader.whole()?));
    }
    let outcome = reader.binary(0)?;
    if !reader.takes("~") {
        return Err(match reader.peek() {
            None => TextError::new(1, "a formula has a `~` between the outcome and what explains it: y ~ x"),
            Some(_) => reader.unexpected("an operator or `~`"),
        });
    }
    Ok((Some(outcome), reader.whole()?))
}

struct Reader {
    letters: Vec<char>,
    at: usize,
    depth: usize,
    operators: usize,
}

impl Reader {
    /// The next letter that is not a space.
    fn peek(&mut self) -> Option<char> {
        while self.letters.get(self.at).is_some_and(|c| c.is_whitespace()) {
            self.at += 1;
        }
        self.letters.get(self.at).copied()
    }

    fn takes(&mut self, wanted: &str) -> bool {
        self.peek();
        let there = self.letters[self.at..].iter().copied().take(wanted.chars().count()).eq(wanted.chars());
        self.at += if there { wanted.chars().count() } else { 0 };
        there
    }

    fn unexpected(&mut self, expected: &str) -> TextError {
        let found = self.peek().map_or("the end".to_owned(), |c| format!("`{c}`"));
        TextError::expected(self.at + 1, expected, &found)
    }

    fn require(&mut self, wanted: &str) -> Result<(), TextError> {
        if self.takes(wanted) { Ok(()) } else { Err(self.unexpected(&format!("`{wanted}`"))) }
    }

    fn whole(&mut self) -> Result<Expression, TextError> {
        let right = self.binary(0)?;
        match self.peek() {
            None => Ok(right),
            Some('~') => Err(TextError::new(self.at + 1, "a formula has one `~`")),
            Some(_) => Err(self.unexpected("an operator or the end")),
        }
    }

    /// Operators that bind closer than `least`, from the left.
    fn binary(&mut self, least: u8) -> Result<Expression, TextError> {
        let mut left = self.signed()?;
        loop {
            self.peek();
            let start = self.at;
            let Some(operator) = Operator::ALL.into_iter().find(|own| self.takes(own.sign())) else {
                return Ok(left);
            };
            if operator.strength() <= least {
                self.at = start;
                return Ok(left);
            }
            self.operators += 1;
            if self.operators > MOST {
                let message = format!("more than {MOST} operators: `.` stands for all other columns");
                return Err(TextError::new(start + 1, message));
            }
            let right = self.binary(operator.strength())?;
            let place = left.place;
            left = Expression { place, form: Form::Binary(operator, Box::new(left), Box::new(right)) };
        }
    }

    /// What may have a sign, with its exponent.
    fn signed(&mut self) -> Result<Expression, TextError> {
        self.peek();
        let place = self.at + 1;
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(TextError::new(place, format!("more than {DEEPEST} parentheses within each other")));
        }
        let form = if self.takes("-") || self.takes("+") {
            let negative = self.letters[self.at - 1] == '-';
            Form::Sign(negative, Box::new(self.binary(SIGN)?))
        } else {
            let base = self.primary()?;
            if self.takes("^") {
                // From the right, and the exponent may have a sign.
                let exponent = self.signed()?;
                Form::Binary(Operator::Power, Box::new(base), Box::new(exponent))
            } else {
                base.form
            }
        };
        self.depth -= 1;
        Ok(Expression { place, form })
    }

    fn primary(&mut self) -> Result<Expression, TextError> {
        let first = self.peek();
        let place = self.at + 1;
        let after = self.letters.get(self.at + 1);
        let form = match first {
            Some('(') => {
                self.at += 1;
                let inner = self.binary(0)?;
                self.require(")")?;
                Form::Group(Box::new(inner))
            }
            Some('`') => Form::Name(self.quoted('`')?),
            Some(quote @ ('"' | '\'')) => Form::Text(self.quoted(quote)?),
            Some(c) if c.is_ascii_digit() || c == '.' && after.is_some_and(char::is_ascii_digit) => {
                Form::Number(self.number()?)
            }
            Some(c) if in_name(c) => {
                let name: String =
                    self.letters[self.at..].iter().copied().take_while(|c| in_name(*c)).collect();
                self.at += name.chars().count();
                if self.takes("(") { Form::Call(name, self.arguments()?) } else { Form::Name(name) }
            }
            _ => return Err(self.unexpected("a column, a function or a number")),
        };
        Ok(Expression { place, form })
    }

    /// Up to the same quote again.
    fn quoted(&mut self, quote: char) -> Result<String, TextError> {
        let start = self.at + 1;
        let length = self.letters[start..].iter().position(|&c| c == quote);
        let Some(length) = length else {
            return Err(TextError::new(start, format!("the `{quote}` here is not closed")));
        };
        self.at = start + length + 1;
        Ok(self.letters[start..start + length].iter().collect())
    }

    fn number(&mut self) -> Result<f64, TextError> {
        let start = self.at;
        let mut text = String::new();
        while let Some(&c) = self.letters.get(self.at) {
            let sign = matches!(c, '+' | '-') && text.ends_with(['e', 'E']);
            if !(sign || c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E')) {
                break;
            }
            text.push(c);
            self.at += 1;
        }
        let finite = text.parse().ok().filter(|number: &f64| number.is_finite());
        finite.ok_or_else(|| TextError::expected(start + 1, "a number", &format!("{text:?}")))
    }

    /// Up to the closing parenthesis.
    fn arguments(&mut self) -> Result<Vec<Argument>, TextError> {
        let mut all = Vec::new();
        if self.takes(")") {
            return Ok(all);
        }
        loop {
            let value = self.binary(0)?;
            // A single `=`, as the comparison has two.
            if let (Form::Name(name), true) = (&value.form, self.takes("=")) {
                all.push(Argument { name: Some(name.clone()), value: self.binary(0)? });
            } else {
                all.push(Argument { name: None, value });
            }
            if !self.takes(",") {
                break;
            }
        }
        self.require(")")?;
        Ok(all)
    }
}
