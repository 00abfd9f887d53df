//! Exponential families, and the two systems of coordinates that they have.
//!
//! p(x | w) = h(x) exp(⟨w, T(x)⟩ - ln Z(w)), with the statistic T, the base measure h, natural parameters w
//! and the log partition function ln Z. Its gradient is the expectation E T(X): the second system of
//! coordinates, in which fitting by maximum likelihood is taking the mean. The two are different types,
//! because every bug that mixes them up compiles otherwise.

mod stats;
mod summary;

use std::fmt::Debug;

use posterior_math::check::{self, ParamError};
#[cfg(feature = "linalg")]
use posterior_math::linalg::DMatrix;

use crate::density::Density;
pub use stats::Stats;
pub use summary::{Summary, Sums};

/// A family of distributions p(x | w) = h(x) exp(⟨w, T(x)⟩ - ln Z(w)).
///
/// The functions without `self` speak of the family and not of one distribution in it. What the family holds
/// fixed (the number of trials of a binomial, the dimension of a vector) is a value of its own.
///
/// # For a family of your own
/// ```
/// use posterior_dist::{Density, Expectation, ExponentialFamily, Natural, Stats, Sums};
/// use posterior_math::{ParamError, check};
///
/// /// p(x) = a x^(a - 1) on (0, 1]: the statistic is ln x, its natural parameter a - 1.
/// #[derive(Debug, Clone, PartialEq)]
/// struct Power {
///     a: f64,
/// }
///
/// impl Density for Power {
///     type Point = f64;
///
///     fn ln_pdf(&self, &x: &f64) -> f64 {
///         if x.is_nan() || (x > 0.0 && x <= 1.0) { self.a.ln() + (self.a - 1.0) * x.ln() } else { f64::NEG_INFINITY }
///     }
/// }
///
/// impl ExponentialFamily for Power {
///     type Fixed = ();
///     type Summary = Sums;
///
///     fn fixed(&self) {}
///
///     fn statistic_len((): &()) -> usize {
///         1
///     }
///
///     fn check_point((): &(), &x: &f64) -> Result<(), ParamError> {
///         check::require(x > 0.0 && x <= 1.0, "Power", "point", x, "in (0, 1]")?;
///         Ok(())
///     }
///
///     fn add_statistic((): &(), &x: &f64, weight: f64, sum: &mut [f64]) {
///         sum[0] += weight * x.ln();
///     }
///
///     fn ln_partition(natural: &Natural<Self>) -> f64 {
///         -(natural.as_slice()[0] + 1.0).ln()
///     }
///
///     fn natural(&self) -> Natural<Self> {
///         Natural::new((), vec![self.a - 1.0]).expect("one number")
///     }
///
///     fn from_natural(natural: &Natural<Self>) -> Result<Self, ParamError> {
///         Ok(Self { a: check::positive("Power", "a", natural.as_slice()[0] + 1.0)? })
///     }
///
///     fn expectation(&self) -> Expectation<Self> {
///         Expectation::new((), vec![-1.0 / self.a]).expect("one number")
///     }
///
///     fn from_expectation(expectation: &Expectation<Self>) -> Result<Self, ParamError> {
///         Ok(Self { a: check::positive("Power", "a", -1.0 / expectation.as_slice()[0])? })
///     }
/// }
///
/// // Statistics and maximum likelihood come with it.
/// let data = Stats::<Power>::of((), &[0.5, 0.25])?;
/// assert!((Power::maximum_likelihood(&data)?.a - 2.0 / 8_f64.ln()).abs() < 1e-15);
/// # Ok::<(), ParamError>(())
/// ```
///
/// # Distributions
/// Checked by `posterior_testkit::consistency`: `ln_pdf(x)` = `ln_base` + ⟨natural, statistic⟩ -
/// `ln_partition`; the round trips through both systems of coordinates; `expectation` is the gradient of
/// `ln_partition`.
pub trait ExponentialFamily: Density + Clone + Debug + PartialEq {
    /// What the family holds fixed: `()`, a number of trials, a dimension, …
    type Fixed: Clone + Debug + PartialEq;

    /// What [`Stats`](crate::Stats) keep of the data: [`Sums`](crate::Sums), unless digits would be lost in
    /// them.
    type Summary: Summary<Self>;

    /// What this distribution's family holds fixed.
    fn fixed(&self) -> Self::Fixed;

    /// The length of T(x), of the natural parameters and of the expectation.
    fn statistic_len(fixed: &Self::Fixed) -> usize;

    /// Whether `x` is a point of the sample space, on which every distribution of the family has a density.
    ///
    /// # Errors
    /// If it is not: a negative duration, a category beyond the last, a vector of another length, NaN.
    fn check_point(fixed: &Self::Fixed, x: &Self::Point) -> Result<(), ParamError>;

    /// Adds `weight` · T(x) to `sum`, which has the length of the statistic. The point has been checked.
    fn add_statistic(fixed: &Self::Fixed, x: &Self::Point, weight: f64, sum: &mut [f64]);

    /// ln h(x) of a point that has been checked; 0 of a family without a base measure of its own.
    fn ln_base(_fixed: &Self::Fixed, _x: &Self::Point) -> f64 {
        0.0
    }

    /// ln Z(w): convex; +∞ or NaN outside the domain of w.
    fn ln_partition(natural: &Natural<Self>) -> f64;

    /// The natural parameters of this distribution.
    fn natural(&self) -> Natural<Self>;

    /// The distribution with these natural parameters.
    ///
    /// # Errors
    /// If they lie outside the domain.
    fn from_natural(natural: &Natural<Self>) -> Result<Self, ParamError>;

    /// E T(X) under this distribution: the gradient of ln Z at its natural parameters.
    fn expectation(&self) -> Expectation<Self>;

    /// The distribution with this expectation: the maximum of the likelihood of data whose mean statistic it
    /// is.
    ///
    /// # Errors
    /// If no distribution of the family has it.
    fn from_expectation(expectation: &Expectation<Self>) -> Result<Self, ParamError>;

    /// The distribution of maximum likelihood.
    ///
    /// # Errors
    /// If there are no data, or no distribution of the family has their mean statistic.
    fn maximum_likelihood(stats: &Stats<Self>) -> Result<Self, ParamError> {
        let Some(mean) = stats.mean() else {
            return Err(ParamError::new(
                "Stats",
                "weight",
                stats.weight(),
                "positive, to fit a distribution",
            ));
        };
        Self::from_expectation(&mean)
    }
}

/// A family whose Fisher information is known.
#[cfg(feature = "linalg")]
pub trait FisherInformation: ExponentialFamily {
    /// The covariance of T(X), which is the Hessian of ln Z: the Fisher information in natural parameters.
    fn fisher_information(&self) -> DMatrix<f64>;
}

/// A symmetric matrix of two rows by its diagonal and its other entry.
#[cfg(feature = "linalg")]
pub(crate) fn two_by_two([first, second]: [f64; 2], off: f64) -> DMatrix<f64> {
    DMatrix::from_row_slice(2, 2, &[first, off, off, second])
}

/// The natural parameters w of a family `F`.
#[derive(Debug, Clone, PartialEq)]
pub struct Natural<F: ExponentialFamily> {
    fixed: F::Fixed,
    coordinates: Vec<f64>,
}

/// The expectation E T(X) of a family `F`.
#[derive(Debug, Clone, PartialEq)]
pub struct Expectation<F: ExponentialFamily> {
    fixed: F::Fixed,
    coordinates: Vec<f64>,
}

impl<F: ExponentialFamily> Natural<F> {
    /// Natural parameters from their coordinates, of which nothing but the number is checked here: whether
    /// they lie in the domain is for [`ExponentialFamily::from_natural`] to say.
    ///
    /// # Errors
    /// If the number of coordinates is not that of the family, or one of them is NaN.
    pub fn new(fixed: F::Fixed, coordinates: Vec<f64>) -> Result<Self, ParamError> {
        check_coordinates::<F>("Natural", &fixed, &coordinates)?;
        Ok(Self { fixed, coordinates })
    }

    /// Coordinates that the family itself computed, of which nothing is checked: for implementations of
    /// [`ExponentialFamily`].
    pub const fn of(fixed: F::Fixed, coordinates: Vec<f64>) -> Self {
        Self { fixed, coordinates }
    }

    /// The same coordinates in a family that has the same.
    pub(crate) fn of_another<G: ExponentialFamily<Fixed = F::Fixed>>(&self) -> Natural<G> {
        Natural { fixed: self.fixed.clone(), coordinates: self.coordinates.clone() }
    }

    /// What the family holds fixed.
    pub fn fixed(&self) -> &F::Fixed {
        &self.fixed
    }

    /// The coordinates.
    pub fn as_slice(&self) -> &[f64] {
        &self.coordinates
    }

    /// ⟨w, T⟩ with a statistic or an expectation of the same length. A coordinate at which either side is
    /// zero adds nothing, infinite as the other may be: 0 ln 0 = 0.
    pub fn inner(&self, statistic: &[f64]) -> f64 {
        let product = |(&w, &t): (&f64, &f64)| if w == 0.0 || t == 0.0 { 0.0 } else { w * t };
        self.coordinates.iter().zip(statistic).map(product).sum()
    }
}

/// Products and powers of densities: natural parameters add. They are those of p(x) q(x) / h(x), and may lie
/// outside the domain, which [`ExponentialFamily::from_natural`] tells.
impl<F: ExponentialFamily> Natural<F> {
    /// w + factor · v: the natural parameters of p qᶠ. A factor of 1 multiplies the densities, of -1 divides
    /// them.
    ///
    /// # Errors
    /// If the two families hold different things fixed, or a coordinate becomes NaN.
    pub fn plus(&self, factor: f64, other: &Self) -> Result<Self, ParamError> {
        let length = other.coordinates.len() as f64;
        check::require(self.fixed == other.fixed, "Natural", "length", length, "of the same family")?;
        let sum = self.coordinates.iter().zip(&other.coordinates).map(|(w, v)| w + factor * v).collect();
        Self::new(self.fixed.clone(), sum)
    }
}

impl<F: ExponentialFamily> Expectation<F> {
    /// An expectation from its coordinates, of which nothing but the number is checked here: whether a
    /// distribution has it is for [`ExponentialFamily::from_expectation`] to say.
    ///
    /// # Errors
    /// If the number of coordinates is not that of the family, or one of them is NaN.
    pub fn new(fixed: F::Fixed, coordinates: Vec<f64>) -> Result<Self, ParamError> {
        check_coordinates::<F>("Expectation", &fixed, &coordinates)?;
        Ok(Self { fixed, coordinates })
    }

    /// Coordinates that the family itself computed, of which nothing is checked: for implementations of
    /// [`ExponentialFamily`].
    pub const fn of(fixed: F::Fixed, coordinates: Vec<f64>) -> Self {
        Self { fixed, coordinates }
    }

    /// The same coordinates in a family that has the same.
    pub(crate) fn of_another<G: ExponentialFamily<Fixed = F::Fixed>>(&self) -> Expectation<G> {
        Expectation { fixed: self.fixed.clone(), coordinates: self.coordinates.clone() }
    }

    /// What the family holds fixed.
    pub fn fixed(&self) -> &F::Fixed {
        &self.fixed
    }

    /// The coordinates.
    pub fn as_slice(&self) -> &[f64] {
        &self.coordinates
    }
}

fn check_coordinates<F: ExponentialFamily>(
    type_name: &'static str,
    fixed: &F::Fixed,
    coordinates: &[f64],
) -> Result<(), ParamError> {
    let length = coordinates.len();
    let expected = F::statistic_len(fixed);
    check::require(length == expected, type_name, "length", length as f64, "the length of the statistic")?;
    match coordinates.iter().find(|coordinate| coordinate.is_nan()) {
        Some(&nan) => Err(ParamError::new(type_name, "coordinate", nan, "a number")),
        None => Ok(()),
    }
}
