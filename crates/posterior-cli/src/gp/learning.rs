//! Parameters: as they are given, or moved to where the data are most probable.

use posterior::gp::hyperparameters::{
    AtLimit, FitReport, HyperparameterOptions, IntegrationOptions, Learnable, MixturePrediction, curvature,
    fit, integrate, refine,
};
use posterior::gp::kernel::{FreeScale, KernelParameter};
use posterior::gp::regression::Prediction;
use posterior::math::check;
use posterior::math::iteration::Silent;
use posterior::math::optimize::LbfgsOptions;

use super::answer::{Answer, Hyperparameter, Learned, Search};
use super::settings::{Parameters, Settings};
use crate::args::Likelihood;

/// The model that the options ask for.
pub(super) fn learn<L: Learnable>(
    problem: &L,
    settings: &Settings,
) -> Result<Learned<L::Model>, posterior::gp::Error> {
    let parameters = problem.parameters();
    let (restarts, integrated) = match &settings.parameters {
        Parameters::Given => {
            let free: Vec<f64> = parameters.iter().map(KernelParameter::free).collect();
            let (model, _) = problem.model(&free)?;
            let given = parameters.iter().map(|own| own.value).collect();
            return output(problem, model, free, given, None);
        }
        Parameters::Known(free) => {
            check::dimension("parameters", parameters.len(), free.len())?;
            let (model, _) = problem.model(free)?;
            return output(problem, model, free.clone(), values(&parameters, free), None);
        }
        Parameters::Integrated { best, posterior } => {
            check::dimension("parameters", parameters.len(), best.len())?;
            let (model, _) = problem.model(best)?;
            let learned = output(problem, model, best.clone(), values(&parameters, best), None)?;
            return Ok(Learned { posterior: Some(posterior.clone()), ..learned });
        }
        Parameters::Search { restarts, integrated } => (*restarts, *integrated),
    };
    let search = LbfgsOptions {
        gradient_tolerance: 1e-5,
        value_tolerance: 1e-9,
        max_iterations: 150,
        ..LbfgsOptions::default()
    };
    let options =
        HyperparameterOptions { search, restarts, seed: settings.seed, ..HyperparameterOptions::default() };
    let learned = searched(problem, &parameters, &options)?;
    if !integrated {
        return Ok(learned);
    }
    let options = IntegrationOptions {
        draws: draws(problem.observations(), settings.likelihood),
        seed: settings.seed,
        ..IntegrationOptions::default()
    };
    let posterior = integrate(problem, &learned.free, &options)?;
    Ok(Learned { posterior: Some(posterior), ..learned })
}

/// How many parameters are tried in a round: hundreds where they cost nothing, a few dozen where a posterior
/// takes a moment and is nearly normal.
fn draws(rows: usize, likelihood: Likelihood) -> usize {
    const OPERATIONS: f64 = 4e9;
    // Sweeps, or steps to a mode.
    let solved = if likelihood == Likelihood::Gaussian { 1.0 } else { 20.0 };
    ((OPERATIONS / solved / (rows as f64).powi(3)) as usize).clamp(48, 200)
}

/// The model at the parameters of most evidence.
fn searched<L: Learnable>(
    problem: &L,
    parameters: &[KernelParameter],
    options: &HyperparameterOptions,
) -> Result<Learned<L::Model>, posterior::gp::Error> {
    let fitted = fit(problem, options, &mut Silent)?;
    let free: Vec<f64> = fitted.report.parameters.iter().map(|own| own.free).collect();
    if fitted.report.at_limits().next().is_some() {
        let converged = fitted.report.search.converged();
        let values = values(parameters, &free);
        return output(problem, fitted.model, free, values, Some((&fitted.report, converged)));
    }
    let refined = refine(problem, &free)?;
    let (model, _) = problem.model(&refined.free)?;
    let (converged, values) = (refined.converged(), values(parameters, &refined.free));
    output(problem, model, refined.free, values, Some((&fitted.report, converged)))
}

/// The parameters on their own scales.
fn values(parameters: &[KernelParameter], free: &[f64]) -> Vec<f64> {
    parameters.iter().zip(free).map(|(own, &free)| own.scale.value(free)).collect()
}

fn output<L: Learnable>(
    problem: &L,
    model: L::Model,
    free: Vec<f64>,
    values: Vec<f64>,
    report: Option<(&FitReport, bool)>,
) -> Result<Learned<L::Model>, posterior::gp::Error> {
    let parameters = problem.parameters();
    let mut gradient = vec![0.0; free.len()];
    let ln_evidence = problem.ln_evidence(&free, &mut gradient)?;
    let errors = match report {
        Some(_) => curvature(problem, &free)?.standard_errors,
        None => vec![None; free.len()],
    };
    let hyperparameters =
        parameters.iter().zip(values).zip(errors).enumerate().map(|(place, ((own, value), error))| {
            let limit = report.and_then(|(report, _)| report.parameters[place].limit);
            Hyperparameter {
                name: own.name.clone(),
                value,
                standard_error: error,
                of_logarithm: own.scale == FreeScale::Ln,
                limit: limit.map(|limit| if limit == AtLimit::Lower { "lower" } else { "upper" }),
            }
        });
    Ok(Learned {
        hyperparameters: hyperparameters.collect(),
        free,
        model,
        ln_evidence,
        gradient,
        search: report.map(search),
        posterior: None,
    })
}

impl<M> Learned<M> {
    /// Moments at some places: of the model, or of all that the parameters may be.
    pub(super) fn moments<L: Learnable<Model = M>>(
        &self,
        problem: &L,
        of: impl Fn(&M) -> Result<Prediction, posterior::gp::Error> + Sync,
    ) -> Result<MixturePrediction, posterior::gp::Error> {
        Ok(MixturePrediction::new(self.each(problem, of)?))
    }

    /// What the model says, or all that the parameters may make of it, with weights.
    pub(super) fn each<L: Learnable<Model = M>, T: Send>(
        &self,
        problem: &L,
        of: impl Fn(&M) -> Result<T, posterior::gp::Error> + Sync,
    ) -> Result<Vec<(f64, T)>, posterior::gp::Error> {
        match &self.posterior {
            Some(posterior) => posterior.each(problem, of),
            None => Ok(vec![(1.0, of(&self.model)?)]),
        }
    }
}

fn search((report, converged): (&FitReport, bool)) -> Search {
    Search {
        converged,
        iterations: report.search.iterations(),
        starts: report.starts.len(),
        agreeing: report.agreeing_starts(),
    }
}

/// What a reader must know before the answer is used.
pub(super) fn warnings(answer: &Answer) -> Vec<String> {
    let mut warnings = Vec::new();
    if let Some(jitter) = &answer.jitter {
        let cause = if jitter.cause.is_empty() { String::new() } else { format!(": {}", jitter.cause) };
        warnings.push(format!("a variance of {:.2e} was added to the noise{cause}", jitter.variance));
    }
    if answer.converged == Some(false) {
        warnings.push(format!(
            "{} did not converge: do not trust these numbers; {}",
            answer.method,
            if answer.method == "laplace" {
                "try a smaller variance of the kernel"
            } else {
                "try --approximation laplace, or a smaller variance of the kernel"
            }
        ));
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
