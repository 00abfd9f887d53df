//! Kernels by closures.

use std::fmt;
use std::sync::Arc;

use posterior_math::check::ParamError;

use super::{CovarianceFunction, Kernel, KernelParameter};

type Function = dyn Fn(&[f64], &[f64]) -> f64 + Send + Sync;

/// A function with a name.
#[derive(Clone)]
struct Custom {
    name: String,
    function: Arc<Function>,
}

impl fmt::Debug for Custom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f)
    }
}

impl Kernel {
    /// A kernel of your own, without parameters: any symmetric function that is positive semidefinite, which
    /// is not checked.
    ///
    /// It is printed by its name and cannot be read back, so that serde refuses to write it; two are equal if
    /// their names are. With parameters or a faster way to compute it, implement [`CovarianceFunction`].
    ///
    /// ```
    /// use posterior_gp::Kernel;
    ///
    /// let common = Kernel::custom("jaccard", |x, y| {
    ///     let both = x.iter().zip(y).filter(|(x, y)| **x > 0.0 && **y > 0.0).count();
    ///     let either = x.iter().zip(y).filter(|(x, y)| **x > 0.0 || **y > 0.0).count();
    ///     if either == 0 { 1.0 } else { both as f64 / either as f64 }
    /// });
    /// assert_eq!((2.0 * common).value(&[1.0, 1.0, 0.0], &[1.0, 0.0, 0.0]), 1.0);
    /// ```
    pub fn custom(name: &str, function: impl Fn(&[f64], &[f64]) -> f64 + Send + Sync + 'static) -> Self {
        Self::new(Custom { name: name.to_owned(), function: Arc::new(function) })
    }
}

impl CovarianceFunction for Custom {
    fn value(&self, x: &[f64], y: &[f64]) -> f64 {
        (self.function)(x, y)
    }

    fn gradient(&self, _x: &[f64], _y: &[f64], _gradient: &mut [f64]) {}

    fn parameters(&self) -> Vec<KernelParameter> {
        Vec::new()
    }

    fn with_parameters(&self, _values: &[f64]) -> Result<Kernel, ParamError> {
        Ok(Kernel::new(self.clone()))
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}()", self.name)
    }

    fn function_name(&self) -> Option<String> {
        Some(self.name.clone())
    }
}
