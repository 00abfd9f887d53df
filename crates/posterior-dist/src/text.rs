//! Laws as text: `gamma(2, 3)` and back, and laws whose type is known at run time only.
//!
//! A law is written as it is printed: a name, and arguments in the order of its parameters or by name. Arguments are
//! numbers (`inf` among them), lists, lists of lists for matrices, and laws.
//! ```
//! use posterior_dist::{Exponential, text::AnyLaw};
//!
//! let wait: Exponential = "exponential(rate = 0.5)".parse()?;
//! assert_eq!(wait.to_string(), "exponential(0.5)");
//!
//! let law: AnyLaw = "exponential(0.5)".parse()?;
//! assert_eq!(law.law().mean(), Some(2.0));
//!
//! let error = "exponentail(0.5)".parse::<AnyLaw>().unwrap_err();
//! assert_eq!(error.to_string(), "column 1: there is no law \"exponentail\"; did you mean \"exponential\"?");
//! # Ok::<(), posterior_dist::text::TextError>(())
//! ```
//! | item | is |
//! |---|---|
//! | [`Call`], [`Value`], [`Form`] | the syntax tree |
//! | [`Arguments`] | the arguments of a call in the order of the parameters |
//! | [`Written`] | a law that has such a text: every [`Parametric`](crate::Parametric) one, and those of vectors and matrices |
//! | [`LawOnTheLine`], [`AnyLaw`] | a law on the real line behind a pointer |
//! | [`LawOfVectors`], [`AnyVectorLaw`] | a law of vectors behind a pointer |
//! | [`learn`], [`CONJUGATE_PAIRS`] | a prior of a named likelihood, updated by data |
//! | [`LAWS_ON_THE_LINE`], [`LAWS_OF_VECTORS`] | what there is, with parameters and supports |

mod any_law;
mod any_vector_law;
mod arguments;
mod closest;
mod error;
mod learn;
mod matrix_laws;
mod parse;
mod probe;
#[cfg(feature = "serde")]
pub(crate) mod serde_form;
mod syntax;
mod wrapped_laws;
mod written;

pub use any_law::{AnyLaw, LAWS_ON_THE_LINE, LawOnTheLine};
pub use any_vector_law::{AnyVectorLaw, LAWS_OF_VECTORS, LawOfVectors};
pub use arguments::Arguments;
pub use error::TextError;
pub use learn::{CONJUGATE_PAIRS, ConjugatePair, LearnError, Learnt, learn};
pub use probe::Coordinate;
pub use syntax::{Argument, Call, Form, Value};
pub use written::{LawEntry, Written, call_of, from_call, read, write};
