//! Programs in Stan's language, executed: data in, log-density and exact gradient out.
//!
//! ```
//! use posterior_dist::target::{GradTarget, Target};
//! use posterior_model::StanModel;
//!
//! let model = StanModel::parse("
//! data {
//!   int<lower=0> N;
//!   vector[N] y;
//! }
//! parameters {
//!   real mu;
//!   real<lower=0> sigma;
//! }
//! model {
//!   mu ~ normal(0, 10);
//!   y ~ normal(mu, sigma);
//! }")?;
//! let posterior = model.with_data(r#"{"N": 3, "y": [1.0, 2.0, 4.0]}"#)?;
//! assert_eq!(posterior.names(true, true)?, ["mu", "sigma"]);
//!
//! // Coordinates are unconstrained: the second is ln sigma.
//! let mut gradient = [0.0; 2];
//! let value = posterior.ln_density_grad(&[2.0, 0.5], &mut gradient)?;
//! assert!(value.is_finite());
//! assert_eq!(posterior.values(&[2.0, 0.0], true, None)?, [2.0, 1.0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | what | where |
//! |---|---|
//! | reading a program | [`StanModel::parse`] |
//! | with data, of JSON, R or columns | [`StanModel::with_data`], [`StanData`] |
//! | the log density and its gradient, for every sampler | [`StanPosterior`] as `GradTarget` |
//! | names and constrained values, generated quantities too | [`StanPosterior::names`], [`StanPosterior::values`] |
//! | the mode, and standard errors there | [`StanPosterior::maximize`], [`StanPosterior::standard_errors`] |
//! | generated quantities of former draws | [`StanPosterior::generate`] |
//! | sizes of the parameters | [`StanPosterior::parameters`] |
//! | parameters that can be integrated out | [`StanPosterior::gaussian_parameters`], [`StanPosterior::latent_parameters`] |
//! | functions that are executed | [`is_executed`] |
//! | unconstrained coordinates | [`StanPosterior::unconstrain`], [`StanPosterior::put_values`] |
//!
//! # How it runs
//! Data are known, so the program runs once and is recorded: what depends on data only is folded, loops over
//! data disappear, equal expressions are computed once, and what one statement does in all rounds of its loop
//! becomes one instruction over many lanes. Normal observations with means that are affine in few numbers are
//! sums of squares, whose coefficients are computed once: a gradient then costs the same for any number of
//! rows. Log density and gradient are two passes over arrays that are made once; nothing is allocated, but
//! for matrix factorisations, differential and algebraic equations, hypergeometric functions, and tails of
//! counts that are sums. A program whose control flow depends on its parameters has a graph for each of the
//! last eight paths that it took, with the comparisons that lead there; a point on another path is recorded.
//!
//! # Limits
//! - Differential equations are solved to tolerances of 1e-10, whatever is asked for, by all but `ode_rk45`
//!   and `ode_ckrk`: `ode_adams` by the explicit method of `ode_rk45`; `ode_bdf` and `ode_adjoint` too, until
//!   stability limits its steps: then by the implicit method of Radau of order 5, with the derivatives of its
//!   steps.
//! - Hypergeometric functions are sums of their series: they have no value, and the point is refused with its
//!   line, where these do not converge in 100,000 terms, as for 2F1 at z = 1, or lose more than six digits.
//! - `solve_powell` is Newton's method with shortened steps.
//! - `wiener` has five arguments; `qr_Q` and `qr_R` of a matrix of parameters with more rows than columns are
//!   refused, `qr_thin` is not. Singular values of parameters are roots of eigenvalues: small ones have half
//!   the digits.
//! - Derivatives through eigenvectors of a matrix with nearly equal eigenvalues are noise, as they are in
//!   Stan: of `kronecker_gp` in the data base the density is compared, and the gradient is not.
//! - Functions of the table of signatures that are not executed are refused by name, with the line.

mod code;
mod data;
mod density;
mod equation;
mod fault;
mod graph;
mod library;
mod machine;
mod model;
mod op;
mod posterior;
mod root;
mod run;
mod summaries;
mod system;
mod trace;
mod transform;
mod value;

pub use posterior_dist as dist;
pub use posterior_math as math;

pub use data::StanData;
pub use fault::ModelError;
pub use library::is_executed;
pub use model::StanModel;
pub use posterior::{Optimum, ParameterSizes, StanDensity, StanPosterior};
