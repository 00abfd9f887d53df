//! The file of a model: the names of its classes and what it fitted.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::classifier::Classifier;
use crate::failure::Failure;
use crate::input;

const FORMAT: &str = "posterior-classify-1";

/// What `classify fit` leaves for `classify predict` and `classify eval`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ModelFile {
    format: String,
    pub(super) classes: Vec<String>,
    pub(super) classifier: Classifier,
}

impl ModelFile {
    pub(super) fn new(classes: Vec<String>, classifier: Classifier) -> Self {
        Self { format: FORMAT.to_owned(), classes, classifier }
    }

    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let (no_model, verb) = ("no model of classes", "classify fit --out");
        let (source, own): (_, Self) = input::model(path, no_model, verb)?;
        let found = if own.format == FORMAT {
            own.classifier.check(own.classes.len())
        } else {
            Err(format!("format {:?}, expected {FORMAT:?}", own.format))
        };
        found.map(|()| own).map_err(|why| {
            let failure = Failure::data(format!("{source}: {no_model}: {why}"));
            failure.with_hint(format!("`posterior {verb}` writes one as model.json"))
        })
    }
}
