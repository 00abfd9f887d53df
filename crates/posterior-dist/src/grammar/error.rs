//! What is wrong with a text that should be a distribution, and where.

use std::error::Error;
use std::fmt;

use posterior_math::ParamError;

use super::closest::closest;

/// A text that is no distribution: the place, and what was expected there.
///
/// The message reads `column 9: expected a number, found a list`.
#[derive(Debug, Clone, PartialEq)]
pub struct TextError {
    column: usize,
    message: String,
    suggestion: Option<String>,
    param: Option<Box<ParamError>>,
}

impl TextError {
    /// An error at a column, counted from 1; 0 if there is no text.
    pub fn new(column: usize, message: impl Into<String>) -> Self {
        Self { column, message: message.into(), suggestion: None, param: None }
    }

    /// `expected …, found …`.
    pub fn expected(column: usize, expected: &str, found: &str) -> Self {
        Self::new(column, format!("expected {expected}, found {found}"))
    }

    /// A name that is none of those that there are.
    pub fn unknown(column: usize, message: String, name: &str, names: &[&str]) -> Self {
        let suggestion = closest(name, names).map(str::to_owned);
        Self { suggestion, ..Self::new(column, message) }
    }

    /// A parameter that the distribution refuses.
    pub fn of_parameter(column: usize, error: ParamError) -> Self {
        Self { param: Some(Box::new(error)), ..Self::new(column, error.to_string()) }
    }

    /// Where in the text: the first character is column 1. 0 if the distribution was not read from a text.
    pub const fn column(&self) -> usize {
        self.column
    }

    /// What was expected there.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// A name that may have been meant.
    pub fn suggestion(&self) -> Option<&str> {
        self.suggestion.as_deref()
    }

    /// The refusal of the distribution's constructor, if that is what is wrong.
    pub fn param_error(&self) -> Option<&ParamError> {
        self.param.as_deref()
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.column > 0 {
            write!(f, "column {}: ", self.column)?;
        }
        f.write_str(&self.message)?;
        match &self.suggestion {
            Some(name) => write!(f, "; did you mean {name:?}?"),
            None => Ok(()),
        }
    }
}

impl Error for TextError {}
