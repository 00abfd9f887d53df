//! The kernel of radial basis functions: exp(-r²/2).

use posterior_kalman::continuous::Process;
use posterior_math::check::ParamError;
use posterior_math::elementwise::exp;

use super::SpectralDistribution;
use super::stationary::{Profile, Stationary};
use super::{Kernel, ProcessOptions};

/// ρ(r²) = exp(-r²/2).
#[derive(Debug, Clone)]
struct Rbf;

impl Profile for Rbf {
    const NAME: &'static str = "rbf";

    fn values(&self, squares: &mut [f64]) {
        for square in squares.iter_mut() {
            *square *= -0.5;
        }
        exp(squares);
    }

    fn slopes(&self, squares: &mut [f64]) {
        self.values(squares);
        for square in squares {
            *square *= -0.5;
        }
    }

    fn values_and_slopes(&self, squares: &mut [f64], slopes: &mut [f64]) {
        self.values(squares);
        for (slope, value) in slopes.iter_mut().zip(squares) {
            *slope = -0.5 * *value;
        }
    }

    fn process(&self, length_scale: f64, options: &ProcessOptions) -> Option<Process> {
        Process::rbf(length_scale, options.rbf_states).ok()
    }

    fn spectral_distribution(&self, length_scales: &[f64]) -> Option<SpectralDistribution> {
        SpectralDistribution::rbf(length_scales).ok()
    }
}

impl Kernel {
    /// exp(-|x - x'|²/(2 l²)): smooth functions, which change over distances of l.
    ///
    /// # Errors
    /// If the length scale is not positive and finite.
    ///
    /// ```
    /// use posterior_gp::Kernel;
    ///
    /// assert_eq!(Kernel::rbf(2.0)?.value(&[1.0], &[3.0]), (-0.5_f64).exp());
    /// # Ok::<(), posterior_math::ParamError>(())
    /// ```
    pub fn rbf(length_scale: f64) -> Result<Self, ParamError> {
        Ok(Self::new(Stationary::isotropic(Rbf, length_scale)?))
    }

    /// exp(-Σ (xᵢ - x'ᵢ)²/(2 lᵢ²)): with a length scale for each coordinate.
    ///
    /// # Errors
    /// If a length scale is not positive and finite.
    pub fn rbf_ard(length_scales: &[f64]) -> Result<Self, ParamError> {
        Ok(Self::new(Stationary::with_each(Rbf, length_scales)?))
    }
}
