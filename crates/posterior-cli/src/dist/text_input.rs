//! Distributions and lists of numbers from the command line, and what is said where they are wrong.

use posterior::dist::text::{Call, Form, TextError, Value};

use crate::failure::Failure;

/// A wrong text: what it is, the place in it, and a name that may have been meant.
pub(crate) fn failure(what: &str, text: &str, error: &TextError, shift: usize) -> Failure {
    let place = match error.column().saturating_sub(shift) {
        0 => String::new(),
        column => format!("column {column}: "),
    };
    let failure = Failure::data(format!("{what} {text:?}: {place}{}", error.message()));
    match error.suggestion() {
        Some(name) => failure.with_hint(format!("did you mean {name:?}?")),
        None => failure,
    }
}

/// A call: a distribution, or a likelihood.
pub(super) fn call(what: &str, text: &str) -> Result<Call, Failure> {
    text.parse().map_err(|error| failure(what, text, &error, 0))
}

/// Values with commas between them.
///
/// Columns count the bracket that is put before the text to make it a list.
pub(super) fn values(option: &str, text: &str) -> Result<Vec<Value>, Failure> {
    let list: Result<Value, TextError> = format!("[{text}]").parse();
    let list = list.map_err(|error| failure(option, text, &error, 1))?;
    match list.form {
        Form::List(values) if !values.is_empty() => Ok(values),
        _ => Err(Failure::data(format!("{option} {text:?}: expected at least one value"))),
    }
}

/// Numbers with commas between them.
pub(super) fn numbers(option: &str, text: &str) -> Result<Vec<f64>, Failure> {
    let number = |value: Value| match value.form {
        Form::Number(number) => Ok(number),
        _ => Err(failure(option, text, &TextError::new(value.column, "expected a number"), 1)),
    };
    values(option, text)?.into_iter().map(number).collect()
}

/// Vectors with commas between them: `[0.2, 0.8], [1, 0]`. Numbers alone are one vector.
pub(super) fn vectors(option: &str, text: &str, dimension: usize) -> Result<Vec<Vec<f64>>, Failure> {
    let values = values(option, text)?;
    if values.iter().all(|value| matches!(value.form, Form::Number(_))) {
        return Ok(vec![vector(option, text, values, 2, dimension)?]);
    }
    let vector = |value: Value| match value.form {
        Form::List(items) => vector(option, text, items, value.column, dimension),
        _ => Err(failure(option, text, &TextError::new(value.column, "expected a list of numbers"), 1)),
    };
    values.into_iter().map(vector).collect()
}

fn vector(
    option: &str,
    text: &str,
    items: Vec<Value>,
    column: usize,
    dimension: usize,
) -> Result<Vec<f64>, Failure> {
    if items.len() != dimension {
        let message = format!("expected {dimension} numbers, found {}", items.len());
        return Err(failure(option, text, &TextError::new(column, message), 1));
    }
    let number = |item: Value| match item.form {
        Form::Number(number) => Ok(number),
        _ => Err(failure(option, text, &TextError::new(item.column, "expected a number"), 1)),
    };
    items.into_iter().map(number).collect()
}
