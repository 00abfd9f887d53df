//! Labels with their energy, and the sweeps by which every approximate minimiser improves them.

use posterior_math::iteration::{Fitted, Observer, Progress, Stop};

use super::Error;

/// A label for each node.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Labelling {
    /// The labels.
    pub labels: Vec<usize>,
    /// Their energy.
    pub energy: f64,
}

/// How long to go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SweepOptions {
    /// The largest number of sweeps; in a sweep every label, pair of labels or node has its turn. 1000 by
    /// default; a handful is usual.
    pub max_sweeps: usize,
}

impl Default for SweepOptions {
    fn default() -> Self {
        Self { max_sweeps: 1000 }
    }
}

/// Repeats `sweep` until the energy falls no more; the energy never rises.
pub(super) fn descend(
    mut best: Labelling,
    options: &SweepOptions,
    observer: &mut impl Observer,
    mut sweep: impl FnMut(&mut Labelling) -> Result<(), Error>,
) -> Result<Fitted<Labelling>, Error> {
    let mut progress = Progress::new(best.energy, options.max_sweeps, observer);
    let mut stop = Stop::MaxIterations;
    while !progress.exhausted() {
        let mut next = best.clone();
        sweep(&mut next)?;
        let fell = next.energy < best.energy;
        if fell {
            best = next;
        }
        if progress.stopped_after(best.energy) {
            stop = Stop::Observer;
            break;
        }
        if !fell {
            stop = Stop::Converged;
            break;
        }
    }
    Ok(Fitted { model: best, report: progress.finish(stop) })
}
