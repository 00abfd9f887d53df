//! Whether probabilities came true, as the pages of several verbs show it.

use posterior::evaluation::Reliability;
use posterior_report::ReliabilityPoint;

/// Groups of predicted probabilities.
pub(crate) const BINS: usize = 10;

/// A point for each group that is not empty, with the band where it would be nine times in ten.
pub(crate) fn points(reliability: &Reliability) -> Vec<ReliabilityPoint> {
    let point = |bin: &posterior::evaluation::Bin| {
        let (predicted, observed) = (bin.mean_probability()?, bin.rate()?);
        Some(ReliabilityPoint { predicted, observed, band: bin.band(0.9)?, count: bin.count as usize })
    };
    reliability.bins().iter().filter_map(point).collect()
}
