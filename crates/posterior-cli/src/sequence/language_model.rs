//! n-gram models in files, and how a text is read for them.

use std::borrow::Cow;
use std::path::Path;

use posterior::table::read_bytes;
use posterior::text::alphabet::{Alphabet, characters, words};
use posterior::text::ngram::{NGramModel, arpa};
use serde::{Deserialize, Serialize};

use crate::args::{Unit, uses};
use crate::failure::Failure;
use crate::model_file;
use crate::output_folder::OutputFolder;

const AREA: &str = "sequence";

/// A model as a file holds it.
#[derive(Serialize, Deserialize)]
pub(super) struct Stored<'a> {
    #[serde(with = "unit")]
    pub(super) unit: Unit,
    pub(super) names: Cow<'a, Alphabet>,
    pub(super) model: Cow<'a, NGramModel>,
}

/// A unit by the name that the command line has for it.
mod unit {
    use clap::ValueEnum as _;
    use serde::{Deserialize as _, Deserializer, Serializer};

    use crate::args::{Unit, name};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "the form that serde wants")]
    pub(super) fn serialize<S: Serializer>(unit: &Unit, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&name(*unit))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Unit, D::Error> {
        let text = String::deserialize(deserializer)?;
        Unit::from_str(&text, false).map_err(serde::de::Error::custom)
    }
}

/// Writes a model, and where there is such a form as ARPA; else a note.
pub(super) fn put(folder: &OutputFolder, stored: &Stored<'_>) -> Result<Option<String>, Failure> {
    model_file::put(folder, AREA, stored)?;
    let mut text = Vec::new();
    let written = arpa::write(&stored.model, &stored.names, &mut text);
    match written.map(|()| String::from_utf8(text)) {
        Ok(Ok(text)) => {
            folder.put_text("model.arpa", &text)?;
            Ok(None)
        }
        Ok(Err(error)) => Ok(Some(format!("note: no model.arpa: {error}"))),
        Err(error) => Ok(Some(format!("note: no model.arpa: {error}"))),
    }
}

/// What a file of a model is called, and the model: of this program, or in the ARPA format, whose `unit` is
/// then this one.
pub(super) fn read(path: &Path, unit: Option<Unit>) -> Result<(String, Stored<'static>), Failure> {
    let (source, bytes) = read_bytes(&model_file::path(path))?;
    if bytes.trim_ascii_start().starts_with(b"{") {
        uses::check_facts(&[("model-of", "json")])?;
        let stored =
            model_file::parse(&bytes, AREA).map_err(|why| model_file::no_model(&source, AREA, &why))?;
        return check(source, stored);
    }
    uses::check_facts(&[("model-of", "arpa")])?;
    let (model, names) =
        arpa::read(&bytes[..]).map_err(|error| Failure::data(format!("{source}: {error}")))?;
    let unit = unit.unwrap_or(Unit::Token);
    Ok((source, Stored { unit, names: Cow::Owned(names), model: Cow::Owned(model) }))
}

fn check(source: String, stored: Stored<'static>) -> Result<(String, Stored<'static>), Failure> {
    use posterior::text::ngram::LanguageModel as _;

    let (names, symbols) = (stored.names.len(), stored.model.vocabulary().symbols());
    if names == symbols {
        return Ok((source, stored));
    }
    Err(model_file::no_model(&source, AREA, &format!("{names} names for {symbols} symbols")))
}

/// The parts of a text that are sequences: its lines that are not blank, or all of it.
pub(super) fn sequences(lines: bool, text: &str) -> Vec<&str> {
    if lines { text.lines().filter(|line| !line.trim().is_empty()).collect() } else { vec![text] }
}

/// The characters, words or tokens of a text.
pub(super) fn names(unit: Unit, text: &str) -> impl Iterator<Item = Cow<'_, str>> + Clone {
    let (letters, whole, cells) = match unit {
        Unit::Char => (text, "", ""),
        Unit::Word => ("", text, ""),
        Unit::Token => ("", "", text),
    };
    let parts = characters(letters).map(Cow::Borrowed).chain(words(whole).map(Cow::Owned));
    parts.chain(cells.split_whitespace().map(Cow::Borrowed))
}

/// Many of a unit.
pub(super) const fn plural(unit: Unit) -> &'static str {
    match unit {
        Unit::Char => "characters",
        Unit::Word => "words",
        Unit::Token => "tokens",
    }
}
