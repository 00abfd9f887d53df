//! Several classes, and networks with a hidden layer.

use posterior::dist::{Normal, Univariate as _};
use posterior::math::iteration::Silent;
use posterior::math::linalg::DMatrix;
use posterior::math::streaming::MeanVariance;
use posterior::regression::Error;
use posterior::regression::coefficients::Coefficient;
use posterior::regression::network::{
    Activation, Curvature, Head, Hyperparameters, Joint, Laplace, Network, Observations, TrainOptions,
    TuneOptions, train, tune,
};

use super::answer::{Answer, Fitted, Intervals, Predicted, PredictedBy};
use super::data_input::{Data, Outcome};
use super::fit::refused;
use super::standard::Standard;
use crate::args::{Family, RegressEngine, RegressFit};
use crate::failure::Failure;

/// The prior standard deviation of the coefficients of classes where no other is given.
const PRIOR_SD: f64 = 2.5;

/// Starts of a network with a hidden layer.
const STARTS: usize = 4;

/// The answer for several classes, or by a network.
pub(super) fn answer(args: &RegressFit, data: &Data) -> Result<Answer, Failure> {
    match args.engine {
        None | Some(RegressEngine::Laplace) => fitted(args, data).map_err(refused),
        Some(RegressEngine::Exact | RegressEngine::Nuts) => {
            let message = "--engine: the families softmax and mlp are approximated by laplace";
            Err(Failure::Usage(message.to_owned()))
        }
    }
}

fn fitted(args: &RegressFit, data: &Data) -> Result<Answer, Error> {
    let standard = Standard::of(&data.design.values);
    let inputs = standard.rows(&data.design.values);
    let unit = Unit::of(&data.outcome);
    let observations = observations(&data.outcome, inputs.clone(), unit)?;
    let hidden = if args.family == Family::Mlp { vec![usize::from(args.hidden)] } else { Vec::new() };
    let outputs = observations.targets().ncols();
    let network = Network::new(inputs.ncols(), &hidden, outputs, Activation::Tanh)?;
    let posterior = posterior(args, network, observations)?;
    let response = |rows: &DMatrix<f64>| predictions(&posterior, &standard.rows(rows), unit);
    let here = response(&data.design.values)?;
    let precision = posterior.hyperparameters().precisions()[0];
    Ok(Answer {
        family: if args.family == Family::Mlp { "mlp" } else { "softmax" },
        engine: "laplace",
        rows: data.rows(),
        coefficients: if hidden.is_empty() { coefficients(&posterior, data, &standard)? } else { Vec::new() },
        ln_evidence: Some(posterior.ln_evidence() - unit.ln_jacobian(data.rows())),
        ln_evidence_error: None,
        pareto_k: None,
        prior_sd: Some(precision.sqrt().recip()),
        noise_sd: matches!(posterior.head(), Head::Gaussian)
            .then(|| posterior.hyperparameters().noise_variance().sqrt() * unit.sd),
        classes: Vec::new(),
        positive_class: None,
        intervals: Intervals::of(&data.outcome, taken_as_known(args, &posterior)),
        fitted: against(data, &here),
        predictions: response(&data.places.values)?,
        warnings: Vec::new(),
        seed: args.common.seed,
        seconds: 0.0,
    })
}

/// The unit of numbers: networks see them standardised.
#[derive(Debug, Clone, Copy)]
struct Unit {
    mean: f64,
    sd: f64,
}

impl Unit {
    fn of(outcome: &Outcome) -> Self {
        let Outcome::Numbers(values) = outcome else { return Self { mean: 0.0, sd: 1.0 } };
        let moments: MeanVariance = values.iter().copied().collect();
        let sd = moments.sample_variance().sqrt();
        Self { mean: moments.mean(), sd: if sd > 0.0 { sd } else { 1.0 } }
    }

    /// What the unit takes from the logarithm of a density of so many numbers.
    fn ln_jacobian(self, rows: usize) -> f64 {
        rows as f64 * self.sd.ln()
    }
}

fn observations(outcome: &Outcome, inputs: DMatrix<f64>, unit: Unit) -> Result<Observations, Error> {
    match outcome {
        Outcome::Numbers(values) => {
            let standard = values.iter().map(|value| (value - unit.mean) / unit.sd);
            Observations::real(inputs, DMatrix::from_iterator(values.len(), 1, standard))
        }
        Outcome::Classes { labels, of_row } if labels.len() == 2 => {
            Observations::binary(inputs, &of_row.iter().map(|&class| class == 1).collect::<Vec<_>>())
        }
        Outcome::Classes { labels, of_row } => Observations::classes(inputs, of_row, labels.len()),
        Outcome::Counts(counts) => Observations::counts(inputs, counts),
    }
}

/// Trained, and of a network with the prior tuned by the evidence unless it was given.
fn posterior(args: &RegressFit, network: Network, observations: Observations) -> Result<Laplace, Error> {
    let learnt = args.family == Family::Mlp && args.prior_sd.is_none();
    let prior_sd = args.prior_sd.unwrap_or(if learnt { 1.0 } else { PRIOR_SD });
    let noise = Hyperparameters::new(prior_sd.powi(-2))?.with_noise_variance(0.1)?;
    let joint = Joint::new(network, observations, noise)?;
    let starts = if args.family == Family::Mlp { STARTS } else { 1 };
    let options = TrainOptions::default().with_starts(starts).with_seed(args.common.seed);
    let mode = train(&joint, &options, &mut Silent)?.model;
    if args.family == Family::Mlp {
        return Ok(
            tune(joint, &mode.weights, Curvature::GaussNewton, &TuneOptions::default(), &mut Silent)?.model
        );
    }
    Laplace::new(&joint, &mode.weights, Curvature::GaussNewton)
}

/// Of each class, in the units of the table: only their differences matter.
fn coefficients(posterior: &Laplace, data: &Data, standard: &Standard) -> Result<Vec<Coefficient>, Error> {
    let layer = &posterior.network().layers()[0];
    let deviations = posterior.standard_deviations();
    let mut all = Vec::new();
    for unit in 0..layer.units() {
        let class = match &data.outcome {
            Outcome::Classes { labels, .. } if layer.units() > 1 => format!("{}: ", labels[unit]),
            _ => String::new(),
        };
        let places: Vec<usize> = std::iter::once(layer.bias(unit))
            .chain((0..layer.inputs()).map(|input| layer.weight(input, unit)))
            .collect();
        let own: Vec<f64> = places.iter().map(|&place| posterior.mode()[place]).collect();
        let means = standard.coefficients(&own);
        let names = std::iter::once("intercept").chain(data.coding.names.iter().map(String::as_str));
        for (index, (name, mean)) in names.zip(means).enumerate().skip(1) {
            let deviation = deviations[places[index]] / standard.unit(index - 1);
            all.push(Coefficient::normal(format!("{class}{name}"), mean, deviation)?);
        }
    }
    Ok(all)
}

fn predictions(posterior: &Laplace, rows: &DMatrix<f64>, unit: Unit) -> Result<Vec<Predicted>, Error> {
    let latent = posterior.latent(rows)?;
    let response = latent.response();
    let interval = |mean: f64, variance: f64| -> Result<[f64; 2], Error> {
        let law = Normal::mean_sd(mean, variance.sqrt().max(f64::MIN_POSITIVE))?;
        Ok([law.quantile(0.05), law.quantile(0.95)])
    };
    let with_noise = latent.variance_with_noise();
    let row = |i: usize| -> Result<Predicted, Error> {
        let (mean, variance) = (latent.mean()[(i, 0)], latent.variance()[(i, 0)]);
        Ok(match posterior.head() {
            Head::Gaussian => {
                let in_units = |value: f64| unit.mean + unit.sd * value;
                let (new, of_mean) = (interval(mean, with_noise[(i, 0)])?, interval(mean, variance)?);
                let mean = in_units(response[(i, 0)]);
                Predicted::number(mean, new.map(in_units), of_mean.map(in_units))
            }
            Head::Bernoulli => {
                let ends = interval(mean, variance)?.map(posterior::math::log_space::logistic);
                Predicted::probability(response[(i, 0)], ends)
            }
            _ => Predicted::classes(response.row(i).iter().copied().collect()),
        })
    };
    (0..rows.nrows()).map(row).collect()
}

/// What is estimated from the data and then kept: of a network with a hidden layer, unless it is given.
fn taken_as_known(args: &RegressFit, posterior: &Laplace) -> &'static [&'static str] {
    match (args.family, args.prior_sd, posterior.head()) {
        (Family::Mlp, None, Head::Gaussian) => &["prior_sd", "noise_sd"],
        (Family::Mlp, Some(_), Head::Gaussian) => &["noise_sd"],
        (Family::Mlp, None, _) => &["prior_sd"],
        _ => &[],
    }
}

/// How the data are predicted in the fit.
fn against(data: &Data, predictions: &[Predicted]) -> Fitted {
    let of_class = |own: &Predicted| match (&own.probabilities, own.mean) {
        (Some(probabilities), _) => probabilities.clone(),
        (None, Some(p)) => vec![1.0 - p, p],
        (None, None) => Vec::new(),
    };
    let fitted = Fitted::by(PredictedBy::InSample);
    match &data.outcome {
        Outcome::Classes { .. } => {
            Fitted { probabilities: predictions.iter().map(of_class).collect(), ..fitted }
        }
        Outcome::Numbers(values) => fitted.with_coverage(predictions, values),
        Outcome::Counts(_) => fitted,
    }
}
