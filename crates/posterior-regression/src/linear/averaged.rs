//! Regression without anything to choose: the scale of the coefficients and the noise are averaged over.

mod condensed;
mod grid;
mod posterior;
mod spectrum;

pub use posterior::{AveragedPosterior, CoefficientScale, LinearDraw, averaged, averaged_with};
