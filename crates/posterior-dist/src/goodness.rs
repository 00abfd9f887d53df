//! Goodness of fit: whether values can be draws of a distribution at all.
//!
//! | test | sees | p-value |
//! |---|---|---|
//! | [`kolmogorov_smirnov`] | the largest distance of the distribution functions | exact up to 500 values |
//! | [`two_samples`] | the same of two samples | exact for up to 10⁷ pairs, ties included |
//! | [`anderson_darling`] | distances everywhere, those in the tails the most | the limit, corrected for the number |
//! | [`cramer_von_mises`] | squared distances | the limit, corrected for the number |
//! | [`chi_squared`], [`chi_squared_of_counts`] | counts in cells | the limit |
//! | [`ParametricBootstrap`] | any of these after a fit of the parameters | simulated |
//!
//! All but the last are for a distribution that is known before the values are seen. Where its parameters
//! were estimated from the same values, it is closer to them than the true one is, and those p-values are far
//! too large: a [`ParametricBootstrap`] fits each simulated sample anew and has the right ones.
//!
//! ```
//! use posterior_dist::{Exponential, goodness};
//!
//! let waits = [0.02, 0.4, 0.11, 1.9, 0.77, 0.3, 1.2, 0.05];
//! let answer = goodness::kolmogorov_smirnov(&waits, &Exponential::new(1.0)?)?;
//! assert!(answer.p_value > 0.05);
//! assert!(goodness::kolmogorov_smirnov(&waits, &Exponential::new(0.1)?)?.p_value < 1e-4);
//! # Ok::<(), posterior_dist::math::ParamError>(())
//! ```

mod answer;
mod bootstrap;
mod cells;
mod few_values;
mod kolmogorov;
mod limits;
mod null;
mod one_sample;
mod statistic;
mod two_samples;

pub use answer::{GoodnessOfFit, PValueMethod};
pub use bootstrap::{NotTested, ParametricBootstrap};
pub use cells::{chi_squared, chi_squared_of_counts};
pub use kolmogorov::{kolmogorov_cdf, kolmogorov_limit_sf, kolmogorov_sf};
pub use limits::{anderson_darling_limit_sf, cramer_von_mises_limit_sf};
pub use one_sample::{anderson_darling, cramer_von_mises, kolmogorov_smirnov};
pub use statistic::FitStatistic;
pub use two_samples::two_samples;
