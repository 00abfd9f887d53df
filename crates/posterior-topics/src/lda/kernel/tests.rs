//! The weights against the formula, and the choice among them at its edges.

use super::*;

fn padded(values: impl Iterator<Item = f64>, stride: usize) -> Vec<f64> {
    let mut values: Vec<f64> = values.collect();
    values.resize(stride, 0.0);
    values
}

#[test]
fn weights_are_the_collapsed_conditional() {
    for topics in [1_usize, 2, 7, 8, 9, 20, 33] {
        let document: Vec<f64> = (0..topics).map(|k| (k * 7 % 5) as f64).collect();
        let totals: Vec<f64> = (0..topics).map(|k| 100.0 + (k * 31 % 17) as f64).collect();
        let stride = topics.next_multiple_of(LANES);
        let mut row: Vec<u32> = (0..topics).map(|k| (k * 13 % 11) as u32).collect();
        row.resize(stride, 0);
        let (alpha, beta, smoothing) = (0.25, 0.01, 100.0);
        let prior = PaddedPrior { alpha: padded((0..topics).map(|_| alpha), stride), beta };
        let mut factors = Factors {
            prior: &prior,
            smoothing,
            document: padded(document.iter().map(|n| n + alpha), stride),
            scale: padded(totals.iter().map(|n| 1.0 / (n + smoothing)), stride),
            weights: vec![0.0; stride],
            sums: vec![0.0; stride / LANES],
        };
        let total = factors.weigh(&row);
        let mut sum = 0.0;
        for k in 0..topics {
            let expected = (document[k] + alpha) * (f64::from(row[k]) + beta) / (totals[k] + smoothing);
            assert!((factors.weights[k] / expected - 1.0).abs() < 1e-15);
            sum += expected;
        }
        assert!((total / sum - 1.0).abs() < 1e-14);
        assert!(factors.weights[topics..].iter().all(|&w| w == 0.0));
    }
}

#[test]
fn picking_splits_the_line_at_the_cumulated_weights() {
    // Twelve topics with weights 1, 2, .., 12 in two runs.
    let mut weights: Vec<f64> = (1..=12).map(f64::from).collect();
    weights.resize(16, 0.0);
    let sums: Vec<f64> = weights.chunks(LANES).map(|run| run.iter().sum()).collect();
    let mut edge = 0.0;
    for k in 0..12 {
        assert_eq!(pick(&weights, &sums, edge), k, "at the left edge of {k}");
        edge += weights[k];
        assert_eq!(pick(&weights, &sums, edge - 1e-9), k, "at the right edge of {k}");
    }
    // Rounding may carry a target up to or past the sum: the last real topic has it.
    assert_eq!(pick(&weights, &sums, edge), 11);
    assert_eq!(pick(&weights, &sums, edge + 1.0), 11);
}

#[test]
fn topics_without_weight_are_never_picked() {
    let weights = [0.0, 3.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
    let sums = [4.0];
    let picked = [0.0, 2.9, 3.0, 3.9, 4.0].map(|target| pick(&weights, &sums, target));
    assert_eq!(picked, [1, 1, 4, 4, 4]);
}
