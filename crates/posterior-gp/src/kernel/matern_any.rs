//! Matérn's kernel of any order.

use std::f64::consts::LN_2;

use posterior_kalman::continuous::Process;
use posterior_math::check::{self, ParamError};
use posterior_math::special::{ln_bessel_k, ln_gamma};

use super::SpectralDistribution;
use super::stationary::{Profile, Stationary};
use super::{Kernel, ProcessOptions};

/// ρ = 2^(1-ν)/Γ(ν) t^ν K_ν(t), t = √(2ν) r; DLMF 10.29.4 for the slope.
#[derive(Debug, Clone)]
struct Matern {
    order: f64,
    /// ln (2^(1-ν)/Γ(ν))
    ln_factor: f64,
}

impl Matern {
    fn new(order: f64) -> Result<Self, ParamError> {
        let order = check::positive("matern", "nu", order)?;
        check::require(order <= 1e6, "matern", "nu", order, "at most 10^6, where rbf is as good")?;
        Ok(Self { order, ln_factor: (1.0 - order) * LN_2 - ln_gamma(order) })
    }
}

impl Profile for Matern {
    const NAME: &'static str = "matern";

    fn values(&self, squares: &mut [f64]) {
        for square in squares {
            let t = (2.0 * self.order * *square).sqrt();
            *square = if t > 0.0 {
                // Rounding must not let a correlation exceed 1.
                (self.ln_factor + self.order * t.ln() + ln_bessel_k(self.order, t)).exp().min(1.0)
            } else {
                1.0
            };
        }
    }

    fn slopes(&self, squares: &mut [f64]) {
        for square in squares {
            let t = (2.0 * self.order * *square).sqrt();
            *square = if t > 0.0 {
                let ln_bessel = ln_bessel_k(self.order - 1.0, t);
                -self.order * (self.ln_factor + (self.order - 1.0) * t.ln() + ln_bessel).exp().min(1e300)
            } else {
                0.0
            };
        }
    }

    fn process(&self, length_scale: f64, _options: &ProcessOptions) -> Option<Process> {
        let derivatives = self.order - 0.5;
        let half_integer = derivatives >= 0.0 && derivatives.fract() == 0.0;
        half_integer.then(|| Process::matern(derivatives as usize, length_scale).ok()).flatten()
    }

    fn spectral_distribution(&self, length_scales: &[f64]) -> Option<SpectralDistribution> {
        SpectralDistribution::matern(self.order, length_scales).ok()
    }

    fn settings(&self) -> Vec<f64> {
        vec![self.order]
    }
}

impl Kernel {
    /// 2^(1-ν)/Γ(ν) t^ν K_ν(t), t = √(2ν) r/l: Matérn's kernel of any order ν, which stays as it is in fits.
    ///
    /// Functions have derivatives of orders below ν. Rounding grows as ν does: to 10⁻⁹ at 10⁶, where the
    /// difference from an RBF kernel is 10⁻⁶. The orders 1/2, 3/2 and 5/2 are much faster by names of their
    /// own.
    ///
    /// # Errors
    /// If the order or the length scale is not positive and finite, or the order above 10⁶.
    ///
    /// ```
    /// use posterior_gp::Kernel;
    ///
    /// let (any, fast) = (Kernel::matern(1.5, 2.0)?, Kernel::matern32(2.0)?);
    /// assert!((any.value(&[0.3], &[1.1]) - fast.value(&[0.3], &[1.1])).abs() < 1e-14);
    /// # Ok::<(), posterior_math::ParamError>(())
    /// ```
    pub fn matern(order: f64, length_scale: f64) -> Result<Self, ParamError> {
        Ok(Self::new(Stationary::isotropic(Matern::new(order)?, length_scale)?))
    }

    /// [`matern`](Self::matern) with a length scale for each coordinate.
    ///
    /// # Errors
    /// As [`matern`](Self::matern).
    pub fn matern_ard(order: f64, length_scales: &[f64]) -> Result<Self, ParamError> {
        Ok(Self::new(Stationary::with_each(Matern::new(order)?, length_scales)?))
    }
}
