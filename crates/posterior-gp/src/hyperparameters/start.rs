//! Where to start: what the data say about scales before any model is fitted.

use posterior_math::linalg::DMatrix;

use super::WeakPrior;
use crate::GaussianProcess;
use crate::kernel::{FreeScale, KernelParameter};
use crate::regression::Data;

/// What a parameter is, by its name.
enum Kind {
    /// Of functions of inputs with this extent.
    Length(f64),
    Noise,
    Variance,
    Other,
}

fn kind(parameter: &KernelParameter, extents: &[f64]) -> Kind {
    let name = parameter.name.as_str();
    if name.contains("length_scale") || name.contains("period") {
        let largest = extents.iter().fold(0.0, |largest: f64, extent| largest.max(*extent));
        Kind::Length(coordinate(name).and_then(|j| extents.get(j).copied()).unwrap_or(largest))
    } else if name == "noise.variance" {
        Kind::Noise
    } else if name.ends_with("variance")
        && !["linear", "polynomial", "log_link"].iter().any(|own| name.contains(own))
    {
        Kind::Variance
    } else {
        Kind::Other
    }
}

/// Ranges of parameters by what their names say that they are: lengths between the spacing and the extent of
/// the inputs, variances about the `spread` of the outputs, less for noise. What is named otherwise stays
/// within a factor of 10 of its value.
pub(crate) fn ranges(
    parameters: &[KernelParameter],
    scales: &[f64],
    inputs: &DMatrix<f64>,
    spread: f64,
) -> Vec<(f64, f64)> {
    let extents = extents(inputs);
    let count = inputs.nrows().max(2) as f64;
    let range = |parameter: &KernelParameter, scale: f64| {
        let around = match parameter.scale {
            FreeScale::Ln => (0.1 * parameter.value, 10.0 * parameter.value),
            FreeScale::Identity => (parameter.value - scale, parameter.value + scale),
        };
        let found = match kind(parameter, &extents) {
            Kind::Length(extent) => Some((2.0 * extent / count, extent)),
            Kind::Noise => Some((1e-3 * spread, spread)),
            Kind::Variance => Some((0.1 * spread, 10.0 * spread)),
            Kind::Other => None,
        };
        found.filter(|(lower, upper)| *lower > 0.0 && upper.is_finite()).unwrap_or(around)
    };
    parameters.iter().zip(scales).map(|(parameter, &scale)| range(parameter, scale)).collect()
}

/// Weak priors by the same: see [`Learnable::weak_priors`](super::Learnable::weak_priors).
pub(crate) fn weak_priors(
    parameters: &[KernelParameter],
    scales: &[f64],
    inputs: &DMatrix<f64>,
    spread: f64,
) -> Vec<WeakPrior> {
    let extents = extents(inputs);
    let prior = |parameter: &KernelParameter, scale: f64| {
        let about = |value: f64, sd: f64| WeakPrior { center: value.ln(), sd };
        let found = match kind(parameter, &extents) {
            _ if parameter.scale == FreeScale::Identity => None,
            // A period is what somebody knows: a search does not find it from afar.
            Kind::Length(_) if parameter.name.ends_with("period") => Some(about(parameter.value, 0.5)),
            Kind::Length(_) if parameter.name.contains("periodic") => Some(about(1.0, 1.5)),
            Kind::Length(extent) => Some(about(0.1 * extent, 1.5)),
            Kind::Noise => Some(about(0.1 * spread, 2.0)),
            Kind::Variance => Some(about(spread, 1.5)),
            Kind::Other => None,
        };
        let found = found.filter(|own| own.center.is_finite());
        found.unwrap_or_else(|| WeakPrior::around(parameter, scale))
    };
    parameters.iter().zip(scales).map(|(parameter, &scale)| prior(parameter, scale)).collect()
}

/// How far the weights of a mean function have to move to make a difference: a standard deviation of the
/// outputs over the size of the feature.
pub(super) fn mean_scales(process: &GaussianProcess, data: &Data) -> Vec<f64> {
    let sd = variance(data.outputs.as_slice()).sqrt();
    let count = data.inputs.nrows();
    let mut squares = vec![0.0; process.mean().parameters().len()];
    if squares.is_empty() {
        return squares;
    }
    for i in 0..count {
        let row = data.inputs.rows(i, 1).into_owned();
        for (sum, feature) in squares.iter_mut().zip(process.mean().pull_back(&row, &[1.0])) {
            *sum += feature * feature;
        }
    }
    let scale = |square: f64| {
        let scale = sd / (square / count as f64).sqrt();
        if scale > 0.0 && scale.is_finite() { scale } else { 1.0 }
    };
    squares.into_iter().map(scale).collect()
}

/// The mean squared deviation; 1 if there is none.
pub(crate) fn variance(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count;
    if variance > 0.0 && variance.is_finite() { variance } else { 1.0 }
}

/// The range of each coordinate.
fn extents(inputs: &DMatrix<f64>) -> Vec<f64> {
    let extent = |column: &[f64]| {
        let (lower, upper) = column
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(lower, upper), x| (lower.min(*x), upper.max(*x)));
        upper - lower
    };
    inputs.column_iter().map(|column| extent(column.as_slice())).collect()
}

/// The number in the last brackets of a name.
fn coordinate(name: &str) -> Option<usize> {
    let (_, rest) = name.rsplit_once('[')?;
    rest.split(']').next()?.parse().ok()
}
