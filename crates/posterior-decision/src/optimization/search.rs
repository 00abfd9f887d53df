//! Where an acquisition is largest.

use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_math::optimize::{LbfgsOptions, minimize};

use super::Space;
use super::acquisition::AcquisitionScore;
use super::surrogate::encoded;
use crate::Error;

/// The step of differences, in units of the space.
const STEP: f64 = 1e-5;

/// A refinement starts at least so far from the walls, where the coordinates of the search stand still.
const FROM_WALL: f64 = 1e-3;

/// A refinement takes at most so many steps of whole numbers and categories: candidates are everywhere.
const MOST_STEPS: usize = 50;

/// A point and what it is worth.
type Scored = (f64, Vec<f64>);

/// The best of the candidates and of what is found from the best `starts` of them, of those points that are
/// `new`: continuous coordinates by L-BFGS, others by single steps. None if no point is new.
pub(super) fn maximize(
    space: &Space,
    score: &AcquisitionScore<'_>,
    candidates: &[Vec<f64>],
    starts: usize,
    is_new: impl Fn(&[f64]) -> bool,
) -> Result<Option<Vec<f64>>, Error> {
    let mut ranked =
        scored(space, score, candidates.iter().filter(|point| is_new(point)).cloned().collect())?;
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut refined = Vec::new();
    for start in ranked.iter().take(starts) {
        refined.push(refine(space, score, start.clone())?);
    }
    let found = refined.into_iter().filter(|(_, point)| is_new(point)).chain(ranked.into_iter().take(1));
    Ok(found.reduce(|best, next| if next.0 > best.0 { next } else { best }).map(|(_, point)| point))
}

/// Each point with its score; one that is not a number is the least.
fn scored(space: &Space, score: &AcquisitionScore<'_>, points: Vec<Vec<f64>>) -> Result<Vec<Scored>, Error> {
    if points.is_empty() {
        return Ok(Vec::new());
    }
    let rows: Vec<&[f64]> = points.iter().map(Vec::as_slice).collect();
    let scores = score(&encoded(space, &rows))?;
    let number = |score: f64| if score.is_nan() { f64::NEG_INFINITY } else { score };
    Ok(scores.into_iter().map(number).zip(points).collect())
}

/// Climbs in the continuous coordinates and steps in the others in turn, until no step gains or there were
/// fifty.
fn refine(space: &Space, score: &AcquisitionScore<'_>, start: Scored) -> Result<Scored, Error> {
    let mut best = climb(space, score, start)?;
    for _ in 0..MOST_STEPS {
        let allowed = space.neighbours(&best.1).into_iter().filter(|point| space.allows(point)).collect();
        let neighbours = scored(space, score, allowed)?;
        let step = neighbours.into_iter().max_by(|a, b| a.0.total_cmp(&b.0));
        match step.filter(|step| step.0 > best.0) {
            Some(step) => best = climb(space, score, step)?,
            None => break,
        }
    }
    Ok(best)
}

/// A local maximum in the continuous coordinates u = sin² t by L-BFGS in t, so that the walls can be reached
/// and not be crossed.
fn climb(space: &Space, score: &AcquisitionScore<'_>, start: Scored) -> Result<Scored, Error> {
    let axes = space.continuous();
    if axes.is_empty() || start.0 == f64::NEG_INFINITY {
        return Ok(start);
    }
    let row = space.encode(&start.1);
    let angle = |&(_, column): &(usize, usize)| row[column].clamp(FROM_WALL, 1.0 - FROM_WALL).sqrt().asin();
    let angles: Vec<f64> = axes.iter().map(angle).collect();
    let place = |t: &[f64]| {
        let mut unit = space.unit(&start.1);
        for (&(axis, _), t) in axes.iter().zip(t) {
            unit[axis] = t.sin().powi(2);
        }
        space.at(&unit)
    };
    let objective = |t: &[f64], gradient: &mut [f64]| {
        // Beyond a constraint there is no value, and the search takes a shorter step.
        if !space.allows(&place(t)) {
            return f64::NAN;
        }
        let mut rows = DMatrix::from_fn(1 + 2 * axes.len(), row.len(), |_, column| row[column]);
        for (k, (&(_, column), t)) in axes.iter().zip(t).enumerate() {
            rows.column_mut(column).fill(t.sin().powi(2));
            rows[(1 + 2 * k, column)] += STEP;
            rows[(2 + 2 * k, column)] -= STEP;
        }
        // Nor is there for a failure.
        let Ok(scores) = score(&rows) else { return f64::NAN };
        for (k, (slope, t)) in gradient.iter_mut().zip(t).enumerate() {
            *slope = (scores[2 + 2 * k] - scores[1 + 2 * k]) / (2.0 * STEP) * (2.0 * t).sin();
        }
        -scores[0]
    };
    let options = LbfgsOptions { gradient_tolerance: 1e-7, max_iterations: 50, ..LbfgsOptions::default() };
    let found = minimize(objective, &angles, &options, &mut Silent).model;
    let end = scored(space, score, vec![place(&found.point)])?;
    Ok(end.into_iter().find(|end| end.0 > start.0 && space.allows(&end.1)).unwrap_or(start))
}

#[cfg(test)]
mod tests;
