//! Rows from a table, and the groups that are known of them.

use posterior::datasets::tables::OLD_FAITHFUL;
use posterior::math::linalg::DMatrix;
use posterior::math::streaming::MeanVariance;

use crate::args::ClusterFit;
use crate::failure::Failure;
use crate::table::Table;

/// Rows, as they are and as they are fitted.
#[derive(Debug)]
pub(super) struct Data {
    /// How the data are called in messages.
    pub(super) source: String,
    pub(super) names: Vec<String>,
    /// NaN where a value is missing.
    pub(super) values: DMatrix<f64>,
    /// What each column was divided by.
    pub(super) scales: Vec<f64>,
    pub(super) known: Option<Known>,
}

/// Groups that were known before.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) name: String,
    pub(super) labels: Vec<String>,
    /// The place of each row's label.
    pub(super) of_row: Vec<usize>,
}

impl Data {
    /// Reads what the options ask for, or takes the embedded table.
    pub(super) fn read(args: &ClusterFit) -> Result<Self, Failure> {
        let data = match &args.data {
            Some(path) => Self::of_table(&Table::read(path)?, args)?,
            None => Self::embedded(args)?,
        };
        Ok(if args.scale { data.scaled() } else { data })
    }

    fn embedded(args: &ClusterFit) -> Result<Self, Failure> {
        if !args.x.is_empty() || args.label.is_some() {
            let message = "--x and --label speak of a table: name it after `cluster fit`";
            return Err(Failure::Usage(message.to_owned()));
        }
        let names: Vec<String> = OLD_FAITHFUL.columns.iter().map(|&name| name.to_owned()).collect();
        let rows = OLD_FAITHFUL.rows().len();
        Ok(Self {
            source: OLD_FAITHFUL.title.to_owned(),
            values: DMatrix::from_row_slice(rows, names.len(), OLD_FAITHFUL.values),
            scales: vec![1.0; names.len()],
            names,
            known: None,
        })
    }

    fn of_table(table: &Table, args: &ClusterFit) -> Result<Self, Failure> {
        let names: Vec<String> = if args.x.is_empty() {
            let others = table.header().iter().filter(|&name| Some(name) != args.label.as_ref());
            others.filter(|name| table.is_numeric(name)).cloned().collect()
        } else {
            args.x.clone()
        };
        if names.is_empty() {
            let message = format!("{}: no column of numbers but the label", table.source);
            return Err(Failure::data(message));
        }
        let mut columns = Vec::with_capacity(names.len());
        for name in &names {
            columns.extend(table.numbers(name)?.into_iter().map(|cell| cell.unwrap_or(f64::NAN)));
        }
        let known = args.label.as_ref().map(|name| Known::read(table, name)).transpose()?;
        Ok(Self {
            source: table.source.clone(),
            values: DMatrix::from_vec(table.len(), names.len(), columns),
            scales: vec![1.0; names.len()],
            names,
            known,
        })
    }

    /// Each column over its standard deviation; a constant one stays as it is.
    fn scaled(mut self) -> Self {
        for (column, scale) in self.scales.iter_mut().enumerate() {
            let all = self.values.column(column);
            let there: MeanVariance = all.iter().copied().filter(|value| !value.is_nan()).collect();
            let deviation = there.sample_variance().sqrt();
            *scale = if deviation > 0.0 { deviation } else { 1.0 };
            self.values.column_mut(column).unscale_mut(*scale);
        }
        self
    }

    /// Whether a value is missing somewhere.
    pub(super) fn incomplete(&self) -> bool {
        self.values.iter().any(|value| value.is_nan())
    }

    /// What the scales add to ln p of the data, in the units of the table.
    pub(super) fn ln_jacobian(&self) -> f64 {
        let there =
            |column: usize| self.values.column(column).iter().filter(|value| !value.is_nan()).count() as f64;
        -self.scales.iter().enumerate().map(|(column, scale)| there(column) * scale.ln()).sum::<f64>()
    }

    /// A value in the units of the table.
    pub(super) fn in_units(&self, column: usize, value: f64) -> f64 {
        value * self.scales[column]
    }
}

impl Known {
    fn read(table: &Table, name: &str) -> Result<Self, Failure> {
        let (labels, of_row) = table.classes(name)?;
        Ok(Self { name: name.to_owned(), labels, of_row })
    }
}
