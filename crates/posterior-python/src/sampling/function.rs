//! Functions of Python as log densities.

use std::sync::{Mutex, PoisonError};

use numpy::PyArray1;
use posterior_dist::target::{EvalError, GradTarget, Target};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use super::run::{Sampled, Settings, sampled};
use crate::arrays;
use crate::watched::Listener;

/// A function of an array that returns a log density, or it and its gradient.
struct Function {
    called: Py<PyAny>,
    dim: usize,
    has_gradient: bool,
    /// The exception that ended the run.
    raised: Mutex<Option<PyErr>>,
}

impl Function {
    fn call(&self, x: &[f64], gradient: Option<&mut [f64]>) -> Result<f64, EvalError> {
        Python::attach(|py| {
            let answer = self.called.bind(py).call1((PyArray1::from_slice(py, x),));
            answer.and_then(|answer| self.read(&answer, gradient))
        })
        .map_err(|error| {
            *self.raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            EvalError::fatal("the function raised an exception")
        })
    }

    fn read(&self, answer: &Bound<'_, PyAny>, gradient: Option<&mut [f64]>) -> PyResult<f64> {
        if !self.has_gradient {
            return answer.extract().map_err(|_| {
                let kind = answer.get_type();
                PyTypeError::new_err(format!("log_density: expected a number, found {kind}"))
            });
        }
        let (value, slope): (f64, Bound<'_, PyAny>) = answer.extract().map_err(|_| {
            let kind = answer.get_type();
            PyTypeError::new_err(format!("log_density: expected a number and a gradient, found {kind}"))
        })?;
        if let Some(gradient) = gradient {
            let slope = arrays::numbers(&slope)?;
            let shape = arrays::shape_of(&slope);
            if shape != [self.dim] {
                let dim = self.dim;
                return Err(PyValueError::new_err(format!(
                    "log_density: expected a gradient of the shape [{dim}], found {shape:?}"
                )));
            }
            gradient.iter_mut().zip(slope.as_array()).for_each(|(own, &slope)| *own = slope);
        }
        Ok(value)
    }
}

impl Target for Function {
    fn dim(&self) -> usize {
        self.dim
    }

    fn ln_density(&self, x: &[f64]) -> Result<f64, EvalError> {
        self.call(x, None)
    }
}

impl GradTarget for Function {
    fn ln_density_grad(&self, x: &[f64], gradient: &mut [f64]) -> Result<f64, EvalError> {
        self.call(x, Some(gradient))
    }
}

/// Draws of the density of a function of Python; one chain after the other, as the interpreter has one lock.
#[pyfunction]
pub(crate) fn sample_function(
    py: Python<'_>,
    function: Py<PyAny>,
    dim: usize,
    settings: Settings,
    listener: Listener,
) -> PyResult<Sampled<'_>> {
    let has_gradient = settings.has_gradient();
    let target = Function { called: function, dim, has_gradient, raised: Mutex::default() };
    let outcome = sampled(py, &target, &settings, &listener, Some(1));
    match target.raised.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(raised) => Err(raised),
        None => Sampled::new(py, &outcome?),
    }
}
