//! Seeds.

use posterior_dist::rand_pcg::Pcg64;
use posterior_dist::stream::stream;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyInt;

/// A seed: an integer is one; nothing asks the operating system; a generator of NumPy draws one.
pub(crate) fn seed(py: Python<'_>, random_state: Option<&Bound<'_, PyAny>>) -> PyResult<u64> {
    let Some(state) = random_state else {
        return py.import("secrets")?.call_method1("randbits", (64,))?.extract();
    };
    if state.is_instance_of::<PyInt>() || state.hasattr("__index__")? {
        let wrong = |_| PyValueError::new_err(format!("random_state: expected 0 to 2^64 - 1, found {state}"));
        return state.extract().map_err(wrong);
    }
    for method in ["integers", "randint"] {
        if state.hasattr(method)? {
            return state.call_method1(method, (1_u64 << 31,))?.extract();
        }
    }
    let kind = state.get_type().name()?;
    Err(PyTypeError::new_err(format!(
        "random_state: expected None, an integer or a generator of NumPy, found {kind}"
    )))
}

/// The generator of this seed, as the command line has it.
pub(crate) fn generator(py: Python<'_>, random_state: Option<&Bound<'_, PyAny>>) -> PyResult<Pcg64> {
    Ok(stream(seed(py, random_state)?, &[]))
}
