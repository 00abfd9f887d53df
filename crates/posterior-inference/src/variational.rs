//! Variational inference: the closest of a family of simple distributions, found factor by factor.
//!
//! q(z) = Π qⱼ(zⱼ) is brought as close to p(z | x) in KL(q ‖ p) as its form allows, by raising the bound
//! L(q) = E_q ln p(x, z) + H(q) ≤ ln p(x). The best factor, given the others, is ln qⱼ = E₋ⱼ ln p(x, z) +
//! constant. In conjugate models that is a conjugate update with expected statistics, which
//! [`ConjugateFactor`] does, and the hidden variables see the expected density of their observations.
//!
//! - [`coordinate_ascent`] updates one factor after the other; L never falls, which is checked.
//! - [`stochastic_ascent`] takes a part of the data at a time, and natural gradients of what it says.
//!
//! The factors are too narrow: q avoids what p excludes, and knows nothing of the dependencies that it cut.
//!
//! # Example
//! The mean and the precision of a normal distribution, as if independent:
//! ```
//! use posterior_inference::variational::{AscentOptions, CoordinateAscent, coordinate_ascent};
//! use posterior_dist::{Entropy, Gamma, Moments, Normal, Univariate};
//! use posterior_math::{ParamError, iteration::Silent, special::digamma};
//!
//! /// Data with n, Σ x and Σ x², and flat priors p(mean, precision) = 1 / precision.
//! struct Sample {
//!     n: f64,
//!     sum: f64,
//!     squares: f64,
//! }
//!
//! impl Sample {
//!     /// E Σ (x - mean)².
//!     fn expected_squares(&self, mean: &Normal) -> f64 {
//!         let (m, v) = (mean.quantile(0.5), mean.variance().unwrap_or(f64::NAN));
//!         self.squares - 2.0 * m * self.sum + self.n * (m * m + v)
//!     }
//! }
//!
//! impl CoordinateAscent for Sample {
//!     type State = (Normal, Gamma);
//!     type Error = ParamError;
//!
//!     fn factors(&self) -> usize {
//!         2
//!     }
//!
//!     fn update(&self, q: &mut (Normal, Gamma), factor: usize) -> Result<(), ParamError> {
//!         if factor == 0 {
//!             let precision = q.1.shape() / q.1.rate();
//!             q.0 = Normal::mean_variance(self.sum / self.n, 1.0 / (self.n * precision))?;
//!         } else {
//!             q.1 = Gamma::shape_rate(0.5 * self.n, 0.5 * self.expected_squares(&q.0))?;
//!         }
//!         Ok(())
//!     }
//!
//!     fn elbo(&self, (mean, precision): &(Normal, Gamma)) -> Result<f64, ParamError> {
//!         let ln_precision = digamma(precision.shape()) - precision.rate().ln();
//!         let fit = 0.5 * self.n * (ln_precision - std::f64::consts::TAU.ln())
//!             - 0.5 * precision.shape() / precision.rate() * self.expected_squares(mean);
//!         Ok(fit - ln_precision + mean.entropy() + precision.entropy())
//!     }
//! }
//!
//! let sample = Sample { n: 4.0, sum: 8.0, squares: 26.0 };
//! let start = (Normal::mean_variance(0.0, 1.0)?, Gamma::shape_rate(1.0, 1.0)?);
//! let fitted = coordinate_ascent(&sample, start, &AscentOptions::default(), &mut Silent)?;
//! // Mean 2, scatter 10: the expected precision is (n - 1) / scatter.
//! let (mean, precision) = fitted.model;
//! assert_eq!(mean.quantile(0.5), 2.0);
//! assert!((precision.shape() / precision.rate() - 0.3).abs() < 1e-4);
//! assert!(fitted.report.falls.is_empty());
//! # Ok::<(), ParamError>(())
//! ```
//!
//! # References
//! M. Jordan, Z. Ghahramani, T. Jaakkola, L. Saul, An introduction to variational methods for graphical
//! models, Machine Learning 37, 1999; M. Hoffman, D. Blei, C. Wang, J. Paisley, Stochastic variational
//! inference, JMLR 14, 2013.

mod conjugate_factor;
mod coordinate_ascent;
mod stochastic_ascent;

pub use conjugate_factor::ConjugateFactor;
pub use coordinate_ascent::{AscentOptions, CoordinateAscent, Watch, coordinate_ascent};
pub use stochastic_ascent::{StochasticAscent, StochasticAscentOptions, stochastic_ascent};
