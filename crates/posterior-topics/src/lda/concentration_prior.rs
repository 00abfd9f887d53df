//! The prior of the concentrations, and draws of them given the topics of all tokens.

use posterior_math::ParamError;
use rand::Rng;
use serde::{Deserialize, Serialize};

use super::concentration;
use super::tally::{Histogram, Tally};
use crate::slice_draw::draw_positive;

/// Gamma distributions that the concentrations have before the corpus is seen, independent of each other, and
/// kept between e^-69 and e^69.
///
/// Given the topics of all tokens, documents are draws of a Dirichlet-multinomial with `alpha`, and topics
/// are draws of one with `beta` for each word. Each concentration is drawn given the others by slice sampling
/// of its logarithm, between the sweeps: together they draw from the joint posterior distribution of topics
/// and concentrations.
///
/// # References
/// R. M. Neal, Slice sampling, Annals of Statistics 31, 2003; H. Wallach, D. Mimno, A. McCallum, Rethinking
/// LDA: why priors matter, NIPS 2009.
///
/// ```
/// use posterior_topics::lda::ConcentrationPrior;
///
/// // One concentration for all topics, whose mean is 0.1; words as by default.
/// let prior = ConcentrationPrior { asymmetric: false, alpha: [1.0, 10.0], ..ConcentrationPrior::default() };
/// assert_eq!(prior.beta, [1.0, 1.0]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ConcentrationPrior {
    /// Whether each topic has a concentration of its own, or all have the same. Default: its own.
    pub asymmetric: bool,
    /// Shape and rate of a concentration of topics. Default `[1, 1]`.
    pub alpha: [f64; 2],
    /// Shape and rate of the concentration of words. Default `[1, 1]`.
    pub beta: [f64; 2],
}

impl Default for ConcentrationPrior {
    fn default() -> Self {
        Self { asymmetric: true, alpha: [1.0, 1.0], beta: [1.0, 1.0] }
    }
}

impl ConcentrationPrior {
    /// Checks shapes and rates, and that `alpha` can be where the draws begin.
    pub(super) fn check(&self, alpha: &[f64]) -> Result<(), ParamError> {
        const TYPE: &str = "ConcentrationPrior";
        for (name, number) in [
            ("shape of alpha", self.alpha[0]),
            ("rate of alpha", self.alpha[1]),
            ("shape of beta", self.beta[0]),
            ("rate of beta", self.beta[1]),
        ] {
            concentration::check(TYPE, name, number)?;
        }
        match alpha.iter().position(|a| *a != alpha[0]).filter(|_| !self.asymmetric) {
            None => Ok(()),
            Some(k) => {
                let equal = "that of all topics, since they have one concentration";
                Err(ParamError::new(TYPE, "alpha at the start", alpha[k], equal).at(k))
            }
        }
    }

    /// Draws `alpha` given the topic counts of the documents, from the state `alpha`.
    ///
    /// Cost: for each concentration some ten evaluations of as many terms as there are different counts.
    pub(super) fn draw_alpha<R: Rng + ?Sized>(&self, tally: &Tally, alpha: &mut [f64], rng: &mut R) {
        let lengths = &tally.lengths;
        if self.asymmetric {
            for (k, counts) in tally.topics.iter().enumerate() {
                let others: f64 = alpha.iter().enumerate().filter(|&(j, _)| j != k).map(|(_, a)| a).sum();
                let ln_likelihood = |a: f64| counts.ln_rises(a) - lengths.ln_rises(others + a);
                alpha[k] = draw(alpha[k], self.alpha, ln_likelihood, rng);
            }
        } else {
            let count = alpha.len() as f64;
            let mut all = Histogram::default();
            tally.topics.iter().for_each(|counts| all.merge(counts));
            let ln_likelihood = |a: f64| all.ln_rises(a) - lengths.ln_rises(count * a);
            alpha.fill(draw(alpha[0], self.alpha, ln_likelihood, rng));
        }
    }

    /// Draws `beta` given the topic counts of the words and the tokens of the topics, from the state `beta`.
    pub(super) fn draw_beta<R: Rng + ?Sized>(
        &self,
        (tally, vocabulary): (&Tally, usize),
        totals: impl Iterator<Item = u64>,
        beta: f64,
        rng: &mut R,
    ) -> f64 {
        let mut lengths = Histogram::default();
        for total in totals {
            lengths.push(total);
        }
        let words = vocabulary as f64;
        let ln_likelihood = |b: f64| tally.words.ln_rises(b) - lengths.ln_rises(words * b);
        draw(beta, self.beta, ln_likelihood, rng)
    }
}

/// A step of slice sampling in the logarithm of a concentration with a gamma prior.
fn draw<R: Rng + ?Sized>(
    at: f64,
    [shape, rate]: [f64; 2],
    ln_likelihood: impl Fn(f64) -> f64,
    rng: &mut R,
) -> f64 {
    // The density of the logarithm: shape in the place of shape - 1.
    draw_positive(at, |value| shape * value.ln() - rate * value + ln_likelihood(value), rng)
}
