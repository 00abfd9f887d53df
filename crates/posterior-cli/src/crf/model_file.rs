//! The file of a model: how attributes are made, the words that were seen, the weights.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufReader, BufWriter};
use std::path::{Path, PathBuf};

use posterior::sequence::crf::ConditionalRandomField;
use serde::{Deserialize, Serialize};

use super::recipe::{Cook, Recipe};
use crate::failure::Failure;

/// What `crf fit` leaves for `crf tag` and `crf eval`.
#[derive(Deserialize)]
pub(super) struct ModelFile {
    recipe: Recipe,
    /// Columns of the data, the label's among them.
    columns: Option<usize>,
    /// Words that the fit has seen.
    pub(super) words: BTreeSet<String>,
    pub(super) model: ConditionalRandomField,
}

#[derive(Serialize)]
struct Form<'a> {
    recipe: &'a Recipe,
    columns: Option<usize>,
    words: &'a BTreeSet<String>,
    model: &'a ConditionalRandomField,
}

impl ModelFile {
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let path = if path.is_dir() { path.join("model.json") } else { PathBuf::from(path) };
        let file = File::open(&path).map_err(|error| Failure::io(&path, &error))?;
        serde_json::from_reader(BufReader::new(file)).map_err(|error| {
            let failure =
                Failure::data(format!("{}: no model of conditional random fields: {error}", path.display()));
            failure.with_hint("`posterior crf fit --out` writes one as model.json")
        })
    }

    /// How its attributes are made.
    pub(super) fn cook(&self) -> Result<Cook, Failure> {
        Cook::new(self.recipe.clone(), self.columns).map_err(|error| Failure::data(error.to_string()))
    }
}

pub(super) fn write(
    out: &mut BufWriter<File>,
    cook: &Cook,
    words: &BTreeSet<String>,
    model: &ConditionalRandomField,
) -> io::Result<()> {
    let form = Form { recipe: cook.recipe(), columns: cook.columns(), words, model };
    serde_json::to_writer(out, &form).map_err(io::Error::other)
}
