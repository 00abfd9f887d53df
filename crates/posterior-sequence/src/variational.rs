//! Hidden Markov models by variational Bayes: a bound of the evidence, and states that switch themselves off.
//!
//! Of p(x, z, π, A, w) with Dirichlet distributions of π and the rows of A and conjugate priors of the
//! emissions' parameters w_k, the posterior is approximated by q(z) q(π) Π q(A_i) Π q(w_k). Each factor is
//! what conjugacy makes of the expected statistics of the others:
//!
//! - q(z) is a Markov chain: forward-backward with the scores exp(E ln π_i), exp(E ln A_ij) and exp(E ln
//!   p(x_t | w_k)), which add up to less than one and need not do otherwise. The digammas in E ln A punish
//!   rare steps harder than Baum-Welch's fractions do;
//! - q(π) and q(A_i): Dirichlet distributions with the expected counts of beginnings and steps;
//! - q(w_k): the prior, updated by the observations of which state k has its proportion.
//!
//! The bound L(q) ≤ ln p(x) never falls, and compares models; it is below ln p(x) by at least ln K! where K
//! states of equal priors are distinguished apart. States that the data do not need go back to the prior. As
//! data grow, E A tends to the most probable A.
//!
//! A [`BayesianHmm`](crate::bayesian::BayesianHmm) is the model, [`Observed`](crate::bayesian::Observed)
//! sequences are the data, a [`VariationalProblem`] is both.
//!
//! ```
//! use posterior_dist::{Gamma, Poisson};
//! use posterior_inference::variational::AscentOptions;
//! use posterior_sequence::bayesian::{BayesianHmm, Observed};
//! use posterior_sequence::variational::VariationalProblem;
//!
//! // Calls an hour: quiet, busy, quiet.
//! let calls = [vec![2_u64, 1, 0, 3, 1, 2, 11, 14, 9, 12, 13, 10, 1, 2, 0, 1]];
//! let data = Observed::new(&calls);
//! let prior = Gamma::shape_rate(1.0, 0.1)?;
//! // Of four states two are needed.
//! let model = BayesianHmm::<Poisson, _>::symmetric(4, 0.2, prior, ())?;
//! let problem = VariationalProblem::new(&model, &data)?;
//! let found = problem.fit_best(6, 1, &AscentOptions::default())?;
//! let q = &found.best.model;
//! let [quiet, busy] = q.occupied(0.5)[..] else { panic!("{:?}", q.counts()) };
//! assert!(q.mean_transitions()[(quiet, quiet)] > 0.8);
//! let rate = q.emissions()[busy].posterior();
//! assert!((rate.shape() / rate.rate() - 11.5).abs() < 0.3);
//! # Ok::<(), posterior_sequence::Error>(())
//! ```
//!
//! # References
//! D. MacKay, Ensemble learning for hidden Markov models, 1997. M. Beal, Variational algorithms for
//! approximate Bayesian inference, 2003, chapter 3.

mod expectation;
mod posterior;
mod problem;
mod scores;
mod start;

pub use expectation::ExpectedPaths;
pub use posterior::VariationalHmm;
pub use problem::VariationalProblem;
