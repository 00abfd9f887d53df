//! Models as files: JSON with a kind and a version, checked on reading.
//!
//! The fields are `kind`, `version`, the names (`labels`, `attributes`, `step_attributes`), `dense` (how many
//! dense features), which weights there are (`states`: the labels of each attribute; `steps`: the pairs of
//! each attribute of steps; `transitions`: pairs; `ends`), and the `weights` in this order. A pair (i, j) of
//! K labels is the number i K + j. Numbers keep all their bits. Fields that are not known are passed over:
//! what changes the meaning of a file changes its version.

use std::io::{self, Write};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::features::{Features, Targets};
use super::model::ConditionalRandomField;
use super::vocabulary::CrfVocabulary;
use crate::error::Error;
use posterior_text::alphabet::Alphabet;

const KIND: &str = "linear-chain conditional random field";
const VERSION: u64 = 1;

/// What says whether the rest can be read.
#[derive(Deserialize)]
struct Header {
    kind: Option<String>,
    version: Option<u64>,
}

/// Whether this program reads such a file.
fn check(kind: Option<&str>, version: Option<u64>) -> Result<(), Error> {
    let message = match (kind, version) {
        (Some(KIND), Some(VERSION)) => return Ok(()),
        (Some(KIND), Some(version)) => format!("its version is {version}, this program reads {VERSION}"),
        (Some(KIND), None) => "it has no version".to_owned(),
        (Some(kind), _) => format!("its kind is {kind:?}, expected {KIND:?}"),
        (None, _) => format!("it has no field \"kind\", expected {KIND:?} there"),
    };
    Err(Error::ModelFile { message })
}

/// A model as somebody wrote it.
#[derive(Deserialize)]
struct Unchecked {
    kind: Option<String>,
    version: Option<u64>,
    labels: Alphabet,
    attributes: Alphabet,
    step_attributes: Alphabet,
    dense: usize,
    ends: bool,
    states: Vec<Vec<u32>>,
    steps: Vec<Vec<u32>>,
    transitions: Vec<u32>,
    weights: Vec<f64>,
}

impl TryFrom<Unchecked> for ConditionalRandomField {
    type Error = Error;

    fn try_from(file: Unchecked) -> Result<Self, Error> {
        check(file.kind.as_deref(), file.version)?;
        let labels = file.labels.len();
        let pairs = labels.checked_mul(labels).filter(|&pairs| u32::try_from(pairs).is_ok());
        let pairs = pairs
            .filter(|&pairs| pairs > 0)
            .ok_or_else(|| Error::ModelFile { message: format!("a model cannot have {labels} labels") })?;
        let rows = [
            ("states", file.attributes.len(), file.states.len()),
            ("steps", file.step_attributes.len(), file.steps.len()),
        ];
        for (name, expected, found) in rows {
            if expected != found {
                let message = format!("{name} has {found} rows for {expected} attributes");
                return Err(Error::ModelFile { message });
            }
        }
        for row in &file.states {
            increasing("states", row, labels)?;
        }
        for row in &file.steps {
            increasing("steps", row, pairs)?;
        }
        increasing("transitions", &file.transitions, pairs)?;
        // Beyond it not even the number of weights can be reported.
        if file.dense.checked_mul(labels).is_none_or(|weights| weights > file.weights.len()) {
            let message = format!("{} dense features have more weights than there are", file.dense);
            return Err(Error::ModelFile { message });
        }
        let features = Features {
            labels,
            nodes: Targets::new(labels, file.states)?,
            steps: Targets::new(pairs, file.steps)?,
            transitions: file.transitions,
            ends: file.ends,
            width: file.dense,
        };
        let vocabulary = CrfVocabulary {
            labels: file.labels,
            attributes: file.attributes,
            step_attributes: file.step_attributes,
            width: file.dense,
            frozen: true,
        };
        Self::new(vocabulary, features, file.weights)
    }
}

/// Whether these are numbers below `end`, each larger than the one before.
fn increasing(name: &str, numbers: &[u32], end: usize) -> Result<(), Error> {
    let small = numbers.last().is_none_or(|&last| (last as usize) < end);
    if small && numbers.is_sorted_by(|a, b| a < b) {
        return Ok(());
    }
    Err(Error::ModelFile { message: format!("{name} are not increasing numbers below {end}") })
}

/// A model in the form of its file.
#[derive(Serialize)]
struct Form<'a> {
    kind: &'static str,
    version: u64,
    labels: &'a Alphabet,
    attributes: &'a Alphabet,
    step_attributes: &'a Alphabet,
    dense: usize,
    ends: bool,
    states: Vec<&'a [u32]>,
    steps: Vec<&'a [u32]>,
    transitions: &'a [u32],
    weights: &'a [f64],
}

impl Serialize for ConditionalRandomField {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (vocabulary, features) = (self.vocabulary(), self.features());
        // An attribute that came after the weights were chosen has none.
        let rows = |targets: &'_ Targets, attributes: usize| {
            (0..attributes).map(|own| targets.range(own)).collect::<Vec<_>>()
        };
        let states = rows(&features.nodes, vocabulary.attributes.len());
        let steps = rows(&features.steps, vocabulary.step_attributes.len());
        let form = Form {
            kind: KIND,
            version: VERSION,
            labels: &vocabulary.labels,
            attributes: &vocabulary.attributes,
            step_attributes: &vocabulary.step_attributes,
            dense: features.width,
            ends: features.ends,
            states: states.into_iter().map(|range| features.nodes.targets(range)).collect(),
            steps: steps.into_iter().map(|range| features.steps.targets(range)).collect(),
            transitions: &features.transitions,
            weights: self.weights(),
        };
        form.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for ConditionalRandomField {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::try_from(Unchecked::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

impl ConditionalRandomField {
    /// Writes the model as JSON. [`from_json`](Self::from_json) reads it again, to the bit; the vocabulary is
    /// frozen then.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn to_json<W: Write>(&self, writer: W) -> io::Result<()> {
        Ok(serde_json::to_writer(writer, self)?)
    }

    /// The model that [`to_json`](Self::to_json) wrote.
    ///
    /// # Errors
    /// [`Error::ModelFile`] for what is no JSON, of another kind or version, lacks a field, or has names,
    /// features and weights that do not go together; weights that are not finite.
    pub fn from_json(bytes: &[u8]) -> Result<Self, Error> {
        let wrong = |error: serde_json::Error| Error::ModelFile { message: error.to_string() };
        let header: Header = serde_json::from_slice(bytes).map_err(wrong)?;
        check(header.kind.as_deref(), header.version)?;
        Self::try_from(serde_json::from_slice::<Unchecked>(bytes).map_err(wrong)?)
    }
}
