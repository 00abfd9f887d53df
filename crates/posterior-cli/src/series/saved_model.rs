//! A fitted model of a series, as `model.json` holds it: the rows that it has seen, and the parameters.

use posterior::table::DataFrame;
use serde::{Deserialize, Serialize};

use super::calendar::Calendar;
use super::candidates::is_gaussian;
use super::parameter_points::ParameterPoint;
use super::series_input::{Input, Trials};
use super::specification::Smoothing;
use super::transform::Transform;
use crate::args::SeriesLikelihood;
use crate::output::shortest;

pub(super) const AREA: &str = "series";

/// What `series smooth` leaves for `series forecast`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Model {
    pub(super) date_form: Option<String>,
    source: String,
    /// The column of the times, then those of the values and of the regressors.
    names: Vec<String>,
    rows: Vec<Vec<String>>,
    pub(super) regressors: Vec<String>,
    /// Of binomial values: a number, or the last of the columns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) trials: Option<String>,
    pub(super) calendar: Calendar,
    /// Of each column of values.
    pub(super) columns: Vec<ColumnModel>,
}

/// The model of a column.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ColumnModel {
    /// A sum of components.
    pub(super) components: String,
    pub(super) transform: Transform,
    #[serde(default, skip_serializing_if = "is_gaussian")]
    pub(super) likelihood: SeriesLikelihood,
    /// `NAME=NUMBER`.
    pub(super) parameters: Vec<String>,
    /// What is not known of them.
    pub(super) points: Vec<ParameterPoint>,
}

impl Model {
    pub(super) fn of(
        date_form: Option<&str>,
        input: &Input,
        rows_seen: usize,
        calendar: &Calendar,
        all: &[Smoothing],
    ) -> Self {
        let (names, mut rows) = input.cells();
        rows.truncate(rows_seen);
        let column = |own: &Smoothing| {
            let parameter = own.parameters.iter().map(|own| format!("{}={}", own.name, shortest(own.value)));
            ColumnModel {
                components: own.model.clone(),
                transform: own.transform,
                likelihood: own.likelihood,
                parameters: parameter.collect(),
                points: own.points.clone(),
            }
        };
        Self {
            date_form: date_form.map(str::to_owned),
            source: input.source.clone(),
            names,
            rows,
            regressors: input.regressors.iter().map(|own| own.name.clone()).collect(),
            trials: input.trials.as_ref().map(Trials::text),
            calendar: calendar.clone(),
            columns: all.iter().map(column).collect(),
        }
    }

    /// The rows that the model has seen; else why there are none.
    pub(super) fn table(&self) -> Result<DataFrame, &'static str> {
        let columns = self.names.len();
        let trials = usize::from(self.trials.as_ref().is_some_and(|own| own.parse::<u64>().is_err()));
        if self.rows.is_empty() || columns != self.columns.len() + self.regressors.len() + trials + 1 {
            return Err("it has no rows, or no parameters of a column");
        }
        if self.rows.iter().any(|row| row.len() != columns) {
            return Err("a row has other cells than there are columns");
        }
        Ok(DataFrame::of_cells(&self.source, &self.names, &self.rows))
    }
}
