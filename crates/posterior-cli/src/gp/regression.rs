//! Regression: a function and Gaussian noise.

use posterior::dist::stream::stream;
use posterior::gp::hyperparameters::MixturePrediction;
use posterior::gp::markov::MarkovOptions;
use posterior::gp::regression::Prediction;
use posterior::gp::solver::{AnyPosterior, Route, Solver, SolverRegression};
use posterior::gp::sparse::SparseApproximation;
use posterior::gp::{GaussianProcessPosterior, Kernel, Noise};
use posterior::math::linalg::DMatrix;

use super::answer::{Answer, Component, Jitter, Learned, LeaveOneOut, Predicted, of_one_function};
use super::data_input::Data;
use super::learning::{learn, warnings};
use super::many;
use super::prior::Prior;
use super::settings::Settings;
use crate::args::{GpEngine, GpFit, MeanShape};
use crate::failure::Failure;
use crate::level::Level;
use crate::predictive::Predictive;
use crate::scores::Coverage;

/// Draws of the function in the report.
const PATHS: usize = 3;

/// The variance of the months of Mauna Loa where its search begins.
const MAUNA_LOA_NOISE: f64 = 0.04;

/// Draws at more places than this are not worth their cost.
const MOST_DRAWN: usize = 2000;

/// What the options ask for: the answer, and draws of the function at the places.
pub(super) fn answer(
    settings: &Settings,
    data: &Data,
    outputs: &[f64],
    places: &DMatrix<f64>,
) -> Result<(Answer, Vec<Vec<f64>>), Failure> {
    let refused = |error: posterior::gp::Error| Failure::data(format!("{}: {error}", data.source));
    let (prior, problem) = problem(settings, data, outputs, noise(settings, data)?).map_err(refused)?;
    let (problem, settings, few) = many::begun(problem, settings);
    let mut learned = learn(&problem, &settings).map_err(refused)?;
    if let (Some(search), Some(few)) = (&mut learned.search, &few) {
        (search.starts, search.agreeing) = (few.starts.len(), few.agreeing_starts());
    }
    let mut answer = output(&settings, &learned, &prior, &problem, places).map_err(refused)?;
    if settings.for_many {
        answer.reason = many::reason(outputs.len());
    }
    answer.reason.extend(few.as_ref().map(many::of_starts));
    if settings.components {
        let count = answer.kernel.terms().len();
        answer.components = components(&learned.model, count, places).map_err(refused)?;
    }
    answer.warnings = warnings(&answer);
    let paths = draws(&settings, &learned.model, places).map_err(refused)?;
    Ok((answer, paths))
}

/// The prior of the settings, and what it makes of the data.
pub(super) fn problem(
    settings: &Settings,
    data: &Data,
    outputs: &[f64],
    noise: Noise,
) -> Result<(Prior, SolverRegression), posterior::gp::Error> {
    let prior = prior(settings, outputs);
    let process = prior.process(data.inputs.ncols())?;
    let solver = solver(settings.engine);
    Ok((prior, SolverRegression::new(process, noise, (&data.inputs, outputs), &solver)?))
}

fn solver(engine: GpEngine) -> Solver {
    match engine {
        GpEngine::Auto => Solver::Auto,
        GpEngine::Exact => Solver::Dense,
        GpEngine::Markov => Solver::Markov(MarkovOptions::default()),
        GpEngine::Sparse(inducing) => {
            Solver::Sparse { inducing, approximation: SparseApproximation::Variational }
        }
    }
}

/// The prior: a constant is about the outputs' average, with ten times their standard deviation.
pub(super) fn prior(settings: &Settings, outputs: &[f64]) -> Prior {
    let average = outputs.iter().sum::<f64>() / outputs.len() as f64;
    let shape = settings.mean.unwrap_or(MeanShape::Constant);
    Prior::new(settings.kernel.clone(), shape, average, 10.0 * spread(outputs).sqrt())
}

/// The variance of the noise where a search begins, or that is given; none where there is no such noise.
pub(super) fn first_noise(
    args: &GpFit,
    data: &Data,
    outputs: &[f64],
    kernel: &Kernel,
    searched: bool,
) -> Option<f64> {
    match args.noise {
        Some(variance) => Some(variance),
        None if args.data.is_none() => Some(MAUNA_LOA_NOISE),
        None if searched && data.noise.is_none() && !kernel.to_string().contains("white(") => {
            Some(0.1 * spread(outputs).max(f64::MIN_POSITIVE))
        }
        None => None,
    }
}

/// The noise: known in each row, or one variance, or both.
pub(super) fn noise(settings: &Settings, data: &Data) -> Result<Noise, Failure> {
    let refused = |error: posterior::math::ParamError| Failure::Usage(format!("--noise: {error}"));
    match (&data.noise, settings.noise) {
        (None, None | Some(0.0)) => Ok(Noise::none()),
        (None, Some(variance)) => Noise::variance(variance).map_err(refused),
        (Some(known), None) => Noise::known_each(known).map_err(refused),
        (Some(known), Some(variance)) => {
            Noise::known_each(known).and_then(|noise| noise.plus_variance(variance)).map_err(refused)
        }
    }
}

/// The variance of some numbers; 1 if they are all the same.
pub(super) fn spread(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count;
    if variance > 0.0 { variance } else { 1.0 }
}

/// The first terms of the kernel, by themselves.
fn components(
    posterior: &AnyPosterior,
    count: usize,
    places: &DMatrix<f64>,
) -> Result<Vec<Component>, posterior::gp::Error> {
    let terms = posterior.prior().kernel().terms();
    let parts = posterior.latent_components(places)?;
    let part = |(term, part): (&Kernel, Prediction)| Component {
        kernel: term.clone(),
        mean: part.mean.as_slice().to_vec(),
        variance: part.variance.as_slice().to_vec(),
    };
    Ok(terms.iter().zip(parts).take(count).map(part).collect())
}

/// Draws of the function for the report.
fn draws(
    settings: &Settings,
    posterior: &AnyPosterior,
    places: &DMatrix<f64>,
) -> Result<Vec<Vec<f64>>, posterior::gp::Error> {
    let AnyPosterior::Dense(posterior) = posterior else { return Ok(Vec::new()) };
    if !settings.paths || places.nrows() > MOST_DRAWN {
        return Ok(Vec::new());
    }
    let sampler = posterior.sampler(places)?;
    let mut rng = stream(settings.seed, &[0]);
    Ok((0..PATHS).map(|_| sampler.sample(&mut rng).as_slice().to_vec()).collect())
}

fn output(
    settings: &Settings,
    learned: &Learned<AnyPosterior>,
    prior: &Prior,
    problem: &SolverRegression,
    places: &DMatrix<f64>,
) -> Result<Answer, posterior::gp::Error> {
    let posterior = &learned.model;
    let each = learned.each(problem, |model| {
        Ok((model.latent(places)?, model.noise().of_new_observation(), constant(prior, model, places)?))
    })?;
    let functions: Vec<_> = each.iter().map(|(weight, (own, ..))| (*weight, own.clone())).collect();
    let noises: Option<Vec<f64>> = each.iter().map(|(_, (_, noise, _))| *noise).collect();
    let constants: Option<Vec<_>> =
        each.into_iter().map(|(weight, (.., own))| Some((weight, own?))).collect();
    let constant = constants.map(|all| {
        let own = MixturePrediction::new(all);
        (own.mean()[0], own.variance()[0])
    });
    let functions = MixturePrediction::new(functions);
    let mut predictions = of_one_function(places, &functions, settings.level)?;
    if let Some(noises) = noises {
        predictions = with_outcomes(predictions, &functions, &noises, settings.level)?;
    }
    let (kernel, route) = (prior.kernel(posterior.prior()), problem.route());
    Ok(Answer {
        likelihood: "gaussian",
        reason: route.reason().to_owned(),
        jitter: jitter(posterior),
        leave_one_out: match posterior {
            AnyPosterior::Dense(posterior) => Some(leave_one_out(posterior, settings.level)),
            _ => None,
        },
        predictions,
        ..Answer::new(learned, kernel, prior.mean_function(constant), method_name(route), settings.level)
    })
}

/// The same with new outcomes, of the noise of each of the functions.
fn with_outcomes(
    predictions: Vec<Predicted>,
    functions: &MixturePrediction,
    noises: &[f64],
    level: Level,
) -> Result<Vec<Predicted>, posterior::gp::Error> {
    let noisy = functions.parts().iter().zip(noises);
    let outcomes = noisy.map(|((weight, own), noise)| (*weight, own.clone().plus_noise(*noise)));
    let outcomes = MixturePrediction::new(outcomes.collect());
    let one = |(i, own): (usize, Predicted)| {
        let (mean, sd) = (own.mean.all()[0], own.variance.all()[0].sqrt());
        let new = match outcomes.parts() {
            [(_, only)] => Predictive::normal(only.mean[i], only.variance[i])?,
            _ => Predictive::Normals(outcomes.distribution(i)?),
        };
        Ok(own.with_new(mean, sd, new, level))
    };
    predictions.into_iter().enumerate().map(one).collect()
}

/// The constant given the data, without its center; the same at any place.
fn constant(
    prior: &Prior,
    posterior: &AnyPosterior,
    places: &DMatrix<f64>,
) -> Result<Option<Prediction>, posterior::gp::Error> {
    if !prior.has_constant() || places.nrows() == 0 {
        return Ok(None);
    }
    Ok(posterior.latent_components(&places.rows(0, 1).into_owned())?.pop())
}

/// The method by the name that `--engine` has for it.
fn method_name(route: &Route) -> &'static str {
    match route.solver() {
        Solver::Auto | Solver::Dense | Solver::DenseOfAnySize => "exact",
        _ => route.name(),
    }
}

fn jitter(posterior: &AnyPosterior) -> Option<Jitter> {
    match posterior {
        AnyPosterior::Dense(posterior) => {
            posterior.jitter().map(|own| Jitter { variance: own.variance, cause: own.cause.to_string() })
        }
        AnyPosterior::Sparse(posterior) if posterior.jitter() > 0.0 => {
            let cause = "the kernel is singular on the inducing inputs".to_owned();
            Some(Jitter { variance: posterior.jitter(), cause })
        }
        _ => None,
    }
}

fn leave_one_out(posterior: &GaussianProcessPosterior, level: Level) -> LeaveOneOut {
    let own = posterior.leave_one_out();
    let proportion = own.prediction.coverage(posterior.outputs().as_slice(), level.probability());
    LeaveOneOut {
        ln_score: own.ln_score,
        coverage: Coverage { level, proportion },
        residuals: own.residuals.as_slice().to_vec(),
    }
}
