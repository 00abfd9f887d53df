//! E ln p(x | w) of every point under every state.

use posterior_dist::{Conjugate, ExponentialFamily, Natural};
use posterior_inference::variational::ConjugateFactor;

use crate::bayesian::Observed;
use crate::error::Error;

/// The expected log-densities of the states, with the memory to evaluate them.
///
/// A point's statistic is made once for all states, and only its entries that are not zero are looked at: one
/// of a symbol.
pub(super) struct ExpectedScores<'a, F: ExponentialFamily> {
    fixed: Option<&'a F::Fixed>,
    distributions: Vec<(&'a Natural<F>, f64)>,
    statistic: Vec<f64>,
    entries: Vec<(usize, f64)>,
}

impl<'a, F: ExponentialFamily> ExpectedScores<'a, F> {
    pub(super) fn new<P>(emissions: &'a [ConjugateFactor<F, P>]) -> Self
    where
        F: Conjugate<P>,
    {
        let fixed = emissions.first().map(|factor| factor.statistics().fixed());
        let distributions = emissions
            .iter()
            .map(|factor| (factor.expected().natural(), factor.expected().ln_partition()))
            .collect();
        let statistic = vec![0.0; fixed.map_or(0, F::statistic_len)];
        Self { fixed, distributions, statistic, entries: Vec::new() }
    }

    /// K scores for each position of a sequence; 0 where nothing was seen.
    pub(super) fn fill(
        &mut self,
        data: &Observed<'_, F::Point>,
        sequence: usize,
        scores: &mut Vec<f64>,
    ) -> Result<(), Error> {
        let points = data.points(sequence);
        scores.clear();
        scores.resize(points.len() * self.distributions.len(), 0.0);
        let Some(fixed) = self.fixed else { return Ok(()) };
        for (position, (point, scores)) in
            points.iter().zip(scores.chunks_exact_mut(self.distributions.len())).enumerate()
        {
            let Some(point) = point else { continue };
            self.look_at(fixed, point);
            let base = F::ln_base(fixed, point);
            for (score, (natural, ln_partition)) in scores.iter_mut().zip(&self.distributions) {
                let natural = natural.as_slice();
                let inner: f64 = self.entries.iter().map(|&(entry, value)| natural[entry] * value).sum();
                *score = base + inner - ln_partition;
                if !(*score < f64::INFINITY) {
                    let message =
                        "its expected ln density is beyond the range of f64: rescale the data".to_owned();
                    return Err(Error::Observation { sequence, position, message });
                }
            }
        }
        Ok(())
    }

    fn look_at(&mut self, fixed: &F::Fixed, point: &F::Point) {
        self.statistic.fill(0.0);
        F::add_statistic(fixed, point, 1.0, &mut self.statistic);
        self.entries.clear();
        let entries = self.statistic.iter().enumerate().filter(|(_, value)| **value != 0.0);
        self.entries.extend(entries.map(|(entry, &value)| (entry, value)));
    }
}
