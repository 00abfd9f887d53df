//! Variational inference by Monte Carlo: the Gaussian that is closest to a target, and how close that is.
//!
//! q = N(μ, S Sᵀ) on the free coordinates of a target is brought as close to it in KL(q ‖ p) as its form
//! allows, by raising the bound L(q) = E_q ln p(x) + H(q) ≤ ln Z along gradients through draws x = μ + S ε
//! (Kucukelbir and others' automatic differentiation variational inference). Faster than chains, and wrong by
//! an amount that [`assess`](GaussianApproximation::assess) measures: the draws of q are weighted by p / q,
//! and k̂ of their tail says whether q can be used, mended by the weights, or not at all.
//!
//! [`Pathfinder`] takes Gaussians along the climb to a mode instead: thousands of times cheaper than chains,
//! and it too is weighted and judged by k̂.
//!
//! For conjugate models, whose factors are updated in closed form, see `posterior_inference::variational`.
//!
//! ```
//! use posterior_dist::{stream::stream, target::FromGradFn};
//! use posterior_math::iteration::Silent;
//! use posterior_sampling::variational::{Advi, GaussianFamily};
//!
//! // Two normal numbers with precision matrix [[2, 1], [1, 3]] around (1, -1).
//! let target = FromGradFn::new(2, |x, gradient| {
//!     let d = [x[0] - 1.0, x[1] + 1.0];
//!     gradient.copy_from_slice(&[-2.0 * d[0] - d[1], -d[0] - 3.0 * d[1]]);
//!     0.5 * (d[0] * gradient[0] + d[1] * gradient[1])
//! });
//! let advi = Advi { family: GaussianFamily::FullRank, ..Advi::default() };
//! let fitted = advi.fit(&target, &[0.0, 0.0], &mut stream(1, &[]), &mut Silent)?;
//! assert!(fitted.report.converged());
//! assert!((fitted.model.covariance()[(0, 0)] - 0.6).abs() < 1e-3);
//! let assessed = fitted.model.assess(&target, 1000, &mut stream(2, &[]))?;
//! let ln_z = std::f64::consts::TAU.ln() - 0.5 * 5_f64.ln();
//! assert!((assessed.elbo.value - ln_z).abs() < 1e-5);
//! # Ok::<(), posterior_sampling::Error>(())
//! ```
//!
//! # References
//! A. Kucukelbir, D. Tran, R. Ranganath, A. Gelman, D. Blei, Automatic differentiation variational inference,
//! JMLR 18, 2017; G. Roeder, Y. Wu, D. Duvenaud, Sticking the landing, NIPS 2017; M. Welandawe, M. Andersen,
//! A. Vehtari, J. Huggins, A framework for improving the reliability of black-box variational inference, JMLR
//! 25, 2024; Y. Yao, A. Vehtari, D. Simpson, A. Gelman, Yes, but did it work?: evaluating variational
//! inference, ICML 2018.

mod advi;
mod approximation;
mod assessment;
mod natural_gradient;
mod pathfinder;
mod scale;
mod stationarity;

pub use advi::Advi;
pub use approximation::GaussianApproximation;
pub use assessment::ApproximationAssessment;
pub use pathfinder::{PathReport, Pathfinder, PathfinderFit};
pub use scale::GaussianFamily;
