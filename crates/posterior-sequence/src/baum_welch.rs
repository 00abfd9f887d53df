//! Maximum likelihood and most probable parameters of hidden Markov models, by expectation maximisation.
//!
//! The hidden path z of each sequence is expected: γ_t(k) = p(z_t = k | x), and the steps Σ_t p(z_t = i,
//! z_{t+1} = j | x). The M step takes π in proportion to Σ γ_0, the rows of A in proportion to the steps, and
//! fits the distribution of state k to the observations, each counted γ_t(k) times
//! ([`LearnEmissions`](crate::emission::LearnEmissions)). Priors add to the counts ([`DirichletPrior`]).
//!
//! [`BaumWelch`] is the data and how they are learned from. Its fits are
//!
//! | fit | what is hidden is | climbs |
//! |---|---|---|
//! | [`fit`](BaumWelch::fit) | expected | ln p(x), plus the logarithm of the prior, up to a local maximum or a saddle |
//! | [`fit_hard`](BaumWelch::fit_hard) | decided: the best path | ln p(x, z*), plus the logarithm of the prior |
//! | [`fit_best`](BaumWelch::fit_best) | expected | the same, from several starts |
//!
//! **Starts** decide where it ends, and states that start equal stay equal: [`BaumWelch::start_from_states`]
//! (labels, of other sources or of a clustering), [`BaumWelch::random_start`], or a mixture's components as
//! emissions of [`HiddenMarkovModel::from_weights`](crate::hmm::HiddenMarkovModel::from_weights). Zeros of π
//! and A are never anything else: the start has the topology. Where all states are known,
//! [`start_from_states`](BaumWelch::start_from_states) is the maximum itself; where some are
//! ([`Sequence::with_states`](crate::emission::Sequence::with_states)), the fit uses them.
//!
//! **Long sequences** are smoothed in blocks: beyond their data, ten million positions need room for a few
//! thousand.
//!
//! **What cannot happen:** NaN. A state that nothing is left to keeps its distribution, one whose
//! distribution has no maximum too (a likelihood without bound), and a state that no step leaves keeps its
//! row of A; the result tells it ([`FittedHmm`]).
//!
//! # Example
//! ```
//! use posterior_latent::mixture::MaximumLikelihood;
//! use posterior_math::iteration::Silent;
//! use posterior_math::linalg::DMatrix;
//! use posterior_sequence::baum_welch::{BaumWelch, BaumWelchOptions};
//! use posterior_sequence::emission::{CategoricalEmissions, Sequences};
//! use posterior_sequence::hmm::HiddenMarkovModel;
//!
//! let emissions = CategoricalEmissions::new(&DMatrix::from_row_slice(2, 3, &[0.5, 0.4, 0.1, 0.1, 0.3, 0.6]))?;
//! let start = HiddenMarkovModel::new(&[0.6, 0.4], &DMatrix::from_row_slice(2, 2, &[0.7, 0.3, 0.4, 0.6]), emissions)?;
//! let sequences = Sequences::one(&[0, 1, 2][..]);
//! let problem = BaumWelch::new(&sequences, MaximumLikelihood, BaumWelchOptions::default())?;
//! let fitted = problem.fit(start, &mut Silent)?;
//! assert!((fitted.report.trace[0] - 0.03628_f64.ln()).abs() < 1e-14);
//! assert!((fitted.report.trace[1] + 2.708301364393085).abs() < 1e-14);
//! assert!(fitted.report.falls.is_empty());
//! # Ok::<(), posterior_sequence::Error>(())
//! ```
//!
//! # References
//! L. Baum, T. Petrie, G. Soules and N. Weiss, A maximization technique occurring in the statistical analysis
//! of probabilistic functions of Markov chains, Annals of Mathematical Statistics 41, 1970; L. Rabiner, A
//! tutorial on hidden Markov models and selected applications in speech recognition, Proceedings of the IEEE
//! 77, 1989.

mod counts;
mod expect;
mod hard;
mod options;
mod prior;
mod problem;
mod shards;
mod start;

pub use counts::Counts;
pub use options::{BaumWelchOptions, InitialUpdate, StepUpdate};
pub use prior::DirichletPrior;
pub use problem::{BaumWelch, FittedHmm};
