//! Two points of (0, 1) between which a solution is, as pairs (x, 1 - x) of which the smaller number is
//! exact.

/// The least positive number.
const LEAST: f64 = 5e-324;

/// (x, y) with the larger one made 1 less the smaller one.
pub(super) fn pair(x: f64, y: f64) -> (f64, f64) {
    if x <= y { (x, 1.0 - x) } else { (1.0 - y, y) }
}

/// A point, and how far the function is above its goal there.
#[derive(Clone, Copy)]
pub(super) struct End {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) gap: f64,
}

/// The ends between which a rising function reaches its goal.
pub(super) struct Bracket {
    below: End,
    above: End,
}

impl Bracket {
    /// All of (0, 1).
    pub(super) const fn whole() -> Self {
        Self {
            below: End { x: 0.0, y: 1.0, gap: f64::NEG_INFINITY },
            above: End { x: 1.0, y: 0.0, gap: f64::INFINITY },
        }
    }

    /// Cuts off the side of `at` on which the solution is not.
    pub(super) fn divide(&mut self, at: End) {
        if at.gap < 0.0 {
            self.below = at;
        } else {
            self.above = at;
        }
    }

    /// Whether a point is between the ends, themselves excluded.
    pub(super) fn holds(&self, (x, y): (f64, f64)) -> bool {
        let after = |end: &End| x > end.x || (x == end.x && y < end.y);
        let before = |end: &End| x < end.x || (x == end.x && y > end.y);
        after(&self.below) && before(&self.above)
    }

    /// The middle in ln(x / y), as far as f64 has numbers.
    pub(super) fn middle(&self) -> (f64, f64) {
        let roots = |end: &End| (end.x.max(LEAST).sqrt(), end.y.max(LEAST).sqrt());
        let ((a, b), (c, d)) = (roots(&self.below), roots(&self.above));
        let (x, y) = (a * c, b * d);
        pair(x / (x + y), y / (x + y))
    }

    /// The end where the function is closer to its goal, when no number is left between them. Next to 0 and
    /// to 1 the solution is too small for f64, or its distance from 1 is.
    pub(super) fn nearer(&self) -> (f64, f64) {
        let Self { below, above } = *self;
        let is_below = below.x == 0.0 || (above.y > 0.0 && -below.gap < above.gap);
        let end = if is_below { below } else { above };
        (end.x, end.y)
    }
}
