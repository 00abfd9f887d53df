//! How long until the start is forgotten?

use posterior_math::check;

use super::{NotErgodic, TransitionMatrix};
use crate::Error;

/// The most doublings of a number of steps that u64 holds.
const DOUBLINGS: usize = 63;

impl TransitionMatrix {
    /// The largest total variation distance ½ Σ |Tᵗ(x, ·) - π| of the distribution after t steps to the
    /// stationary one, over all starts x. It never grows with t. O(n³ ln t).
    ///
    /// # Errors
    /// A chain with more than one stationary distribution.
    pub fn distance_after(&self, steps: u64) -> Result<f64, NotErgodic> {
        Ok(self.power(steps).farthest(&self.stationary()?))
    }

    /// The least t after which the distribution is within ε of the stationary one in total variation, from
    /// any start; 1/4 is usual. O(n³ ln t).
    ///
    /// Powers are taken by squaring, so t may be large: it is found to a relative error of about n ε of f64.
    ///
    /// # Errors
    /// ε not in (0, 1); a chain that is reducible or periodic never gets there.
    pub fn mixing_time(&self, epsilon: f64) -> Result<u64, Error> {
        check::open_probability("mixing_time", "epsilon", epsilon)?;
        self.check_ergodic()?;
        let distribution = self.stationary()?;
        let n = self.size();
        let start = Self::from_stochastic(posterior_math::linalg::DMatrix::identity(n, n));
        if start.farthest(&distribution) <= epsilon {
            return Ok(0);
        }
        // squares[k] is 2ᵏ steps; the last is enough.
        let mut squares = vec![self.clone()];
        while squares[squares.len() - 1].farthest(&distribution) > epsilon {
            let last = &squares[squares.len() - 1];
            if squares.len() > DOUBLINGS {
                return Err(NotErgodic::Slow { distance: last.farthest(&distribution) }.into());
            }
            squares.push(Self::from_stochastic(last.as_matrix() * last.as_matrix()));
        }
        // The largest number of steps that is not enough, bit by bit.
        let (mut short, mut steps) = (start, 0_u64);
        for (bit, square) in squares.iter().enumerate().rev().skip(1) {
            let longer = Self::from_stochastic(short.as_matrix() * square.as_matrix());
            if longer.farthest(&distribution) > epsilon {
                (short, steps) = (longer, steps + (1 << bit));
            }
        }
        Ok(steps + 1)
    }

    /// The largest distance of a row to a distribution.
    fn farthest(&self, distribution: &[f64]) -> f64 {
        let distance = |row: usize| {
            let differences =
                distribution.iter().enumerate().map(|(to, p)| (self.probability(row, to) - p).abs());
            0.5 * differences.sum::<f64>()
        };
        (0..self.size()).map(distance).fold(0.0, f64::max)
    }
}
