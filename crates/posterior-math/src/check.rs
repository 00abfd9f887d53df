//! Checks of parameters, and the one error that every constructor of the workspace returns.

use std::error::Error;
use std::fmt;

/// A parameter that no value of its type can have.
///
/// The message reads `Gamma: shape = -1 must be positive and finite`, or `Dirichlet: alpha[3] = -1 must be …`
/// where one of several numbers was refused.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ParamError {
    type_name: &'static str,
    parameter: &'static str,
    value: f64,
    requirement: &'static str,
    index: Option<usize>,
}

impl ParamError {
    /// An error that says that `parameter` of `type_name` has `value`, against its `requirement`.
    pub const fn new(
        type_name: &'static str,
        parameter: &'static str,
        value: f64,
        requirement: &'static str,
    ) -> Self {
        Self { type_name, parameter, value, requirement, index: None }
    }

    /// The same error, of the number at `index` of several.
    #[must_use]
    pub const fn at(mut self, index: usize) -> Self {
        self.index = Some(index);
        self
    }

    /// The place of the refused number among several.
    pub const fn index(&self) -> Option<usize> {
        self.index
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
        let Self { type_name, parameter, value, requirement, index } = self;
        write!(f, "{type_name}: {parameter}")?;
        if let Some(index) = index {
            write!(f, "[{index}]")?;
        }
        write!(f, " = {value} must be {requirement}")
    }
}

impl Error for ParamError {}

/// Two sizes that have to agree, and do not: `weights: expected 3, found 2`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct DimensionError {
    /// What was counted.
    pub what: &'static str,
    /// How many there have to be.
    pub expected: usize,
    /// How many there are.
    pub found: usize,
}

impl DimensionError {
    /// An error that says that there are `found` of `what`, where `expected` are needed.
    pub const fn new(what: &'static str, expected: usize, found: usize) -> Self {
        Self { what, expected, found }
    }
}

impl fmt::Display for DimensionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: expected {}, found {}", self.what, self.expected, self.found)
    }
}

impl Error for DimensionError {}

/// Whether there are as many of `what` as expected.
///
/// # Errors
/// If there are more, or fewer.
pub const fn dimension(what: &'static str, expected: usize, found: usize) -> Result<(), DimensionError> {
    if found == expected { Ok(()) } else { Err(DimensionError::new(what, expected, found)) }
}

/// Whether there are at least as many of `what` as expected.
///
/// # Errors
/// If there are fewer.
pub const fn enough(what: &'static str, expected: usize, found: usize) -> Result<(), DimensionError> {
    if found >= expected { Ok(()) } else { Err(DimensionError::new(what, expected, found)) }
}

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

/// `value`, if it is not negative, and finite.
///
/// # Errors
/// Negative, infinite or NaN.
pub fn non_negative(type_name: &'static str, parameter: &'static str, value: f64) -> Result<f64, ParamError> {
    require((0.0..f64::INFINITY).contains(&value), type_name, parameter, value, "non-negative and finite")
}

/// `value`, if it is finite.
///
/// # Errors
/// Infinite or NaN.
pub fn finite(type_name: &'static str, parameter: &'static str, value: f64) -> Result<f64, ParamError> {
    require(value.is_finite(), type_name, parameter, value, "finite")
}

/// `value`, if it is in [0, 1].
///
/// # Errors
/// Outside of [0, 1], or NaN.
pub fn probability(type_name: &'static str, parameter: &'static str, value: f64) -> Result<f64, ParamError> {
    require((0.0..=1.0).contains(&value), type_name, parameter, value, "in [0, 1]")
}

/// `value`, if it lies in the open interval (0, 1).
///
/// # Errors
/// Outside of (0, 1), or NaN.
pub fn open_probability(
    type_name: &'static str,
    parameter: &'static str,
    value: f64,
) -> Result<f64, ParamError> {
    require(value > 0.0 && value < 1.0, type_name, parameter, value, "strictly between 0 and 1")
}

/// `count`, of whatever unsigned type, if it is not zero.
///
/// # Errors
/// Zero.
pub fn at_least_one<N: Default + PartialOrd>(
    type_name: &'static str,
    parameter: &'static str,
    count: N,
) -> Result<N, ParamError> {
    if count > N::default() {
        Ok(count)
    } else {
        Err(ParamError::new(type_name, parameter, 0.0, "at least 1"))
    }
}

/// Whether all `values` pass a check of this module.
///
/// # Errors
/// That of the first that does not, with its index.
pub fn each<'a>(
    values: impl IntoIterator<Item = &'a f64>,
    check: impl Fn(f64) -> Result<f64, ParamError>,
) -> Result<(), ParamError> {
    values
        .into_iter()
        .enumerate()
        .try_for_each(|(index, &value)| check(value).map(drop).map_err(|error| error.at(index)))
}

/// `value`, if `condition` holds for it.
///
/// # Errors
/// If it does not; the requirement completes the sentence "must be …".
pub fn require(
    condition: bool,
    type_name: &'static str,
    parameter: &'static str,
    value: f64,
    requirement: &'static str,
) -> Result<f64, ParamError> {
    if condition { Ok(value) } else { Err(ParamError::new(type_name, parameter, value, requirement)) }
}
