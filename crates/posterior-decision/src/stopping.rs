//! When to stop: is one arm surely enough the best?
//!
//! - [`judge`]: under independent posteriors, how probably each arm is the best, and what is lost in
//!   expectation by settling for it now;
//! - [`stitched_radius`], [`normal_mixture_radius`], [`coin_confidence_sequence`]: intervals that hold at
//!   *all* times together, so that one may look after every play and stop when one likes;
//! - [`TrackAndStop`], [`TopTwoThompson`]: which arm to play if only the final choice counts, with
//!   [`evidence_for_leader`] to say when it is surely right;
//! - [`least_plays`], [`plays_per_arm`]: how many plays that takes;
//! - [`Contrast`]: difference and ratio of two arms, with intervals;
//! - [`Experiment`]: power and false alarms by simulation, and what it costs to look on the way.
//!
//! ```
//! use posterior_decision::stopping::judge;
//! use posterior_dist::Beta;
//!
//! // 6 of 10 against 3 of 10, after uniform priors.
//! let found = judge(&[Beta::new(7.0, 5.0)?, Beta::new(4.0, 8.0)?])?;
//! assert!((found.probability_best[0] - 445.0 / 494.0).abs() < 1e-10);
//! assert_eq!(found.leader, 0);
//! assert!(found.expected_loss[0] < 0.01 && !found.settled(0.005));
//! # Ok::<(), posterior_decision::Error>(())
//! ```

mod best;
mod confidence_sequence;
mod contrast;
mod experiment;
mod identification;
mod sample_size;

pub use best::{Judgement, judge, probability_greater};
pub use confidence_sequence::{coin_confidence_sequence, normal_mixture_radius, stitched_radius};
pub use contrast::{Contrast, mean_posterior, proportion_interval, proportion_posterior};
pub use experiment::{Experiment, Outcomes, SimulatedExperiment};
pub use identification::{
    Allocation, TopTwoThompson, TrackAndStop, best_allocation, evidence_for_leader, evidence_threshold,
};
pub use sample_size::{least_plays, plays_per_arm};
