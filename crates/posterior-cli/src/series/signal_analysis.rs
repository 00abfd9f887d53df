//! What is said of a column whose values have a noise that is not Gaussian: weighted draws of the signal.

use posterior::dist::stream::stream;
use posterior::kalman::non_gaussian::{ImportanceSmoother, SignalLikelihood};
use posterior::kalman::structural::Structural;
use posterior::kalman::{Error, FilterOptions, Series, StateSpace, filter};
use rayon::prelude::*;

use super::analysis::{Analysis, NamedMoments, Part, parts_of};
use super::mixture::{Figures, Mixture};
use super::moments::Moments;
use super::prediction::Prediction;
use super::signal_mixture::{SignalDraw, SignalMixture, signal_figures};
use super::transform::Transform;
use crate::level::Level;

/// Draws of all points together, and the least of one point.
const DRAWS: usize = 4000;
const LEAST: usize = 100;
/// Draws that weigh as few as so many make rough intervals.
const FEW: f64 = 200.0;

/// A model with its weight, and how its signal is seen.
pub(super) type SignalPoint = (f64, Structural, SignalLikelihood);

/// What one point says.
struct OfPoint {
    weight: f64,
    /// A column for each time.
    draws: posterior::math::linalg::DMatrix<f64>,
    weights: Vec<f64>,
    parts: Vec<NamedMoments>,
}

/// Bytes for the draws at so many times.
pub(super) fn memory(times: usize) -> u64 {
    (times as u64).saturating_mul(24 * DRAWS as u64)
}

/// What is known of a column, and what is to be said of the draws. `points` are averaged over, the first one
/// alone is the best; values are NaN where missing, and after the first `seen`.
pub(super) fn analysis(
    best: &SignalPoint,
    points: &[SignalPoint],
    values: &[f64],
    (seen, level, seed): (usize, Level, u64),
) -> Result<(Analysis, Option<String>), Error> {
    let there = |&value: &f64| Some(value).filter(|value| !value.is_nan());
    let series = Series::univariate_with_missing(&values.iter().map(there).collect::<Vec<_>>())?;
    let all = if points.is_empty() { std::slice::from_ref(best) } else { points };
    let count = (DRAWS / all.len()).max(LEAST);
    let of_point = |(place, own): (usize, &SignalPoint)| point(own, &series, count, (seed, place));
    let found: Vec<OfPoint> = all.par_iter().enumerate().map(of_point).collect::<Result<_, Error>>()?;
    let likelihoods: Vec<SignalLikelihood> = all.iter().map(|own| own.2.clone()).collect();
    let at = |t: usize| {
        let mut draws: Vec<SignalDraw> = Vec::with_capacity(count * found.len());
        for (place, own) in found.iter().enumerate() {
            let column = own.draws.column(t);
            let weighted = column.iter().zip(&own.weights);
            draws.extend(weighted.map(|(theta, weight)| (*theta, own.weight * weight, place)));
        }
        draws.sort_by(|a, b| a.0.total_cmp(&b.0));
        (signal_figures(&draws, &likelihoods, t, level), SignalMixture::new(&draws, &likelihoods, t))
    };
    let said = |t: usize| {
        let (signal, value) = at(t);
        let figures = value.figures(level);
        (signal, figures, (t >= seen).then_some(Prediction::OfSignal(value)))
    };
    let times: Vec<(Figures, Figures, Option<Prediction>)> =
        (0..values.len()).into_par_iter().map(said).collect();
    let part = |place: usize| {
        let moments = |t: usize| {
            let parts = found.iter().map(|own| (own.weight, own.parts[place].1[t])).collect();
            Mixture::new(parts, Transform::None).moments()
        };
        let moments: Vec<Moments> = (0..values.len()).map(moments).collect();
        let figures = |own: &Moments| Mixture::normal(own.mean, own.variance).figures(level);
        let name = found[0].parts[place].0.clone();
        Part { name, figures: moments.iter().map(figures).collect(), moments }
    };
    let squares: f64 = found
        .iter()
        .map(|own| own.weight * own.weight * own.weights.iter().map(|w| w * w).sum::<f64>())
        .sum();
    let effective = squares.recip();
    let rough = (effective < FEW).then(|| {
        let total = count * found.len();
        format!(
            "{total} draws of the signal weigh as much as {effective:.0}: its Gaussian stand-in is far from it, and intervals are rough"
        )
    });
    let smoother = ImportanceSmoother::default();
    let own = smoother.run(&best.1.state_space()?, &best.2, &series, &mut stream(seed, &[3]))?;
    let why = "values that are not Gaussian have none; `series backtest` scores forecasts";
    let analysis = Analysis {
        ln_likelihood: own.ln_likelihood().ln_value,
        observed: series.observed(),
        filtered: vec![None; values.len()],
        smoothed: times.iter().map(|own| own.0).collect(),
        values: times.iter().map(|own| own.1).collect(),
        noise: times.iter().map(|(signal, value, _)| (value.variance - signal.variance).max(0.0)).collect(),
        ahead: times.into_iter().filter_map(|own| own.2).collect(),
        parts: (0..found[0].parts.len()).map(part).collect(),
        residuals: vec![f64::NAN; values.len()],
        checks: Err(why.to_owned()),
        unusual: Vec::new(),
    };
    Ok((analysis, rough))
}

/// Draws of the signal by one model, and its parts by the Gaussian model with the same mode.
fn point(
    (weight, structure, likelihood): &SignalPoint,
    series: &Series,
    draws: usize,
    (seed, place): (u64, usize),
) -> Result<OfPoint, Error> {
    let model: StateSpace = structure.state_space()?;
    let smoother = ImportanceSmoother { draws, ..ImportanceSmoother::default() };
    let found = smoother.run(&model, likelihood, series, &mut stream(seed, &[4, place as u64]))?;
    let near = found.mode();
    let smoothed = filter(&near.model, &near.series, &FilterOptions::default())?.smooth(&near.model)?;
    Ok(OfPoint {
        weight: *weight,
        draws: found.signals().clone(),
        weights: found.weights().normalised().to_vec(),
        parts: parts_of(structure, &smoothed)?,
    })
}
