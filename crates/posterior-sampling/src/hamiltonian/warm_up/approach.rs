//! A start where the density is out of all proportion, moved to where it is not.

use std::ops::ControlFlow;

use posterior_dist::target::{GradTarget, negated};
use posterior_math::iteration::Step;
use posterior_math::optimize::{LbfgsOptions, minimize};

use super::super::particle::Particle;
use crate::Error;

/// A slope of ln p for a unit of the coordinates that tells of a start out of all proportion.
const STEEP: f64 = 1e10;
/// A gain in ln p of one step that a search goes on for.
const GAIN: f64 = 1e6;

/// The start; where ln p is steeper than 10¹⁰ for a unit of the coordinates, the first point of a search
/// uphill (L-BFGS) whose step gained less than a million.
///
/// A chain falls by itself. But as long as it does, step size and metric are fitted to where it is and not to
/// where it belongs, and a whole warm-up can be too short: a count of 30 whose logarithm starts at 50 is e⁵⁰
/// away.
pub(super) fn approached<T: GradTarget + ?Sized>(target: &T, start: Particle) -> Result<Particle, Error> {
    if start.place.gradient.iter().map(|slope| slope * slope).sum::<f64>() <= STEEP * STEEP {
        return Ok(start);
    }
    let mut fatal = None;
    let objective =
        |x: &[f64], gradient: &mut [f64]| negated(target.ln_density_grad(x, gradient), gradient, &mut fatal);
    let mut before = -start.place.ln_density;
    let mut stop = |step: &Step| {
        let gain = std::mem::replace(&mut before, step.objective) - step.objective;
        if gain > GAIN { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let found = minimize(objective, &start.place.position, &LbfgsOptions::default(), &mut stop);
    match fatal {
        Some(why) => Err(why.into()),
        // A point that the search takes and no chain can start from, such as one with an infinite slope.
        None => Ok(Particle::new(target, &found.model.point).unwrap_or(start)),
    }
}
