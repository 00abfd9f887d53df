//! Slices of one coordinate: an interval that is expanded, then shrunk.

use posterior_math::check::{self, ParamError};
use rand::{Rng, RngExt};

use super::Sliced;
use crate::Error;

/// So many steps out, without a limit of the caller, are a slice without an end.
const ENDLESS_STEPS: u32 = 1_000_000;

/// So many doublings are one too.
const ENDLESS_DOUBLINGS: u32 = 500;

/// How an interval around the point is made as wide as the slice.
///
/// With a limit the interval may end up narrower than the slice: the chain is still right, and moves less
/// far. Without one, a slice without an end is an error: of stepping out after 10⁶ widths, of doubling when
/// the ends are no longer numbers or after 500 of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Expansion {
    /// Step by step of one width, on both sides.
    SteppingOut {
        /// The most widths that the interval may have.
        limit: Option<u32>,
    },
    /// Twice as wide, on a side that is drawn: for slices far wider than the width. A point that is found is
    /// tested for the way back.
    Doubling {
        /// The most doublings.
        limit: Option<u32>,
    },
}

impl Default for Expansion {
    /// Stepping out, without a limit.
    fn default() -> Self {
        Self::SteppingOut { limit: None }
    }
}

impl Expansion {
    pub(super) fn check(self) -> Result<Self, ParamError> {
        let (Self::SteppingOut { limit } | Self::Doubling { limit }) = self;
        let limit = limit.unwrap_or(1);
        check::require(limit > 0, "Expansion", "limit", f64::from(limit), "positive")?;
        Ok(self)
    }
}

/// The slice at a height through a point of one coordinate.
pub(super) struct Line<F> {
    /// ln p along the coordinate; NaN where it has no value.
    pub(super) ln_density: F,
    pub(super) ln_height: f64,
    pub(super) at: f64,
    pub(super) width: f64,
    pub(super) coordinate: usize,
    pub(super) info: Sliced,
}

#[derive(Debug, Clone, Copy)]
struct Interval {
    low: f64,
    high: f64,
}

impl<F: FnMut(f64) -> Result<f64, Error>> Line<F> {
    /// A point of the slice, and ln p there; None if the slice holds no other number than the point.
    pub(super) fn draw<R: Rng + ?Sized>(
        &mut self,
        expansion: Expansion,
        rng: &mut R,
    ) -> Result<Option<(f64, f64)>, Error> {
        let low = self.at - self.width * rng.random::<f64>();
        let first = Interval { low, high: low + self.width };
        match expansion {
            Expansion::SteppingOut { limit } => {
                let interval = self.step_out(first, limit, rng)?;
                self.shrink(interval, rng, |_, _| Ok(true))
            }
            Expansion::Doubling { limit } => {
                let interval = self.double(first, limit, rng)?;
                self.shrink(interval, rng, |line, x| line.comes_back(interval, x))
            }
        }
    }

    fn is_inside(&mut self, x: f64) -> Result<bool, Error> {
        let ln_density = (self.ln_density)(x)?;
        Ok(self.info.is_inside(ln_density, self.ln_height))
    }

    fn step_out<R: Rng + ?Sized>(
        &mut self,
        mut interval: Interval,
        limit: Option<u32>,
        rng: &mut R,
    ) -> Result<Interval, Error> {
        // A limit is shared out between both sides at random, or the way back would be another.
        let (mut below, mut above) = match limit {
            Some(limit) => {
                let below = rng.random_range(0..limit);
                (below, limit - 1 - below)
            }
            None => (ENDLESS_STEPS, ENDLESS_STEPS),
        };
        while below > 0 && self.is_inside(interval.low)? {
            interval.low -= self.width;
            below -= 1;
            self.info.expansions += 1;
        }
        while above > 0 && self.is_inside(interval.high)? {
            interval.high += self.width;
            above -= 1;
            self.info.expansions += 1;
        }
        let endless = limit.is_none() && (below == 0 || above == 0);
        self.bounded(interval, endless)
    }

    fn double<R: Rng + ?Sized>(
        &mut self,
        mut interval: Interval,
        limit: Option<u32>,
        rng: &mut R,
    ) -> Result<Interval, Error> {
        let mut left = limit.unwrap_or(ENDLESS_DOUBLINGS);
        let mut ends = (self.is_inside(interval.low)?, self.is_inside(interval.high)?);
        while left > 0 && (ends.0 || ends.1) {
            let width = interval.high - interval.low;
            if !width.is_finite() {
                return self.bounded(interval, true);
            }
            if rng.random::<bool>() {
                interval.low -= width;
                ends.0 = self.is_inside(interval.low)?;
            } else {
                interval.high += width;
                ends.1 = self.is_inside(interval.high)?;
            }
            left -= 1;
            self.info.expansions += 1;
        }
        let endless = limit.is_none() && left == 0;
        self.bounded(interval, endless)
    }

    fn bounded(&self, interval: Interval, endless: bool) -> Result<Interval, Error> {
        let Interval { low, high } = interval;
        if endless || !(high - low).is_finite() {
            return Err(Error::EndlessSlice { coordinate: self.coordinate, low, high });
        }
        Ok(interval)
    }

    /// Draws in the interval until a point is in the slice and is `acceptable`, and shrinks it towards the
    /// point at each other.
    fn shrink<R: Rng + ?Sized>(
        &mut self,
        Interval { mut low, mut high }: Interval,
        rng: &mut R,
        acceptable: impl Fn(&mut Self, f64) -> Result<bool, Error>,
    ) -> Result<Option<(f64, f64)>, Error> {
        loop {
            let x = low + rng.random::<f64>() * (high - low);
            if x == self.at || !(low < high) {
                return Ok(None);
            }
            let ln_density = (self.ln_density)(x)?;
            if self.info.is_inside(ln_density, self.ln_height) && acceptable(self, x)? {
                return Ok(Some((x, ln_density)));
            }
            self.info.contractions += 1;
            if x < self.at {
                low = x;
            } else {
                high = x;
            }
        }
    }

    /// Whether doubling from x would have led to the same interval: no half of it that holds x, and not the
    /// point, ends outside of the slice on both sides.
    fn comes_back(&mut self, interval: Interval, x: f64) -> Result<bool, Error> {
        let Interval { mut low, mut high } = interval;
        let mut parted = false;
        while high - low > 1.1 * self.width {
            let middle = low + 0.5 * (high - low);
            parted |= (self.at < middle) != (x < middle);
            if x < middle {
                high = middle;
            } else {
                low = middle;
            }
            if parted && !self.is_inside(low)? && !self.is_inside(high)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
