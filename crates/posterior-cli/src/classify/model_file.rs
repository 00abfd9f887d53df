//! The file of a model: the names of its classes and what it fitted.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::classifier::Classifier;
use crate::failure::Failure;

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
        let path = if path.is_dir() { path.join("model.json") } else { PathBuf::from(path) };
        let file = File::open(&path).map_err(|error| Failure::io(&path, &error))?;
        let refused = |why: String| {
            let failure = Failure::data(format!("{}: no model of classes: {why}", path.display()));
            failure.with_hint("`posterior classify fit --out` writes one as model.json")
        };
        let own: Self =
            serde_json::from_reader(BufReader::new(file)).map_err(|error| refused(error.to_string()))?;
        if own.format != FORMAT {
            return Err(refused(format!("format {:?}, expected {FORMAT:?}", own.format)));
        }
        own.classifier.check(own.classes.len()).map_err(refused)?;
        Ok(own)
    }
}
