//! Quantiles of the response under several Gaussian distributions of the outputs, each with its weight.

use posterior_math::check::ParamError;
use posterior_math::linalg::DMatrix;
use posterior_math::log_space::logistic;

use super::classes::Points;
use super::{Head, NetworkOutputs};
use crate::Error;
use crate::linear::StudentMixture;

/// Weights below this proportion of all change no quantile that is asked for.
const NEGLIGIBLE: f64 = 1e-9;

/// The quantiles of E[y | f] at each row of inputs for each level, f from a mixture of distributions of the
/// same network and rows with weights of sum 1.
pub(in crate::network) fn quantiles_of_mixture(
    distributions: &[(f64, &NetworkOutputs)],
    levels: &[f64],
) -> Result<Vec<DMatrix<f64>>, Error> {
    for (index, &level) in levels.iter().enumerate() {
        if !(level > 0.0 && level < 1.0) {
            let error = ParamError::new("Latent", "level", level, "strictly between 0 and 1");
            return Err(error.at(index).into());
        }
    }
    let distributions: Vec<(f64, &NetworkOutputs)> =
        distributions.iter().filter(|(weight, _)| *weight > NEGLIGIBLE).copied().collect();
    let Some(&(_, first)) = distributions.first() else { return Ok(Vec::new()) };
    Ok(match first.head {
        Head::Gaussian => monotone(&distributions, levels, |f| f),
        Head::Bernoulli => monotone(&distributions, levels, logistic),
        Head::Poisson => monotone(&distributions, levels, f64::exp),
        Head::Categorical if first.mean.ncols() == 2 => {
            let differences: Vec<(f64, NetworkOutputs)> = distributions
                .iter()
                .map(|(weight, distribution)| (*weight, distribution.difference()))
                .collect();
            let differences: Vec<(f64, &NetworkOutputs)> =
                differences.iter().map(|(weight, distribution)| (*weight, distribution)).collect();
            let of_first = monotone(&differences, levels, logistic);
            let mirrored: Vec<f64> = levels.iter().map(|level| 1.0 - level).collect();
            let of_second = monotone(&differences, &mirrored, |f| logistic(-f));
            let both = |(first, second): (DMatrix<f64>, DMatrix<f64>)| {
                DMatrix::from_columns(&[first.column(0), second.column(0)])
            };
            of_first.into_iter().zip(of_second).map(both).collect()
        }
        Head::Categorical => of_classes(&distributions, levels),
    })
}

/// A function that rises or falls, of the quantiles of each output.
fn monotone(
    distributions: &[(f64, &NetworkOutputs)],
    levels: &[f64],
    function: fn(f64) -> f64,
) -> Vec<DMatrix<f64>> {
    let sds: Vec<DMatrix<f64>> =
        distributions.iter().map(|(_, distribution)| distribution.variance().map(f64::sqrt)).collect();
    let (rows, outputs) = distributions[0].1.mean.shape();
    let at = |&level: &f64| {
        DMatrix::from_fn(rows, outputs, |i, output| {
            // What is certain has no scale.
            let scale = |sd: f64| if sd == 0.0 { f64::MIN_POSITIVE } else { sd };
            let part = |((weight, distribution), sd): (&(f64, &NetworkOutputs), &DMatrix<f64>)| {
                (*weight, distribution.mean[(i, output)], scale(sd[(i, output)]))
            };
            let parts = distributions.iter().zip(&sds).map(part).collect();
            StudentMixture::new(f64::INFINITY, parts)
                .map_or(f64::NAN, |mixture| function(mixture.quantile(level)))
        })
    };
    levels.iter().map(at).collect()
}

/// Class by class, of the probabilities that the points of each distribution give.
fn of_classes(distributions: &[(f64, &NetworkOutputs)], levels: &[f64]) -> Vec<DMatrix<f64>> {
    let (rows, classes) = distributions[0].1.mean.shape();
    let points = Points::new(classes);
    let points: Vec<Points> = distributions.iter().map(|(weight, _)| points.first(*weight)).collect();
    let mut all = vec![DMatrix::from_element(rows, classes, f64::NAN); levels.len()];
    for row in 0..rows {
        let drawn: Option<Vec<(f64, DMatrix<f64>)>> = distributions
            .iter()
            .zip(&points)
            .map(|((weight, distribution), points)| {
                Some((*weight, distribution.contrasts(row)?.probabilities(points)))
            })
            .collect();
        let Some(drawn) = drawn else { continue };
        for class in 0..classes {
            let of_distribution = |(weight, drawn): &(f64, DMatrix<f64>)| {
                let weight = weight / drawn.ncols() as f64;
                drawn.row(class).iter().map(|&p| (p, weight)).collect::<Vec<_>>()
            };
            let mut sorted: Vec<(f64, f64)> = drawn.iter().flat_map(of_distribution).collect();
            sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
            for (matrix, &level) in all.iter_mut().zip(levels) {
                let mut below = 0.0;
                let reached = sorted.iter().find(|(_, weight)| {
                    below += weight;
                    below >= level
                });
                matrix[(row, class)] = reached.or(sorted.last()).map_or(f64::NAN, |own| own.0);
            }
        }
    }
    all
}
