//! A fitted process: by the options of a fit, or as `model.json` says.

use posterior::gp::Kernel;
use posterior::math::linalg::DMatrix;
use serde::{Deserialize, Serialize};

use super::answer::Answer;
use super::data_input::Data;
use super::settings::{Parameters, Settings};
use super::{classification, many, prior, regression};
use crate::args::GpFit;
use crate::dist::text_input;
use crate::failure::Failure;
use crate::outcome::Outcome;

pub(crate) const AREA: &str = "gp";

/// Of the carbon dioxide over Mauna Loa, after Rasmussen and Williams, section 5.4.3: a trend over decades, a
/// season that slowly changes its shape, deviations of some years, and the weather.
const MAUNA_LOA: &str =
    "4000*rbf(70) + 6*rbf(90)*periodic(1.3, 1) + 0.4*rational_quadratic(1.2, 0.8) + 0.03*rbf(0.13)";

/// What `gp fit` leaves for `gp predict`: a posterior is its prior, its parameters and the data.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Model {
    pub(super) settings: Settings,
    pub(super) data: Data,
}

/// The settings of the options.
pub(super) fn settings(args: &GpFit, data: &Data) -> Result<Settings, Failure> {
    let embedded = args.data.is_none();
    let searched = args.optimize || embedded;
    let kernel = kernel(args, data, searched)?;
    let noise = match &data.outputs {
        Outcome::Numbers(outputs) => regression::first_noise(args, data, outputs, &kernel, searched),
        Outcome::Classes { .. } | Outcome::Counts(_) => None,
    };
    let (engine, for_many) = many::engine(args.engine, data, &kernel, noise, searched);
    Ok(Settings {
        likelihood: args.likelihood,
        engine,
        for_many,
        approximation: args.approximation,
        mean: args.mean,
        kernel,
        noise,
        parameters: if searched {
            Parameters::Search { restarts: args.restarts.unwrap_or(if embedded { 0 } else { 4 }) }
        } else {
            Parameters::Given
        },
        seed: args.common.seed,
        components: args.components || embedded,
        paths: args.out.is_some(),
    })
}

/// The answer at these places, and draws of the function there if they are wanted.
pub(super) fn answer(
    settings: &Settings,
    data: &Data,
    places: &DMatrix<f64>,
) -> Result<(Answer, Vec<Vec<f64>>), Failure> {
    match &data.outputs {
        Outcome::Numbers(outputs) => regression::answer(settings, data, outputs, places),
        Outcome::Classes { .. } | Outcome::Counts(_) => {
            Ok((classification::answer(settings, data, places)?, Vec::new()))
        }
    }
}

/// The kernel of the options; where parameters are searched for, with a variance for each term.
fn kernel(args: &GpFit, data: &Data, searched: bool) -> Result<Kernel, Failure> {
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
    Ok(if searched { prior::with_variances(&kernel, scale) } else { kernel })
}
