//! Data of a program from a table: each column an array by its name.

use std::path::Path;

use posterior::model::{ModelError, StanData, StanModel};
use posterior::table::{ColumnKind, DataFrame, TableFile, listed};

use crate::args::TableArgs;
use crate::failure::Failure;
use crate::json::Pairs;
use crate::output_folder::OutputFolder;

/// The variable that is the number of rows.
const ROWS: &str = "N";

/// The most words of a column that a note shows.
const SHOWN: usize = 12;

/// The words of a column, and the integer that stands for the first.
pub(super) struct Levels {
    column: String,
    words: Vec<String>,
    first: usize,
}

impl Levels {
    /// Which integer stands for which word.
    pub(super) fn note(&self) -> String {
        let coded = |(place, word): (usize, &String)| format!("{} = {word}", place + self.first);
        let all: Vec<String> = self.words.iter().enumerate().map(coded).collect();
        let (count, column) = (all.len(), &self.column);
        if count <= SHOWN {
            return format!("{column}: {}", all.join(", "));
        }
        let (some, last) = (all[..SHOWN - 1].join(", "), &all[count - 1]);
        format!("{column}: {some}, ..., {last} ({count} levels; all are in levels.json with --out)")
    }
}

/// `levels.json`: for each column with words, the integer of each.
pub(super) fn put_levels(folder: &OutputFolder, all: &[Levels]) -> Result<(), Failure> {
    if all.is_empty() {
        return Ok(());
    }
    let coded = |own: &Levels| {
        let words = own.words.iter().enumerate();
        let pairs = words.map(|(place, word)| (word.clone(), place + own.first)).collect();
        (own.column.clone(), Pairs(pairs))
    };
    folder.put_json("levels.json", &Pairs(all.iter().map(coded).collect()))
}

/// The columns that the data block has, and the number of rows as `N` unless something else gives it.
pub(super) fn read(
    path: &Path,
    args: &TableArgs,
    model: &StanModel,
    defined: &[&str],
) -> Result<(StanData, Vec<Levels>), Failure> {
    let opened = TableFile::open(path, &args.options()?)?;
    let header = opened.header().to_vec();
    let wanted = model.data_names();
    let matched: Vec<(String, String, bool)> = header
        .iter()
        .filter_map(|column| {
            let (name, int) =
                wanted.iter().find(|(name, _)| name == column || *name == identifier(column))?;
            Some((column.clone(), name.clone(), *int))
        })
        .filter(|(_, name, _)| !defined.contains(&name.as_str()))
        .collect();
    if matched.is_empty() {
        let names: Vec<&str> = wanted.iter().map(|(name, _)| name.as_str()).collect();
        let message = format!(
            "{}: no column is a variable of the data block: columns {}; variables {}",
            path.display(),
            listed(&header),
            listed(&names)
        );
        return Err(Failure::data(message));
    }
    let columns: Vec<&String> = matched.iter().map(|(column, _, _)| column).collect();
    let table = opened.read(&columns, |rows| 16 * rows as u64 * matched.len() as u64)?;
    let (mut data, mut levels) = (StanData::default(), vec![]);
    let wrong = |error: ModelError| Failure::data(format!("{}: {error}", path.display()));
    for (column, name, int) in &matched {
        let numbers = numbers(&table, column, *int, &mut levels)?;
        data.insert_numbers(name, &numbers).map_err(wrong)?;
    }
    let counts_rows = wanted.iter().any(|(name, _)| name == ROWS);
    if counts_rows && !data.contains(ROWS) && !defined.contains(&ROWS) {
        data.insert_json(ROWS, &table.len().to_string()).map_err(wrong)?;
    }
    Ok((data, levels))
}

/// The name as the language can have it: `log.radon` as `log_radon`.
fn identifier(column: &str) -> String {
    column.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

/// Numbers as they are; words of a column of integers as integers from 1, yes and no as 1 and 0.
fn numbers(
    table: &DataFrame,
    column: &str,
    int: bool,
    levels: &mut Vec<Levels>,
) -> Result<Vec<f64>, Failure> {
    let kind = table.kind(column)?;
    let numeric = table.complete_numbers(column);
    if !int || numeric.is_ok() || kind.is_numeric() {
        return Ok(numeric?);
    }
    let (words, places) = table.classes(column)?;
    let first = usize::from(kind != ColumnKind::Boolean);
    let numbers = places.into_iter().map(|place| (place + first) as f64).collect();
    levels.push(Levels { column: column.to_owned(), words, first });
    Ok(numbers)
}
