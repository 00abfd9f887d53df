//! Models in files.

use std::path::Path;

use posterior::table::read_bytes;
use serde::de::DeserializeOwned;

use crate::failure::Failure;

/// A model as JSON, and what its file is called: a file, or `model.json` in a folder. `no_model` is said of
/// other files, and `verb` writes such ones.
pub(crate) fn model<T: DeserializeOwned>(
    path: &Path,
    no_model: &str,
    verb: &str,
) -> Result<(String, T), Failure> {
    let path = if path.is_dir() { path.join("model.json") } else { path.to_owned() };
    let (source, bytes) = read_bytes(&path)?;
    let model = serde_json::from_slice(&bytes).map_err(|error| {
        let failure = Failure::data(format!("{source}: {no_model}: {error}"));
        failure.with_hint(format!("`posterior {verb}` writes one as model.json"))
    })?;
    Ok((source, model))
}
