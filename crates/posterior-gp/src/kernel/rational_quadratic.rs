//! The rational quadratic kernel: a mixture of RBF kernels of many length scales.

use posterior_math::check::{self, ParamError};
use posterior_math::elementwise::exp;

use super::SpectralDistribution;
use super::stationary::{Profile, Stationary};
use super::{Kernel, KernelParameter};

/// ρ = (1 + r²/(2α))^(-α).
#[derive(Debug, Clone)]
struct RationalQuadratic {
    alpha: f64,
}

impl RationalQuadratic {
    fn new(alpha: f64) -> Result<Self, ParamError> {
        Ok(Self { alpha: check::positive("rational_quadratic", "alpha", alpha)? })
    }

    /// r²/(2α), finite.
    fn ratio(&self, square: f64) -> f64 {
        (0.5 * square / self.alpha).min(f64::MAX)
    }
}

impl Profile for RationalQuadratic {
    const NAME: &'static str = "rational_quadratic";

    fn values(&self, squares: &mut [f64]) {
        for square in squares.iter_mut() {
            *square = -self.alpha * self.ratio(*square).ln_1p();
        }
        exp(squares);
    }

    fn spectral_distribution(&self, length_scales: &[f64]) -> Option<SpectralDistribution> {
        SpectralDistribution::rational_quadratic(self.alpha, length_scales).ok()
    }

    fn values_and_slopes(&self, squares: &mut [f64], slopes: &mut [f64]) {
        for (slope, square) in slopes.iter_mut().zip(&*squares) {
            *slope = -0.5 / (1.0 + self.ratio(*square));
        }
        self.values(squares);
        for (slope, value) in slopes.iter_mut().zip(squares) {
            *slope *= *value;
        }
    }

    fn slopes(&self, squares: &mut [f64]) {
        for square in squares.iter_mut() {
            *square = -(self.alpha + 1.0) * self.ratio(*square).ln_1p();
        }
        exp(squares);
        for square in squares {
            *square *= -0.5;
        }
    }

    fn parameters(&self) -> Vec<KernelParameter> {
        vec![KernelParameter::positive("rational_quadratic.alpha", self.alpha)]
    }

    fn pull_back(&self, squares: &[f64], weights: &[f64], gradient: &mut [f64]) {
        let exponents: Vec<f64> = squares.iter().map(|&square| self.ratio(square).ln_1p()).collect();
        let mut values: Vec<f64> = exponents.iter().map(|exponent| -self.alpha * exponent).collect();
        exp(&mut values);
        let mut sum = 0.0;
        for (((&square, value), exponent), weight) in squares.iter().zip(&values).zip(exponents).zip(weights)
        {
            let ratio = self.ratio(square);
            sum += weight * value * self.alpha * (ratio / (1.0 + ratio) - exponent);
        }
        gradient[0] += sum;
    }

    fn with_parameters(&self, values: &[f64]) -> Result<Self, ParamError> {
        Self::new(values[0])
    }
}

impl Kernel {
    /// (1 + r²/(2 α l²))^(-α): RBF kernels whose inverse squared length scales have a gamma distribution; the
    /// RBF kernel for large α.
    ///
    /// # Errors
    /// If the length scale or α is not positive and finite.
    pub fn rational_quadratic(length_scale: f64, alpha: f64) -> Result<Self, ParamError> {
        Ok(Self::new(Stationary::isotropic(RationalQuadratic::new(alpha)?, length_scale)?))
    }

    /// [`rational_quadratic`](Self::rational_quadratic) with a length scale for each coordinate.
    ///
    /// # Errors
    /// If a length scale or α is not positive and finite.
    pub fn rational_quadratic_ard(length_scales: &[f64], alpha: f64) -> Result<Self, ParamError> {
        Ok(Self::new(Stationary::with_each(RationalQuadratic::new(alpha)?, length_scales)?))
    }
}
