//! The evidence from draws of the posterior, by a bridge to a normal distribution.

use posterior_dist::target::Target;
use posterior_math::check;
use posterior_math::log_space::logistic;
use posterior_math::optimize::{RootOptions, find_root};
use posterior_math::streaming::{MeanVariance, StreamingCovariance};
use rand::Rng;

use crate::diagnostics::{ess_mean, mcse_mean};
use crate::importance::{NormalizedTarget, ln_density_or_zero};
use crate::variational::GaussianApproximation;
use crate::{Draws, Error};

/// The fewest draws of a chain: each half tells its effective draws.
const DRAWS: usize = 24;

/// How to estimate an evidence by [`bridge_sampling`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BridgeOptions {
    /// Draws of the normal distribution; as many as draws of the posterior that the bridge uses if `None`.
    pub proposals: Option<usize>,
}

/// The evidence of a model, and how far off it may be.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct BridgeEstimate {
    /// ln of the integral of the density.
    pub ln_evidence: f64,
    /// The standard deviation of `ln_evidence`, to first order: the relative error of the evidence. That of
    /// the two means below, of which each counts.
    pub standard_error: f64,
    /// Of it, what the draws of the posterior contribute, with regard to their autocorrelation.
    pub posterior_error: f64,
    /// Of it, what the draws of the normal distribution contribute.
    pub proposal_error: f64,
    /// Draws of the posterior that were used: the second half of each chain.
    pub draws: usize,
    /// As many independent draws would say as much of the density ratio.
    pub effective_draws: f64,
    /// Draws of the normal distribution.
    pub proposals: usize,
    /// Of these, how many have no density because the target has no value there.
    pub rejected: usize,
}

impl BridgeEstimate {
    /// ln of the Bayes factor of this model over another one, fitted to the same data from other draws, and
    /// its standard deviation.
    pub fn ln_bayes_factor(&self, other: &Self) -> (f64, f64) {
        (self.ln_evidence - other.ln_evidence, self.standard_error.hypot(other.standard_error))
    }
}

/// ln of the integral of a density, from draws of the distribution that is proportional to it.
///
/// The first half of each chain fits a normal distribution g, the second half bridges: of the posterior p =
/// q / r with the evidence r, E_g\[h q\] / E_p\[h g\] = r for any h; the best, 1 / (s₁ p + s₂ g) with the
/// proportions s of effective draws, makes it an equation for r, whose only root is found to all digits. Its
/// error falls with what p and g have in common, and not, as those of weights, with the tails. Posteriors far
/// from normal take more draws or other coordinates: the error says how many, as long as the chains have
/// visited all modes.
///
/// Target and draws are in free coordinates, with the Jacobian in the target: as a
/// [`Run`](crate::Run) makes them. Costs one density for each draw that is used, of both kinds, and O(n²) for
/// each in n dimensions.
///
/// # Errors
/// No coordinates; fewer than 24 draws of a chain; too few to tell a covariance, or draws that do not vary;
/// a draw where the density is zero or has no value; a target that ends the run; fewer than two proposals.
///
/// # References
/// X.-L. Meng, W. H. Wong, Simulating ratios of normalizing constants via a simple identity, Statistica
/// Sinica 6, 1996; Q. F. Gronau and others, A tutorial on bridge sampling, Journal of Mathematical Psychology
/// 81, 2017; S. Frühwirth-Schnatter, Estimating marginal likelihoods for mixture and Markov switching models
/// using bridge sampling techniques, Econometrics Journal 7, 2004 (the error).
///
/// ```
/// use posterior_dist::{stream::stream, target::FromFn};
/// use posterior_sampling::hamiltonian::Nuts;
/// use posterior_sampling::bridge::{BridgeOptions, bridge_sampling};
/// use posterior_sampling::{Run, Start};
/// # use posterior_dist::target::{Differentiated, Formula};
/// # use posterior_math::autodiff::Real;
/// # struct Coin;
/// # impl Formula for Coin {
/// #     fn dim(&self) -> usize { 1 }
/// #     fn ln_density<R: Real>(&self, x: &[R]) -> R { x[0] * 8.0 - x[0].ln_1p_exp() * 14.0 }
/// # }
///
/// // The logit of a coin that showed 7 heads and 5 tails, with a flat prior: ∫ pʰ (1 - p)ᵗ dp = B(8, 6).
/// let target = Differentiated(Coin);
/// let sampled = Run { seed: 1, ..Run::default() }.sample(&target, &Nuts::default(), &Start::default())?;
/// let bridge = bridge_sampling(&target, &sampled.draws, &BridgeOptions::default(), &mut stream(2, &[]))?;
/// let exact = -(10_296_f64).ln(); // 7! 5! / 13!
/// assert!((bridge.ln_evidence - exact).abs() < 4.0 * bridge.standard_error);
/// assert!(bridge.standard_error < 0.02);
/// # Ok::<(), posterior_sampling::Error>(())
/// ```
pub fn bridge_sampling<T: Target + ?Sized, R: Rng + ?Sized>(
    target: &T,
    draws: &Draws,
    options: &BridgeOptions,
    rng: &mut R,
) -> Result<BridgeEstimate, Error> {
    let half = draws.len() / 2;
    check::at_least_one("bridge_sampling", "coordinates", target.dim())?;
    check::dimension("coordinates of the draws", target.dim(), draws.names().len())?;
    let requirement = "at least 24 of each chain";
    check::require(draws.len() >= DRAWS, "bridge_sampling", "draws", draws.len() as f64, requirement)?;
    let count = options.proposals.unwrap_or((draws.len() - half) * draws.chains());
    check::require(count > 1, "bridge_sampling", "proposals", count as f64, "at least 2")?;
    let normal = fitted(draws, half)?;
    let posterior = (0..draws.chains()).map(|chain| {
        (half..draws.len()).map(|draw| ratio(target, &normal, draws.draw(chain, draw), draw)).collect()
    });
    let posterior = posterior.collect::<Result<Vec<Vec<f64>>, Error>>()?;
    let mut rejected = 0;
    let mut x = vec![0.0; target.dim()];
    let mut proposed = Vec::with_capacity(count);
    for _ in 0..count {
        normal.draw(rng, &mut x);
        let ln_density = ln_density_or_zero(target.ln_density(&x), &mut rejected)?;
        proposed.push(ln_density - normal.ln_density(&x)?);
    }
    let bridge = Bridge::new(posterior, proposed)?;
    let ln_evidence = bridge.ln_evidence()?;
    let [posterior_error, proposal_error] = bridge.errors(ln_evidence);
    Ok(BridgeEstimate {
        ln_evidence,
        standard_error: posterior_error.hypot(proposal_error),
        posterior_error,
        proposal_error,
        draws: bridge.draws(),
        effective_draws: bridge.effective,
        proposals: count,
        rejected,
    })
}

/// ln q / g of a draw of the posterior.
fn ratio<T: Target + ?Sized>(
    target: &T,
    normal: &GaussianApproximation,
    x: &[f64],
    draw: usize,
) -> Result<f64, Error> {
    let ln_density = target.ln_density(x)?;
    check::finite("bridge_sampling", "ln density of a draw", ln_density).map_err(|error| error.at(draw))?;
    Ok(ln_density - normal.ln_density(x)?)
}

/// The normal distribution with the moments of the first draws of each chain.
fn fitted(draws: &Draws, half: usize) -> Result<GaussianApproximation, Error> {
    let mut moments = StreamingCovariance::new(draws.names().len());
    for chain in 0..draws.chains() {
        for draw in 0..half {
            moments.push(draws.draw(chain, draw));
        }
    }
    GaussianApproximation::of_moments(moments.mean().as_slice(), &moments.sample_covariance())
}

/// ln q / g of both kinds of draws.
struct Bridge {
    /// Of the posterior, chain after chain.
    posterior: Vec<Vec<f64>>,
    proposed: Vec<f64>,
    /// Effective draws of the posterior.
    effective: f64,
    /// ln s₁ / s₂.
    ln_odds: f64,
}

impl Bridge {
    fn new(posterior: Vec<Vec<f64>>, proposed: Vec<f64>) -> Result<Self, Error> {
        let draws = posterior.iter().map(Vec::len).sum::<usize>() as f64;
        let requirement = "above -∞ for some: the normal distribution misses the target";
        let most = proposed.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        check::require(most.is_finite(), "bridge_sampling", "ln density of proposals", most, requirement)?;
        // A ratio that is the same everywhere is known from one draw.
        let effective = ess_mean(&posterior).map_or(draws, |ess| ess.min(draws));
        let ln_odds = (effective / proposed.len() as f64).ln();
        Ok(Self { posterior, proposed, effective, ln_odds })
    }

    fn draws(&self) -> usize {
        self.posterior.iter().map(Vec::len).sum()
    }

    /// The root ln r of s₂ E_g\[s₁ q / (s₁ q + s₂ r g)\] = s₁ E_p\[s₂ r g / (s₁ q + s₂ r g)\], of which the
    /// left side falls and the right side rises in r.
    fn ln_evidence(&self) -> Result<f64, Error> {
        let (n1, n2) = (self.draws() as f64, self.proposed.len() as f64);
        let excess = |ln_r: f64| {
            let above: f64 = self.proposed.iter().map(|l| logistic(l + self.ln_odds - ln_r)).sum();
            let below: f64 = self.posterior.iter().flatten().map(|l| logistic(ln_r - l - self.ln_odds)).sum();
            (above / n2).ln() - (below / n1).ln() - self.ln_odds
        };
        // Where r is below all ratios the first mean is no less than the proportion of proposals that have
        // one times e above the other; where it is above all, below it by e.
        let there = self.proposed.iter().filter(|l| l.is_finite()).count() as f64;
        let all = || self.posterior.iter().flatten().chain(&self.proposed).copied().filter(|l| l.is_finite());
        let low = all().fold(f64::INFINITY, f64::min) + (there / n2).ln() - 1.0;
        let high = all().fold(f64::NEG_INFINITY, f64::max) + 1.0;
        let options = RootOptions { max_evaluations: 500, ..RootOptions::default() };
        let root = find_root(excess, low, high, &options);
        Ok(check::finite("bridge_sampling", "ln evidence", root.point)?)
    }

    /// What both kinds of draws contribute to the relative error.
    fn errors(&self, ln_r: f64) -> [f64; 2] {
        let of_posterior = |l: &f64| logistic(ln_r - l - self.ln_odds);
        let below: Vec<Vec<f64>> =
            self.posterior.iter().map(|chain| chain.iter().map(of_posterior).collect()).collect();
        let above: MeanVariance = self.proposed.iter().map(|l| logistic(l + self.ln_odds - ln_r)).collect();
        let mean = below.iter().flatten().sum::<f64>() / self.draws() as f64;
        // Where all are the same there is no error.
        let posterior = mcse_mean(&below).map_or(0.0, |error| error / mean);
        let proposal = (above.sample_variance() / self.proposed.len() as f64).sqrt() / above.mean();
        [posterior, proposal]
    }
}
