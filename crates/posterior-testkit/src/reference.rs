//! The reference tables: numbers with 30 digits, computed with mpmath (`tables/README.md` says how).

use std::fs::File;
use std::io::Read;
use std::path::PathBuf;

use flate2::read::GzDecoder;
use serde_json::Value;

/// The table `name`, for example `special/ln_gamma`.
///
/// # Panics
/// If there is no such table.
#[track_caller]
pub fn load(name: &str) -> Value {
    let path = [env!("CARGO_MANIFEST_DIR"), "tables", &format!("{name}.json.gz")].iter().collect::<PathBuf>();
    let mut text = String::new();
    File::open(&path)
        .and_then(|file| GzDecoder::new(file).read_to_string(&mut text))
        .unwrap_or_else(|error| fail(&format!("{}: {error}", path.display())));
    serde_json::from_str(&text).unwrap_or_else(|error| fail(&format!("{}: {error}", path.display())))
}

/// One row of a table of a special function.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// The arguments, in the table's order.
    pub arguments: Vec<Value>,
    /// The value, rounded to the nearest f64.
    pub value: f64,
}

impl Case {
    /// Argument `index` as a number.
    #[track_caller]
    pub fn number(&self, index: usize) -> f64 {
        number(&self.arguments[index])
    }

    /// Argument `index` as a count.
    #[track_caller]
    pub fn count(&self, index: usize) -> u64 {
        count(&self.arguments[index])
    }

    /// Argument `index` as a list of numbers.
    #[track_caller]
    pub fn numbers(&self, index: usize) -> Vec<f64> {
        numbers(&self.arguments[index])
    }

    /// Argument `index` as a list of counts.
    #[track_caller]
    pub fn counts(&self, index: usize) -> Vec<u64> {
        counts(&self.arguments[index])
    }
}

/// The rows of the table `special/name`.
#[track_caller]
pub fn special_cases(name: &str) -> Vec<Case> {
    let table = load(&format!("special/{name}"));
    list(&table["cases"])
        .iter()
        .map(|case| Case { arguments: list(&case["in"]).to_vec(), value: number(&case["value"]) })
        .collect()
}

/// The cases of the table `distributions/name`.
#[track_caller]
pub fn distribution_cases(name: &str) -> Vec<Value> {
    list(&load(&format!("distributions/{name}"))["cases"]).to_vec()
}

/// A decimal string or an integer, rounded to the nearest f64: beyond the range it is infinite or zero.
///
/// # Panics
/// If `value` is neither.
#[track_caller]
pub fn number(value: &Value) -> f64 {
    let parsed = match value {
        Value::String(text) => text.parse().ok(),
        Value::Number(number) => number.as_f64(),
        _ => None,
    };
    parsed.unwrap_or_else(|| fail(&format!("not a number: {value}")))
}

/// As [`number`], and `None` for `null`: does not exist, is not unique, or is not tabulated.
#[track_caller]
pub fn optional_number(value: &Value) -> Option<f64> {
    (!value.is_null()).then(|| number(value))
}

/// A non-negative integer.
#[track_caller]
pub fn count(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| fail(&format!("not a count: {value}")))
}

/// A list of numbers.
#[track_caller]
pub fn numbers(value: &Value) -> Vec<f64> {
    list(value).iter().map(number).collect()
}

/// A list of counts.
#[track_caller]
pub fn counts(value: &Value) -> Vec<u64> {
    list(value).iter().map(count).collect()
}

/// A matrix, as its rows.
#[track_caller]
pub fn rows(value: &Value) -> Vec<Vec<f64>> {
    list(value).iter().map(numbers).collect()
}

/// The elements of a list.
///
/// # Panics
/// If `value` is not a list.
#[track_caller]
pub fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| fail(&format!("not a list: {value}")))
}

#[track_caller]
#[expect(clippy::panic, reason = "a broken table fails the test that reads it")]
fn fail(message: &str) -> ! {
    panic!("reference table: {message}")
}
