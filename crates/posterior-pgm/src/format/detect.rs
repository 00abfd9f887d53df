//! Files whose format shows in how they begin.

use std::io::{self, Read};

use super::model::ModelFile;
use super::source::Source;
#[cfg(feature = "xmlbif")]
use super::xmlbif;
use super::{bif, net, uai};
use crate::{Format, ParseError};

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
