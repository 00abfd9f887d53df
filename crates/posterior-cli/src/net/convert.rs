//! `posterior net convert`: a network in another format.

use std::io::Write as _;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use posterior::pgm::{Model, NetworkFile, bif, uai, xmlbif};

use super::network_input::Input;
use crate::args::{NetConvert, NetworkFormat};
use crate::failure::Failure;
use crate::output_folder::never_an_input;
use crate::{atomic_file, output};

/// Reads one format and writes another.
pub(super) fn run(args: &NetConvert) -> Result<(), Failure> {
    never_an_input(&args.output, &["output"])?;
    let format = args.to.map_or_else(|| format_of(&args.output), Ok)?;
    let input = Input::read(&args.input)?;
    let text = text_of(&input, format)?;
    input.warnings().iter().for_each(|warning| output::note(args.quiet, &format!("note: {warning}")));
    if format == NetworkFormat::Uai && input.file.format != posterior::pgm::Format::Uai {
        let note = "note: UAI has numbers instead of names: names of variables and states are lost; their order is kept";
        output::note(args.quiet, note);
    }
    if args.output == Path::new("-") {
        return output::print(&text);
    }
    let is_packed = args.output.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gz"));
    atomic_file::write(&args.output, |out| {
        if is_packed {
            let mut packed = GzEncoder::new(out, Compression::default());
            packed.write_all(text.as_bytes())?;
            packed.finish()?.flush()
        } else {
            out.write_all(text.as_bytes())
        }
    })
}

/// The model in a format.
pub(super) fn text_of(input: &Input, format: NetworkFormat) -> Result<String, Failure> {
    if format == NetworkFormat::Uai {
        return Ok(uai::write(input.model()));
    }
    let Model::Bayesian(network) = input.model() else {
        let message =
            format!("{}: this is a Markov random field, and only UAI files hold those", input.source);
        return Err(Failure::data(message).with_hint("choose an OUT that ends in .uai"));
    };
    let mut file = NetworkFile::new(network.clone());
    file.name.clone_from(&input.file.name);
    let text = if format == NetworkFormat::Bif { bif::write(&file) } else { xmlbif::write(&file) };
    text.map_err(|error| Failure::data(format!("{}: {error}", input.source)))
}

/// The format that the ending of a name says.
fn format_of(path: &Path) -> Result<NetworkFormat, Failure> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("bif") => Ok(NetworkFormat::Bif),
        Some("xml" | "xmlbif" | "bifxml") => Ok(NetworkFormat::Xmlbif),
        Some("uai") => Ok(NetworkFormat::Uai),
        _ => Err(Failure::Usage(format!(
            "{}: no format ends like this: expected .bif, .xml, .xmlbif or .uai, or --to FORMAT",
            path.display()
        ))),
    }
}
