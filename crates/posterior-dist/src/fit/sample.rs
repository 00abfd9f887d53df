//! What was seen: values, some of them known by limits alone.

use posterior_math::check;

use super::FitError;

/// One observation of a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Observation {
    /// The value itself.
    At(f64),
    /// It is this or less: censored on the left.
    AtMost(f64),
    /// It is more than this: censored on the right, such as a time at which nothing had happened yet.
    Above(f64),
    /// It is more than the first and at most the second: censored to an interval, such as a count of a bin.
    Within(f64, f64),
}

impl Observation {
    /// A number near the value, for a first guess.
    fn near(self) -> f64 {
        match self {
            Self::At(x) | Self::AtMost(x) | Self::Above(x) => x,
            Self::Within(low, high) if high == f64::INFINITY => low,
            Self::Within(low, high) if low == f64::NEG_INFINITY => high,
            Self::Within(low, high) => 0.5 * (low + high),
        }
    }

    fn is_valid(self) -> bool {
        match self {
            Self::At(x) | Self::AtMost(x) | Self::Above(x) => x.is_finite(),
            Self::Within(low, high) => low < high && (low.is_finite() || high.is_finite()),
        }
    }
}

/// Independent observations of one distribution.
///
/// ```
/// use posterior_dist::fit::{Observation, Sample};
///
/// // Two lamps failed, the third was still alight after 100 hours.
/// let sample = Sample::new(vec![Observation::At(30.0), Observation::At(82.0), Observation::Above(100.0)])?;
/// assert_eq!(sample.count(), 3.0);
/// # Ok::<(), posterior_dist::fit::FitError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    observations: Vec<Observation>,
    /// Empty if all are 1.
    weights: Vec<f64>,
    /// What could be seen at all.
    window: Option<(f64, f64)>,
}

impl Sample {
    /// Observations, of weight 1 each.
    ///
    /// # Errors
    /// There are none, or one has a limit that is not finite (one limit of [`Observation::Within`] may be
    /// infinite) or limits in the wrong order.
    pub fn new(observations: Vec<Observation>) -> Result<Self, FitError> {
        if observations.is_empty() {
            return Err(FitError::Empty);
        }
        if let Some(index) = observations.iter().position(|own| !own.is_valid()) {
            return Err(FitError::Observation { index, requirement: "finite, with its limits in order" });
        }
        Ok(Self { observations, weights: Vec::new(), window: None })
    }

    /// Values that are all known.
    ///
    /// # Errors
    /// There are none, or one is not finite.
    pub fn of(values: &[f64]) -> Result<Self, FitError> {
        Self::new(values.iter().copied().map(Observation::At).collect())
    }

    /// With a weight for each observation: it counts as so many.
    ///
    /// # Errors
    /// Another number of weights than of observations; one that is negative or not finite; none above 0.
    pub fn with_weights(self, weights: &[f64]) -> Result<Self, FitError> {
        check::dimension("weights of observations", self.observations.len(), weights.len())?;
        check::each(weights, |weight| check::non_negative("Sample", "weight", weight))?;
        check::positive("Sample", "sum of the weights", weights.iter().sum())?;
        Ok(Self { weights: weights.to_vec(), ..self })
    }

    /// Of what lies from `low` to `high`, both among it; nothing else could be seen (truncation). One of them
    /// may be infinite.
    ///
    /// # Errors
    /// `low` is not below `high`, or an observation lies outside.
    pub fn seen_within(self, low: f64, high: f64) -> Result<Self, FitError> {
        check::require(low < high, "Sample", "high", high, "above low")?;
        let inside = |own: &Observation| match *own {
            Observation::At(x) => (low..=high).contains(&x),
            Observation::AtMost(x) => x >= low,
            Observation::Above(x) => x < high,
            Observation::Within(a, b) => b >= low && a < high,
        };
        if let Some(index) = self.observations.iter().position(|own| !inside(own)) {
            return Err(FitError::Observation { index, requirement: "within the limits of what is seen" });
        }
        Ok(Self { window: Some((low, high)), ..self })
    }

    /// The number of observations: the sum of the weights.
    pub fn count(&self) -> f64 {
        if self.weights.is_empty() { self.observations.len() as f64 } else { self.weights.iter().sum() }
    }

    /// The observations with their weights.
    pub fn observations(&self) -> impl ExactSizeIterator<Item = (Observation, f64)> + '_ {
        let weight = |index: usize| self.weights.get(index).copied().unwrap_or(1.0);
        self.observations.iter().enumerate().map(move |(index, &own)| (own, weight(index)))
    }

    /// The limits of what could be seen, where there are any.
    pub const fn window(&self) -> Option<(f64, f64)> {
        self.window
    }

    /// Whether all that counts is one and the same value.
    pub(super) fn is_one_value(&self) -> bool {
        let mut counting = self.observations().filter(|own| own.1 > 0.0).map(|own| own.0);
        let first = counting.next();
        matches!(first, Some(Observation::At(_))) && counting.all(|own| Some(own) == first)
    }

    /// What a first guess is made of.
    pub(super) fn outline(&self) -> Outline {
        let mut points: Vec<(f64, f64)> =
            self.observations().filter(|own| own.1 > 0.0).map(|(own, weight)| (own.near(), weight)).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        Outline::new(&points)
    }
}

/// A short summary of a sample, in which a limit stands for the value that it limits: what a fit begins with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outline {
    /// The smallest value.
    pub smallest: f64,
    /// The median.
    pub median: f64,
    /// Half of the distance between the quartiles.
    pub half_width: f64,
    /// The mean.
    pub mean: f64,
    /// The standard deviation, or what stands for it where all values are the same.
    pub sd: f64,
    /// The mean of the logarithms; NaN if a value is not positive.
    pub ln_mean: f64,
    /// The standard deviation of the logarithms.
    pub ln_sd: f64,
    /// The means of the cosine and of the sine.
    pub direction: (f64, f64),
}

impl Outline {
    /// Of values with weights, in order.
    fn new(points: &[(f64, f64)]) -> Self {
        let total: f64 = points.iter().map(|own| own.1).sum();
        let mean_of = |f: &dyn Fn(f64) -> f64| points.iter().map(|&(x, w)| w * f(x)).sum::<f64>() / total;
        let quantile = |p: f64| {
            let mut below = 0.0;
            let found = points.iter().find(|own| {
                below += own.1;
                below >= p * total
            });
            found.map_or(f64::NAN, |own| own.0)
        };
        // Values that are all the same have a width too, or nothing could be tried.
        let not_zero = |width: f64, at: f64| if width > 0.0 { width } else { 0.1 * at.abs().max(1e-3) };
        let mean = mean_of(&|x| x);
        let ln_mean = mean_of(&f64::ln);
        // Of squares that no exponent is too small or too large for.
        let largest = points.iter().map(|own| (own.0 - mean).abs()).fold(0.0, f64::max);
        let sd = largest * mean_of(&|x| ((x - mean) / largest).powi(2)).sqrt();
        let ln_sd = mean_of(&|x| (x.ln() - ln_mean).powi(2)).sqrt();
        let median = quantile(0.5);
        Self {
            smallest: points.first().map_or(f64::NAN, |own| own.0),
            median,
            half_width: not_zero(0.5 * (quantile(0.75) - quantile(0.25)), sd),
            mean,
            sd: not_zero(sd, mean),
            ln_mean,
            ln_sd: if ln_sd > 0.0 { ln_sd } else { 0.1 },
            direction: (mean_of(&f64::cos), mean_of(&f64::sin)),
        }
    }
}
