//! The distribution of values that were seen, each with its proportion.

mod quantile_type;

use posterior_math::check::{self, ParamError};
use posterior_math::streaming::{MeanVariance, NeumaierSum, StreamingMoments};
use rand::RngExt;

use crate::inversion::from_end_to_end;
use crate::prelude::*;

pub use quantile_type::QuantileType;

/// The distribution of a value taken at random from those that were seen: its distribution function is the
/// empirical one (ECDF).
///
/// # Density
/// P(x) = the weights of the values that are x, over those of all: a probability, with respect to counting
///
/// # Parameters
/// | symbol | here | range |
/// |---|---|---|
/// | x | `values` | at least one, finite |
/// | w | `weights` | one for each, not negative, one positive; 1 if not given |
///
/// # Moments
/// those of the values with their weights: the variance has n below, not n - 1
///
/// # Numerics
/// Both tails are sums of weights from their own end, each with its digits. O(n ln n) to make, O(ln n) for a
/// probability, a quantile or a draw.
///
/// # Example
/// ```
/// use posterior_dist::{Empirical, QuantileType, Univariate};
///
/// let waits = Empirical::new(&[4.0, 1.0, 2.0, 2.0])?;
/// assert_eq!(waits.cdf(2.0), 0.75);
/// assert_eq!(waits.quantile(0.5), 2.0);
/// assert!((waits.quantile_of_type(0.8, QuantileType::Linear)? - 2.8).abs() < 1e-14);
///
/// // The true distribution function is within ±ε everywhere, with a probability of 95 %.
/// let epsilon = waits.band(0.95)?;
/// assert!((epsilon - 0.679).abs() < 1e-3);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Empirical {
    /// The different values with weights, in order.
    points: Vec<f64>,
    weights: Vec<f64>,
    /// Sums of weights up to each point, and above it.
    up_to: Vec<f64>,
    above: Vec<f64>,
    /// How many values there were if all weigh the same.
    count: Option<usize>,
}

impl Empirical {
    /// Of values with the same weight.
    ///
    /// # Errors
    /// No values, or one that is not finite.
    pub fn new(values: &[f64]) -> Result<Self, ParamError> {
        let own = Self::weighted(values, &vec![1.0; values.len()])?;
        Ok(Self { count: Some(values.len()), ..own })
    }

    /// Of values with weights.
    ///
    /// # Errors
    /// No values, or one that is not finite; not as many weights; a weight that is negative or not finite, or
    /// none that is positive.
    pub fn weighted(values: &[f64], weights: &[f64]) -> Result<Self, ParamError> {
        check::at_least_one("Empirical", "number of values", values.len())?;
        check::each(values, |x| check::finite("Empirical", "values", x))?;
        let as_many = values.len() == weights.len();
        check::require(
            as_many,
            "Empirical",
            "number of weights",
            weights.len() as f64,
            "that of the values",
        )?;
        check::each(weights, |weight| check::non_negative("Empirical", "weights", weight))?;
        check::positive("Empirical", "sum of the weights", weights.iter().sum())?;
        let mut pairs: Vec<(f64, f64)> =
            values.iter().zip(weights).filter(|own| *own.1 > 0.0).map(|(&x, &w)| (x, w)).collect();
        // -0 is 0.
        for own in &mut pairs {
            own.0 += 0.0;
        }
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
        let groups = pairs.chunk_by(|a, b| a.0 == b.0);
        let (points, weights): (Vec<f64>, Vec<f64>) =
            groups.map(|group| (group[0].0, group.iter().map(|own| own.1).sum::<f64>())).unzip();
        let mut sum = NeumaierSum::default();
        let mut running = |weight: &f64| {
            sum.push(*weight);
            sum.value()
        };
        let up_to: Vec<f64> = weights.iter().map(&mut running).collect();
        let mut sum = NeumaierSum::default();
        let mut above: Vec<f64> = weights
            .iter()
            .rev()
            .map(|weight| {
                let before = sum.value();
                sum.push(*weight);
                before
            })
            .collect();
        above.reverse();
        Ok(Self { points, weights, up_to, above, count: None })
    }

    /// The different values, in order.
    pub fn points(&self) -> &[f64] {
        &self.points
    }

    /// The probability of each.
    pub fn probabilities(&self) -> impl ExactSizeIterator<Item = f64> + '_ {
        self.weights.iter().map(|weight| weight / self.total())
    }

    /// Half the width ε of a band: with at least this probability the distribution function of a further
    /// value differs nowhere by more than ε from that of the values, ε = √(ln(2/(1 - level)) / 2n).
    ///
    /// # Errors
    /// A level that is not between 0 and 1; values that do not all weigh the same.
    ///
    /// # References
    /// A. Dvoretzky, J. Kiefer, J. Wolfowitz, 1956; P. Massart, Annals of Probability 18, 1990.
    pub fn band(&self, level: f64) -> Result<f64, ParamError> {
        let level = check::open_probability("Empirical", "level", level)?;
        let Some(count) = self.count else {
            return Err(ParamError::new(
                "Empirical",
                "sum of the weights",
                self.total(),
                "that of equal weights",
            ));
        };
        Ok(((2.0 / (1.0 - level)).ln() / (2.0 * count as f64)).sqrt().min(1.0))
    }

    /// A quantile by one of the definitions of Hyndman and Fan, which are between the values where the
    /// quantile of the distribution, [`Univariate::quantile`], is one of them.
    ///
    /// # Errors
    /// A p that is not in [0, 1]; for values that do not all weigh the same, a definition that counts them.
    pub fn quantile_of_type(&self, p: f64, definition: QuantileType) -> Result<f64, ParamError> {
        let p = check::probability("Empirical", "p", p)?;
        if let Some(count) = self.count {
            return Ok(definition.of(p, count, |rank| self.quantile_at(rank as f64)));
        }
        let total = self.total();
        match definition {
            QuantileType::Inverse => Ok(self.quantile(p)),
            QuantileType::AveragedInverse => {
                let next = self.points.partition_point(|x| self.cdf(*x) <= p).min(self.points.len() - 1);
                Ok(0.5 * (self.quantile(p) + self.points[next]))
            }
            _ => Err(ParamError::new("Empirical", "sum of the weights", total, "that of equal weights")),
        }
    }

    fn total(&self) -> f64 {
        self.up_to.last().copied().unwrap_or(f64::NAN)
    }

    /// The least point up to which the sum of weights is this.
    fn quantile_at(&self, sum: f64) -> f64 {
        let index = self.up_to.partition_point(|own| *own < sum);
        self.points[index.min(self.points.len() - 1)]
    }

    /// How many points are x or less.
    fn rank(&self, x: f64) -> usize {
        self.points.partition_point(|point| *point <= x)
    }

    fn moments_of(&self) -> StreamingMoments {
        let mut moments = StreamingMoments::new();
        self.points.iter().zip(&self.weights).for_each(|(&x, &weight)| moments.push_weighted(x, weight));
        moments
    }

    fn mean_variance(&self) -> MeanVariance {
        let mut moments = MeanVariance::new();
        self.points.iter().zip(&self.weights).for_each(|(&x, &weight)| moments.push_weighted(x, weight));
        moments
    }
}

impl Density for Empirical {
    type Point = f64;

    fn ln_pdf(&self, &x: &f64) -> f64 {
        if x.is_nan() {
            return x;
        }
        match self.points.binary_search_by(|point| point.total_cmp(&(x + 0.0))) {
            Ok(index) => (self.weights[index] / self.total()).ln(),
            Err(_) => f64::NEG_INFINITY,
        }
    }
}

impl Univariate for Empirical {
    fn cdf(&self, x: f64) -> f64 {
        match self.rank(x) {
            _ if x.is_nan() => x,
            0 => 0.0,
            rank => self.up_to[rank - 1] / self.total(),
        }
    }

    fn sf(&self, x: f64) -> f64 {
        match self.rank(x) {
            _ if x.is_nan() => x,
            0 => 1.0,
            rank => self.above[rank - 1] / self.total(),
        }
    }

    fn quantile(&self, p: f64) -> f64 {
        let ends = [self.points[0], self.points[self.points.len() - 1]];
        from_end_to_end(p, ends, || {
            let total = self.total();
            let index = self.up_to.partition_point(|own| own / total < p);
            self.points[index.min(self.points.len() - 1)]
        })
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        let ends = [self.points[self.points.len() - 1], self.points[0]];
        from_end_to_end(q, ends, || {
            let total = self.total();
            let index = self.above.partition_point(|own| own / total > q);
            self.points[index.min(self.points.len() - 1)]
        })
    }

    fn ln_cdf(&self, x: f64) -> f64 {
        let (below, above) = (self.cdf(x), self.sf(x));
        if above < 0.5 { (-above).ln_1p() } else { below.ln() }
    }

    fn ln_sf(&self, x: f64) -> f64 {
        let (below, above) = (self.cdf(x), self.sf(x));
        if below < 0.5 { (-below).ln_1p() } else { above.ln() }
    }
}

impl Moments for Empirical {
    fn mean(&self) -> Option<f64> {
        Some(self.mean_variance().mean())
    }

    fn variance(&self) -> Option<f64> {
        Some(self.mean_variance().variance())
    }
}

impl Shape for Empirical {
    fn skewness(&self) -> Option<f64> {
        Some(self.moments_of().skewness()).filter(|own| own.is_finite())
    }

    fn excess_kurtosis(&self) -> Option<f64> {
        Some(self.moments_of().excess_kurtosis()).filter(|own| own.is_finite())
    }
}

impl Entropy for Empirical {
    fn entropy(&self) -> f64 {
        -self.probabilities().map(|p| p * p.ln()).sum::<f64>()
    }
}

impl Mode for Empirical {
    fn mode(&self) -> Option<f64> {
        let largest = self.weights.iter().copied().fold(0.0, f64::max);
        let mut best = self.weights.iter().enumerate().filter(|own| *own.1 == largest);
        let (first, _) = best.next()?;
        best.next().is_none().then(|| self.points[first])
    }
}

impl Distribution<f64> for Empirical {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        self.quantile_at(rng.random::<f64>().next_up() * self.total())
    }
}
