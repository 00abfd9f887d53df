//! Tables from files: CSV, TSV and JSON Lines, packed by gzip or not, with the type of each column.
//!
//! A file is opened and its header read; then the columns that are needed are read, and nothing else is
//! kept. Separators and quotes are recognised, missing values are marked, and every error names the file,
//! the line and the column. Memory is checked as rows come: a file that is too large is refused, not
//! swapped.
//!
//! ```
//! use posterior_table::{TableFile, TableReadOptions};
//!
//! let path = std::env::temp_dir().join("posterior-table-first.csv");
//! std::fs::write(&path, "species;length\nperch;8.4\nroach;?\n")?;
//! let file = TableFile::open(&path, &TableReadOptions::default())?;
//! assert_eq!(file.header(), ["species", "length"]);
//!
//! let table = file.read(&["length", "species"], |_| 0)?;
//! assert_eq!(table.numbers("length")?[0], 8.4);
//! assert!(table.numbers("length")?[1].is_nan());
//!
//! let error = table.numbers("species").unwrap_err().to_string();
//! let expected = "line 2, column species: expected a number, or an empty cell where it is missing, found \"perch\"";
//! assert!(error.ends_with(expected));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Types of columns
//! [`DataFrame::kind`] tells numbers, counts, booleans, categories (ordered or not), dates, texts and
//! identifiers apart. A column of numbers with a few words is refused: nothing says what the words are. Days
//! and months that may be exchanged are refused as well.
//!
//! # Features
//! | feature | by default | gives |
//! |---|---|---|
//! | `arrow` | no | Parquet and Arrow IPC (Feather, version 2): numbers, truth values, texts, categories, dates, decimals, packed by snappy, zstd, lz4 or gzip |
//! | `frames` | yes | tables; without it there are [`Input`] and [`Unpacked`] only: files and standard input, unpacked as they are read |
//!
//! # Limits
//! - Text is UTF-8. Cells are kept as text until a column is asked for.
//! - Of Parquet and Arrow files, lists, records and bytes are refused, and types become cells: a column of
//!   texts that are numbers is one of numbers.

#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "frames")]
mod axis;
#[cfg(feature = "frames")]
mod binary;
#[cfg(feature = "frames")]
mod calendar;
#[cfg(feature = "frames")]
mod cell;
#[cfg(feature = "frames")]
mod cells;
#[cfg(feature = "arrow")]
mod columnar;
#[cfg(feature = "frames")]
mod date_scale;
#[cfg(feature = "frames")]
mod dates;
mod error;
#[cfg(feature = "frames")]
mod file;
#[cfg(feature = "frames")]
mod frame;
#[cfg(feature = "frames")]
mod header;
mod input;
#[cfg(feature = "frames")]
mod kind;
mod memory;
#[cfg(feature = "frames")]
mod summary;
mod unpacked;
#[cfg(feature = "frames")]
mod watched;

#[cfg(feature = "frames")]
pub use axis::{NoAxis, TimeAxis, TimeStep};
#[cfg(feature = "frames")]
pub use calendar::{date_ticks, decimal_year, moment_of_year};
#[cfg(feature = "frames")]
pub use cells::LineNumbers;
#[cfg(feature = "frames")]
pub use date_scale::{DateScale, TimeUnit};
#[cfg(feature = "frames")]
pub use dates::{DateColumn, DatePrecision};
pub use error::Error;
#[cfg(feature = "frames")]
pub use file::{TableFile, TableReadOptions, has_ending};
#[cfg(feature = "frames")]
pub use frame::{DataFrame, distinct_labels};
#[cfg(feature = "frames")]
pub use header::listed;
pub use input::{Input, peek, read_bytes, read_text};
#[cfg(feature = "frames")]
pub use jiff;
#[cfg(feature = "frames")]
pub use kind::ColumnKind;
pub use memory::{MemoryLimit, parse_size};
#[cfg(feature = "frames")]
pub use summary::{ColumnContent, ColumnSummary};
pub use unpacked::Unpacked;
