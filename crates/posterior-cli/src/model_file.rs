//! `model.json`: a model that one run leaves for the next, with its area, a version and a checksum.

use std::io;
use std::path::{Path, PathBuf};

use flate2::Crc;
use posterior::table::read_bytes;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

use crate::failure::Failure;
use crate::output_folder::OutputFolder;

const NAME: &str = "model.json";

/// Raised where a model of before can no longer be read.
const VERSION: u32 = 2;

/// A model, and what is checked before it is read.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Envelope<'a> {
    format: String,
    version: u32,
    /// CRC-32 of the text of the model.
    crc32: u32,
    #[serde(borrow)]
    model: &'a RawValue,
}

/// What every file of a model says of itself.
#[derive(Deserialize)]
struct Tag {
    format: String,
    version: u32,
}

/// Writes `model.json`, which [`read`] reads with the same area.
pub(crate) fn put(folder: &OutputFolder, area: &str, model: &impl Serialize) -> Result<(), Failure> {
    let model =
        to_raw_value(model).map_err(|error| Failure::io(&folder.join(NAME), &io::Error::other(error)))?;
    let (format, crc32) = (format(area), checksum(&model));
    folder.put_json(NAME, &Envelope { format, version: VERSION, crc32, model: &model })
}

/// The model of a file, or of `model.json` in a folder, and what the file is called.
///
/// A file that another verb or a later version wrote is refused, and one that was changed since.
pub(crate) fn read<T: DeserializeOwned>(path: &Path, area: &str) -> Result<(String, T), Failure> {
    let (source, bytes) = read_bytes(&self::path(path))?;
    let model = parse(&bytes, area).map_err(|why| no_model(&source, area, &why))?;
    Ok((source, model))
}

/// The file of a model: this one, or `model.json` in a folder.
pub(crate) fn path(path: &Path) -> PathBuf {
    if path.is_dir() { path.join(NAME) } else { path.to_owned() }
}

/// That a file holds no model of this area.
pub(crate) fn no_model(source: &str, area: &str, why: &str) -> Failure {
    let verb = if area == "sequence" { "ngram" } else { "fit" };
    let failure = Failure::data(format!("{source}: no model of `posterior {area} {verb}`: {why}"));
    failure.with_hint(format!("`posterior {area} {verb} --out DIR` writes one as {NAME}"))
}

/// Whether a file says that it is a model of this area.
pub(crate) fn is_of(bytes: &[u8], area: &str) -> bool {
    serde_json::from_slice::<Tag>(bytes).is_ok_and(|tag| tag.format == format(area))
}

/// The model that these bytes hold; else why they hold none.
pub(crate) fn parse<T: DeserializeOwned>(bytes: &[u8], area: &str) -> Result<T, String> {
    let tag: Tag = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    let expected = format(area);
    if tag.format != expected {
        return Err(format!("format {:?}, expected {expected:?}", tag.format));
    }
    if tag.version != VERSION {
        return Err(format!(
            "version {}, expected {VERSION}: another release of posterior wrote it",
            tag.version
        ));
    }
    let envelope: Envelope<'_> = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    if envelope.crc32 != checksum(envelope.model) {
        return Err(
            "the checksum does not fit: the file was changed or damaged after it was written".to_owned()
        );
    }
    serde_json::from_str(envelope.model.get()).map_err(|error| error.to_string())
}

fn format(area: &str) -> String {
    format!("posterior-{area}")
}

fn checksum(model: &RawValue) -> u32 {
    let mut sum = Crc::new();
    sum.update(model.get().as_bytes());
    sum.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(model: &str, area: &str) -> String {
        let model = RawValue::from_string(model.to_owned()).unwrap();
        let (format, crc32) = (format(area), checksum(&model));
        serde_json::to_string(&Envelope { format, version: VERSION, crc32, model: &model }).unwrap()
    }

    #[test]
    fn only_what_was_written_is_read() {
        let good = written("[0.1,2]", "hmm");
        assert_eq!(parse::<Vec<f64>>(good.as_bytes(), "hmm"), Ok(vec![0.1, 2.0]));
        let refused = |text: &str, area: &str| parse::<Vec<f64>>(text.as_bytes(), area).unwrap_err();
        assert!(refused(&good, "crf").contains("format \"posterior-hmm\", expected \"posterior-crf\""));
        assert!(refused(&good.replace("0.1", "0.2"), "hmm").contains("checksum"));
        assert!(
            refused(&good.replace("\"version\":2", "\"version\":3"), "hmm").contains("version 3, expected 2")
        );
        assert!(refused(&good[..good.len() - 4], "hmm").contains("EOF"));
        assert!(
            refused(&good.replace("{\"format\"", "{\"more\":1,\"format\""), "hmm").contains("unknown field")
        );
        assert!(refused("[]", "hmm").contains("invalid length"));
        assert!(refused(&written("[\"a\"]", "hmm"), "hmm").contains("expected f64"));
        assert!(is_of(good.as_bytes(), "hmm") && !is_of(good.as_bytes(), "crf"));
    }
}
