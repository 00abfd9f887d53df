//! Which route to a posterior: dense, Markov, sparse or iterative, with one face for all.
//!
//! | route | exact | for |
//! |---|---|---|
//! | [`Solver::Dense`] | yes | up to some thousand observations, anything |
//! | [`Solver::Markov`] | yes | one input and a Markov kernel: any number |
//! | [`Solver::Sparse`] | a bound | many observations of a smooth function, some noise |
//! | [`Solver::Iterative`] | to a tolerance; the evidence with a standard error | many observations, few predictions, some noise |
//!
//! [`Solver::Auto`] chooses, and [`Route::reason`] says why.
//!
//! ```
//! use posterior_gp::solver::{Solver, SolverRegression};
//! use posterior_gp::{GaussianProcess, Kernel, Noise};
//! use posterior_math::linalg::DMatrix;
//!
//! let inputs = DMatrix::from_fn(5000, 1, |i, _| i as f64 / 500.0);
//! let outputs: Vec<f64> = inputs.iter().map(|t| t.sin()).collect();
//! let prior = GaussianProcess::new(Kernel::matern32(1.0)?);
//! let problem = SolverRegression::new(prior, Noise::variance(0.1)?, (&inputs, &outputs), &Solver::Auto)?;
//! assert_eq!(problem.route().name(), "markov");
//! let posterior = problem.condition()?;
//! assert!((posterior.latent(&DMatrix::from_element(1, 1, 5.0))?.mean[0] - 5.0_f64.sin()).abs() < 0.05);
//! # Ok::<(), posterior_gp::Error>(())
//! ```
//!
//! A [`SolverRegression`] is [`Learnable`](crate::hyperparameters::Learnable):
//! [`fit`](crate::hyperparameters::fit) takes it as it takes exact regression.

mod any_posterior;
mod problem;
mod route;

pub use any_posterior::AnyPosterior;
pub use problem::SolverRegression;
pub use route::{LARGEST_DENSE, Route, Solver};
