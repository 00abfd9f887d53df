//! The cosine kernel: pure oscillations.

use std::f64::consts::PI;
use std::fmt;

use posterior_kalman::continuous::Process;
use posterior_math::check::{self, ParamError};
use posterior_math::elementwise::sin_pi;

use super::SpectralDistribution;
use super::{CovarianceFunction, Kernel, KernelParameter, ProcessOptions};

/// cos(2π (x - x')/p)
#[derive(Debug)]
struct Cosine {
    period: f64,
}

impl Kernel {
    /// cos(2π (x - x')/p): sines of period p, with any phase; of one coordinate.
    ///
    /// # Errors
    /// If the period is not positive and finite.
    pub fn cosine(period: f64) -> Result<Self, ParamError> {
        Ok(Self::new(Cosine { period: check::positive("cosine", "period", period)? }))
    }
}

impl Cosine {
    fn periods(&self, x: &[f64], y: &[f64]) -> f64 {
        x.iter().zip(y).map(|(x, y)| (x - y) / self.period).sum()
    }
}

impl CovarianceFunction for Cosine {
    fn value(&self, x: &[f64], y: &[f64]) -> f64 {
        let mut sine = [self.periods(x, y)];
        sin_pi(&mut sine);
        1.0 - 2.0 * sine[0] * sine[0]
    }

    fn gradient(&self, x: &[f64], y: &[f64], gradient: &mut [f64]) {
        let periods = self.periods(x, y);
        let mut sine = [2.0 * periods];
        sin_pi(&mut sine);
        gradient[0] = 2.0 * PI * periods * sine[0];
    }

    fn parameters(&self) -> Vec<KernelParameter> {
        vec![KernelParameter::positive("cosine.period", self.period)]
    }

    fn with_parameters(&self, values: &[f64]) -> Result<Kernel, ParamError> {
        Kernel::cosine(values[0])
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cosine({})", self.period)
    }

    fn process(&self, _options: &ProcessOptions) -> Option<Process> {
        Process::cosine(self.period).ok()
    }

    fn spectral_distribution(&self) -> Option<SpectralDistribution> {
        SpectralDistribution::cosine(&[2.0 * PI / self.period]).ok()
    }

    fn dimension(&self) -> Option<usize> {
        Some(1)
    }
}
