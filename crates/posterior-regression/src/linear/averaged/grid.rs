//! Points of one number on a logarithmic scale with the weights of a density.

/// Points of every look.
const POINTS: usize = 91;

/// Looks: each goes closer to where the density is.
const LOOKS: usize = 24;

/// Where the logarithm of the density is this far below its largest value, it counts as zero: far enough for
/// what an observation that lies far off, once it is left out, makes likely.
const DEPTH: f64 = 60.0;

/// The trapezoidal rule for a smooth density on the line, given by its logarithm and looked for in an
/// interval.
pub(super) struct Grid {
    /// The points whose density counts, and their weights, which add up to 1.
    pub(super) points: Vec<(f64, f64)>,
    /// ln ∫ density.
    pub(super) ln_integral: f64,
}

impl Grid {
    /// Looks closer until the density is positive on two thirds of the points or more.
    pub(super) fn new(ln_density: impl Fn(f64) -> f64, from: f64, to: f64) -> Self {
        let (mut from, mut to) = (from, to);
        let mut look = 0;
        loop {
            let step = (to - from) / (POINTS - 1) as f64;
            let at = |place: usize| from + step * place as f64;
            let ln: Vec<f64> = (0..POINTS).map(|place| ln_density(at(place))).collect();
            let most = ln.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let counts = |place: &usize| ln[*place] > most - DEPTH;
            let first = (0..POINTS).find(counts).unwrap_or(0);
            let last = (0..POINTS).rfind(counts).unwrap_or(POINTS - 1);
            look += 1;
            if last - first >= 2 * POINTS / 3 || look == LOOKS {
                let sum: f64 = ln.iter().map(|ln| (ln - most).exp()).sum();
                let weight = |place: usize| (at(place), (ln[place] - most).exp() / sum);
                let points = (first..=last).map(weight).collect();
                return Self { points, ln_integral: most + (sum * step).ln() };
            }
            let (low, high) = (at(first.saturating_sub(1)), at((last + 1).min(POINTS - 1)));
            (from, to) = (low, high);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn narrow_and_wide_densities_are_integrated() {
        for (mean, sd) in [(1.3, 2.0), (7.7, 0.1), (-9.123, 1e-3), (3.0, 1e-6)] {
            let grid = Grid::new(|x| -0.5 * ((x - mean) / sd).powi(2), -12.0, 30.0);
            let expected = sd.ln() + 0.5 * std::f64::consts::TAU.ln();
            assert!((grid.ln_integral - expected).abs() < 1e-6, "{sd} {}", grid.ln_integral - expected);
            let variance: f64 = grid.points.iter().map(|(x, w)| w * (x - mean).powi(2)).sum();
            assert!((variance / (sd * sd) - 1.0).abs() < 1e-4, "{sd} {variance}");
        }
    }
}
