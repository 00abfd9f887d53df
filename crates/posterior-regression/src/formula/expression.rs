//! The tree of a formula, and how R prints it.

use std::collections::BTreeSet;
use std::fmt;

/// Functions that are terms by themselves.
pub(super) const TERMS: [&str; 10] =
    ["poly", "bs", "ns", "s", "scale", "factor", "as.factor", "relevel", "C", "offset"];

/// Functions that are latent effects.
pub(super) const FIELDS: [&str; 10] =
    ["rw1", "rw2", "ar1", "seasonal", "smooth", "te", "car", "bym2", "matern", "measured"];

/// A part of a formula and where it begins, counted from 1.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Expression {
    pub(super) place: usize,
    pub(super) form: Form,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Form {
    Number(f64),
    Text(String),
    Name(String),
    /// `-x` or `+x`.
    Sign(bool, Box<Expression>),
    Binary(Operator, Box<Expression>, Box<Expression>),
    /// Parentheses.
    Group(Box<Expression>),
    Call(String, Vec<Argument>),
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Argument {
    pub(super) name: Option<String>,
    pub(super) value: Expression,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    /// What varies between groups: `(1 + x | g)`.
    Bar,
    /// The same without correlations.
    DoubleBar,
    Less,
    Greater,
    LessOrEqual,
    GreaterOrEqual,
    Equal,
    Different,
    Plus,
    Minus,
    Times,
    Over,
    In,
    Colon,
    Power,
}

impl Operator {
    /// The longer of two with the same beginning comes first.
    pub(super) const ALL: [Self; 15] = [
        Self::DoubleBar,
        Self::Bar,
        Self::LessOrEqual,
        Self::GreaterOrEqual,
        Self::Equal,
        Self::Different,
        Self::Less,
        Self::Greater,
        Self::Plus,
        Self::Minus,
        Self::Times,
        Self::Over,
        Self::In,
        Self::Colon,
        Self::Power,
    ];

    pub(super) const fn sign(self) -> &'static str {
        match self {
            Self::Bar => "|",
            Self::DoubleBar => "||",
            Self::Less => "<",
            Self::Greater => ">",
            Self::LessOrEqual => "<=",
            Self::GreaterOrEqual => ">=",
            Self::Equal => "==",
            Self::Different => "!=",
            Self::Plus => "+",
            Self::Minus => "-",
            Self::Times => "*",
            Self::Over => "/",
            Self::In => "%in%",
            Self::Colon => ":",
            Self::Power => "^",
        }
    }

    /// How close it binds.
    pub(super) const fn strength(self) -> u8 {
        match self {
            Self::Bar | Self::DoubleBar => 1,
            Self::Plus | Self::Minus => 3,
            Self::Times | Self::Over => 4,
            Self::In => 5,
            Self::Colon => 6,
            Self::Power => 8,
            _ => 2,
        }
    }

    pub(super) const fn compares(self) -> bool {
        self.strength() == 2
    }
}

impl Expression {
    /// Without its parentheses.
    pub(super) fn bare(&self) -> &Self {
        match &self.form {
            Form::Group(inner) => inner.bare(),
            _ => self,
        }
    }

    /// Every name of a column in it, with its place.
    pub(super) fn names<'a>(&'a self, all: &mut Vec<(&'a str, usize)>) {
        match &self.form {
            Form::Name(name) if !CONSTANTS.contains(&name.as_str()) => all.push((name, self.place)),
            Form::Number(_) | Form::Text(_) | Form::Name(_) => {}
            Form::Sign(_, inner) | Form::Group(inner) => inner.names(all),
            Form::Binary(_, left, right) => {
                left.names(all);
                right.names(all);
            }
            // The others are words and numbers, and no columns.
            Form::Call(name, arguments) if TERMS.contains(&name.as_str()) => {
                let named = |own: &&Argument| matches!(own.name.as_deref(), Some("x" | "object"));
                let first =
                    arguments.iter().find(named).or_else(|| arguments.iter().find(|own| own.name.is_none()));
                if let Some(own) = first {
                    own.value.names(all);
                }
            }
            Form::Call(_, arguments) => arguments.iter().for_each(|own| own.value.names(all)),
        }
    }
}

/// Names that are no columns.
const CONSTANTS: [&str; 2] = ["TRUE", "FALSE"];

/// Words that R does not take as names.
const RESERVED: [&str; 13] = [
    "if", "else", "repeat", "while", "function", "for", "next", "break", "TRUE", "FALSE", "NULL", "Inf",
    "NaN",
];

/// Whether R takes a name without quotes.
fn plain(name: &str) -> bool {
    let mut letters = name.chars();
    let starts = match letters.next() {
        Some('.') => !letters.next().is_some_and(|c| c.is_ascii_digit()),
        first => first.is_some_and(char::is_alphabetic),
    };
    starts && name.chars().all(in_name) && (!RESERVED.contains(&name) || CONSTANTS.contains(&name))
}

/// Whether a letter can be in a name.
pub(super) fn in_name(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '.' | '_')
}

impl fmt::Display for Expression {
    /// As R prints it (`deparse`).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.form {
            Form::Number(number) => f.write_str(&number_text(*number)),
            Form::Text(text) => write!(f, "{text:?}"),
            Form::Name(name) if plain(name) => f.write_str(name),
            Form::Name(name) => write!(f, "`{name}`"),
            Form::Sign(negative, inner) => write!(f, "{}{inner}", if *negative { '-' } else { '+' }),
            Form::Group(inner) => write!(f, "({inner})"),
            Form::Binary(operator, left, right) => match operator {
                Operator::Over | Operator::Colon | Operator::Power => {
                    write!(f, "{left}{}{right}", operator.sign())
                }
                _ => write!(f, "{left} {} {right}", operator.sign()),
            },
            Form::Call(name, arguments) => {
                write!(f, "{name}(")?;
                for (place, Argument { name, value }) in arguments.iter().enumerate() {
                    if place > 0 {
                        f.write_str(", ")?;
                    }
                    if let Some(name) = name {
                        write!(f, "{name} = ")?;
                    }
                    value.fmt(f)?;
                }
                f.write_str(")")
            }
        }
    }
}

/// A number as R prints it: with 15 digits, and an exponent where that is shorter.
pub(super) fn number_text(number: f64) -> String {
    let rounded = format!("{number:.14e}").parse().unwrap_or(number);
    let fixed = format!("{rounded}");
    let written = format!("{rounded:e}");
    let Some((digits, exponent)) = written.split_once('e') else { return fixed };
    let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |rest| ('-', rest));
    let scientific = format!("{digits}e{sign}{exponent:0>2}");
    if fixed.len() <= scientific.len() { fixed } else { scientific }
}

/// Each where it is first.
pub(super) fn each_once<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut seen = BTreeSet::new();
    names.filter(|name| seen.insert(*name)).collect()
}
