//! The constant kernel: functions that do not change.

use std::fmt;

use posterior_kalman::continuous::Process;
use posterior_math::check::{self, ParamError};

use super::SpectralDistribution;
use super::{CovarianceFunction, Kernel, KernelParameter, ProcessOptions, Tile};

/// k = c
#[derive(Debug)]
struct Constant {
    variance: f64,
}

impl Kernel {
    /// c: functions that do not change, with this variance.
    ///
    /// # Errors
    /// If the variance is not positive and finite.
    pub fn constant(variance: f64) -> Result<Self, ParamError> {
        Ok(Self::new(Constant { variance: check::positive("constant", "variance", variance)? }))
    }
}

impl CovarianceFunction for Constant {
    fn value(&self, _x: &[f64], _y: &[f64]) -> f64 {
        self.variance
    }

    fn gradient(&self, _x: &[f64], _y: &[f64], gradient: &mut [f64]) {
        gradient[0] = self.variance;
    }

    fn input_slope(&self, x: &[f64], _y: &[f64]) -> Option<Vec<f64>> {
        Some(vec![0.0; x.len()])
    }

    fn parameters(&self) -> Vec<KernelParameter> {
        vec![KernelParameter::positive("constant.variance", self.variance)]
    }

    fn with_parameters(&self, values: &[f64]) -> Result<Kernel, ParamError> {
        Kernel::constant(values[0])
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "constant({})", self.variance)
    }

    fn process(&self, _options: &ProcessOptions) -> Option<Process> {
        Process::constant().scaled(self.variance).ok()
    }

    fn spectral_distribution(&self) -> Option<SpectralDistribution> {
        SpectralDistribution::cosine(&[]).and_then(|distribution| distribution.scaled(self.variance)).ok()
    }

    fn fill(&self, _tile: &Tile<'_>, values: &mut [f64]) {
        values.fill(self.variance);
    }

    fn pull_back(&self, _tile: &Tile<'_>, weights: &[f64], gradient: &mut [f64]) {
        gradient[0] += self.variance * weights.iter().sum::<f64>();
    }
}
