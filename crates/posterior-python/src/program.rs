//! Programs in Stan's language.

use std::sync::Arc;

use posterior_dist::target::Target as _;
use posterior_math::optimize::LbfgsOptions;
use posterior_model::{ModelError, StanData, StanModel, StanPosterior};
use posterior_sampling::Draws;
use posterior_stan::{Dialect, Program};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrays;
use crate::sampling::{Sampled, Settings, sampled};
use crate::watched::{Listener, direct, invalid, left_behind, watched};

/// How far from zero unconstrained coordinates of a search start, as Stan has it.
const RADIUS: f64 = 2.0;

/// The names and the JSON of each variable of the data.
type Data = Vec<(String, String)>;

/// A program, read and checked.
fn read(program: &str, name: &str) -> PyResult<StanModel> {
    let typed = Program::parse_with(name, program, Dialect::Any, |_| None).and_then(|own| own.check());
    typed.map(|own| StanModel::new(&own)).map_err(|findings| {
        let text = findings.to_string();
        PyValueError::new_err(text.trim_end().to_owned())
    })
}

/// The names of the data of a program, and whether each is of integers.
#[pyfunction]
pub(crate) fn program_data(program: &str, name: &str) -> PyResult<Vec<(String, bool)>> {
    Ok(read(program, name)?.data_names())
}

/// A program with its data.
#[pyclass(frozen, module = "posterior_rs._core")]
#[derive(Debug)]
pub(crate) struct ProgramPosterior {
    posterior: Arc<StanPosterior>,
    program: String,
    name: String,
    data: Data,
    seed: u64,
}

/// `Sigma.1.2` as `Sigma[1,2]`.
fn bracketed(name: &str) -> String {
    match name.split_once('.') {
        Some((stem, indices)) => format!("{stem}[{}]", indices.replace('.', ",")),
        None => name.to_owned(),
    }
}

#[pymethods]
impl ProgramPosterior {
    #[new]
    fn new(py: Python<'_>, program: String, name: String, data: Data, seed: u64) -> PyResult<Self> {
        let model = read(&program, &name)?;
        let posterior = direct(py, || {
            let mut values = StanData::default();
            data.iter().try_for_each(|(name, json)| values.insert_json(name, json))?;
            model.with_values(&values, seed)
        })
        .map_err(|error| invalid(format!("{name}: {}", error.value(py))))?;
        Ok(Self { posterior: Arc::new(posterior), program, name, data, seed })
    }

    /// The number of unconstrained coordinates.
    #[getter]
    fn dim(&self) -> usize {
        self.posterior.dim()
    }

    /// The names of parameters and of all that is computed from them.
    #[pyo3(signature = (transformed=true, generated=true))]
    fn names(&self, transformed: bool, generated: bool) -> PyResult<Vec<String>> {
        let names = self.posterior.names(transformed, generated).map_err(invalid)?;
        Ok(names.iter().map(|name| bracketed(name)).collect())
    }

    /// The log density at an unconstrained point, and its gradient.
    fn log_density<'py>(&self, x: &Bound<'py, PyAny>, jacobian: bool) -> PyResult<(f64, Bound<'py, PyAny>)> {
        let (py, x) = (x.py(), arrays::vector(x)?);
        let mut gradient = vec![0.0; self.posterior.dim()];
        let value = direct(py, || self.posterior.ln_density_of(&x, jacobian, Some(&mut gradient)))?;
        Ok((value, arrays::array(py, &gradient)))
    }

    /// The values of parameters at an unconstrained point.
    fn constrain<'py>(&self, x: &Bound<'py, PyAny>, transformed: bool) -> PyResult<Bound<'py, PyAny>> {
        let values = self.posterior.values(&arrays::vector(x)?, transformed, None).map_err(invalid)?;
        Ok(arrays::array(x.py(), &values))
    }

    /// The unconstrained point of values of parameters.
    fn unconstrain<'py>(&self, values: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let x = self.posterior.unconstrain(&arrays::vector(values)?).map_err(invalid)?;
        Ok(arrays::array(values.py(), &x))
    }

    /// The mode: its values, and its log density.
    fn optimize<'py>(
        &self,
        py: Python<'py>,
        jacobian: bool,
        seed: u64,
    ) -> PyResult<(Bound<'py, PyAny>, f64, bool)> {
        let starts = self.posterior.starts(&StanData::default(), 1, RADIUS, seed).map_err(invalid)?;
        let start = starts.into_iter().next().unwrap_or_default();
        let options = LbfgsOptions::default();
        let found = watched(py, |signals| self.posterior.maximize(jacobian, &start, &options, signals))?;
        let values = self.posterior.values(&found.model.point, true, None).map_err(invalid)?;
        Ok((arrays::array(py, &values), found.model.ln_density, found.report.converged()))
    }

    /// Draws of all quantities of the program.
    fn sample<'py>(
        &self,
        py: Python<'py>,
        settings: Settings,
        seed: u64,
        listener: Listener,
    ) -> PyResult<Sampled<'py>> {
        let free = sampled(py, &*self.posterior, &settings, &listener, None)?;
        let posterior = Arc::clone(&self.posterior);
        let draws = left_behind(py, move |_| quantities(&posterior, &free, seed))?;
        Sampled::new(py, &draws)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (String, String, Data, u64)) {
        let parts = (self.program.clone(), self.name.clone(), self.data.clone(), self.seed);
        (py.get_type::<Self>().into_any(), parts)
    }
}

/// All quantities of each draw; the random numbers of generated ones depend on the number of the draw.
fn quantities(posterior: &StanPosterior, free: &Draws, seed: u64) -> Result<Draws, String> {
    let text = |error: ModelError| error.to_string();
    let names = posterior.names(true, true).map_err(text)?;
    let (mut number, mut failed) = (0_u64, None);
    let draws = free.map(names.iter().map(|name| bracketed(name)), |x, row| {
        number += 1;
        match posterior.values(x, true, Some((seed, number))) {
            Ok(values) => row.copy_from_slice(&values),
            Err(error) => failed = failed.take().or(Some(error)),
        }
    });
    match failed {
        Some(error) => Err(text(error)),
        None => draws.map_err(|error| error.to_string()),
    }
}
