//! The linear kernel: Bayesian linear regression.

use std::fmt;

use posterior_kalman::continuous::Process;
use posterior_math::check::{self, ParamError};

use super::stationary::write_list;
use super::{CovarianceFunction, Kernel, KernelParameter, ProcessOptions, Tile};

/// Σ sᵢ² xᵢ x'ᵢ
#[derive(Debug)]
struct Linear {
    /// One for each coordinate; none if all are 1.
    variances: Vec<f64>,
}

impl Kernel {
    /// x·x': straight lines and planes through the origin, with weights of variance 1.
    ///
    /// An offset of variance b is `Kernel::linear() + Kernel::constant(b)?`.
    pub fn linear() -> Self {
        Self::new(Linear { variances: Vec::new() })
    }

    /// Σ sᵢ² xᵢ x'ᵢ: weights with variances of their own.
    ///
    /// # Errors
    /// If there is no variance, or one is not positive and finite.
    pub fn linear_ard(variances: &[f64]) -> Result<Self, ParamError> {
        if variances.is_empty() {
            return Err(ParamError::new("linear", "number of variances", 0.0, "at least 1"));
        }
        for (index, &variance) in variances.iter().enumerate() {
            check::positive("linear", "variance", variance).map_err(|error| error.at(index))?;
        }
        Ok(Self::new(Linear { variances: variances.to_vec() }))
    }
}

impl Linear {
    fn variance(&self, coordinate: usize) -> f64 {
        self.variances.get(coordinate).copied().unwrap_or(1.0)
    }
}

impl CovarianceFunction for Linear {
    fn value(&self, x: &[f64], y: &[f64]) -> f64 {
        x.iter().zip(y).enumerate().map(|(i, (x, y))| self.variance(i) * (x * y)).sum()
    }

    fn gradient(&self, x: &[f64], y: &[f64], gradient: &mut [f64]) {
        for ((entry, variance), (x, y)) in gradient.iter_mut().zip(&self.variances).zip(x.iter().zip(y)) {
            *entry = variance * (x * y);
        }
    }

    fn input_slope(&self, _x: &[f64], y: &[f64]) -> Option<Vec<f64>> {
        Some(y.iter().enumerate().map(|(i, y)| self.variance(i) * y).collect())
    }

    fn parameters(&self) -> Vec<KernelParameter> {
        let name = |i: usize| format!("linear.variance[{i}]");
        self.variances
            .iter()
            .enumerate()
            .map(|(i, &variance)| KernelParameter::positive(name(i), variance))
            .collect()
    }

    fn with_parameters(&self, values: &[f64]) -> Result<Kernel, ParamError> {
        if values.is_empty() { Ok(Kernel::linear()) } else { Kernel::linear_ard(values) }
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "linear(")?;
        if !self.variances.is_empty() {
            write_list(&self.variances, f)?;
        }
        write!(f, ")")
    }

    fn process(&self, _options: &ProcessOptions) -> Option<Process> {
        match self.variances[..] {
            [] => Some(Process::linear()),
            [variance] => Process::linear().scaled(variance).ok(),
            _ => None,
        }
    }

    fn dimension(&self) -> Option<usize> {
        if self.variances.is_empty() { None } else { Some(self.variances.len()) }
    }

    fn fill(&self, tile: &Tile<'_>, values: &mut [f64]) {
        values.fill(0.0);
        for coordinate in 0..tile.rows.dimension() {
            let (x, y) = (tile.rows.coordinate(coordinate), tile.columns.coordinate(coordinate));
            let variance = self.variance(coordinate);
            for (column, &y) in values.chunks_exact_mut(x.len().max(1)).zip(y) {
                for (value, &x) in column.iter_mut().zip(x) {
                    *value += variance * (x * y);
                }
            }
        }
    }
}
