//! A fitted model of a series, as `model.json` holds it: the rows that it has seen, and the parameters.

use posterior::table::DataFrame;
use serde::{Deserialize, Serialize};

use super::series_input::Input;
use super::specification::Smoothing;
use crate::output::shortest;

pub(super) const AREA: &str = "series";

/// What `series smooth` leaves for `series forecast`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Model {
    /// A sum of components.
    pub(super) components: String,
    pub(super) date_form: Option<String>,
    source: String,
    /// The column of the times, then those of the values.
    names: Vec<String>,
    rows: Vec<Vec<String>>,
    /// Of each column of values: `NAME=NUMBER`.
    pub(super) parameters: Vec<Vec<String>>,
}

impl Model {
    pub(super) fn of(model: &str, date_form: Option<&str>, input: &Input, all: &[Smoothing]) -> Self {
        let (names, rows) = input.cells();
        let parameters = all.iter().map(|own| {
            let text = own.parameters.iter().map(|own| format!("{}={}", own.name, shortest(own.value)));
            text.collect()
        });
        Self {
            components: model.to_owned(),
            date_form: date_form.map(str::to_owned),
            source: input.source.clone(),
            names,
            rows,
            parameters: parameters.collect(),
        }
    }

    /// The rows that the model has seen; else why there are none.
    pub(super) fn table(&self) -> Result<DataFrame, &'static str> {
        let columns = self.names.len();
        if self.rows.is_empty() || columns != self.parameters.len() + 1 {
            return Err("it has no rows, or no parameters of a column");
        }
        if self.rows.iter().any(|row| row.len() != columns) {
            return Err("a row has other cells than there are columns");
        }
        Ok(DataFrame::of_cells(&self.source, &self.names, &self.rows))
    }
}
