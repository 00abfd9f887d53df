//! Rows of numbers from a table, with the groups that are known of them.

use std::path::Path;

use posterior::datasets::tables;
use posterior::math::linalg::DMatrix;
use posterior::math::streaming::MeanVariance;
use posterior::table::{ColumnKind, DataFrame, MemoryLimit, TableFile, listed};
use serde::{Deserialize, Serialize};

use crate::args::{MissingCells, MissingRows, TableArgs};
use crate::complete_rows::complete;
use crate::failure::Failure;
use crate::output::grouped;
use crate::predictions_file::RowKeys;

/// The memory for so many rows of so many columns: as they are read, and as a fit takes and answers them.
pub(crate) fn work(rows: usize, columns: usize) -> u64 {
    (rows as u64).saturating_mul(24 * columns as u64 + 120)
}

/// Refuses what holds so many square matrices of so many columns, if they take more than `--memory` allows.
pub(crate) fn check_squares(
    memory: MemoryLimit,
    what: &str,
    columns: usize,
    squares: usize,
    way_out: &str,
) -> Result<(), Failure> {
    let square = (columns as u64).saturating_mul(columns as u64).saturating_mul(8);
    let what = format!("{what} of {} columns takes", grouped(columns as u64));
    Ok(memory.check(&what, square.saturating_mul(squares as u64), way_out)?)
}

/// Whether there is one value only, but for those that are missing.
pub(crate) fn never_changes<'a>(values: impl IntoIterator<Item = &'a f64>) -> bool {
    let mut there = values.into_iter().filter(|value| !value.is_nan());
    let first = there.next();
    there.all(|value| Some(value) == first)
}

/// What to say of columns of one value only.
pub(crate) fn note_of_constant(names: &[&str]) -> Option<String> {
    match names {
        [] => None,
        [name] => Some(format!("column {name} never changes: nothing is learned from it")),
        all => Some(format!("columns {} never change: nothing is learned from them", listed(all))),
    }
}

/// What to say of columns that name rows, and were left out; `option` names columns.
pub(crate) fn note_of_row_names<S: AsRef<str>>(names: &[S], option: &str) -> Option<String> {
    let note = || format!("left out, as they name rows: {}; {option} takes them in", listed(names));
    (!names.is_empty()).then(note)
}

/// The columns that are numbers, and those that were left out.
#[derive(Debug, Default)]
pub(crate) struct NumericColumns {
    pub(crate) names: Vec<String>,
    /// Columns that name rows.
    pub(crate) row_names: Vec<String>,
    /// What was left out.
    pub(crate) notes: Vec<String>,
}

/// Those of these columns that are numbers; `option` names columns.
pub(crate) fn numeric(
    table: &DataFrame,
    names: Vec<String>,
    option: &str,
) -> Result<NumericColumns, Failure> {
    let instead = format!("{option} names the columns to take");
    let (mut numbers, mut words, mut identifiers, mut empty) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for name in names {
        match table.kind(&name).map_err(|error| Failure::from(error).or(&instead))? {
            ColumnKind::Missing => empty.push(name),
            kind if kind.names_rows() => identifiers.push(name),
            kind if kind.is_numeric() => numbers.push(name),
            _ => words.push(name),
        }
    }
    let note = |names: &[String], why: &str| {
        (!names.is_empty()).then(|| format!("left out, as {why}: {}", listed(names)))
    };
    let notes = [
        note(&words, "they are not numbers"),
        note_of_row_names(&identifiers, option),
        note(&empty, "all cells are missing"),
    ];
    Ok(NumericColumns {
        names: numbers,
        row_names: identifiers,
        notes: notes.into_iter().flatten().collect(),
    })
}

/// How much each row counts: a number that is not negative, and some that are positive.
pub(crate) fn row_weights(table: &DataFrame, name: &str) -> Result<Vec<f64>, Failure> {
    let weights = table.complete_numbers(name)?;
    if let Some(row) = weights.iter().position(|own| *own < 0.0) {
        return Err(table.refused(row, name, "a weight that is not negative").into());
    }
    if weights.iter().all(|own| *own == 0.0) {
        return Err(Failure::data(format!("{}: column {name}: all weights are zero", table.source)));
    }
    Ok(weights)
}

/// Whether the event of each row was seen, by a column of 1 and 0.
pub(crate) fn row_events(table: &DataFrame, name: &str) -> Result<Vec<bool>, Failure> {
    let seen = table.complete_numbers(name)?;
    match seen.iter().position(|own| *own != 0.0 && *own != 1.0) {
        None => Ok(seen.into_iter().map(|own| own == 1.0).collect()),
        Some(row) => Err(table.refused(row, name, "1 where the event was seen, else 0").into()),
    }
}

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
    /// Columns that name rows; they are in `keys`.
    pub(crate) row_names: Vec<String>,
    pub(crate) keys: RowKeys,
    /// What was left out.
    pub(crate) notes: Vec<String>,
    /// What the work on them may take.
    pub(crate) memory: MemoryLimit,
}

/// The columns that a model was fitted to.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ModelColumns {
    pub(crate) names: Vec<String>,
    /// Columns that name rows, which are not fitted.
    row_names: Vec<String>,
    /// What each column was divided by.
    scales: Vec<f64>,
}

impl ModelColumns {
    /// Whether there are so many of them, with a scale each.
    pub(crate) fn are(&self, count: usize) -> bool {
        self.names.len() == count && self.scales.len() == count
    }
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
    /// The columns with these names, or all that are numbers; groups by the column `label`, which is none of
    /// these.
    pub(crate) fn read(
        path: &Path,
        args: &TableArgs,
        columns: &[String],
        label: Option<&String>,
        missing: MissingCells,
    ) -> Result<Self, Failure> {
        let opened = TableFile::open(path, &args.options()?)?;
        let asked: Vec<String> = if columns.is_empty() {
            opened.header().iter().filter(|&name| Some(name) != label).cloned().collect()
        } else {
            columns.to_vec()
        };
        let all: Vec<&String> = asked.iter().chain(label).collect();
        let table = opened.read(&all, |rows| work(rows, asked.len()))?;
        let columns = if columns.is_empty() {
            numeric(&table, asked, "--x")?
        } else {
            NumericColumns { names: asked, ..NumericColumns::default() }
        };
        if columns.names.is_empty() {
            let message = format!("{}: no column of numbers but the label", table.source);
            return Err(Failure::data(message)
                .with_hint("--x names the columns, and then says what is wrong with them"));
        }
        let mut rows = Self::of(table, columns, label, missing)?;
        let constant = note_of_constant(&rows.constant());
        rows.notes.extend(constant);
        Ok(rows)
    }

    /// Rows for a model of such columns, each divided by its scale: the columns, and of those that name rows
    /// the ones that the table has.
    pub(crate) fn for_model(
        path: &Path,
        args: &TableArgs,
        columns: &ModelColumns,
        label: Option<&String>,
        missing: MissingCells,
    ) -> Result<Self, Failure> {
        let opened = TableFile::open(path, &args.options()?)?;
        let ModelColumns { names, row_names, scales } = columns;
        let there = row_names.iter().filter(|name| opened.header().contains(name));
        let all: Vec<&String> = names.iter().chain(there).chain(label).collect();
        let table = opened.read(&all, |rows| work(rows, names.len()))?;
        let own = NumericColumns { names: names.clone(), row_names: row_names.clone(), notes: Vec::new() };
        let mut rows = Self::of(table, own, label, missing)?;
        for (mut column, scale) in rows.values.column_iter_mut().zip(scales) {
            column.unscale_mut(*scale);
        }
        Ok(Self { scales: scales.clone(), ..rows })
    }

    fn of(
        table: DataFrame,
        columns: NumericColumns,
        label: Option<&String>,
        missing: MissingCells,
    ) -> Result<Self, Failure> {
        let NumericColumns { names, row_names, mut notes } = columns;
        let (table, left_out) = match missing {
            MissingCells::Drop => complete(table, &names, MissingRows::Drop)?,
            MissingCells::Error | MissingCells::Integrate => (table, None),
        };
        notes.extend(left_out);
        let mut values = Vec::with_capacity(names.len() * table.len());
        for name in &names {
            values.extend(match missing {
                MissingCells::Integrate => table.numbers(name)?,
                _ => table.complete_numbers(name)?,
            });
        }
        let groups = label.map(|column| {
            let (names, each) = table.classes(column)?;
            Ok::<_, Failure>(Groups { column: column.clone(), names, each })
        });
        Ok(Self {
            memory: table.memory,
            values: DMatrix::from_vec(table.len(), names.len(), values),
            scales: vec![1.0; names.len()],
            names,
            groups: groups.transpose()?,
            keys: RowKeys::of(&table, row_names.iter().chain(label))?,
            row_names,
            notes,
            source: table.source,
        })
    }

    /// A table of the program itself.
    pub(crate) fn embedded(table: &tables::DataTable) -> Self {
        let names: Vec<String> = table.columns.iter().map(|&name| name.to_owned()).collect();
        Self {
            source: table.title.to_owned(),
            values: DMatrix::from_row_slice(table.rows().len(), names.len(), table.values),
            scales: vec![1.0; names.len()],
            names,
            row_names: Vec::new(),
            keys: table.labels.as_ref().map_or_else(RowKeys::default, |labels| {
                let cells = labels.each.iter().map(|&class| labels.classes[usize::from(class)].to_owned());
                RowKeys::named(labels.name, cells.collect())
            }),
            notes: Vec::new(),
            memory: MemoryLimit::new(None),
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

    /// Refuses what holds so many square matrices of the columns, if they take more than `--memory` allows.
    pub(crate) fn check_squares(&self, what: &str, squares: usize, way_out: &str) -> Result<(), Failure> {
        check_squares(self.memory, &format!("{}: {what}", self.source), self.names.len(), squares, way_out)
    }

    /// The columns of one value only.
    pub(crate) fn constant(&self) -> Vec<&str> {
        let columns = self.names.iter().zip(self.values.column_iter());
        columns.filter(|(_, all)| never_changes(all.iter())).map(|(name, _)| name.as_str()).collect()
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

    /// The same of one row.
    pub(crate) fn ln_jacobian_of(&self, row: usize) -> f64 {
        let ln_scale = |(value, scale): (&f64, &f64)| if value.is_nan() { 0.0 } else { scale.ln() };
        -self.values.row(row).iter().zip(&self.scales).map(ln_scale).sum::<f64>()
    }

    /// What a model of these rows has to know of their columns.
    pub(crate) fn columns(&self) -> ModelColumns {
        let (names, row_names) = (self.names.clone(), self.row_names.clone());
        ModelColumns { names, row_names, scales: self.scales.clone() }
    }
}
