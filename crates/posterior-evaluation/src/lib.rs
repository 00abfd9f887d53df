//! Scores of predictions against outcomes: confusion tables, log loss, Brier score, calibration, ROC curves.
//!
//! A classifier predicts classes with probabilities. The scores say which classes it confuses with each
//! other, and whether events happen as often as it predicts.
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
//! # Ok::<(), posterior_evaluation::math::check::ParamError>(())
//! ```
//!
//! | question | answer |
//! |---|---|
//! | accuracy | [`Tally`] |
//! | which classes are confused; precision, recall and F1 of each class | [`Confusion`] |
//! | rows with several labels: F1 of all together and on average | [`LabelSets`] |
//! | log loss and Brier score | [`ProbabilityScores`] |
//! | calibration: do events happen as often as predicted? | [`Reliability`] |
//! | probabilities that do, of scores or probabilities that do not | [`CalibrationMap`], [`ClassCalibration`] |
//! | discrimination: do positive cases score above negative ones? | [`Roc`] |
//! | how to average the predictions of several models | [`stacking_weights`] |
//!
//! The tables and [`ProbabilityScores`] are counters: `push` what is seen, `merge` those of several threads.
//!
//! # Features
//! | feature | by default | gives |
//! |---|---|---|
//! | `serde` | no | calibration maps as JSON and the like |
//!
//! *Not here:* diagnostics of draws (R-hat, expected log predictive densities), which are in
//! `posterior-sampling`.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod calibration_map;
mod class_calibration;
mod confusion;
mod label_sets;
mod probability;
mod ranking;
mod reliability;
mod stacking;
mod tally;

// Crates whose types stand in the signatures of this one: whoever adds it needs no other.
#[doc(no_inline)]
pub use {posterior_dist as dist, posterior_math as math};

pub use calibration_map::{CalibrationMap, CalibrationMethod, ScoredEvent};
pub use class_calibration::{CalibratedRow, ClassCalibration};
pub use confusion::Confusion;
pub use label_sets::{LabelCounts, LabelSets};
pub use probability::ProbabilityScores;
pub use ranking::Roc;
pub use reliability::{Bin, Reliability};
pub use stacking::stacking_weights;
pub use tally::Tally;
