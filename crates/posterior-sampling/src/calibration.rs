//! Is the sampler right? Simulation-based calibration, coverage, and the test of joint distributions.
//!
//! Where parameters are drawn from the prior and data from them, the parameters are one more draw of the
//! posterior of these data. So their rank among L draws of a right sampler is uniform on 0, …, L, and their
//! chance to lie in a central interval is its level: whatever the model is, and however its data came out. A
//! sampler, a posterior or a model that is wrong breaks this, and most mistakes break it visibly:
//!
//! | mistake | ranks of the prior draw |
//! |---|---|
//! | posterior too narrow | ∪: too many at both ends |
//! | posterior too wide | ∩ |
//! | posterior too high or too low | a slope |
//! | chains too short or their draws too dependent | ∪ |
//! | the data are forgotten: draws of the prior | uniform; give the log-likelihood as a [quantity](SimulationModel::quantities) |
//!
//! [`Calibration`] does this for a [`SimulationModel`] and a sampler, each of any kind; [`Ranks`] holds the
//! ranks of one quantity, with the chi-square test of their histogram, the simultaneous band of their
//! distribution function ([`EcdfBand`]), and the [`Coverage`] of central intervals. [`JointDistribution`] is
//! Geweke's test of a Markov kernel, without a rank and without long chains. [`nearly_independent`] thins
//! chains as calibration needs them.
//!
//! ```
//! use posterior_dist::{Beta, Binomial};
//! use posterior_sampling::calibration::{Calibration, SimulationModel};
//! use posterior_sampling::{Draws, Error};
//! use rand::Rng;
//! use rand_distr::Distribution;
//!
//! /// A coin with a uniform prior, thrown ten times.
//! struct Coin;
//!
//! impl SimulationModel for Coin {
//!     type Data = u64;
//!
//!     fn names(&self) -> Vec<String> {
//!         vec!["p".to_owned()]
//!     }
//!
//!     fn prior<R: Rng + ?Sized>(&self, rng: &mut R) -> Result<Vec<f64>, Error> {
//!         Ok(vec![Beta::new(1.0, 1.0)?.sample(rng)])
//!     }
//!
//!     fn simulate<R: Rng + ?Sized>(&self, parameters: &[f64], rng: &mut R) -> Result<u64, Error> {
//!         Ok(Binomial::new(10, parameters[0])?.sample(rng))
//!     }
//! }
//!
//! let calibration = Calibration { simulations: 200, draws: 19, ..Calibration::default() };
//! let exact = calibration.run(&Coin, |&heads, rng| {
//!     let posterior = Beta::new(1.0 + heads as f64, 11.0 - heads as f64)?;
//!     Draws::new(vec!["p".to_owned()], vec![posterior.sample_iter(rng).take(19).collect()])
//! })?;
//! assert!(exact.passes(1e-6));
//!
//! // One throw too many, and it was heads.
//! let wrong = calibration.run(&Coin, |&heads, rng| {
//!     let posterior = Beta::new(2.0 + heads as f64, 11.0 - heads as f64)?;
//!     Draws::new(vec!["p".to_owned()], vec![posterior.sample_iter(rng).take(19).collect()])
//! })?;
//! assert!(!wrong.passes(1e-6));
//! # Ok::<(), Error>(())
//! ```
//!
//! # What a pass means
//! Calibration on average over the prior, for the quantities that were looked at, to the resolution of the
//! number of simulations. A sampler that fails where data are unusual may pass; so may one that is wrong in a
//! direction that no quantity sees.
//!
//! # References
//! S. Talts, M. Betancourt, D. Simpson, A. Vehtari, A. Gelman, Validating Bayesian inference algorithms with
//! simulation-based calibration,
//! 2018. T. Säilynoja, P.-C. Bürkner, A. Vehtari, Graphical test for discrete uniformity and its applications
//!       in goodness-of-fit evaluation and multiple sample comparison, Statistics and Computing 32 (2022). M.
//!       Modrák and others, Simulation-based calibration checking for Bayesian computation: the choice of
//!       test quantities shapes sensitivity, Bayesian Analysis 2023. J. Geweke, Getting it right: joint
//!       distribution tests of posterior simulators, JASA 99 (2004).

mod coverage;
mod ecdf_band;
mod independent_draws;
mod joint_distribution;
mod model;
mod ranks;
mod report;
mod simulations;

pub use coverage::Coverage;
pub use ecdf_band::EcdfBand;
pub use independent_draws::nearly_independent;
pub use joint_distribution::{JointDistribution, JointDistributionReport, MeanComparison};
pub use model::SimulationModel;
pub use ranks::Ranks;
pub use report::CalibrationReport;
pub use simulations::Calibration;
