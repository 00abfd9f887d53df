//! The potential scale reduction R̂: the spread of all draws by that within the chains.

use posterior_math::special::inverse_beta_p;

use super::sample::{Sample, mean, variance};
use super::scores::{folded, normal_scores};
use super::warning::LARGEST_RHAT;
use super::{Undefined, ess_bulk, ess_sd};

/// Each half of a chain needs a variance.
const DRAWS: usize = 4;

/// R̂ of the ranks, split: the larger one of [`rhat_bulk`] and [`rhat_folded`]. Above [`rhat_limit`] the
/// chains have not met.
///
/// O(S log S) for S draws.
///
/// # Errors
/// All draws the same, fewer than 4 for each chain, chains of different lengths, draws that are not finite.
pub fn rhat<C: AsRef<[f64]>>(chains: &[C]) -> Result<f64, Undefined> {
    let halves = Sample::new(chains, DRAWS)?.halves();
    let bulk = ratio_of_scores(&halves, &halves)?;
    match ratio_of_scores(&halves, &folded(&halves)) {
        Ok(scale) => Ok(bulk.max(scale)),
        // Draws at one distance from their median differ in place only.
        Err(Undefined::Alike) => Ok(bulk),
        Err(other) => Err(other),
    }
}

/// Effective draws of half a chain below which chance explains any R̂.
const FEWEST_OF_HALF: f64 = 5.0;

/// How often R̂ of chains that have met is above the limit.
const BY_CHANCE: f64 = 0.001;

/// The R̂ that chains which have met exceed once in a thousand runs, with as few effective draws as these
/// have; at least 1.01.
///
/// The means of h half-chains with e effective draws each differ by chance: (R̂² - 1) (e - 1) is nearly the
/// ratio of two variances, F with h - 1 and h (e - 1) degrees of freedom: the variance within a half is too
/// small by 1 - 1/e, as its mean is its own. Effective draws are counted in each chain by itself, so that
/// chains apart do not excuse themselves by a small number; where e is below 5 the chains are too short to
/// have met, and the limit is 1.01. O(S log S) for S draws.
pub fn rhat_limit<C: AsRef<[f64]>>(chains: &[C]) -> f64 {
    let halves = 2.0 * chains.len() as f64;
    let alone = |chain: &C| {
        let chain = std::slice::from_ref(chain);
        // A chain that stands still has none.
        ess_bulk(chain).unwrap_or(0.0).min(ess_sd(chain).unwrap_or(0.0))
    };
    let effective = chains.iter().map(alone).sum::<f64>() / halves;
    if !(effective >= FEWEST_OF_HALF) {
        return LARGEST_RHAT;
    }
    let (between, within) = (halves - 1.0, halves * (effective - 1.0));
    // F is (d₂ / d₁) y / (1 - y) of a beta number y: its upper tail is the lower one of 1 - y.
    let (rest, y) = inverse_beta_p(0.5 * within, 0.5 * between, BY_CHANCE);
    let ratio = within / between * y / rest;
    (1.0 + ratio / (effective - 1.0)).sqrt().max(LARGEST_RHAT)
}

/// R̂ of the ranks, split: do the chains have the same middle?
///
/// # Errors
/// As [`rhat`].
pub fn rhat_bulk<C: AsRef<[f64]>>(chains: &[C]) -> Result<f64, Undefined> {
    let halves = Sample::new(chains, DRAWS)?.halves();
    ratio_of_scores(&halves, &halves)
}

/// R̂ of the ranks of distances from the median, split: do the chains have the same spread?
///
/// # Errors
/// As [`rhat`]; all draws at the same distance from the median.
pub fn rhat_folded<C: AsRef<[f64]>>(chains: &[C]) -> Result<f64, Undefined> {
    let halves = Sample::new(chains, DRAWS)?.halves();
    ratio_of_scores(&halves, &folded(&halves))
}

/// R̂ of the draws themselves, split, for quantities with a variance.
///
/// # Errors
/// As [`rhat`].
pub fn rhat_split<C: AsRef<[f64]>>(chains: &[C]) -> Result<f64, Undefined> {
    ratio(&Sample::new(chains, DRAWS)?.halves())
}

/// R̂ as Gelman and Rubin had it (1992), of whole chains: a drift that all chains share is not seen.
///
/// # Errors
/// As [`rhat`], but 2 draws are enough; fewer than two chains.
pub fn rhat_classic<C: AsRef<[f64]>>(chains: &[C]) -> Result<f64, Undefined> {
    let sample = Sample::new(chains, 2)?;
    if chains.len() < 2 {
        return Err(Undefined::FewChains { needed: 2, found: chains.len() });
    }
    ratio(&sample)
}

/// R̂ of many short chains, after Margossian, Hoffman, Sountsov, Riou-Durand, Vehtari and Gelman (2024):
/// `superchains` are groups of as many chains each, and the chains of a group have one start. Chains of a
/// single draw are welcome.
///
/// # Errors
/// As [`rhat`]; fewer than two groups, groups of different sizes, and groups of one chain of one draw.
pub fn rhat_nested<G, C>(superchains: &[G]) -> Result<f64, Undefined>
where
    G: AsRef<[C]>,
    C: AsRef<[f64]>,
{
    let size = superchains.first().map_or(0, |group| group.as_ref().len());
    if superchains.len() < 2 || size == 0 {
        return Err(Undefined::FewChains { needed: 2, found: superchains.len() * size });
    }
    if let Some(group) = superchains.iter().find(|group| group.as_ref().len() != size) {
        return Err(Undefined::FewChains { needed: size, found: group.as_ref().len() });
    }
    let flat: Vec<&[f64]> =
        superchains.iter().flat_map(|group| group.as_ref().iter().map(AsRef::as_ref)).collect();
    let sample = Sample::new(&flat, if size == 1 { 2 } else { 1 })?.standard()?.sample;
    let spread = |values: &[f64]| if values.len() > 1 { variance(values) } else { 0.0 };
    let means: Vec<f64> = sample.chains().map(mean).collect();
    let within: Vec<f64> = sample.chains().map(spread).collect();
    let inside: Vec<f64> =
        means.chunks(size).zip(within.chunks(size)).map(|(m, w)| spread(m) + mean(w)).collect();
    let groups: Vec<f64> = means.chunks(size).map(mean).collect();
    Ok((1.0 + variance(&groups) / mean(&inside)).sqrt())
}

/// The ratio of the ranks of something made of these draws.
fn ratio_of_scores(draws: &Sample, made: &Sample) -> Result<f64, Undefined> {
    ratio(&normal_scores(made)).map_err(|why| draws.reason(why))
}

/// √((W (n - 1)/n + B/n) / W) with the mean variance W of the chains and the variance B/n of their means; +∞
/// where every chain stands still at a place of its own.
fn ratio(sample: &Sample) -> Result<f64, Undefined> {
    let sample = sample.standard()?.sample;
    let draws = sample.len() as f64;
    let within = mean(&sample.chains().map(variance).collect::<Vec<_>>());
    let between = variance(&sample.chains().map(mean).collect::<Vec<_>>());
    Ok(((draws - 1.0) / draws + between / within).sqrt())
}
