//! State-space models of any densities by weighted particles: a filter with an unbiased likelihood, and draws
//! of whole paths by particle Gibbs.
//!
//! A [`ParticleModel`] draws the states and has a density of what is seen of them. One for a series is made
//! from a [`NonlinearStateSpace`](crate::nonlinear::NonlinearStateSpace), and so from linear models, by
//! [`GaussianParticles`]; one of your own has four methods.
//!
//! | you want | take |
//! |---|---|
//! | the distribution of each state given what was seen until then, and an estimate of p(y) | [`ParticleFilter`] |
//! | paths of the states given all observations, as a Markov chain | [`ParticleGibbs`] |
//!
//! Linear Gaussian models have exact [filters](crate::filter()) and
//! [samplers](crate::simulation::BackwardSampler), and slightly curved ones
//! [nearly exact filters](crate::nonlinear): particles are for the others.
//!
//! ```
//! use posterior_dist::stream::stream;
//! use posterior_kalman::nonlinear::{FnMap, NonlinearStateSpace};
//! use posterior_kalman::particles::{GaussianParticles, ParticleFilter};
//! use posterior_kalman::{Initial, Series};
//! use posterior_math::linalg::DMatrix;
//!
//! let scalar = |value| DMatrix::from_element(1, 1, value);
//! // What is seen is the square of the state: its sign stays open.
//! let model = NonlinearStateSpace::new(
//!     (FnMap::new(1, 1, |_, x: &[f64], next: &mut [f64]| next[0] = 0.9 * x[0]), &scalar(1.0)),
//!     (FnMap::new(1, 1, |_, x: &[f64], seen: &mut [f64]| seen[0] = x[0] * x[0]), &scalar(0.5)),
//!     &Initial::known(&[0.0], &scalar(2.0))?,
//! )?;
//! let series = Series::univariate(&[4.1, 2.8, 6.3])?;
//! let particles = GaussianParticles::new(&model, &series)?;
//! let filtered = ParticleFilter::default().run(&particles, &mut stream(1, &[]))?;
//! let (mean, variance) = (filtered.mean(2)[0], filtered.covariance(2)[(0, 0)]);
//! assert!((variance + mean * mean - 6.3).abs() < 1.0);
//! # Ok::<(), posterior_kalman::Error>(())
//! ```
//!
//! # References
//! N. J. Gordon, D. J. Salmond, A. F. M. Smith, Novel approach to nonlinear/non-Gaussian Bayesian state
//! estimation, IEE Proceedings F 140, 1993; C. Andrieu, A. Doucet, R. Holenstein, Particle Markov chain Monte
//! Carlo methods, JRSS B 72, 2010; F. Lindsten, M. I. Jordan, T. B. Schön, Particle Gibbs with ancestor
//! sampling, JMLR 15, 2014.

mod filter;
mod gaussian;
mod gibbs;
mod model;

pub use filter::{ParticleFilter, ParticleFiltered};
pub use gaussian::GaussianParticles;
pub use gibbs::ParticleGibbs;
pub use model::ParticleModel;
