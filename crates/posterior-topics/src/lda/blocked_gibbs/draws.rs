//! Topics for tokens of one word in one document, and words for topics.

use posterior_dist::{Categorical, Multinomial};
use rand::distr::Distribution;
use rand::{Rng, RngExt};
use rand_pcg::Pcg64;
use rayon::prelude::*;

use crate::distributions::draw_ln_dirichlet;

/// Sums of weights below this may have lost terms to underflow that mattered.
const LEAST_SUM: f64 = 1e-200;

/// From so many tokens a topic on, one binomial draw for each topic is cheaper than one draw for each token.
const TOKENS_PER_TOPIC: usize = 8;

/// Words of one task. Nothing is drawn in it.
const WORDS_PER_TASK: usize = 256;

/// Proportions of a document, or weights of a word in each topic: as they are, and as logarithms, which are
/// finite where the weights are too small for f64.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Weights<'a> {
    pub(crate) linear: &'a [f64],
    pub(crate) ln: &'a [f64],
}

/// Draws topics with probabilities proportional to a product.
#[derive(Debug)]
pub(crate) struct TopicDraw {
    weights: Vec<f64>,
    /// Sums of the weights up to each topic, it included.
    sums: Vec<f64>,
}

impl TopicDraw {
    pub(crate) fn new(topics: usize) -> Self {
        Self { weights: vec![0.0; topics], sums: vec![0.0; topics] }
    }

    /// Draws the topics of `tokens` tokens, and gives numbers of tokens to `add` that sum to it; the same
    /// topic may come more than once.
    pub(crate) fn draw<R: Rng + ?Sized>(
        &mut self,
        proportions: Weights<'_>,
        word: Weights<'_>,
        tokens: u32,
        rng: &mut R,
        mut add: impl FnMut(usize, u32),
    ) {
        let sum = self.set(proportions, word);
        if tokens as usize > TOKENS_PER_TOPIC * self.weights.len() {
            let distribution = Categorical::from_weights(&self.weights)
                .expect("invariant: weights are finite, and one is not zero");
            let counts: Vec<u64> = Multinomial::new(u64::from(tokens), distribution).sample(rng);
            for (k, &n) in counts.iter().enumerate().filter(|&(_, &n)| n > 0) {
                add(k, n as u32);
            }
            return;
        }
        for _ in 0..tokens {
            // Below the sum, as a number below one times it never rounds up to it.
            let target = rng.random::<f64>() * sum;
            add(self.sums.partition_point(|&up_to| up_to <= target), 1);
        }
    }

    /// Sets the weights and returns their sum.
    fn set(&mut self, proportions: Weights<'_>, word: Weights<'_>) -> f64 {
        for ((weight, a), b) in self.weights.iter_mut().zip(proportions.linear).zip(word.linear) {
            *weight = a * b;
        }
        let sum = self.add_up();
        if sum >= LEAST_SUM {
            return sum;
        }
        for ((weight, a), b) in self.weights.iter_mut().zip(proportions.ln).zip(word.ln) {
            *weight = a + b;
        }
        let most = self.weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        for weight in &mut self.weights {
            *weight = (*weight - most).exp();
        }
        self.add_up()
    }

    fn add_up(&mut self) -> f64 {
        let mut sum = 0.0;
        for (up_to, weight) in self.sums.iter_mut().zip(&self.weights) {
            sum += weight;
            *up_to = sum;
        }
        sum
    }
}

/// Draws the words of topics given counts (words x topics, and the number of topics): each topic by a random
/// stream of its own, on the threads of the current rayon pool. Written are probabilities and their
/// logarithms, words x topics.
pub(crate) fn draw_topic_words(
    (counts, topics): (&[u32], usize),
    concentration: impl Fn(usize, usize) -> f64 + Sync,
    stream: impl Fn(u64) -> Pcg64 + Sync,
    (phi, ln_phi): (&mut [f64], &mut [f64]),
) {
    let columns: Vec<Vec<f64>> = (0..topics)
        .into_par_iter()
        .map(|k| {
            let column = counts.iter().skip(k).step_by(topics).enumerate();
            let concentrations: Vec<f64> =
                column.map(|(word, &n)| f64::from(n) + concentration(word, k)).collect();
            draw_ln_dirichlet(&concentrations, &mut stream(k as u64))
        })
        .collect();
    let size = WORDS_PER_TASK * topics;
    let rows = phi.par_chunks_mut(size).zip(ln_phi.par_chunks_mut(size));
    rows.enumerate().for_each(|(task, (phi, ln_phi))| {
        for (word, row) in (task * WORDS_PER_TASK..).zip(ln_phi.chunks_exact_mut(topics)) {
            row.iter_mut().zip(&columns).for_each(|(ln, column)| *ln = column[word]);
        }
        phi.iter_mut().zip(&*ln_phi).for_each(|(phi, ln)| *phi = ln.exp());
    });
}

#[cfg(test)]
mod tests {
    use posterior_dist::stream::stream;
    use posterior_testkit::significance::{LEVEL, chi_square_p_value};

    use super::*;

    fn counts(ln: [&[f64]; 2], draws: usize, tokens: u32) -> Vec<u64> {
        let mut rng = stream(3, &[]);
        let linear = ln.map(|ln| ln.iter().map(|x| x.exp()).collect::<Vec<f64>>());
        let [theta, phi] = [0, 1].map(|i| Weights { linear: &linear[i], ln: ln[i] });
        let mut counts = vec![0; ln[0].len()];
        let mut topics = TopicDraw::new(ln[0].len());
        for _ in 0..draws {
            topics.draw(theta, phi, tokens, &mut rng, |k, n| counts[k] += u64::from(n));
        }
        counts
    }

    /// One by one, and by binomial draws. False alarm: two in a million seeds.
    #[test]
    fn few_and_many_tokens_follow_the_product_of_the_weights() {
        let ln =
            [&[0.2_f64.ln(), 0.3_f64.ln(), 0.5_f64.ln()][..], &[0.6_f64.ln(), 0.1_f64.ln(), 0.3_f64.ln()]];
        for (draws, tokens) in [(60_000, 1), (10_000, 6), (1000, 60)] {
            let expected = [12.0, 3.0, 15.0].map(|proportion| proportion / 30.0 * 60_000.0);
            let counts = counts(ln, draws, tokens);
            assert_eq!(counts.iter().sum::<u64>(), 60_000);
            assert!(chi_square_p_value(&counts, &expected) > LEVEL, "{tokens} tokens: {counts:?}");
        }
    }

    /// All products underflow; their ratios are 1 : 3. False alarm: one in a million seeds.
    #[test]
    fn weights_too_small_for_a_number_keep_their_ratios() {
        let ln = [&[-900.0, -1.0, -2000.0][..], &[-2.0, 3.0_f64.ln() - 901.0, -1e30]];
        let counts = counts(ln, 10_000, 1);
        assert_eq!(counts[2], 0);
        assert!(chi_square_p_value(&counts[..2], &[2500.0, 7500.0]) > LEVEL, "{counts:?}");
    }

    #[test]
    fn topics_without_weight_are_never_drawn() {
        let none = f64::NEG_INFINITY;
        let counts = counts([&[none, 0.0, none, none], &[0.0; 4]], 100, 3);
        assert_eq!(counts, [0, 300, 0, 0]);
    }
}
