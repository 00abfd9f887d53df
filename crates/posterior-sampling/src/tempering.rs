//! From the prior to the posterior in steps: annealed importance sampling, sequential Monte Carlo, parallel
//! tempering.
//!
//! All go along the path p_β ∝ prior · likelihood^β, a [`Tempered`] target. What they give beside draws is
//! the evidence Z, with its error, or draws from all peaks.
//!
//! - [`AnnealedImportance`]: independent paths, an estimate of Z without bias;
//! - [`SequentialMonteCarlo`]: populations that are resampled on their way, with temperatures and kernels
//!   tuned to them;
//! - [`ParallelTempering`]: a chain at each of several temperatures, which exchange their points.

mod annealed;
mod conditional_ess;
mod island;
mod parallel;
mod path;
mod populations;
mod schedule;
mod sequential;
mod stage;
mod tasks;

pub use annealed::{AnnealedImportance, AnnealedPath};
pub use parallel::{
    Exchange, Flat, Ladder, LadderProgress, Pairs, ParallelTempering, Replicas, Spacing, Swapped,
    TemperatureLevels,
};
pub use path::{Ratio, Tempered};
pub use populations::{IslandReport, Populations};
pub use schedule::TemperatureSchedule;
pub use sequential::{SequentialMonteCarlo, Steps};
pub use stage::{StageReport, TemperingStage};
