//! Sequences of observations from a table.

use std::collections::BTreeMap;
use std::path::Path;

use posterior::datasets::series::NILE;
use posterior::sequence::emission::{Sequence, Sequences};
use posterior::table::{DataFrame, LineNumbers, MemoryLimit, TableFile, distinct_labels};

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
    /// The observations of a table; `symbols` are those of a model, or of the table itself.
    pub(super) fn read(
        path: &Path,
        args: &TableArgs,
        columns: &HmmColumns,
        kind: EmissionKind,
        symbols: Option<&[String]>,
    ) -> Result<Self, Failure> {
        let opened = TableFile::open(path, &args.options()?)?;
        let asked = asked_columns(&opened, columns, kind)?;
        let all: Vec<&String> = asked.iter().chain(&columns.sequence).collect();
        let table = opened.read(&all, |rows| work(rows, asked.len()))?;
        let guessed = columns.y.is_empty() && kind == EmissionKind::Gaussian;
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
        };
        match kind {
            EmissionKind::Categorical => {
                let name = observations.columns[0].clone();
                let cells = table.texts_or_missing(&name)?;
                observations.notes.extend(table.note_of_marks(&name)?.map(|note| as_flags(&note)));
                observations.symbols = symbols.map_or_else(|| different(&cells), <[String]>::to_vec);
                let place: BTreeMap<&str, usize> = observations
                    .symbols
                    .iter()
                    .enumerate()
                    .map(|(at, symbol)| (symbol.as_str(), at))
                    .collect();
                let number = |(row, cell): (usize, Option<&str>)| match cell {
                    None => Ok(None),
                    Some(text) => match place.get(text) {
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
            EmissionKind::Gaussian => {
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
    let others = || opened.header().iter().filter(|name| Some(*name) != columns.sequence.as_ref());
    let names: Vec<String> = match (&columns.y[..], kind) {
        ([], EmissionKind::Gaussian) => others().cloned().collect(),
        ([], _) => others().next_back().cloned().into_iter().collect(),
        (named, _) => named.to_vec(),
    };
    if names.len() > 1 && kind != EmissionKind::Gaussian {
        return Err(Failure::Usage("--y: several columns are for --emission gaussian only".to_owned()));
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

/// The different texts: numbers by size, words by the alphabet.
fn different(cells: &[Option<&str>]) -> Vec<String> {
    distinct_labels(cells.iter().flatten().copied())
}

/// Cells by sequence: where nothing is, and what is elsewhere.
fn spread<X: Clone>(rows: &[Vec<usize>], cells: &[Option<X>], none: X) -> (Vec<Vec<bool>>, Vec<Vec<X>>) {
    let missing = rows.iter().map(|rows| rows.iter().map(|&row| cells[row].is_none()).collect());
    let value = |&row: &usize| cells[row].clone().unwrap_or_else(|| none.clone());
    (missing.collect(), rows.iter().map(|rows| rows.iter().map(value).collect()).collect())
}
