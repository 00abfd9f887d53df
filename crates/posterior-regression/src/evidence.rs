//! Hyperparameters by the evidence: precisions of weights and of noise, relevance.
//!
//! The evidence p(y | α, β) of a linear regression, with the prior N(0, I/α) of the weights and noise of
//! precision β, has no closed maximum, but its stationary points are fixed points: α = γ/|m|² and β = (n -
//! γ)/|y - Φ m|², with the posterior mean m and the number γ of parameters that the data determine.
//!
//! | function | climbs | by |
//! |---|---|---|
//! | [`fixed_points`] | α and β | MacKay's updates, F operations each after one decomposition |
//! | [`fit`] | α and β | L-BFGS on their logarithms: the same optimum |
//! | [`relevance`] | an α for each weight (ARD), and β | Tipping's updates, or Tipping and Faul's one by one |
//!
//! Weights that are `free`, such as the intercept, have a flat prior and no α: the evidence is that of what
//! they leave, the restricted likelihood of statistics.
//!
//! # References
//! D. J. C. MacKay, Bayesian interpolation, Neural Computation 4 (1992); C. M. Bishop, Pattern Recognition
//! and Machine Learning, sections 3.5 and 7.2; M. E. Tipping, Sparse Bayesian learning and the relevance
//! vector machine, JMLR 1 (2001); M. E. Tipping, A. C. Faul, Fast marginal likelihood maximisation for sparse
//! Bayesian models, AISTATS 2003.

mod isotropic;
mod options;
mod relevance;
mod sparse;
mod spectrum;

pub use isotropic::{EmpiricalBayes, EvidenceLimit, fit, fixed_points};
pub use options::{EvidenceOptions, RelevanceMethod};
pub use relevance::{Relevance, relevance};
