//! A topic whose words drift: its paths, and the moves of all of them together.

use rand::Rng;
use rand_distr::{Distribution, StandardNormal};

use super::path::{Seen, Walk};
use crate::distributions::column_sums;

/// The words of a topic over time.
#[derive(Debug, Clone)]
pub(super) struct Topic {
    periods: usize,
    /// Words x periods, row by row: the paths, and the tokens of the topic.
    pub(super) paths: Vec<f64>,
    pub(super) counts: Vec<f64>,
}

impl Topic {
    /// Without tokens, and with all words alike.
    pub(super) fn new(words: usize, periods: usize) -> Self {
        Self { periods, paths: vec![0.0; words * periods], counts: vec![0.0; words * periods] }
    }

    fn words(&self) -> usize {
        self.paths.len() / self.periods
    }

    /// Each path at the place that the counts of all periods suggest, within two standard deviations of its
    /// first place.
    pub(super) fn level(&mut self, first_variance: f64) {
        let bound = 2.0 * first_variance.sqrt();
        let mean = self.counts.iter().sum::<f64>() / self.words() as f64;
        let rows = self.paths.chunks_exact_mut(self.periods).zip(self.counts.chunks_exact(self.periods));
        for (path, counts) in rows {
            let own: f64 = counts.iter().sum();
            path.fill(((own + 0.5) / (mean + 0.5)).ln().clamp(-bound, bound));
        }
    }

    /// Moves the path of each word in turn; how many moved.
    pub(super) fn draw<R: Rng + ?Sized>(&mut self, walk: &Walk, drift: f64, rng: &mut R) -> usize {
        let (periods, words) = (self.periods, self.words());
        let precision = walk.precision(drift);
        // Sums of e^x over the words from each one on, so that those of the others need no differences.
        let mut after = vec![0.0; (words + 1) * periods];
        for v in (0..words).rev() {
            for t in 0..periods {
                after[v * periods + t] = after[(v + 1) * periods + t] + self.paths[v * periods + t].exp();
            }
        }
        let all = column_sums(&self.counts, periods);
        let (mut before, mut moved) = (vec![0.0; periods], 0);
        for v in 0..words {
            let rest = &after[(v + 1) * periods..][..periods];
            let ln_others: Vec<f64> =
                before.iter().zip(rest).map(|(a, b): (&f64, &f64)| (a + b).ln()).collect();
            let path = &mut self.paths[v * periods..][..periods];
            // One word alone has all tokens wherever its path is.
            if words > 1 {
                let own = &self.counts[v * periods..][..periods];
                let seen = Seen { own, all: &all, ln_others: &ln_others };
                moved += usize::from(seen.draw(&precision, path, rng));
            }
            for (before, x) in before.iter_mut().zip(&*path) {
                *before += x.exp();
            }
        }
        moved
    }

    /// Takes the mean of all words out of each period: no word has another probability then.
    pub(super) fn centre(&mut self) {
        let words = self.words() as f64;
        let means: Vec<f64> = column_sums(&self.paths, self.periods).iter().map(|sum| sum / words).collect();
        self.shift(means.iter().map(|mean| -mean));
    }

    /// Draws the means of all words from their own walk, which no token tells of, where [`centre`](Self::centre)
    /// has taken them out.
    pub(super) fn draw_means<R: Rng + ?Sized>(&mut self, walk: &Walk, drift: f64, rng: &mut R) {
        let words = self.words() as f64;
        let mut mean = 0.0;
        let variances = [walk.first].into_iter().chain(walk.gaps.iter().map(|gap| drift * gap));
        let means: Vec<f64> = variances
            .map(|variance| {
                let noise: f64 = StandardNormal.sample(rng);
                mean += (variance / words).sqrt() * noise;
                mean
            })
            .collect();
        self.shift(means.into_iter());
    }

    fn shift(&mut self, by: impl Iterator<Item = f64> + Clone) {
        for path in self.paths.chunks_exact_mut(self.periods) {
            path.iter_mut().zip(by.clone()).for_each(|(x, by)| *x += by);
        }
    }

    /// The sum of the squares of all steps, each divided by its length.
    pub(super) fn squares(&self, walk: &Walk) -> f64 {
        self.paths.chunks_exact(self.periods).map(|path| walk.squares(path)).sum()
    }

    /// Multiplies all steps of all paths, whose first places stay.
    pub(super) fn stretch(&mut self, by: f64) {
        for path in self.paths.chunks_exact_mut(self.periods) {
            let first = path[0];
            path.iter_mut().for_each(|x| *x = stretched(first, *x, by));
        }
    }

    /// ln p(words of the tokens | paths) if all steps were multiplied.
    pub(super) fn ln_words_stretched(&self, by: f64) -> f64 {
        let rows = || self.paths.chunks_exact(self.periods).zip(self.counts.chunks_exact(self.periods));
        let mut largest = vec![f64::NEG_INFINITY; self.periods];
        let mut tokens = vec![0.0; self.periods];
        let mut ln = 0.0;
        for (path, counts) in rows() {
            for (t, (&x, &n)) in path.iter().zip(counts).enumerate() {
                let x = stretched(path[0], x, by);
                largest[t] = largest[t].max(x);
                tokens[t] += n;
                ln += n * x;
            }
        }
        let mut sums = vec![0.0; self.periods];
        for (path, _) in rows() {
            for (t, &x) in path.iter().enumerate() {
                sums[t] += (stretched(path[0], x, by) - largest[t]).exp();
            }
        }
        let all = tokens.iter().zip(&largest).zip(&sums);
        ln - all.map(|((n, largest), sum)| n * (largest + sum.ln())).sum::<f64>()
    }

    /// The sum over words of what two topics differ by before a step times what they differ by after it.
    pub(super) fn difference_products(&self, other: &Self, before: usize) -> f64 {
        let rows = self.paths.chunks_exact(self.periods).zip(other.paths.chunks_exact(self.periods));
        rows.map(|(a, b)| (a[before] - b[before]) * (a[before + 1] - b[before + 1])).sum()
    }

    /// Exchanges all that two topics are in these periods.
    pub(super) fn exchange(&mut self, other: &mut Self, periods: std::ops::Range<usize>) {
        for (own, others) in [(&mut self.paths, &mut other.paths), (&mut self.counts, &mut other.counts)] {
            let rows = own.chunks_exact_mut(self.periods).zip(others.chunks_exact_mut(self.periods));
            rows.for_each(|(a, b)| a[periods.clone()].swap_with_slice(&mut b[periods.clone()]));
        }
    }
}

fn stretched(first: f64, x: f64, by: f64) -> f64 {
    first + by * (x - first)
}
