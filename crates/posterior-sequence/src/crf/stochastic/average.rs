//! Weights that change in a few places at a time and shrink all at once, and their mean over time.

/// Weights w = s v, where a shrinkage of all changes s alone, and a step changes few entries of v.
///
/// The sum of all w so far is S v - u: S is the sum of the s so far, and a change of v by d, which that would
/// count from the beginning, adds d S to u.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Weights {
    v: Vec<f64>,
    scale: f64,
    u: Vec<f64>,
    /// S.
    seen: f64,
    /// The number of w in the sum.
    count: f64,
}

/// Below this the scale becomes part of v: S v - u loses as many digits as the scale has zeros.
const SMALLEST_SCALE: f64 = 1e-3;

impl Weights {
    pub(super) fn zeros(len: usize) -> Self {
        Self { v: vec![0.0; len], scale: 1.0, u: vec![0.0; len], seen: 0.0, count: 0.0 }
    }

    /// v: the weights but for the [`scale`](Self::scale).
    pub(super) fn unscaled(&self) -> &[f64] {
        &self.v
    }

    pub(super) const fn scale(&self) -> f64 {
        self.scale
    }

    /// Multiplies all by a factor above 0.
    pub(super) fn shrink(&mut self, factor: f64) {
        self.scale *= factor;
        if self.scale < SMALLEST_SCALE {
            // The sum so far goes to -u, so that S can begin again.
            for (v, u) in self.v.iter_mut().zip(&mut self.u) {
                *u -= self.seen * *v;
                *v *= self.scale;
            }
            self.seen = 0.0;
            self.scale = 1.0;
        }
    }

    /// Adds to one weight.
    #[inline]
    pub(super) fn add(&mut self, index: usize, change: f64) {
        let change = change / self.scale;
        self.v[index] += change;
        self.u[index] += change * self.seen;
    }

    /// Counts the weights as they are into the mean.
    pub(super) const fn count(&mut self) {
        self.seen += self.scale;
        self.count += 1.0;
    }

    /// The weights as they are.
    pub(super) fn current(&self) -> Vec<f64> {
        self.v.iter().map(|v| self.scale * v).collect()
    }

    /// The mean of those counted, or the weights as they are if none was.
    pub(super) fn mean(&self) -> Vec<f64> {
        if self.count == 0.0 {
            return self.current();
        }
        self.v.iter().zip(&self.u).map(|(v, u)| (self.seen * v - u) / self.count).collect()
    }

    /// |w|².
    pub(super) fn square(&self) -> f64 {
        self.scale * self.scale * self.v.iter().map(|v| v * v).sum::<f64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use posterior_dist::stream::stream;
    use rand::RngExt;

    /// Shrinkage and the mean against the same done to every entry, past many foldings of the scale.
    #[test]
    fn the_mean_is_that_of_dense_weights() {
        let mut rng = stream(7, &[]);
        let mut weights = Weights::zeros(5);
        let (mut dense, mut sum, mut count) = ([0.0; 5], [0.0; 5], 0.0);
        for step in 0..2000 {
            let factor = if step % 7 == 0 { 0.3 } else { rng.random_range(0.9..1.0) };
            weights.shrink(factor);
            for w in &mut dense {
                *w *= factor;
            }
            for _ in 0..2 {
                let (index, change) = (rng.random_range(0..5), rng.random_range(-1.0..1.0));
                weights.add(index, change);
                dense[index] += change;
            }
            if step >= 100 {
                weights.count();
                count += 1.0;
                sum.iter_mut().zip(&dense).for_each(|(sum, w)| *sum += w);
            }
        }
        for (own, exact) in weights.current().iter().zip(dense) {
            assert!((own - exact).abs() < 1e-12, "{own} {exact}");
        }
        for (own, sum) in weights.mean().iter().zip(sum) {
            assert!((own - sum / count).abs() < 1e-12, "{own} {}", sum / count);
        }
        let square: f64 = dense.iter().map(|w| w * w).sum();
        assert!((weights.square() - square).abs() < 1e-12);
    }

    #[test]
    fn nothing_counted_has_the_weights_as_their_mean() {
        let mut weights = Weights::zeros(2);
        weights.add(1, 0.5);
        assert_eq!(weights.mean(), [0.0, 0.5]);
    }
}
