//! Paths of a chain.

use posterior_dist::CumulativeTable;
use posterior_math::check;
use rand::Rng;
use rand_distr::Distribution;

use super::TransitionMatrix;
use crate::Error;

impl TransitionMatrix {
    /// A path of this many steps, its start included. O(n² + steps ln n).
    ///
    /// # Errors
    /// A start that is not there.
    pub fn path<R: Rng + ?Sized>(
        &self,
        start: usize,
        steps: usize,
        rng: &mut R,
    ) -> Result<Vec<usize>, Error> {
        check::require(start < self.size(), "path", "start", start as f64, "below the number of states")?;
        let row = |i: usize| self.as_matrix().row(i).iter().copied().collect::<Vec<f64>>();
        let tables = (0..self.size())
            .map(|i| CumulativeTable::from_weights(&row(i)))
            .collect::<Result<Vec<_>, _>>()?;
        let mut path = Vec::with_capacity(steps.saturating_add(1));
        let mut state = start;
        path.push(state);
        for _ in 0..steps {
            state = tables[state].sample(rng);
            path.push(state);
        }
        Ok(path)
    }
}
