//! Records in CSV: a column for each variable, holding names of states.

use std::path::Path;

use posterior::graph::VarId;
use posterior::pgm::{Records, Variables};

use crate::failure::Failure;
use crate::input::bytes;
use crate::table::{few_fields, wrong};

/// Records, and which columns were not used.
pub(super) struct Data {
    pub(super) source: String,
    pub(super) records: Records,
    pub(super) ignored: Vec<String>,
}

/// Reads records of these variables. Those in `hidden` have no column, or one that is not looked at.
pub(super) fn read(path: &Path, variables: &Variables, hidden: &[VarId]) -> Result<Data, Failure> {
    let (source, bytes) = bytes(path)?;
    few_fields(&source, &bytes, b',')?;
    let mut reader = csv::ReaderBuilder::new().from_reader(&bytes[..]);
    let header = reader.headers().map_err(|error| wrong(&source, &error))?.clone();
    let columns = columns(&source, &header, variables, hidden)?;
    let ignored = header
        .iter()
        .enumerate()
        .filter(|(at, name)| !columns.contains(&Some(*at)) && variables.names().find(name.trim()).is_none());
    let ignored = ignored.map(|(_, name)| name.to_owned()).collect();
    let mut records = Records::new(variables.clone());
    let mut record = vec![None; variables.len()];
    for row in reader.records() {
        let row = row.map_err(|error| wrong(&source, &error))?;
        for (v, column) in variables.ids().zip(&columns) {
            let cell = column.and_then(|at| row.get(at)).unwrap_or_default();
            record[v.index()] = state(variables, v, cell).map_err(|message| {
                let line = row.position().map_or(0, csv::Position::line);
                Failure::data(format!("{source}: line {line}: {message}"))
            })?;
        }
        records.push(&record).map_err(|error| Failure::data(format!("{source}: {error}")))?;
    }
    if records.is_empty() {
        return Err(Failure::data(format!("{source}: no records: expected a header and rows below it")));
    }
    Ok(Data { source, records, ignored })
}

/// The column of each variable; `None` of a hidden one.
fn columns(
    source: &str,
    header: &csv::StringRecord,
    variables: &Variables,
    hidden: &[VarId],
) -> Result<Vec<Option<usize>>, Failure> {
    let mut columns = Vec::with_capacity(variables.len());
    for v in variables.ids() {
        let name = variables.name(v);
        let places: Vec<usize> =
            header.iter().enumerate().filter(|(_, own)| own.trim() == name).map(|(at, _)| at).collect();
        columns.push(match places[..] {
            _ if hidden.contains(&v) => None,
            [at] => Some(at),
            [] => {
                let hint = format!("if the data do not show {name}, say --hidden {name}");
                let message = format!("{source}: line 1: no column is called {name:?}, as a variable is");
                return Err(Failure::data(message).with_hint(hint));
            }
            _ => {
                let count = places.len();
                return Err(Failure::data(format!("{source}: line 1: {count} columns are called {name:?}")));
            }
        });
    }
    Ok(columns)
}

/// The state that a cell names; `None` where it is empty or NA, unless a state is called so.
fn state(variables: &Variables, v: VarId, cell: &str) -> Result<Option<usize>, String> {
    match variables.require_state(v, cell).or_else(|_| variables.require_state(v, cell.trim())) {
        Ok(state) => Ok(Some(state)),
        Err(_) if matches!(cell.trim(), "" | "NA") => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}
