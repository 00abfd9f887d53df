//! What an E step expects, and the rows of probabilities that follow.

use posterior_math::linalg::DMatrix;

use super::options::{BaumWelchOptions, InitialUpdate, StepUpdate};

/// Expected counts: of first states, of steps, and what emissions are learned from.
#[derive(Debug, Clone, PartialEq)]
pub struct Counts<S> {
    /// Σ γ_0 over sequences.
    pub initial: Vec<f64>,
    /// Σ p(z_t = i, z_{t+1} = j | x) over all steps, at i K + j.
    pub steps: Vec<f64>,
    /// The statistics of the observations.
    pub emissions: S,
}

impl<S> Counts<S> {
    /// Of no sequence.
    pub(super) fn nothing(states: usize, emissions: S) -> Self {
        Self { initial: vec![0.0; states], steps: vec![0.0; states * states], emissions }
    }

    /// Adds the counts of first states and of steps.
    pub(super) fn add_chain<T>(&mut self, other: &Counts<T>) {
        self.initial.iter_mut().zip(&other.initial).for_each(|(sum, more)| *sum += more);
        self.steps.iter_mut().zip(&other.steps).for_each(|(sum, more)| *sum += more);
    }

    /// π after an M step.
    pub(super) fn initial_distribution(&self, before: &[f64], options: &BaumWelchOptions) -> Vec<f64> {
        match options.initial {
            InitialUpdate::Fixed => before.to_vec(),
            InitialUpdate::Learned => {
                let mut row = self.initial.clone();
                add_prior(&mut row, before, |k| options.initial_prior.added_count(0, k));
                in_proportion(&mut row, before);
                row
            }
        }
    }

    /// A after an M step, and the states that keep their row because nothing is known of it.
    pub(super) fn transition(
        &self,
        before: &DMatrix<f64>,
        options: &BaumWelchOptions,
    ) -> (DMatrix<f64>, Vec<usize>) {
        let states = self.initial.len();
        let own: Vec<usize>;
        let groups = match &options.steps {
            StepUpdate::Fixed => return (before.clone(), Vec::new()),
            StepUpdate::Learned => {
                own = (0..states).collect();
                &own
            }
            StepUpdate::Tied(groups) => groups,
        };
        let (mut after, mut idle) = (before.clone(), Vec::new());
        for first in (0..states).filter(|&i| !groups[..i].contains(&groups[i])) {
            let members: Vec<usize> = (first..states).filter(|&i| groups[i] == groups[first]).collect();
            let old: Vec<f64> = before.row(first).iter().copied().collect();
            let mut row = vec![0.0; states];
            for &i in &members {
                row.iter_mut().zip(&self.steps[i * states..]).for_each(|(sum, count)| *sum += count);
                add_prior(&mut row, &old, |j| options.step_prior.added_count(i, j));
            }
            if in_proportion(&mut row, &old) {
                for &i in &members {
                    row.iter().enumerate().for_each(|(j, &p)| after[(i, j)] = p);
                }
            } else {
                idle.extend(members);
            }
        }
        (after, idle)
    }
}

/// Adds to what is not a structural zero.
fn add_prior(row: &mut [f64], before: &[f64], added: impl Fn(usize) -> f64) {
    for (k, (count, &before)) in row.iter_mut().zip(before).enumerate() {
        *count = if before > 0.0 { *count + added(k) } else { 0.0 };
    }
}

/// Makes counts probabilities; without any, those of before, and `false`.
fn in_proportion(row: &mut [f64], before: &[f64]) -> bool {
    let total: f64 = row.iter().sum();
    // Counts that small have no digits.
    if total < f64::MIN_POSITIVE {
        row.copy_from_slice(before);
        return false;
    }
    for count in row.iter_mut() {
        *count /= total;
    }
    true
}
