//! Special functions: the gamma family, and what probability builds from it.
//!
//! Every function takes and returns f64 and is total: a pole is an infinity (or NaN where its sign is undefined),
//! NaN in gives NaN out, and nothing panics. The accuracy in each function's documentation is the largest relative
//! error against tables of 30 digits, asserted by the tests.

mod beta;
mod deviance;
mod digamma;
mod factorial;
mod gamma;
mod polynomial;
mod rising;
mod sin_pi;
mod stirling;

pub use beta::{ln_beta, ln_multivariate_beta};
pub use deviance::poisson_deviance;
pub use digamma::{digamma, inverse_digamma, trigamma};
pub use factorial::{ln_binomial, ln_factorial, ln_multinomial};
pub use gamma::{gamma, ln_gamma, ln_gamma_sign, multivariate_ln_gamma};
pub use rising::{digamma_difference, ln_pochhammer, ln_rising_factorial, trigamma_difference};
pub use stirling::stirling_remainder;
