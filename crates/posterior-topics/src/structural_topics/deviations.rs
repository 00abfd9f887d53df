//! Words of topics that deviate from those of the corpus, by topic, by level, and by level of a topic.
//!
//! With the normalisers held at their values, ln p(tokens | deviations) has a lower bound that touches it:
//! by `ln Z <= ln Z' + Z / Z' - 1` it is a sum over words of log-likelihoods of Poisson counts. Each
//! deviation has its maximum in closed form there, so that every round climbs (after Taddy 2015, who stops
//! at the bound).
//!
//! # References
//! M. Taddy, Distributed multinomial regression, Annals of Applied Statistics 9, 2015.

use posterior_math::linalg::DMatrix;
use posterior_math::log_space::{ln_sum_exp, softmax_in_place};
use rayon::prelude::*;

use super::options::StructuralTopicsOptions;

/// Rounds of a climb: of new normalisers, and in each so many of the deviations of a word.
const NORMALIZERS: usize = 3;
const ROUNDS: usize = 3;

/// Deviations of logarithms of probabilities.
#[derive(Debug, Clone)]
pub(super) struct Deviations {
    levels: usize,
    topics: usize,
    ln_proportions: Vec<f64>,
    /// For each word those of the topics, of the levels, and of the topics of each level.
    of_words: Vec<Vec<f64>>,
    topic_rate: f64,
    level_rate: f64,
}

impl Deviations {
    /// Of topics alone: `phi` is topics x words.
    pub(super) fn new(
        phi: &DMatrix<f64>,
        levels: usize,
        ln_proportions: Vec<f64>,
        options: &StructuralTopicsOptions,
    ) -> Self {
        let topics = phi.nrows();
        let of_word = |(v, ln): (usize, &f64)| {
            let mut own = vec![0.0; topics + levels + levels * topics];
            own.iter_mut().zip(&phi.column(v)).for_each(|(own, p)| *own = p.ln() - ln);
            own
        };
        Self {
            levels,
            topics,
            of_words: ln_proportions.iter().enumerate().map(of_word).collect(),
            ln_proportions,
            topic_rate: options.beta,
            level_rate: options.content_rate,
        }
    }

    /// Climbs towards the most probable deviations given so many tokens, (levels x topics) x words. What the
    /// words of topics are then, in the same shape.
    ///
    /// Cost: 9 x words x levels x topics.
    pub(super) fn climb(&mut self, counts: &DMatrix<f64>) -> DMatrix<f64> {
        let totals: Vec<f64> = counts.row_iter().map(|row| row.sum()).collect();
        let (rows, parts) = (counts.nrows(), self.parts());
        for _ in 0..NORMALIZERS {
            let logs = self.logs();
            // What multiplies exp(logs) for the tokens that are expected of a word.
            let ln_scale = |(row, total): (usize, &f64)| {
                let row: Vec<f64> = logs.row(row).iter().copied().collect();
                total.ln() - ln_sum_exp(&row)
            };
            let ln_scales: Vec<f64> = totals.iter().enumerate().map(ln_scale).collect();
            self.of_words.par_iter_mut().enumerate().for_each(|(v, own)| {
                let counts = &counts.as_slice()[v * rows..][..rows];
                let logs = &logs.as_slice()[v * rows..][..rows];
                let mut expected: Vec<f64> =
                    logs.iter().zip(&ln_scales).map(|(ln, scale)| (ln + scale).exp()).collect();
                for _ in 0..ROUNDS {
                    for (deviation, part) in own.iter_mut().zip(&parts) {
                        part.climb(deviation, counts, &mut expected);
                    }
                }
            });
        }
        normalized(self.logs())
    }

    /// For each word the deviations of the topics, of the levels, and of the topics of each level.
    pub(super) fn of_words(&self) -> impl Iterator<Item = &[f64]> {
        self.of_words.iter().map(Vec::as_slice)
    }

    /// Moves to these. What the words of topics are there, (levels x topics) x words.
    pub(super) fn move_to(&mut self, of_words: Vec<Vec<f64>>) -> DMatrix<f64> {
        self.of_words = of_words;
        normalized(self.logs())
    }

    /// ln p(deviations), up to a constant.
    pub(super) fn ln_prior(&self) -> f64 {
        let of_word = |own: &Vec<f64>| {
            let (topics, others) = own.split_at(self.topics);
            let sizes = |own: &[f64]| own.iter().map(|x| x.abs()).sum::<f64>();
            -self.topic_rate * sizes(topics) - self.level_rate * sizes(others)
        };
        self.of_words.iter().map(of_word).sum()
    }

    /// The rows that each deviation of a word is of, and the rate of its prior.
    fn parts(&self) -> Vec<Part> {
        let (levels, topics, all) = (self.levels, self.topics, self.levels * self.topics);
        let of_topic = |k| Part { first: k, last: all, step: topics, rate: self.topic_rate };
        let of_level =
            |g: usize| Part { first: g * topics, last: (g + 1) * topics, step: 1, rate: self.level_rate };
        let of_both = |row| Part { first: row, last: row + 1, step: 1, rate: self.level_rate };
        let parts = (0..topics).map(of_topic).chain((0..levels).map(of_level));
        parts.chain((0..all).map(of_both)).collect()
    }

    /// Logarithms of probabilities up to a constant of each row.
    fn logs(&self) -> DMatrix<f64> {
        let (levels, topics) = (self.levels, self.topics);
        DMatrix::from_fn(levels * topics, self.of_words.len(), |row, v| {
            let own = &self.of_words[v];
            self.ln_proportions[v]
                + own[row % topics]
                + own[topics + row / topics]
                + own[topics + levels + row]
        })
    }
}

/// The probabilities with these logarithms up to a constant of each row.
pub(super) fn normalized(mut logs: DMatrix<f64>) -> DMatrix<f64> {
    for mut row in logs.row_iter_mut() {
        let mut own: Vec<f64> = row.iter().copied().collect();
        softmax_in_place(&mut own);
        row.iter_mut().zip(own).for_each(|(to, p)| *to = p);
    }
    logs
}

/// What a deviation is of.
#[derive(Debug)]
struct Part {
    first: usize,
    last: usize,
    step: usize,
    rate: f64,
}

impl Part {
    /// Moves a deviation to where the bound is highest, and the tokens that are expected of its rows.
    fn climb(&self, deviation: &mut f64, counts: &[f64], expected: &mut [f64]) {
        let rows = || (self.first..self.last).step_by(self.step);
        let found: f64 = rows().map(|row| counts[row]).sum();
        let tokens: f64 = rows().map(|row| expected[row]).sum();
        let next = maximum(*deviation, found, tokens, self.rate);
        let factor = (next - *deviation).exp();
        rows().for_each(|row| expected[row] *= factor);
        *deviation = next;
    }
}

/// The `x` that makes `found x - tokens exp(x - deviation) - rate |x|` largest.
fn maximum(deviation: f64, found: f64, tokens: f64, rate: f64) -> f64 {
    let above = deviation + ((found - rate).max(0.0) / tokens).ln();
    let below = deviation + ((found + rate) / tokens).ln();
    if above > 0.0 && above.is_finite() {
        above
    } else if below < 0.0 {
        below
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests;
