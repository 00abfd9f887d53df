//! Records in CSV: a column for each variable, holding names of states.

use std::collections::BTreeSet;
use std::path::Path;

use posterior::graph::VarId;
use posterior::pgm::{Records, Variables};
use posterior::table::TableFile;

use crate::args::TableArgs;
use crate::failure::Failure;

/// Records, and which columns were not used.
pub(super) struct Data {
    pub(super) source: String,
    pub(super) records: Records,
    pub(super) ignored: Vec<String>,
}

/// Reads records of these variables. Those in `hidden` have no column, or one that is not looked at.
pub(super) fn read(
    path: &Path,
    args: &TableArgs,
    variables: &Variables,
    hidden: &[VarId],
) -> Result<Data, Failure> {
    let opened = TableFile::open(path, &args.options()?)?;
    let source = opened.source.clone();
    let there: BTreeSet<&str> = opened.header().iter().map(String::as_str).collect();
    let shown: Vec<VarId> = variables.ids().filter(|v| !hidden.contains(v)).collect();
    let names: Vec<&str> = shown.iter().map(|&v| variables.name(v)).collect();
    if let Some(name) = names.iter().find(|name| !there.contains(*name)) {
        let message = format!("{source}: line 1: no column is called {name:?}, as a variable is");
        let hint = format!("if the data do not show {name}, say --hidden {name}");
        return Err(Failure::data(message).with_hint(hint));
    }
    let unknown = opened.header().iter().filter(|name| variables.names().find(name).is_none());
    let ignored = unknown.cloned().collect();
    let table = opened.read(&names, |rows| (rows as u64).saturating_mul(8 * variables.len() as u64))?;
    let mut records = Records::new(variables.clone());
    let mut record = vec![None; variables.len()];
    let mut columns = names.iter().map(|name| table.cells(name)).collect::<Result<Vec<_>, _>>()?;
    for row in 0..table.len() {
        for (&v, cells) in shown.iter().zip(&mut columns) {
            let cell = cells.next().unwrap_or_default();
            record[v.index()] = match variables.require_state(v, cell) {
                Ok(state) => Some(state),
                // A state may be called as a missing value is.
                Err(_) if table.is_missing(cell) => None,
                Err(error) => {
                    return Err(Failure::data(format!("{source}: line {}: {error}", table.line(row))));
                }
            };
        }
        records.push(&record).map_err(|error| Failure::data(format!("{source}: {error}")))?;
    }
    Ok(Data { source, records, ignored })
}
