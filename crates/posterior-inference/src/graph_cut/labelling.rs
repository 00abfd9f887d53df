//! Labels with their energy, and the sweeps by which every approximate minimiser improves them.

use std::time::Instant;

use posterior_math::iteration::{Fitted, Observer, Report, Step, Stop};

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
    let begin = Instant::now();
    let mut trace = vec![best.energy];
    let mut stop = Stop::MaxIterations;
    for iteration in 1..=options.max_sweeps {
        let mut next = best.clone();
        sweep(&mut next)?;
        let fell = next.energy < best.energy;
        if fell {
            best = next;
        }
        trace.push(best.energy);
        if observer.step(&Step::new(iteration, best.energy, begin.elapsed())).is_break() {
            stop = Stop::Observer;
            break;
        }
        if !fell {
            stop = Stop::Converged;
            break;
        }
    }
    Ok(Fitted { model: best, report: Report::new(trace, stop) })
}
