//! Monte Carlo engines for discrete networks, which answer like those of `posterior-inference` but with
//! standard errors.
//!
//! | engine | draws | its report warns when |
//! |---|---|---|
//! | [`ForwardSampling`] | parents before children, weighted by the evidence | few draws carry the weight |
//! | [`ForwardSampling::logic_sampling`] | parents before children, refused where they disagree with the evidence | few draws are kept |
//! | [`NetworkGibbs`] | each variable given all others, in chains | zeros may keep chains from some states; chains disagree |
//!
//! [`SimulatedAnnealing`] looks for the most probable joint state; [`fit_by_sampling`] learns log-linear
//! fields whose ln Z is out of reach.
//!
//! Draws depend on the seed and never on the number of threads.
//!
//! ```
//! use posterior_inference::{Engine, Targets};
//! use posterior_pgm::{Evidence, MarkovRandomField, Table, VarId, Variables};
//! use posterior_sampling::network::NetworkGibbs;
//!
//! // Four friends in a ring who like to vote alike.
//! let agree = |i: usize| {
//!     Table::new(vec![VarId::new(i), VarId::new((i + 1) % 4)], vec![2, 2], vec![5.0, 1.0, 1.0, 10.0])
//! };
//! let model = MarkovRandomField::new(
//!     Variables::numbered(&[2; 4])?,
//!     (0..4).map(agree).collect::<Result<_, _>>()?,
//! )?;
//! let beliefs = NetworkGibbs::default().query(&model, &Targets::All, &Evidence::none())?;
//! let v = VarId::new(0);
//! let (p, error) = (beliefs.marginal(v).unwrap()[1], beliefs.standard_errors(v).unwrap()[1]);
//! assert!((p - 10426.0 / 11327.0).abs() < 4.0 * error && error < 0.01);
//! # Ok::<(), posterior_inference::Error>(())
//! ```

mod annealing;
mod blocking;
mod contrastive_divergence;
mod error_bars;
mod forward;
mod gibbs;
mod scope;
mod sequential;
mod sites;
mod support;
mod tally;
#[cfg(test)]
mod tests;

pub use annealing::{AnnealedState, SimulatedAnnealing};
pub use blocking::Blocking;
pub use contrastive_divergence::{Negative, SampledLearning, fit_by_sampling};
pub use forward::{EvidenceRule, ForwardSampling};
pub use gibbs::{BlockOrder, NetworkGibbs};

#[cfg(feature = "rayon")]
use rayon::prelude::*;

/// `f` of each item, on the threads of the pool with the feature `rayon`; the results in the order of the
/// items.
fn each<T: Sync, U: Send>(items: &[T], f: impl Fn(&T) -> U + Sync + Send) -> Vec<U> {
    #[cfg(feature = "rayon")]
    return items.par_iter().map(f).collect();
    #[cfg(not(feature = "rayon"))]
    return items.iter().map(f).collect();
}
