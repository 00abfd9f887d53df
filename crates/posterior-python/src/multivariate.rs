//! Distributions of vectors, with the method names of SciPy.

use posterior_gaussian::text::AnyMultivariate;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrays;
use crate::random_state::generator;

/// A distribution of vectors. Points stand in the last axis of an array.
#[pyclass(frozen, extends = super::distribution::Distribution, module = "posterior_rs.dist")]
#[derive(Debug)]
pub(crate) struct Multivariate {
    distribution: AnyMultivariate,
}

impl Multivariate {
    pub(crate) const fn new(distribution: AnyMultivariate) -> Self {
        Self { distribution }
    }

    /// A vector; nan where there is none.
    fn vector<'py>(&self, py: Python<'py>, values: Option<Vec<f64>>) -> PyResult<Bound<'py, PyAny>> {
        let dimension = self.dimension();
        arrays::shaped(py, values.unwrap_or_else(|| vec![f64::NAN; dimension]), &[dimension])
    }
}

#[pymethods]
impl Multivariate {
    /// The number of coordinates.
    #[getter]
    fn dimension(&self) -> usize {
        self.distribution.dimension()
    }

    /// The logarithm of the density.
    ///
    /// Parameters
    /// ----------
    /// x : array_like, shape (..., k)
    ///
    /// Returns
    /// -------
    /// float or ndarray, shape (...)
    fn logpdf<'py>(&self, x: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = x.py();
        let points = arrays::numbers(x)?;
        let points = arrays::numbers(&arrays::numpy(py, "ascontiguousarray")?.call1((&*points,))?)?;
        let (shape, dimension) = (arrays::shape_of(&points), self.dimension());
        let Some((&last, outer)) = shape.split_last().filter(|&(&last, _)| last == dimension) else {
            return Err(PyValueError::new_err(format!(
                "x: expected {dimension} numbers in the last axis, found the shape {shape:?}"
            )));
        };
        let numbers = points.as_slice()?;
        let own = &self.distribution;
        let values = arrays::filled(py, outer, numbers.chunks(last).map(|x| own.ln_pdf(x)))?;
        arrays::shaped(py, values, outer)
    }

    /// The density; as of `logpdf`.
    fn pdf<'py>(&self, x: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let values = self.logpdf(x)?;
        arrays::numpy(x.py(), "exp")?.call1((values,))
    }

    /// Draws.
    ///
    /// Parameters
    /// ----------
    /// size : int or tuple of int, optional
    ///     How many.
    /// random_state : int, numpy.random.Generator, numpy.random.RandomState, optional
    ///     An integer gives the same draws as the command line with this seed; nothing, others every time.
    ///
    /// Returns
    /// -------
    /// ndarray, shape (\*size, k)
    #[pyo3(signature = (size=None, random_state=None))]
    fn rvs<'py>(
        &self,
        py: Python<'py>,
        size: Option<&Bound<'py, PyAny>>,
        random_state: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut shape = arrays::size(size)?;
        let mut rng = generator(py, random_state)?;
        shape.push(self.dimension());
        let own = &self.distribution;
        let draws = (0..).flat_map(|_: u64| own.sample(&mut rng));
        let draws = arrays::filled(py, &shape, draws)?;
        arrays::shaped(py, draws, &shape)
    }

    /// The mean, shape (k,).
    fn mean<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.vector(py, self.distribution.mean())
    }

    /// The point of the largest density, shape (k,); nan if there is none or more than one.
    fn mode<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.vector(py, self.distribution.mode())
    }

    /// The covariance matrix, shape (k, k); nan where there is none.
    fn cov<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let dimension = self.dimension();
        let values = self.distribution.covariance().map(|matrix| matrix.as_slice().to_vec());
        let values = values.unwrap_or_else(|| vec![f64::NAN; dimension * dimension]);
        arrays::shaped(py, values, &[dimension, dimension])
    }

    /// The variance of each coordinate, shape (k,).
    fn var<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let diagonal =
            |matrix: posterior_dist::math::linalg::DMatrix<f64>| matrix.diagonal().as_slice().to_vec();
        self.vector(py, self.distribution.covariance().map(diagonal))
    }

    /// The entropy in nats.
    fn entropy(&self) -> f64 {
        self.distribution.entropy().unwrap_or(f64::NAN)
    }
}
