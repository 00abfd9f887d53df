//! The width of a kernel by rules.

use std::f64::consts::{PI, TAU};

use posterior_math::check::{self, ParamError};
use posterior_math::optimize::{RootOptions, find_root};
use posterior_math::streaming::{MeanVariance, quantile_of_sorted};

/// Up to so many values all pairs are taken; more are first counted in as many bins.
const PAIRS: usize = 2000;

/// The width of the kernels of a density estimate.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Bandwidth {
    /// Silverman's rule: 0.9 min(s, IQR/1.34) n^(-1/5), for one hill of about the shape of a normal density;
    /// several hills are blurred (R's `bw.nrd0`). O(n ln n).
    #[default]
    Silverman,
    /// The rule of Sheather and Jones, which estimates how rough the density is and solves for the width
    /// (R's `bw.SJ`); the better one where there may be several hills. O(m²) for m values, or 2000 bins of
    /// more values.
    SheatherJones,
    /// This width, the standard deviation of the kernel.
    Width(f64),
}

impl Bandwidth {
    /// The width for values, which are finite.
    pub(super) fn of(self, values: &[f64]) -> Result<f64, ParamError> {
        if let Self::Width(width) = self {
            return check::positive("KernelDensity", "bandwidth", width);
        }
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let mut moments = MeanVariance::new();
        for &x in &sorted {
            moments.push(x);
        }
        let sd = moments.sample_variance().sqrt();
        let quartiles = quantile_of_sorted(&sorted, 0.75) - quantile_of_sorted(&sorted, 0.25);
        let n = values.len() as f64;
        // Quartiles that are the same say nothing of the width.
        let scale = |iqr: f64| if quartiles > 0.0 { sd.min(quartiles / iqr) } else { sd };
        check::positive("KernelDensity", "standard deviation of the values", sd)?;
        match self {
            Self::SheatherJones => sheather_jones(&sorted, scale(1.349)),
            _ => Ok(0.9 * scale(1.34) * n.powf(-0.2)),
        }
    }
}

/// The root of h = (c / S(α h^(5/7)))^(1/5) (S. Sheather, M. Jones, Journal of the Royal Statistical Society
/// B 53, 1991, equation 12).
fn sheather_jones(sorted: &[f64], scale: f64) -> Result<f64, ParamError> {
    let n = sorted.len() as f64;
    let pairs = Distances::of(sorted);
    let (a, b) = (1.24 * scale * n.powf(-1.0 / 7.0), 1.23 * scale * n.powf(-1.0 / 9.0));
    let ratio = (pairs.fourth(a) / -pairs.sixth(b)).powf(1.0 / 7.0);
    let excess = |ln_h: f64| {
        let h = ln_h.exp();
        let roughness = pairs.fourth(1.357 * ratio * h.powf(5.0 / 7.0));
        0.2 * ((2.0 * PI.sqrt() * n).recip() / roughness).ln() - ln_h
    };
    // The rule of a normal density is the largest that is sensible.
    let largest = (1.144 * scale * n.powf(-0.2)).ln();
    let (mut low, mut high) = (largest - 2.0, largest);
    for _ in 0..8 {
        if !(excess(low) > 0.0) {
            low -= 2.0;
        }
        if !(excess(high) < 0.0) {
            high += 0.5;
        }
    }
    let options = RootOptions { relative: 1e-12, absolute: 1e-12, ..RootOptions::default() };
    let found = find_root(excess, low, high, &options);
    let is_there = found.converged && excess(low) > 0.0 && excess(high) < 0.0;
    let width = if is_there { found.point.exp() } else { f64::NAN };
    check::require(is_there, "KernelDensity", "bandwidth", width, "found by Sheather and Jones' rule")
}

/// The distances between values, or between the bins that hold them.
struct Distances {
    points: Vec<f64>,
    counts: Vec<f64>,
    n: f64,
}

impl Distances {
    fn of(sorted: &[f64]) -> Self {
        let n = sorted.len() as f64;
        if sorted.len() <= PAIRS {
            return Self { points: sorted.to_vec(), counts: vec![1.0; sorted.len()], n };
        }
        let (low, high) = (sorted[0], sorted[sorted.len() - 1]);
        let width = (high - low) * 1.01 / PAIRS as f64;
        let mut counts = vec![0.0; PAIRS];
        for x in sorted {
            counts[((x - low) / width) as usize] += 1.0;
        }
        let middle = |i: usize| low + width * (i as f64 + 0.5);
        let held = (0..PAIRS).filter(|&i| counts[i] > 0.0);
        let (points, counts) = held.map(|i| (middle(i), counts[i])).unzip();
        Self { points, counts, n }
    }

    /// Σ over ordered pairs of `derivative`(d²) exp(-d²/2) of distances in units of h, the values with
    /// themselves among them.
    fn sum(&self, h: f64, derivative: impl Fn(f64) -> f64) -> f64 {
        let mut sum = 0.0;
        for (i, (x, count)) in self.points.iter().zip(&self.counts).enumerate() {
            let mut of_one = 0.5 * derivative(0.0) * count;
            for (y, other) in self.points[i + 1..].iter().zip(&self.counts[i + 1..]) {
                let d = (y - x) / h;
                let square = d * d;
                if square > 1000.0 {
                    break;
                }
                of_one += other * derivative(square) * (-0.5 * square).exp();
            }
            sum += 2.0 * count * of_one;
        }
        sum / (self.n * (self.n - 1.0) * TAU.sqrt())
    }

    /// The estimate of ∫ p''².
    fn fourth(&self, h: f64) -> f64 {
        self.sum(h, |s| s * s - 6.0 * s + 3.0) / h.powi(5)
    }

    /// That of -∫ p'''².
    fn sixth(&self, h: f64) -> f64 {
        self.sum(h, |s| s * s * s - 15.0 * s * s + 45.0 * s - 15.0) / h.powi(7)
    }
}
