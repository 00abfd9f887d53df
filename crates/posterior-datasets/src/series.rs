//! Classic time series, small enough to be figures in the program.
//!
//! ```
//! use posterior_datasets::series::NILE;
//!
//! assert_eq!((NILE.times().next(), NILE.values[0]), (Some(1871.0), 1120.0));
//! assert_eq!(NILE.values.len(), 100);
//! ```

mod air_passengers;
mod co2;
mod nile;

pub use air_passengers::AIR_PASSENGERS;
pub(crate) use air_passengers::PROVENANCE as AIR_PASSENGERS_PROVENANCE;
pub use co2::CO2;
pub(crate) use co2::PROVENANCE as CO2_PROVENANCE;
pub use nile::NILE;
pub(crate) use nile::PROVENANCE as NILE_PROVENANCE;

use std::io::{self, Write};

/// One number at each of equally spaced times.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct TimeSeries {
    /// What it is.
    pub title: &'static str,
    /// The unit of its values.
    pub unit: &'static str,
    /// The first time, in years.
    pub start: f64,
    /// How many times a year has.
    pub per_year: f64,
    /// The values.
    pub values: &'static [f64],
}

impl TimeSeries {
    /// The times in years: January 1959 is 1959, and February 1959 + 1/12.
    pub fn times(&self) -> impl ExactSizeIterator<Item = f64> + use<> {
        let (start, per_year) = (self.start, self.per_year);
        (0..self.values.len()).map(move |i| start + i as f64 / per_year)
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "time,value")?;
        for (time, value) in self.times().zip(self.values) {
            writeln!(out, "{time},{value}")?;
        }
        Ok(())
    }
}

/// Writes [`CO2`] as CSV.
pub(crate) fn write_co2(out: &mut dyn Write) -> io::Result<()> {
    CO2.write(out)
}

/// Writes [`NILE`] as CSV.
pub(crate) fn write_nile(out: &mut dyn Write) -> io::Result<()> {
    NILE.write(out)
}

/// Writes [`AIR_PASSENGERS`] as CSV.
pub(crate) fn write_air_passengers(out: &mut dyn Write) -> io::Result<()> {
    AIR_PASSENGERS.write(out)
}
