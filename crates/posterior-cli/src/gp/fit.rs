//! `posterior gp fit`.

use posterior::gp::Kernel;

use super::data_input::Data;
use super::report;
use super::{classification, learning, prior, regression};
use crate::args::GpFit;
use crate::dist::text_input;
use crate::failure::Failure;
use crate::outcome::Outcome;
use crate::rows_input::{never_changes, note_of_constant};
use crate::run::Run;

/// Of the carbon dioxide over Mauna Loa, after Rasmussen and Williams, section 5.4.3: a trend over decades, a
/// season that slowly changes its shape, deviations of some years, and the weather.
const MAUNA_LOA: &str =
    "4000*rbf(70) + 6*rbf(90)*periodic(1.3, 1) + 0.4*rational_quadratic(1.2, 0.8) + 0.03*rbf(0.13)";

/// Runs the verb.
pub(crate) fn run(args: &GpFit) -> Result<(), Failure> {
    let mut run = Run::start(&args.common)?;
    let data = Data::read(args)?;
    let kernel = kernel(args, &data)?;
    let places = data.places(args)?;
    run.claim(args.out.as_deref(), report::NAMES)?;
    let (mut answer, paths) = match &data.outputs {
        Outcome::Numbers(outputs) => regression::answer(args, &data, outputs, kernel, &places)?,
        Outcome::Classes { .. } | Outcome::Counts(_) => {
            classification::answer(args, &data, &kernel, &places)?
        }
    };
    if let Outcome::Numbers(outputs) = &data.outputs
        && never_changes(outputs)
    {
        answer.warnings.extend(note_of_constant(&[&data.y_name]));
    }
    run.write("report.html", |folder| report::write(folder, &run, &data, &answer, &paths))?;
    run.notes(&answer.warnings);
    run.print(|| &answer, || super::text::of(&data, &answer))
}

/// The kernel of the options; where parameters are searched for, with a variance for each term.
fn kernel(args: &GpFit, data: &Data) -> Result<Kernel, Failure> {
    let text = match (&args.kernel, &args.data) {
        (Some(text), _) => text.as_str(),
        (None, None) => MAUNA_LOA,
        (None, Some(_)) => {
            let message = "which kernel? for example --kernel \"1*rbf(1)\", with its length scale in the units of the inputs";
            return Err(Failure::Usage(message.to_owned()));
        }
    };
    let kernel: Kernel = text.parse().map_err(|error| text_input::failure("--kernel", text, &error, 0))?;
    let scale = match &data.outputs {
        Outcome::Numbers(outputs) => regression::spread(outputs),
        Outcome::Classes { .. } | Outcome::Counts(_) => 1.0,
    };
    Ok(if learning::wanted(args) { prior::with_variances(&kernel, scale) } else { kernel })
}
