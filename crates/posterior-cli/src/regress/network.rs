//! Several classes, and networks with a hidden layer.

use posterior::dist::{Normal, Univariate as _};
use posterior::math::iteration::Silent;
use posterior::math::linalg::{DMatrix, DVector};
use posterior::math::streaming::MeanVariance;
use posterior::regression::Error;
use posterior::regression::coefficients::Coefficient;
use posterior::regression::network::{
    Activation, Curvature, Head, Hyperparameters, Joint, Laplace, Network, Observations, Scales,
    TrainOptions, TuneOptions, train, tune,
};

use super::answer::{Answer, Fitted, Intervals, Predicted, PredictedBy};
use super::data_input::{Data, Outcome};
use super::fit::refused;
use super::standard::Standard;
use crate::args::{Family, RegressEngine, RegressFit};
use crate::failure::Failure;
use crate::output::significant;

/// The prior standard deviation of the coefficients of classes where no other is given.
const PRIOR_SD: f64 = 2.5;

/// The median of the scale of the weights of a network for classes, where the scale is averaged over.
const MEDIAN: f64 = 2.0;

/// Starts of a network with a hidden layer; under each scale, where the scale is averaged over.
const STARTS: usize = 4;
const STARTS_OF_A_SCALE: usize = 2;

/// The interval of 90 %.
const ENDS: [f64; 2] = [0.05, 0.95];

/// Starts further apart than this many nats are no longer one answer.
const NATS: f64 = 3.0;

/// Below this prior standard deviation the weights of a network are zero.
const SWITCHED_OFF: f64 = 1e-3;

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
    let known = known(args, network, observations)?;
    let response = |rows: &DMatrix<f64>| predictions(&known, &data.outcome, &standard.rows(rows), unit);
    let here = response(&data.design.values)?;
    let mut intervals = Intervals::of(&data.outcome, taken_as_known(args, &data.outcome));
    let coefficients = match &known {
        Known::One(posterior) if hidden.is_empty() => coefficients(posterior, data, &standard)?,
        _ => Vec::new(),
    };
    if coefficients.is_empty() {
        intervals.coefficients = None;
    }
    Ok(Answer {
        family: if args.family == Family::Mlp { "mlp" } else { "softmax" },
        engine: "laplace",
        rows: data.rows(),
        coefficients,
        ln_evidence: Some(known.ln_evidence() - unit.ln_jacobian(data.rows())),
        ln_evidence_error: None,
        pareto_k: None,
        prior_sd: Some(known.prior_sd()),
        noise_sd: known.noise_sd().map(|sd| sd * unit.sd),
        classes: Vec::new(),
        positive_class: None,
        intervals,
        warnings: if args.family == Family::Mlp { warnings(&known, &here) } else { Vec::new() },
        fitted: against(data, &here),
        predictions: if data.places.values == data.design.values {
            here
        } else {
            response(&data.places.values)?
        },
        seed: args.common.seed,
        seconds: 0.0,
    })
}

/// What is known of the parameters.
enum Known {
    One(Laplace),
    Averaged(Scales),
}

impl Known {
    fn ln_evidence(&self) -> f64 {
        match self {
            Self::One(posterior) => posterior.ln_evidence(),
            Self::Averaged(scales) => scales.ln_evidence(),
        }
    }

    /// The prior standard deviation; where it is averaged over, its median.
    fn prior_sd(&self) -> f64 {
        match self {
            Self::One(posterior) => posterior.hyperparameters().precisions()[0].sqrt().recip(),
            Self::Averaged(scales) => scales.median(),
        }
    }

    fn noise_sd(&self) -> Option<f64> {
        match self {
            Self::One(posterior) => matches!(posterior.head(), Head::Gaussian)
                .then(|| posterior.hyperparameters().noise_variance().sqrt()),
            Self::Averaged(_) => None,
        }
    }
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

/// Trained. Of a network with a hidden layer the scale of the prior is averaged over for classes and tuned by the evidence for
/// numbers, unless it was given.
fn known(args: &RegressFit, network: Network, observations: Observations) -> Result<Known, Error> {
    let (mlp, numbers) = (args.family == Family::Mlp, observations.head() == Head::Gaussian);
    let prior_sd = args.prior_sd.unwrap_or(if mlp { 1.0 } else { PRIOR_SD });
    let noise = Hyperparameters::new(prior_sd.powi(-2))?.with_noise_variance(0.1)?;
    let joint = Joint::new(network, observations, noise)?;
    let options = TrainOptions::default().with_seed(args.common.seed);
    if mlp && !numbers && args.prior_sd.is_none() {
        let options = options.with_starts(STARTS_OF_A_SCALE);
        return Scales::new(&joint, MEDIAN, Curvature::GaussNewton, &options).map(Known::Averaged);
    }
    let mode = train(&joint, &options.with_starts(if mlp { STARTS } else { 1 }), &mut Silent)?.model;
    if numbers {
        let tuned = tune(joint, &mode.weights, Curvature::GaussNewton, &TuneOptions::default(), &mut Silent)?;
        return Ok(Known::One(tuned.model));
    }
    Laplace::new(&joint, &mode.weights, Curvature::GaussNewton).map(Known::One)
}

/// Where the fit of a network is not to be trusted.
fn warnings(known: &Known, here: &[Predicted]) -> Vec<String> {
    let mut all = Vec::new();
    if let Known::Averaged(scales) = known {
        let apart = scales.disagreement();
        if apart > NATS {
            all.push(format!(
                "searches from different starts ended {} nats apart: predictions depend on --seed",
                significant(apart)
            ));
        }
    }
    let probabilities = |own: &Predicted| own.probabilities.clone().or_else(|| Some(vec![own.mean?]));
    let rows: Vec<Vec<f64>> = here.iter().filter_map(probabilities).collect();
    let widths = |own: &Predicted| {
        let of_classes = own.probability_intervals_90.clone();
        of_classes.or_else(|| Some(vec![own.mean_interval_90?])).unwrap_or_default()
    };
    let widest = here.iter().flat_map(widths).map(|[low, high]| high - low).fold(0.0, f64::max);
    let range = |class: usize| {
        let of_class = || rows.iter().filter_map(|row| row.get(class).copied());
        of_class().fold(f64::NEG_INFINITY, f64::max) - of_class().fold(f64::INFINITY, f64::min)
    };
    let spread = (0..rows.first().map_or(0, Vec::len)).map(range).fold(0.0, f64::max);
    let classes = known.noise_sd().is_none();
    if classes && here.len() > 1 && spread < widest {
        all.push(
            "the rows differ less in their probabilities than these are uncertain: the data are too few, or the columns say too \
             little, to tell how the outcome depends on them, and a dependence that varies fast may be missed"
                .to_owned(),
        );
    }
    if !classes && known.prior_sd() < SWITCHED_OFF {
        all.push(
            "the data are most probable under a network that is constant: every prediction is the mean, and its interval takes \
             this as known"
                .to_owned(),
        );
    }
    all
}

/// In the units of the table; of several classes less the mean over the classes, which is what observations determine.
fn coefficients(posterior: &Laplace, data: &Data, standard: &Standard) -> Result<Vec<Coefficient>, Error> {
    let layer = &posterior.network().layers()[0];
    let (units, inputs) = (layer.units(), layer.inputs());
    let share = if units > 1 { (units as f64).recip() } else { 0.0 };
    let mut contrasts = DMatrix::zeros(posterior.mode().len(), units * inputs);
    for unit in 0..units {
        for input in 0..inputs {
            let mut column = contrasts.column_mut(unit * inputs + input);
            for other in 0..units {
                column[layer.weight(input, other)] -= share;
            }
            column[layer.weight(input, unit)] += 1.0;
        }
    }
    let means = contrasts.tr_mul(&DVector::from_column_slice(posterior.mode()));
    let deviations = posterior.deviations_of(&contrasts)?;
    let mut all = Vec::new();
    for unit in 0..units {
        let class = match &data.outcome {
            Outcome::Classes { labels, .. } if units > 1 => format!("{}: ", labels[unit]),
            _ => String::new(),
        };
        for (input, name) in data.coding.names.iter().enumerate() {
            let (place, size) = (unit * inputs + input, standard.unit(input));
            all.push(Coefficient::normal(
                format!("{class}{name}"),
                means[place] / size,
                deviations[place] / size,
            )?);
        }
    }
    Ok(all)
}

fn predictions(
    known: &Known,
    outcome: &Outcome,
    rows: &DMatrix<f64>,
    unit: Unit,
) -> Result<Vec<Predicted>, Error> {
    let posterior = match known {
        Known::One(posterior) => posterior,
        Known::Averaged(scales) => {
            return Ok(of_classes(
                outcome,
                &scales.response(rows)?,
                &scales.response_quantiles(rows, &ENDS)?,
            ));
        }
    };
    let latent = posterior.latent(rows)?;
    if posterior.head() != Head::Gaussian {
        return Ok(of_classes(outcome, &latent.response(), &latent.response_quantiles(&ENDS)?));
    }
    let interval = |mean: f64, variance: f64| -> Result<[f64; 2], Error> {
        let law = Normal::mean_sd(mean, variance.sqrt().max(f64::MIN_POSITIVE))?;
        Ok(ENDS.map(|p| unit.mean + unit.sd * law.quantile(p)))
    };
    let (variance, with_noise) = (latent.variance(), latent.variance_with_noise());
    let row = |i: usize| -> Result<Predicted, Error> {
        let mean = latent.mean()[(i, 0)];
        let (new, of_mean) = (interval(mean, with_noise[(i, 0)])?, interval(mean, variance[(i, 0)])?);
        Ok(Predicted::number(unit.mean + unit.sd * mean, new, of_mean))
    };
    (0..rows.nrows()).map(row).collect()
}

/// Probabilities with their intervals; of two classes those of the second.
fn of_classes(outcome: &Outcome, response: &DMatrix<f64>, ends: &[DMatrix<f64>]) -> Vec<Predicted> {
    let two = matches!(outcome, Outcome::Classes { labels, .. } if labels.len() == 2);
    let row = |i: usize| {
        let intervals = (0..response.ncols()).map(|class| [ends[0][(i, class)], ends[1][(i, class)]]);
        match intervals.collect::<Vec<_>>()[..] {
            [own] if two => Predicted::probability(response[(i, 0)], own),
            ref all => Predicted::classes(response.row(i).iter().copied().collect(), all.to_vec()),
        }
    };
    (0..response.nrows()).map(row).collect()
}

/// What is estimated from the data and then kept: of a network with a hidden layer for numbers.
fn taken_as_known(args: &RegressFit, outcome: &Outcome) -> &'static [&'static str] {
    match (args.family, outcome) {
        (Family::Mlp, Outcome::Numbers(_)) => &["prior_sd", "noise_sd"],
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
