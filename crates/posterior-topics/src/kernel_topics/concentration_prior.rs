//! The distribution of the logarithms of concentrations at all places, one Gaussian process a topic, and the
//! climb to its mode.

use posterior_math::iteration::Silent;
use posterior_math::linalg::{Cholesky, DMatrix};
use posterior_math::optimize::{LbfgsOptions, minimize};
use posterior_math::special::{digamma, ln_gamma};

use super::refused;
use super::scales::{Scales, TimeKernel};
use crate::Error;

/// `ln alpha_k ~ N(m_k, C_k)` over the places, topics independent.
#[derive(Debug, Clone)]
pub(super) struct ConcentrationPrior {
    means: Vec<f64>,
    factors: Vec<Cholesky>,
}

/// What documents say of the concentrations at their places.
#[derive(Debug, Clone)]
pub(super) struct Expected {
    /// Documents at each place.
    pub(super) documents: Vec<f64>,
    /// Places x topics: the sum of `E ln theta` over them.
    pub(super) ln_theta: DMatrix<f64>,
}

impl ConcentrationPrior {
    /// The kernels of the topics at these places, with their noise on the diagonal.
    ///
    /// Cost: a third of the cube of the number of places for each topic, and a matrix of its square.
    pub(super) fn new(
        places: &DMatrix<f64>,
        scales: &[Scales],
        kernel: TimeKernel,
        means: &[f64],
    ) -> Result<Self, Error> {
        let factor = |scales: &Scales| -> Result<Cholesky, Error> {
            let mut covariance = scales.kernel(kernel)?.gram(places);
            for i in 0..places.nrows() {
                covariance[(i, i)] += scales.noise_variance;
            }
            Cholesky::decompose(covariance).map_err(|error| refused(error.into()))
        };
        let factors = scales.iter().map(factor).collect::<Result<_, _>>()?;
        Ok(Self { means: means.to_vec(), factors })
    }

    /// ln p(ln alpha): rows are places.
    pub(super) fn ln_density(&self, ln_alpha: &DMatrix<f64>) -> f64 {
        let whitened = self.whitened(ln_alpha);
        -0.5 * whitened.norm_squared() - self.ln_normalizer(ln_alpha.nrows())
    }

    fn ln_normalizer(&self, places: usize) -> f64 {
        let determinants: f64 = self.factors.iter().map(Cholesky::ln_determinant).sum();
        0.5 * (determinants + (places * self.means.len()) as f64 * std::f64::consts::TAU.ln())
    }

    /// Independent standard coordinates of `ln alpha`.
    fn whitened(&self, ln_alpha: &DMatrix<f64>) -> DMatrix<f64> {
        let mut whitened = ln_alpha.clone();
        for ((mut column, factor), mean) in whitened.column_iter_mut().zip(&self.factors).zip(&self.means) {
            column.add_scalar_mut(-mean);
            factor.half_solve_slice_in_place(column.as_mut_slice());
        }
        whitened
    }

    /// `ln alpha` of the coordinates.
    fn coloured(&self, whitened: &[f64], places: usize) -> DMatrix<f64> {
        let mut ln_alpha = DMatrix::zeros(places, self.means.len());
        for (k, factor) in self.factors.iter().enumerate() {
            let column = &whitened[k * places..][..places];
            let factor = factor.factor();
            let mut target = ln_alpha.column_mut(k);
            target.fill(self.means[k]);
            for (j, &u) in column.iter().enumerate() {
                let below = factor.column(j);
                for (target, l) in target.as_mut_slice()[j..].iter_mut().zip(&below.as_slice()[j..]) {
                    *target += l * u;
                }
            }
        }
        ln_alpha
    }

    /// `ln alpha` higher up on the bound plus ln p(ln alpha): L-BFGS in the whitened coordinates, with the
    /// exact gradient, from where it is.
    pub(super) fn climb(&self, ln_alpha: &DMatrix<f64>, expected: &Expected) -> DMatrix<f64> {
        let places = ln_alpha.nrows();
        let options = LbfgsOptions { max_iterations: 30, value_tolerance: 1e-9, ..LbfgsOptions::default() };
        let objective = |u: &[f64], gradient: &mut [f64]| self.descend(u, gradient, expected, places);
        let start = self.whitened(ln_alpha);
        let found = minimize(objective, start.as_slice(), &options, &mut Silent);
        self.coloured(&found.model.point, places)
    }

    /// -(bound + ln p) in the coordinates up to a constant, and its gradient.
    fn descend(&self, u: &[f64], gradient: &mut [f64], expected: &Expected, places: usize) -> f64 {
        let ln_alpha = self.coloured(u, places);
        let (value, slopes) = bound_of_concentrations(&ln_alpha, expected);
        for (k, factor) in self.factors.iter().enumerate() {
            let slopes = slopes.column(k);
            for (j, gradient) in gradient[k * places..][..places].iter_mut().enumerate() {
                let column = factor.factor().column(j);
                let below = &column.as_slice()[j..];
                let pulled: f64 = below.iter().zip(&slopes.as_slice()[j..]).map(|(l, g)| l * g).sum();
                *gradient = u[k * places + j] - pulled;
            }
        }
        0.5 * u.iter().map(|u| u * u).sum::<f64>() - value
    }
}

/// The terms of the bound that depend on the concentrations,
/// `sum_d ln Dir-normalizer(alpha) + alpha . E ln theta_d`, and the derivatives by `ln alpha`.
pub(super) fn bound_of_concentrations(ln_alpha: &DMatrix<f64>, expected: &Expected) -> (f64, DMatrix<f64>) {
    let mut slopes = ln_alpha.map(f64::exp);
    let mut value = 0.0;
    for (i, &documents) in expected.documents.iter().enumerate() {
        let total: f64 = slopes.row(i).iter().sum();
        let slope_of_total = digamma(total);
        value += documents * ln_gamma(total);
        for k in 0..slopes.ncols() {
            let alpha = slopes[(i, k)];
            let ln_theta = expected.ln_theta[(i, k)];
            value += alpha * ln_theta - documents * ln_gamma(alpha);
            slopes[(i, k)] = alpha * (documents * (slope_of_total - digamma(alpha)) + ln_theta);
        }
    }
    (value, slopes)
}

#[cfg(test)]
mod tests;
