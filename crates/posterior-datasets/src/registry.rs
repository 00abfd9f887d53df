//! The list of embedded data sets, with their provenance and the files that they export.

use std::io::{self, Write};

use crate::{digits, english_letters, series, sotu, tables};

/// What a data set is, where it is from, and the files it can be written as.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct DatasetInfo {
    /// The short name by which the set is asked for, in lower case.
    pub name: &'static str,
    /// The name in words.
    pub title: &'static str,
    /// What a row is and how many there are.
    pub rows: &'static str,
    /// Where the figures are from, under which terms, and what was done to them.
    pub provenance: &'static str,
    /// The files that the set is exported as.
    pub files: &'static [DataFile],
}

/// One file of a data set: its name, and the function that writes its contents.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct DataFile {
    /// The file's name, without a folder.
    pub name: &'static str,
    write: fn(&mut dyn Write) -> io::Result<()>,
}

impl DataFile {
    /// Writes the contents of the file to `out`, the same bytes every time.
    ///
    /// # Errors
    /// Whatever `out` refuses.
    pub fn write_to(&self, out: &mut dyn Write) -> io::Result<()> {
        (self.write)(out)
    }
}

const SETS: &[DatasetInfo] = &[
    DatasetInfo {
        name: "air-passengers",
        title: series::AIR_PASSENGERS.title,
        rows: "144 months",
        provenance: series::AIR_PASSENGERS_PROVENANCE,
        files: &[DataFile { name: "air_passengers.csv", write: series::write_air_passengers }],
    },
    DatasetInfo {
        name: "co2",
        title: series::CO2.title,
        rows: "468 months",
        provenance: series::CO2_PROVENANCE,
        files: &[DataFile { name: "co2.csv", write: series::write_co2 }],
    },
    DatasetInfo {
        name: "digits",
        title: "Handwritten digits",
        rows: "1,797 images of 8 x 8 pixels",
        provenance: digits::PROVENANCE,
        files: &[DataFile { name: "digits.csv", write: digits::write_digits }],
    },
    DatasetInfo {
        name: "english-letters",
        title: "Rows of four letters in English: counts",
        rows: "17,416 rows of four of 27 characters",
        provenance: english_letters::PROVENANCE,
        files: &[DataFile { name: "english_letters.csv", write: english_letters::write_counts }],
    },
    DatasetInfo {
        name: "galaxies",
        title: tables::GALAXIES.title,
        rows: "82 galaxies",
        provenance: tables::GALAXIES_PROVENANCE,
        files: &[DataFile { name: "galaxies.csv", write: tables::write_galaxies }],
    },
    DatasetInfo {
        name: "iris",
        title: tables::IRIS.title,
        rows: "150 flowers of 3 species x 4 measurements",
        provenance: tables::IRIS_PROVENANCE,
        files: &[DataFile { name: "iris.csv", write: tables::write_iris }],
    },
    DatasetInfo {
        name: "nile",
        title: series::NILE.title,
        rows: "100 years",
        provenance: series::NILE_PROVENANCE,
        files: &[DataFile { name: "nile.csv", write: series::write_nile }],
    },
    DatasetInfo {
        name: "old-faithful",
        title: tables::OLD_FAITHFUL.title,
        rows: "272 eruptions",
        provenance: tables::OLD_FAITHFUL_PROVENANCE,
        files: &[DataFile { name: "old_faithful.csv", write: tables::write_old_faithful }],
    },
    DatasetInfo {
        name: "sotu",
        title: "State of the Union addresses, 1790-2022: word counts",
        rows: "241 addresses x 10,000 words, 752,659 tokens",
        provenance: sotu::PROVENANCE,
        files: &[
            DataFile { name: "docword.txt", write: sotu::write_docword },
            DataFile { name: "vocab.txt", write: sotu::write_vocab },
            DataFile { name: "meta.csv", write: sotu::write_meta },
        ],
    },
];

/// All embedded data sets, by name.
pub fn all() -> &'static [DatasetInfo] {
    SETS
}

/// The data set with this name, if there is one.
///
/// ```
/// let sotu = posterior_datasets::find("sotu").unwrap();
/// let mut vocabulary = Vec::new();
/// sotu.files[1].write_to(&mut vocabulary)?;
/// assert!(vocabulary.starts_with(b"abandon\nabandoned\n"));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn find(name: &str) -> Option<&'static DatasetInfo> {
    SETS.iter().find(|set| set.name == name)
}
