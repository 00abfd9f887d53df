//! Kernels that fits leave as they are.

use std::fmt;

use posterior_math::check::ParamError;
use posterior_math::linalg::DMatrix;

use super::covariance::Structure;
use super::{CovarianceFunction, InputTile, Kernel, KernelParameter, Tile};
use crate::Error;

/// A kernel whose parameters are not shown.
#[derive(Debug)]
struct Fixed {
    kernel: Kernel,
}

impl Kernel {
    /// The same kernel without parameters: fits leave it as it is.
    ///
    /// ```
    /// use posterior_gp::Kernel;
    ///
    /// let kernel = Kernel::rbf(1.0)? * Kernel::periodic(1.0, 12.0)?.fixed();
    /// assert_eq!(kernel.parameters().len(), 1);
    /// assert_eq!(kernel.to_string(), "rbf(1)*fix(periodic(1, 12))");
    /// # Ok::<(), posterior_math::ParamError>(())
    /// ```
    #[must_use]
    pub fn fixed(self) -> Self {
        Self::new(Fixed { kernel: self })
    }
}

impl CovarianceFunction for Fixed {
    fn value(&self, x: &[f64], y: &[f64]) -> f64 {
        self.kernel.value(x, y)
    }

    fn gradient(&self, _x: &[f64], _y: &[f64], _gradient: &mut [f64]) {}

    fn parameters(&self) -> Vec<KernelParameter> {
        Vec::new()
    }

    fn with_parameters(&self, _values: &[f64]) -> Result<Kernel, ParamError> {
        Ok(self.kernel.clone().fixed())
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "fix({})", self.kernel)
    }

    fn dimension(&self) -> Option<usize> {
        self.kernel.covariance().dimension()
    }

    fn check(&self, inputs: &DMatrix<f64>) -> Result<(), Error> {
        self.kernel.check(inputs)
    }

    fn fill(&self, tile: &Tile<'_>, values: &mut [f64]) {
        self.kernel.covariance().fill(tile, values);
    }

    fn diagonal(&self, points: &InputTile<'_>, values: &mut [f64]) {
        self.kernel.covariance().diagonal(points, values);
    }

    fn structure(&self) -> Structure<'_> {
        Structure::Fixed(&self.kernel)
    }
}
