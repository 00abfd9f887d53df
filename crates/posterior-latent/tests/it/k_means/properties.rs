//! What holds for all data.

use posterior_dist::stream::stream;
use posterior_inference::em::EmOptions;
use posterior_latent::Observations;
use posterior_latent::gaussian_mixture::{
    CovarianceKind, Covariances, GaussianMixture, GaussianMixtureOptions, GaussianMixtureProblem,
};
use posterior_latent::k_means::{CentreStart, KMeansOptions, fit, silhouette};
use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use proptest::prelude::*;
use rand::RngExt;

/// Rows on a coarse grid (ties, copies) or anywhere, with a few of weight 0.
pub(super) fn any_data() -> impl Strategy<Value = (DMatrix<f64>, Vec<f64>)> {
    (1..40_usize, 1..6_usize, any::<u64>(), any::<bool>()).prop_map(|(n, d, seed, coarse)| {
        let mut rng = stream(seed, &[]);
        let values = DMatrix::from_fn(n, d, |_, _| {
            if coarse { f64::from(rng.random_range(0..4_u8)) } else { rng.random::<f64>() * 10.0 }
        });
        let mut weights: Vec<f64> =
            (0..n).map(|_| if rng.random::<f64>() < 0.1 { 0.0 } else { rng.random::<f64>() }).collect();
        weights[0] = 1.0;
        (values, weights)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn neither_half_step_raises_the_inertia((values, weights) in any_data(), k in 1..8_usize, seed: u64) {
        let data = Observations::new(&values)?.weighted(&weights)?;
        for start in [CentreStart::RandomRows, CentreStart::PlusPlus, CentreStart::GreedyPlusPlus] {
            let Ok(found) = fit(&data, &KMeansOptions { start, ..KMeansOptions::new(k) }, seed, &mut Silent) else { continue };
            // Means of numbers up to 10 are off by u, and |x - c|² by 2 u |x - c| + u²; Σ w |x - c| ≤ √(Σ w Σ
            // w |x - c|²).
            let (most, weight, u) = (found.half_steps[0], data.total_weight(), 20.0 * f64::EPSILON);
            let rounding = 1e-13 * most + 2.0 * u * (most * weight).sqrt() + u * u * weight;
            for pair in found.half_steps.windows(2) {
                prop_assert!(pair[1] <= pair[0] + rounding, "{:?}", found.half_steps);
            }
            prop_assert!(found.report.falls.is_empty());
            prop_assert!(found.report.converged());
            prop_assert_eq!(&found.labels, &found.model.assign(&data)?);
            // A fixed point: each centre is the mean of its rows.
            let centres = found.model.centres();
            for (j, centre) in centres.row_iter().enumerate() {
                let own: Vec<usize> = (0..data.len()).filter(|&i| found.labels[i] == j).collect();
                let total: f64 = own.iter().map(|&i| weights[i]).sum();
                prop_assert!(total > 0.0);
                for (t, c) in centre.iter().enumerate() {
                    let mean = own.iter().map(|&i| weights[i] * values[(i, t)]).sum::<f64>() / total;
                    prop_assert!((mean - c).abs() < 1e-12);
                }
            }
        }
    }

    #[test]
    fn whole_weights_are_copies((values, _) in any_data(), k in 1..5_usize, seed: u64) {
        let mut rng = stream(seed, &[]);
        let counts: Vec<usize> = (0..values.nrows()).map(|_| rng.random_range(1..4)).collect();
        let places: Vec<usize> = counts.iter().enumerate().flat_map(|(i, &count)| vec![i; count]).collect();
        let copies = Observations::new(&values.select_rows(&places))?;
        let weights: Vec<f64> = counts.iter().map(|&count| count as f64).collect();
        let weighted = Observations::new(&values)?.weighted(&weights)?;
        let Ok(start) = fit(&weighted, &KMeansOptions { max_iterations: 0, ..KMeansOptions::new(k) }, seed, &mut Silent) else {
            return Ok(());
        };
        let options = KMeansOptions { start: CentreStart::Centres(start.model.centres()), max_iterations: 1, ..KMeansOptions::new(k) };
        let one = fit(&weighted, &options, 0, &mut Silent)?;
        let other = fit(&copies, &options, 0, &mut Silent)?;
        prop_assert!((one.inertia() - other.inertia()).abs() <= 1e-12 * (1.0 + one.inertia()));
        prop_assert!((one.model.centres() - other.model.centres()).amax() < 1e-12);
    }
}

/// Three clouds that touch.
pub(super) fn clouds(n: usize, seed: u64) -> DMatrix<f64> {
    let mut rng = stream(seed, &[]);
    DMatrix::from_fn(n, 2, |i, t| {
        let middle = [[0.0, 0.0], [3.0, 0.0], [0.0, 4.0]][i % 3][t];
        middle + (0..4).map(|_| rng.random::<f64>() - 0.5).sum::<f64>() * 1.7
    })
}

#[test]
fn moved_and_turned_data_have_moved_and_turned_centres() {
    let values = clouds(300, 4);
    let (sin, cos) = 0.7_f64.sin_cos();
    let turn = DMatrix::from_row_slice(2, 2, &[cos, sin, -sin, cos]);
    let moved = DMatrix::from_fn(300, 2, |i, t| (&values * &turn)[(i, t)] + [5.0, -3.0][t]);
    let start = values.select_rows(&[0, 1, 2]);
    let moved_start = moved.select_rows(&[0, 1, 2]);
    let run = |values: &DMatrix<f64>, start: DMatrix<f64>| {
        let options = KMeansOptions { start: CentreStart::Centres(start), ..KMeansOptions::new(3) };
        fit(&Observations::new(values).unwrap(), &options, 0, &mut Silent).unwrap()
    };
    let (one, other) = (run(&values, start), run(&moved, moved_start));
    assert_eq!(one.labels, other.labels);
    assert!((one.inertia() - other.inertia()).abs() < 1e-11 * one.inertia());
    let turned = one.model.centres() * turn;
    let expected = DMatrix::from_fn(3, 2, |j, t| turned[(j, t)] + [5.0, -3.0][t]);
    assert!((other.model.centres() - expected).amax() < 1e-12);
}

/// The steps of hard EM for equal weights and one spherical covariance, by its densities.
#[test]
fn hard_em_of_a_spherical_mixture_takes_the_same_steps() {
    let values = clouds(90, 8);
    let data = Observations::new(&values).unwrap();
    let mut means = values.select_rows(&[0, 1, 3]);
    for variance in [1e-3, 1.0, 50.0] {
        for steps in 0..4 {
            let options = KMeansOptions {
                start: CentreStart::Centres(means.clone()),
                max_iterations: steps,
                ..KMeansOptions::new(3)
            };
            let found = fit(&data, &options, 0, &mut Silent).unwrap();
            let (mut hard_means, mut labels) = (means.clone(), vec![0; 90]);
            for step in 0..=steps {
                if step > 0 {
                    for j in 0..3 {
                        let own: Vec<usize> = (0..90).filter(|&i| labels[i] == j).collect();
                        hard_means.set_row(j, &values.select_rows(&own).row_mean());
                    }
                }
                for (i, label) in labels.iter_mut().enumerate() {
                    let ln_joint = |j: usize| {
                        let square = (values.row(i) - hard_means.row(j)).norm_squared();
                        (1.0 / 3.0_f64).ln()
                            - (std::f64::consts::TAU * variance).ln()
                            - square / (2.0 * variance)
                    };
                    *label = (0..3).max_by(|&a, &b| ln_joint(a).total_cmp(&ln_joint(b))).unwrap();
                }
            }
            assert_eq!(found.labels, labels);
            assert!((found.model.centres() - &hard_means).amax() < 1e-13);
        }
        means += DMatrix::from_element(3, 2, 0.3);
    }
}

/// With small equal variances each step of EM is one of k-means, as long as no row is as near to two centres.
#[test]
fn gaussian_mixtures_of_small_variance_take_the_same_steps() {
    let values = clouds(90, 8);
    let data = Observations::new(&values).unwrap();
    let start = values.select_rows(&[0, 1, 3]);
    let em = EmOptions { max_iterations: 1, ..EmOptions::default() };
    let options = GaussianMixtureOptions {
        covariance: CovarianceKind::Spherical,
        em,
        ..GaussianMixtureOptions::default()
    };
    let problem = GaussianMixtureProblem::new(&data, options).unwrap();
    let mut means = start.clone();
    for steps in 1..5 {
        let mixture =
            GaussianMixture::new(&[1.0 / 3.0; 3], &means, Covariances::Spherical(vec![1e-5; 3])).unwrap();
        let labels = mixture.labels(&data).unwrap();
        means = problem.fit(mixture, &mut Silent).unwrap().model.mixture.means().clone();
        let options = KMeansOptions {
            start: CentreStart::Centres(start.clone()),
            max_iterations: steps,
            ..KMeansOptions::new(3)
        };
        let found = fit(&data, &options, 0, &mut Silent).unwrap();
        assert!((found.model.centres() - &means).amax() < 1e-9, "{steps}: {} {means}", found.model.centres());
        let before = KMeansOptions { max_iterations: steps - 1, ..options };
        assert_eq!(fit(&data, &before, 0, &mut Silent).unwrap().labels, labels);
    }
}

#[test]
fn silhouettes_by_hand() {
    // For row 0: a = (1 + 2)/2, b = (7 + 8)/2 to the second cluster, 20 to the third.
    let values = DMatrix::from_column_slice(6, 1, &[0.0, 1.0, 2.0, 7.0, 8.0, 20.0]);
    let data = Observations::new(&values).unwrap();
    let labels = [4, 4, 4, 0, 0, 9];
    let found = silhouette(&data, &labels).unwrap();
    let expected = [1.0 - 1.5 / 7.5, 1.0 - 1.0 / 6.5, 1.0 - 1.5 / 5.5, 1.0 - 1.0 / 6.0, 1.0 - 1.0 / 7.0, 0.0];
    for (value, expected) in found.iter().zip(expected) {
        assert!((value - expected).abs() < 1e-15, "{found:?}");
    }
    // Weights are copies.
    let weighted = data.weighted(&[1.0, 3.0, 1.0, 1.0, 2.0, 1.0]).unwrap();
    let copies = Observations::new(&values.select_rows(&[0, 1, 1, 1, 2, 3, 4, 4, 5])).unwrap();
    let of_copies = silhouette(&copies, &[4, 4, 4, 4, 4, 0, 0, 0, 9]).unwrap();
    for (value, place) in silhouette(&weighted, &labels).unwrap().iter().zip([0, 1, 4, 5, 6, 8]) {
        assert!((value - of_copies[place]).abs() < 1e-15);
    }
    // A row of no weight is compared with all rows, and no row with it; tenths of rows are rows.
    let none = Observations::new(&DMatrix::from_column_slice(5, 1, &[0.0, 1.0, 4.0, 5.0, 0.5])).unwrap();
    let none = none.weighted(&[1.0, 1.0, 1.0, 1.0, 0.0]).unwrap();
    let found = silhouette(&none, &[0, 0, 1, 1, 0]).unwrap();
    assert!((found[4] - (4.0 - 0.5) / 4.0).abs() < 1e-15 && (found[0] - 3.5 / 4.5).abs() < 1e-15);
    let tenths = Observations::new(&values).unwrap().weighted(&[0.1; 6]).unwrap();
    for (value, expected) in silhouette(&tenths, &labels).unwrap().iter().zip(expected) {
        assert!((value - expected).abs() < 1e-14, "{value} {expected}");
    }
    assert!(silhouette(&weighted, &labels[1..]).is_err());
    assert_eq!(silhouette(&copies, &[1; 9]).unwrap(), [0.0; 9]);
}
