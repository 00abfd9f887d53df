//! The search for the best parameters, from several starts.

use posterior_dist::stream::stream;
use posterior_math::iteration::{Fitted, Observer, Silent, Step};
use posterior_math::optimize::{Minimum, minimize};
use rand::RngExt;
#[cfg(feature = "rayon")]
use rayon::prelude::*;

use super::coordinates::{Coordinate, coordinates};
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
    let coordinates = coordinates(problem, options)?;
    let priors = options.priors_of(&parameters)?;
    let objective =
        Objective { problem, parameters: &parameters, coordinates: &coordinates, priors: &priors };
    let mut stopped = false;
    let mut upwards = |step: &Step| {
        let flow = observer.step(&Step::new(step.iteration, -step.objective, step.elapsed));
        stopped = flow.is_break();
        flow
    };
    let given: Vec<f64> = parameters.iter().map(KernelParameter::free).collect();
    let first = objective.search(&given, options, &mut upwards);
    let restarts = if stopped || parameters.is_empty() { 0 } else { options.restarts };
    let ranges = problem.start_ranges();
    let search = |restart: usize| {
        let start = random_start(&parameters, &ranges, options.seed, restart as u64);
        let found = objective.search(&start, options, &mut Silent);
        (start, found)
    };
    #[cfg(feature = "rayon")]
    let others: Vec<_> = (0..restarts).into_par_iter().map(search).collect();
    #[cfg(not(feature = "rayon"))]
    let others: Vec<_> = (0..restarts).map(search).collect();
    let searches: Vec<(Vec<f64>, Fitted<Minimum>)> = std::iter::once((given, first)).chain(others).collect();
    let mut chosen = 0;
    for (index, (_, found)) in searches.iter().enumerate() {
        if found.model.value < searches[chosen].1.model.value || searches[chosen].1.model.value.is_nan() {
            chosen = index;
        }
    }
    let free = objective.free(&searches[chosen].1.model.point);
    let (model, ln_evidence) = problem.model(&free)?;
    let values: Vec<f64> =
        parameters.iter().zip(&free).map(|(parameter, &free)| parameter.scale.value(free)).collect();
    let fitted = parameters.iter().zip(&free).zip(&values).zip(&coordinates).map(
        |(((parameter, &free), &value), coordinate)| FittedParameter {
            name: parameter.name.clone(),
            value,
            free,
            limit: coordinate.limit(free),
        },
    );
    let ln_prior = priors
        .iter()
        .zip(&values)
        .filter_map(|(prior, &value)| Some(prior.as_ref()?.ln_density(value).0))
        .sum();
    let report = FitReport {
        parameters: fitted.collect(),
        ln_evidence,
        ln_prior,
        observations: problem.observations(),
        starts: searches.iter().map(|(start, found)| StartReport::new(&parameters, start, found)).collect(),
        chosen,
        search: upward(searches.into_iter().nth(chosen).map(|(_, found)| found.report)),
    };
    Ok(FittedModel { model, report })
}

/// The report of a search that maximised.
fn upward(report: Option<posterior_math::iteration::Report>) -> posterior_math::iteration::Report {
    use posterior_math::iteration::{Report, Stop};
    let Report { trace, stop, .. } = report.unwrap_or_else(|| Report::new(Vec::new(), Stop::Stalled));
    Report::new(trace.into_iter().map(|value| -value).collect(), stop)
}

/// -(ln evidence + ln prior) in the coordinates of the search.
struct Objective<'a, L> {
    problem: &'a L,
    parameters: &'a [KernelParameter],
    coordinates: &'a [Coordinate],
    priors: &'a [Option<Prior>],
}

impl<L: Learnable> Objective<'_, L> {
    fn free(&self, position: &[f64]) -> Vec<f64> {
        self.coordinates.iter().zip(position).map(|(coordinate, &u)| coordinate.free(u).0).collect()
    }

    fn search(
        &self,
        start: &[f64],
        options: &HyperparameterOptions,
        observer: &mut (impl Observer + ?Sized),
    ) -> Fitted<Minimum> {
        let start: Vec<f64> =
            self.coordinates.iter().zip(start).map(|(coordinate, &free)| coordinate.position(free)).collect();
        let objective = |position: &[f64], gradient: &mut [f64]| self.evaluate(position, gradient);
        minimize(objective, &start, &options.search, observer)
    }

    fn evaluate(&self, position: &[f64], gradient: &mut [f64]) -> f64 {
        let free = self.free(position);
        let Ok(mut value) = self.problem.ln_evidence(&free, gradient) else { return f64::NAN };
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
