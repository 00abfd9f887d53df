//! Regression: a function and Gaussian noise.

use posterior::dist::stream::stream;
use posterior::gp::hyperparameters::{FitOptions, FitReport, Learnable, Limit, Regression, curvature, fit};
use posterior::gp::kernel::Parameter;
use posterior::gp::regression::Posterior;
use posterior::gp::{GaussianProcess, Kernel, Mean, Noise};
use posterior::math::iteration::Silent;
use posterior::math::linalg::DMatrix;

use super::answer::{Answer, Component, Hyperparameter, Jitter, LeaveOneOut, Predicted, Search, Values};
use super::data_input::Data;
use crate::args::{GpFit, MeanShape};
use crate::failure::Failure;

/// Draws of the function in the report.
const PATHS: usize = 3;

/// Draws at more places than this are not worth their cost.
const MOST_DRAWN: usize = 2000;

/// What the options ask for: the answer, and draws of the function at the places.
pub(super) fn answer(
    args: &GpFit,
    data: &Data,
    outputs: &[f64],
    kernel: Kernel,
    places: &DMatrix<f64>,
) -> Result<(Answer, Vec<Vec<f64>>), Failure> {
    let refused = |error: posterior::gp::Error| Failure::data(format!("{}: {error}", data.source));
    let process = GaussianProcess::new(kernel.clone()).with_mean(mean(args, outputs, data.inputs.ncols())?);
    let noise = noise(args, data, outputs, &kernel)?;
    let problem = Regression::new(process, noise, &data.inputs, outputs).map_err(refused)?;
    let embedded = args.data.is_none();
    let (posterior, report) = if args.optimize || embedded {
        let options = FitOptions::default().with_restarts(args.restarts).with_seed(args.common.seed);
        let fitted = fit(&problem, &options, &mut Silent).map_err(refused)?;
        (fitted.model, Some(fitted.report))
    } else {
        let free: Vec<f64> = problem.parameters().iter().map(Parameter::free).collect();
        (problem.model(&free).map_err(refused)?.0, None)
    };
    let mut answer = told(args, &problem, &posterior, report.as_ref(), places).map_err(refused)?;
    if args.components || embedded {
        answer.components = components(&posterior, places).map_err(refused)?;
    }
    Ok((answer, draws(args, &posterior, places).map_err(refused)?))
}

/// The mean function, at the outputs' average where a fit begins.
fn mean(args: &GpFit, outputs: &[f64], coordinates: usize) -> Result<Mean, Failure> {
    let shape = args.mean.unwrap_or(if args.data.is_none() { MeanShape::Constant } else { MeanShape::Zero });
    let average = outputs.iter().sum::<f64>() / outputs.len() as f64;
    let mean = match shape {
        MeanShape::Zero => Ok(Mean::zero()),
        MeanShape::Constant => Mean::constant(average),
        MeanShape::Linear => Mean::linear(average, &vec![0.0; coordinates]),
    };
    mean.map_err(|error| Failure::data(error.to_string()))
}

/// The noise: known in each row, or one variance, or both.
fn noise(args: &GpFit, data: &Data, outputs: &[f64], kernel: &Kernel) -> Result<Noise, Failure> {
    let refused = |error: posterior::math::ParamError| Failure::Usage(format!("--noise: {error}"));
    let learnt = args.optimize || args.data.is_none();
    let variance = match args.noise {
        Some(variance) => Some(variance),
        None if learnt && data.noise.is_none() && !kernel.to_string().contains("white(") => {
            Some(0.1 * spread(outputs).max(f64::MIN_POSITIVE))
        }
        None => None,
    };
    match (&data.noise, variance) {
        (None, None) => Ok(Noise::none()),
        (None, Some(0.0)) => Ok(Noise::none()),
        (None, Some(variance)) => Noise::variance(variance).map_err(refused),
        (Some(known), None) => Noise::known_each(known).map_err(refused),
        (Some(known), Some(variance)) => {
            Noise::known_each(known).and_then(|noise| noise.plus_variance(variance)).map_err(refused)
        }
    }
}

/// The variance of some numbers; 1 if they are all the same.
fn spread(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count;
    if variance > 0.0 { variance } else { 1.0 }
}

fn components(posterior: &Posterior, places: &DMatrix<f64>) -> Result<Vec<Component>, posterior::gp::Error> {
    let part = |own: &posterior::gp::regression::Component<'_>| {
        let prediction = own.predict(places)?;
        Ok(Component {
            kernel: own.kernel().to_string(),
            mean: prediction.mean.as_slice().to_vec(),
            variance: prediction.variance.as_slice().to_vec(),
        })
    };
    posterior.components().iter().map(part).collect()
}

/// Draws of the function for the report.
fn draws(
    args: &GpFit,
    posterior: &Posterior,
    places: &DMatrix<f64>,
) -> Result<Vec<Vec<f64>>, posterior::gp::Error> {
    if args.out.is_none() || places.nrows() > MOST_DRAWN {
        return Ok(Vec::new());
    }
    let sampler = posterior.sampler(places)?;
    let mut rng = stream(args.common.seed, &[0]);
    Ok((0..PATHS).map(|_| sampler.sample(&mut rng).as_slice().to_vec()).collect())
}

fn told(
    args: &GpFit,
    problem: &Regression,
    posterior: &Posterior,
    report: Option<&FitReport>,
    places: &DMatrix<f64>,
) -> Result<Answer, posterior::gp::Error> {
    let parameters = posterior.parameters();
    let free: Vec<f64> = parameters.iter().map(Parameter::free).collect();
    let errors = match report {
        Some(_) => curvature(problem, &free)?.standard_errors,
        None => vec![None; parameters.len()],
    };
    let limit = |place: usize| report.and_then(|report| report.parameters[place].limit);
    let hyperparameters =
        parameters.iter().zip(errors).enumerate().map(|(place, (own, standard_error))| Hyperparameter {
            name: own.name.clone(),
            value: own.value,
            standard_error,
            limit: limit(place).map(|limit| if limit == Limit::Lower { "lower" } else { "upper" }),
        });
    let prediction = posterior.predict(places)?;
    let predictions = places.row_iter().enumerate().map(|(i, x)| Predicted {
        x: x.iter().copied().collect(),
        mean: Values::One(prediction.mean[i]),
        variance: Values::One(prediction.variance[i]),
        probability: None,
        response: None,
    });
    let mut answer = Answer {
        likelihood: "gaussian",
        method: "exact".to_owned(),
        reason: format!("{} different inputs", posterior.sites()),
        kernel: posterior.prior().kernel().to_string(),
        hyperparameters: hyperparameters.collect(),
        ln_marginal_likelihood: posterior.ln_marginal_likelihood(),
        gradient: posterior.gradient(),
        jitter: posterior.jitter().map(|own| Jitter { variance: own.variance, cause: own.cause.to_string() }),
        search: report.map(search),
        leave_one_out: Some(leave_one_out(posterior)),
        predictions: predictions.collect(),
        components: Vec::new(),
        classes: Vec::new(),
        warnings: Vec::new(),
        seed: args.common.seed,
        seconds: 0.0,
    };
    answer.warnings = warnings(&answer);
    Ok(answer)
}

fn search(report: &FitReport) -> Search {
    Search {
        converged: report.search.converged(),
        iterations: report.search.iterations(),
        starts: report.starts.len(),
        agreeing: report.agreeing_starts(),
    }
}

fn leave_one_out(posterior: &Posterior) -> LeaveOneOut {
    let own = posterior.leave_one_out();
    LeaveOneOut {
        ln_score: own.ln_score,
        coverage_90: own.prediction.coverage(posterior.outputs().as_slice(), 0.9),
        residuals: own.residuals.as_slice().to_vec(),
    }
}

/// What a reader must know before the answer is used.
fn warnings(answer: &Answer) -> Vec<String> {
    let mut warnings = Vec::new();
    if let Some(jitter) = &answer.jitter {
        let message =
            format!("a variance of {:.2e} was added to the noise: {}", jitter.variance, jitter.cause);
        warnings.push(message);
    }
    if let Some(search) = &answer.search {
        if !search.converged {
            warnings.push(
                "the search did not converge: try other starting values, or more --restarts".to_owned(),
            );
        }
        if search.starts > 1 && search.agreeing == 1 {
            warnings.push(format!(
                "only one of {} searches ended at the best value: there may be better ones; try more --restarts",
                search.starts
            ));
        }
    }
    for own in answer.hyperparameters.iter().filter(|own| own.limit.is_some()) {
        warnings
            .push(format!("{} is at a limit: the data want it there or beyond, or do not care", own.name));
    }
    warnings
}
