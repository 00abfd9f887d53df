//! Hidden semi-Markov models: states that last for a time with a distribution of its own.
//!
//! In a hidden Markov model the time in a state has a geometric distribution, of which one position is the
//! most probable length. A [`SemiMarkovModel`] has any distribution on 1 to D instead ([`Durations`]: tables,
//! Poisson, negative binomial). A sequence is then made of segments; inference is over all segmentations, in
//! O(T K (K + D)): likelihood, probabilities of states and borders, the most probable segmentation, random
//! ones, and learning by EM ([`SemiMarkovProblem`]).
//!
//! What a sequence shows of its first and last segments is a [`Window`]: by default the first begins with the
//! sequence, and the last may go on after it. Messages are logarithms, so that no model and no sequence makes
//! them underflow.
//!
//! ```
//! use posterior_dist::Poisson;
//! use posterior_math::linalg::DMatrix;
//! use posterior_sequence::emission::{Distributions, Sequence};
//! use posterior_sequence::semi_markov::{Durations, SemiMarkovModel};
//!
//! // A machine that works for five steps or so, and is cleaned for exactly two.
//! let durations = vec![Durations::poisson(4.0, 20)?, Durations::table(&[0.0, 1.0])?];
//! let steps = DMatrix::from_row_slice(2, 2, &[0.0, 1.0, 1.0, 0.0]);
//! let output = Distributions::new(vec![Poisson::new(5.0)?, Poisson::new(2.0)?])?;
//! let model = SemiMarkovModel::new(&[1.0, 0.0], &steps, durations, output)?;
//! let counts: [u64; 13] = [5, 7, 2, 5, 4, 1, 3, 6, 8, 4, 5, 2, 1];
//! let found = model.decode(&Sequence::new(&counts))?;
//! // The low third count is one of work: cleaning takes two steps.
//! assert_eq!(found.states(), [0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1]);
//! # Ok::<(), posterior_sequence::Error>(())
//! ```
//!
//! # References
//! L. R. Rabiner, A tutorial on hidden Markov models, Proceedings of the IEEE 77 (1989), section IV.D. Y.
//! Guédon, Estimating hidden semi-Markov chains from discrete sequences, J. Comput. Graph. Stat. 12 (2003).
//! S.-Z. Yu, Hidden semi-Markov models, Artificial Intelligence 174 (2010).

mod backward;
mod duration_fit;
mod durations;
mod forward;
mod learning;
mod model;
mod posterior;
mod segments;
#[cfg(feature = "serde")]
mod serde_form;
mod windows;

pub use durations::{DurationFamily, Durations};
pub use learning::{FittedSemiMarkov, SegmentStatistics, SemiMarkovProblem};
pub use model::{Begin, End, SemiMarkovModel, Window};
pub use posterior::SegmentPosterior;
pub use segments::{Segment, Segmentation};
