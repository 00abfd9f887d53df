//! The distribution of one row of transitions.

use posterior_dist::{Dirichlet, KlDivergence};
use posterior_math::check::{self, ParamError};
use posterior_math::special::ln_pochhammer;
use rand::Rng;

/// A Dirichlet distribution of the probabilities of the next state, some of which may be zero for good.
///
/// An α of 0 says that a state cannot follow: it has probability 0 in every draw, and no data change that.
#[derive(Debug, Clone, PartialEq)]
pub struct DirichletRow {
    alpha: Vec<f64>,
    /// The states that can follow.
    possible: Vec<usize>,
    distribution: Dirichlet,
}

impl DirichletRow {
    /// The row with these α.
    ///
    /// # Errors
    /// If an α is negative or not finite, or none is positive.
    pub fn new(alpha: &[f64]) -> Result<Self, ParamError> {
        for (index, &alpha) in alpha.iter().enumerate() {
            check::non_negative("DirichletRow", "alpha", alpha).map_err(|error| error.at(index))?;
        }
        let possible: Vec<usize> = (0..alpha.len()).filter(|&k| alpha[k] > 0.0).collect();
        let weights: Vec<f64> = possible.iter().map(|&k| alpha[k]).collect();
        Ok(Self { alpha: alpha.to_vec(), possible, distribution: Dirichlet::new(&weights)? })
    }

    /// The row with the same α for each of `states` states.
    ///
    /// # Errors
    /// If α is not positive and finite, or there are no states.
    pub fn symmetric(states: usize, alpha: f64) -> Result<Self, ParamError> {
        check::positive("DirichletRow", "alpha", alpha)?;
        Self::new(&vec![alpha; states])
    }

    /// α of each state; 0 of those that cannot follow.
    pub fn alpha(&self) -> &[f64] {
        &self.alpha
    }

    /// The states that can follow.
    pub fn possible(&self) -> &[usize] {
        &self.possible
    }

    /// E p, which sums to one.
    pub fn mean(&self) -> Vec<f64> {
        self.alpha.iter().map(|alpha| alpha / self.distribution.total()).collect()
    }

    /// E ln p; -∞ of states that cannot follow. The exponentials add up to less than one.
    pub fn expected_ln(&self) -> Vec<f64> {
        self.spread(&self.distribution.expected_ln())
    }

    /// The row given how often each state followed. Counts of states that cannot follow are not looked at.
    ///
    /// # Errors
    /// If there is not one count for each state, a count is negative, or a sum leaves the range of f64.
    pub fn posterior(&self, counts: &[f64]) -> Result<Self, ParamError> {
        self.check_counts(counts)?;
        let add = |(&alpha, &count): (&f64, &f64)| if alpha > 0.0 { alpha + count } else { 0.0 };
        Self::new(&self.alpha.iter().zip(counts).map(add).collect::<Vec<_>>())
    }

    /// ln of the probability of a sequence of states with these counts, the probabilities integrated out; -∞
    /// if one of them cannot follow.
    ///
    /// # Errors
    /// If there is not one count for each state, or a count is negative.
    pub fn ln_evidence(&self, counts: &[f64]) -> Result<f64, ParamError> {
        self.check_counts(counts)?;
        let (mut sum, mut total) = (0.0, 0.0);
        for (&alpha, &count) in self.alpha.iter().zip(counts).filter(|(_, count)| **count > 0.0) {
            if alpha == 0.0 {
                return Ok(f64::NEG_INFINITY);
            }
            sum += ln_pochhammer(alpha, count);
            total += count;
        }
        Ok(sum - ln_pochhammer(self.distribution.total(), total))
    }

    /// ln p of each state, for a p from this distribution; -∞ of those that cannot follow.
    pub fn sample_ln<R: Rng + ?Sized>(&self, rng: &mut R) -> Vec<f64> {
        self.spread(&self.distribution.sample_ln(rng))
    }

    /// ln of the density of probabilities, given by their logarithms; -∞ where they are not zero where they
    /// must be.
    ///
    /// # Panics
    /// If there is not one number for each state.
    #[track_caller]
    pub fn ln_pdf(&self, ln_probabilities: &[f64]) -> f64 {
        assert_eq!(ln_probabilities.len(), self.alpha.len(), "probabilities of a row");
        let mut sum = -self.distribution.ln_norm();
        for (&alpha, &ln) in self.alpha.iter().zip(ln_probabilities) {
            if alpha == 0.0 {
                if ln > f64::NEG_INFINITY {
                    return f64::NEG_INFINITY;
                }
            } else if alpha != 1.0 {
                sum += (alpha - 1.0) * ln;
            }
        }
        sum
    }

    /// KL(self ‖ other); infinite if they do not exclude the same states.
    pub fn kl_divergence(&self, other: &Self) -> f64 {
        if self.possible == other.possible {
            self.distribution.kl_divergence(&other.distribution)
        } else {
            f64::INFINITY
        }
    }

    /// Σ n E ln p of counts n.
    pub(crate) fn expected_ln_counts(&self, counts: &[f64]) -> f64 {
        let terms = counts.iter().zip(self.expected_ln());
        terms.map(|(&count, ln)| if count == 0.0 { 0.0 } else { count * ln }).sum()
    }

    /// The most probable row; `None` where its density has no maximum inside of what is possible.
    pub fn most_probable(&self) -> Option<Vec<f64>> {
        let excess: f64 = self.possible.iter().map(|&k| self.alpha[k] - 1.0).sum();
        if let [only] = self.possible[..] {
            return Some((0..self.alpha.len()).map(|k| f64::from(u8::from(k == only))).collect());
        }
        let inside = self.possible.iter().all(|&k| self.alpha[k] >= 1.0) && excess > 0.0;
        let proportion = |&alpha: &f64| if alpha > 0.0 { (alpha - 1.0) / excess } else { 0.0 };
        inside.then(|| self.alpha.iter().map(proportion).collect())
    }

    /// Numbers of the possible states, at their places, among -∞.
    fn spread(&self, of_possible: &[f64]) -> Vec<f64> {
        let mut all = vec![f64::NEG_INFINITY; self.alpha.len()];
        for (&k, &number) in self.possible.iter().zip(of_possible) {
            all[k] = number;
        }
        all
    }

    fn check_counts(&self, counts: &[f64]) -> Result<(), ParamError> {
        let found = counts.len() as f64;
        let fits = counts.len() == self.alpha.len();
        check::require(fits, "DirichletRow", "number of counts", found, "that of the states")?;
        for (index, &count) in counts.iter().enumerate() {
            check::non_negative("DirichletRow", "count", count).map_err(|error| error.at(index))?;
        }
        Ok(())
    }
}
