//! The picture of standardised residuals.

use posterior_report::Picture;

/// A way to draw bars between edges, and a line over them.
type Histogram = fn(&str, &[f64], &[f64], &[Vec<(f64, f64)>]) -> Picture;

/// A histogram as a density, and the standard normal density over it; residuals that are NaN are missing.
pub(crate) fn picture(histogram: Histogram, name: &str, residuals: &[f64]) -> Picture {
    let there: Vec<f64> = residuals.iter().copied().filter(|residual| !residual.is_nan()).collect();
    let reach = there.iter().fold(3.0_f64, |most, residual| most.max(residual.abs())).min(12.0);
    let bins = ((there.len() as f64).sqrt().ceil() as usize).clamp(6, 40);
    let width = 2.0 * reach / bins as f64;
    let edges: Vec<f64> = (0..=bins).map(|i| -reach + width * i as f64).collect();
    let mut heights = vec![0.0; bins];
    for residual in &there {
        let place = ((residual + reach) / width).floor().clamp(0.0, (bins - 1) as f64);
        heights[place as usize] += 1.0 / (there.len() as f64 * width);
    }
    let normal = |i: u32| {
        let z = reach * (f64::from(i) / 50.0 - 1.0);
        (z, (-0.5 * z * z).exp() / std::f64::consts::TAU.sqrt())
    };
    histogram(name, &edges, &heights, &[(0..=100).map(normal).collect::<Vec<_>>()])
}
