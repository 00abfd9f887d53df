//! Proportions of a document that a model was not fitted to.

use crate::Topics;
use crate::corpus::Document;

/// Steps of the fixed point at most, and the change of a proportion at which it ends.
const MOST_STEPS: usize = 500;
const TOLERANCE: f64 = 1e-10;

/// The topic proportions of a document, topics held fixed, under the prior `Dir(alpha + 1)`.
///
/// Iterates `theta_k = (alpha_k + sum_w n_w r_wk) / (alpha_0 + N)` with
/// `r_wk = theta_k phi_kw / sum_j theta_j phi_jw`, from uniform: EM for the mode of `theta`. The objective is
/// concave in `theta`, so that the start does not matter. Words that no topic has are passed over. A document
/// without words has the mean `alpha_k / alpha_0`.
///
/// Cost: steps x distinct words x topics.
///
/// # Panics
/// When a word id is outside the vocabulary.
#[track_caller]
pub fn proportions(topics: &Topics, alpha: &[f64], document: Document<'_>) -> Vec<f64> {
    let words = document.words.iter().zip(document.counts);
    climb(alpha, &words.map(|(&word, &count)| (f64::from(count), topics.of_word(word))))
}

/// The proportions of a document whose words come so often and have these probabilities in the topics.
pub(crate) fn climb<'a>(alpha: &[f64], words: &(impl Iterator<Item = (f64, &'a [f64])> + Clone)) -> Vec<f64> {
    let mut theta = vec![1.0 / alpha.len() as f64; alpha.len()];
    for _ in 0..MOST_STEPS {
        let mut next = alpha.to_vec();
        for (count, phi) in words.clone() {
            let p: f64 = theta.iter().zip(phi.iter()).map(|(t, p)| t * p).sum();
            if p > 0.0 {
                let weight = count / p;
                for ((next, theta), phi) in next.iter_mut().zip(&theta).zip(phi.iter()) {
                    *next += weight * theta * phi;
                }
            }
        }
        let norm: f64 = next.iter().sum();
        if norm == 0.0 {
            return theta;
        }
        for proportion in &mut next {
            *proportion /= norm;
        }
        let change = next.iter().zip(&theta).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        theta = next;
        if change < TOLERANCE {
            break;
        }
    }
    theta
}
