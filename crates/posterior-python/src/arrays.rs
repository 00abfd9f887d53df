//! Numbers and arrays of NumPy, in and out.

use numpy::{IxDyn, PyArray1, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use posterior_math::linalg::DMatrix;
use pyo3::exceptions::{PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyFloat, PyInt};
use pyo3::{Borrowed, IntoPyObjectExt};

/// Numbers of any shape.
pub(crate) type Numbers<'py> = PyReadonlyArrayDyn<'py, f64>;

/// A function of NumPy.
pub(crate) fn numpy<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    static NUMPY: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let module = NUMPY.get_or_try_init(py, || py.import("numpy").map(Bound::unbind))?;
    module.bind(py).getattr(name)
}

/// Loads the interface of NumPy, which Ctrl-C must not interrupt later, at the first array.
#[pyfunction]
pub(crate) fn load_arrays(py: Python<'_>) -> PyResult<()> {
    shaped(py, Vec::<f64>::new(), &[0]).map(drop)
}

/// A plain number, which needs no array.
pub(crate) fn plain(x: &Bound<'_, PyAny>) -> Option<f64> {
    if let Ok(x) = x.cast::<PyFloat>() {
        return Some(x.value());
    }
    x.is_exact_instance_of::<PyInt>().then(|| x.extract().ok()).flatten()
}

/// What can be an array of real numbers, as float64: without a copy if it is one.
pub(crate) fn numbers<'py>(x: &Bound<'py, PyAny>) -> PyResult<Numbers<'py>> {
    let py = x.py();
    let array = numpy(py, "asarray")?.call1((x,))?;
    let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
    let real = match kind.as_str() {
        "b" | "i" | "u" | "f" => array.call_method("astype", ("float64",), Some(&no_copy(py)?))?,
        // Numbers of Python's own in a column of objects; what is none is refused by NumPy.
        "O" => array.call_method1("astype", ("float64",))?,
        _ => {
            let dtype = array.getattr("dtype")?.str()?;
            return Err(PyTypeError::new_err(format!("expected real numbers, found an array of {dtype}")));
        }
    };
    let real = if real.getattr("flags")?.getattr("aligned")?.is_truthy()? {
        real
    } else {
        real.call_method0("copy")?
    };
    Ok(real.cast_into::<PyArrayDyn<f64>>().map_err(PyErr::from)?.readonly())
}

fn no_copy(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let options = PyDict::new(py);
    options.set_item("copy", false)?;
    Ok(options)
}

/// Values one after another, as many as an array of this shape has, without the lock of the interpreter.
///
/// Where there is no room for so many, this is a `MemoryError`, and the process goes on.
pub(crate) fn filled<T: Send>(
    py: Python<'_>,
    shape: &[usize],
    values: impl Iterator<Item = T> + Send,
) -> PyResult<Vec<T>> {
    let count = shape.iter().try_fold(1_usize, |product, &own| product.checked_mul(own));
    let mut room = Vec::new();
    let has_room = count.is_some_and(|count| room.try_reserve_exact(count).is_ok());
    if !has_room {
        return Err(PyMemoryError::new_err(format!("no room for an array of the shape {shape:?}")));
    }
    py.detach(|| room.extend(values.take(count.unwrap_or_default())));
    Ok(room)
}

/// Calls a function at every number, in the order of rows.
pub(crate) fn mapped(
    py: Python<'_>,
    numbers: &Numbers<'_>,
    f: impl Fn(f64) -> f64 + Sync + Send,
) -> PyResult<Vec<f64>> {
    // Numbers in the order of columns are a slice too, in another order.
    if let (true, Ok(slice)) = (numbers.is_c_contiguous(), numbers.as_slice()) {
        return filled(py, numbers.shape(), slice.iter().map(|&x| f(x)));
    }
    filled(py, numbers.shape(), numbers.as_array().iter().map(|&x| f(x)))
}

/// Values as an array of a shape; of the shape () as a number of Python.
pub(crate) fn shaped<'py, T>(py: Python<'py>, values: Vec<T>, shape: &[usize]) -> PyResult<Bound<'py, PyAny>>
where
    T: numpy::Element + IntoPyObject<'py> + Copy,
{
    match (shape, &values[..]) {
        ([], &[one]) => Ok(one.into_bound_py_any(py)?),
        _ => Ok(PyArray1::from_vec(py, values).reshape(IxDyn(shape))?.into_any()),
    }
}

/// The shape of numbers.
pub(crate) fn shape_of(numbers: &Numbers<'_>) -> Vec<usize> {
    numbers.shape().to_vec()
}

/// `size` of SciPy and NumPy: nothing, a number or a tuple.
pub(crate) fn size(size: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<usize>> {
    let Some(size) = size else { return Ok(Vec::new()) };
    let wrong = |_| PyValueError::new_err(format!("size: expected whole numbers from 0, found {size}"));
    if size.is_instance_of::<PyInt>() || size.hasattr("__index__")? {
        return Ok(vec![size.extract().map_err(wrong)?]);
    }
    size.extract::<Vec<usize>>().map_err(wrong)
}

/// A matrix: a row for each observation.
pub(crate) fn matrix(x: &Bound<'_, PyAny>) -> PyResult<DMatrix<f64>> {
    let numbers = numbers(x)?;
    let view = numbers.as_array();
    match numbers.shape() {
        &[rows, columns] => Ok(DMatrix::from_row_iterator(rows, columns, view.iter().copied())),
        shape => Err(PyValueError::new_err(format!("expected a matrix, found the shape {shape:?}"))),
    }
}

/// Numbers in a row, whatever their shape.
pub(crate) fn vector(x: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
    Ok(numbers(x)?.as_array().iter().copied().collect())
}

/// Whole numbers of an array of integers or a list, without an object of Python for each of an array.
#[derive(Debug)]
pub(crate) struct Whole<T>(pub(crate) Vec<T>);

impl<'py, T: TryFrom<i64>> FromPyObject<'_, 'py> for Whole<T> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let (py, options) = (object.py(), no_copy(object.py())?);
        options.set_item("casting", "same_kind")?;
        let array = numpy(py, "asarray")?.call1((object,))?;
        let array = if array.len()? == 0 { array.call_method1("astype", ("int64",))? } else { array };
        let array = array.call_method("astype", ("int64",), Some(&options))?;
        let array = array.cast_into::<PyArrayDyn<i64>>().map_err(PyErr::from)?.readonly();
        let outside =
            |own| PyValueError::new_err(format!("expected a whole number in its range, found {own}"));
        array
            .as_array()
            .iter()
            .map(|&own| T::try_from(own).map_err(|_| outside(own)))
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

/// Places from 0 on as an array.
pub(crate) fn places<'py>(py: Python<'py>, values: &[usize]) -> Bound<'py, PyAny> {
    PyArray1::from_iter(py, values.iter().map(|&own| own.cast_signed() as i64)).into_any()
}

/// Numbers as an array of one axis.
pub(crate) fn array<'py>(py: Python<'py>, values: &[f64]) -> Bound<'py, PyAny> {
    PyArray1::from_slice(py, values).into_any()
}

/// A matrix as an array, row by row.
pub(crate) fn rows<'py>(py: Python<'py>, matrix: &DMatrix<f64>) -> PyResult<Bound<'py, PyAny>> {
    shaped(py, matrix.transpose().as_slice().to_vec(), &[matrix.nrows(), matrix.ncols()])
}

/// Matrices of one size as an array of three axes.
pub(crate) fn stack<'py>(py: Python<'py>, matrices: &[DMatrix<f64>]) -> PyResult<Bound<'py, PyAny>> {
    let (rows, columns) = matrices.first().map_or((0, 0), DMatrix::shape);
    let values = matrices.iter().flat_map(|own| own.transpose().as_slice().to_vec()).collect();
    shaped(py, values, &[matrices.len(), rows, columns])
}

/// Matrices from an array of three axes.
pub(crate) fn unstack(x: &Bound<'_, PyAny>) -> PyResult<Vec<DMatrix<f64>>> {
    x.try_iter()?.map(|own| matrix(&own?)).collect()
}
