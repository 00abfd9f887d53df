//! What a model of a table predicts of each row.

use posterior::math::linalg::DMatrix;
use posterior::table::{self, DataFrame, listed};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::output::shortest;

/// What was seen in each row.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Outcome {
    Numbers(Vec<f64>),
    /// The class of each row, as a place in the sorted labels.
    Classes {
        labels: Vec<String>,
        of_row: Vec<usize>,
    },
    Counts(Vec<u64>),
}

impl Outcome {
    /// A column of two classes at least, and `most` at most; `softmax` is the option that takes more than
    /// two.
    pub(crate) fn classes(
        table: &DataFrame,
        name: &str,
        most: usize,
        softmax: &str,
    ) -> Result<Self, Failure> {
        Self::of_labels(table, name, table.classes(name)?, most, softmax)
    }

    /// The same of classes in an order: numbers by size, words of a known scale by the scale, others by the
    /// alphabet; or these levels.
    pub(crate) fn ordered(table: &DataFrame, name: &str, levels: &[String]) -> Result<Self, Failure> {
        if levels.is_empty() {
            if table.kind(name)?.is_numeric() {
                // Numbers are in their order, and an infinite one has no place in it.
                table.complete_numbers(name)?;
            }
            return Self::of_labels(table, name, table.ordered_classes(name)?, 100, "--family");
        }
        let place = |(row, label): (usize, &str)| {
            let place = levels.iter().position(|own| own == label);
            place.ok_or_else(|| table.refused(row, name, &format!("one of {}", listed(levels))))
        };
        let of_row = table.labels(name)?.into_iter().enumerate().map(place).collect::<Result<Vec<_>, _>>()?;
        if let Some(level) = (0..levels.len()).find(|own| !of_row.contains(own)) {
            let message = format!("--levels: no row has {:?}: leave it out", levels[level]);
            return Err(Failure::Usage(message));
        }
        Self::of_labels(table, name, (levels.to_vec(), of_row), 100, "--family")
    }

    fn of_labels(
        table: &DataFrame,
        name: &str,
        (labels, of_row): (Vec<String>, Vec<usize>),
        most: usize,
        softmax: &str,
    ) -> Result<Self, Failure> {
        if (2..=most).contains(&labels.len()) {
            return Ok(Self::Classes { labels, of_row });
        }
        let message = format!("{}: column {name} has {} classes", table.source, labels.len());
        Err(Failure::data(message).with_hint(match (labels.len(), most) {
            (1, _) => "a classifier needs rows of two classes at least".to_owned(),
            (_, 2) => format!("for more than two classes say {softmax} softmax"),
            _ => "is this column one of classes?".to_owned(),
        }))
    }

    /// What an outcome is.
    pub(crate) fn kind(&self) -> OutcomeKind {
        match self {
            Self::Numbers(_) => OutcomeKind::Number,
            Self::Counts(_) => OutcomeKind::Count,
            Self::Classes { labels, .. } => OutcomeKind::Class(labels.clone()),
        }
    }

    /// Some of the rows.
    pub(crate) fn rows(&self, rows: &[usize]) -> Self {
        match self {
            Self::Numbers(all) => Self::Numbers(rows.iter().map(|&row| all[row]).collect()),
            Self::Counts(all) => Self::Counts(rows.iter().map(|&row| all[row]).collect()),
            Self::Classes { labels, of_row } => {
                let (labels, of_row) = (labels.clone(), rows.iter().map(|&row| of_row[row]).collect());
                Self::Classes { labels, of_row }
            }
        }
    }

    /// A row as text.
    pub(crate) fn cell(&self, row: usize) -> String {
        match self {
            Self::Numbers(all) => shortest(all[row]),
            Self::Counts(all) => all[row].to_string(),
            Self::Classes { labels, of_row } => labels[of_row[row]].clone(),
        }
    }

    /// Each row as a number, a class by its place.
    pub(crate) fn as_numbers(&self) -> Vec<f64> {
        match self {
            Self::Classes { of_row, .. } => of_row.iter().map(|&class| class as f64).collect(),
            Self::Numbers(_) | Self::Counts(_) => self.heights(),
        }
    }

    /// The class of each row, if they have classes.
    pub(crate) fn classes_of_rows(&self) -> Option<&[usize]> {
        match self {
            Self::Classes { of_row, .. } => Some(of_row),
            Self::Numbers(_) | Self::Counts(_) => None,
        }
    }

    /// The heights at which rows are drawn: 0 and 1 of two classes, none of several.
    pub(crate) fn heights(&self) -> Vec<f64> {
        match self {
            Self::Numbers(values) => values.clone(),
            Self::Counts(counts) => counts.iter().map(|&count| count as f64).collect(),
            Self::Classes { labels, of_row } if labels.len() == 2 => {
                of_row.iter().map(|&class| class as f64).collect()
            }
            Self::Classes { .. } => Vec::new(),
        }
    }
}

/// What an outcome is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum OutcomeKind {
    Number,
    Count,
    /// One of these, of which there are at least two.
    Class(Vec<String>),
}

impl OutcomeKind {
    /// What it is in a word.
    pub(crate) const fn name(&self) -> &'static str {
        match self {
            Self::Number => "a number",
            Self::Count => "a count",
            Self::Class(_) => "a class",
        }
    }

    /// Whether probabilities of both are of one kind.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        self.name() == other.name()
    }

    /// That a table has no outcomes of this name.
    pub(crate) fn missing(source: &str, y: &str) -> Failure {
        Failure::data(format!("{source}: line 1: no column is called {y:?}: scores need the outcome"))
    }

    /// The classes, if it is one of several.
    pub(crate) fn classes(&self) -> &[String] {
        match self {
            Self::Class(labels) => labels,
            Self::Number | Self::Count => &[],
        }
    }

    /// The outcomes of new rows as numbers, a class by its place; NaN where one is missing.
    pub(crate) fn of_new(&self, table: &DataFrame, y: &str) -> Result<Vec<f64>, Failure> {
        self.read(table, y).map_err(|error| {
            Failure::from(error).or("without this column the rows are predicted, and not scored")
        })
    }

    fn read(&self, table: &DataFrame, y: &str) -> Result<Vec<f64>, table::Error> {
        let labels = match self {
            Self::Number => return table.numbers(y),
            Self::Count => {
                let count = |own: Option<u64>| own.map_or(f64::NAN, |own| own as f64);
                return Ok(table.counts_or_missing(y)?.into_iter().map(count).collect());
            }
            Self::Class(labels) => labels,
        };
        let place = |(row, cell): (usize, Option<&str>)| {
            let Some(cell) = cell else { return Ok(f64::NAN) };
            let place = labels.iter().position(|own| own == cell).map(|place| place as f64);
            place.ok_or_else(|| table.refused(row, y, &format!("one of {}", listed(labels))))
        };
        table.texts_or_missing(y)?.into_iter().enumerate().map(place).collect()
    }
}

/// Columns of numbers, none of which is missing.
pub(crate) fn matrix(table: &DataFrame, names: &[String]) -> Result<DMatrix<f64>, Failure> {
    let columns = names.iter().map(|name| table.complete_numbers(name)).collect::<Result<Vec<_>, _>>()?;
    Ok(DMatrix::from_vec(table.len(), names.len(), columns.concat()))
}
