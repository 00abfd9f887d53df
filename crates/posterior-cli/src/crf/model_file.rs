//! The file of a model: how attributes are made, the words that were seen, the weights.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::Path;

use posterior::sequence::crf::ConditionalRandomField;
use posterior::text::columns::ConlluColumn;
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
    /// The columns of CoNLL-U that the data had, by name.
    #[serde(default)]
    conllu: Vec<String>,
    /// Words that the fit has seen.
    pub(super) words: Cow<'a, BTreeSet<String>>,
    pub(super) model: Cow<'a, ConditionalRandomField>,
}

impl<'a> ModelFile<'a> {
    /// What a fit found.
    pub(super) fn new(
        cook: &'a Cook,
        conllu: &[ConlluColumn],
        words: &'a BTreeSet<String>,
        model: &'a ConditionalRandomField,
    ) -> Self {
        let (recipe, columns) = (Cow::Borrowed(cook.recipe()), cook.columns());
        let conllu = conllu.iter().map(ToString::to_string).collect();
        Self { recipe, columns, conllu, words: Cow::Borrowed(words), model: Cow::Borrowed(model) }
    }

    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        Ok(model_file::read(path, AREA)?.1)
    }

    /// The columns of CoNLL-U that it was fitted to; none if to another format.
    pub(super) fn conllu_columns(&self) -> Result<Vec<ConlluColumn>, Failure> {
        self.conllu.iter().map(|name| name.parse()).collect::<Result<_, _>>().map_err(refused)
    }

    /// How its attributes are made.
    pub(super) fn cook(&self) -> Result<Cook, Failure> {
        Cook::new(self.recipe.clone().into_owned(), self.columns).map_err(refused)
    }
}
