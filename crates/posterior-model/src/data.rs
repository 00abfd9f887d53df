//! Data: names with numbers, lists, and lists of lists, which become values of declared shapes.

mod r_dump;

use serde_json::{Map, Number, Value as Json};

use crate::fault::{Fault, ModelError};
use crate::value::{Elem, Num, Shape, Value};

/// Values by name: what a program gets as data, or starts from.
///
/// ```
/// use posterior_model::StanData;
///
/// let mut data = StanData::from_json(r#"{"K": 2}"#)?;
/// data.insert_numbers("y", &[1.0, 2.5])?;
/// data.insert_json("n", "[[1, 2], [3, 4]]")?;
/// assert_eq!(data.names().collect::<Vec<_>>(), ["K", "n", "y"]);
///
/// // What R writes by `dump`: the matrix is by columns.
/// let dumped = StanData::from_r_dump("K <- 2\nn <- structure(c(1, 3, 2, 4), .Dim = c(2, 2))\ny <- c(1, 2.5)")?;
/// assert_eq!(dumped, data);
/// # Ok::<(), posterior_model::ModelError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StanData(Map<String, Json>);

impl StanData {
    /// The members of one JSON object, as CmdStan reads them; nothing of an empty text.
    ///
    /// # Errors
    /// A text that is not one object.
    pub fn from_json(text: &str) -> Result<Self, ModelError> {
        if text.trim().is_empty() {
            return Ok(Self::default());
        }
        match serde_json::from_str(text) {
            Ok(Json::Object(map)) => Ok(Self(map)),
            Ok(_) => Err(ModelError::plain("expected one object of JSON, whose members are the variables")),
            Err(error) => Err(ModelError::plain(format!("expected one object of JSON: {error}"))),
        }
    }

    /// The assignments of an R dump: numbers, `c(...)`, `1:10`, `structure(..., .Dim = ...)`, and what older
    /// versions of RStan wrote (`integer(0)`, `3L`, quoted names).
    ///
    /// # Errors
    /// What is none of these, with its line.
    pub fn from_r_dump(text: &str) -> Result<Self, ModelError> {
        r_dump::read(text).map(Self)
    }

    /// Adds an array of numbers.
    ///
    /// # Errors
    /// A name that is there already.
    pub fn insert_numbers(&mut self, name: &str, numbers: &[f64]) -> Result<(), ModelError> {
        self.insert(name, Json::Array(numbers.iter().map(|&x| number(x)).collect()))
    }

    /// Adds what JSON says: a number, a list, lists of lists.
    ///
    /// # Errors
    /// A name that is there already; a text that is no JSON.
    pub fn insert_json(&mut self, name: &str, text: &str) -> Result<(), ModelError> {
        let value = serde_json::from_str(text)
            .map_err(|error| ModelError::plain(format!("`{name}` cannot be read as JSON: {error}")))?;
        self.insert(name, value)
    }

    fn insert(&mut self, name: &str, value: Json) -> Result<(), ModelError> {
        if self.contains(name) {
            return Err(ModelError::plain(format!("`{name}` has a value already")));
        }
        self.0.insert(name.to_owned(), value);
        Ok(())
    }

    /// The names, in alphabetical order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// The numbers of a list; none of a single value, or where something in the list is not a number.
    pub fn numbers(&self, name: &str) -> Option<Vec<f64>> {
        let Json::Array(list) = self.0.get(name)? else { return None };
        list.iter().map(Json::as_f64).collect()
    }

    /// Whether the name has a value.
    pub fn contains(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }
}

/// A number; those that JSON does not have by their names, whole ones without a point.
fn number(x: f64) -> Json {
    if x.fract() == 0.0 && x.abs() < 9e15 {
        return Json::from(x as i64);
    }
    match Number::from_f64(x) {
        Some(number) => Json::Number(number),
        None if x.is_nan() => Json::from("NaN"),
        None => Json::from(if x > 0.0 { "Inf" } else { "-Inf" }),
    }
}

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

/// The value of a declared variable, which is like this one but for its numbers.
///
/// # Errors
/// A variable that is missing or has other sizes; a number that is not an integer where one is wanted.
pub(crate) fn read(data: &StanData, name: &str, like: &Value) -> Result<Value, Fault> {
    match data.0.get(name) {
        Some(json) => value(json, name, like),
        None if like.nums().is_empty() => Ok(like.clone()),
        None => Err(Fault::new(format!("the data have no variable `{name}`"))),
    }
}

/// Tuples are objects, whose members have their numbers as names; complex numbers are lists of two.
fn value(json: &Json, name: &str, like: &Value) -> Result<Value, Fault> {
    let (shape, int) = (like.shape(), like.is_int());
    let mut sizes = shape.sizes();
    match like {
        Value::Tuple(members) => {
            let member = |(at, like): (usize, &Value)| {
                let own = (at + 1).to_string();
                let wanted = members.len();
                let json = json.get(&own).ok_or_else(|| {
                    Fault::new(format!(
                        "`{name}` is a tuple: an object is wanted, with members \"1\" to \"{wanted}\""
                    ))
                })?;
                value(json, &format!("{name}.{own}"), like)
            };
            return Ok(Value::Tuple(members.iter().enumerate().map(member).collect::<Result<_, _>>()?));
        }
        Value::List(all) => {
            let given = json.as_array().filter(|given| given.len() == all.len());
            let given =
                given.ok_or_else(|| Fault::new(format!("`{name}` is declared with {} tuples", all.len())))?;
            let each = given.iter().zip(all).map(|(json, like)| value(json, name, like));
            return Ok(Value::List(each.collect::<Result<_, _>>()?));
        }
        Value::Complex(_) => sizes.push(2),
        _ => {}
    }
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
    let part = |numbers: &[f64]| {
        Value::tensor(shape.clone(), by_columns(&shape, numbers).into_iter().map(Num::C).collect())
    };
    if like.is_complex() {
        let [real, imaginary]: [Vec<f64>; 2] =
            [0, 1].map(|at| numbers.iter().skip(at).step_by(2).copied().collect());
        return Ok(Value::complex(part(&real), part(&imaginary)));
    }
    Ok(part(&numbers))
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
