//! Sufficient statistics of data: all that a member of an exponential family remembers of them.

use posterior_math::check::{self, ParamError};

use crate::exponential_family::{Expectation, ExponentialFamily};

/// Σ wᵢ T(xᵢ), Σ wᵢ and Σ wᵢ ln h(xᵢ) of points xᵢ with weights wᵢ.
///
/// Points come (`push`) and go (`pop`) one by one, and the statistics of two parts of the data merge. Counts are exact up
/// to 2⁵³; where the statistic is not a whole number, popping what was pushed leaves a rounding error.
///
/// ```
/// use posterior_dist::{Categorical, Stats};
///
/// let mut stats: Stats<Categorical> = Stats::new(3);
/// for k in [0, 2, 2] {
///     stats.push(&k);
/// }
/// stats.pop(&0);
/// assert_eq!(stats.sum(), [0.0, 0.0, 2.0]);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Stats<F: ExponentialFamily> {
    fixed: F::Fixed,
    sum: Vec<f64>,
    weight: f64,
    ln_base: f64,
}

impl<F: ExponentialFamily> Stats<F> {
    /// The statistics of no data.
    pub fn new(fixed: F::Fixed) -> Self {
        let sum = vec![0.0; F::statistic_len(&fixed)];
        Self { fixed, sum, weight: 0.0, ln_base: 0.0 }
    }

    /// The statistics of these points.
    ///
    /// # Panics
    /// If a point is none of the sample space.
    #[track_caller]
    pub fn of<'a>(fixed: F::Fixed, points: impl IntoIterator<Item = &'a F::Point>) -> Self
    where
        F::Point: 'a,
    {
        let mut stats = Self::new(fixed);
        for x in points {
            stats.push(x);
        }
        stats
    }

    /// The statistics with these totals: Σ wᵢ T(xᵢ), Σ wᵢ and Σ wᵢ ln h(xᵢ), counted elsewhere.
    ///
    /// # Errors
    /// If the number of sums is not that of the statistic, the weight is negative or infinite, or one of them is NaN.
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
        for &total in &sum {
            check::require(!total.is_nan(), "Stats", "sum", total, "a number")?;
        }
        Ok(Self { fixed, sum, weight, ln_base })
    }

    /// The totals of a family whose base measure is 1.
    pub(crate) const fn from_parts(fixed: F::Fixed, sum: Vec<f64>, weight: f64) -> Self {
        Self { fixed, sum, weight, ln_base: 0.0 }
    }

    /// Adds a point.
    ///
    /// # Panics
    /// If `x` is no point of the sample space.
    #[track_caller]
    pub fn push(&mut self, x: &F::Point) {
        self.push_weighted(x, 1.0);
    }

    /// Adds a point that counts `weight` times; the responsibilities of a mixture are such weights.
    ///
    /// # Panics
    /// If `x` is no point of the sample space.
    #[track_caller]
    pub fn push_weighted(&mut self, x: &F::Point, weight: f64) {
        F::add_statistic(&self.fixed, x, weight, &mut self.sum);
        self.weight += weight;
        if weight != 0.0 {
            self.ln_base += weight * F::ln_base(&self.fixed, x);
        }
    }

    /// Takes a point out that was pushed before.
    ///
    /// # Panics
    /// If `x` is no point of the sample space.
    #[track_caller]
    pub fn pop(&mut self, x: &F::Point) {
        self.push_weighted(x, -1.0);
    }

    /// Adds the data behind `other`.
    ///
    /// # Panics
    /// If the two hold different things fixed, for example two numbers of categories.
    #[track_caller]
    pub fn merge(&mut self, other: &Self) {
        assert!(self.fixed == other.fixed, "merging {:?} into {:?}", other.fixed, self.fixed);
        for (total, &more) in self.sum.iter_mut().zip(&other.sum) {
            *total += more;
        }
        self.weight += other.weight;
        self.ln_base += other.ln_base;
    }

    /// What the family holds fixed.
    pub fn fixed(&self) -> &F::Fixed {
        &self.fixed
    }

    /// Σ wᵢ T(xᵢ).
    pub fn sum(&self) -> &[f64] {
        &self.sum
    }

    /// Σ wᵢ, the number of points if none is weighted.
    pub fn weight(&self) -> f64 {
        self.weight
    }

    /// Σ wᵢ ln h(xᵢ).
    pub fn ln_base(&self) -> f64 {
        self.ln_base
    }

    /// The mean statistic, from which [`ExponentialFamily::from_expectation`] makes the law of maximum likelihood;
    /// `None` without data.
    pub fn mean(&self) -> Option<Expectation<F>> {
        if !(self.weight > 0.0) {
            return None;
        }
        let coordinates = self.sum.iter().map(|total| total / self.weight).collect();
        Expectation::new(self.fixed.clone(), coordinates).ok()
    }
}
