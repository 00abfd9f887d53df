//! Starts, restarts, mini-batches.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_latent::Observations;
use posterior_latent::k_means::{
    CentreStart, KMeansOptions, MiniBatchOptions, best_of_starts, fit, mini_batch,
};
use posterior_math::iteration::{Silent, Stop};
use posterior_math::linalg::DMatrix;

use super::properties::clouds;
use super::{LINE, column};

/// The centres that k-means++ begins with.
fn first_centres(data: &Observations, start: CentreStart, k: usize, seed: u64) -> Vec<f64> {
    let options = KMeansOptions { start, max_iterations: 0, ..KMeansOptions::new(k) };
    fit(data, &options, seed, &mut Silent).unwrap().model.centres().as_slice().to_vec()
}

/// Pearson's statistic of how often each pair of two different rows of four came.
fn pearson(start: &CentreStart, expected: impl Fn(usize, usize) -> f64) -> f64 {
    let values = [0.0, 1.0, 3.0, 7.0];
    let data = column(&values).weighted(&[1.0, 2.0, 1.0, 0.5]).unwrap();
    let draws = 20_000;
    let mut counts = [[0.0; 4]; 4];
    for seed in 0..draws {
        let centres = first_centres(&data, start.clone(), 2, seed);
        let place = |c: f64| values.iter().position(|x| (x - c).abs() < 1e-12).unwrap();
        counts[place(centres[0])][place(centres[1])] += 1.0;
    }
    let mut statistic = 0.0;
    for (i, row) in counts.iter().enumerate() {
        for (j, count) in row.iter().enumerate().filter(|&(j, _)| j != i) {
            let expected = expected(i, j) * draws as f64;
            statistic += (count - expected).powi(2) / expected;
        }
    }
    statistic
}

/// The quantile of the chi-square distribution with 11 degrees of freedom at 1 - 10⁻⁴: false alarms once in
/// 10,000 seeds.
const LIMIT: f64 = 37.37;

#[test]
fn plus_plus_draws_by_weight_and_squared_distance() {
    let (x, w) = ([0.0_f64, 1.0, 3.0, 7.0], [1.0, 2.0, 1.0, 0.5]);
    let mass = |i: usize, j: usize| w[j] * (x[i] - x[j]).powi(2);
    let statistic = pearson(&CentreStart::PlusPlus, |i, j| {
        w[i] / 4.5 * mass(i, j) / (0..4).map(|l| mass(i, l)).sum::<f64>()
    });
    assert!(statistic < LIMIT, "{statistic}");
}

#[test]
fn greedy_plus_plus_takes_the_better_of_its_draws() {
    // For two centres 2 + ⌊ln 2⌋ = 2 draws; a row comes if both draws are it, or one is and the other is
    // worse.
    let (x, w) = ([0.0_f64, 1.0, 3.0, 7.0], [1.0, 2.0, 1.0, 0.5]);
    let square = |i: usize, j: usize| (x[i] - x[j]).powi(2);
    let inertia = |i: usize, j: usize| (0..4).map(|l| w[l] * square(i, l).min(square(j, l))).sum::<f64>();
    let proportion =
        |i: usize, j: usize| w[j] * square(i, j) / (0..4).map(|l| w[l] * square(i, l)).sum::<f64>();
    let probability = |i: usize, j: usize| {
        let worse: f64 =
            (0..4).filter(|&l| l != j && inertia(i, l) > inertia(i, j)).map(|l| proportion(i, l)).sum();
        let equal: f64 = (0..4)
            .filter(|&l| l != j && l != i && inertia(i, l) == inertia(i, j))
            .map(|l| proportion(i, l))
            .sum();
        proportion(i, j) * (proportion(i, j) + 2.0 * worse + equal)
    };
    let statistic = pearson(&CentreStart::GreedyPlusPlus, |i, j| w[i] / 4.5 * probability(i, j));
    assert!(statistic < LIMIT, "{statistic}");
}

#[test]
fn random_rows_are_equally_probable() {
    let statistic = pearson(&CentreStart::RandomRows, |_, _| 1.0 / 12.0);
    assert!(statistic < LIMIT, "{statistic}");
}

#[test]
fn the_best_of_all_starts_is_kept_and_the_first_is_that_of_a_single_fit() {
    let data = Observations::new(&clouds(200, 2)).unwrap();
    let options = KMeansOptions { start: CentreStart::RandomRows, ..KMeansOptions::new(6) };
    let found = best_of_starts(&data, &options, 12, 5).unwrap();
    assert_eq!(found.inertias.len(), 12);
    let lowest = found.inertias.iter().copied().fold(f64::INFINITY, f64::min);
    assert_eq!(found.best.inertia(), lowest);
    assert_eq!(found.inertias.iter().position(|&inertia| inertia == lowest), Some(found.index));
    assert_eq!(fit(&data, &options, 5, &mut Silent).unwrap().inertia(), found.inertias[0]);
    // Starts differ.
    assert!(found.inertias.iter().any(|&inertia| inertia > lowest * 1.001), "{:?}", found.inertias);
    assert_eq!(best_of_starts(&data, &options, 3, 5).unwrap().inertias, found.inertias[..3]);
}

#[test]
fn mini_batches_come_near() {
    let data = Observations::new(&clouds(3000, 3)).unwrap();
    let exact = fit(&data, &KMeansOptions::new(3), 1, &mut Silent).unwrap();
    let options = MiniBatchOptions { batch: 100, ..MiniBatchOptions::new(3) };
    let found = mini_batch(&data, &options, 1, &mut Silent).unwrap();
    assert_eq!(found.report.stop, Stop::Converged);
    assert_eq!(found.labels, found.model.assign(&data).unwrap());
    assert_eq!(found.inertia(), found.model.inertia(&data).unwrap());
    // With some thousand rows for three means, about 3 d σ²/rows more.
    assert!(found.inertia() >= exact.inertia() * (1.0 - 1e-12));
    assert!(found.inertia() < exact.inertia() * 1.01, "{} {}", found.inertia(), exact.inertia());
    assert_eq!(found, mini_batch(&data, &options, 1, &mut Silent).unwrap());
}

#[test]
fn a_batch_moves_a_centre_to_the_mean_of_its_rows_so_far() {
    // One centre: after t batches it is the mean of all rows drawn, whatever it was before.
    let values = DMatrix::from_column_slice(4, 1, &[3.0, 3.0, 3.0, 9.0]);
    let data = Observations::new(&values).unwrap().weighted(&[1.0, 0.5, 1.5, 0.0]).unwrap();
    let start = CentreStart::Centres(DMatrix::from_element(1, 1, -50.0));
    let options =
        MiniBatchOptions { start, batch: 5, max_iterations: 3, patience: 99, ..MiniBatchOptions::new(1) };
    let found = mini_batch(&data, &options, 2, &mut Silent).unwrap();
    assert!((found.model.centres()[0] - 3.0).abs() < 1e-14);
    assert_eq!(found.report.stop, Stop::MaxIterations);
    assert!(mini_batch(&data, &MiniBatchOptions { batch: 0, ..options.clone() }, 2, &mut Silent).is_err());
    assert!(mini_batch(&column(&LINE), &MiniBatchOptions::new(9), 2, &mut Silent).is_err());
}
