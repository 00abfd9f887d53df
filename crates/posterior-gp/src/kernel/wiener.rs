//! The Wiener process and its integral.

use std::fmt;

use posterior_kalman::continuous::Process;
use posterior_math::check::ParamError;
use posterior_math::linalg::DMatrix;

use super::{CovarianceFunction, Kernel, KernelParameter, ProcessOptions};
use crate::Error;

/// min(t, t')
#[derive(Debug)]
struct Wiener;

/// v³/3 + |t - t'| v²/2, v = min(t, t')
#[derive(Debug)]
struct IntegratedWiener;

impl Kernel {
    /// min(t, t'): the Wiener process, which is 0 at t = 0.
    ///
    /// It begins at 0: [`check`](Self::check) refuses earlier times, and where they are not checked they
    /// count as 0.
    pub fn wiener() -> Self {
        Self::new(Wiener)
    }

    /// v³/3 + |t - t'| v²/2 with v = min(t, t'): the integral of a Wiener process, whose posterior means are
    /// cubic splines.
    ///
    /// The limit of infinitely many rectified linear features. It begins at 0 as [`wiener`](Self::wiener)
    /// does.
    ///
    /// ```
    /// let spline = posterior_gp::Kernel::integrated_wiener();
    /// assert!((spline.value(&[1.0], &[2.0]) - 5.0 / 6.0).abs() < 1e-15);
    /// ```
    pub fn integrated_wiener() -> Self {
        Self::new(IntegratedWiener)
    }
}

/// Whether all times are at or after the origin.
fn check_times(inputs: &DMatrix<f64>) -> Result<(), Error> {
    match inputs.iter().position(|&time| time < 0.0) {
        Some(row) => Err(Error::Domain {
            row,
            value: inputs[row],
            requirement: "at least 0, where the process begins",
        }),
        None => Ok(()),
    }
}

/// The coordinate as a time after the origin.
fn time(x: &[f64]) -> f64 {
    x.first().copied().unwrap_or(0.0).max(0.0)
}

impl CovarianceFunction for Wiener {
    fn value(&self, x: &[f64], y: &[f64]) -> f64 {
        time(x).min(time(y))
    }

    fn gradient(&self, _x: &[f64], _y: &[f64], _gradient: &mut [f64]) {}

    fn parameters(&self) -> Vec<KernelParameter> {
        Vec::new()
    }

    fn with_parameters(&self, _values: &[f64]) -> Result<Kernel, ParamError> {
        Ok(Kernel::wiener())
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "wiener()")
    }

    fn process(&self, _options: &ProcessOptions) -> Option<Process> {
        Some(Process::wiener())
    }

    fn dimension(&self) -> Option<usize> {
        Some(1)
    }

    fn check(&self, inputs: &DMatrix<f64>) -> Result<(), Error> {
        check_times(inputs)
    }
}

impl CovarianceFunction for IntegratedWiener {
    fn value(&self, x: &[f64], y: &[f64]) -> f64 {
        let (s, t) = (time(x), time(y));
        let first = s.min(t);
        first * first * (first / 3.0 + 0.5 * (s - t).abs())
    }

    fn gradient(&self, _x: &[f64], _y: &[f64], _gradient: &mut [f64]) {}

    fn parameters(&self) -> Vec<KernelParameter> {
        Vec::new()
    }

    fn with_parameters(&self, _values: &[f64]) -> Result<Kernel, ParamError> {
        Ok(Kernel::integrated_wiener())
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "integrated_wiener()")
    }

    fn process(&self, _options: &ProcessOptions) -> Option<Process> {
        Some(Process::integrated_wiener())
    }

    fn dimension(&self) -> Option<usize> {
        Some(1)
    }

    fn check(&self, inputs: &DMatrix<f64>) -> Result<(), Error> {
        check_times(inputs)
    }
}
