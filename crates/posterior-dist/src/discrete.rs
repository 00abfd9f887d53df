//! Laws on numbers that are counted: trials, successes, categories.

mod bernoulli;
mod binomial;
mod categorical;

pub use bernoulli::Bernoulli;
pub use binomial::Binomial;
pub use categorical::Categorical;
pub(crate) use categorical::covariance_of_counts;

use crate::parametric::parametric_text;

parametric_text!(Bernoulli, Binomial, Categorical);
