//! The search for the best parameters, from several starts.

use posterior_dist::stream::stream;
use posterior_math::iteration::{Fitted, Observer, Silent, Step};
use posterior_math::optimize::{Minimum, minimize};
use rand::RngExt;
#[cfg(feature = "rayon")]
use rayon::prelude::*;

use super::coordinates::{Coordinate, coordinates};
use super::learnable::Evidence;
use super::report::{FitReport, FittedParameter, StartReport};
use super::{HyperparameterOptions, Learnable, Prior};
use crate::Error;
use crate::kernel::KernelParameter;

/// A model at its best parameters, and how they were found.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct FittedModel<M> {
    /// The model.
    pub model: M,
    /// How the fit went.
    pub report: FitReport,
}

/// The parameters that make the data most probable, times their priors if there are any: by L-BFGS from the
/// values that the model has, and from random ones.
///
/// The observer sees the steps of the first search, with the logarithm of what is maximised; if it stops
/// that, there are no others. With the feature `rayon` the others run side by side; the result is the same.
///
/// # Errors
/// If an option names a parameter that is not there, limits can't be, or there is no model at any start.
pub fn fit<L: Learnable>(
    problem: &L,
    options: &HyperparameterOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<FittedModel<L::Model>, Error> {
    let parameters = problem.parameters();
    let objective = Objective {
        evidence: problem,
        coordinates: coordinates(&parameters, &problem.scales(), options)?,
        priors: options.priors_of(&parameters)?,
        parameters,
    };
    let found = objective.best(&problem.start_ranges(), options, &mut |step: &Step| observer.step(step));
    let (model, ln_evidence) = problem.model(&found.free)?;
    Ok(FittedModel { model, report: objective.report(found, ln_evidence, problem.observations()) })
}

/// The report of a search that maximised.
fn upward(report: Option<posterior_math::iteration::Report>) -> posterior_math::iteration::Report {
    use posterior_math::iteration::{Report, Stop};
    let Report { trace, stop, .. } = report.unwrap_or_else(|| Report::new(Vec::new(), Stop::Stalled));
    Report::new(trace.into_iter().map(|value| -value).collect(), stop)
}

/// -(ln evidence + ln prior) in the coordinates of the search.
struct Objective<'a> {
    evidence: &'a dyn Evidence,
    parameters: Vec<KernelParameter>,
    coordinates: Vec<Coordinate>,
    priors: Vec<Option<Prior>>,
}

/// The best of several searches.
struct Found {
    free: Vec<f64>,
    /// From where each of them began, and where it ended.
    searches: Vec<(Vec<f64>, Fitted<Minimum>)>,
    chosen: usize,
}

impl Objective<'_> {
    /// Searches from the parameters as they are, and from others at random.
    fn best(
        &self,
        ranges: &[(f64, f64)],
        options: &HyperparameterOptions,
        observer: &mut dyn Observer,
    ) -> Found {
        let mut stopped = false;
        let mut upwards = |step: &Step| {
            let flow = observer.step(&Step::new(step.iteration, -step.objective, step.elapsed));
            stopped = flow.is_break();
            flow
        };
        let given: Vec<f64> = self.parameters.iter().map(KernelParameter::free).collect();
        let first = self.search(&given, options, &mut upwards);
        let restarts = if stopped || self.parameters.is_empty() { 0 } else { options.restarts };
        let search = |restart: usize| {
            let start = random_start(&self.parameters, ranges, options.seed, restart as u64);
            let found = self.search(&start, options, &mut Silent);
            (start, found)
        };
        #[cfg(feature = "rayon")]
        let others: Vec<_> = (0..restarts).into_par_iter().map(search).collect();
        #[cfg(not(feature = "rayon"))]
        let others: Vec<_> = (0..restarts).map(search).collect();
        let searches: Vec<(Vec<f64>, Fitted<Minimum>)> =
            std::iter::once((given, first)).chain(others).collect();
        let mut chosen = 0;
        for (index, (_, found)) in searches.iter().enumerate() {
            if found.model.value < searches[chosen].1.model.value || searches[chosen].1.model.value.is_nan() {
                chosen = index;
            }
        }
        Found { free: self.free(&searches[chosen].1.model.point), searches, chosen }
    }

    /// What was found, for the reader.
    fn report(&self, found: Found, ln_evidence: f64, observations: usize) -> FitReport {
        let Found { free, searches, chosen } = found;
        let fitted = self.parameters.iter().zip(&free).zip(&self.coordinates);
        let fitted = fitted.map(|((parameter, &free), coordinate)| FittedParameter {
            name: parameter.name.clone(),
            value: parameter.scale.value(free),
            free,
            limit: coordinate.limit(free),
        });
        let parameters: Vec<FittedParameter> = fitted.collect();
        let ln_priors = self
            .priors
            .iter()
            .zip(&parameters)
            .filter_map(|(prior, own)| Some(prior.as_ref()?.ln_density(own.value).0));
        let starts = searches.iter().map(|(start, found)| StartReport::new(&self.parameters, start, found));
        FitReport {
            ln_evidence,
            ln_prior: ln_priors.sum(),
            observations,
            starts: starts.collect(),
            chosen,
            search: upward(searches.into_iter().nth(chosen).map(|(_, found)| found.report)),
            parameters,
        }
    }

    fn free(&self, position: &[f64]) -> Vec<f64> {
        self.coordinates.iter().zip(position).map(|(coordinate, &u)| coordinate.free(u).0).collect()
    }

    fn search(
        &self,
        start: &[f64],
        options: &HyperparameterOptions,
        observer: &mut dyn Observer,
    ) -> Fitted<Minimum> {
        let start: Vec<f64> =
            self.coordinates.iter().zip(start).map(|(coordinate, &free)| coordinate.position(free)).collect();
        let objective = |position: &[f64], gradient: &mut [f64]| self.evaluate(position, gradient);
        minimize(objective, &start, &options.search, observer)
    }

    fn evaluate(&self, position: &[f64], gradient: &mut [f64]) -> f64 {
        let free = self.free(position);
        let Ok(mut value) = self.evidence.value_and_gradient(&free, gradient) else { return f64::NAN };
        for (index, parameter) in self.parameters.iter().enumerate() {
            if let Some(prior) = &self.priors[index] {
                let (ln_density, slope) = prior.ln_density(parameter.scale.value(free[index]));
                value += ln_density;
                gradient[index] += slope * parameter.scale.slope(free[index]);
            }
            gradient[index] *= -self.coordinates[index].free(position[index]).1;
        }
        -value
    }
}

/// A start within the ranges: uniform on the free scale.
fn random_start(parameters: &[KernelParameter], ranges: &[(f64, f64)], seed: u64, restart: u64) -> Vec<f64> {
    let mut rng = stream(seed, &[restart]);
    let draw = |(parameter, &(lower, upper)): (&KernelParameter, &(f64, f64))| {
        let (lower, upper) = (parameter.scale.free(lower), parameter.scale.free(upper));
        lower + (upper - lower) * rng.random::<f64>()
    };
    parameters.iter().zip(ranges).map(draw).collect()
}
