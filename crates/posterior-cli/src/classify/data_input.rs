//! The data: a table with a column of texts, or with columns of numbers and categories.

use std::path::Path;

use posterior::table::{DataFrame, TableFile, TableReadOptions, has_ending};

use crate::args::{ClassifyFile, ClassifyMethod, ClassifyTask, uses};
use crate::failure::Failure;

/// What the rows of a table are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    Texts,
    /// Numbers and categories.
    Rows,
}

impl Content {
    /// What a method reads; of a method that reads either, or none that was named, a column of texts where
    /// there is one.
    pub(super) fn of(method: Option<ClassifyMethod>, file: &ClassifyFile, header: &[String]) -> Self {
        let named = file.text.is_some();
        let there =
            || file.x.is_empty() && file.categorical.is_empty() && header.contains(&text_column(file));
        match method {
            Some(ClassifyMethod::GaussianNb) => Self::Rows,
            Some(ClassifyMethod::Logistic) | None if !named && !there() => Self::Rows,
            _ => Self::Texts,
        }
    }

    /// Refuses options that such rows, and the method that they take, have no use for.
    pub(super) fn check_options(self, method: Option<&str>) -> Result<(), Failure> {
        let content = match self {
            Self::Texts => "texts",
            Self::Rows => "rows",
        };
        let facts: Vec<(&str, &str)> =
            [("content", content)].into_iter().chain(method.map(|own| ("method", own))).collect();
        uses::check_facts(&facts)
    }
}

/// The columns of a file with this header that a task reads: those of its classes or labels, and of its rows.
pub(super) fn columns(task: &ClassifyTask, label: &str, header: &[String]) -> Vec<String> {
    let others = match (Content::of(task.recipe.method, &task.file, header), &task.file.x[..]) {
        (Content::Texts, _) => vec![text_column(&task.file)],
        (Content::Rows, []) => header.iter().filter(|name| *name != label).cloned().collect(),
        (Content::Rows, x) => x.to_vec(),
    };
    std::iter::once(label.to_owned()).chain(others).collect()
}

/// Reads the columns of a file that are wanted of those that it has.
pub(super) fn read(
    path: &Path,
    file: &ClassifyFile,
    wanted: impl FnOnce(&[String]) -> Vec<String>,
) -> Result<DataFrame, Failure> {
    let options = TableReadOptions { no_header: file.no_header, ..file.table.options()? };
    if file.table.delimiter.is_none() && has_ending(path, &["jsonl", "ndjson"]) {
        return Ok(DataFrame::read_json_lines(path, &options)?);
    }
    let opened = TableFile::open(path, &options)?;
    let names = wanted(opened.header());
    Ok(opened.read(&names, |rows| (rows as u64).saturating_mul(24 * names.len() as u64 + 200))?)
}

/// The column of texts, where no model says which.
pub(super) fn text_column(file: &ClassifyFile) -> String {
    file.text.clone().unwrap_or_else(|| "text".to_owned())
}

/// The texts of a table; one that is missing is empty. A mark of missing values may be a text.
pub(super) fn texts<'a>(table: &'a DataFrame, column: &str) -> Result<Vec<&'a str>, Failure> {
    Ok(table.cells(column)?.map(|text| if text == "NA" { "" } else { text }).collect())
}

/// The error with the name of the file.
pub(super) fn in_file(table: &DataFrame, error: impl Into<Failure>) -> Failure {
    match error.into() {
        Failure::Data { message, hint } => {
            Failure::Data { message: format!("{}: {message}", table.source), hint }
        }
        other => other,
    }
}
