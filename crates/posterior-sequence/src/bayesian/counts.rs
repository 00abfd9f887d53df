//! What paths of states say about the parameters.

use posterior_dist::{ExponentialFamily, Stats};

use super::Observed;
use crate::error::Error;

/// Beginnings, steps and observations of each state.
#[derive(Debug, Clone)]
pub(crate) struct StateCounts<F: ExponentialFamily> {
    pub(crate) initial: Vec<f64>,
    /// Row after row.
    steps: Vec<f64>,
    pub(crate) statistics: Vec<Stats<F>>,
}

impl<F: ExponentialFamily> StateCounts<F> {
    /// Of no paths.
    pub(crate) fn nothing(states: usize, fixed: &F::Fixed) -> Self {
        Self {
            initial: vec![0.0; states],
            steps: vec![0.0; states * states],
            statistics: vec![Stats::new(fixed.clone()); states],
        }
    }

    /// Of paths, one label for each position of all sequences; every label is below the number of states.
    pub(crate) fn of(
        data: &Observed<'_, F::Point>,
        labels: &[u32],
        states: usize,
        fixed: &F::Fixed,
    ) -> Result<Self, Error> {
        let mut counts = Self::nothing(states, fixed);
        for (point, &label) in data.all().iter().zip(labels) {
            if let Some(point) = point {
                counts.statistics[label as usize].push(point)?;
            }
        }
        for sequence in 0..data.sequences() {
            let path = &labels[data.range(sequence)];
            if let Some(&first) = path.first() {
                counts.initial[first as usize] += 1.0;
            }
            for step in path.windows(2) {
                counts.steps[step[0] as usize * states + step[1] as usize] += 1.0;
            }
        }
        Ok(counts)
    }

    /// The steps from a state.
    pub(crate) fn steps(&self, from: usize) -> &[f64] {
        let states = self.initial.len();
        &self.steps[from * states..][..states]
    }
}
