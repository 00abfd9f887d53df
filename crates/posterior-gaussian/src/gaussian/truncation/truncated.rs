//! A Gaussian given that it lies in a box.

use posterior_dist::{Density, Univariate};
use posterior_math::check::ParamError;
use posterior_math::linalg::{DMatrix, DVector};
use posterior_math::streaming::MeanVariance;
use rand::Rng;
use rand::distr::Distribution;

use super::lattice::{coordinate, generators, shift};
use super::ordering::OrderedBox;
use super::probability::{BoxOptions, BoxProbability, probability};
use super::tilting::Tilted;
use crate::gaussian::Gaussian;

/// The distribution of a Gaussian vector given low ≤ X ≤ high in all coordinates.
///
/// # Density
/// p(x) = N(x; μ, Σ) / P(low ≤ X ≤ high) in the box
///
/// # Parameters
/// | symbol | here | range |
/// |---|---|---|
/// | μ, Σ | a [`Gaussian`] | |
/// | low, high | the same | low < high in each coordinate, infinite ends allowed |
///
/// # Moments
/// not in closed form: [`TruncatedGaussian::moments`] says what it does
///
/// # Numerics
/// Draws are exact and independent, by rejection from truncated normal variables with the means of Botev's
/// minimax tilting: of boxes far in the tails nearly all are accepted, of many correlated coordinates
/// ([`acceptance`](Self::acceptance)) few.
///
/// # Example
/// ```
/// use posterior_dist::stream::stream;
/// use posterior_gaussian::{BoxOptions, Gaussian, TruncatedGaussian};
/// use posterior_math::linalg::DMatrix;
/// use rand::distr::Distribution;
///
/// let gaussian = Gaussian::new(&[0.0, 0.0], &DMatrix::from_row_slice(2, 2, &[1.0, 0.9, 0.9, 1.0]))?;
/// // The second far below what the first would let expect.
/// let rare =
///     TruncatedGaussian::new(&gaussian, &[5.0, -1.0], &[f64::INFINITY, 0.0], &BoxOptions::default())?;
/// let x = rare.sample(&mut stream(1, &[]));
/// assert!(x[0] >= 5.0 && (-1.0..=0.0).contains(&x[1]));
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
///
/// # References
/// Z. I. Botev, Simulation and estimation via minimax tilting,
/// Journal of the Royal Statistical Society B 79 (2017).
#[derive(Debug, Clone, PartialEq)]
pub struct TruncatedGaussian {
    gaussian: Gaussian,
    low: Vec<f64>,
    high: Vec<f64>,
    tilted: Tilted,
    probability: BoxProbability,
}

/// Mean and covariance of a [`TruncatedGaussian`], by a lattice.
#[derive(Debug, Clone, PartialEq)]
pub struct TruncatedMoments {
    /// The mean.
    pub mean: DVector<f64>,
    /// The covariance matrix.
    pub covariance: DMatrix<f64>,
    /// The standard error of each coordinate of the mean.
    pub mean_error: DVector<f64>,
}

impl TruncatedGaussian {
    /// `gaussian` in the box from `low` to `high`, whose probability the options are for.
    ///
    /// # Errors
    /// Those of [`Gaussian::box_probability`]; no coordinates.
    pub fn new(
        gaussian: &Gaussian,
        low: &[f64],
        high: &[f64],
        options: &BoxOptions,
    ) -> Result<Self, ParamError> {
        options.check()?;
        posterior_math::check::at_least_one(
            "TruncatedGaussian",
            "number of coordinates",
            gaussian.dimension(),
        )?;
        let tilted = Tilted::new(OrderedBox::new(gaussian, low, high)?)?;
        let probability = probability(&tilted, options);
        Ok(Self { gaussian: gaussian.clone(), low: low.to_vec(), high: high.to_vec(), tilted, probability })
    }

    /// The Gaussian without a box.
    pub const fn gaussian(&self) -> &Gaussian {
        &self.gaussian
    }

    /// The lower ends of the box.
    pub fn low(&self) -> &[f64] {
        &self.low
    }

    /// The upper ends of the box.
    pub fn high(&self) -> &[f64] {
        &self.high
    }

    /// The probability of the box.
    pub const fn probability(&self) -> BoxProbability {
        self.probability
    }

    /// The proportion of proposals that become draws.
    pub fn acceptance(&self) -> f64 {
        (self.probability.ln_probability - self.tilted.ln_bound).exp().min(1.0)
    }

    /// Mean and covariance, as weighted means over a shifted lattice in the coordinates of the proposal.
    ///
    /// # Errors
    /// No points, or fewer than two copies.
    pub fn moments(&self, options: &BoxOptions) -> Result<TruncatedMoments, ParamError> {
        options.check()?;
        let n = self.low.len();
        let generators = generators(n);
        let (mut z, mut x) = (vec![0.0; n], DVector::zeros(n));
        let (mut total, mut sum, mut squares) = (0.0, DVector::zeros(n), DMatrix::zeros(n, n));
        let mut means = vec![MeanVariance::new(); n];
        for copy in 0..options.copies {
            let shift = shift(n, options.seed, copy as u64);
            let (mut own_total, mut own_sum) = (0.0, DVector::zeros(n));
            for index in 0..options.points {
                let ln_weight = self.tilted.propose(&mut z, |place, within| {
                    within.quantile(coordinate(generators[place], shift[place], index))
                });
                let weight = (ln_weight - self.tilted.ln_bound).exp();
                if weight > 0.0 {
                    self.tilted.of_noise(&z, x.as_mut_slice());
                    own_total += weight;
                    own_sum.axpy(weight, &x, 1.0);
                    squares.ger(weight, &x, &x, 1.0);
                }
            }
            means.iter_mut().zip(own_sum.iter()).for_each(|(mean, sum)| mean.push(sum / own_total));
            total += own_total;
            sum += own_sum;
        }
        let center = sum / total;
        let covariance = squares / total - &center * center.transpose();
        let error = |own: &MeanVariance| (own.sample_variance() / options.copies as f64).sqrt();
        Ok(TruncatedMoments {
            mean: self.gaussian.mean() + center,
            covariance,
            mean_error: DVector::from_iterator(n, means.iter().map(error)),
        })
    }
}

impl Density for TruncatedGaussian {
    type Point = [f64];

    /// As exact as the probability of the box.
    fn ln_pdf(&self, x: &[f64]) -> f64 {
        if x.iter().any(|x| x.is_nan()) {
            return f64::NAN;
        }
        let inside = x.len() == self.low.len()
            && x.iter().zip(&self.low).zip(&self.high).all(|((x, low), high)| low <= x && x <= high);
        if inside { self.gaussian.ln_pdf(x) - self.probability.ln_probability } else { f64::NEG_INFINITY }
    }
}

impl Distribution<Vec<f64>> for TruncatedGaussian {
    /// Proposals until one is accepted: 1 / [`acceptance`](TruncatedGaussian::acceptance) on the average.
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> Vec<f64> {
        let n = self.low.len();
        let mut z = vec![0.0; n];
        loop {
            let ln_weight = self.tilted.propose(&mut z, |_, within| within.sample(rng));
            let exponential: f64 = rand_distr::Exp1.sample(rng);
            if ln_weight - self.tilted.ln_bound >= -exponential {
                let mut x = vec![0.0; n];
                self.tilted.of_noise(&z, &mut x);
                for (index, x) in x.iter_mut().enumerate() {
                    // The box, but for the rounding of what the point was made of.
                    *x = (*x + self.gaussian.mean()[index]).clamp(self.low[index], self.high[index]);
                }
                return x;
            }
        }
    }
}
