//! k-means.

use posterior_latent::k_means::{KMeans, KMeansOptions, best_of_starts};
use posterior_latent::{Error, Observations};
use pyo3::prelude::*;

use crate::arrays;
use crate::watched::{direct, left_behind};

/// A clustering.
#[derive(IntoPyObject)]
pub(crate) struct Clustering<'py> {
    centres: Bound<'py, PyAny>,
    labels: Bound<'py, PyAny>,
    inertia: f64,
    iterations: usize,
    converged: bool,
}

/// The best of several starts.
#[pyfunction]
pub(crate) fn k_means_fit<'py>(
    x: &Bound<'py, PyAny>,
    clusters: usize,
    starts: usize,
    max_iterations: usize,
    seed: u64,
) -> PyResult<Clustering<'py>> {
    let (py, values) = (x.py(), arrays::matrix(x)?);
    let options = KMeansOptions { max_iterations, ..KMeansOptions::new(clusters) };
    let found =
        left_behind(py, move |_| best_of_starts(&Observations::new(&values)?, &options, starts, seed))?.best;
    Ok(Clustering {
        centres: arrays::rows(py, &found.model.centres())?,
        inertia: found.inertia(),
        iterations: found.report.iterations(),
        converged: found.report.converged(),
        labels: arrays::places(py, &found.labels),
    })
}

/// The nearest centre of each row.
#[pyfunction]
pub(crate) fn k_means_assign<'py>(
    x: &Bound<'py, PyAny>,
    centres: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let (values, centres) = (arrays::matrix(x)?, arrays::matrix(centres)?);
    let found = direct::<_, Error>(x.py(), || KMeans::new(&centres)?.assign(&Observations::new(&values)?))?;
    Ok(arrays::places(x.py(), &found))
}

/// The distance of each row to each centre.
#[pyfunction]
pub(crate) fn k_means_distances<'py>(
    x: &Bound<'py, PyAny>,
    centres: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let (values, centres) = (arrays::matrix(x)?, arrays::matrix(centres)?);
    let distances =
        direct::<_, Error>(x.py(), || KMeans::new(&centres)?.distances(&Observations::new(&values)?))?;
    arrays::rows(x.py(), &distances)
}
