//! The labels of documents.

use std::collections::BTreeSet;

use crate::Error;
use crate::checks::index;

/// Labels by name, and those that each document has: none, one or several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentLabels {
    names: Vec<String>,
    documents: Vec<Vec<usize>>,
}

impl DocumentLabels {
    /// Labels with these names, and for each document the numbers of its labels, counted from 0; one that is
    /// given twice counts once.
    ///
    /// # Errors
    /// A number that is none of a label.
    pub fn new(names: Vec<String>, documents: Vec<Vec<usize>>) -> Result<Self, Error> {
        documents.iter().flatten().try_for_each(|&label| index("label", label, names.len()))?;
        let unique = |labels: Vec<usize>| labels.into_iter().collect::<BTreeSet<_>>().into_iter().collect();
        Ok(Self { names, documents: documents.into_iter().map(unique).collect() })
    }

    /// The labels of each document by name; labels are numbered in the order of their names.
    pub fn of_names<S: AsRef<str>>(documents: &[Vec<S>]) -> Self {
        let names: BTreeSet<&str> = documents.iter().flatten().map(AsRef::as_ref).collect();
        let names: Vec<&str> = names.into_iter().collect();
        let number = |label: &S| names.partition_point(|name| *name < label.as_ref());
        let row = |labels: &Vec<S>| {
            labels.iter().map(number).collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>()
        };
        let documents = documents.iter().map(row).collect();
        Self { names: names.iter().map(|name| (*name).to_owned()).collect(), documents }
    }

    /// The names of the labels.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// For each document the numbers of its labels, in rising order.
    pub fn documents(&self) -> &[Vec<usize>] {
        &self.documents
    }

    /// The labels of these documents alone, under the same numbers.
    ///
    /// # Errors
    /// A row that is none of a document.
    pub fn select(&self, rows: &[usize]) -> Result<Self, Error> {
        rows.iter().try_for_each(|&row| index("document", row, self.documents.len()))?;
        let documents = rows.iter().map(|&row| self.documents[row].clone()).collect();
        Ok(Self { names: self.names.clone(), documents })
    }
}
