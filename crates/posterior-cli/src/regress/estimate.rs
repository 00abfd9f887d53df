//! Numbers that are not known, with their intervals.

use posterior::regression::coefficients::Coefficient;
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

use crate::level::Level;
use crate::output::significant;

/// A number that is not known, with its interval.
#[derive(Debug, Clone)]
pub(super) struct Estimate {
    pub(super) name: String,
    pub(super) mean: f64,
    pub(super) sd: f64,
    /// The quantiles at 0.05 and 0.95, which JSON has whatever the level.
    tails: [f64; 2],
    level: Level,
    pub(super) interval: [f64; 2],
}

impl Estimate {
    pub(super) fn of(own: Coefficient, level: Level) -> Self {
        let interval = level.interval(|p| own.quantile(p));
        let Coefficient { name, mean, sd, q05, q95, .. } = own;
        Self { name, mean, sd, tails: [q05, q95], level, interval }
    }

    /// A number whose distribution has these quantiles.
    pub(super) fn by_quantiles(
        name: String,
        mean: f64,
        sd: f64,
        quantile: impl Fn(f64) -> f64,
        level: Level,
    ) -> Self {
        let tails = [0.05, 0.95].map(&quantile);
        Self { name, mean, sd, tails, level, interval: level.interval(quantile) }
    }
}

impl Serialize for Estimate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let names = self.level.names();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", &self.name)?;
        map.serialize_entry("mean", &self.mean)?;
        map.serialize_entry("sd", &self.sd)?;
        for (name, value) in names.iter().zip(&self.interval) {
            map.serialize_entry(name, value)?;
        }
        for (name, value) in
            ["q05", "q95"].iter().zip(&self.tails).filter(|(name, _)| !names.iter().any(|own| own == *name))
        {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

/// A row for each, with its numbers.
pub(super) fn table(all: &[Estimate]) -> Vec<Vec<String>> {
    let rows = all.iter().map(|own| {
        let [low, high] = own.interval;
        let numbers = [own.mean, own.sd, low, high].map(significant);
        std::iter::once(own.name.clone()).chain(numbers).collect()
    });
    rows.collect()
}
