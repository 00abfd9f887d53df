//! The factor of a covariance whose variables are put in an order in which the least probable come first.

use posterior_math::check::{self, ParamError};
use posterior_math::linalg::DMatrix;

use super::interval::{densities_at_ends, interval};
use crate::gaussian::Gaussian;
use crate::matrix_check;

/// A box in coordinates in which the Gaussian is X = D (I + L) Z with white noise Z and a strictly lower
/// triangular L: Z has to lie between `low` and `high` less L Z.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct OrderedBox {
    pub(super) low: Vec<f64>,
    pub(super) high: Vec<f64>,
    /// L.
    pub(super) factor: DMatrix<f64>,
    /// D.
    pub(super) scales: Vec<f64>,
    /// Which variable is at each place.
    pub(super) order: Vec<usize>,
}

impl OrderedBox {
    /// The box from `low` to `high`, whose ends may be infinite. One place after the other takes the variable
    /// whose interval is least probable, given that those before are at their means.
    ///
    /// # Errors
    /// If there is not one end for each coordinate, or a lower one is not below the upper one.
    ///
    /// # References
    /// G. J. Gibson, C. A. Glasbey, D. A. Elston, Monte Carlo evaluation of multivariate normal integrals and
    /// sensitivity to variate ordering, Advances in Numerical Methods and Applications, 1994.
    pub(super) fn new(gaussian: &Gaussian, low: &[f64], high: &[f64]) -> Result<Self, ParamError> {
        const NAME: &str = "box of a Gaussian";
        let n = gaussian.dimension();
        matrix_check::length(NAME, "lower ends", low.len(), n)?;
        matrix_check::length(NAME, "upper ends", high.len(), n)?;
        for (index, (low, high)) in low.iter().zip(high).enumerate() {
            let below = low < high;
            check::require(below, NAME, "high", *high, "above low").map_err(|error| error.at(index))?;
        }
        let mean = gaussian.mean();
        let mut own = Self {
            low: low.iter().zip(mean.iter()).map(|(end, mean)| end - mean).collect(),
            high: high.iter().zip(mean.iter()).map(|(end, mean)| end - mean).collect(),
            factor: DMatrix::zeros(n, n),
            scales: vec![0.0; n],
            order: (0..n).collect(),
        };
        let mut covariance = gaussian.covariance().clone();
        let mut means = vec![0.0; n];
        for place in 0..n {
            own.choose(place, &mut covariance, &means);
            means[place] = own.eliminate(place, &covariance, &means)?;
        }
        own.scale();
        Ok(own)
    }

    /// The conditional standard deviation of a variable, and its interval in units of it.
    fn standard(&self, index: usize, place: usize, covariance: &DMatrix<f64>, means: &[f64]) -> [f64; 3] {
        let (mut variance, mut shift) = (covariance[(index, index)], 0.0);
        for (k, mean) in means.iter().enumerate().take(place) {
            variance -= self.factor[(index, k)] * self.factor[(index, k)];
            shift += self.factor[(index, k)] * mean;
        }
        // Of a positive definite matrix, but for rounding.
        let sd = variance.max(f64::EPSILON * covariance[(index, index)]).sqrt();
        [sd, (self.low[index] - shift) / sd, (self.high[index] - shift) / sd]
    }

    /// Exchanges the variable at a place with the least probable one from there on.
    fn choose(&mut self, place: usize, covariance: &mut DMatrix<f64>, means: &[f64]) {
        let mut least = (place, f64::INFINITY);
        for index in place..self.low.len() {
            let [_, low, high] = self.standard(index, place, covariance, means);
            let ln_mass = interval(low, high).map_or(f64::NEG_INFINITY, |own| own.ln_mass());
            if ln_mass < least.1 {
                least = (index, ln_mass);
            }
        }
        let other = least.0;
        covariance.swap_rows(place, other);
        covariance.swap_columns(place, other);
        self.factor.swap_rows(place, other);
        self.low.swap(place, other);
        self.high.swap(place, other);
        self.order.swap(place, other);
    }

    /// A column of the factor, and the mean of the variable in its interval.
    fn eliminate(
        &mut self,
        place: usize,
        covariance: &DMatrix<f64>,
        means: &[f64],
    ) -> Result<f64, ParamError> {
        let [sd, low, high] = self.standard(place, place, covariance, means);
        self.factor[(place, place)] = sd;
        for index in place + 1..self.low.len() {
            let known: f64 = (0..place).map(|k| self.factor[(index, k)] * self.factor[(place, k)]).sum();
            self.factor[(index, place)] = (covariance[(index, place)] - known) / sd;
        }
        let [at_low, at_high] = densities_at_ends(low, high)?;
        Ok(at_low - at_high)
    }

    /// Rows in units of their diagonal, which becomes zero.
    fn scale(&mut self) {
        for place in 0..self.low.len() {
            let scale = self.factor[(place, place)];
            self.factor.row_mut(place).unscale_mut(scale);
            self.factor[(place, place)] = 0.0;
            self.scales[place] = scale;
            self.low[place] /= scale;
            self.high[place] /= scale;
        }
    }
}
