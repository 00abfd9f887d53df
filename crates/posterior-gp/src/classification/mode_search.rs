//! The search for the mode of a posterior, by Newton's method with steps that are halved.

use posterior_math::iteration::{Observer, Progress, Report, Stop};

use crate::Error;

/// How to search for a mode.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ModeOptions {
    /// The search converges when a Newton step promises no larger increase of ln p than this, in nats; what
    /// rounding allows of it. 10⁻¹⁴ by default: the step that is then taken leaves about as many digits as
    /// there are.
    pub tolerance: f64,
    /// The largest number of Newton steps. 200 by default.
    pub max_iterations: usize,
}

impl Default for ModeOptions {
    fn default() -> Self {
        Self { tolerance: 1e-14, max_iterations: 200 }
    }
}

/// Where a search for a mode stands.
pub(super) trait ModeSearch: Sized {
    /// A direction.
    type Point;
    /// The curvature of the posterior at a place.
    type Curvature;

    /// ln p here.
    fn objective(&self) -> f64;

    /// The curvature here, and whether it is that of a peak.
    fn curvature(&self) -> Result<(Self::Curvature, bool), Error>;

    /// Newton's step, and the increase that it promises.
    fn newton(&self, curvature: &Self::Curvature) -> (Self::Point, f64);

    /// What of the promise is rounding.
    fn noise(&self) -> f64;

    /// The number of terms that ln p is the sum of.
    fn terms(&self) -> usize;

    /// So much of a step further.
    fn moved(&self, direction: &Self::Point, step: f64) -> Self;
}

/// An increase of the objective that is a smaller share of it than this is not seen: rounding hides it.
const ROUNDING: f64 = 1e-13;

/// A step is halved so often at most.
const MAX_HALVINGS: usize = 60;

/// Climbs to the mode; the curvature there.
pub(super) fn ascend<S: ModeSearch>(
    search: &mut S,
    options: &ModeOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<(S::Curvature, Report), Error> {
    let mut progress = Progress::new(search.objective(), options.max_iterations, observer);
    let end = |peak| if peak { Stop::Converged } else { Stop::Stalled };
    let (stop, curvature) = loop {
        let (curvature, peak) = search.curvature()?;
        let (direction, promise) = search.newton(&curvature);
        let converged = promise <= options.tolerance + search.noise();
        if !converged && progress.exhausted() {
            break (Stop::MaxIterations, curvature);
        }
        let Some(next) = climb(search, &direction, promise) else {
            break (end(converged && peak), curvature);
        };
        *search = next;
        let stopped = progress.stopped_after(search.objective());
        if converged || stopped {
            let (curvature, peak) = search.curvature()?;
            break (if converged { end(peak) } else { Stop::Observer }, curvature);
        }
    };
    Ok((curvature, progress.finish(stop)))
}

/// The first of the whole step, its half, its quarter, … that goes up.
fn climb<S: ModeSearch>(search: &S, direction: &S::Point, promise: f64) -> Option<S> {
    let here = search.objective();
    let slack = ROUNDING * here.abs().max(search.terms() as f64) + search.noise();
    let allowed = if promise < slack { slack } else { 0.0 };
    let mut step = 1.0;
    for _ in 0..MAX_HALVINGS {
        let next = search.moved(direction, step);
        if next.objective().is_finite() && next.objective() > here - allowed {
            return Some(next);
        }
        step *= 0.5;
    }
    None
}
