//! The few numbers that lie behind many: principal components, factors, truncated singular values.
//!
//! A row x of d numbers is W z + μ and noise, with k < d numbers z. What the noise is thought to be makes the
//! method:
//!
//! | noise | method | function |
//! |---|---|---|
//! | not modelled: least squares | principal component analysis | [`fit`] |
//! | the same in all directions | probabilistic PCA (Tipping and Bishop 1999) | [`probabilistic`], and [`fit_factors`] where values are missing |
//! | of a variance for each coordinate | factor analysis | [`fit_factors`] |
//! | as in PPCA, and W has a prior by which unneeded columns vanish | Bayesian PCA (Bishop 1999) | [`bayesian`] |
//! | not modelled, large sparse data, not centred | latent semantic analysis | [`truncated_svd`] |
//!
//! As the noise of PPCA goes to 0, its E z become the scores of PCA, in units of their standard deviation. W
//! is determined up to a rotation of z; here its columns are orthogonal and descend where that is free, and
//! the largest number of each column is positive.
//!
//! # Example
//! ```
//! use posterior_latent::Observations;
//! use posterior_latent::principal_components::{ComponentChoice, PcaOptions, fit};
//! use posterior_math::linalg::DMatrix;
//!
//! // Four points along (2, 1), and a little across.
//! let values = DMatrix::from_row_slice(4, 2, &[2.0, 1.0, -2.0, -1.0, 4.1, 1.8, -4.1, -1.8]);
//! let model = fit(&Observations::new(&values)?, &PcaOptions {
//!     choice: ComponentChoice::Proportion(0.95),
//!     ..PcaOptions::default()
//! })?;
//! assert_eq!(model.components().ncols(), 1);
//! assert!(model.components()[0] > 0.89 && model.explained()[0] > 0.99);
//! # Ok::<(), posterior_latent::Error>(())
//! ```

mod analysis;
mod bayesian;
mod centred;
mod choice;
mod factor_em;
mod factor_model;
mod operator;
mod patterns;
mod probabilistic;
mod singular;
mod truncated;

pub use analysis::{Centring, PcaOptions, PrincipalComponents, fit};
pub use bayesian::{BayesianComponents, BayesianOptions, bayesian};
pub use choice::ComponentChoice;
pub use factor_em::{FactorFit, FactorOptions, NoiseModel, fit_factors};
pub use factor_model::FactorModel;
pub use operator::{CentredOperator, LinearOperator, SparseObservations};
pub use probabilistic::probabilistic;
pub use truncated::{TruncatedOptions, TruncatedSvd, truncated_svd};
