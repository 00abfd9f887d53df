//! Bayesian linear regression, in the space of the weights.
//!
//! y = Φ w + noise with a normal prior of the weights w: the posterior is normal, and the evidence has a
//! closed form.
//!
//! | the noise variance | function | the weights then have |
//! |---|---|---|
//! | is known | [`known_noise`] | a normal distribution, [`LinearPosterior`] |
//! | is not | [`unknown_noise`] | a Student t distribution, [`StudentPosterior`] |
//! | is not, nor is the scale of the weights | [`averaged`] | a mixture of Student t distributions, [`AveragedPosterior`] |
//! | is not, of several outputs | [`multi_output`] | a matrix t distribution, [`MultiOutputPosterior`] |
//!
//! A flat prior gives least squares, and N(0, I/λ) with noise of variance 1 ridge regression: the posterior
//! mean minimises
//! |y - Φ w|² + λ |w|². The distribution of f(x) = φ(x)ᵀ w is that of a Gaussian process with the kernel φ(x)ᵀ S φ(x'), and
//! the posterior mean is kernel ridge regression with it.
//!
//! # The forms
//! | [`PosteriorForm`] | cost for n rows and F features | taken |
//! |---|---|---|
//! | [`Precision`](PosteriorForm::Precision) | n F² + F³/3 | unless one of the others is called for |
//! | [`SquareRoot`](PosteriorForm::SquareRoot) | 2 n F² or more | where the pivots of the precision say that digits would be lost |
//! | [`Gain`](PosteriorForm::Gain) | n² F + n³/3 | for fewer rows than features, and a proper prior |
//!
//! # References
//! C. M. Bishop, Pattern Recognition and Machine Learning, sections 3.3 to 3.5; C. E. Rasmussen, C. K. I.
//! Williams, Gaussian Processes for Machine Learning, section 2.1.

mod averaged;
pub(crate) mod blocks;
pub(crate) mod data;
mod distribution;
mod forms;
mod known_noise;
mod leave_one_out;
mod multi_output;
mod prior;
mod sequential;
mod unknown_noise;

pub use crate::student_mixture::StudentMixture;
pub use averaged::{AveragedPosterior, CoefficientScale, LinearDraw, averaged, averaged_with};
pub use data::LinearData;
pub use forms::PosteriorForm;
pub use known_noise::{LinearPosterior, NormalPredictions, known_noise, known_noise_by};
pub use leave_one_out::LeaveOneOut;
pub use multi_output::{MultiOutputPosterior, multi_output};
pub use prior::WeightPrior;
pub use unknown_noise::{NoisePrior, StudentPosterior, StudentTs, unknown_noise};
