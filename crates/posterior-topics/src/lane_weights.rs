//! Unnormalised weights of topics in lanes of eight, and the draw of one of them.
//!
//! Weights are added up in a fixed order, so that every machine draws the same. Topics beyond the last have
//! weight zero.

use crate::lanes::{LANES, Lane, ZERO, lane_sum, width};

/// Weights with the sums of their runs of [`LANES`].
#[derive(Debug, Clone, Default)]
pub(crate) struct LaneWeights {
    weights: Vec<Lane>,
    sums: Vec<f64>,
}

impl LaneWeights {
    /// Room for so many weights.
    pub(crate) fn resize(&mut self, topics: usize) {
        self.weights.resize(width(topics), ZERO);
        self.sums.resize(width(topics), 0.0);
    }

    /// Fills in the weights, run after run, and returns their sum.
    #[expect(clippy::inline_always, reason = "has to be compiled with the vector instructions of its caller")]
    #[inline(always)]
    pub(crate) fn fill(&mut self, runs: impl Iterator<Item = Lane>) -> f64 {
        let mut total = 0.0;
        for ((weights, sum), run) in self.weights.iter_mut().zip(&mut self.sums).zip(runs) {
            *weights = run;
            *sum = lane_sum(&run);
            total += *sum;
        }
        total
    }

    /// The weights, with those of the padding.
    pub(crate) fn weights(&self) -> &[f64] {
        self.weights.as_flattened()
    }

    /// The topic in whose proportion of the cumulated weights `target` falls.
    #[expect(clippy::inline_always, reason = "has to be compiled with the vector instructions of its caller")]
    #[inline(always)]
    pub(crate) fn pick(&self, mut target: f64) -> usize {
        let mut run = 0;
        while run + 1 < self.sums.len() && target >= self.sums[run] {
            target -= self.sums[run];
            run += 1;
        }
        let mut cumulated = 0.0;
        let mut below = 0;
        for weight in self.weights[run] {
            cumulated += weight;
            below += usize::from(cumulated <= target);
        }
        let lane = below.min(LANES - 1);
        if self.weights[run][lane] > 0.0 { run * LANES + lane } else { self.last_before(run * LANES + lane) }
    }

    /// Rounding can carry the target past the last weight, onto the padding: the last topic with a weight.
    #[cold]
    fn last_before(&self, topic: usize) -> usize {
        (0..topic).rev().find(|&k| self.weights[k / LANES][k % LANES] > 0.0).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::{LANES, LaneWeights, width};

    fn of(weights: &[f64]) -> (LaneWeights, f64) {
        let mut lanes = LaneWeights::default();
        lanes.resize(weights.len());
        let run =
            |r: usize| std::array::from_fn(|lane| weights.get(r * LANES + lane).copied().unwrap_or(0.0));
        let total = lanes.fill((0..width(weights.len())).map(run));
        (lanes, total)
    }

    #[test]
    fn picking_splits_the_line_at_the_cumulated_weights() {
        let weights: Vec<f64> = (1..=12).map(f64::from).collect();
        let (lanes, total) = of(&weights);
        assert_eq!(total, 78.0);
        let mut edge = 0.0;
        for (k, weight) in weights.iter().enumerate() {
            assert_eq!(lanes.pick(edge), k, "at the left edge of {k}");
            edge += weight;
            assert_eq!(lanes.pick(edge - 1e-9), k, "at the right edge of {k}");
        }
        assert_eq!(lanes.pick(edge), 11);
        assert_eq!(lanes.pick(edge + 1.0), 11);
    }

    #[test]
    fn topics_without_weight_are_never_picked() {
        let (lanes, _) = of(&[0.0, 3.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!([0.0, 2.9, 3.0, 3.9, 4.0].map(|target| lanes.pick(target)), [1, 1, 4, 4, 4]);
    }
}
