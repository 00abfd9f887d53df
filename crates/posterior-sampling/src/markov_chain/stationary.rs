//! The distribution that a step leaves alone.

use posterior_math::linalg::DMatrix;

use super::{NotErgodic, TransitionMatrix};

impl TransitionMatrix {
    /// The stationary distribution π = π T, of a chain that has only one: zero at transient states. A period
    /// does not matter.
    ///
    /// By the algorithm of Grassmann, Taksar and Heyman, which never subtracts: each probability is right to
    /// a few n ε relative to itself. O(n³).
    ///
    /// # Errors
    /// [`NotErgodic::Reducible`] with states of two closed classes; [`NotErgodic::Underflow`].
    pub fn stationary(&self) -> Result<Vec<f64>, NotErgodic> {
        let classes = self.classes();
        let mut closed = classes.iter().filter(|class| class.closed);
        let states = closed.next().map_or(&[][..], |class| &class.states);
        if let Some(other) = closed.next() {
            return Err(NotErgodic::Reducible { from: states[0], to: other.states[0] });
        }
        let size = states.len();
        let moves = DMatrix::from_fn(size, size, |i, j| self.probability(states[i], states[j]));
        let mut distribution = vec![0.0; self.size()];
        for (&state, p) in states.iter().zip(censor(moves).ok_or(NotErgodic::Underflow)?) {
            distribution[state] = p;
        }
        Ok(distribution)
    }

    /// The chain backwards in time, under its stationary distribution: π(j) T(j, i) / π(i).
    ///
    /// # Errors
    /// A chain that is not irreducible; underflow.
    pub fn reversed(&self) -> Result<Self, NotErgodic> {
        self.check_irreducible()?;
        let distribution = self.stationary()?;
        if distribution.contains(&0.0) {
            return Err(NotErgodic::Underflow);
        }
        let n = self.size();
        Ok(Self::from_stochastic(DMatrix::from_fn(n, n, |i, j| {
            distribution[j] * self.probability(j, i) / distribution[i]
        })))
    }
}

/// The stationary distribution of an irreducible chain: the last state is left out of sight (censored), the
/// chain between the others solved, and so on.
fn censor(mut moves: DMatrix<f64>) -> Option<Vec<f64>> {
    let n = moves.nrows();
    for k in (1..n).rev() {
        let leave: f64 = (0..k).map(|j| moves[(k, j)]).sum();
        if !(leave > 0.0) {
            return None;
        }
        for i in 0..k {
            let through = moves[(i, k)] / leave;
            moves[(i, k)] = through;
            for j in 0..k {
                moves[(i, j)] += through * moves[(k, j)];
            }
        }
    }
    let mut distribution = vec![1.0];
    for k in 1..n {
        let weight: f64 = distribution.iter().enumerate().map(|(i, p)| p * moves[(i, k)]).sum();
        distribution.push(weight);
        // Keep the largest at one: ratios beyond the range of f64 become zero, not infinite.
        if weight > 1.0 {
            for p in &mut distribution {
                *p /= weight;
            }
        }
    }
    let total: f64 = distribution.iter().sum();
    total.is_finite().then(|| distribution.iter().map(|p| p / total).collect())
}
