//! The file of a model: how attributes are made, the words that were seen, the weights.

use std::collections::BTreeSet;
use std::path::Path;

use posterior::sequence::crf::ConditionalRandomField;
use serde::{Deserialize, Serialize};

use super::recipe::{Cook, Recipe};
use crate::failure::Failure;
use crate::input;

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
        let (_, own) = input::model(path, "no model of conditional random fields", "crf fit --out")?;
        Ok(own)
    }

    /// How its attributes are made.
    pub(super) fn cook(&self) -> Result<Cook, Failure> {
        Cook::new(self.recipe.clone(), self.columns).map_err(|error| Failure::data(error.to_string()))
    }
}

/// The same as it is written.
pub(super) fn form<'a>(
    cook: &'a Cook,
    words: &'a BTreeSet<String>,
    model: &'a ConditionalRandomField,
) -> impl Serialize + 'a {
    Form { recipe: cook.recipe(), columns: cook.columns(), words, model }
}
