//! A model of either kind, for readers that find out which it is.

use std::io::{self, Read};

use posterior_graph::Dag;

use super::source::Source;
#[cfg(feature = "xmlbif")]
use super::xmlbif;
use super::{bif, net, uai};
use crate::{
    BayesianNetwork, Format, GraphicalModel, MarkovRandomField, NetworkFile, ParseError, Renormalized, Table,
    Variables,
};

/// A Bayesian network or a Markov random field.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Model {
    /// p(x) = ∏ᵥ p(xᵥ | parents of v).
    Bayesian(BayesianNetwork),
    /// p(x) ∝ ∏ₛ fₛ(xₛ).
    Markov(MarkovRandomField),
}

impl GraphicalModel for Model {
    fn variables(&self) -> &Variables {
        match self {
            Self::Bayesian(network) => network.variables(),
            Self::Markov(field) => field.variables(),
        }
    }

    fn factors(&self) -> &[Table] {
        match self {
            Self::Bayesian(network) => network.factors(),
            Self::Markov(field) => field.factors(),
        }
    }

    fn dag(&self) -> Option<&Dag> {
        match self {
            Self::Bayesian(network) => network.dag(),
            Self::Markov(field) => field.dag(),
        }
    }
}

/// A model with the format that its file has.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ModelFile {
    /// The format of the file.
    pub format: Format,
    /// The name of the model; empty where the format has none.
    pub name: String,
    /// The model.
    pub model: Model,
    /// The rows of conditional tables that did not add up to one, and were divided by their sums.
    pub renormalized: Vec<Renormalized>,
}

impl ModelFile {
    /// The network of a file of this format, without its properties.
    pub(super) fn of_network(format: Format, file: NetworkFile) -> Self {
        let NetworkFile { name, network, renormalized, .. } = file;
        Self { format, name, model: Model::Bayesian(network), renormalized }
    }
}

/// The model in a file of any of the formats, recognised by how they begin: XMLBIF with `<`, UAI with
/// `MARKOV` or `BAYES`, NET with `net`, `class` or a comment by `%`; everything else is read as BIF.
/// O(bytes).
///
/// # Errors
/// What is wrong first, with its line and column.
///
/// ```
/// use posterior_pgm::{Format, GraphicalModel, read_model};
///
/// let file = read_model(b"MARKOV 2  2 3  1  2 0 1  6 1 2 3 4 5 6")?;
/// assert_eq!(file.format, Format::Uai);
/// assert_eq!(file.model.variables().cards(), [2, 3]);
/// # Ok::<(), posterior_pgm::ParseError>(())
/// ```
pub fn read_model(bytes: &[u8]) -> Result<ModelFile, ParseError> {
    let text = Source::new(bytes, Format::Bif).bytes.trim_ascii_start();
    let word = text.split(u8::is_ascii_whitespace).next().unwrap_or_default();
    match word {
        b"MARKOV" | b"BAYES" => uai::read(bytes),
        #[cfg(feature = "xmlbif")]
        [b'<', ..] => Ok(ModelFile::of_network(Format::XmlBif, xmlbif::read(bytes)?)),
        #[cfg(not(feature = "xmlbif"))]
        [b'<', ..] => Err(ParseError {
            format: Format::XmlBif,
            line: 1,
            column: 1,
            message: "this program reads no XML: build it with the feature `xmlbif` of `posterior-pgm`"
                .to_owned(),
        }),
        b"net" | b"net{" | b"class" | [b'%', ..] => Ok(ModelFile::of_network(Format::Net, net::read(bytes)?)),
        _ => Ok(ModelFile::of_network(Format::Bif, bif::read(bytes)?)),
    }
}

/// As [`read_model`], from a file, a pipe or a decompressor. A [`ParseError`] is the inner error of one of
/// the kind [`InvalidData`](io::ErrorKind::InvalidData).
///
/// # Errors
/// What is wrong with the model, or what went wrong with reading.
pub fn read_model_from(mut reader: impl Read) -> io::Result<ModelFile> {
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes)?;
    read_model(&bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}
