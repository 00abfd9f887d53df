//! Independent distributions side by side: the joint distribution of a vector.

use crate::prelude::*;

/// The distribution of independent X₁, …, X_n, each with its own distribution.
///
/// # Density
/// p(x) = Π_i p_i(x_i)
///
/// # Parameters
/// | symbol | here | range |
/// |---|---|---|
/// | p_i | `distributions` | any number of distributions of one type |
///
/// # Moments
/// mean and mode by coordinate, covariance diagonal, entropy and divergence Σ of those of the coordinates
///
/// # Example
/// ```
/// use posterior_dist::{Density, Exponential, Moments, Product};
///
/// let waits = Product::new(vec![Exponential::new(1.0)?, Exponential::new(2.0)?]);
/// assert!((waits.ln_pdf(&[3.0, 0.5]) - (2_f64.ln() - 4.0)).abs() < 1e-15);
/// assert_eq!(waits.mean(), Some(vec![1.0, 0.5]));
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Product<D> {
    distributions: Vec<D>,
}

impl<D> Product<D> {
    /// These distributions, coordinate by coordinate.
    pub const fn new(distributions: Vec<D>) -> Self {
        Self { distributions }
    }

    /// The distributions.
    pub fn distributions(&self) -> &[D] {
        &self.distributions
    }
}

/// The distribution of independent X₁, …, X_n with one distribution: a sample.
///
/// # Density
/// p(x) = Π_i p(x_i), the likelihood of the sample
///
/// # Parameters
/// | symbol | here | range |
/// |---|---|---|
/// | p | `distribution` | any |
/// | n | `len` | any |
///
/// # Moments
/// as [`Product`] of n times the distribution
///
/// # Example
/// ```
/// use posterior_dist::{Bernoulli, Density, Iid};
///
/// // The probability of a sequence of tosses.
/// let tosses = Iid::new(Bernoulli::new(0.5)?, 3);
/// assert!((tosses.ln_pdf(&[true, true, false]) - 0.125_f64.ln()).abs() < 1e-15);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Iid<D> {
    distribution: D,
    len: usize,
}

impl<D> Iid<D> {
    /// `len` times `distribution`.
    pub const fn new(distribution: D, len: usize) -> Self {
        Self { distribution, len }
    }

    /// The distribution of each coordinate.
    pub const fn distribution(&self) -> &D {
        &self.distribution
    }

    /// The distributions of the coordinates.
    fn distributions(&self) -> impl Iterator<Item = &D> {
        std::iter::repeat_n(&self.distribution, self.len)
    }
}

/// Σ ln p_i(x_i); -∞ for a vector of another length, NaN if one of them is.
fn ln_pdf<'a, D>(distributions: impl Iterator<Item = &'a D>, len: usize, x: &[D::Point]) -> f64
where
    D: Density + 'a,
    D::Point: Sized,
{
    if x.len() != len {
        return f64::NEG_INFINITY;
    }
    let (mut sum, mut impossible) = (0.0, false);
    for (distribution, x) in distributions.zip(x) {
        let term = distribution.ln_pdf(x);
        // A pole in one coordinate does not make up for an impossible other one.
        if term == f64::NEG_INFINITY {
            impossible = true;
        } else {
            sum += term;
        }
    }
    if impossible && !sum.is_nan() { f64::NEG_INFINITY } else { sum }
}

#[cfg(feature = "linalg")]
fn diagonal(variances: &[f64]) -> DMatrix<f64> {
    DMatrix::from_fn(variances.len(), variances.len(), |i, j| if i == j { variances[i] } else { 0.0 })
}

impl<D: Density> Density for Product<D>
where
    D::Point: Sized,
{
    type Point = [D::Point];

    fn ln_pdf(&self, x: &[D::Point]) -> f64 {
        ln_pdf(self.distributions.iter(), self.distributions.len(), x)
    }
}

impl<D: Density> Density for Iid<D>
where
    D::Point: Sized,
{
    type Point = [D::Point];

    fn ln_pdf(&self, x: &[D::Point]) -> f64 {
        ln_pdf(self.distributions(), self.len, x)
    }
}

impl<D: PointGradient<Point = f64>> PointGradient for Product<D> {
    fn point_gradient(&self, x: &[f64]) -> Vec<f64> {
        if self.ln_pdf(x) == f64::NEG_INFINITY {
            return vec![f64::NAN; x.len()];
        }
        self.distributions.iter().zip(x).map(|(distribution, x)| distribution.point_gradient(x)).collect()
    }
}

impl<D: PointGradient<Point = f64>> PointGradient for Iid<D> {
    fn point_gradient(&self, x: &[f64]) -> Vec<f64> {
        if self.ln_pdf(x) == f64::NEG_INFINITY {
            return vec![f64::NAN; x.len()];
        }
        x.iter().map(|x| self.distribution.point_gradient(x)).collect()
    }
}

#[cfg(feature = "linalg")]
impl<D: Moments> Moments<Vec<f64>, DMatrix<f64>> for Product<D> {
    fn mean(&self) -> Option<Vec<f64>> {
        self.distributions.iter().map(Moments::mean).collect()
    }

    fn variance(&self) -> Option<DMatrix<f64>> {
        let variances: Option<Vec<f64>> = self.distributions.iter().map(Moments::variance).collect();
        variances.map(|variances| diagonal(&variances))
    }
}

#[cfg(feature = "linalg")]
impl<D: Moments> Moments<Vec<f64>, DMatrix<f64>> for Iid<D> {
    fn mean(&self) -> Option<Vec<f64>> {
        self.distribution.mean().map(|mean| vec![mean; self.len])
    }

    fn variance(&self) -> Option<DMatrix<f64>> {
        self.distribution.variance().map(|variance| diagonal(&vec![variance; self.len]))
    }
}

impl<D: Entropy> Entropy for Product<D> {
    fn entropy(&self) -> f64 {
        self.distributions.iter().map(Entropy::entropy).sum()
    }
}

impl<D: Entropy> Entropy for Iid<D> {
    fn entropy(&self) -> f64 {
        if self.len == 0 { 0.0 } else { self.distribution.entropy() * self.len as f64 }
    }
}

impl<D: Mode> Mode for Product<D>
where
    D::Point: Clone,
{
    fn mode(&self) -> Option<Vec<D::Point>> {
        self.distributions.iter().map(Mode::mode).collect()
    }
}

impl<D: Mode> Mode for Iid<D>
where
    D::Point: Clone,
{
    fn mode(&self) -> Option<Vec<D::Point>> {
        if self.len == 0 {
            Some(Vec::new())
        } else {
            self.distribution.mode().map(|mode| vec![mode; self.len])
        }
    }
}

impl<D: KlDivergence> KlDivergence for Product<D> {
    fn kl_divergence(&self, other: &Self) -> f64 {
        if self.distributions.len() != other.distributions.len() {
            return f64::INFINITY;
        }
        self.distributions.iter().zip(&other.distributions).map(|(p, q)| p.kl_divergence(q)).sum()
    }
}

impl<D: KlDivergence> KlDivergence for Iid<D> {
    fn kl_divergence(&self, other: &Self) -> f64 {
        if self.len != other.len {
            return f64::INFINITY;
        }
        if self.len == 0 {
            0.0
        } else {
            self.distribution.kl_divergence(&other.distribution) * self.len as f64
        }
    }
}

impl<T, D: Distribution<T>> Distribution<Vec<T>> for Product<D> {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> Vec<T> {
        self.distributions.iter().map(|distribution| distribution.sample(rng)).collect()
    }
}

impl<T, D: Distribution<T>> Distribution<Vec<T>> for Iid<D> {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> Vec<T> {
        (0..self.len).map(|_| self.distribution.sample(rng)).collect()
    }
}
