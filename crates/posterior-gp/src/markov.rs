//! Kernels of Markov processes in one dimension: everything in O(n).
//!
//! A kernel of one input that is [`Markov`](crate::Kernel::process) is the covariance of a Gauss-Markov
//! process: Matérn's kernels of half-integer order, Wiener processes, oscillations, polynomials, their sums
//! and products. Its posterior is then that of a state-space model: a filter gives the evidence and a
//! smoother the rest, exactly, with n operations and numbers where a dense factor takes n³ and n².
//!
//! Observations may come in any order, several of them at one time, with noise of their own.
//!
//! ```
//! use posterior_gp::markov::{MarkovOptions, MarkovProcessPosterior};
//! use posterior_gp::{GaussianProcess, Kernel, Noise};
//! use posterior_math::linalg::DMatrix;
//!
//! let times = DMatrix::from_fn(10_000, 1, |i, _| i as f64 / 1000.0);
//! let outputs: Vec<f64> = times.iter().map(|t| t.sin()).collect();
//! let prior = GaussianProcess::new(Kernel::matern52(2.0)?);
//! let noise = Noise::variance(0.01)?;
//! let posterior = MarkovProcessPosterior::new(&prior, (&times, &outputs), &noise, &MarkovOptions::default())?;
//! let prediction = posterior.latent(&DMatrix::from_element(1, 1, 5.0))?;
//! assert!((prediction.mean[0] - 5.0_f64.sin()).abs() < 0.01);
//! # Ok::<(), posterior_gp::Error>(())
//! ```
//!
//! # References
//! S. Särkkä, A. Solin, J. Hartikainen, Spatiotemporal learning via infinite-dimensional Bayesian filtering
//! and smoothing, IEEE Signal Processing Magazine 30 (2013); S. Särkkä, A. Solin, Applied Stochastic
//! Differential Equations (2019), chapter 12.

mod evidence;
mod posterior;
mod timeline;

pub use posterior::{MarkovOptions, MarkovProcessPosterior};
