//! The syntax tree of a written distribution.

use std::fmt;

#[cfg(feature = "linalg")]
use posterior_math::linalg::{DMatrix, DVector};

/// `name(argument, …)`.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The name before the bracket.
    pub name: String,
    /// Where it begins: the first character of the text is column 1, and what was not read from a text is in
    /// column 0.
    pub column: usize,
    /// The arguments, in the order of the text.
    pub arguments: Vec<Argument>,
}

impl Call {
    /// The call as a distribution is printed: its arguments by place.
    #[must_use]
    pub fn by_place(mut self) -> Self {
        for argument in &mut self.arguments {
            argument.name = None;
        }
        self
    }
}

/// `value`, or `name = value`.
#[derive(Debug, Clone, PartialEq)]
pub struct Argument {
    /// The name before `=`, if there is one.
    pub name: Option<String>,
    /// Where the argument begins.
    pub column: usize,
    /// What was given.
    pub value: Value,
}

/// A value and where it begins.
#[derive(Debug, Clone, PartialEq)]
pub struct Value {
    /// The column of its first character; 0 if it was not read from a text.
    pub column: usize,
    /// What it is.
    pub form: Form,
}

/// What can be an argument.
#[derive(Debug, Clone, PartialEq)]
pub enum Form {
    /// `2`, `-1.5e-3`, `inf`, `nan`
    Number(f64),
    /// `[1, 2]`; a matrix is a list of its rows
    List(Vec<Value>),
    /// `normal(0, 1)`
    Distribution(Call),
    /// `rbf(1) + 2*linear()`: at least two terms. No distribution has such an argument; expressions of
    /// kernels have.
    Sum(Vec<Value>),
    /// `2*linear()`: at least two factors.
    Product(Vec<Value>),
}

impl Form {
    /// What it is, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Number(_) => "a number",
            Self::List(_) => "a list",
            Self::Distribution(_) => "a distribution",
            Self::Sum(_) => "a sum",
            Self::Product(_) => "a product",
        }
    }
}

impl From<Form> for Value {
    fn from(form: Form) -> Self {
        Self { column: 0, form }
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Form::Number(number).into()
    }
}

impl From<Call> for Value {
    fn from(call: Call) -> Self {
        Form::Distribution(call).into()
    }
}

impl From<&[f64]> for Value {
    fn from(numbers: &[f64]) -> Self {
        Form::List(numbers.iter().map(|&number| number.into()).collect()).into()
    }
}

#[cfg(feature = "linalg")]
impl From<&DVector<f64>> for Value {
    fn from(numbers: &DVector<f64>) -> Self {
        numbers.as_slice().into()
    }
}

/// The list of the rows.
#[cfg(feature = "linalg")]
impl From<&DMatrix<f64>> for Value {
    fn from(matrix: &DMatrix<f64>) -> Self {
        let row = |i| matrix.row(i).iter().copied().collect::<Vec<f64>>().as_slice().into();
        Form::List((0..matrix.nrows()).map(row).collect()).into()
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.form {
            Form::Number(number) => number.fmt(f),
            Form::List(items) => {
                f.write_str("[")?;
                separated(items, f)?;
                f.write_str("]")
            }
            Form::Distribution(call) => call.fmt(f),
            Form::Sum(terms) => operated(terms, " + ", f),
            Form::Product(factors) => operated(factors, "*", f),
        }
    }
}

/// Writes terms or factors; what binds less stands in parentheses.
fn operated(parts: &[Value], operator: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (index, part) in parts.iter().enumerate() {
        f.write_str(if index == 0 { "" } else { operator })?;
        match part.form {
            Form::Sum(_) => write!(f, "({part})")?,
            Form::Product(_) if operator == "*" => write!(f, "({part})")?,
            _ => write!(f, "{part}")?,
        }
    }
    Ok(())
}

impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(name) = &self.name {
            write!(f, "{name} = ")?;
        }
        self.value.fmt(f)
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", self.name)?;
        separated(&self.arguments, f)?;
        f.write_str(")")
    }
}

/// Writes items with commas between them.
pub(super) fn separated<T: fmt::Display>(items: &[T], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (index, item) in items.iter().enumerate() {
        let separator = if index == 0 { "" } else { ", " };
        write!(f, "{separator}{item}")?;
    }
    Ok(())
}
