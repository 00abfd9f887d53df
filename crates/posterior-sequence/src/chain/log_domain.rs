//! Messages as logarithms: slow, and right for scores of any size.
//!
//! Each message is normalised, so that what is lost does not grow with the length of the chain.

use posterior_math::elementwise;
use posterior_math::log_space::ln_sum_exp;
use posterior_math::streaming::NeumaierSum;

use super::{Edges, LinearChain, Score};

/// Messages of both directions, and room for making them.
#[derive(Debug, Clone, Default)]
pub(super) struct Messages {
    /// ln α_t, normalised.
    pub(super) forward: Vec<f64>,
    /// ln β_t plus the scores of the node, but for a constant.
    pub(super) backward: Vec<f64>,
    /// ln Σ_i α_t(i) β_t(i), with these constants.
    pub(super) ln_overlaps: Vec<f64>,
    terms: Vec<f64>,
    largest: Vec<f64>,
}

impl Messages {
    /// Passes messages forward; of those of all positions, or of the last one only.
    pub(super) fn forward(&mut self, chain: &LinearChain<'_>, keep: Keep) -> Score {
        let (states, length) = (chain.states(), chain.length());
        let mut ln_z = NeumaierSum::new();
        self.forward.clear();
        for t in 0..length {
            let start = self.forward.len();
            if t == 0 {
                self.forward.extend(chain.ln_initial.iter().zip(chain.node(0)).map(|(a, node)| a + node));
            } else {
                self.step_forward(chain, t);
            }
            let message = &mut self.forward[start..];
            let total = ln_sum_exp(message);
            if total == f64::NEG_INFINITY {
                return Score { ln_z: total, impossible: Some(t) };
            }
            ln_z.push(total);
            for score in message {
                *score -= total;
            }
            if keep == Keep::Last {
                self.forward.copy_within(start.., 0);
                self.forward.truncate(states);
            }
        }
        Score { ln_z: ln_z.value(), impossible: None }
    }

    /// Appends ln Σ_i α_{t-1}(i) exp e(i, j) plus the score of the node.
    fn step_forward(&mut self, chain: &LinearChain<'_>, t: usize) {
        let states = chain.states();
        let Self { forward, terms, largest, .. } = self;
        let start = forward.len();
        forward.resize(start + states, 0.0);
        let (before, next) = forward.split_at_mut(start);
        combine(&before[start - states..], |i| chain.edge_row(t - 1, i), terms, largest, next);
        for (score, node) in next.iter_mut().zip(chain.node(t)) {
            *score += node;
        }
    }

    /// Passes messages back, after those forward of all positions, and writes the probabilities of states.
    pub(super) fn backward(&mut self, chain: &LinearChain<'_>, marginals: &mut [f64]) {
        let (states, length) = (chain.states(), chain.length());
        self.backward.clear();
        self.backward.resize(length * states, 0.0);
        self.ln_overlaps.clear();
        self.ln_overlaps.resize(length, 0.0);
        let mut beta = vec![0.0; states];
        let mut columns = Vec::new();
        for t in (0..length).rev() {
            if t + 1 < length {
                let after = &self.backward[(t + 1) * states..][..states];
                let (terms, room) = (&mut self.terms, &mut self.largest);
                match chain.edges {
                    Edges::Same(transitions) => {
                        combine(after, |j| transitions.ln_column(j), terms, room, &mut beta);
                    }
                    Edges::Each(_) => {
                        columns.clear();
                        for j in 0..states {
                            columns.extend((0..states).map(|i| chain.edge_row(t, i)[j]));
                        }
                        combine(after, |j| &columns[j * states..][..states], terms, room, &mut beta);
                    }
                }
                let largest = beta.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                for beta in &mut beta {
                    *beta -= largest;
                }
            }
            let marginal = &mut marginals[t * states..][..states];
            for ((p, alpha), beta) in marginal.iter_mut().zip(&self.forward[t * states..]).zip(&beta) {
                *p = alpha + beta;
            }
            let overlap = ln_sum_exp(marginal);
            self.ln_overlaps[t] = overlap;
            for p in marginal.iter_mut() {
                *p = (*p - overlap).exp();
            }
            // As exponentials of differences they add up to 1 but for the size of the scores.
            let total: f64 = marginal.iter().sum();
            for p in marginal {
                *p /= total;
            }
            let after = &mut self.backward[t * states..][..states];
            for ((after, beta), node) in after.iter_mut().zip(&beta).zip(chain.node(t)) {
                *after = beta + node;
            }
        }
    }

    /// p(z_t = i, z_{t+1} = j), row by row.
    pub(super) fn pairwise(&self, chain: &LinearChain<'_>, t: usize, out: &mut [f64]) {
        let states = chain.states();
        let after = &self.backward[(t + 1) * states..][..states];
        for (i, row) in out.chunks_exact_mut(states).enumerate() {
            let alpha = self.forward[t * states + i];
            for ((p, edge), y) in row.iter_mut().zip(chain.edge_row(t, i)).zip(after) {
                *p = alpha + edge + y;
            }
        }
        posterior_math::log_space::softmax_in_place(out);
    }
}

/// Writes ln Σ_i exp (message(i) + row_i(j)).
fn combine<'a>(
    message: &[f64],
    row: impl Fn(usize) -> &'a [f64],
    terms: &mut Vec<f64>,
    largest: &mut Vec<f64>,
    out: &mut [f64],
) {
    largest.clear();
    largest.resize(message.len(), f64::NEG_INFINITY);
    terms.resize(message.len() * message.len(), 0.0);
    for ((i, &message), terms) in message.iter().enumerate().zip(terms.chunks_exact_mut(message.len())) {
        for ((term, score), largest) in terms.iter_mut().zip(row(i)).zip(largest.iter_mut()) {
            *term = message + score;
            *largest = if *term > *largest { *term } else { *largest };
        }
    }
    for largest in largest.iter_mut() {
        *largest = if *largest > f64::NEG_INFINITY { *largest } else { 0.0 };
    }
    for row in terms.chunks_exact_mut(message.len()) {
        for (term, largest) in row.iter_mut().zip(largest.iter()) {
            *term -= largest;
        }
    }
    elementwise::exp(terms);
    out.fill(0.0);
    for row in terms.chunks_exact(message.len()) {
        for (sum, term) in out.iter_mut().zip(row) {
            *sum += term;
        }
    }
    for (sum, largest) in out.iter_mut().zip(largest.iter()) {
        *sum = sum.ln() + largest;
    }
}

/// Which messages are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keep {
    All,
    Last,
}
