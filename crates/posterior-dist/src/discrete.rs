//! Distributions on numbers that are counted: trials, successes, categories.

mod bernoulli;
mod beta_binomial;
mod beta_negative_binomial;
mod binomial;
mod categorical;
mod discrete_uniform;
mod geometric;
mod hypergeometric;
mod negative_binomial;
mod poisson;
mod poisson_binomial;
mod skellam;
mod smooth_sum;
mod steps;
mod zero_inflated;
mod zeta;
mod zipf;

pub use bernoulli::Bernoulli;
pub use beta_binomial::BetaBinomial;
pub use beta_negative_binomial::BetaNegativeBinomial;
pub use binomial::Binomial;
pub(crate) use binomial::draw_binomial;
pub use categorical::Categorical;
#[cfg(feature = "linalg")]
pub(crate) use categorical::covariance_of_counts;
pub use discrete_uniform::DiscreteUniform;
pub use geometric::Geometric;
pub use hypergeometric::Hypergeometric;
pub use negative_binomial::NegativeBinomial;
pub(crate) use negative_binomial::{ln_growth, ln_negative_binomial};
pub use poisson::Poisson;
pub use poisson_binomial::PoissonBinomial;
pub use skellam::Skellam;
pub use steps::least_count;
pub use zero_inflated::ZeroInflated;
pub use zeta::Zeta;
pub use zipf::Zipf;
