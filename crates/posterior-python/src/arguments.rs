//! What Python passes as parameters and data, in the grammar of distributions.

use posterior_dist::text::{Argument, Call, Form, TextError, Value};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

use crate::arrays;
use crate::distribution::Distribution;

/// A refusal: of a value that is out of range a `ValueError`, of an argument of another kind, or that is not
/// there, a `TypeError`.
pub(crate) fn refused(error: TextError) -> PyErr {
    let is_value = error.param_error().is_some();
    let message = error.to_string();
    if is_value { PyValueError::new_err(message) } else { PyTypeError::new_err(message) }
}

/// A call of a distribution with arguments as Python has them.
pub(crate) fn call(
    name: &str,
    places: &Bound<'_, PyTuple>,
    names: Option<&Bound<'_, PyDict>>,
) -> PyResult<Call> {
    let argument = |(name, value)| Ok(Argument { name, column: 0, value: parameter(&value)? });
    let arguments = values(places, names)?.into_iter().map(argument).collect::<PyResult<_>>()?;
    Ok(Call { name: name.to_owned(), column: 0, arguments })
}

/// A number, a list or array, or a distribution.
fn parameter(value: &Bound<'_, PyAny>) -> PyResult<Value> {
    if let Some(number) = arrays::plain(value) {
        return Ok(number.into());
    }
    if let Ok(distribution) = value.cast::<Distribution>() {
        return Ok(distribution.get().one()?.into());
    }
    let wrong = || {
        let kind = value.get_type();
        PyTypeError::new_err(format!("expected a number, a list or a distribution, found {kind}"))
    };
    if value.is_instance_of::<PyString>() {
        return Err(wrong());
    }
    match value.try_iter() {
        Ok(items) => Ok(Form::List(items.map(|item| parameter(&item?)).collect::<PyResult<_>>()?).into()),
        Err(_) => value.extract::<f64>().map(Value::from).map_err(|_| wrong()),
    }
}

/// Observations: numbers, or rows of numbers.
pub(crate) fn observations(data: &Bound<'_, PyAny>) -> PyResult<Vec<Value>> {
    let numbers = arrays::numbers(data)?;
    let view = numbers.as_array();
    match arrays::shape_of(&numbers)[..] {
        [] | [_] => Ok(view.iter().map(|&x| x.into()).collect()),
        [_, _] => Ok(view
            .outer_iter()
            .map(|row| Value::from(row.iter().copied().collect::<Vec<f64>>().as_slice()))
            .collect()),
        ref shape => Err(PyValueError::new_err(format!(
            "data: expected numbers, or a row for each observation, found the shape {shape:?}"
        ))),
    }
}

/// The name of a parameter, if it was given by name, and its value.
type NamedValue<'py> = (Option<String>, Bound<'py, PyAny>);

/// The values of parameters by place and by name.
fn values<'py>(
    places: &Bound<'py, PyTuple>,
    names: Option<&Bound<'py, PyDict>>,
) -> PyResult<Vec<NamedValue<'py>>> {
    let by_place = places.iter().map(|value| Ok((None, value)));
    let by_name = names.into_iter().flatten().map(|(name, value)| Ok((Some(name.extract()?), value)));
    by_place.chain(by_name).collect()
}

/// Whether a parameter is an array, or a list.
pub(crate) fn some_array(places: &Bound<'_, PyTuple>, names: Option<&Bound<'_, PyDict>>) -> PyResult<bool> {
    let is_array = |value: &Bound<'_, PyAny>| {
        arrays::plain(value).is_none()
            && !value.is_instance_of::<PyString>()
            && value.hasattr("__len__").unwrap_or(false)
    };
    Ok(values(places, names)?.iter().any(|(_, value)| is_array(value)))
}

/// A call for each element of parameters that are broadcast, and their shape.
pub(crate) fn broadcast(
    name: &str,
    places: &Bound<'_, PyTuple>,
    names: Option<&Bound<'_, PyDict>>,
) -> PyResult<(Vec<Call>, Vec<usize>)> {
    let values = values(places, names)?;
    let columns = values.iter().map(|(_, value)| Ok((*arrays::numbers(value)?).clone()));
    let columns = PyTuple::new(places.py(), columns.collect::<PyResult<Vec<_>>>()?)?;
    let together = arrays::numpy(places.py(), "broadcast_arrays")?.call1(columns)?;
    let columns =
        together.try_iter()?.map(|column| arrays::numbers(&column?)).collect::<PyResult<Vec<_>>>()?;
    let shape = columns.first().map(arrays::shape_of).unwrap_or_default();
    let columns: Vec<Vec<f64>> =
        columns.iter().map(|column| column.as_array().iter().copied().collect()).collect();
    let argument = |row: usize, at: usize| Argument {
        name: values[at].0.clone(),
        column: 0,
        value: columns[at][row].into(),
    };
    let call = |row| Call {
        name: name.to_owned(),
        column: 0,
        arguments: (0..columns.len()).map(|at| argument(row, at)).collect(),
    };
    Ok(((0..shape.iter().product()).map(call).collect(), shape))
}

/// The arguments of a call by name.
pub(crate) fn named<'py>(py: Python<'py>, call: &Call) -> PyResult<Bound<'py, PyDict>> {
    let named = PyDict::new(py);
    for argument in &call.arguments {
        named.set_item(argument.name.as_deref().unwrap_or_default(), object(py, &argument.value)?)?;
    }
    Ok(named)
}

fn object<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    match &value.form {
        Form::Number(number) => Ok(number.into_pyobject(py)?.into_any()),
        Form::List(items) => {
            let items = items.iter().map(|item| object(py, item)).collect::<PyResult<Vec<_>>>()?;
            items.into_pyobject(py)
        }
        _ => Ok(value.to_string().into_pyobject(py)?.into_any()),
    }
}
