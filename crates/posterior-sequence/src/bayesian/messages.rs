//! Messages along a path of states, as logarithms: right for scores of any size.

use posterior_math::log_space::{ln_sum_exp, softmax_in_place};
use rand::{Rng, RngExt};

/// The scores of one sequence, and room for its messages.
#[derive(Debug, Default)]
pub(crate) struct Messages {
    states: usize,
    forward: Vec<f64>,
}

/// The scores of paths: of the first state, of steps (row after row), of each position.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scores<'a> {
    pub(crate) initial: &'a [f64],
    pub(crate) steps: &'a [f64],
    pub(crate) nodes: &'a [f64],
}

impl Messages {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// ln Z, or the first position at which no path is left.
    pub(crate) fn filter(&mut self, scores: Scores<'_>) -> Result<f64, usize> {
        self.states = scores.initial.len();
        let mut terms = vec![0.0; self.states];
        self.forward.clear();
        for (t, node) in scores.nodes.chunks_exact(self.states).enumerate() {
            for (j, &node) in node.iter().enumerate() {
                let reached = if t == 0 {
                    scores.initial[j]
                } else {
                    let before = &self.forward[(t - 1) * self.states..][..self.states];
                    for (i, (term, before)) in terms.iter_mut().zip(before).enumerate() {
                        *term = before + scores.steps[i * self.states + j];
                    }
                    ln_sum_exp(&terms)
                };
                self.forward.push(reached + node);
            }
            if self.forward[t * self.states..].iter().all(|&ln| ln == f64::NEG_INFINITY) {
                return Err(t);
            }
        }
        let last = self.forward.len().saturating_sub(self.states);
        Ok(if self.forward.is_empty() { 0.0 } else { ln_sum_exp(&self.forward[last..]) })
    }

    /// A path from its law, of the scores that were filtered last.
    pub(crate) fn sample<R: Rng + ?Sized>(&self, scores: Scores<'_>, path: &mut [u32], rng: &mut R) {
        let states = self.states;
        let mut terms = vec![0.0; states];
        for t in (0..path.len()).rev() {
            terms.copy_from_slice(&self.forward[t * states..][..states]);
            if let Some(&next) = path.get(t + 1) {
                for (i, term) in terms.iter_mut().enumerate() {
                    *term += scores.steps[i * states + next as usize];
                }
            }
            softmax_in_place(&mut terms);
            let mut left = rng.random::<f64>();
            for (state, &share) in terms.iter().enumerate().filter(|(_, share)| **share > 0.0) {
                path[t] = state as u32;
                left -= share;
                if left < 0.0 {
                    break;
                }
            }
        }
    }
}
