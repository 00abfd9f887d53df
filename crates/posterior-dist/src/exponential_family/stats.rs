//! Sufficient statistics of data: all that a member of an exponential family remembers of them.

use posterior_math::check::{self, ParamError};

use super::{Expectation, ExponentialFamily, Summary, Sums};

/// Rounding that the weight of popped points may have, relative to the weight that is there.
const WEIGHT_TOLERANCE: f64 = 1e-9;

/// Σ wᵢ T(xᵢ), Σ wᵢ and Σ wᵢ ln h(xᵢ) of points xᵢ with weights wᵢ.
///
/// Points come (`push`) and go (`pop`) one by one, and the statistics of two parts of the data merge. What is
/// no point of the sample space is refused, and the statistics stay as they were. Counts are exact up to 2⁵³;
/// where the statistic is not a whole number, popping what was pushed leaves a rounding error, but popping
/// everything leaves nothing.
///
/// ```
/// use posterior_dist::{Categorical, Stats};
///
/// let mut stats: Stats<Categorical> = Stats::new(3);
/// for k in [0, 2, 2] {
///     stats.push(&k)?;
/// }
/// stats.pop(&0)?;
/// assert_eq!(stats.sum(), [0.0, 0.0, 2.0]);
/// assert!(stats.push(&3).is_err());
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Stats<F: ExponentialFamily> {
    fixed: F::Fixed,
    summary: F::Summary,
    ln_base: f64,
}

impl<F: ExponentialFamily> Stats<F> {
    /// The statistics of no data.
    pub fn new(fixed: F::Fixed) -> Self {
        let summary = F::Summary::empty(&fixed);
        Self { fixed, summary, ln_base: 0.0 }
    }

    /// The statistics of these points.
    ///
    /// # Errors
    /// With its index, if a point is none of the sample space.
    pub fn of<'a>(fixed: F::Fixed, points: impl IntoIterator<Item = &'a F::Point>) -> Result<Self, ParamError>
    where
        F::Point: 'a,
    {
        let mut stats = Self::new(fixed);
        for (index, x) in points.into_iter().enumerate() {
            stats.push(x).map_err(|error| error.at(index))?;
        }
        Ok(stats)
    }

    /// What was counted elsewhere: a summary, and Σ wᵢ ln h(xᵢ). Nothing is checked: for implementations of
    /// [`ExponentialFamily`].
    pub const fn from_summary(fixed: F::Fixed, summary: F::Summary, ln_base: f64) -> Self {
        Self { fixed, summary, ln_base }
    }

    /// Adds a point.
    ///
    /// # Errors
    /// If `x` is no point of the sample space.
    pub fn push(&mut self, x: &F::Point) -> Result<(), ParamError> {
        self.push_weighted(x, 1.0)
    }

    /// Adds a point that counts `weight` times; the responsibilities of a mixture are such weights.
    ///
    /// # Errors
    /// If `x` is no point of the sample space, or the weight is negative, infinite or NaN.
    pub fn push_weighted(&mut self, x: &F::Point, weight: f64) -> Result<(), ParamError> {
        check::non_negative("Stats", "weight", weight)?;
        F::check_point(&self.fixed, x)?;
        if weight != 0.0 {
            self.summary.add(&self.fixed, x, weight);
            self.ln_base += weight * F::ln_base(&self.fixed, x);
        }
        Ok(())
    }

    /// Takes a point out that was pushed before.
    ///
    /// # Errors
    /// If `x` is no point of the sample space, or fewer points are there.
    pub fn pop(&mut self, x: &F::Point) -> Result<(), ParamError> {
        self.pop_weighted(x, 1.0)
    }

    /// Takes a point out that was pushed with this weight.
    ///
    /// # Errors
    /// If `x` is no point of the sample space, or the weight is negative, NaN or more than there is.
    pub fn pop_weighted(&mut self, x: &F::Point, weight: f64) -> Result<(), ParamError> {
        check::non_negative("Stats", "weight", weight)?;
        F::check_point(&self.fixed, x)?;
        let (there, left) = (self.weight(), self.weight() - weight);
        let enough = left >= -WEIGHT_TOLERANCE * there;
        check::require(enough, "Stats", "weight", weight, "at most the weight of what was pushed")?;
        if left <= WEIGHT_TOLERANCE * there && weight > 0.0 {
            *self = Self::new(self.fixed.clone());
        } else if weight > 0.0 {
            self.summary.add(&self.fixed, x, -weight);
            self.ln_base -= weight * F::ln_base(&self.fixed, x);
        }
        Ok(())
    }

    /// Adds the data behind `other`.
    ///
    /// # Errors
    /// If the two hold different things fixed, for example two numbers of categories.
    pub fn merge(&mut self, other: &Self) -> Result<(), ParamError> {
        let length = F::statistic_len(&other.fixed) as f64;
        let same = self.fixed == other.fixed;
        check::require(
            same,
            "Stats",
            "length of the statistic",
            length,
            "of a family with the same fixed values",
        )?;
        self.summary.merge(&other.summary);
        self.ln_base += other.ln_base;
        Ok(())
    }

    /// Multiplies the weights of all points by `factor`: what a part of the data says of all of them, or what
    /// is left of old data that are to be forgotten bit by bit.
    ///
    /// # Errors
    /// If the factor is negative, infinite or NaN.
    pub fn scale(&mut self, factor: f64) -> Result<(), ParamError> {
        check::non_negative("Stats", "factor", factor)?;
        if factor == 0.0 {
            *self = Self::new(self.fixed.clone());
        } else {
            self.summary.scale(factor);
            self.ln_base *= factor;
        }
        Ok(())
    }

    /// What the family holds fixed.
    pub const fn fixed(&self) -> &F::Fixed {
        &self.fixed
    }

    /// The data as the family remembers them.
    pub const fn summary(&self) -> &F::Summary {
        &self.summary
    }

    /// Σ wᵢ, the number of points if none is weighted.
    pub fn weight(&self) -> f64 {
        self.summary.weight()
    }

    /// Σ wᵢ T(xᵢ).
    pub fn total(&self) -> Vec<f64> {
        self.summary.total(&self.fixed)
    }

    /// Σ wᵢ ln h(xᵢ).
    pub const fn ln_base(&self) -> f64 {
        self.ln_base
    }

    /// The mean statistic, from which [`ExponentialFamily::from_expectation`] makes the distribution of
    /// maximum likelihood; `None` without data.
    pub fn mean(&self) -> Option<Expectation<F>> {
        let weight = self.weight();
        let mean = || self.total().iter().map(|total| total / weight).collect();
        (weight > 0.0).then(|| Expectation::of(self.fixed.clone(), mean()))
    }
}

impl<F: ExponentialFamily<Summary = Sums>> Stats<F> {
    /// The statistics with these totals: Σ wᵢ T(xᵢ), Σ wᵢ and Σ wᵢ ln h(xᵢ), counted elsewhere.
    ///
    /// # Errors
    /// If the number of sums is not that of the statistic, the weight is negative or infinite, or one of them
    /// is NaN.
    pub fn from_totals(
        fixed: F::Fixed,
        sum: Vec<f64>,
        weight: f64,
        ln_base: f64,
    ) -> Result<Self, ParamError> {
        check::non_negative("Stats", "weight", weight)?;
        check::require(!ln_base.is_nan(), "Stats", "ln_base", ln_base, "a number")?;
        let length = sum.len();
        let expected = F::statistic_len(&fixed);
        check::require(length == expected, "Stats", "length", length as f64, "the length of the statistic")?;
        check::each(&sum, |total| check::require(!total.is_nan(), "Stats", "sum", total, "a number"))?;
        Ok(Self::from_summary(fixed, Sums { sum, weight }, ln_base))
    }

    /// Σ wᵢ T(xᵢ).
    pub fn sum(&self) -> &[f64] {
        &self.summary.sum
    }
}
