//! Log densities as formulas for any kind of number, so that a model of your own is differentiated.
//!
//! A [`Density`](crate::Density) gives ln p(x) as an `f64`. Each function here is the same formula over
//! [`Real`](posterior_math::autodiff::Real): with `f64` it is the value, with the numbers of
//! [`autodiff`](posterior_math::autodiff) it carries the derivatives by the observation and by every
//! parameter. Arguments are numbers of either kind: `normal(y, mean, 2.0)` where only the mean is unknown.
//! Parameters are named, ordered and bounded as those of the distribution with the same name.
//!
//! Outside the support the value is -∞; with a parameter outside its range it is NaN, which a target refuses.
//! The error is some units in the last place of the largest term, where the distributions themselves are more
//! exact for counts and shapes in the millions. A [`JointModel`](crate::target::JointModel) is made of these.
//!
//! ```
//! use posterior_dist::formula::normal;
//! use posterior_math::autodiff::{Var, gradient};
//!
//! let mut slope = [0.0];
//! let value = gradient(|mean| normal::<Var<'_>>(3.0, mean[0], 2.0), &[1.0], &mut slope);
//! assert_eq!(slope, [0.5]); // (3 - 1) / 2²
//! assert!((value + 0.5 + (2.0 * std::f64::consts::TAU.sqrt()).ln()).abs() < 1e-15);
//! ```

mod counts;
mod edges;
mod gamma_ratio;
mod line;
mod positive;
mod vectors;

pub use counts::{
    bernoulli, bernoulli_logit, binomial, binomial_logit, categorical, categorical_logit, negative_binomial,
    negative_binomial_mean, poisson, poisson_ln,
};
pub use line::{cauchy, gumbel, laplace, logistic, normal, student_t, uniform};
pub use positive::{
    beta, exponential, gamma, half_cauchy, half_normal, half_student_t, inverse_gamma, log_normal, pareto,
    weibull,
};
pub use vectors::{correlation_factor, dirichlet, multivariate_normal};
