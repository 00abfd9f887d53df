//! Adaptive rejection sampling: the envelope of a log-concave density, found while drawing.

use std::fmt;

use posterior_math::check;
use rand::Rng;
use rand::distr::{Distribution, Open01};

use super::hull::{Hull, Knot};
use super::start::find_start;
use crate::Error;

/// A gap between the log-density and a line or chord that is worth another knot.
const WORTH_A_KNOT: f64 = 1e-3;

/// Options of [`AdaptiveRejection`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AdaptiveRejectionOptions {
    /// Knots of the envelope, at most: it then stays as it is.
    pub max_knots: usize,
    /// Proposals for one draw before an error.
    pub max_attempts: usize,
}

impl Default for AdaptiveRejectionOptions {
    /// 200 knots, a million proposals for a draw.
    fn default() -> Self {
        Self { max_knots: 200, max_attempts: 1_000_000 }
    }
}

/// ln p at a point, and its derivative if it is given.
type LnDensity<'a> = Box<dyn FnMut(f64) -> (f64, Option<f64>) + 'a>;

/// Independent draws from a density on the line whose logarithm is concave, up to a constant factor.
///
/// Lines above the log-density, which make the envelope, and chords below it come from points where it was
/// evaluated; each point where they are far apart is added. After a few evaluations almost every draw is
/// decided by lines and chords alone. The draws are exact, and independent of each other, from the first one
/// on.
///
/// The first points are found from one where the density is positive, by steps of powers of two, so that the
/// scale of the distribution need not be known. A log-density that turns out not to be concave is refused,
/// with the place; it is watched where it is evaluated, not everywhere.
///
/// ```
/// use posterior_dist::stream::stream;
/// use posterior_sampling::rejection::AdaptiveRejection;
///
/// // A gamma distribution of shape 3, and its derivative.
/// let ln_density = |x: f64| (2.0 * x.ln() - x, 2.0 / x - 1.0);
/// let mut gamma = AdaptiveRejection::with_derivative(ln_density, (0.0, f64::INFINITY), 1.0)?;
/// let draws = gamma.draws(10_000, &mut stream(1, &[]))?;
/// let mean = draws.iter().sum::<f64>() / 10_000.0;
/// assert!((mean - 3.0).abs() < 0.06);
/// assert!(gamma.evaluations() < 100);
/// // Z = 2 is between the areas under chords and lines.
/// let (below, above) = gamma.ln_z_bounds();
/// assert!(below < 2.0_f64.ln() && 2.0_f64.ln() < above && above - below < 0.05);
/// # Ok::<(), posterior_sampling::Error>(())
/// ```
///
/// # References
/// W. Gilks, P. Wild, Adaptive rejection sampling for Gibbs sampling, Applied Statistics 41, 1992; W. Gilks,
/// Derivative-free adaptive rejection sampling for Gibbs sampling, Bayesian Statistics 4, 1992.
pub struct AdaptiveRejection<'a> {
    ln_density: LnDensity<'a>,
    offset: f64,
    hull: Hull,
    options: AdaptiveRejectionOptions,
    evaluations: usize,
    attempts: usize,
    accepted: usize,
}

impl<'a> AdaptiveRejection<'a> {
    /// From ln p on the open interval `support`, whose ends may be infinite, and a point in it where the
    /// density is positive.
    ///
    /// # Errors
    /// A support without a point; a start outside of it, or where the density is zero; a log-density that is
    /// NaN or +∞, not concave, or that does not fall towards an infinite end.
    pub fn new(
        mut ln_density: impl FnMut(f64) -> f64 + 'a,
        support: (f64, f64),
        start: f64,
    ) -> Result<Self, Error> {
        Self::begin(Box::new(move |x| (ln_density(x), None)), support, start)
    }

    /// From ln p and its derivative, which make a closer envelope from as many points.
    ///
    /// # Errors
    /// As [`new`](Self::new); a derivative that is not finite where the density is positive.
    pub fn with_derivative(
        mut ln_density: impl FnMut(f64) -> (f64, f64) + 'a,
        support: (f64, f64),
        start: f64,
    ) -> Result<Self, Error> {
        let ln_density = move |x| {
            let (value, slope) = ln_density(x);
            (value, Some(slope))
        };
        Self::begin(Box::new(ln_density), support, start)
    }

    fn begin(mut ln_density: LnDensity<'a>, support: (f64, f64), start: f64) -> Result<Self, Error> {
        let (low, high) = support;
        check::require(!low.is_nan(), "AdaptiveRejection", "low", low, "a number, or -∞")?;
        check::require(low < high, "AdaptiveRejection", "high", high, "above the lower end")?;
        let inside = low < start && start < high && start.is_finite();
        check::require(inside, "AdaptiveRejection", "start", start, "finite, and inside the support")?;
        let mut evaluations = 0;
        let mut evaluate = |x| {
            evaluations += 1;
            evaluated(&mut ln_density, x)
        };
        let mut found = find_start(&mut evaluate, support, start)?;
        let offset = found.knots.iter().fold(f64::NEG_INFINITY, |largest, knot| knot.h.max(largest));
        for knot in &mut found.knots {
            knot.h -= offset;
        }
        let hull = Hull::new(found.knots, found.support)?;
        let options = AdaptiveRejectionOptions::default();
        Ok(Self { ln_density, offset, hull, options, evaluations, attempts: 0, accepted: 0 })
    }

    /// With these options.
    #[must_use]
    pub fn with_options(self, options: AdaptiveRejectionOptions) -> Self {
        Self { options, ..self }
    }

    /// A draw.
    ///
    /// # Errors
    /// A log-density that is NaN or +∞, or not concave, at a point that was looked at; more proposals than
    /// are allowed.
    pub fn sample<R: Rng + ?Sized>(&mut self, rng: &mut R) -> Result<f64, Error> {
        for _ in 0..self.options.max_attempts {
            self.attempts += 1;
            let (x, upper) = self.hull.draw(rng);
            if !(self.hull.low < x && x < self.hull.high) {
                continue; // The end itself, by rounding.
            }
            let uniform: f64 = Open01.sample(rng);
            let threshold = upper + uniform.ln();
            if threshold <= self.hull.lower(x) || threshold <= self.look(x, upper)? {
                self.accepted += 1;
                return Ok(x);
            }
        }
        let attempts = self.options.max_attempts;
        Err(Error::Attempts { what: "adaptive rejection", attempts, accepted: self.accepted })
    }

    /// As many draws.
    ///
    /// # Errors
    /// As [`sample`](Self::sample).
    pub fn draws<R: Rng + ?Sized>(&mut self, count: usize, rng: &mut R) -> Result<Vec<f64>, Error> {
        (0..count).map(|_| self.sample(rng)).collect()
    }

    /// How often the log-density was evaluated, the search for a start included.
    pub const fn evaluations(&self) -> usize {
        self.evaluations
    }

    /// How many proposals there were, and how many were accepted.
    pub const fn attempts(&self) -> (usize, usize) {
        (self.attempts, self.accepted)
    }

    /// The points that carry the envelope.
    pub fn knots(&self) -> impl Iterator<Item = f64> + '_ {
        self.hull.knots.iter().map(|knot| knot.x)
    }

    /// ln of the integral of p is between these: the areas under the chords and under the envelope. They
    /// close in while draws are made.
    pub fn ln_z_bounds(&self) -> (f64, f64) {
        let (below, above) = self.hull.ln_areas();
        (self.offset + below, self.offset + above)
    }

    /// The log-density at x, less the offset; the envelope learns from it.
    fn look(&mut self, x: f64, upper: f64) -> Result<f64, Error> {
        self.evaluations += 1;
        let mut knot = evaluated(&mut self.ln_density, x)?;
        if knot.h == f64::NEG_INFINITY {
            self.hull.cut(x)?;
            return Ok(f64::NEG_INFINITY);
        }
        knot.h -= self.offset;
        self.hull.check(&knot, upper)?;
        let gap = (upper - knot.h).max(knot.h - self.hull.lower(x));
        if gap > WORTH_A_KNOT && self.hull.knots.len() < self.options.max_knots {
            if self.hull.is_apart(&knot) {
                self.hull.insert(knot)?;
            } else if upper - knot.h > WORTH_A_KNOT {
                self.halve(x)?;
            }
        }
        Ok(knot.h)
    }

    /// A knot in the middle of the interval around x, where the envelope is poor next to a knot.
    fn halve(&mut self, x: f64) -> Result<(), Error> {
        self.evaluations += 1;
        let mut knot = evaluated(&mut self.ln_density, self.hull.middle(x))?;
        knot.h -= self.offset;
        if self.hull.is_apart(&knot) { self.hull.insert(knot) } else { Ok(()) }
    }
}

impl fmt::Debug for AdaptiveRejection<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AdaptiveRejection")
            .field("support", &(self.hull.low, self.hull.high))
            .field("knots", &self.hull.knots.len())
            .field("evaluations", &self.evaluations)
            .finish_non_exhaustive()
    }
}

/// The log-density at x, refused if it is not a number.
fn evaluated(ln_density: &mut LnDensity<'_>, x: f64) -> Result<Knot, Error> {
    let (h, slope) = ln_density(x);
    let refuse = |what, value| Err(Error::NoValue { what, at: x.to_string(), value });
    if !(h < f64::INFINITY) {
        return refuse("the log-density", h);
    }
    match slope {
        Some(slope) if h.is_finite() && !slope.is_finite() => {
            refuse("the derivative of the log-density", slope)
        }
        _ => Ok(Knot { x, h, slope, noise: 4.0 * f64::EPSILON * h.abs() }),
    }
}
