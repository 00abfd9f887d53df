//! The distribution of what could be seen: a fitted one, or the part of it between limits.

use rand::Rng;
use rand::RngExt;

use crate::catalogue::AnyUnivariate;
use crate::density::{Univariate, probability_between};
use crate::prelude::*;
use crate::wrappers::Truncated;

/// A fitted distribution as its values are seen.
#[derive(Debug, Clone)]
pub(super) enum Seen {
    Whole(AnyUnivariate),
    Part(Truncated<AnyUnivariate>),
    /// Counts from a least one on and up to a largest.
    Counts(CountsBetween),
}

/// A distribution of counts, given that they lie between limits.
#[derive(Debug, Clone)]
pub(super) struct CountsBetween {
    counts: AnyUnivariate,
    /// The largest number below the limits, and the largest within.
    before: f64,
    last: f64,
}

impl Seen {
    pub(super) fn new(distribution: &AnyUnivariate, window: Option<(f64, f64)>) -> Result<Self, ParamError> {
        let distribution = distribution.clone();
        let Some((low, high)) = window else { return Ok(Self::Whole(distribution)) };
        if distribution.is_discrete() {
            return Ok(Self::Counts(CountsBetween {
                counts: distribution,
                before: low.ceil() - 1.0,
                last: high.floor(),
            }));
        }
        Truncated::new(distribution, low, high).map(Self::Part)
    }

    pub(super) fn draw<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        match self {
            Self::Whole(own) => own.sample(rng),
            Self::Part(own) => own.sample(rng),
            Self::Counts(own) => own.quantile(1.0 - rng.random::<f64>()),
        }
    }
}

impl CountsBetween {
    /// P(a < X ≤ b) of all counts, for b within the limits.
    fn between(&self, a: f64, b: f64) -> f64 {
        probability_between(&self.counts, a, b.min(self.last))
    }

    fn whole(&self) -> f64 {
        self.between(self.before, self.last)
    }
}

impl Univariate for CountsBetween {
    fn cdf(&self, x: f64) -> f64 {
        self.between(self.before, x) / self.whole()
    }

    fn sf(&self, x: f64) -> f64 {
        self.between(x.max(self.before), self.last) / self.whole()
    }

    fn quantile(&self, p: f64) -> f64 {
        let (own, mass) = (&self.counts, p * self.whole());
        let x = if own.cdf(self.before) < 0.5 {
            own.quantile((own.cdf(self.before) + mass).min(1.0))
        } else {
            own.upper_quantile((own.sf(self.before) - mass).max(0.0))
        };
        x.clamp(self.before + 1.0, self.last)
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        self.quantile(1.0 - q)
    }

    fn ln_cdf(&self, x: f64) -> f64 {
        self.cdf(x).ln()
    }

    fn ln_sf(&self, x: f64) -> f64 {
        self.sf(x).ln()
    }
}
