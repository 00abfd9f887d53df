//! Features whose parameters are fitted.
//!
//! y = Φ(θ) w + noise, with weights w ~ N(0, v I) that are integrated out exactly: what is left is the
//! evidence ln p(y | θ) = ln N(y; 0, v Φ Φᵀ + σ² I), a function of θ with a gradient. Its maximum is the
//! estimate of type II; with a normal prior of θ, which adds -|θ|²/2, the most probable θ.
//!
//! [`HiddenUnits`] makes this a neural network with one hidden layer, of which the last layer is a Bayesian
//! linear regression. [`LearnedFeatures`] is a [`GradTarget`](posterior_dist::target::GradTarget): Laplace's
//! method and NUTS run on it as they are. Write [`ParametricFeatures`] for features of your own.
//!
//! # References
//! C. E. Rasmussen, C. K. I. Williams, Gaussian Processes for Machine Learning, section 5.4.1 (the gradient
//! of the evidence); C. M. Bishop, Pattern Recognition and Machine Learning, sections 3.5 and 5.7.

mod fit;
mod target;
mod units;

pub use fit::{FittedFeatures, LearnOptions};
pub use target::LearnedFeatures;
pub use units::{HiddenUnits, ParametricFeatures, UnitActivation};
