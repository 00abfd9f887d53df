//! Broken sticks, each with a beta distribution.

use posterior_math::special::{digamma, ln_beta};

/// Factors `q(V_i) = Beta(1 + n_i, c + n_{i+1} + n_{i+2} + ..)` of sticks with the prior `Beta(1, c)`, the
/// last of which has all that is left.
#[derive(Debug, Clone)]
pub(super) struct BrokenSticks {
    /// Expected logarithms of the weights.
    pub(super) ln_weights: Vec<f64>,
    /// Expected weights; their sum is one.
    pub(super) weights: Vec<f64>,
    /// From the prior to the factors, in nats.
    pub(super) divergence: f64,
}

impl BrokenSticks {
    /// Of expected numbers `n_i` of what is on each stick.
    pub(super) fn new(counts: impl ExactSizeIterator<Item = f64> + Clone, concentration: f64) -> Self {
        let sticks = counts.len();
        let mut rest: f64 = counts.clone().sum();
        let mut own = Self {
            ln_weights: Vec::with_capacity(sticks),
            weights: Vec::with_capacity(sticks),
            divergence: 0.0,
        };
        let (mut ln_left, mut left) = (0.0, 1.0);
        for (i, count) in counts.enumerate() {
            if i + 1 == sticks {
                own.ln_weights.push(ln_left);
                own.weights.push(left);
                break;
            }
            rest = (rest - count).max(0.0);
            let (a, b) = (1.0 + count, concentration + rest);
            let [psi_a, psi_b, psi_sum] = [a, b, a + b].map(digamma);
            own.ln_weights.push(ln_left + psi_a - psi_sum);
            own.weights.push(left * a / (a + b));
            ln_left += psi_b - psi_sum;
            left *= b / (a + b);
            // ln B(1, c) = -ln c.
            own.divergence +=
                -concentration.ln() - ln_beta(a, b) + count * psi_a + rest * psi_b - (count + rest) * psi_sum;
        }
        own
    }
}

#[cfg(test)]
mod tests {
    use posterior_dist::{Beta, KlDivergence};
    use posterior_testkit::accuracy::assert_close;

    use super::*;

    #[test]
    fn sticks_are_beta_distributions() {
        let counts = [3.0, 0.5, 7.25, 0.0];
        let sticks = BrokenSticks::new(counts.into_iter(), 1.5);
        let factors = [(4.0, 9.25), (1.5, 8.75), (8.25, 1.5)];
        let prior = Beta::new(1.0, 1.5).unwrap();
        let divergence: f64 =
            factors.iter().map(|&(a, b)| Beta::new(a, b).unwrap().kl_divergence(&prior)).sum();
        assert_close(sticks.divergence, divergence, 1e-13);
        let mut left = 1.0;
        let mut ln_left = 0.0;
        for (i, &(a, b)) in factors.iter().enumerate() {
            let own = Beta::new(a, b).unwrap();
            assert_close(sticks.weights[i], left * a / (a + b), 1e-14);
            assert_close(sticks.ln_weights[i], ln_left + own.expected_ln(), 1e-14);
            left *= b / (a + b);
            ln_left += own.expected_ln_complement();
        }
        assert_close(sticks.weights[3], left, 1e-14);
        assert_close(sticks.ln_weights[3], ln_left, 1e-14);
        assert_close(sticks.weights.iter().sum(), 1.0, 1e-15);
    }
}
