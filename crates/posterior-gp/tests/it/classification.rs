//! Laplace and expectation propagation: worked numbers, exact small cases, identities.

mod coal;
mod evidence;
mod extremes;
mod fits;
mod laplace;
mod likelihoods;
mod propagation;
mod several_classes;
mod truth;

pub(crate) use coal::DISASTERS;

use posterior_gp::classification::{
    ExpectationPropagation, LaplaceFit, ModeOptions, ObservationModel, PropagationOptions,
    expectation_propagation, laplace,
};
use posterior_gp::likelihood::{Likelihood, LogConcave, LogisticLikelihood};
use posterior_gp::{GaussianProcess, Kernel};
use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;

/// Inputs of one coordinate.
fn line(places: &[f64]) -> DMatrix<f64> {
    DMatrix::from_column_slice(places.len(), 1, places)
}

/// The worked example of the book: four places, two classes.
fn four_points() -> ObservationModel<LogisticLikelihood> {
    ObservationModel::new(line(&[-1.5, -0.5, 0.3, 1.2]), &[-1.0, -1.0, 1.0, 1.0], LogisticLikelihood).unwrap()
}

fn rbf(variance: f64, length_scale: f64) -> GaussianProcess {
    GaussianProcess::new(variance * Kernel::rbf(length_scale).unwrap())
}

fn wide_rbf() -> GaussianProcess {
    rbf(4.0, 1.0)
}

/// Laplace's approximation, which must have converged.
fn converged<L: Likelihood>(observations: &ObservationModel<L>, prior: &GaussianProcess) -> LaplaceFit<L> {
    let fitted = laplace(observations, prior, &ModeOptions::default(), &mut Silent).unwrap();
    assert!(fitted.report.converged(), "{:?}", fitted.report);
    fitted.model
}

/// Expectation propagation, which must have converged.
fn propagated<L: LogConcave>(
    observations: &ObservationModel<L>,
    prior: &GaussianProcess,
) -> ExpectationPropagation<L> {
    let options = PropagationOptions::default();
    let fitted = expectation_propagation(observations, prior, &options, &mut Silent).unwrap();
    assert!(fitted.report.converged(), "{:?}", fitted.report);
    fitted.model
}

#[track_caller]
fn close(left: f64, right: f64, tolerance: f64) {
    assert!((left - right).abs() <= tolerance * right.abs().max(1.0), "{left} is not {right}");
}

#[track_caller]
fn all_close<'a, 'b>(
    left: impl IntoIterator<Item = &'a f64>,
    right: impl IntoIterator<Item = &'b f64>,
    tolerance: f64,
) {
    let (left, right): (Vec<_>, Vec<_>) = (left.into_iter().collect(), right.into_iter().collect());
    assert_eq!(left.len(), right.len());
    for (left, right) in left.into_iter().zip(right) {
        close(*left, *right, tolerance);
    }
}
