//! The update of one token as it is in the textbook.

use serde::{Deserialize, Serialize};

/// To which order the expectation of a logarithm of a count is taken.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// `E ln(a + n) ≈ ln(a + E n)`: CVB0 (Asuncion et al. 2009).
    #[default]
    Zeroth,
    /// `E ln(a + n) ≈ ln(a + E n) - Var n / (2 (a + E n)^2)` (Teh, Newman and Welling 2006).
    Second,
}

impl Order {
    /// The approximation of `E ln(a + n)`.
    ///
    /// ```
    /// use posterior_topics::lda::collapsed_variational::{ExpectedCounts, Order};
    ///
    /// // How many of three tokens have a topic that they have with probability 0.2, 0.5 and 0.9.
    /// let mut count = ExpectedCounts::new(1);
    /// for p in [0.2, 0.5, 0.9] {
    ///     count.push(&[p]);
    /// }
    /// let (mean, variance) = (count.means()[0], count.variances()[0]);
    /// assert!((Order::Zeroth.expected_ln(0.1, mean, variance) - 0.53062825106).abs() < 1e-11);
    /// assert!((Order::Second.expected_ln(0.1, mean, variance) - 0.44412306075).abs() < 1e-11);
    /// ```
    pub fn expected_ln(self, a: f64, mean: f64, variance: f64) -> f64 {
        let center = a + mean;
        match self {
            Self::Zeroth => center.ln(),
            Self::Second => center.ln() - variance / (2.0 * center * center),
        }
    }
}

/// Means and variances of the topic counts of independent tokens.
#[derive(Debug, Clone, PartialEq)]
pub struct ExpectedCounts {
    means: Vec<f64>,
    variances: Vec<f64>,
}

impl ExpectedCounts {
    /// No token.
    pub fn new(topics: usize) -> Self {
        Self { means: vec![0.0; topics], variances: vec![0.0; topics] }
    }

    /// Adds a token with these probabilities of topics.
    pub fn push(&mut self, probabilities: &[f64]) {
        self.add(probabilities, 1.0);
    }

    /// Takes out a token that was added.
    pub fn pop(&mut self, probabilities: &[f64]) {
        self.add(probabilities, -1.0);
    }

    fn add(&mut self, probabilities: &[f64], sign: f64) {
        for ((mean, variance), p) in self.means.iter_mut().zip(&mut self.variances).zip(probabilities) {
            *mean += sign * p;
            *variance += sign * p * (1.0 - p);
        }
    }

    /// Expected counts.
    pub fn means(&self) -> &[f64] {
        &self.means
    }

    /// Variances of the counts.
    pub fn variances(&self) -> &[f64] {
        &self.variances
    }
}

/// q(z) of one token given the counts of all others: those of its document, of its word, and of all tokens.
///
/// ```text
/// ln q(k) = E ln(alpha_k + n_dk) + E ln(beta + n_kw) - E ln(V beta + n_k) + constant
/// ```
///
/// [`fit`](super::fit) does the same faster; this is what it is held against. V is `vocabulary`.
pub fn token_posterior(
    order: Order,
    [document, word, all]: [&ExpectedCounts; 3],
    alpha: &[f64],
    beta: f64,
    vocabulary: usize,
) -> Vec<f64> {
    let smoothing = vocabulary as f64 * beta;
    let score = |(k, &alpha): (usize, &f64)| {
        let term = |a, counts: &ExpectedCounts| order.expected_ln(a, counts.means[k], counts.variances[k]);
        term(alpha, document) + term(beta, word) - term(smoothing, all)
    };
    let mut scores: Vec<f64> = alpha.iter().enumerate().map(score).collect();
    posterior_math::log_space::ln_softmax_in_place(&mut scores);
    scores.iter().map(|score| score.exp()).collect()
}
