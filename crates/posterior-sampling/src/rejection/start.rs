//! The first knots of a log-concave density: its top, and a point on each side where it has fallen.

use super::hull::Knot;
use crate::Error;

/// A density that is lower than its top by this factor of e has fallen.
const FALLEN: f64 = 0.5;

/// Beyond this factor a closer point is looked for.
const FAR: f64 = 50.0;

/// How often a higher top may be found.
const CLIMBS: usize = 100;

/// How far the search may go in powers of two: past the ratio of any two numbers.
const REACH: i32 = 2200;

/// What the search found.
pub(super) struct Start {
    /// Knots in their order, three at least.
    pub(super) knots: Vec<Knot>,
    /// Where the density is not known to be zero.
    pub(super) support: (f64, f64),
}

/// Knots from which a hull can start, over the open interval `support`, found by steps from `start` whose
/// lengths are powers of two.
pub(super) fn find_start(
    evaluate: &mut dyn FnMut(f64) -> Result<Knot, Error>,
    mut support: (f64, f64),
    start: f64,
) -> Result<Start, Error> {
    let mut centre = evaluate(start)?;
    if centre.h == f64::NEG_INFINITY {
        return Err(Error::Start { position: vec![start], why: "the density is zero".to_owned() });
    }
    let mut first = first_exponent(&centre);
    let mut knots = Vec::new();
    for _ in 0..CLIMBS {
        let right = Ray { centre, end: support.1, first }.search(evaluate)?;
        support.1 = right.end;
        let left = Ray { centre, end: support.0, first }.search(evaluate)?;
        support.0 = left.end;
        let top = if right.top.h > left.top.h { right.top } else { left.top };
        knots = vec![left.knot, left.top, centre, right.top, right.knot];
        if top.h <= centre.h + 1.0 {
            break;
        }
        first = exponent(top.x - centre.x);
        centre = top;
    }
    knots.sort_by(|a, b| a.x.total_cmp(&b.x));
    knots.dedup_by(|a, b| a.x == b.x);
    let (left, right) = (knots[0], knots[knots.len() - 1]);
    if left.x == right.x {
        let why = "the density is zero next to it".to_owned();
        return Err(Error::Start { position: vec![centre.x], why });
    }
    for outer in [left, right] {
        let middle = 0.5 * outer.x + 0.5 * centre.x;
        if middle != outer.x && middle != centre.x {
            knots.push(evaluate(middle)?);
        }
    }
    knots.sort_by(|a, b| a.x.total_cmp(&b.x));
    Ok(Start { knots: thinned(knots), support })
}

/// The knots without those that are next to another one: their chords would be rounding.
fn thinned(knots: Vec<Knot>) -> Vec<Knot> {
    let Some(&last) = knots.last() else { return knots };
    let span = last.x - knots[0].x;
    let mut kept: Vec<Knot> = Vec::with_capacity(knots.len());
    for knot in knots {
        if kept.last().is_none_or(|before| before.is_apart(&knot, span)) {
            kept.push(knot);
        }
    }
    kept
}

/// How far the density reaches at a guess: where its tangent has fallen by one, or as far as zero is.
fn first_exponent(centre: &Knot) -> i32 {
    match centre.slope {
        Some(slope) if slope.is_normal() => -exponent(slope),
        _ if centre.x == 0.0 => 0,
        _ => exponent(centre.x),
    }
}

/// The largest power of two that is not above |x|.
fn exponent(x: f64) -> i32 {
    x.abs().log2().floor().clamp(-1074.0, 1023.0) as i32
}

/// One side of the top.
struct Side {
    /// A knot on this side: where the density has fallen, if it does.
    knot: Knot,
    /// The highest knot that was seen.
    top: Knot,
    /// The end of the support.
    end: f64,
}

/// The points on one side of a centre, by powers of two of their distance.
struct Ray {
    centre: Knot,
    end: f64,
    first: i32,
}

/// A point of a ray.
enum Place {
    /// Not to be distinguished from the centre.
    Centre,
    At(f64),
    /// Not to be distinguished from the end.
    End,
}

impl Ray {
    /// At distance 2ᵉ; where that is more than half-way to a finite end, the rest of the way is halved with
    /// each more.
    fn place(&self, e: i32) -> Place {
        let way = self.end - self.centre.x;
        let half = if way.is_finite() { exponent(0.5 * way) } else { 1023 };
        let x = if e <= half {
            self.centre.x + 2.0_f64.powi(e).copysign(way)
        } else if way.is_finite() {
            self.end - way * 2.0_f64.powi(half - e - 1)
        } else {
            self.end
        };
        if x == self.centre.x {
            Place::Centre
        } else if x.is_finite() && (x < self.end) == (self.centre.x < self.end) && x != self.end {
            Place::At(x)
        } else {
            Place::End
        }
    }

    fn search(&self, evaluate: &mut dyn FnMut(f64) -> Result<Knot, Error>) -> Result<Side, Error> {
        let mut top = self.centre;
        // The last exponent where the density has not fallen, and the first one where it has, with what is
        // there.
        let mut inside: Option<(i32, Option<Knot>)> = None;
        let mut beyond: Option<(i32, Option<Knot>)> = None;
        let mut step = 1;
        let mut e = self.first;
        loop {
            match self.place(e) {
                Place::Centre => inside = Some((e, None)),
                Place::End => beyond = Some((e, None)),
                Place::At(x) => {
                    let knot = evaluate(x)?;
                    if knot.h >= top.h - FALLEN {
                        top = if knot.h > top.h { knot } else { top };
                        inside = Some((e, Some(knot)));
                    } else {
                        beyond = Some((e, Some(knot)));
                        if knot.h >= top.h - FAR {
                            return Ok(Side { knot, top, end: self.end });
                        }
                    }
                }
            }
            e = match (&inside, &beyond) {
                (Some((a, _)), Some((b, _))) if b - a <= 1 => break,
                (Some((a, _)), Some((b, _))) => a + (b - a) / 2,
                (Some((a, _)), None) => (a + step).min(REACH),
                (None, Some((b, _))) => (b - step).max(-REACH),
                (None, None) => break,
            };
            step *= 2;
        }
        self.settle(top, inside.and_then(|(_, knot)| knot), beyond.and_then(|(_, knot)| knot))
    }

    /// The knot of this side, after the search was left with neighbouring points.
    fn settle(&self, top: Knot, inside: Option<Knot>, beyond: Option<Knot>) -> Result<Side, Error> {
        let end = match beyond {
            Some(knot) if knot.h > f64::NEG_INFINITY => return Ok(Side { knot, top, end: self.end }),
            Some(zero) => zero.x,
            None => self.end,
        };
        // At a finite end there may be no number between it and the centre.
        let knot = inside.unwrap_or(self.centre);
        if end.is_finite() {
            Ok(Side { knot, top, end })
        } else {
            Err(Error::NotIntegrable { from: knot.x, towards: end })
        }
    }
}
