//! A fitted process: by the options of a fit, or as `model.json` says.

use posterior::gp::Kernel;
use posterior::math::linalg::DMatrix;
use serde::{Deserialize, Serialize};

use super::answer::Answer;
use super::data_input::Data;
use super::settings::{Parameters, Settings};
use super::{auto_kernel, classification, many, prior, regression};
use crate::args::{GpEngine, GpFit, Likelihood, ParameterUse};
use crate::dist::text_input;
use crate::failure::Failure;
use crate::outcome::Outcome;

pub(crate) const AREA: &str = "gp";

/// The kernel that is searched for.
const AUTO: &str = "auto";

/// Of the carbon dioxide over Mauna Loa, after Rasmussen and Williams, section 5.4.3: a trend over decades, a
/// season that slowly changes its shape, deviations of some years, and the weather.
const MAUNA_LOA: &str =
    "4000*rbf(70) + 6*rbf(90)*periodic(1.3, 1) + 0.4*rational_quadratic(1.2, 0.8) + 0.03*rbf(0.13)";

/// With more rows parameters are taken as known unless the options say otherwise: a posterior is slow, and
/// the data say what the parameters are.
const MOST_INTEGRATED: usize = 1000;

/// What `gp fit` leaves for `gp predict`: a posterior is its prior, its parameters and the data.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Model {
    pub(super) settings: Settings,
    pub(super) data: Data,
}

/// The settings of the options.
pub(super) fn settings(args: &GpFit, data: &Data) -> Result<Settings, Failure> {
    let (embedded, automatic) = (args.data.is_none(), args.kernel.as_deref() == Some(AUTO));
    let searched = args.optimize || embedded || automatic;
    if automatic && args.optimize {
        return Err(Failure::Usage(
            "--optimize: --kernel auto estimates all parameters by itself".to_owned(),
        ));
    }
    if automatic && !matches!(args.engine, GpEngine::Auto | GpEngine::Exact) {
        return Err(Failure::Usage("--kernel auto: only with --engine auto or exact".to_owned()));
    }
    let kernel = if automatic { Kernel::white() } else { kernel(args, data, searched)? };
    let noise = match &data.outputs {
        _ if args.likelihood != Likelihood::Gaussian && automatic => {
            return Err(Failure::Usage("--kernel auto: only with --likelihood gaussian".to_owned()));
        }
        _ if args.likelihood != Likelihood::Gaussian => None,
        Outcome::Numbers(_) if automatic && args.noise.is_none() && data.noise.is_some() => None,
        Outcome::Numbers(outputs) if automatic => {
            Some(args.noise.unwrap_or_else(|| 0.1 * regression::spread(outputs)))
        }
        Outcome::Numbers(outputs) => regression::first_noise(args, data, outputs, &kernel, searched),
        Outcome::Classes { .. } | Outcome::Counts(_) => None,
    };
    let (engine, for_many) = many::engine(args.engine, data, &kernel, noise, searched);
    let settings = Settings {
        likelihood: args.likelihood,
        likelihood_parameters: likelihood_parameters(args, data)?,
        engine,
        for_many,
        approximation: args.approximation,
        mean: args.mean,
        kernel,
        noise,
        parameters: if searched {
            Parameters::Search {
                restarts: args.restarts.unwrap_or(if embedded || automatic { 0 } else { 4 }),
                integrated: match args.parameters {
                    Some(ParameterUse::Integrated) => true,
                    Some(ParameterUse::Known) => false,
                    None => data.inputs.nrows() <= MOST_INTEGRATED && !embedded,
                },
            }
        } else {
            Parameters::Given
        },
        seed: args.common.seed,
        kernel_path: None,
        components: args.components || embedded || automatic,
        paths: args.out.is_some(),
        level: args.level.level,
    };
    match &data.outputs {
        Outcome::Numbers(outputs) if automatic => {
            let (kernel, noise, path) = auto_kernel::search(args, &settings, data, outputs)?;
            Ok(Settings { kernel, noise, kernel_path: Some(path), ..settings })
        }
        _ => Ok(settings),
    }
}

/// The answer at these places, and draws of the function there if they are wanted.
pub(super) fn answer(
    settings: &Settings,
    data: &Data,
    places: &DMatrix<f64>,
) -> Result<(Answer, Vec<Vec<f64>>), Failure> {
    let (answer, paths) = match (settings.likelihood, &data.outputs) {
        (Likelihood::Gaussian, Outcome::Numbers(outputs)) => {
            regression::answer(settings, data, outputs, places)?
        }
        _ => (classification::answer(settings, data, places)?, Vec::new()),
    };
    Ok((answer.dated(data.time.as_ref()), paths))
}

/// Whether the function is the logarithm of a mean.
const fn exponential(likelihood: Likelihood) -> bool {
    matches!(
        likelihood,
        Likelihood::Poisson | Likelihood::NegativeBinomial | Likelihood::Gamma | Likelihood::LogGaussian
    )
}

/// The parameters of the likelihood: those of the options, and for the others what the data suggest.
fn likelihood_parameters(args: &GpFit, data: &Data) -> Result<Vec<f64>, Failure> {
    let spread = match &data.outputs {
        Outcome::Numbers(outputs) => regression::spread(outputs),
        Outcome::Classes { .. } | Outcome::Counts(_) => 1.0,
    };
    let mut all = match args.likelihood {
        Likelihood::StudentT => vec![("degrees", 4.0), ("scale", spread.sqrt() / 3.0)],
        Likelihood::NegativeBinomial => vec![("size", 1.0)],
        Likelihood::Gamma => vec![("shape", 4.0)],
        Likelihood::LogGaussian => vec![("variance", 0.1 * spread)],
        _ => Vec::new(),
    };
    for text in &args.likelihood_params {
        let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
        let wrong = || {
            let message =
                format!("--likelihood-params {text}: expected {}=NUMBER", names.join("=NUMBER or "));
            Failure::Usage(message)
        };
        let (name, number) = text.split_once('=').ok_or_else(wrong)?;
        let own = all.iter_mut().find(|(own, _)| *own == name).ok_or_else(wrong)?;
        own.1 = number.parse().ok().filter(|own: &f64| *own > 0.0 && own.is_finite()).ok_or_else(wrong)?;
    }
    Ok(all.into_iter().map(|(_, value)| value).collect())
}

/// The kernel of the options; where parameters are searched for, with a variance for each term.
fn kernel(args: &GpFit, data: &Data, searched: bool) -> Result<Kernel, Failure> {
    let text = match (&args.kernel, &args.data) {
        (Some(text), _) => text.as_str(),
        (None, None) => MAUNA_LOA,
        (None, Some(_)) => {
            let message = "which kernel? for example --kernel \"1*rbf(1)\", with its length scale in the units of the inputs, or --kernel auto";
            return Err(Failure::Usage(message.to_owned()));
        }
    };
    let kernel: Kernel = text.parse().map_err(|error| text_input::failure("--kernel", text, &error, 0))?;
    let scale = match &data.outputs {
        Outcome::Numbers(outputs) if !exponential(args.likelihood) => regression::spread(outputs),
        _ => 1.0,
    };
    Ok(if searched { prior::with_variances(&kernel, scale) } else { kernel })
}
