//! One document: the mode of its log-ratios, and the Gaussian around it.
//!
//! ```text
//! f(eta) = sum_v c_v ln sum_k theta_k phi_kv - (eta - mu)' P (eta - mu) / 2,   theta = softmax(eta, 0)
//! ```
//!
//! with the precision `P` of the prior. Newton's method climbs by the Hessian where it is negative definite,
//! and else by that of the lower bound of EM, which always is; steps are halved until `f` rises.

use posterior_math::linalg::{Cholesky, DMatrix, DVector, dot};
use posterior_math::log_space::softmax_in_place;

use crate::corpus::Document;

/// Steps at most, and the gain per step at which they end.
const MOST_STEPS: usize = 100;
const TOLERANCE: f64 = 1e-10;
const HALVINGS: usize = 30;

/// The prior of a document's log-ratios, without its mean.
#[derive(Debug, Clone)]
pub(super) struct Spread {
    pub(super) covariance: DMatrix<f64>,
    pub(super) precision: DMatrix<f64>,
    pub(super) ln_determinant: f64,
}

impl Spread {
    /// Of a positive definite covariance.
    pub(super) fn new(covariance: DMatrix<f64>) -> Option<Self> {
        let factor = Cholesky::new(&covariance).ok()?;
        Some(Self { precision: factor.inverse(), ln_determinant: factor.ln_determinant(), covariance })
    }
}

/// Words of a document with their counts, and their probabilities in the topics.
#[derive(Debug)]
pub(super) struct Words<'a> {
    document: Document<'a>,
    /// (levels x topics) x words.
    phi: &'a DMatrix<f64>,
    /// Rows of `phi` that belong to the level.
    first: usize,
    topics: usize,
}

impl<'a> Words<'a> {
    pub(super) fn new(document: Document<'a>, phi: &'a DMatrix<f64>, level: usize, topics: usize) -> Self {
        Self { document, phi, first: level * topics, topics }
    }

    fn iter(&self) -> impl Iterator<Item = (f64, &'a [f64])> {
        let (phi, rows, first, topics) = (self.phi.as_slice(), self.phi.nrows(), self.first, self.topics);
        let words = self.document.words.iter().zip(self.document.counts);
        words.map(move |(&word, &count)| (f64::from(count), &phi[word as usize * rows + first..][..topics]))
    }
}

/// A document's posterior.
#[derive(Debug, Clone)]
pub(super) struct LogRatios {
    pub(super) mode: DVector<f64>,
    pub(super) covariance: DMatrix<f64>,
    /// ln p(words), by Laplace's method.
    pub(super) ln_evidence: f64,
    /// Expected tokens of each topic by distinct word, word after word.
    pub(super) counts: Vec<f64>,
}

/// The proportions of log-ratios to the last topic.
pub(super) fn proportions(eta: &[f64]) -> Vec<f64> {
    let mut theta = eta.to_vec();
    theta.push(0.0);
    softmax_in_place(&mut theta);
    theta
}

/// The posterior of a document with this prior mean, from a start.
pub(super) fn laplace(words: &Words<'_>, mean: &[f64], spread: &Spread, start: &[f64]) -> LogRatios {
    let mut eta = DVector::from_column_slice(start);
    let mut at = Place::new(words, &eta, mean, spread);
    for _ in 0..MOST_STEPS {
        let factor = at.curvature(words, spread);
        let step = factor.solve_vector(&at.gradient);
        let mut scale = 1.0;
        let mut next = None;
        for _ in 0..HALVINGS {
            let moved = &eta + &step * scale;
            let place = Place::new(words, &moved, mean, spread);
            if place.value >= at.value {
                next = Some((moved, place));
                break;
            }
            scale *= 0.5;
        }
        let Some((moved, place)) = next else { break };
        let gain = place.value - at.value;
        (eta, at) = (moved, place);
        if gain <= TOLERANCE * (1.0 + at.value.abs()) && scale == 1.0 {
            break;
        }
    }
    let factor = at.curvature(words, spread);
    LogRatios {
        ln_evidence: at.value - 0.5 * (spread.ln_determinant + factor.ln_determinant()),
        covariance: factor.inverse(),
        counts: at.counts(words),
        mode: eta,
    }
}

/// What is known of a point: proportions, the value of `f` and its gradient.
struct Place {
    theta: Vec<f64>,
    /// Expected tokens by topic.
    expected: Vec<f64>,
    tokens: f64,
    value: f64,
    gradient: DVector<f64>,
}

impl Place {
    fn new(words: &Words<'_>, eta: &DVector<f64>, mean: &[f64], spread: &Spread) -> Self {
        let theta = proportions(eta.as_slice());
        let mut expected = vec![0.0; theta.len()];
        let (mut value, mut tokens) = (0.0, 0.0);
        for (count, phi) in words.iter() {
            let p = dot(&theta, phi);
            // Words that no topic has are passed over.
            if p == 0.0 {
                continue;
            }
            value += count * p.ln();
            tokens += count;
            for ((n, theta), phi) in expected.iter_mut().zip(&theta).zip(phi) {
                *n += count * theta * phi / p;
            }
        }
        let away = eta - DVector::from_column_slice(mean);
        let pull = &spread.precision * &away;
        value -= 0.5 * away.dot(&pull);
        let gradient = DVector::from_fn(eta.len(), |k, _| expected[k] - tokens * theta[k] - pull[k]);
        Self { theta, expected, tokens, value, gradient }
    }

    /// The factor of minus the Hessian of `f`, or of the bound of EM.
    fn curvature(&self, words: &Words<'_>, spread: &Spread) -> Cholesky {
        let size = self.gradient.len();
        let (theta, tokens) = (&self.theta, self.tokens);
        let mut bound = spread.precision.clone();
        for j in 0..size {
            for i in 0..size {
                bound[(i, j)] -= tokens * theta[i] * theta[j];
            }
            bound[(j, j)] += tokens * theta[j];
        }
        // What the uncertainty of the tokens' topics takes away.
        let mut own = bound.clone();
        for (count, phi) in words.iter() {
            let p = dot(theta, phi);
            if p == 0.0 {
                continue;
            }
            let r: Vec<f64> = theta.iter().zip(phi).map(|(theta, phi)| theta * phi / p).collect();
            for j in 0..size {
                let scaled = count * r[j];
                for i in 0..size {
                    own[(i, j)] += scaled * r[i];
                }
            }
        }
        for k in 0..size {
            own[(k, k)] -= self.expected[k];
        }
        // Rounding may leave neither positive definite where the precision is next to singular.
        let diagonal = bound.diagonal().map(|x| x.clamp(1e-300, 1e300));
        let factor = Cholesky::decompose(own).or_else(|_| Cholesky::decompose(bound));
        factor.or_else(|_| Cholesky::new(&DMatrix::from_diagonal(&diagonal))).unwrap_or_else(|_| {
            // Nothing is finite: a step of the gradient's size changes nothing for the better.
            Cholesky::identity(size)
        })
    }

    fn counts(&self, words: &Words<'_>) -> Vec<f64> {
        let mut counts = Vec::new();
        for (count, phi) in words.iter() {
            let p = dot(&self.theta, phi);
            let own = |(theta, phi): (&f64, &f64)| if p > 0.0 { count * theta * phi / p } else { 0.0 };
            counts.extend(self.theta.iter().zip(phi).map(own));
        }
        counts
    }
}

#[cfg(test)]
mod tests;
