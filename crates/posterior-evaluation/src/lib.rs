//! How good predictions are, against what came.
//!
//! A classifier names classes and gives them probabilities; whoever reads them wants to know which classes it
//! confuses, and whether what it calls probable happens as often as it says.
//!
//! ```
//! use posterior_evaluation::{Confusion, ProbabilityScores};
//!
//! // Probabilities of rain, and whether it rained.
//! let days = [(0.9, true), (0.8, true), (0.7, false), (0.2, false)];
//! let mut said = ProbabilityScores::new(10);
//! let mut taken = Confusion::new(2);
//! for (rain, rained) in days {
//!     said.push(&[1.0 - rain, rain], usize::from(rained))?;
//!     taken.push(usize::from(rained), usize::from(rain > 0.5))?;
//! }
//! assert_eq!((taken.accuracy(), taken.precision(1)), (Some(0.75), Some(2.0 / 3.0)));
//! assert!((said.brier().unwrap() - 0.5 * (0.01 + 0.04 + 0.49 + 0.04)).abs() < 1e-15);
//! # Ok::<(), posterior_math::check::ParamError>(())
//! ```
//!
//! | question | answer |
//! |---|---|
//! | how many were right | [`Tally`] |
//! | which classes are taken for which; precision, recall, F1 of each | [`Confusion`] |
//! | how much probability went to the truth | [`ProbabilityScores`] |
//! | do events happen as often as was said | [`Reliability`] |
//! | is what is there scored above what is not | [`Roc`] |
//!
//! All but the last are counters: `push` what is seen, `merge` those of several threads.
//!
//! *Refuses:* to know what was predicted, and by which model. Scores of draws (R-hat, expected log predictive
//! densities) are `posterior-sampling`'s.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod confusion;
mod probability;
mod ranking;
mod reliability;
mod tally;

// Crates whose types stand in the signatures of this one: whoever adds it needs no other.
#[doc(no_inline)]
pub use {posterior_dist as dist, posterior_math as math};

pub use confusion::Confusion;
pub use probability::ProbabilityScores;
pub use ranking::Roc;
pub use reliability::{Bin, Reliability};
pub use tally::Tally;
