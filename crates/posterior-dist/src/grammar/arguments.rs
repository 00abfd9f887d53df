//! The arguments of a call, in the order of the distribution's parameters.

use posterior_math::ParamError;
#[cfg(feature = "linalg")]
use posterior_math::linalg::DMatrix;

use super::aliases::{aliases, instead};
use super::error::TextError;
use super::syntax::{Call, Form, Value};

/// One value for each parameter of a distribution, whether it was given by its place or by its name.
///
/// The accessors take the index of the parameter, and answer what is not there or of another kind with an
/// error that names the place.
#[derive(Debug, Clone)]
pub struct Arguments<'a> {
    call: &'a Call,
    parameters: &'static [&'static str],
    values: Vec<Option<&'a Value>>,
}

impl<'a> Arguments<'a> {
    /// The arguments of `call` for these parameters: by place first, then by name.
    ///
    /// # Errors
    /// If one is missing, given twice or unknown, or there are too many.
    pub fn of(call: &'a Call, parameters: &'static [&'static str]) -> Result<Self, TextError> {
        Self::with_optional(call, parameters, parameters.len())
    }

    /// As [`of`](Self::of), where only the first `required` parameters must be given.
    ///
    /// # Errors
    /// As [`of`](Self::of).
    pub fn with_optional(
        call: &'a Call,
        parameters: &'static [&'static str],
        required: usize,
    ) -> Result<Self, TextError> {
        let mut found: Vec<Option<&Value>> = vec![None; parameters.len()];
        let mut named = false;
        for (place, argument) in call.arguments.iter().enumerate() {
            let index = match &argument.name {
                Some(name) => by_name(call, name, argument.column, parameters)?,
                None if named => {
                    let message = "an argument without a name follows one with a name";
                    return Err(TextError::new(argument.column, message));
                }
                None => place,
            };
            named |= argument.name.is_some();
            let Some(slot) = found.get_mut(index) else {
                return Err(TextError::new(argument.column, too_many(call, parameters)));
            };
            if slot.is_some() {
                return Err(TextError::new(argument.column, format!("{} is given twice", parameters[index])));
            }
            *slot = Some(&argument.value);
        }
        if let Some((_, name)) =
            found.iter().zip(parameters).take(required).find(|(value, _)| value.is_none())
        {
            let message = format!("{} lacks {name}: expected {}", call.name, signature(call, parameters));
            return Err(TextError::new(call.column, message));
        }
        Ok(Self { call, parameters, values: found })
    }

    /// Whether a parameter that need not be given is.
    pub fn has(&self, index: usize) -> bool {
        self.given(index).is_some()
    }

    fn given(&self, index: usize) -> Option<&'a Value> {
        self.values.get(index).copied().flatten()
    }

    /// The call itself.
    pub const fn call(&self) -> &'a Call {
        self.call
    }

    /// Where the value of a parameter begins.
    pub fn column(&self, index: usize) -> usize {
        self.given(index).map_or(self.call.column, |value| value.column)
    }

    /// A value of any kind.
    ///
    /// # Errors
    /// If it was not given.
    pub fn value(&self, index: usize) -> Result<&'a Value, TextError> {
        let message = || format!("{} has no parameter {index}", self.call.name);
        self.given(index).ok_or_else(|| TextError::new(self.call.column, message()))
    }

    /// A number.
    ///
    /// # Errors
    /// If it is something else.
    pub fn number(&self, index: usize) -> Result<f64, TextError> {
        number(self.value(index)?)
    }

    /// A number, or this one if it was not given.
    ///
    /// # Errors
    /// If it is something else.
    pub fn number_or(&self, index: usize, default: f64) -> Result<f64, TextError> {
        self.given(index).map_or(Ok(default), number)
    }

    /// A list of numbers.
    ///
    /// # Errors
    /// If it is something else.
    pub fn numbers(&self, index: usize) -> Result<Vec<f64>, TextError> {
        numbers(self.value(index)?)
    }

    /// All parameters, of a distribution of which each is a number.
    ///
    /// # Errors
    /// If one is not.
    pub fn all_numbers(&self) -> Result<Vec<f64>, TextError> {
        self.values.iter().flatten().map(|value| number(value)).collect()
    }

    /// A matrix: the list of its rows.
    ///
    /// # Errors
    /// If it is something else, or rows differ in length.
    #[cfg(feature = "linalg")]
    pub fn matrix(&self, index: usize) -> Result<DMatrix<f64>, TextError> {
        let items = items(self.value(index)?, "a list of the rows of a matrix")?;
        let rows = items.iter().map(numbers).collect::<Result<Vec<_>, _>>()?;
        let columns = rows.first().map_or(0, Vec::len);
        if let Some(row) = rows.iter().position(|row| row.len() != columns) {
            let message = format!("expected a row of {columns} numbers, found {}", rows[row].len());
            return Err(TextError::new(items[row].column, message));
        }
        Ok(DMatrix::from_row_iterator(rows.len(), columns, rows.iter().flatten().copied()))
    }

    /// A distribution.
    ///
    /// # Errors
    /// If it is something else.
    pub fn distribution(&self, index: usize) -> Result<&'a Call, TextError> {
        distribution(self.value(index)?)
    }

    /// A list of distributions.
    ///
    /// # Errors
    /// If it is something else.
    pub fn distributions(&self, index: usize) -> Result<Vec<&'a Call>, TextError> {
        items(self.value(index)?, "a list of distributions")?.iter().map(distribution).collect()
    }

    /// What a constructor said, at the place of the parameter that it refuses.
    ///
    /// # Errors
    /// If it refused.
    pub fn checked<T>(&self, made: Result<T, ParamError>) -> Result<T, TextError> {
        made.map_err(|error| TextError::of_parameter(self.place_of(&error), error))
    }

    /// By the name of the parameter, or by the refused number where a constructor calls the parameter
    /// otherwise.
    fn place_of(&self, error: &ParamError) -> usize {
        let named = self.parameters.iter().position(|&name| name == error.parameter());
        let is_refused =
            |value: &Value| matches!(value.form, Form::Number(x) if x.to_bits() == error.value().to_bits());
        let place = || self.values.iter().position(|value| value.is_some_and(is_refused));
        let value = named.or_else(place).and_then(|index| self.given(index));
        let item = |value: &Value| match (&value.form, error.index()) {
            (Form::List(items), Some(place)) => items.get(place).map_or(value.column, |item| item.column),
            _ => value.column,
        };
        value.map_or(self.call.column, item)
    }
}

/// The parameter of this name, here or elsewhere.
fn by_name(
    call: &Call,
    name: &str,
    column: usize,
    parameters: &'static [&'static str],
) -> Result<usize, TextError> {
    if let Some(index) = parameters.iter().position(|&parameter| parameter == name) {
        return Ok(index);
    }
    let is_meant = |index: &usize| aliases(&call.name, parameters[*index]).contains(&name);
    let meant: Vec<usize> = (0..parameters.len()).filter(is_meant).collect();
    let of = |what: String| format!("{what}: expected {}", signature(call, parameters));
    match (meant.as_slice(), instead(&call.name, name)) {
        (&[index], _) => Ok(index),
        (&[], None) => {
            let message = of(format!("{} has no parameter {name:?}", call.name));
            Err(TextError::unknown(column, message, name, parameters))
        }
        (&[], Some(instead)) => {
            let message = format!("{} has no parameter {name:?} ({instead})", call.name);
            Err(TextError::new(column, of(message)))
        }
        (several, _) => {
            let names: Vec<&str> = several.iter().map(|&index| parameters[index]).collect();
            let message = format!("{name:?} of {} may be {}", call.name, names.join(" or "));
            Err(TextError::new(column, of(message)))
        }
    }
}

fn too_many(call: &Call, parameters: &[&str]) -> String {
    format!("{} has {} arguments: expected {}", call.name, call.arguments.len(), signature(call, parameters))
}

/// `gamma(shape, rate)`.
fn signature(call: &Call, parameters: &[&str]) -> String {
    format!("{}({})", call.name, parameters.join(", "))
}

/// The number that a value is.
///
/// # Errors
/// If it is something else.
pub fn number(value: &Value) -> Result<f64, TextError> {
    match value.form {
        Form::Number(number) => Ok(number),
        _ => Err(TextError::expected(value.column, "a number", value.form.kind())),
    }
}

fn items<'a>(value: &'a Value, expected: &str) -> Result<&'a [Value], TextError> {
    match &value.form {
        Form::List(items) => Ok(items),
        other => Err(TextError::expected(value.column, expected, other.kind())),
    }
}

/// The list of numbers that a value is.
///
/// # Errors
/// If it is something else.
pub fn numbers(value: &Value) -> Result<Vec<f64>, TextError> {
    items(value, "a list of numbers")?.iter().map(number).collect()
}

fn distribution(value: &Value) -> Result<&Call, TextError> {
    match &value.form {
        Form::Distribution(call) => Ok(call),
        other => Err(TextError::expected(value.column, "a distribution", other.kind())),
    }
}
