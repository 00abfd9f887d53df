//! Proposals that do not look where the chain is.

use posterior_dist::Density;
use rand::Rng;
use rand_distr::Distribution;

use super::Proposal;
use crate::Error;
use crate::evaluation::refused;

/// Metropolis-Hastings with proposals from the distribution `Q`, wherever the chain is: a = (p(x′)/q(x′)) /
/// (p(x)/q(x)).
///
/// Where p/q ≤ M the chain forgets its start geometrically, by 1 - 1/M in a step (L. Tierney, Ann. Stat. 22,
/// 1994); where p/q is not bounded it sticks for ever longer: take a distribution with heavier tails than the
/// target's. The distribution must be on ℝⁿ and continuous.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct IndependenceSampler<Q>(pub Q);

impl<Q: Density<Point = [f64]> + Distribution<Vec<f64>>> Proposal for IndependenceSampler<Q> {
    fn propose<R: Rng + ?Sized>(&self, from: &[f64], to: &mut [f64], rng: &mut R) -> f64 {
        let drawn = self.0.sample(rng);
        to.iter_mut().zip(&drawn).for_each(|(to, x)| *to = *x);
        self.0.ln_pdf(from) - self.0.ln_pdf(&drawn)
    }

    fn check(&self, start: &[f64]) -> Result<(), Error> {
        let ln_proposal = self.0.ln_pdf(start);
        if ln_proposal.is_finite() {
            return Ok(());
        }
        Err(refused(start, format!("ln q(x) is {ln_proposal}: the proposals never come here")))
    }
}
