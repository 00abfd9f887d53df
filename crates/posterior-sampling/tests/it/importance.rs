//! Importance sampling: weights, their tails, resampling, and what they predict.

mod bridge;
mod prediction;
mod resampling;
mod smoothing;
mod weights;

/// The places of s + 1 times an irrational number in its unit interval: evenly spread numbers that every
/// language computes alike.
fn spread(count: usize, start: usize, by: f64) -> Vec<f64> {
    (0..count).map(|s| ((s + start + 1) as f64 * by).fract()).collect()
}

const GOLDEN: f64 = 0.618_033_988_749_894_9;
const SILVER: f64 = 0.414_213_562_373_095_15;

/// Numbers that look normal.
fn normal_scores(count: usize, start: usize) -> Vec<f64> {
    let angles = spread(count, start, SILVER);
    let radii = spread(count, start, GOLDEN);
    radii
        .iter()
        .zip(angles)
        .map(|(u, v)| (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos())
        .collect()
}

#[track_caller]
fn assert_close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance * expected.abs().max(1.0), "{found}, expected {expected}");
}
