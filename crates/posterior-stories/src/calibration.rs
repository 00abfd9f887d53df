//! Whether probabilities came true, as the pages of several stories show it.

use posterior::evaluation::{Bin, Reliability};
use posterior::report::{Picture, ReliabilityPoint, reliability};

/// A point for each group that is not empty, with the band where it would be nine times in ten.
pub(crate) fn picture(found: &Reliability) -> Picture {
    let point = |bin: &Bin| {
        let (predicted, observed) = (bin.mean_probability()?, bin.rate()?);
        Some(ReliabilityPoint { predicted, observed, band: bin.band(0.9)?, count: bin.count as usize })
    };
    let points: Vec<ReliabilityPoint> = found.bins().iter().filter_map(point).collect();
    reliability("Calibration", &points)
}
