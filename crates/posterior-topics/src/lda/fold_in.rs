//! Proportions of a document that the model was not fitted to.

use super::Lda;
use crate::corpus::Document;

/// Steps of the fixed point at most, and the change of a proportion at which it ends.
const MOST_STEPS: usize = 500;
const TOLERANCE: f64 = 1e-10;

impl Lda {
    /// The topic proportions of a document over this model's vocabulary, topics held fixed.
    ///
    /// Iterates `theta_k = (alpha_k + sum_w n_w r_wk) / (alpha_0 + N)` with
    /// `r_wk = theta_k phi_kw / sum_j theta_j phi_jw`, from uniform: EM for the mode of `theta` under the
    /// prior `Dir(alpha + 1)`, which is concave in `theta`, so that the start does not matter. No randomness.
    /// A document without words has the prior's mean.
    ///
    /// Cost: steps x distinct words x topics.
    ///
    /// # Panics
    /// When a word id is outside the vocabulary.
    #[track_caller]
    pub fn proportions(&self, document: Document<'_>) -> Vec<f64> {
        let topics = self.topics();
        let norm = document.tokens() as f64 + self.alpha().iter().sum::<f64>();
        let mut theta = vec![1.0 / topics as f64; topics];
        for _ in 0..MOST_STEPS {
            let mut next = self.alpha().to_vec();
            for (&word, &count) in document.words.iter().zip(document.counts) {
                let phi = self.topic_word().column(word as usize);
                let p: f64 = theta.iter().zip(phi.iter()).map(|(t, p)| t * p).sum();
                let weight = f64::from(count) / p;
                for ((next, theta), phi) in next.iter_mut().zip(&theta).zip(phi.iter()) {
                    *next += weight * theta * phi;
                }
            }
            for share in &mut next {
                *share /= norm;
            }
            let change = next.iter().zip(&theta).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            theta = next;
            if change < TOLERANCE {
                break;
            }
        }
        theta
    }

    /// ln p(w | theta) of each token of a document, added up: `sum_w n_w ln sum_k theta_k phi_kw`.
    ///
    /// # Panics
    /// When a word id is outside the vocabulary.
    #[track_caller]
    pub fn ln_likelihood(&self, document: Document<'_>, theta: &[f64]) -> f64 {
        let ln = |(&word, &count): (&u32, &u32)| {
            let phi = self.topic_word().column(word as usize);
            f64::from(count) * theta.iter().zip(phi.iter()).map(|(t, p)| t * p).sum::<f64>().ln()
        };
        document.words.iter().zip(document.counts).map(ln).sum()
    }
}
