//! What a model of a table predicts of each row.

use posterior::math::linalg::DMatrix;
use posterior::table::DataFrame;

use crate::failure::Failure;

/// What was seen in each row.
#[derive(Debug)]
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

/// Columns of numbers, none of which is missing.
pub(crate) fn matrix(table: &DataFrame, names: &[String]) -> Result<DMatrix<f64>, Failure> {
    let columns = names.iter().map(|name| table.complete_numbers(name)).collect::<Result<Vec<_>, _>>()?;
    Ok(DMatrix::from_vec(table.len(), names.len(), columns.concat()))
}
