//! A move along what topics have in common: two topics share the tokens of some words in another way.
//!
//! Whose words those are that several topics have is known only a little, and with them how much documents
//! speak of each topic. The topics of tokens, the words of topics and the constants of the regression all hold
//! each other there: taken in turn, they move by the root of the tokens that are concerned. Here they move
//! together, with the topics of tokens summed out.
//!
//! With the rates `r_kv = exp(gamma_0k) phi_kv` the probability of a word is
//!
//! ```text
//! p(v | d) = sum_k exp(e_dk) r_kv / sum_k exp(e_dk) r_k     e_d = eta_d - gamma_0,  r_k = sum_v r_kv
//! ```
//!
//! For topics a and b and words of a set S, with `f_v = c_a r_av / (c_a r_av + c_b r_bv)` where `c_k` is the
//! number of tokens that a rate of one brings, all `logit f_v` move by the same number, and `c_a r_av + c_b
//! r_bv` and all `e_d` stay. Words that one topic has for itself stay almost too. The moves are a group, and
//! in the logarithms of rates they keep volumes: the density of the number is proportional to
//!
//! ```text
//! prod_kv phi_kv^beta  N(gamma_0; 0, V_0 Sigma)  p(words | eta, phi)
//! ```
//!
//! from which slice sampling draws it.

use posterior_dist::stream::stream;
use posterior_math::linalg::{DVector, dot};
use posterior_math::log_space::ln_1p_exp;
use rand::seq::SliceRandom;
use rand::{Rng, RngExt};
use rayon::prelude::*;

use super::chain::StructuralGibbs;
use super::log_concave::proportions;
use super::words::WordPrior;
use crate::slice_draw::draw_real;

/// Documents of one task, whose sum is one number: sums do not depend on threads.
const DOCUMENTS_PER_TASK: usize = 32;

/// Sets have each word with a probability of one, a half, and so on to this power of a half.
const HALVINGS: i32 = 4;

/// Two topics and a set of words.
struct Pair {
    topics: [usize; 2],
    /// ln of the tokens that a probability of one brings, by topic.
    ln_tokens: [f64; 2],
    /// The set, by word.
    chosen: Vec<bool>,
}

/// What a move makes of the words of two topics.
struct Shared {
    /// ln of weights by word, and of their sums.
    ln_phi: [Vec<f64>; 2],
    ln_totals: [f64; 2],
}

impl StructuralGibbs<'_> {
    /// Lets the topics of a random pairing share words anew. The topics of tokens are to be drawn next. With
    /// content covariates topics stay as they are.
    ///
    /// Cost: topics x pairs of documents and distinct words x topics.
    pub(super) fn share_words(&mut self, stream_name: u64) {
        let WordPrior::Common { beta } = self.words.prior else { return };
        let mut rng = stream(self.seed, &[stream_name, self.sweeps]);
        let ln_tokens = self.ln_tokens_of_residuals();
        let mut order: Vec<usize> = (0..self.topics).collect();
        order.shuffle(&mut rng);
        for pair in order.chunks_exact(2) {
            let topics = [pair[0], pair[1]];
            let part = 0.5_f64.powi(rng.random_range(0..=HALVINGS));
            let chosen = (0..self.corpus.vocabulary().len()).map(|_| rng.random::<f64>() < part).collect();
            let ln_tokens = topics.map(|k| ln_tokens[k] + self.constant(k));
            self.share_words_of(&Pair { topics, ln_tokens, chosen }, beta, &mut rng);
        }
    }

    fn share_words_of<R: Rng + ?Sized>(&mut self, pair: &Pair, beta: f64, rng: &mut R) {
        let outside = self.outside(pair);
        let ln_density = |shift: f64| self.ln_density_of(pair, beta, &self.shared(pair, shift), &outside);
        // Proportions too small for f64 may leave words without a probability: nothing moves then.
        if !ln_density(0.0).is_finite() {
            return;
        }
        let shift = draw_real(0.0, ln_density, rng);
        let shared = self.shared(pair, shift);
        for (i, &k) in pair.topics.iter().enumerate() {
            let places = (k..self.words.phi.len()).step_by(self.words.rows);
            for (place, ln) in places.zip(&shared.ln_phi[i]) {
                self.words.ln_phi[place] = ln - shared.ln_totals[i];
                self.words.phi[place] = self.words.ln_phi[place].exp();
            }
        }
        let by = self.shift_of_constants(pair, &shared);
        self.regression.shift_constants(&by);
        for eta in self.eta.chunks_exact_mut(by.len()) {
            eta.iter_mut().zip(&by).for_each(|(eta, by)| *eta += by);
        }
    }

    /// The constant of a topic; that of the last is zero.
    fn constant(&self, k: usize) -> f64 {
        if k + 1 < self.topics { self.regression.gamma[(0, k)] } else { 0.0 }
    }

    /// ln of the tokens that a rate of one brings to each topic, about: by what constants were at the start,
    /// for no move may change it.
    fn ln_tokens_of_residuals(&self) -> Vec<f64> {
        let mut sums = vec![0.0; self.topics];
        for (document, eta) in self.corpus.iter().zip(self.eta.chunks_exact(self.topics - 1)) {
            let start = self.first_constants.iter().enumerate();
            let eta: Vec<f64> = start.map(|(k, first)| eta[k] - self.constant(k) + first).collect();
            let tokens = document.tokens() as f64;
            sums.iter_mut().zip(proportions(&eta)).for_each(|(sum, theta)| *sum += tokens * theta);
        }
        let first = self.first_constants.iter().copied().chain([0.0]);
        sums.iter().zip(first).map(|(sum, first)| sum.ln() - first).collect()
    }

    /// The words of two topics after a move.
    fn shared(&self, pair: &Pair, shift: f64) -> Shared {
        let words = pair.chosen.len();
        let mut ln_phi = pair.topics.map(|_| Vec::with_capacity(words));
        let mut totals = [0.0; 2];
        for (v, &chosen) in pair.chosen.iter().enumerate() {
            let mut own = pair.topics.map(|k| self.words.ln_phi[v * self.words.rows + k]);
            if chosen {
                let [a, b] = [own[0] + pair.ln_tokens[0], own[1] + pair.ln_tokens[1]];
                let both = a.max(b) + ln_1p_exp(-(a - b).abs());
                let logit = a - b + shift;
                own = [-ln_1p_exp(-logit) - pair.ln_tokens[0], -ln_1p_exp(logit) - pair.ln_tokens[1]]
                    .map(|ln| both + ln);
            }
            for i in 0..2 {
                totals[i] += own[i].exp();
                ln_phi[i].push(own[i]);
            }
        }
        Shared { ln_phi, ln_totals: totals.map(f64::ln) }
    }

    /// What the sums of weights add to the constants.
    fn shift_of_constants(&self, pair: &Pair, shared: &Shared) -> Vec<f64> {
        let mut by = vec![0.0; self.topics];
        for (&k, total) in pair.topics.iter().zip(shared.ln_totals) {
            by[k] = total;
        }
        let last = by[self.topics - 1];
        by[..self.topics - 1].iter().map(|by| by - last).collect()
    }

    /// The probability of each word of the set by the other topics, document after document.
    fn outside(&self, pair: &Pair) -> Vec<Vec<f64>> {
        let document = |(d, eta): (usize, &[f64])| -> Vec<f64> {
            let theta = proportions(eta);
            let words = self.corpus.document(d).words.iter().filter(|&&word| pair.chosen[word as usize]);
            let others = |&word: &u32| {
                let phi = &self.words.phi[word as usize * self.words.rows..][..self.topics];
                let [a, b] = pair.topics;
                let parts = theta.iter().zip(phi).enumerate().filter(|&(k, _)| k != a && k != b);
                parts.map(|(_, (theta, phi))| theta * phi).sum()
            };
            words.map(others).collect()
        };
        self.eta.par_chunks_exact(self.topics - 1).enumerate().map(document).collect()
    }

    /// ln of the density of a move, up to a constant.
    fn ln_density_of(&self, pair: &Pair, beta: f64, shared: &Shared, outside: &[Vec<f64>]) -> f64 {
        let of_words = |i: usize| -> f64 {
            let chosen = shared.ln_phi[i].iter().zip(&pair.chosen).filter(|&(_, &chosen)| chosen);
            chosen.map(|(ln, _)| ln).sum::<f64>() - pair.chosen.len() as f64 * shared.ln_totals[i]
        };
        let constants = self.shift_of_constants(pair, shared);
        let constants = DVector::from_fn(constants.len(), |k, _| self.constant(k) + constants[k]);
        let pull = (&self.regression.precision * &constants).dot(&constants);
        let prior = beta * (of_words(0) + of_words(1)) - 0.5 * pull * self.design.constant_precision();
        let weights = [0, 1].map(|i| shared.ln_phi[i].iter().map(|ln| ln.exp()).collect::<Vec<f64>>());
        let totals = shared.ln_totals.map(f64::exp_m1);
        let document = |(d, outside): (usize, &Vec<f64>)| -> f64 {
            let theta = proportions(&self.eta[d * (self.topics - 1)..][..self.topics - 1]);
            let theta = pair.topics.map(|k| theta[k]);
            let document = self.corpus.document(d);
            let all = document.words.iter().zip(document.counts);
            let chosen = all.filter(|&(&word, _)| pair.chosen[word as usize]).zip(outside);
            let word = |((&word, &count), outside): ((&u32, &u32), &f64)| {
                let own = [0, 1].map(|i| weights[i][word as usize]);
                f64::from(count) * (outside + dot(&theta, &own)).ln()
            };
            chosen.map(word).sum::<f64>() - document.tokens() as f64 * dot(&theta, &totals).ln_1p()
        };
        let tasks = outside.par_chunks(DOCUMENTS_PER_TASK).enumerate();
        let sums = tasks.map(|(task, outside)| -> f64 {
            (task * DOCUMENTS_PER_TASK..).zip(outside).map(document).sum()
        });
        prior + sums.collect::<Vec<f64>>().iter().sum::<f64>()
    }
}
