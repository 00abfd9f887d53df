//! Sequences of observations from a table.

use std::collections::BTreeMap;
use std::path::Path;

use posterior::datasets::series::NILE;
use posterior::math::linalg::DMatrix;
use posterior::sequence::emission::{Sequence, Sequences};
use posterior::table::{DataFrame, LineNumbers, MemoryLimit, TableFile, distinct_labels};
use posterior::text::alphabet::UNKNOWN;

use super::labels::Labels;
use super::windows::{Window, cut};
use crate::args::{EmissionKind, HmmColumns, TableArgs};
use crate::failure::{Failure, as_flags};
use crate::rows_input::{NumericColumns, never_changes, note_of_constant, numeric};

/// Sequences of observations, and where they are from.
#[derive(Debug)]
pub(super) struct Observations {
    /// How the data are called in messages.
    pub(super) source: String,
    /// The line of each row in the file.
    pub(super) lines: LineNumbers,
    /// What the work on them may take.
    pub(super) memory: MemoryLimit,
    /// What was left out, or taken as missing.
    pub(super) notes: Vec<String>,
    pub(super) columns: Vec<String>,
    /// What symbols are called; empty where observations are numbers.
    pub(super) symbols: Vec<String>,
    /// The names of the sequences; empty where all rows are one.
    pub(super) names: Vec<String>,
    /// The rows of each sequence, counted from 0.
    pub(super) rows: Vec<Vec<usize>>,
    /// Where nothing was seen.
    pub(super) missing: Vec<Vec<bool>>,
    pub(super) values: Values,
    /// What is known of the states.
    pub(super) labels: Option<Labels>,
}

/// The model whose terms observations are read in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Terms<'a> {
    pub(super) symbols: &'a [String],
    /// What its states are called.
    pub(super) states: &'a [String],
}

/// What was seen, a list for each sequence; where nothing was, something that has no influence.
#[derive(Debug)]
pub(super) enum Values {
    Symbols(Vec<Vec<usize>>),
    Vectors(Vec<Vec<Vec<f64>>>),
    Counts(Vec<Vec<u64>>),
}

/// Sequences for the library.
pub(super) fn sequences<'a, X>(data: &'a [Vec<X>], missing: &'a [Vec<bool>]) -> Sequences<'a, [X]> {
    let one = |(data, missing): (&'a Vec<X>, &'a Vec<bool>)| {
        let sequence = Sequence::new(&data[..]);
        if missing.contains(&true) { sequence.with_missing(missing) } else { sequence }
    };
    Sequences::new(data.iter().zip(missing).map(one).collect())
}

impl Observations {
    /// The observations of a table, in the terms of a model or its own; symbols that come less often than
    /// `least` times are the unknown one.
    pub(super) fn read(
        path: &Path,
        args: &TableArgs,
        columns: &HmmColumns,
        (kind, least): (EmissionKind, usize),
        terms: Option<Terms<'_>>,
    ) -> Result<Self, Failure> {
        let opened = TableFile::open(path, &args.options()?)?;
        let asked = asked_columns(&opened, columns, kind)?;
        let all: Vec<&String> = asked.iter().chain(&columns.sequence).chain(&columns.labels).collect();
        let table = opened.read(&all, |rows| work(rows, asked.len()))?;
        let guessed = columns.y.is_empty() && kind.is_of_numbers();
        let columns_of = if guessed {
            numeric(&table, asked, "--y")?
        } else {
            NumericColumns { names: asked, ..NumericColumns::default() }
        };
        let NumericColumns { names, notes, .. } = columns_of;
        if names.is_empty() {
            let message = format!("{}: no column of observations", table.source);
            return Err(Failure::data(message).with_hint("--y names the columns"));
        }
        let (sequence_names, rows) = grouped_rows(&table, columns.sequence.as_deref())?;
        let mut observations = Self {
            source: table.source.clone(),
            lines: table.lines(),
            memory: table.memory,
            notes,
            columns: names,
            symbols: Vec::new(),
            names: sequence_names,
            rows,
            missing: Vec::new(),
            values: Values::Symbols(Vec::new()),
            labels: None,
        };
        if let Some(column) = &columns.labels {
            let states = terms.map_or(&[][..], |terms| terms.states);
            observations.labels = Some(Labels::read(&table, column, &observations.rows, states)?);
        }
        match kind {
            EmissionKind::Categorical => {
                let name = observations.columns[0].clone();
                let cells = table.texts_or_missing(&name)?;
                observations.notes.extend(table.note_of_marks(&name)?.map(|note| as_flags(&note)));
                observations.symbols =
                    terms.map_or_else(|| different(&cells, least), |terms| terms.symbols.to_vec());
                let place: BTreeMap<&str, usize> = observations
                    .symbols
                    .iter()
                    .enumerate()
                    .map(|(at, symbol)| (symbol.as_str(), at))
                    .collect();
                let number = |(row, cell): (usize, Option<&str>)| match cell {
                    None => Ok(None),
                    Some(text) => match place.get(text).or_else(|| place.get(UNKNOWN)) {
                        Some(&at) => Ok(Some(at)),
                        None => Err(table.refused(row, &name, "a symbol of the model")),
                    },
                };
                let cells = cells.iter().copied().enumerate().map(number).collect::<Result<Vec<_>, _>>()?;
                let (missing, values) = spread(&observations.rows, &cells, 0);
                (observations.missing, observations.values) = (missing, Values::Symbols(values));
            }
            EmissionKind::Poisson => {
                let cells = table.counts_or_missing(&observations.columns[0])?;
                let (missing, values) = spread(&observations.rows, &cells, 0);
                (observations.missing, observations.values) = (missing, Values::Counts(values));
            }
            EmissionKind::Gaussian | EmissionKind::Mixture => {
                let all = observations.columns.iter().map(|name| table.numbers(name));
                let all = all.collect::<Result<Vec<_>, _>>()?;
                let names = observations.columns.iter().zip(&all);
                let constant = names.filter(|(_, all)| never_changes(*all)).map(|(name, _)| name.as_str());
                observations.notes.extend(note_of_constant(&constant.collect::<Vec<_>>()));
                let vector = |row: usize| {
                    let values = all.iter().map(|column| column[row]);
                    values
                        .map(|value| Some(value).filter(|value| !value.is_nan()))
                        .collect::<Option<Vec<f64>>>()
                };
                let cells: Vec<Option<Vec<f64>>> = (0..table.len()).map(vector).collect();
                let (missing, values) =
                    spread(&observations.rows, &cells, vec![0.0; observations.columns.len()]);
                (observations.missing, observations.values) = (missing, Values::Vectors(values));
            }
        }
        if observations.missing.iter().flatten().all(|&missing| missing) {
            return Err(Failure::data(format!(
                "{}: column {}: expected observations, all cells are empty",
                observations.source,
                observations.columns.join(", ")
            )));
        }
        Ok(observations)
    }

    /// The flow of the Nile.
    pub(super) fn embedded() -> Self {
        Self {
            source: format!("{} ({})", NILE.title, NILE.unit),
            lines: LineNumbers::default(),
            memory: MemoryLimit::new(None),
            notes: Vec::new(),
            columns: vec!["value".to_owned()],
            symbols: Vec::new(),
            names: Vec::new(),
            rows: vec![(0..NILE.values.len()).collect()],
            missing: vec![vec![false; NILE.values.len()]],
            values: Values::Vectors(vec![NILE.values.iter().map(|&value| vec![value]).collect()]),
            labels: None,
        }
    }

    /// These parts of the sequences, each as a sequence.
    pub(super) fn parts(&self, parts: &[Window]) -> Self {
        let values = match &self.values {
            Values::Symbols(all) => Values::Symbols(cut(all, parts)),
            Values::Vectors(all) => Values::Vectors(cut(all, parts)),
            Values::Counts(all) => Values::Counts(cut(all, parts)),
        };
        let named = || parts.iter().map(|(own, _)| self.names[*own].clone()).collect();
        Self {
            source: self.source.clone(),
            lines: self.lines.clone(),
            memory: self.memory,
            notes: self.notes.clone(),
            columns: self.columns.clone(),
            symbols: self.symbols.clone(),
            names: if self.names.is_empty() { Vec::new() } else { named() },
            rows: cut(&self.rows, parts),
            missing: cut(&self.missing, parts),
            values,
            labels: self.labels.as_ref().map(|labels| labels.parts(parts)),
        }
    }

    /// How many rows.
    pub(super) fn len(&self) -> usize {
        self.rows.iter().map(Vec::len).sum()
    }

    /// How many rows at which nothing was seen.
    pub(super) fn gaps(&self) -> usize {
        self.missing.iter().flatten().filter(|missing| **missing).count()
    }

    /// The name of a sequence, or its number.
    pub(super) fn name(&self, sequence: usize) -> String {
        self.names.get(sequence).cloned().unwrap_or_else(|| sequence.to_string())
    }
}

/// The rows of each sequence as a matrix; NaN where nothing was seen.
pub(super) fn tables(values: &[Vec<Vec<f64>>], missing: &[Vec<bool>]) -> Vec<DMatrix<f64>> {
    let table = |(rows, missing): (&Vec<Vec<f64>>, &Vec<bool>)| {
        let columns = rows.first().map_or(0, Vec::len);
        DMatrix::from_fn(rows.len(), columns, |t, j| if missing[t] { f64::NAN } else { rows[t][j] })
    };
    values.iter().zip(missing).map(table).collect()
}

/// The memory for so many rows of so many columns: as cells, as vectors of the sequences, and what is said of
/// them.
fn work(rows: usize, columns: usize) -> u64 {
    (rows as u64).saturating_mul(24 * columns as u64 + 240)
}

/// The names of the columns that may have observations.
fn asked_columns(
    opened: &TableFile,
    columns: &HmmColumns,
    kind: EmissionKind,
) -> Result<Vec<String>, Failure> {
    let no_value = |name: &&String| {
        let name = Some(*name);
        name != columns.sequence.as_ref() && name != columns.labels.as_ref()
    };
    let others = || opened.header().iter().filter(no_value);
    let names: Vec<String> = match (&columns.y[..], kind) {
        ([], _) if kind.is_of_numbers() => others().cloned().collect(),
        ([], _) => others().next_back().cloned().into_iter().collect(),
        (named, _) => named.to_vec(),
    };
    if names.len() > 1 && !kind.is_of_numbers() {
        let only = "--y: several columns are for --emission gaussian and mixture only";
        return Err(Failure::Usage(only.to_owned()));
    }
    Ok(names)
}

/// The names of sequences, and the rows of each.
type Groups = (Vec<String>, Vec<Vec<usize>>);

/// Sequences in the order in which they first come; without a column, one without a name.
fn grouped_rows(table: &DataFrame, column: Option<&str>) -> Result<Groups, Failure> {
    let Some(column) = column else { return Ok((Vec::new(), vec![(0..table.len()).collect()])) };
    let (mut names, mut rows, mut places) = (Vec::new(), Vec::<Vec<usize>>::new(), BTreeMap::new());
    for (row, label) in table.labels(column)?.into_iter().enumerate() {
        let place = *places.entry(label).or_insert_with(|| {
            names.push(label.to_owned());
            rows.push(Vec::new());
            rows.len() - 1
        });
        rows[place].push(row);
    }
    Ok((names, rows))
}

/// The different texts that come often enough, numbers by size, words by the alphabet, and the unknown one
/// where some do not.
fn different(cells: &[Option<&str>], least: usize) -> Vec<String> {
    let all = || cells.iter().flatten().copied();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for cell in all() {
        *counts.entry(cell).or_default() += 1;
    }
    let mut symbols = distinct_labels(all().filter(|cell| counts[cell] >= least));
    if least > 1 && !symbols.iter().any(|own| own == UNKNOWN) {
        symbols.push(UNKNOWN.to_owned());
    }
    symbols
}

/// Cells by sequence: where nothing is, and what is elsewhere.
fn spread<X: Clone>(rows: &[Vec<usize>], cells: &[Option<X>], none: X) -> (Vec<Vec<bool>>, Vec<Vec<X>>) {
    let missing = rows.iter().map(|rows| rows.iter().map(|&row| cells[row].is_none()).collect());
    let value = |&row: &usize| cells[row].clone().unwrap_or_else(|| none.clone());
    (missing.collect(), rows.iter().map(|rows| rows.iter().map(value).collect()).collect())
}
