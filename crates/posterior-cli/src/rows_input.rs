//! Rows of numbers from a table, with the groups that are known of them.

use posterior::datasets::tables;
use posterior::math::linalg::DMatrix;
use posterior::math::streaming::MeanVariance;

use crate::failure::Failure;
use crate::table::Table;

/// Rows, as they are fitted.
#[derive(Debug)]
pub(crate) struct Rows {
    /// How the data are called in messages.
    pub(crate) source: String,
    pub(crate) names: Vec<String>,
    /// NaN where a value is missing.
    pub(crate) values: DMatrix<f64>,
    /// What each column was divided by.
    pub(crate) scales: Vec<f64>,
    pub(crate) groups: Option<Groups>,
}

/// The known group of each row.
#[derive(Debug)]
pub(crate) struct Groups {
    pub(crate) column: String,
    pub(crate) names: Vec<String>,
    /// The place of each row's group among the names.
    pub(crate) each: Vec<usize>,
}

impl Rows {
    /// The columns with these names, or all that are numbers; groups by the column `label`, which is none of these.
    pub(crate) fn of_table(
        table: &Table,
        columns: &[String],
        label: Option<&String>,
    ) -> Result<Self, Failure> {
        let names: Vec<String> = if columns.is_empty() {
            let others = table.header().iter().filter(|&name| Some(name) != label);
            others.filter(|name| table.is_numeric(name)).cloned().collect()
        } else {
            columns.to_vec()
        };
        if names.is_empty() {
            let message = format!("{}: no column of numbers but the label", table.source);
            return Err(Failure::data(message)
                .with_hint("--x names the columns, and then says what is wrong with them"));
        }
        let mut values = Vec::with_capacity(names.len() * table.len());
        for name in &names {
            values.extend(table.numbers(name)?.into_iter().map(|cell| cell.unwrap_or(f64::NAN)));
        }
        let groups = label.map(|column| {
            let (names, each) = table.classes(column)?;
            Ok::<_, Failure>(Groups { column: column.clone(), names, each })
        });
        Ok(Self {
            source: table.source.clone(),
            values: DMatrix::from_vec(table.len(), names.len(), values),
            scales: vec![1.0; names.len()],
            names,
            groups: groups.transpose()?,
        })
    }

    /// A table of the program itself.
    pub(crate) fn embedded(table: &tables::Table) -> Self {
        let names: Vec<String> = table.columns.iter().map(|&name| name.to_owned()).collect();
        Self {
            source: table.title.to_owned(),
            values: DMatrix::from_row_slice(table.rows().len(), names.len(), table.values),
            scales: vec![1.0; names.len()],
            names,
            groups: table.labels.as_ref().map(|labels| Groups {
                column: labels.name.to_owned(),
                names: labels.classes.iter().map(|&name| name.to_owned()).collect(),
                each: labels.each.iter().map(|&class| usize::from(class)).collect(),
            }),
        }
    }

    /// Each column over its standard deviation; one that has none stays as it is.
    pub(crate) fn scaled(mut self) -> Self {
        for (column, scale) in self.scales.iter_mut().enumerate() {
            let all = self.values.column(column);
            let there: MeanVariance = all.iter().copied().filter(|value| !value.is_nan()).collect();
            let deviation = there.sample_variance().sqrt();
            // Of equal numbers the mean may differ from them in the last place.
            if deviation > 4.0 * f64::EPSILON * there.mean().abs() && deviation.is_finite() {
                *scale = deviation;
                self.values.column_mut(column).unscale_mut(deviation);
            }
        }
        self
    }

    /// Whether a value is missing somewhere.
    pub(crate) fn incomplete(&self) -> bool {
        self.values.iter().any(|value| value.is_nan())
    }

    /// What the scales add to ln p of the data, in the units of the table.
    pub(crate) fn ln_jacobian(&self) -> f64 {
        let there =
            |column: usize| self.values.column(column).iter().filter(|value| !value.is_nan()).count() as f64;
        -self.scales.iter().enumerate().map(|(column, scale)| there(column) * scale.ln()).sum::<f64>()
    }
}
