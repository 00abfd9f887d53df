//! A first step size, by doubling or halving.

use posterior_dist::target::GradTarget;
use rand::Rng;

use super::super::leapfrog::{Leapfrog, NoEnd};
use super::super::metric::Metric;
use super::super::particle::Particle;
use crate::Error;

/// Where the search begins.
const FIRST: f64 = 0.1;
/// Step sizes beyond these are not tried.
const RANGE: std::ops::Range<f64> = 1e-12..1e7;

/// A step size with which one leapfrog step, with a random momentum, is accepted about as often as asked.
///
/// # Errors
/// [`Error::Start`], where none is.
pub(super) fn first_step_size<T: GradTarget + ?Sized, R: Rng + ?Sized>(
    target: &T,
    metric: &Metric,
    particle: &mut Particle,
    target_accept: f64,
    rng: &mut R,
) -> Result<f64, Error> {
    let Particle { place, scratch } = particle;
    scratch.fit(place.position.len(), 1);
    let [start, _] = &mut scratch.ends;
    place.write_to(start);
    start.refresh(metric, rng);
    if start.position.is_empty() {
        return Ok(FIRST);
    }
    let mut step_size = FIRST;
    let mut grows = None;
    loop {
        let leapfrog = Leapfrog { metric, step_size };
        let rate = match leapfrog.step(target, start, &mut scratch.next, &mut scratch.sum) {
            Ok(()) => (start.energy() - scratch.next.energy()).exp(),
            Err(NoEnd::Refused(_)) => 0.0,
            Err(NoEnd::Fatal(why)) => return Err(why.into()),
        };
        let accepted = rate >= target_accept;
        if *grows.get_or_insert(accepted) != accepted {
            return Ok(step_size);
        }
        step_size *= if accepted { 2.0 } else { 0.5 };
        if !RANGE.contains(&step_size) {
            let why = if accepted {
                "any step size is accepted: the density is flat, and can't be normalised"
            } else {
                "no step size is accepted, however small: the density or its gradient is not continuous, or the gradient is wrong"
            };
            return Err(Error::Start { position: place.position.clone(), why: why.to_owned() });
        }
    }
}
