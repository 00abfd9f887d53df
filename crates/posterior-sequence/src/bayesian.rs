//! Hidden Markov models whose parameters have priors: what [`variational`](crate::variational) and
//! [`gibbs`](crate::gibbs) share.
//!
//! The initial distribution and each row of the transitions have a Dirichlet distribution ([`DirichletRow`]),
//! in which single entries may be impossible for good; the emission of each state is a member of an
//! exponential family with a conjugate prior. Data are [`Observed`] sequences, of any type that the family
//! speaks of, with gaps where nothing was seen.
//!
//! ```
//! use posterior_dist::{Gamma, Poisson};
//! use posterior_sequence::bayesian::BayesianHmm;
//!
//! // Three states that are left for the next one only.
//! let prior = Gamma::shape_rate(1.0, 0.1)?;
//! let model = BayesianHmm::<Poisson, _>::symmetric(3, 1.0, prior, ())?.left_to_right(1)?;
//! assert_eq!(model.rows()[0].alpha(), [1.0, 1.0, 0.0]);
//! assert_eq!(model.rows()[2].alpha(), [0.0, 0.0, 1.0]);
//! # Ok::<(), posterior_sequence::Error>(())
//! ```

mod counts;
mod model;
mod observed;
mod parameters;
mod paths;
mod row;

pub use model::BayesianHmm;
pub use observed::Observed;
pub use parameters::HmmParameters;
pub use row::DirichletRow;

pub(crate) use counts::StateCounts;
pub(crate) use paths::draw_paths;
