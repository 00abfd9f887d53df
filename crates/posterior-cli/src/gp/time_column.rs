//! A column of dates as the one input.

use posterior::table::{DataFrame, DateScale, TimeUnit};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::failure::Failure;

/// How the dates of a column are numbers.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TimeColumn {
    /// So many units since the first date.
    #[serde(serialize_with = "as_text", deserialize_with = "of_text")]
    pub(super) scale: DateScale,
    /// The form of the dates where it was given.
    form: Option<String>,
}

impl TimeColumn {
    /// The column of this name: its dates as numbers, and how.
    pub(super) fn read(
        table: &DataFrame,
        name: &str,
        form: Option<&str>,
        unit: Option<TimeUnit>,
    ) -> Result<Self, Failure> {
        let numbers = "a column of numbers is named by --x; --date-form gives the form of other dates";
        let column = table.dates(name, form).map_err(|error| Failure::from(error).or(numbers))?;
        let scale = DateScale::of(&column, unit).ok_or_else(|| {
            Failure::data(format!("{}: column {name}: expected dates, all cells are empty", table.source))
        })?;
        Ok(Self { scale, form: form.map(str::to_owned) })
    }

    /// The numbers of the dates of a table.
    pub(super) fn numbers(&self, table: &DataFrame, name: &str) -> Result<Vec<f64>, Failure> {
        let column = table.dates(name, self.form.as_deref())?;
        let number = |(row, moment): (usize, &Option<_>)| match moment {
            Some(moment) => Ok(self.scale.number(*moment)),
            None => Err(table.refused(row, name, "a date").into()),
        };
        column.values.iter().enumerate().map(number).collect()
    }
}

fn as_text<S: Serializer>(scale: &DateScale, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(scale)
}

fn of_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<DateScale, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
}
