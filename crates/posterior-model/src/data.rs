//! Data in Stan's JSON: nested lists become values of declared shapes.

use serde_json::{Map, Value as Json};

use crate::fault::Fault;
use crate::value::{Elem, Num, Shape, Value};

/// Numbers of a nested list, with its sizes.
fn flatten(json: &Json, depth: usize, sizes: &mut Vec<usize>, out: &mut Vec<f64>) -> Result<(), Fault> {
    let special = |text: &str| match text {
        "NaN" => Some(f64::NAN),
        "Inf" | "+Inf" | "Infinity" | "+Infinity" => Some(f64::INFINITY),
        "-Inf" | "-Infinity" => Some(f64::NEG_INFINITY),
        _ => None,
    };
    match json {
        Json::Array(list) => {
            if sizes.len() == depth {
                sizes.push(list.len());
            } else if sizes[depth] != list.len() {
                return Err(Fault::new(format!("lists of {} and of {} members", sizes[depth], list.len())));
            }
            list.iter().try_for_each(|one| flatten(one, depth + 1, sizes, out))
        }
        Json::Number(number) => {
            out.push(number.as_f64().unwrap_or(f64::NAN));
            Ok(())
        }
        Json::Bool(yes) => {
            out.push(f64::from(*yes));
            Ok(())
        }
        Json::String(text) => {
            out.push(
                special(text).ok_or_else(|| Fault::new(format!("the text \"{text}\" is not a number")))?,
            );
            Ok(())
        }
        _ => Err(Fault::new("a number or a list of numbers is wanted")),
    }
}

/// The value of a declared variable.
///
/// # Errors
/// A variable that is missing or has other sizes; a number that is not an integer where one is wanted.
pub(crate) fn read(data: &Map<String, Json>, name: &str, shape: &Shape, int: bool) -> Result<Value, Fault> {
    let sizes = shape.sizes();
    let Some(json) = data.get(name) else {
        if shape.len() == 0 {
            return Ok(empty(shape, int));
        }
        return Err(Fault::new(format!("the data have no variable `{name}`")));
    };
    let (mut given, mut numbers) = (vec![], vec![]);
    flatten(json, 0, &mut given, &mut numbers)
        .map_err(|fault| Fault::new(format!("`{name}`: {}", fault.message)))?;
    let both_empty = shape.len() == 0 && numbers.is_empty();
    if given != sizes && !both_empty {
        let describe = |sizes: &[usize]| {
            if sizes.is_empty() { "one number".to_owned() } else { format!("sizes {sizes:?}") }
        };
        let message =
            format!("`{name}` is declared with {}, the data have {}", describe(&sizes), describe(&given));
        return Err(Fault::new(message));
    }
    if int {
        if let Some(other) = numbers.iter().find(|x| x.fract() != 0.0 || !x.is_finite()) {
            return Err(Fault::new(format!("`{name}` is declared as integer, the data have {other}")));
        }
        return Ok(Value::ints(sizes, numbers.into_iter().map(|x| x as i64).collect()));
    }
    let data = by_columns(shape, &numbers).into_iter().map(Num::C).collect();
    Ok(Value::tensor(shape.clone(), data))
}

fn empty(shape: &Shape, int: bool) -> Value {
    if int { Value::ints(shape.dims.clone(), vec![]) } else { Value::tensor(shape.clone(), vec![]) }
}

/// Row-major numbers in the order of values: matrices by columns.
pub(crate) fn by_columns(shape: &Shape, numbers: &[f64]) -> Vec<f64> {
    let Elem::Matrix(r, c) = shape.elem else { return numbers.to_vec() };
    let mut out = Vec::with_capacity(numbers.len());
    for one in numbers.chunks((r * c).max(1)) {
        for j in 0..c {
            out.extend((0..r).map(|i| one[i * c + j]));
        }
    }
    out
}
