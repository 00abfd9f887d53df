//! Whether a sequence of covariances has come to its limit.

/// Changes that are looked at.
const WINDOW: usize = 8;

/// How far from the limit a covariance may be, relatively, to count as it.
const TOLERANCE: f64 = 1e-14;

/// The last changes, from which the sum of all that are to come is estimated.
#[derive(Debug, Clone, Default)]
pub(crate) struct Convergence {
    changes: [f64; WINDOW],
    seen: usize,
}

impl Convergence {
    /// Forgets all changes.
    pub(crate) const fn restart(&mut self) {
        self.seen = 0;
    }

    /// Takes the square of the newest change; whether those to come no longer matter.
    ///
    /// The changes shrink by a factor that is read off the window (its newer half against its older, each by
    /// its largest, because changes may oscillate); the rest is then a geometric series. Slow convergence has
    /// a factor close to one and goes on.
    pub(crate) fn is_over(&mut self, change: f64) -> bool {
        self.changes[self.seen % WINDOW] = change;
        self.seen += 1;
        if self.seen < WINDOW || !(change < TOLERANCE * TOLERANCE) {
            return false;
        }
        let half = |from: usize| {
            (from..from + WINDOW / 2).map(|i| self.changes[(self.seen + i) % WINDOW]).fold(0.0, f64::max)
        };
        let (old, new) = (half(0).sqrt(), half(WINDOW / 2).sqrt());
        if new == 0.0 {
            return true;
        }
        if !(new < old) {
            return false;
        }
        let factor = (new / old).powf(2.0 / WINDOW as f64);
        new / (1.0 - factor) < TOLERANCE
    }
}
