//! SQUAREM: EM that extrapolates from two steps, and never falls.

use posterior_math::iteration::{Fitted, Observer, Stop};

use super::climb::Place;
use super::options::EmOptions;
use super::problem::Problem;
use crate::ascent::Ascent;

/// A problem whose models are points of ℝⁿ.
///
/// Coordinates should be free: any vector a model (logits, logarithms, Cholesky factors; see
/// [`posterior_math::bijection`]).
///
/// # Distributions
/// `at_coordinates(&coordinates(model), model)` is `model`, up to rounding.
pub trait Accelerate: Problem {
    /// The coordinates of a model, always of the same number; infinite at the edge.
    fn coordinates(&self, model: &Self::Model) -> Vec<f64>;

    /// The model at these finite coordinates, `None` if there is none. What has no coordinates stays as in
    /// `like`.
    fn at_coordinates(&self, coordinates: &[f64], like: &Self::Model) -> Option<Self::Model>;
}

/// Fits a model by EM with squared extrapolation (SQUAREM, scheme S3 of Varadhan and Roland 2008).
///
/// Two steps of EM, θ₀ → θ₁ → θ₂, tell the direction in which EM creeps and by how much its steps shrink; the
/// next point is θ₀ - 2αr + α²v with r = θ₁ - θ₀, v = (θ₂ - θ₁) - r and α = -|r| / |v|, followed by a step of
/// EM. It is kept only if its objective is not below that of θ₁; otherwise θ₂ is, which costs the E step that
/// was tried. The objective therefore rises as in EM, and where EM needs thousands of steps this needs tens.
///
/// A step of the report is an E step that was kept. Falls, non-finite objectives and convergence are as in
/// [`expectation_maximization`](super::expectation_maximization()); only steps of EM, never an extrapolation,
/// let the run converge.
///
/// # Errors
/// Those of the problem's steps, but for extrapolated models, which are then not kept.
pub fn accelerated_em<P: Accelerate + ?Sized>(
    problem: &P,
    start: P::Model,
    options: &EmOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Fitted<P::Model>, P::Error> {
    let mut place = Place::at(problem, start)?;
    let mut ascent = Ascent::new(place.objective, options.max_iterations, observer);
    let mut before: Option<Vec<f64>> = None;
    let stop = loop {
        if let Some(stop) = ascent.barred() {
            break stop;
        }
        // Of a cycle θ₀, θ₁, this is the second step: `before` are the coordinates of θ₀.
        if let Some(start) = before.take() {
            let (next, jumped) = leap(problem, &start, &place)?;
            if !next.objective.is_finite() {
                break Stop::Stalled;
            }
            place = next;
            let tolerance = if jumped { f64::NEG_INFINITY } else { options.tolerance };
            if let Some(stop) = ascent.reached(place.objective, tolerance) {
                break stop;
            }
            if !jumped {
                continue;
            }
            // An extrapolated point takes a step of EM before it begins a cycle.
            if let Some(stop) = ascent.barred() {
                break stop;
            }
        } else {
            before = Some(problem.coordinates(&place.model));
        }
        let next = place.next(problem)?;
        if !next.objective.is_finite() {
            break Stop::Stalled;
        }
        place = next;
        if let Some(stop) = ascent.reached(place.objective, options.tolerance) {
            break stop;
        }
    };
    Ok(Fitted { model: place.model, report: ascent.finish(stop) })
}

/// From θ₀ and the place of θ₁: the extrapolated place, or that of θ₂; whether it is the former.
fn leap<P: Accelerate + ?Sized>(
    problem: &P,
    start: &[f64],
    place: &Place<P>,
) -> Result<(Place<P>, bool), P::Error> {
    let second = problem.m_step(&place.statistics, &place.model)?;
    let jump = extrapolated(start, &problem.coordinates(&place.model), &problem.coordinates(&second))
        .and_then(|coordinates| problem.at_coordinates(&coordinates, &second))
        .and_then(|model| Place::at(problem, model).ok())
        .filter(|jump| jump.objective.is_finite() && jump.objective >= place.objective);
    match jump {
        Some(jump) => Ok((jump, true)),
        None => Ok((Place::at(problem, second)?, false)),
    }
}

/// θ₀ - 2αr + α²v; `None` where that is not finite, or no more than θ₂.
fn extrapolated(x0: &[f64], x1: &[f64], x2: &[f64]) -> Option<Vec<f64>> {
    let (mut first, mut second) = (0.0, 0.0);
    for ((a, b), c) in x0.iter().zip(x1).zip(x2) {
        let (r, v) = (b - a, (c - b) - (b - a));
        first += r * r;
        second += v * v;
    }
    let alpha = -(first / second).sqrt();
    if !(alpha < -1.0 && alpha.is_finite()) {
        return None;
    }
    let point = |((a, b), c): ((&f64, &f64), &f64)| {
        let (r, v) = (b - a, (c - b) - (b - a));
        a - 2.0 * alpha * r + alpha * alpha * v
    };
    let x: Vec<f64> = x0.iter().zip(x1).zip(x2).map(point).collect();
    x.iter().all(|x| x.is_finite()).then_some(x)
}
