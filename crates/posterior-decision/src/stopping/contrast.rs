//! How two arms differ: difference and ratio of independent quantities.

use posterior_dist::{Beta, StudentT, Univariate};
use posterior_math::check;
use posterior_math::quadrature::GaussLegendre;
use posterior_math::streaming::MeanVariance;

use crate::Error;

/// Probabilities, from either end, between which quantiles are smooth enough for one rule.
const PANELS: [f64; 6] = [0.0, 1e-6, 1e-3, 0.02, 0.15, 0.5];

/// Nodes of the rule on each panel.
const NODES: usize = 24;

/// Halvings of a bracket.
const HALVINGS: usize = 100;

/// The difference `other` - `base` and the ratio `other`/`base` of two independent quantities.
///
/// ```
/// use posterior_decision::stopping::{Contrast, proportion_posterior};
///
/// // 10 of 100 against 18 of 100.
/// let contrast = Contrast::new(proportion_posterior(10, 100)?, proportion_posterior(18, 100)?)?;
/// let [low, high] = contrast.difference_interval(0.95)?;
/// assert!((low + 0.015877).abs() < 1e-6 && (high - 0.175990).abs() < 1e-6);
/// # Ok::<(), posterior_decision::Error>(())
/// ```
///
/// # Numerics
/// Distribution functions are averages of that of the wider quantity over 240 quantiles of the narrower one:
/// good to 10⁻⁸ for Beta distributions and Student's t.
#[derive(Debug, Clone)]
pub struct Contrast<B, O> {
    base: B,
    other: O,
    /// Quantiles of the narrower quantity, with their weights.
    nodes: Vec<(f64, f64)>,
    nodes_of_base: bool,
}

impl<B: Univariate, O: Univariate> Contrast<B, O> {
    /// Of these two.
    ///
    /// # Errors
    /// If a quartile is not finite.
    pub fn new(base: B, other: O) -> Result<Self, Error> {
        let spread = |low: f64, high: f64| check::finite("Contrast", "distance of quartiles", high - low);
        let of_base = spread(base.quantile(0.25), base.upper_quantile(0.25))?;
        let of_other = spread(other.quantile(0.25), other.upper_quantile(0.25))?;
        let nodes_of_base = of_base <= of_other;
        let nodes = if nodes_of_base { nodes(&base)? } else { nodes(&other)? };
        Ok(Self { base, other, nodes, nodes_of_base })
    }

    fn mean(&self, of: impl Fn(f64) -> f64) -> f64 {
        self.nodes.iter().map(|&(weight, x)| weight * of(x)).sum()
    }

    /// P(other - base ≤ d).
    pub fn difference_cdf(&self, d: f64) -> f64 {
        if self.nodes_of_base {
            self.mean(|x| self.other.cdf(x + d))
        } else {
            self.mean(|y| self.base.sf(y - d))
        }
    }

    /// P(other > base).
    pub fn probability_greater(&self) -> f64 {
        if self.nodes_of_base { self.mean(|x| self.other.sf(x)) } else { self.mean(|y| self.base.cdf(y)) }
    }

    /// The interval of the difference with this probability, and as much on either side.
    ///
    /// # Errors
    /// If the level is not strictly between 0 and 1.
    pub fn difference_interval(&self, level: f64) -> Result<[f64; 2], Error> {
        check::open_probability("Contrast", "level", level)?;
        let tail = 0.5 * (1.0 - level);
        let quantile = |p: f64, q: f64| {
            // Beyond both it is less probable than p, or than q: one of the two would be farther out.
            let low = self.other.quantile(0.5 * p) - self.base.upper_quantile(0.5 * p);
            let high = self.other.upper_quantile(0.5 * q) - self.base.quantile(0.5 * q);
            bisect(low, high, |d| self.difference_cdf(d) < p)
        };
        Ok([quantile(tail, 1.0 - tail), quantile(1.0 - tail, tail)])
    }

    /// P(other ≤ r base): the distribution function of the ratio if `base` is positive.
    pub fn ratio_cdf(&self, r: f64) -> f64 {
        if self.nodes_of_base {
            self.mean(|x| self.other.cdf(r * x))
        } else if r > 0.0 {
            self.mean(|y| self.base.sf(y / r))
        } else if r < 0.0 {
            self.mean(|y| self.base.cdf(y / r))
        } else {
            self.other.cdf(0.0)
        }
    }

    /// The interval of the ratio with this probability, and as much on either side; none if `base` may be
    /// negative with so much probability that there is none.
    ///
    /// # Errors
    /// If the level is not strictly between 0 and 1.
    pub fn ratio_interval(&self, level: f64) -> Result<Option<[f64; 2]>, Error> {
        check::open_probability("Contrast", "level", level)?;
        let tail = 0.5 * (1.0 - level);
        if self.base.cdf(0.0) >= tail {
            return Ok(None);
        }
        // Ratios of all sizes, in units of their middle.
        let largest = [self.other.quantile(0.25), self.other.upper_quantile(0.25)]
            .map(f64::abs)
            .into_iter()
            .fold(0.0, f64::max);
        let unit = largest / self.base.quantile(0.5);
        let quantile = |p: f64| {
            let right_angle = std::f64::consts::FRAC_PI_2;
            let angle = bisect(-right_angle, right_angle, |angle| self.ratio_cdf(unit * angle.tan()) < p);
            unit * angle.tan()
        };
        Ok(Some([quantile(tail), quantile(1.0 - tail)]))
    }
}

/// Where `below` ends, between two places.
fn bisect(mut low: f64, mut high: f64, below: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..HALVINGS {
        let middle = low.midpoint(high);
        if middle <= low || middle >= high {
            break;
        }
        if below(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low.midpoint(high)
}

/// Quantiles with weights that average functions of the quantity.
fn nodes<L: Univariate>(quantity: &L) -> Result<Vec<(f64, f64)>, Error> {
    let rule = GaussLegendre::new(NODES)?;
    let mut nodes = Vec::with_capacity(2 * NODES * (PANELS.len() - 1));
    for ends in PANELS.windows(2) {
        let (middle, half) = (0.5 * (ends[0] + ends[1]), 0.5 * (ends[1] - ends[0]));
        for (node, weight) in rule.nodes().iter().zip(rule.weights()) {
            let u = middle + half * node;
            nodes.push((weight * half, quantity.quantile(u)));
            nodes.push((weight * half, quantity.upper_quantile(u)));
        }
    }
    Ok(nodes)
}

/// What is known of a proportion after so many successes of so many trials: Beta(s + 1/2, n - s + 1/2), by
/// Jeffreys' prior, whose intervals have about their level in repeated experiments too.
///
/// # Errors
/// If there are more successes than trials.
pub fn proportion_posterior(successes: u64, trials: u64) -> Result<Beta, Error> {
    let failures = trials.checked_sub(successes).map_or(f64::NAN, |own| own as f64);
    check::require(
        failures >= 0.0,
        "proportion_posterior",
        "successes",
        successes as f64,
        "at most the trials",
    )?;
    Ok(Beta::new(successes as f64 + 0.5, failures + 0.5)?)
}

/// The interval of a proportion with this probability under [`proportion_posterior`], as much on either side;
/// from 0 without a success and to 1 without a failure (Brown, Cai and DasGupta, Statistical Science 16
/// (2001), section 4.1).
///
/// # Errors
/// If there are more successes than trials, or the level is not strictly between 0 and 1.
pub fn proportion_interval(successes: u64, trials: u64, level: f64) -> Result<[f64; 2], Error> {
    check::open_probability("proportion_interval", "level", level)?;
    let posterior = proportion_posterior(successes, trials)?;
    let tail = 0.5 * (1.0 - level);
    let low = if successes == 0 { 0.0 } else { posterior.quantile(tail) };
    let high = if successes == trials { 1.0 } else { posterior.upper_quantile(tail) };
    Ok([low, high])
}

/// What is known of a mean after some normal observations: Student's t about their mean, by the prior that is
/// flat in the mean and in the ln of the variance.
///
/// Observations that are all the same leave a scale next to zero.
///
/// # Errors
/// If there are fewer than three.
pub fn mean_posterior(observations: &MeanVariance) -> Result<StudentT, Error> {
    let (count, mean) = (observations.weight(), observations.mean());
    check::require(count >= 3.0, "mean_posterior", "observations", count, "at least 3")?;
    let scale = (observations.sample_variance() / count).sqrt();
    let least = f64::MIN_POSITIVE.max(f64::EPSILON * mean.abs());
    Ok(StudentT::new(count - 1.0, mean, scale.max(least))?)
}
