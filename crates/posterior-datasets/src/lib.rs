//! Small data sets, embedded, with their sources.
//!
//! Every set is compared with its source, number by number, by a test. The larger ones are compressed files
//! inside the library, made from their source by a command of this workspace (`cargo xtask datasets NAME`).
//!
//! ```
//! let sotu = posterior_datasets::sotu::load();
//! assert_eq!(sotu.addresses.len(), 241);
//! let lincoln = sotu.addresses.iter().find(|address| address.year == 1862).unwrap();
//! assert_eq!(lincoln.title(), "1862 Abraham Lincoln");
//! ```
//!
//! | module | what | rows |
//! |---|---|---|
//! | [`series`] | carbon dioxide over Mauna Loa, the flow of the Nile, passengers of airlines | 468, 100, 144 |
//! | [`tables`] | eruptions of Old Faithful, irises, velocities of galaxies | 272, 150, 82 |
//! | [`digits`] | handwritten digits, as images of 8 x 8 pixels | 1,797 |
//! | [`english_letters`] | how often four letters follow each other in English | 17,416 |
//! | [`sotu`] | word counts of the State of the Union addresses, 1790-2022 | 241 documents, 10,000 words |
//!
//! [`registry`] lists the same sets for programs that show or export them by name.
//!
//! The data are in the binary; nothing is read from the network or the file system, and an export goes to a
//! writer that the caller opened.

pub mod digits;
pub mod english_letters;
pub mod registry;
pub mod series;
pub mod sotu;
pub mod tables;

pub use registry::{DataFile, DatasetInfo, all, find};
pub use sotu::StateOfTheUnion;
