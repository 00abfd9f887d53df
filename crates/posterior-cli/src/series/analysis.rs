//! What filter and smoother say of one column.

use posterior::kalman::diagnostics::{AuxiliaryResiduals, ResidualChecks};
use posterior::kalman::structural::{Extracted, Structural};
use posterior::kalman::{Error, FilterOptions, Filtered, Series, Signal, Smoothed, StateSpace, filter};
use rayon::prelude::*;

use super::mixture::{Figures, Mixture};
use super::moments::Moments;
use super::prediction::Prediction;
use super::transform::Transform;
use super::unusual::{self, Unusual};
use crate::level::Level;

/// The most lags at which residuals are compared.
const LAGS: usize = 20;

/// A part of the signal, at all times, on the scale of the model.
#[derive(Debug, Clone)]
pub(super) struct Part {
    pub(super) name: String,
    pub(super) moments: Vec<Moments>,
    pub(super) figures: Vec<Figures>,
}

/// A part by its name, at all times.
pub(super) type NamedMoments = (String, Vec<Moments>);

/// All that is known of a column.
#[derive(Debug, Clone)]
pub(super) struct Analysis {
    /// Of the values, with the parameters that are most probable.
    pub(super) ln_likelihood: f64,
    /// How many values are there.
    pub(super) observed: usize,
    /// The signal without its noise, given what was seen so far; `None` where that is not enough to say
    /// anything.
    pub(super) filtered: Vec<Option<Figures>>,
    /// The signal without its noise, given everything; forecasts after the last value.
    pub(super) smoothed: Vec<Figures>,
    /// A value, which is the signal with its noise.
    pub(super) values: Vec<Figures>,
    /// The values after the last one that was seen.
    pub(super) ahead: Vec<Prediction>,
    /// The variance of the noise at each time, on the scale of the model.
    pub(super) noise: Vec<f64>,
    pub(super) parts: Vec<Part>,
    /// Standardised innovations; NaN where there is none.
    pub(super) residuals: Vec<f64>,
    pub(super) checks: Result<ResidualChecks, String>,
    pub(super) unusual: Vec<Unusual>,
}

/// What one point of the parameters says, on the scale of the model.
struct Point {
    filtered: Vec<Option<Moments>>,
    smoothed: Vec<Moments>,
    noise: Vec<f64>,
    parts: Vec<NamedMoments>,
}

impl Analysis {
    /// Filters and smooths `values`, NaN where missing, of which the last are to be forecast: all but `seen`.
    /// Averages over the `points`, models with weights, if there are any.
    pub(super) fn new(
        structure: &Structural,
        points: &[(f64, Structural)],
        transform: Transform,
        values: &[f64],
        seen: usize,
        level: Level,
    ) -> Result<Self, Error> {
        let series = series(transform, values)?;
        let model = structure.state_space()?;
        let (filtered, smoothed) = passes(&model, &series)?;
        let best = || Point::new(structure, &model, &filtered, &smoothed);
        let of_point = |(weight, structure): &(f64, Structural)| {
            let model = structure.state_space()?;
            let (filtered, smoothed) = passes(&model, &series)?;
            Ok((*weight, Point::new(structure, &model, &filtered, &smoothed)?))
        };
        let all: Vec<(f64, Point)> = match points {
            [] => vec![(1.0, best()?)],
            _ => points.par_iter().map(of_point).collect::<Result<_, Error>>()?,
        };
        let mixture = |of: &dyn Fn(&Point) -> Moments| {
            Mixture::new(all.iter().map(|(weight, point)| (*weight, of(point))).collect(), transform)
        };
        let times = 0..values.len();
        let value = |t: usize| mixture(&|own| own.smoothed[t].with_noise(own.noise[t]));
        let known = |t: usize| all.iter().all(|(_, own)| own.filtered[t].is_some());
        let now = |t: usize| mixture(&|own| own.filtered[t].unwrap_or(own.smoothed[t])).figures(level);
        let part = |place: usize| {
            let name = all[0].1.parts[place].0.clone();
            let moments = |t: usize| mixture(&|own| own.parts[place].1[t]).moments();
            let moments: Vec<Moments> = times.clone().map(moments).collect();
            let figures = |own: &Moments| Mixture::normal(own.mean, own.variance).figures(level);
            Part { name, figures: moments.iter().map(figures).collect(), moments }
        };
        let mut analysis = Self {
            ln_likelihood: filtered.ln_likelihood() + ln_slopes(transform, values),
            observed: series.observed(),
            filtered: times.clone().map(|t| known(t).then(|| now(t))).collect(),
            smoothed: times.clone().map(|t| mixture(&|own| own.smoothed[t]).figures(level)).collect(),
            values: times.clone().map(|t| value(t).figures(level)).collect(),
            ahead: (seen..values.len()).map(value).map(Prediction::from).collect(),
            noise: times.clone().map(|t| model.observation().noise().at(t)[0]).collect(),
            parts: (0..all[0].1.parts.len()).map(part).collect(),
            residuals: Vec::with_capacity(values.len()),
            checks: Err(String::new()),
            unusual: unusual::of(structure, &AuxiliaryResiduals::new(&model, &series, &smoothed)?, seen),
        };
        for t in times {
            let residual = filtered.standardized_innovation(t);
            analysis.residuals.push(residual.iter().next().copied().unwrap_or(f64::NAN));
        }
        let count = analysis.residuals.iter().filter(|residual| !residual.is_nan()).count();
        let lags = LAGS.min(count / 4).max(1);
        analysis.checks = ResidualChecks::new(&analysis.residuals, lags).map_err(|error| error.to_string());
        Ok(analysis)
    }
}

/// Bytes for the passes of a filter and a smoother at so many times, each thread with a point of its own, and
/// for what all points say.
pub(super) fn memory(structure: &Structural, points: usize, times: usize) -> u64 {
    // Mean and root of the covariance before and after a value, and what the smoother keeps of both.
    const MATRICES: usize = 10;
    let states = structure.places().last().map_or(0, |place| place.end);
    let passes = points.clamp(1, rayon::current_num_threads());
    let of_pass = 8 * MATRICES * states * (states + 1);
    let of_point = 48 + 16 * structure.components().len();
    (times as u64).saturating_mul((passes * of_pass + points.max(1) * of_point + 800) as u64)
}

impl Point {
    fn new(
        structure: &Structural,
        model: &StateSpace,
        filtered: &Filtered,
        smoothed: &Smoothed,
    ) -> Result<Self, Error> {
        let said = |signal: Signal| Moments { mean: signal.mean[0], variance: signal.variance(0) };
        let now = |t: usize| {
            let known =
                (model.observation().matrix().matrix(t) * filtered.diffuse_directions(t)).amax() == 0.0;
            Ok::<_, Error>(known.then_some(said(filtered.signal(model, t)?)))
        };
        let times = 0..smoothed.len();
        Ok(Self {
            filtered: times.clone().map(now).collect::<Result<_, _>>()?,
            smoothed: times
                .clone()
                .map(|t| Ok(said(smoothed.signal(model, t)?)))
                .collect::<Result<_, Error>>()?,
            noise: times.map(|t| model.observation().noise().at(t)[0]).collect(),
            parts: parts_of(structure, smoothed)?,
        })
    }
}

/// The values on the scale of a model.
pub(super) fn series(transform: Transform, values: &[f64]) -> Result<Series, Error> {
    let seen = |&value: &f64| Some(value).filter(|v| !v.is_nan()).map(|y| transform.forward(y));
    Series::univariate_with_missing(&values.iter().map(seen).collect::<Vec<_>>())
}

/// What ln of the density of values is more than that of what they are on the scale of a model.
pub(super) fn ln_slopes(transform: Transform, values: &[f64]) -> f64 {
    values.iter().filter(|value| !value.is_nan()).map(|&y| transform.ln_slope(y)).sum()
}

fn passes(model: &StateSpace, series: &Series) -> Result<(Filtered, Smoothed), Error> {
    let filtered = filter(model, series, &FilterOptions::default())?;
    let smoothed = filtered.smooth(model)?;
    Ok((filtered, smoothed))
}

/// The parts of a signal, by name.
pub(super) fn parts_of(structure: &Structural, smoothed: &Smoothed) -> Result<Vec<NamedMoments>, Error> {
    Ok(structure.extract(smoothed)?.iter().map(part).collect())
}

fn part(extracted: &Extracted) -> NamedMoments {
    let moments = extracted.mean().iter().zip(extracted.variance());
    let moments = moments.map(|(&mean, &variance)| Moments { mean, variance }).collect();
    (extracted.name().to_owned(), moments)
}
