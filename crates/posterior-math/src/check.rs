//! Checks of parameters, and the one error that every constructor of the workspace returns.

use std::error::Error;
use std::fmt;

/// A parameter that no value of its type can have.
///
/// The message reads `Gamma: shape = -1 must be positive and finite`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ParamError {
    type_name: &'static str,
    parameter: &'static str,
    value: f64,
    requirement: &'static str,
}

impl ParamError {
    /// An error that says that `parameter` of `type_name` has `value`, against its `requirement`.
    pub const fn new(
        type_name: &'static str,
        parameter: &'static str,
        value: f64,
        requirement: &'static str,
    ) -> Self {
        Self { type_name, parameter, value, requirement }
    }

    /// The type or function that refused.
    pub const fn type_name(&self) -> &'static str {
        self.type_name
    }

    /// The name of the parameter.
    pub const fn parameter(&self) -> &'static str {
        self.parameter
    }

    /// The refused value.
    pub const fn value(&self) -> f64 {
        self.value
    }

    /// What the parameter must be.
    pub const fn requirement(&self) -> &'static str {
        self.requirement
    }
}

impl fmt::Display for ParamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { type_name, parameter, value, requirement } = self;
        write!(f, "{type_name}: {parameter} = {value} must be {requirement}")
    }
}

impl Error for ParamError {}

/// `value`, if it is positive and finite.
///
/// # Errors
/// Zero, negative, infinite or NaN.
pub fn positive(type_name: &'static str, parameter: &'static str, value: f64) -> Result<f64, ParamError> {
    if value > 0.0 && value < f64::INFINITY {
        Ok(value)
    } else {
        Err(ParamError::new(type_name, parameter, value, "positive and finite"))
    }
}
