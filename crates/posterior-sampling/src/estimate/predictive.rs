//! What data does a posterior expect, and are the data like that?

use posterior_math::check;
use rand::Rng;

use super::{Estimate, batch_means};
use crate::{Draws, Error};

/// One data set for each draw of the parameters, chain after chain: draws of the posterior predictive
/// distribution.
///
/// `simulate` gets the parameters of a draw in the order of [`Draws::names`].
///
/// ```
/// use posterior_dist::{Bernoulli, stream::stream};
/// use posterior_sampling::{Draws, estimate::predictive_draws};
/// use rand::distr::Distribution;
///
/// let posterior = Draws::new(vec!["p".to_owned()], vec![vec![0.0, 1.0, 1.0, 0.0]])?;
/// let coin = |p: &[f64], rng: &mut _| Bernoulli::new(p[0]).map(|coin| coin.sample(rng));
/// let tosses: Result<Vec<bool>, _> =
///     predictive_draws(&posterior, coin, &mut stream(1, &[])).into_iter().collect();
/// assert_eq!(tosses?, [false, true, true, false]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn predictive_draws<D, R: Rng + ?Sized>(
    posterior: &Draws,
    mut simulate: impl FnMut(&[f64], &mut R) -> D,
    rng: &mut R,
) -> Vec<D> {
    rows(posterior).map(|(chain, draw)| simulate(posterior.draw(chain, draw), rng)).collect()
}

/// Where a statistic of the data is among those of data sets that the posterior expects.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PredictiveCheck {
    /// For each draw of the parameters the statistic of the data. The same number, unless the statistic reads
    /// the parameters.
    pub observed: Vec<f64>,
    /// For each draw of the parameters the statistic of the data set that was simulated from it.
    pub replicated: Vec<f64>,
    /// P(replicated ≥ observed), with its standard error.
    ///
    /// Near 0 or 1, the model does not make data like these. Under a true model it is not uniform, but closer
    /// to 1/2: the data were used to fit it.
    pub p_value: Estimate,
}

/// Compares a statistic of the data with that of one simulated data set for each draw of the parameters.
///
/// The statistic may read the parameters too (a discrepancy). The standard error is that of [`batch_means`],
/// for the draws of a chain depend on each other; it is never less than that of as many independent draws,
/// with one success and one failure added, so that a p-value of zero does not look certain.
///
/// # Errors
/// Chains of fewer than four draws; a statistic that is NaN, with the number of its draw.
///
/// # References
/// A. Gelman, X.-L. Meng, H. Stern, Posterior predictive assessment of model fitness via realized
/// discrepancies, Statistica Sinica 6, 1996.
pub fn predictive_check<D, R: Rng + ?Sized>(
    posterior: &Draws,
    data: &D,
    mut simulate: impl FnMut(&[f64], &mut R) -> D,
    mut statistic: impl FnMut(&D, &[f64]) -> f64,
    rng: &mut R,
) -> Result<PredictiveCheck, Error> {
    let (mut observed, mut replicated) = (Vec::new(), Vec::new());
    let mut exceeds = vec![Vec::with_capacity(posterior.len()); posterior.chains()];
    for (chain, draw) in rows(posterior) {
        let parameters = posterior.draw(chain, draw);
        let ours = statistic(data, parameters);
        let theirs = statistic(&simulate(parameters, rng), parameters);
        for value in [ours, theirs] {
            check::require(!value.is_nan(), "predictive_check", "statistic", value, "a number")
                .map_err(|error| error.at(observed.len()))?;
        }
        exceeds[chain].push(if theirs >= ours { 1.0 } else { 0.0 });
        observed.push(ours);
        replicated.push(theirs);
    }
    let mut p_value = batch_means(&exceeds)?;
    let draws = p_value.draws as f64;
    let cautious = (p_value.value * draws + 1.0) / (draws + 2.0);
    p_value.standard_error = p_value.standard_error.max((cautious * (1.0 - cautious) / draws).sqrt());
    Ok(PredictiveCheck { observed, replicated, p_value })
}

/// Chain and draw of all draws, in their order.
fn rows(draws: &Draws) -> impl Iterator<Item = (usize, usize)> + '_ {
    (0..draws.chains()).flat_map(|chain| (0..draws.len()).map(move |draw| (chain, draw)))
}
