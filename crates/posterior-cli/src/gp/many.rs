//! What is done where there are many rows, of which one evidence takes its time.

use posterior::gp::Kernel;
use posterior::gp::hyperparameters::{FitReport, HyperparameterOptions};
use posterior::gp::solver::{Solver, SolverRegression};
use posterior::gp::{GaussianProcess, Noise};
use posterior::math::optimize::LbfgsOptions;

use super::data_input::Data;
use super::settings::{Parameters, Settings};
use crate::args::GpEngine;

/// Rows that searches from several starts see, of more than twice as many.
const FEW: usize = 500;

/// Rows from which on a search takes inducing points, where the exact evidence takes a dense factor.
const MANY: usize = 3000;

/// Inducing points of such a search.
const INDUCING: usize = 500;

/// How the posterior is computed, and whether that is for the number of rows.
pub(super) fn engine(
    asked: GpEngine,
    data: &Data,
    kernel: &Kernel,
    noise: Option<f64>,
    searched: bool,
) -> (GpEngine, bool) {
    let (rows, noisy) = (data.inputs.nrows(), noise.is_some_and(|variance| variance > 0.0));
    if asked != GpEngine::Auto || !searched || !noisy || rows <= MANY {
        return (asked, false);
    }
    let dense = Noise::variance(1.0).ok().and_then(|noise| {
        Solver::Auto.route(&GaussianProcess::new(kernel.clone()), &data.inputs, &noise).ok()
    });
    match dense {
        Some(route) if route.name() == "dense" => (GpEngine::Sparse(INDUCING), true),
        _ => (asked, false),
    }
}

/// Why inducing points were taken unasked.
pub(super) fn reason(rows: usize) -> String {
    format!(
        "{rows} rows are many for a search by exact factors: {INDUCING} inducing points, with a lower bound of the \
         evidence; --engine exact takes all"
    )
}

/// Of many rows: the problem with the best parameters of some of them to start from, settings without other
/// starts, and what was searched.
pub(super) fn begun(
    problem: SolverRegression,
    settings: &Settings,
) -> (SolverRegression, Settings, Option<FitReport>) {
    let rows = problem.regression().inputs().nrows();
    let mut settings = settings.clone();
    let Parameters::Search { restarts, .. } = &mut settings.parameters else {
        return (problem, settings, None);
    };
    if rows <= 2 * FEW {
        return (problem, settings, None);
    }
    let search = LbfgsOptions { value_tolerance: 1e-7, max_iterations: 100, ..LbfgsOptions::default() };
    let restarts = *restarts;
    let options =
        HyperparameterOptions { search, restarts, seed: settings.seed, ..HyperparameterOptions::default() };
    // A part in which the kernel fails is no reason not to take all.
    let Ok((begun, report)) = problem.begun_with_few(FEW, &options) else {
        return (problem, settings, None);
    };
    if let Parameters::Search { restarts, .. } = &mut settings.parameters {
        *restarts = 0;
    }
    (begun, settings, Some(report))
}

/// What is said of searches that saw a part of the rows.
pub(super) fn of_starts(report: &FitReport) -> String {
    format!(
        "; {} searches on {} of the rows found where this one began",
        report.starts.len(),
        report.observations
    )
}
