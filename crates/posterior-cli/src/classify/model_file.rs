//! The file of a model: the names of its classes and what it fitted.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::classifier::Classifier;
use crate::failure::Failure;
use crate::model_file;

pub(super) const AREA: &str = "classify";

/// What `classify fit` leaves for `classify predict` and `classify eval`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ModelFile {
    pub(super) classes: Vec<String>,
    pub(super) classifier: Classifier,
}

impl ModelFile {
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let (source, own): (_, Self) = model_file::read(path, AREA)?;
        let found = own.classifier.check(own.classes.len());
        found.map(|()| own).map_err(|why| model_file::no_model(&source, AREA, &why))
    }
}
