//! Pictures of several verbs: those of a report under their names, residuals, and whether probabilities came
//! true.

use posterior::evaluation::Reliability;
use posterior_report::{Picture, ReliabilityPoint, Ribbon, ribbons};

use crate::level::Level;

/// The pictures of a report, under the names of their files.
pub(crate) struct Pictures(Vec<(String, Picture)>);

impl Pictures {
    /// Those that there are.
    pub(crate) fn of<N: Into<String>>(all: impl IntoIterator<Item = (N, Option<Picture>)>) -> Self {
        Self(all.into_iter().filter_map(|(name, picture)| Some((name.into(), picture?))).collect())
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Picture> {
        self.0.iter().find(|(own, _)| own == name).map(|(_, picture)| picture)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &Picture)> {
        self.0.iter().map(|(name, picture)| (name.as_str(), picture))
    }
}

/// The course of a fit: a value after each step; nothing of less than two.
pub(crate) fn course(names: (&str, &str), values: &[f64]) -> Option<Picture> {
    let line = values.iter().enumerate().map(|(step, &value)| (step as f64, value));
    (values.len() > 1).then(|| ribbons(names, &[Ribbon::line("", line)], &[], None))
}

/// A way to draw bars between edges, and a line over them.
type Histogram = fn(&str, &[f64], &[f64], &[Vec<(f64, f64)>]) -> Picture;

/// The density of values between edges of one width; what lies outside is in the bin at that end.
pub(crate) fn heights(values: &[f64], edges: &[f64]) -> Vec<f64> {
    let (bins, width) = (edges.len() - 1, edges[1] - edges[0]);
    let mut heights = vec![0.0; bins];
    for value in values {
        let place = ((value - edges[0]) / width).floor().clamp(0.0, (bins - 1) as f64);
        heights[place as usize] += 1.0 / (values.len() as f64 * width);
    }
    heights
}

/// How many bins so many values have.
pub(crate) fn bins(values: usize) -> usize {
    ((values as f64).sqrt().ceil() as usize).clamp(6, 40)
}

/// A histogram as a density, and the standard normal density over it; residuals that are NaN are missing.
pub(crate) fn residuals(histogram: Histogram, name: &str, residuals: &[f64]) -> Picture {
    let there: Vec<f64> = residuals.iter().copied().filter(|residual| !residual.is_nan()).collect();
    let reach = there.iter().fold(3.0_f64, |most, residual| most.max(residual.abs())).min(12.0);
    let bins = bins(there.len());
    let width = 2.0 * reach / bins as f64;
    let edges: Vec<f64> = (0..=bins).map(|i| -reach + width * i as f64).collect();
    let heights = heights(&there, &edges);
    let normal = |i: u32| {
        let z = reach * (f64::from(i) / 50.0 - 1.0);
        (z, (-0.5 * z * z).exp() / std::f64::consts::TAU.sqrt())
    };
    histogram(name, &edges, &heights, &[(0..=100).map(normal).collect::<Vec<_>>()])
}

/// Groups of predicted probabilities.
pub(crate) const BINS: usize = 10;

/// A point for each group that is not empty, with the band where it would be if the
/// probabilities are right.
pub(crate) fn reliability_points(reliability: &Reliability, level: Level) -> Vec<ReliabilityPoint> {
    let point = |bin: &posterior::evaluation::Bin| {
        let (predicted, observed) = (bin.mean_probability()?, bin.rate()?);
        Some(ReliabilityPoint {
            predicted,
            observed,
            band: bin.band(level.probability())?,
            count: bin.count as usize,
        })
    };
    reliability.bins().iter().filter_map(point).collect()
}
