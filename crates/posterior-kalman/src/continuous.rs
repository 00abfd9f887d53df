//! Stochastic differential equations as state-space models: exact at any times.
//!
//! A [`Process`] is a Gauss-Markov process f(t) in one dimension of time, written as an expression: the
//! Wiener process and its integrals, the Matérn family, periodic and polynomial functions, any linear
//! stochastic differential equation, their sums and their products. Its state x(t) is f with what of its
//! derivatives makes it Markov, and f(t) = h x(t).
//!
//! | kernel of a Gaussian process | process | states |
//! |---|---|---|
//! | exponential, Matérn ν = 1/2 | [`Process::matern12`] | 1 |
//! | Matérn ν = 3/2, 5/2, p + 1/2 | [`Process::matern32`], [`Process::matern52`], [`Process::matern`] | 2, 3, p + 1 |
//! | Brownian motion; cubic spline | [`Process::wiener`]; [`Process::integrated_wiener`] | 1; 2 |
//! | constant; linear | [`Process::constant`]; [`Process::linear`] | 1; 2 |
//! | cosine | [`Process::cosine`] | 2 |
//! | periodic, cut off | [`Process::periodic`] | 2 J + 1 |
//! | squared exponential, approximated | [`Process::rbf`] | its order |
//! | of dx = F x dt + L dβ | [`Process::sde`] | those of x |
//!
//! ```
//! use posterior_kalman::continuous::Process;
//! use posterior_kalman::{FilterOptions, Series, filter};
//!
//! // A smooth function of variance 2 at irregular times; two observations fall on the same time.
//! let process = Process::matern32(1.5)?.scaled(2.0)?;
//! let model = process.state_space(&[0.0, 0.4, 0.4, 2.7], &[0.1])?;
//! let series = Series::univariate(&[0.3, 0.5, 0.7, -1.0])?;
//! let smoothed = filter(&model, &series, &FilterOptions::default())?.smooth(&model)?;
//! assert!((smoothed.mean(1)[0] - smoothed.mean(2)[0]).abs() < 1e-12);
//! // What the process says is the covariance function of a Gaussian process.
//! assert!((process.kernel(0.0, 0.4) - 1.8422550486382656).abs() < 1e-14);
//! # Ok::<(), posterior_kalman::Error>(())
//! ```

pub(crate) mod block;
mod closed_integral;
mod dynamics;
mod expression;
mod gradient;
mod leaf;
mod linear_system;
mod matern;
mod merged;
mod polynomial;
mod process;
mod product;
mod resonators;
pub(crate) mod schedule;
mod squared_exponential;

pub use gradient::ProcessGradient;
pub use merged::Merged;
pub use process::{Process, ProcessParameter};
