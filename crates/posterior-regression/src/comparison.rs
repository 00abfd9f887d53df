//! One model by every inference: from the most probable coefficients to samples.
//!
//! [`compare`] takes one [`Glm`](crate::glm::Glm) through all methods and lays their answers side by side:
//! maximum likelihood, maximum a posteriori, Laplace's approximation, expectation propagation, the closest
//! Gaussian (variational), importance sampling around the mode, and the No-U-Turn sampler. The draws of an
//! approximation, weighted by what they should have been, say by the k̂ of their weights whether that method
//! can be mended; its means and standard deviations beside those of the upper methods, whether it needs to
//! be.
//!
//! ```
//! use posterior_math::linalg::DMatrix;
//! use posterior_regression::glm::{CoefficientPrior, Family, Glm, GlmData};
//! use posterior_regression::comparison::{ComparisonOptions, Method, compare};
//!
//! let design = DMatrix::from_fn(5, 2, |i, j| if j == 0 { 1.0 } else { i as f64 - 2.0 });
//! let successes = [0.0, 0.0, 1.0, 0.0, 1.0];
//! let data = GlmData::new(&design, &successes)?;
//! let model = Glm::new(Family::Logit, data)?.with_prior(CoefficientPrior::isotropic(2, 1.0)?)?;
//! // The k̂ of a Gaussian as close as the variational one is known from many draws only: of 4,000 it is 1.8, of 40,000 0.4.
//! let comparison = compare(&model, &ComparisonOptions { weighted_draws: 40_000, ..ComparisonOptions::default() })?;
//! let sampled = comparison.method(Method::ImportanceSampling).unwrap();
//! assert!((sampled.ln_evidence.unwrap() - -3.632910154146).abs() < 0.02);
//! // Five rows are few: the mode is a fifth of a standard deviation below the mean.
//! assert_eq!(comparison.sufficient, Method::Propagation);
//! # Ok::<(), posterior_regression::Error>(())
//! ```
//!
//! For logistic regressions there are two methods more: [`variational_logistic`](crate::variational_logistic)
//! and [`LogisticGibbs`](crate::polya_gamma::LogisticGibbs).
//!
//! # References
//! Y. Yao, A. Vehtari, D. Simpson, A. Gelman, Yes, but did it work?: evaluating variational inference,
//! ICML 2018.

mod answer;
mod methods;

pub use answer::{ComparisonOptions, Method, MethodAnswer, MethodComparison};
pub use methods::compare;
