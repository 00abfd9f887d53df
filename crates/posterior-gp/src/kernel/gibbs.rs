//! Gibbs's kernel: smoothness that changes from place to place.

use std::fmt;
use std::sync::Arc;

use posterior_math::check::ParamError;
use posterior_math::linalg::DMatrix;

use super::{CovarianceFunction, InputTile, Kernel, KernelParameter};
use crate::Error;

type Function = dyn Fn(&[f64]) -> f64 + Send + Sync;

/// (2 l l'/(l² + l'²))^(d/2) exp(-|x - x'|²/(l² + l'²))
#[derive(Clone)]
struct Gibbs {
    name: String,
    length_scale: Arc<Function>,
}

impl fmt::Debug for Gibbs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f)
    }
}

impl Kernel {
    /// (2 l(x) l(x')/(l(x)² + l(x')²))^(d/2) exp(-|x - x'|²/(l(x)² + l(x')²)): an RBF kernel whose length
    /// scale is a function of the place.
    ///
    /// [`check`](Self::check) refuses inputs where the length scale is not positive and finite. The kernel is
    /// printed with the name of the function, and cannot be read back.
    ///
    /// Source: M. N. Gibbs, thesis, 1997, section 3.10.3; Rasmussen and Williams, equation 4.32.
    pub fn gibbs(name: &str, length_scale: impl Fn(&[f64]) -> f64 + Send + Sync + 'static) -> Self {
        Self::new(Gibbs { name: name.to_owned(), length_scale: Arc::new(length_scale) })
    }
}

impl CovarianceFunction for Gibbs {
    fn value(&self, x: &[f64], y: &[f64]) -> f64 {
        let (left, right) = ((self.length_scale)(x), (self.length_scale)(y));
        let root = left.hypot(right);
        let square: f64 = x.iter().zip(y).map(|(x, y)| ((x - y) / root).powi(2)).sum();
        (2.0 * (left / root) * (right / root)).powf(0.5 * x.len() as f64) * (-square).exp()
    }

    fn gradient(&self, _x: &[f64], _y: &[f64], _gradient: &mut [f64]) {}

    fn parameters(&self) -> Vec<KernelParameter> {
        Vec::new()
    }

    fn with_parameters(&self, _values: &[f64]) -> Result<Kernel, ParamError> {
        Ok(Kernel::new(self.clone()))
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "gibbs({})", self.name)
    }

    fn check(&self, inputs: &DMatrix<f64>) -> Result<(), Error> {
        let mut refused = None;
        InputTile::all(inputs).for_each(|row, x| {
            let value = (self.length_scale)(x);
            if !(value > 0.0 && value < f64::INFINITY) {
                refused = refused.or(Some((row, value)));
            }
        });
        match refused {
            Some((row, value)) => {
                let requirement = "a place where the length scale is positive and finite";
                Err(Error::Domain { row, value, requirement })
            }
            None => Ok(()),
        }
    }
}
