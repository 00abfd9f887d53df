//! Counts of events in some exposure.

use posterior_math::check::{self, ParamError};

/// How many events were seen, in how much exposure: time, area, people at risk.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Count {
    count: u64,
    exposure: f64,
}

impl Count {
    /// So many events in this exposure.
    ///
    /// # Errors
    /// Unless the exposure is positive and finite.
    pub fn new(count: u64, exposure: f64) -> Result<Self, ParamError> {
        Ok(Self { count, exposure: check::positive("Count", "exposure", exposure)? })
    }

    /// The number of events.
    pub const fn count(self) -> u64 {
        self.count
    }

    /// The exposure.
    pub const fn exposure(self) -> f64 {
        self.exposure
    }
}

/// A count in exposure 1.
impl From<u64> for Count {
    fn from(count: u64) -> Self {
        Self { count, exposure: 1.0 }
    }
}
