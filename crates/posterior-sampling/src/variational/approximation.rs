//! A Gaussian that stands for a target.

use posterior_dist::target::{EvalError, GradTarget, Target};
use posterior_gaussian::Gaussian;
use posterior_math::check;
use posterior_math::linalg::{Cholesky, DMatrix};
use rand::Rng;
use rand_distr::{Distribution, StandardNormal};

use super::ApproximationAssessment;
use super::scale::Scale;
use crate::importance::{NormalizedTarget, importance_sampling};
use crate::{Draws, Error};

/// The Gaussian N(μ, S Sᵀ), with a diagonal S or a full one. As a target it is normalised, and can be a
/// [`NormalizedTarget`].
#[derive(Debug, Clone, PartialEq)]
pub struct GaussianApproximation {
    pub(super) mean: Vec<f64>,
    pub(super) scale: Scale,
}

impl GaussianApproximation {
    /// That of this mean and covariance.
    ///
    /// # Errors
    /// If the sizes do not agree, a number is not finite, or the covariance is not positive definite.
    pub fn of_moments(mean: &[f64], covariance: &DMatrix<f64>) -> Result<Self, Error> {
        check::dimension("rows of the covariance", mean.len(), covariance.nrows())?;
        for (i, &entry) in mean.iter().enumerate() {
            check::finite("GaussianApproximation", "mean", entry).map_err(|error| error.at(i))?;
        }
        let factor = Cholesky::new(covariance);
        let factor = factor.map_err(|error| error.of_parameter("GaussianApproximation", "covariance"))?;
        Ok(Self { mean: mean.to_vec(), scale: Scale::Triangular(factor.factor().clone()) })
    }

    /// The mean μ.
    pub fn mean(&self) -> &[f64] {
        &self.mean
    }

    /// The standard deviations of the coordinates.
    pub fn sds(&self) -> Vec<f64> {
        match &self.scale {
            Scale::Diagonal(sds) => sds.clone(),
            Scale::Triangular(lower) => lower.row_iter().map(|row| row.norm()).collect(),
        }
    }

    /// S Sᵀ.
    pub fn covariance(&self) -> DMatrix<f64> {
        let root = self.scale.matrix();
        &root * root.transpose()
    }

    /// As a distribution with conditionals, marginals and the like.
    ///
    /// # Errors
    /// If the covariance overflows.
    pub fn distribution(&self) -> Result<Gaussian, Error> {
        let factor = Cholesky::from_factor(self.scale.matrix());
        let factor = factor.map_err(|error| error.of_parameter("GaussianApproximation", "scale"))?;
        Ok(Gaussian::from_cholesky(&self.mean, factor)?)
    }

    /// H(q) = n (1 + ln 2π) / 2 + ln |S|.
    pub fn entropy(&self) -> f64 {
        0.5 * self.mean.len() as f64 * (1.0 + std::f64::consts::TAU.ln()) + self.scale.ln_determinant()
    }

    /// Independent draws, as one chain.
    ///
    /// # Errors
    /// None: the names are distinct.
    pub fn draws<R: Rng + ?Sized>(&self, count: usize, rng: &mut R) -> Result<Draws, Error> {
        let dim = self.mean.len();
        let mut rows = vec![0.0; dim * count];
        for row in rows.chunks_exact_mut(dim.max(1)) {
            self.draw(rng, row);
        }
        Draws::new((0..dim).map(|i| format!("x[{i}]")).collect(), vec![rows])
    }

    /// How good it is as an approximation of a target, by so many draws: the bound with its error, k̂ of the
    /// weights p / q, and what the weights make of it.
    ///
    /// # Errors
    /// As [`importance_sampling`]; fewer than two draws.
    pub fn assess<T: Target + ?Sized, R: Rng + ?Sized>(
        &self,
        target: &T,
        draws: usize,
        rng: &mut R,
    ) -> Result<ApproximationAssessment, Error> {
        ApproximationAssessment::new(importance_sampling(target, self, draws, rng)?)
    }

    /// The root of the mean square change to another one, in units of its standard deviations: of the means,
    /// and of the scales in ratio.
    pub(super) fn distance(&self, other: &Self) -> f64 {
        let n = self.mean.len();
        let difference = DMatrix::from_fn(n, 1, |i, _| self.mean[i] - other.mean[i]);
        let of_means = other.scale.solve(difference).norm_squared();
        let of_scales = match (&self.scale, &other.scale) {
            (Scale::Diagonal(own), Scale::Diagonal(others)) => {
                own.iter().zip(others).map(|(a, b)| (a / b - 1.0).powi(2)).sum()
            }
            _ => (other.scale.solve(self.scale.matrix()) - DMatrix::identity(n, n)).norm_squared(),
        };
        ((of_means + of_scales) / n as f64).sqrt()
    }

    /// S⁻¹ (x - μ).
    fn whitened(&self, x: &[f64]) -> DMatrix<f64> {
        self.scale.solve(DMatrix::from_fn(self.mean.len(), 1, |i, _| x[i] - self.mean[i]))
    }

    fn ln_pdf(&self, white: &DMatrix<f64>) -> f64 {
        0.5 * (self.mean.len() as f64 - white.norm_squared()) - self.entropy()
    }
}

impl Target for GaussianApproximation {
    fn dim(&self) -> usize {
        self.mean.len()
    }

    fn ln_density(&self, x: &[f64]) -> Result<f64, EvalError> {
        Ok(self.ln_pdf(&self.whitened(x)))
    }
}

impl GradTarget for GaussianApproximation {
    fn ln_density_grad(&self, x: &[f64], gradient: &mut [f64]) -> Result<f64, EvalError> {
        let white = self.whitened(x);
        let ln_density = self.ln_pdf(&white);
        for (slope, solved) in gradient.iter_mut().zip(self.scale.transpose_solve(white).iter()) {
            *slope = -solved;
        }
        Ok(ln_density)
    }
}

impl NormalizedTarget for GaussianApproximation {
    fn draw<R: Rng + ?Sized>(&self, rng: &mut R, x: &mut [f64]) {
        let white: Vec<f64> = (0..x.len()).map(|_| StandardNormal.sample(rng)).collect();
        self.scale.times(&white, x);
        for (x, mean) in x.iter_mut().zip(&self.mean) {
            *x += mean;
        }
    }
}
