//! What is known of a concave function from its values at knots: lines above it, and chords below.

use posterior_math::check::DimensionError;
use posterior_math::log_space::LnSumExp;
use rand::{Rng, RngExt};

use super::piece::Piece;
use crate::Error;

/// How far a function may be from concave before it is refused, beside the rounding of its values.
const TOLERANCE: f64 = 1e-10;

/// A point of the function.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Knot {
    pub(super) x: f64,
    /// ln p, less an offset.
    pub(super) h: f64,
    /// The derivative, if the function tells it.
    pub(super) slope: Option<f64>,
    /// The rounding of h.
    pub(super) noise: f64,
}

/// The difference of two heights that tells knots apart, and the rounding of their chord from its slope.
const STEP: f64 = 1e-3;

/// The distance that does, as a proportion of the interval around.
const PROPORTION: f64 = 1e-3;

impl Knot {
    /// Whether the chord of two knots in an interval of this length is more than rounding.
    pub(super) fn is_apart(&self, other: &Self, interval: f64) -> bool {
        (self.h - other.h).abs() > STEP || (self.x - other.x).abs() > PROPORTION * interval
    }
}

/// Lines above a concave function, and chords below it, over an open interval.
///
/// With derivatives the lines are tangents (Gilks and Wild 1992); without, they are the chords of the
/// neighbouring intervals, extended (Gilks 1992). Both are raised by the rounding of the values, so that no
/// density sticks out.
#[derive(Debug, Clone)]
pub(super) struct Hull {
    pub(super) knots: Vec<Knot>,
    pub(super) low: f64,
    pub(super) high: f64,
    pieces: Vec<Piece>,
    /// The masses of the pieces up to each, over the largest one.
    cumulative: Vec<f64>,
}

impl Hull {
    /// Over (low, high), from knots in their order: three at least, or two with derivatives.
    pub(super) fn new(knots: Vec<Knot>, (low, high): (f64, f64)) -> Result<Self, Error> {
        check_concave(&knots)?;
        let pieces = pieces(&knots, (low, high))?;
        // Only where heights or slopes overflow.
        let largest = pieces.iter().fold(f64::NEG_INFINITY, |largest, piece| piece.ln_mass.max(largest));
        if let Some(piece) = pieces.iter().find(|piece| !piece.ln_mass.is_finite()) {
            let what = "ln of the area under the envelope";
            return Err(Error::NoValue {
                what,
                at: format!("({}, {})", piece.from, piece.to),
                value: piece.ln_mass,
            });
        }
        let mut sum = 0.0;
        let cumulative = pieces.iter().map(|piece| {
            sum += (piece.ln_mass - largest).exp();
            sum
        });
        let cumulative = cumulative.collect();
        Ok(Self { knots, low, high, pieces, cumulative })
    }

    /// With one knot more.
    pub(super) fn insert(&mut self, knot: Knot) -> Result<(), Error> {
        let mut knots = self.knots.clone();
        knots.insert(self.place(knot.x), knot);
        *self = Self::new(knots, (self.low, self.high))?;
        Ok(())
    }

    /// After the density turned out to be zero at x: from there on it is zero too.
    pub(super) fn cut(&mut self, x: f64) -> Result<(), Error> {
        let (low, high) = match self.place(x) {
            0 => (x, self.high),
            last if last == self.knots.len() => (self.low, x),
            _ => return Err(Error::NotLogConcave { at: x, by: f64::INFINITY }),
        };
        *self = Self::new(std::mem::take(&mut self.knots), (low, high))?;
        Ok(())
    }

    /// A point under the lines, and their height there.
    pub(super) fn draw<R: Rng + ?Sized>(&self, rng: &mut R) -> (f64, f64) {
        let last = self.pieces.len() - 1;
        let threshold = rng.random::<f64>() * self.cumulative[last];
        let piece = &self.pieces[self.cumulative.partition_point(|&sum| sum <= threshold).min(last)];
        let x = piece.draw(rng);
        (x, piece.at(x))
    }

    /// The height of the chords: -∞ outside of the knots.
    pub(super) fn lower(&self, x: f64) -> f64 {
        let at = self.place(x);
        match (at.checked_sub(1).map(|before| &self.knots[before]), self.knots.get(at)) {
            (Some(a), Some(b)) => chord(a, b, x) - a.noise.max(b.noise),
            (_, Some(b)) if b.x == x => b.h - b.noise,
            _ => f64::NEG_INFINITY,
        }
    }

    /// Whether a knot is between the chords and the lines, and its own tangent above its neighbours.
    pub(super) fn check(&self, knot: &Knot, upper: f64) -> Result<(), Error> {
        let rounding = 4.0 * f64::EPSILON * (upper.abs() + knot.h.abs());
        let tolerance = TOLERANCE + 2.0 * knot.noise + rounding;
        let at = self.place(knot.x);
        let mut by = (knot.h - upper - tolerance).max(self.lower(knot.x) - knot.h - tolerance);
        for neighbour in &self.knots[at.saturating_sub(1)..(at + 1).min(self.knots.len())] {
            by = by.max(above_tangent(neighbour, knot));
        }
        if by > 0.0 { Err(Error::NotLogConcave { at: knot.x, by }) } else { Ok(()) }
    }

    /// Whether a knot is apart from those next to it.
    pub(super) fn is_apart(&self, knot: &Knot) -> bool {
        let (a, b) = self.around(knot.x);
        a.is_apart(knot, b.x - a.x) && b.is_apart(knot, b.x - a.x)
    }

    /// The middle of the interval of knots around x, or next to it.
    pub(super) fn middle(&self, x: f64) -> f64 {
        let (a, b) = self.around(x);
        0.5 * a.x + 0.5 * b.x
    }

    /// The knots around x; outside of all knots, the last two on that side.
    fn around(&self, x: f64) -> (&Knot, &Knot) {
        let right = self.place(x).clamp(1, self.knots.len() - 1);
        (&self.knots[right - 1], &self.knots[right])
    }

    /// ln of the areas under the chords and under the lines.
    pub(super) fn ln_areas(&self) -> (f64, f64) {
        let chords = self.knots.windows(2).map(|pair| {
            let [a, b] = [pair[0], pair[1]];
            Piece::new((a.x, b.x), (a.x, a.h - a.noise.max(b.noise)), (b.h - a.h) / (b.x - a.x)).ln_mass
        });
        let below = chords.collect::<LnSumExp>().value();
        (below, self.pieces.iter().map(|piece| piece.ln_mass).collect::<LnSumExp>().value())
    }

    /// How many knots are below x.
    fn place(&self, x: f64) -> usize {
        self.knots.partition_point(|knot| knot.x < x)
    }
}

/// The lines above the function, from left to right.
fn pieces(knots: &[Knot], (low, high): (f64, f64)) -> Result<Vec<Piece>, Error> {
    let last = knots.len() - 1;
    let (left, right) = (&knots[0], &knots[last]);
    let mut pieces = Vec::with_capacity(2 * knots.len());
    let slope = left.slope.or_else(|| falling(knots, 0)).unwrap_or_default();
    if low == f64::NEG_INFINITY && !(slope > 0.0) {
        return Err(Error::NotIntegrable { from: left.x, towards: low });
    }
    pieces.push(Piece::new((low, left.x), raised(left), slope));
    for (i, pair) in knots.windows(2).enumerate() {
        let [a, b] = [&pair[0], &pair[1]];
        let rising = a.slope.or_else(|| rising(knots, i));
        let falling = b.slope.or_else(|| falling(knots, i + 1));
        match (rising, falling) {
            (Some(rising), Some(falling)) => {
                let middle = intersection((a, rising), (b, falling));
                pieces.push(Piece::new((a.x, middle), raised(a), rising));
                pieces.push(Piece::new((middle, b.x), raised(b), falling));
            }
            (Some(rising), None) => pieces.push(Piece::new((a.x, b.x), raised(a), rising)),
            (None, Some(falling)) => pieces.push(Piece::new((a.x, b.x), raised(b), falling)),
            (None, None) => return Err(DimensionError::new("knots", 3, knots.len()).into()),
        }
    }
    let slope = right.slope.or_else(|| rising(knots, last));
    let slope = slope.unwrap_or_default();
    if high == f64::INFINITY && !(slope < 0.0) {
        return Err(Error::NotIntegrable { from: right.x, towards: high });
    }
    pieces.push(Piece::new((right.x, high), raised(right), slope));
    pieces.retain(|piece| piece.from < piece.to);
    Ok(pieces)
}

fn raised(knot: &Knot) -> (f64, f64) {
    (knot.x, knot.h + knot.noise)
}

/// The slope of a line through knot i that is above the function to its right: the least of the chords from
/// knots before, as large as the rounding of the values allows.
fn rising(knots: &[Knot], i: usize) -> Option<f64> {
    let (before, b) = (&knots[..i], &knots[i]);
    before.iter().map(|a| (b.h - a.h + (a.noise + b.noise)) / (b.x - a.x)).reduce(f64::min)
}

/// The slope of a line through knot i that is above the function to its left: the largest of the chords to
/// knots after, as small as the rounding of the values allows.
fn falling(knots: &[Knot], i: usize) -> Option<f64> {
    let (a, after) = (&knots[i], &knots[i + 1..]);
    after.iter().map(|b| (b.h - a.h - (a.noise + b.noise)) / (b.x - a.x)).reduce(f64::max)
}

/// Where the lines through two knots meet, between the knots.
fn intersection((a, rising): (&Knot, f64), (b, falling): (&Knot, f64)) -> f64 {
    let width = b.x - a.x;
    let proportion = ((b.h - a.h) / width - falling) / (rising - falling);
    if proportion.is_nan() || width == f64::INFINITY {
        return 0.5 * a.x + 0.5 * b.x;
    }
    (a.x + proportion.clamp(0.0, 1.0) * width).clamp(a.x, b.x)
}

/// The height of the chord of two knots at x between them.
fn chord(a: &Knot, b: &Knot, x: f64) -> f64 {
    let proportion = (x - a.x) / (b.x - a.x);
    a.h * (1.0 - proportion) + b.h * proportion
}

/// How far one of two knots is above the tangent of the other, beyond rounding; -∞ without tangents.
fn above_tangent(a: &Knot, b: &Knot) -> f64 {
    let tolerance = TOLERANCE + 2.0 * (a.noise + b.noise);
    let of = |from: &Knot, to: &Knot| {
        let slope = from.slope.unwrap_or(f64::NAN);
        let rise = slope * (to.x - from.x);
        to.h - from.h - rise - tolerance - f64::EPSILON * rise.abs()
    };
    of(a, b).max(of(b, a)).max(f64::NEG_INFINITY)
}

fn check_concave(knots: &[Knot]) -> Result<(), Error> {
    for triple in knots.windows(3) {
        let [a, b, c] = [&triple[0], &triple[1], &triple[2]];
        let by = chord(a, c, b.x) - b.h - TOLERANCE - 2.0 * (a.noise + b.noise + c.noise);
        if by > 0.0 {
            return Err(Error::NotLogConcave { at: b.x, by });
        }
    }
    for pair in knots.windows(2) {
        let by = above_tangent(&pair[0], &pair[1]);
        if by > 0.0 {
            return Err(Error::NotLogConcave { at: pair[1].x, by });
        }
    }
    Ok(())
}
