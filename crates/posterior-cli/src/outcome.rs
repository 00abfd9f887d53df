//! What a model of a table predicts of each row.

use posterior::math::linalg::DMatrix;
use posterior::table::{DataFrame, listed};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;

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
        let (labels, of_row) = table.classes(name)?;
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
    /// The classes, if it is one of several.
    pub(crate) fn classes(&self) -> &[String] {
        match self {
            Self::Class(labels) => labels,
            Self::Number | Self::Count => &[],
        }
    }

    /// The outcomes of new rows as numbers, a class by its place; NaN where one is missing.
    pub(crate) fn of_new(&self, table: &DataFrame, y: &str) -> Result<Vec<f64>, Failure> {
        let labels = match self {
            Self::Number => return Ok(table.numbers(y)?),
            Self::Count => {
                let count = |own: Option<u64>| own.map_or(f64::NAN, |own| own as f64);
                return Ok(table.counts_or_missing(y)?.into_iter().map(count).collect());
            }
            Self::Class(labels) => labels,
        };
        let place = |(row, cell): (usize, Option<&str>)| {
            let Some(cell) = cell else { return Ok(f64::NAN) };
            let place = labels.iter().position(|own| own == cell).map(|place| place as f64);
            place.ok_or_else(|| Failure::from(table.refused(row, y, &format!("one of {}", listed(labels)))))
        };
        table.texts_or_missing(y)?.into_iter().enumerate().map(place).collect()
    }
}

/// Columns of numbers, none of which is missing.
pub(crate) fn matrix(table: &DataFrame, names: &[String]) -> Result<DMatrix<f64>, Failure> {
    let columns = names.iter().map(|name| table.complete_numbers(name)).collect::<Result<Vec<_>, _>>()?;
    Ok(DMatrix::from_vec(table.len(), names.len(), columns.concat()))
}
