//! An input of a study: its name and its values.

use posterior::decision::optimization::Axis;
use posterior::table::listed;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::output::{shortest, significant};

/// An input, as it stands in the file of the study: exactly one kind of values.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    pub(super) name: String,
    /// Any number between two.
    #[serde(skip_serializing_if = "Option::is_none")]
    real: Option<[f64; 2]>,
    /// A positive number of which factors count.
    #[serde(skip_serializing_if = "Option::is_none")]
    log: Option<[f64; 2]>,
    /// A whole number.
    #[serde(skip_serializing_if = "Option::is_none")]
    integer: Option<[i64; 2]>,
    /// One of these words.
    #[serde(skip_serializing_if = "Option::is_none")]
    category: Option<Vec<String>>,
}

impl Input {
    /// From `NAME=LOW:HIGH`, `NAME=log:LOW:HIGH`, `NAME=integer:LOW:HIGH` or `NAME=A,B,C`.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        const FORMS: &str =
            "expected NAME=LOW:HIGH, NAME=log:LOW:HIGH, NAME=integer:LOW:HIGH, or words NAME=A,B,C";
        let (name, values) = text.split_once('=').ok_or(FORMS)?;
        let mut input = Self { name: name.to_owned(), real: None, log: None, integer: None, category: None };
        let parts: Vec<&str> = values.split(':').collect();
        let real = |low: &str, high: &str| match [low, high].map(str::parse) {
            [Ok(low), Ok(high)] => Ok(Some([low, high])),
            _ => Err(FORMS.to_owned()),
        };
        match parts[..] {
            ["log", low, high] => input.log = real(low, high)?,
            ["integer", low, high] => match [low, high].map(str::parse) {
                [Ok(low), Ok(high)] => input.integer = Some([low, high]),
                _ => return Err("expected NAME=integer:LOW:HIGH with two whole numbers".to_owned()),
            },
            [low, high] => input.real = real(low, high)?,
            [words] if words.contains(',') => {
                input.category = Some(words.split(',').map(str::to_owned).collect());
            }
            _ => return Err(FORMS.to_owned()),
        }
        Ok(input)
    }

    /// Its axis, if the file says one.
    pub(super) fn axis(&self) -> Result<Axis, String> {
        let mut axes = Vec::new();
        axes.extend(self.real.map(|[lower, upper]| Axis::Real { lower, upper }));
        axes.extend(self.log.map(|[lower, upper]| Axis::Log { lower, upper }));
        axes.extend(self.integer.map(|[lower, upper]| Axis::Integer { lower, upper }));
        axes.extend(self.category.as_ref().map(|words| Axis::Category { count: words.len() }));
        let [axis] = axes[..] else {
            return Err("expected one of real, log, integer and category".to_owned());
        };
        if self.name.trim().is_empty() || ["trial", "outcome", "failed"].contains(&self.name.as_str()) {
            return Err("expected a name, and another one than trial, outcome and failed".to_owned());
        }
        let words = self.category.as_deref().unwrap_or_default();
        match words.iter().enumerate().find(|(place, word)| words[..*place].contains(word)) {
            Some((_, twice)) => Err(format!("{twice:?} is there twice")),
            None if words.iter().any(|word| word.trim().is_empty()) => Err("a word is empty".to_owned()),
            None => Ok(axis),
        }
    }

    /// Whether sums can be made of its values.
    pub(super) const fn is_number(&self) -> bool {
        self.category.is_none()
    }

    /// Its words, if it has words.
    pub(super) fn words(&self) -> &[String] {
        self.category.as_deref().unwrap_or_default()
    }

    /// Whether factors count.
    pub(super) const fn is_log(&self) -> bool {
        self.log.is_some()
    }

    /// Values all over it: all of few, else so many.
    pub(super) fn grid(&self, points: usize) -> Vec<f64> {
        let parts = |place: usize| place as f64 / (points - 1) as f64;
        let between = |[low, high]: [f64; 2]| (0..points).map(move |place| low + (high - low) * parts(place));
        if let Some([low, high]) = self.integer {
            let mut all: Vec<f64> = between([low as f64, high as f64]).map(f64::round).collect();
            all.dedup();
            all
        } else if let Some(limits) = self.log {
            between(limits.map(f64::ln)).map(|own| own.exp().clamp(limits[0], limits[1])).collect()
        } else if let Some(limits) = self.real {
            between(limits).map(|own| own.clamp(limits[0], limits[1])).collect()
        } else {
            (0..self.words().len()).map(|place| place as f64).collect()
        }
    }

    /// What its values are.
    pub(super) fn values(&self) -> String {
        let between = |[low, high]: [f64; 2]| format!("{} to {}", shortest(low), shortest(high));
        match (self.real.or(self.log), self.integer) {
            (Some(limits), _) if self.is_log() => format!("{}, by factors", between(limits)),
            (Some(limits), _) => between(limits),
            (None, Some([low, high])) => format!("whole, {low} to {high}"),
            (None, None) => listed(self.words()),
        }
    }

    /// A coordinate as text, exact.
    pub(super) fn text(&self, coordinate: f64) -> String {
        match &self.category {
            Some(words) => words[coordinate as usize].clone(),
            None => shortest(coordinate),
        }
    }

    /// A coordinate as text to four significant digits, a whole number exact.
    pub(super) fn short(&self, coordinate: f64) -> String {
        if self.real.is_some() || self.log.is_some() {
            significant(coordinate)
        } else {
            self.text(coordinate)
        }
    }

    /// A coordinate as JSON.
    pub(super) fn json(&self, coordinate: f64) -> Value {
        match &self.category {
            Some(words) => words[coordinate as usize].clone().into(),
            None if self.integer.is_some() => (coordinate as i64).into(),
            None => coordinate.into(),
        }
    }

    /// The coordinate of a text.
    pub(super) fn coordinate(&self, text: &str) -> Option<f64> {
        match &self.category {
            Some(words) => words.iter().position(|word| word == text).map(|place| place as f64),
            None => text.trim().parse().ok(),
        }
    }

    /// The coordinate of a value in JSON.
    pub(super) fn coordinate_of(&self, value: &Value) -> Option<f64> {
        match value {
            Value::String(text) => self.category.as_ref().and_then(|_| self.coordinate(text)),
            Value::Number(number) => number.as_f64().filter(|_| self.category.is_none()),
            _ => None,
        }
    }
}
