//! The words of topics: common to all documents, or by the level of a content covariate.

use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_math::log_space::softmax_in_place;
use posterior_math::optimize::{LbfgsOptions, minimize};

use super::options::StructuralTopicsOptions;

/// Steps uphill in a round of EM.
const STEPS: usize = 15;

/// How expected counts become probabilities.
#[derive(Debug, Clone)]
pub(super) enum WordModel {
    /// Smoothed by `beta`.
    Common { beta: f64 },
    /// Deviations from the words of the corpus.
    Levels(Deviations),
}

impl WordModel {
    pub(super) fn new(levels: usize, ln_proportions: &[f64], options: &StructuralTopicsOptions) -> Self {
        if levels == 1 {
            return Self::Common { beta: options.beta };
        }
        let (topics, words) = (options.topics, ln_proportions.len());
        let rows = topics + levels + levels * topics;
        Self::Levels(Deviations {
            topics,
            levels,
            ln_proportions: ln_proportions.to_vec(),
            variances: [options.topic_variance, options.level_variance, options.interaction_variance],
            values: vec![0.0; rows * words],
        })
    }

    /// Probabilities, (levels x topics) x words, for expected counts of the same shape, and the log density
    /// of their prior up to a constant.
    ///
    /// Cost: rows x words, with levels as often as there are steps.
    pub(super) fn fit(&mut self, counts: &DMatrix<f64>) -> (DMatrix<f64>, f64) {
        match self {
            Self::Common { beta } => {
                let mut phi = counts.map(|n| n + *beta);
                for mut row in phi.row_iter_mut() {
                    let total = row.sum();
                    row /= total;
                }
                let ln_prior = phi.iter().map(|p| *beta * p.ln()).sum();
                (phi, ln_prior)
            }
            Self::Levels(deviations) => deviations.climb(counts),
        }
    }
}

/// Deviations of topics, of levels, and of both, each with a row of words: topics first, levels then, and
/// last topics within levels.
#[derive(Debug, Clone)]
pub(super) struct Deviations {
    topics: usize,
    levels: usize,
    ln_proportions: Vec<f64>,
    variances: [f64; 3],
    values: Vec<f64>,
}

impl Deviations {
    /// The rows that topic `k` of level `g` is a sum of.
    fn rows(&self, g: usize, k: usize) -> [usize; 3] {
        [k, self.topics + g, self.topics + self.levels + g * self.topics + k]
    }

    fn variance(&self, row: usize) -> f64 {
        let kind = usize::from(row >= self.topics) + usize::from(row >= self.topics + self.levels);
        self.variances[kind]
    }

    /// Probabilities by row of topics within levels.
    fn probabilities(&self, values: &[f64], g: usize, k: usize) -> Vec<f64> {
        let words = self.ln_proportions.len();
        let mut row = self.ln_proportions.clone();
        for part in self.rows(g, k) {
            row.iter_mut().zip(&values[part * words..]).for_each(|(sum, own)| *sum += own);
        }
        softmax_in_place(&mut row);
        row
    }

    /// Minus the log posterior of deviations given counts, and its gradient.
    fn descend(&self, values: &[f64], gradient: &mut [f64], counts: &DMatrix<f64>) -> f64 {
        let words = self.ln_proportions.len();
        let mut value = 0.0;
        for (place, (slope, &own)) in gradient.iter_mut().zip(values).enumerate() {
            let variance = self.variance(place / words);
            *slope = own / variance;
            value += 0.5 * own * own / variance;
        }
        for g in 0..self.levels {
            for k in 0..self.topics {
                let p = self.probabilities(values, g, k);
                let row = counts.row(g * self.topics + k);
                let total = row.sum();
                for part in self.rows(g, k) {
                    let slopes = gradient[part * words..].iter_mut().zip(row.iter()).zip(&p);
                    slopes.for_each(|((slope, n), p)| *slope += total * p - n);
                }
                let terms = row.iter().zip(&p).filter(|(n, _)| **n > 0.0);
                value -= terms.map(|(n, p)| n * p.ln()).sum::<f64>();
            }
        }
        value
    }

    fn climb(&mut self, counts: &DMatrix<f64>) -> (DMatrix<f64>, f64) {
        let options = LbfgsOptions { max_iterations: STEPS, ..LbfgsOptions::default() };
        let objective = |values: &[f64], gradient: &mut [f64]| self.descend(values, gradient, counts);
        let found = minimize(objective, &self.values, &options, &mut Silent);
        self.values = found.model.point;
        let words = self.ln_proportions.len();
        let squares = self
            .values
            .iter()
            .enumerate()
            .map(|(place, own)| -0.5 * own * own / self.variance(place / words));
        let ln_prior = squares.sum();
        let mut phi = DMatrix::zeros(counts.nrows(), words);
        for g in 0..self.levels {
            for k in 0..self.topics {
                let p = self.probabilities(&self.values, g, k);
                phi.row_mut(g * self.topics + k).iter_mut().zip(p).for_each(|(phi, p)| *phi = p);
            }
        }
        (phi, ln_prior)
    }
}

#[cfg(test)]
mod tests {
    use posterior_testkit::accuracy::{assert_close, assert_within};

    use super::*;

    fn deviations() -> (WordModel, DMatrix<f64>) {
        let options = StructuralTopicsOptions { topics: 2, ..StructuralTopicsOptions::default() };
        let model = WordModel::new(2, &[0.5, 0.3, 0.2].map(f64::ln), &options);
        let counts = [[30.0, 2.0, 5.0], [1.0, 9.0, 4.0], [10.0, 12.0, 5.0], [0.0, 7.0, 8.5]];
        (model, DMatrix::from_fn(4, 3, |r, v| counts[r][v]))
    }

    #[test]
    fn the_gradient_is_that_of_the_value() {
        let (WordModel::Levels(model), counts) = deviations() else { panic!() };
        let values: Vec<f64> = (0..24).map(|i| ((i * 7 % 11) as f64 - 5.0) / 7.0).collect();
        let mut gradient = vec![0.0; 24];
        model.descend(&values, &mut gradient, &counts);
        for i in 0..24 {
            let at = |h: f64| {
                let mut moved = values.clone();
                moved[i] += h;
                model.descend(&moved, &mut vec![0.0; 24], &counts)
            };
            assert_within((at(1e-4) - at(-1e-4)) / 2e-4, gradient[i], 1e-5);
        }
    }

    /// At the mode each deviation is its variance times what was counted beyond what is expected; deviations
    /// of topics are sums of those of their levels then, by variance.
    #[test]
    fn the_mode_balances_counts_and_prior() {
        let (mut model, counts) = deviations();
        for _ in 0..20 {
            model.fit(&counts);
        }
        let (phi, _) = model.fit(&counts);
        let WordModel::Levels(model) = model else { panic!() };
        for g in 0..2 {
            for k in 0..2 {
                let row = counts.row(g * 2 + k);
                for v in 0..3 {
                    let beyond = row[v] - row.sum() * phi[(g * 2 + k, v)];
                    let both = model.values[model.rows(g, k)[2] * 3 + v];
                    assert_within(both, 0.1 * beyond, 1e-5);
                }
            }
        }
        for v in 0..3 {
            let [first, second] = [0, 1].map(|g| model.values[model.rows(g, 0)[2] * 3 + v] / 0.1);
            assert_within(model.values[v] / 10.0, first + second, 1e-4);
        }
        assert_close(phi.sum(), 4.0, 1e-12);
    }
}
