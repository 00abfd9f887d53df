//! Classic tables, small enough to be figures in the program.
//!
//! ```
//! use posterior_datasets::tables::{IRIS, OLD_FAITHFUL};
//!
//! assert_eq!(OLD_FAITHFUL.columns, ["eruptions", "waiting"]);
//! assert_eq!(OLD_FAITHFUL.rows().next(), Some(&[3.6, 79.0][..]));
//! assert_eq!(IRIS.rows().len(), 150);
//! ```

mod galaxies;
mod iris;
mod old_faithful;

pub use galaxies::GALAXIES;
pub(crate) use galaxies::PROVENANCE as GALAXIES_PROVENANCE;
pub use iris::IRIS;
pub(crate) use iris::PROVENANCE as IRIS_PROVENANCE;
pub use old_faithful::OLD_FAITHFUL;
pub(crate) use old_faithful::PROVENANCE as OLD_FAITHFUL_PROVENANCE;

use std::io::{self, Write};

/// Rows of numbers, with a class for each where there is one.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct DataTable {
    /// What it is.
    pub title: &'static str,
    /// The names of the columns.
    pub columns: &'static [&'static str],
    /// The numbers, row by row.
    pub values: &'static [f64],
    /// The classes of the rows.
    pub labels: Option<Labels>,
}

/// A class for each row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Labels {
    /// What the classes are of.
    pub name: &'static str,
    /// Their names.
    pub classes: &'static [&'static str],
    /// The class of each row, an index into `classes`.
    pub each: &'static [u8],
}

impl DataTable {
    /// The rows.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &'static [f64]> + use<> {
        self.values.chunks_exact(self.columns.len())
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "{}", self.columns.join(","))?;
        if let Some(labels) = &self.labels {
            write!(out, ",{}", labels.name)?;
        }
        writeln!(out)?;
        for (i, row) in self.rows().enumerate() {
            let cells: Vec<String> = row.iter().map(f64::to_string).collect();
            write!(out, "{}", cells.join(","))?;
            if let Some(labels) = &self.labels {
                write!(out, ",{}", labels.classes[usize::from(labels.each[i])])?;
            }
            writeln!(out)?;
        }
        Ok(())
    }
}

/// Writes [`OLD_FAITHFUL`] as CSV.
pub(crate) fn write_old_faithful(out: &mut dyn Write) -> io::Result<()> {
    OLD_FAITHFUL.write(out)
}

/// Writes [`IRIS`] as CSV.
pub(crate) fn write_iris(out: &mut dyn Write) -> io::Result<()> {
    IRIS.write(out)
}

/// Writes [`GALAXIES`] as CSV.
pub(crate) fn write_galaxies(out: &mut dyn Write) -> io::Result<()> {
    GALAXIES.write(out)
}
