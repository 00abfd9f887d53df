//! Distributions as text: `gamma(2, 3)` and back, and distributions whose type is known at run time only.
//!
//! A distribution is written as it is printed: a name, and arguments in the order of its parameters or by
//! name. The names that SciPy, Stan, R and textbooks give a parameter are read too (`df` and `nu` for
//! `degrees_of_freedom`), and one that could mean two parameters is refused. Arguments are numbers (`inf`
//! among them), lists, lists of lists for matrices, and distributions.
//! ```
//! use posterior_dist::{Exponential, text::AnyUnivariate};
//!
//! let wait: Exponential = "exponential(rate = 0.5)".parse()?;
//! assert_eq!(wait.to_string(), "exponential(0.5)");
//!
//! let distribution: AnyUnivariate = "exponential(0.5)".parse()?;
//! assert_eq!(distribution.mean(), Some(2.0));
//!
//! let wait: Exponential = "exponential(lambda = 0.5)".parse()?;
//! assert_eq!(wait.to_string(), "exponential(0.5)");
//!
//! let error = "exponentail(0.5)".parse::<AnyUnivariate>().unwrap_err();
//! assert_eq!(error.to_string(), "column 1: there is no distribution \"exponentail\"; did you mean \"exponential\"?");
//! # Ok::<(), posterior_dist::text::TextError>(())
//! ```
//! | item | is |
//! |---|---|
//! | [`Call`], [`Value`], [`Form`] | the syntax tree |
//! | [`Arguments`] | the arguments of a call in the order of the parameters |
//! | [`Written`] | a distribution that has such a text: every [`Parametric`](crate::Parametric) one, and those of vectors and matrices |
//! | [`Described`] | the text of a distribution whose type is not known |
//! | [`DynUnivariate`], [`NamedUnivariate`], [`AnyUnivariate`] | a univariate distribution behind a pointer |
//! | [`UNIVARIATE`] | what there is, with parameters and supports |
//!
//! Distributions of vectors by name, and priors updated by data of a named likelihood, are in the crate
//! `posterior-gaussian`.

pub use crate::catalogue::{AnyUnivariate, Coordinate, DynUnivariate, NamedUnivariate, UNIVARIATE};
pub use crate::grammar::{
    Argument, Arguments, Call, Described, Entry, Form, ParameterNumber, TextError, Value, Written, call_of,
    exactly, find, from_call, number, numbers, read, write,
};
#[cfg(feature = "serde")]
pub use crate::grammar::{deserialize, serialize};
