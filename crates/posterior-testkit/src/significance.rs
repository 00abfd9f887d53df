//! Tests of goodness of fit: p-values, with the distribution functions of an independent library (`statrs`).
//!
//! A p-value is uniform if the draws follow the distribution. A test that fails below a level fails with that
//! probability for a random seed; the seeds are fixed, so a test that passed keeps passing until the draws
//! change.

use statrs::distribution::{ChiSquared, ContinuousCDF};

/// The level below which a test of this workspace fails: one false alarm in a million seeds per test.
pub const LEVEL: f64 = 1e-6;

/// Fewer expected draws than this in a cell are pooled with the next cells.
const SMALLEST_CELL: f64 = 5.0;

/// The p-value of Pearson's chi-square test, of observed counts against expected ones with the same sum.
///
/// Cells that expect fewer than five draws are pooled, in their order. A draw in a cell that expects none is
/// impossible: the p-value is 0.
///
/// # Panics
/// If the lengths differ.
#[track_caller]
pub fn chi_square_p_value(observed: &[u64], expected: &[f64]) -> f64 {
    assert_eq!(observed.len(), expected.len(), "observed and expected cells");
    let mut cells: Vec<(f64, f64)> = Vec::new();
    let mut pool = (0.0, 0.0);
    for (&seen, &mean) in observed.iter().zip(expected) {
        if seen > 0 && mean == 0.0 {
            return 0.0;
        }
        pool = (pool.0 + seen as f64, pool.1 + mean);
        if pool.1 >= SMALLEST_CELL {
            cells.push(std::mem::take(&mut pool));
        }
    }
    if let Some(last) = cells.last_mut() {
        *last = (last.0 + pool.0, last.1 + pool.1);
    }
    if cells.len() < 2 {
        return 1.0;
    }
    let statistic = cells.iter().map(|(seen, mean)| (seen - mean).powi(2) / mean).sum();
    let distribution = ChiSquared::new((cells.len() - 1) as f64).expect("at least one degree of freedom");
    distribution.sf(statistic)
}

/// The p-value of the two-sided Kolmogorov-Smirnov test of draws from a continuous distribution with this
/// distribution function.
///
/// By the asymptotic series with Stephens' correction, which has three digits from 20 draws on.
///
/// # Panics
/// If there are fewer than 20 draws.
#[track_caller]
pub fn kolmogorov_smirnov_p_value(draws: &[f64], cdf: impl Fn(f64) -> f64) -> f64 {
    assert!(draws.len() >= 20, "{} draws are too few for the asymptotic distribution", draws.len());
    let mut sorted = draws.to_vec();
    sorted.sort_by(f64::total_cmp);
    let count = sorted.len() as f64;
    let distance = sorted.iter().enumerate().fold(0.0_f64, |largest, (rank, &x)| {
        let (below, above) = (cdf(x) - rank as f64 / count, (rank as f64 + 1.0) / count - cdf(x));
        largest.max(below).max(above)
    });
    let root = count.sqrt();
    kolmogorov_sf((root + 0.12 + 0.11 / root) * distance)
}

/// P(K > x) for Kolmogorov's limit distribution: 2 Σ (-1)^(k-1) exp(-2 k² x²).
fn kolmogorov_sf(x: f64) -> f64 {
    if x < 0.2 {
        return 1.0;
    }
    let term = |k: i32| f64::from(if k % 2 == 0 { -2 } else { 2 }) * (-2.0 * f64::from(k * k) * x * x).exp();
    (1..=100).map(term).sum::<f64>().clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::{chi_square_p_value, kolmogorov_sf, kolmogorov_smirnov_p_value};

    #[test]
    fn chi_square_knows_its_table() {
        // With two degrees of freedom the tail is exp(-x / 2); here x = 2 · 17² / 100.
        assert!(chi_square_p_value(&[100, 100, 100], &[100.0, 100.0, 100.0]) > 0.999);
        assert!((chi_square_p_value(&[83, 117, 100], &[100.0; 3]) - (-2.89_f64).exp()).abs() < 1e-12);
        assert_eq!(chi_square_p_value(&[1, 99], &[0.0, 100.0]), 0.0);
    }

    #[test]
    fn kolmogorov_knows_its_table() {
        assert!((kolmogorov_sf(1.3581) - 0.05).abs() < 1e-4);
        assert!((kolmogorov_sf(1.6276) - 0.01).abs() < 1e-4);
        let grid: Vec<f64> = (0..100).map(|i| (f64::from(i) + 0.5) / 100.0).collect();
        assert!(kolmogorov_smirnov_p_value(&grid, |x| x) > 0.999);
        assert!(kolmogorov_smirnov_p_value(&grid, |x| x * x) < 0.001);
    }

    #[test]
    fn small_cells_are_pooled_with_the_next_ones_and_the_last_ones_with_those_before() {
        // Expected 2 + 3, 10 and 1: the cells are 5 and 10 + 1, one degree of freedom, statistic 1²/5 +
        // 1²/11.
        let pooled = chi_square_p_value(&[3, 3, 9, 1], &[2.0, 3.0, 10.0, 1.0]);
        assert!((pooled - chi_square_p_value(&[6, 10], &[5.0, 11.0])).abs() < 1e-15);
        let statistic: f64 = 1.0 / 5.0 + 1.0 / 11.0;
        // With one degree of freedom the tail is erfc(√(x/2)), here by its value at x = 16/55.
        assert!((statistic - 16.0 / 55.0).abs() < 1e-15);
        assert!((pooled - 0.589_638_551_627).abs() < 1e-9, "{pooled}");
        // Just five is enough for a cell of its own, and one cell says nothing.
        let two = chi_square_p_value(&[9, 1], &[5.0, 5.0]);
        assert!((two - 0.011_412_036_386).abs() < 1e-9, "{two}");
        assert_eq!(chi_square_p_value(&[9, 1], &[4.9, 4.9]), 1.0);
    }

    #[test]
    fn the_distance_counts_both_sides_and_is_corrected_for_few_draws() {
        // All draws in the middle of the k-th of 20 equal parts, but moved: up the step above, down the step
        // below matters.
        let grid =
            |shift: f64| -> Vec<f64> { (0..20).map(|i| (f64::from(i) + 0.5) / 20.0 + shift).collect() };
        let p = |distance: f64| kolmogorov_sf((20_f64.sqrt() + 0.12 + 0.11 / 20_f64.sqrt()) * distance);
        for shift in [0.2, -0.2] {
            let p_value = kolmogorov_smirnov_p_value(&grid(shift), |x| x.clamp(0.0, 1.0));
            assert!((p_value - p(0.225)).abs() < 1e-12, "{shift}: {p_value}");
        }
        // Massey's table: for 20 draws 0.294 is exceeded with probability 0.05.
        assert!((p(0.294) - 0.05).abs() < 2e-3, "{}", p(0.294));
        assert!((kolmogorov_sf(20_f64.sqrt() * 0.294) - 0.05).abs() > 1e-2);
    }
}
