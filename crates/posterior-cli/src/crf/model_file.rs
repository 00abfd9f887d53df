//! The file of a model: how attributes are made, the words that were seen, the weights.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::Path;

use posterior::sequence::crf::ConditionalRandomField;
use serde::{Deserialize, Serialize};

use super::recipe::{Cook, Recipe};
use crate::failure::{Failure, refused};
use crate::model_file;

pub(super) const AREA: &str = "crf";

/// What `crf fit` leaves for `crf tag` and `crf eval`.
#[derive(Serialize, Deserialize)]
pub(super) struct ModelFile<'a> {
    recipe: Cow<'a, Recipe>,
    /// Columns of the data, the label's among them.
    columns: Option<usize>,
    /// Words that the fit has seen.
    pub(super) words: Cow<'a, BTreeSet<String>>,
    pub(super) model: Cow<'a, ConditionalRandomField>,
}

impl<'a> ModelFile<'a> {
    /// What a fit found.
    pub(super) fn new(
        cook: &'a Cook,
        words: &'a BTreeSet<String>,
        model: &'a ConditionalRandomField,
    ) -> Self {
        let (recipe, columns) = (Cow::Borrowed(cook.recipe()), cook.columns());
        Self { recipe, columns, words: Cow::Borrowed(words), model: Cow::Borrowed(model) }
    }

    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        Ok(model_file::read(path, AREA)?.1)
    }

    /// How its attributes are made.
    pub(super) fn cook(&self) -> Result<Cook, Failure> {
        Cook::new(self.recipe.clone().into_owned(), self.columns).map_err(refused)
    }
}
