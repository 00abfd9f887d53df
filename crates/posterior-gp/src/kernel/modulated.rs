//! Kernels of functions that are stronger in some places.

use std::fmt;
use std::sync::Arc;

use posterior_math::check::ParamError;
use posterior_math::linalg::DMatrix;

use super::{CovarianceFunction, InputTile, Kernel, KernelParameter, Tile};
use crate::Error;

type Function = dyn Fn(&[f64]) -> f64 + Send + Sync;

/// s(x) k(x, x') s(x')
#[derive(Clone)]
struct Modulated {
    kernel: Kernel,
    name: String,
    strength: Arc<Function>,
}

impl fmt::Debug for Modulated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f)
    }
}

impl Kernel {
    /// s(x) k(x, x') s(x'): the kernel of s(x) f(x).
    ///
    /// Such a kernel is printed with the name of the function, and cannot be read back.
    #[must_use]
    pub fn modulated(self, name: &str, strength: impl Fn(&[f64]) -> f64 + Send + Sync + 'static) -> Self {
        Self::new(Modulated { kernel: self, name: name.to_owned(), strength: Arc::new(strength) })
    }
}

impl Modulated {
    fn strengths(&self, points: &InputTile<'_>) -> Vec<f64> {
        let mut strengths = vec![0.0; points.len()];
        points.for_each(|index, x| strengths[index] = (self.strength)(x));
        strengths
    }

    fn multiply(&self, tile: &Tile<'_>, values: &mut [f64]) {
        let (rows, columns) = (self.strengths(&tile.rows), self.strengths(&tile.columns));
        for (column, right) in values.chunks_exact_mut(rows.len().max(1)).zip(columns) {
            for (value, left) in column.iter_mut().zip(&rows) {
                *value *= left * right;
            }
        }
    }
}

impl CovarianceFunction for Modulated {
    fn value(&self, x: &[f64], y: &[f64]) -> f64 {
        self.kernel.value(x, y) * ((self.strength)(x) * (self.strength)(y))
    }

    fn gradient(&self, x: &[f64], y: &[f64], gradient: &mut [f64]) {
        self.kernel.covariance().gradient(x, y, gradient);
        let strength = (self.strength)(x) * (self.strength)(y);
        for entry in gradient {
            *entry *= strength;
        }
    }

    fn parameters(&self) -> Vec<KernelParameter> {
        self.kernel.covariance().parameters()
    }

    fn with_parameters(&self, values: &[f64]) -> Result<Kernel, ParamError> {
        Ok(Kernel::new(Self { kernel: self.kernel.with_parameters(values)?, ..self.clone() }))
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "modulated({}, {})", self.kernel, self.name)
    }

    fn dimension(&self) -> Option<usize> {
        self.kernel.covariance().dimension()
    }

    fn check(&self, inputs: &DMatrix<f64>) -> Result<(), Error> {
        let strengths = self.strengths(&InputTile::all(inputs));
        if let Some((row, &value)) = strengths.iter().enumerate().find(|(_, strength)| !strength.is_finite())
        {
            return Err(Error::NotFinite { what: "strength", row, value });
        }
        self.kernel.check(inputs)
    }

    fn fill(&self, tile: &Tile<'_>, values: &mut [f64]) {
        self.kernel.covariance().fill(tile, values);
        self.multiply(tile, values);
    }

    fn pull_back(&self, tile: &Tile<'_>, weights: &[f64], gradient: &mut [f64]) {
        let mut weights = weights.to_vec();
        self.multiply(tile, &mut weights);
        self.kernel.covariance().pull_back(tile, &weights, gradient);
    }
}
