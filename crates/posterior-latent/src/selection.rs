//! How many components, and of which kind: BIC, AIC, ICL, and the likelihood of held-out data.
//!
//! The likelihood rises with every component. [`Criteria`] set a price on the p free parameters of a model
//! for n observations:
//!
//! | criterion | formula | for |
//! |---|---|---|
//! | AIC | -2 ln L + 2 p | prediction |
//! | BIC | -2 ln L + p ln n | the number of components that there are; about -2 times the evidence |
//! | ICL | BIC + 2 Σ H(r_i) | the number of clusters: components that overlap are one |
//!
//! Small ones are good. [`cross_validation`] asks data that a fit has not seen, and assumes nothing;
//! [`select`] fits Gaussian mixtures of many sizes and kinds, and tells all criteria of each.
//!
//! # Example
//! ```
//! use posterior_dist::{Normal, Univariate};
//! use posterior_latent::Observations;
//! use posterior_latent::selection::{SelectionOptions, select};
//! use posterior_math::linalg::DMatrix;
//!
//! // Two bells, by their quantiles.
//! let distribution = [Normal::mean_sd(0.0, 1.0)?, Normal::mean_sd(8.0, 2.0)?];
//! let values = DMatrix::from_fn(60, 1, |i, _| distribution[i % 2].quantile((i as f64 / 2.0).floor() / 30.0 + 1.0 / 60.0));
//! let data = Observations::new(&values)?;
//! let selection = select(&data, &SelectionOptions {
//!     components: (1..=3).collect(),
//!     ..SelectionOptions::default()
//! })?;
//! assert_eq!(selection.best().components, 2);
//! # Ok::<(), posterior_latent::Error>(())
//! ```
//!
//! # References
//! G. Schwarz, Annals of Statistics 6, 1978; C. Biernacki, G. Celeux and G. Govaert, Assessing a mixture
//! model for clustering with the integrated completed likelihood, IEEE PAMI 22, 2000.

mod criteria;
mod cross_validation;
mod curve;

pub use criteria::{Criteria, Criterion};
pub use cross_validation::{CrossValidationScore, cross_validation};
pub use curve::{FittedCandidate, Selection, SelectionOptions, select};
