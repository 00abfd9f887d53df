//! Principal components and factors: their numbers, their properties, their edges.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bayesian;
mod factors;
mod truncated;

use posterior_dist::stream::stream;
use posterior_latent::principal_components::{
    Centring, ComponentChoice, PcaOptions, PrincipalComponents, fit, probabilistic,
};
use posterior_latent::{Error, Observations};
use posterior_math::linalg::DMatrix;
use proptest::prelude::*;
use rand::RngExt;

/// Two waves in six coordinates, and a third that is different in each.
fn waves() -> DMatrix<f64> {
    DMatrix::from_fn(60, 6, |i, t| {
        let (i, t) = (i as f64, t as f64);
        t.cos() * (1.0 + 3.0 * i).sin()
            + ((2.0 * t).sin() + 0.3) * (2.0 + 7.0 * i).sin()
            + 0.5 * (11.0 * i + 5.0 * (t + 1.0).powi(2) + i * t).sin()
            + t
    })
}

/// Eight rows whose covariance (of denominator n) has eigenvalues 5, 2, 1 and 1/2, turned.
fn of_four_variances() -> DMatrix<f64> {
    let turn = DMatrix::from_row_slice(
        4,
        4,
        &[0.5, 0.5, 0.5, 0.5, 0.5, -0.5, 0.5, -0.5, 0.5, 0.5, -0.5, -0.5, 0.5, -0.5, -0.5, 0.5],
    );
    let axes = DMatrix::from_fn(8, 4, |i, t| {
        let sign = if i % 2 == 0 { 1.0 } else { -1.0 };
        if i / 2 == t { sign * (4.0 * [5.0, 2.0, 1.0, 0.5_f64][t]).sqrt() } else { 0.0 }
    });
    axes * turn
}

fn observations(values: &DMatrix<f64>) -> Observations {
    Observations::new(values).unwrap()
}

fn close(value: f64, expected: f64, tolerance: f64) {
    assert!((value - expected).abs() <= tolerance * expected.abs(), "{value} is not {expected}");
}

#[test]
fn waves_as_in_another_program() {
    // scikit-learn 1.9.1, PCA().fit(X).
    let model = fit(&observations(&waves()), &PcaOptions::default()).unwrap();
    let variances = [
        1.9751238123246913,
        1.405863435488059,
        0.15134731823652758,
        0.12804320193528756,
        0.12503720055193185,
        0.12052851046741725,
    ];
    for (value, expected) in model.variances().iter().zip(variances) {
        close(*value, expected, 1e-13);
    }
    let first = [
        0.290044798753129,
        0.7025433785510107,
        -0.3134955291746232,
        -0.13603564734631304,
        0.542982760334632,
        -0.10339919626556242,
    ];
    for (value, expected) in model.components().column(0).iter().zip(first) {
        close(*value, expected, 1e-12);
    }
}

#[test]
fn probabilistic_components_of_four_variances() {
    let data = observations(&of_four_variances());
    let model = probabilistic(&data, 2).unwrap();
    close(model.noise()[0], 0.75, 1e-14);
    close(model.loadings().column(0).norm_squared(), 4.25, 1e-14);
    close(model.loadings().column(1).norm_squared(), 1.25, 1e-14);
    close(model.ln_likelihood(&data).unwrap() / 8.0, -6.539364606863932, 1e-14);
    // scikit-learn's eigenvalues in Tipping and Bishop's formula.
    let data = observations(&waves());
    let model = probabilistic(&data, 2).unwrap();
    close(model.ln_likelihood(&data).unwrap(), -294.74290299031054, 1e-13);
    close(model.noise()[0], 0.1290517401678279, 1e-13);
}

#[test]
fn without_noise_the_probabilistic_scores_are_those_of_pca() {
    let mut rng = stream(1, &[]);
    let (z, w) = (
        DMatrix::from_fn(50, 2, |_, _| rng.random::<f64>()),
        DMatrix::from_fn(5, 2, |_, _| rng.random::<f64>()),
    );
    let values = z * w.transpose() + DMatrix::from_fn(50, 5, |_, _| 1e-6 * rng.random::<f64>());
    let data = observations(&values);
    let means = probabilistic(&data, 2).unwrap().posterior_means(&data).unwrap();
    let whitened = fit(&data, &PcaOptions { choice: ComponentChoice::Count(2), ..PcaOptions::default() })
        .unwrap()
        .whitened(&data)
        .unwrap();
    // PPCA divides by n.
    assert!((means - whitened * (50.0_f64 / 49.0).sqrt()).amax() < 1e-8);
}

#[test]
fn how_many() {
    let data = observations(&waves());
    let count =
        |choice| fit(&data, &PcaOptions { choice, ..PcaOptions::default() }).unwrap().variances().len();
    assert_eq!(count(ComponentChoice::All), 6);
    assert_eq!(count(ComponentChoice::Count(3)), 3);
    assert_eq!(count(ComponentChoice::Count(99)), 6);
    // The proportions are 0.506, 0.360, 0.039, ...
    assert_eq!(count(ComponentChoice::Proportion(0.5)), 1);
    assert_eq!(count(ComponentChoice::Proportion(0.86)), 2);
    assert_eq!(count(ComponentChoice::Proportion(1.0)), 6);
    // Pieces of a stick: 0.408, 0.242, 0.158.
    assert_eq!(count(ComponentChoice::BrokenStick), 2);
    // scikit-learn 1.9.1's _assess_dimension: 112.3, 188.5, 186.4, 186.9, 186.3.
    assert_eq!(count(ComponentChoice::Evidence), 2);
    for bad in [0.0, -0.1, 1.1, f64::NAN] {
        assert!(
            fit(&data, &PcaOptions { choice: ComponentChoice::Proportion(bad), ..PcaOptions::default() })
                .is_err()
        );
    }
}

fn random(rows: usize, columns: usize, seed: u64) -> DMatrix<f64> {
    let mut rng = stream(seed, &[]);
    DMatrix::from_fn(rows, columns, |_, t| (rng.random::<f64>() - 0.5) * 0.1_f64.powf(t as f64))
}

fn residual(model: &PrincipalComponents, values: &DMatrix<f64>) -> f64 {
    let data = observations(values);
    (model.reconstruct(&model.scores(&data).unwrap()).unwrap() - values).norm_squared()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn components_are_orthonormal_and_lose_what_they_say(n in 2..30_usize, d in 1..20_usize, k in 1..6_usize, seed: u64) {
        let values = random(n, d, seed);
        let model = fit(&observations(&values), &PcaOptions { choice: ComponentChoice::Count(k), ..PcaOptions::default() })?;
        let kept = model.variances().len();
        prop_assert!(kept <= k.min(d).min(n - 1));
        let gram = model.components().transpose() * model.components();
        prop_assert!((gram - DMatrix::identity(kept, kept)).amax() < 1e-13, "orthonormal");
        prop_assert!(model.variances().windows(2).all(|pair| pair[0] >= pair[1]));
        let lost = model.dropped_variance() * (n - 1) as f64;
        prop_assert!((residual(&model, &values) - lost).abs() <= 1e-12 * values.norm_squared());
        for column in model.components().column_iter() {
            prop_assert!(column.max() >= -column.min());
        }
        // The scores have the variances that are said, and no covariance.
        let scores = model.scores(&observations(&values))?;
        let covariance = scores.transpose() * &scores / (n - 1) as f64;
        let diagonal = DMatrix::from_diagonal(&model.variances().to_vec().into());
        prop_assert!((covariance - diagonal).amax() < 1e-13);
    }

    /// Eckart and Young: no other space of the dimension loses less.
    #[test]
    fn no_random_space_loses_less(seed: u64, k in 1..4_usize) {
        let values = random(12, 5, seed);
        let model = fit(&observations(&values), &PcaOptions { choice: ComponentChoice::Count(k), ..PcaOptions::default() })?;
        let (least, mut rng) = (residual(&model, &values), stream(seed, &[1]));
        let centred = DMatrix::from_fn(12, 5, |i, t| values[(i, t)] - model.mean()[t]);
        for size in [1e-3, 1e-1, 10.0] {
            let near = model.components() + DMatrix::from_fn(5, k, |_, _| size * (rng.random::<f64>() - 0.5));
            let basis = near.qr().q();
            let lost = (&centred - &centred * &basis * basis.transpose()).norm_squared();
            prop_assert!(lost >= least * (1.0 - 1e-12));
        }
    }
}

#[test]
fn small_variances_keep_their_digits() {
    // Singular values 1, 10⁻⁵, 10⁻¹⁰ along known directions: squares of the last are below ε of the first's.
    let signs = [[1.0, 1.0, 1.0], [-1.0, 1.0, -1.0], [1.0, -1.0, -1.0], [-1.0, -1.0, 1.0]];
    let turn = DMatrix::from_row_slice(3, 3, &[2.0, -2.0, 1.0, 1.0, 2.0, 2.0, 2.0, 1.0, -2.0]) / 3.0;
    let values = DMatrix::from_fn(4, 3, |i, t| signs[i][t] * 1e-5_f64.powf(t as f64)) * turn;
    for data in [values.clone(), values.clone().insert_columns(3, 9, 0.0)] {
        // The second is wide.
        let model = fit(&observations(&data), &PcaOptions::default()).unwrap();
        for (t, variance) in model.variances().iter().enumerate() {
            close(*variance, 1e-10_f64.powf(t as f64) * 4.0 / 3.0, [1e-14, 1e-10, 1e-5][t]);
        }
        assert_eq!(model.variances().len(), 3);
    }
}

#[test]
fn wide_and_tall_large_and_small_units_and_offsets() {
    let values = random(5, 40, 3);
    let wide = fit(&observations(&values), &PcaOptions::default()).unwrap();
    assert_eq!(wide.components().shape(), (40, 4));
    let model = fit(&observations(&waves()), &PcaOptions::default()).unwrap();
    for exponent in [-490, 490] {
        let unit = 2_f64.powi(exponent);
        let scaled = fit(&observations(&(waves() * unit)), &PcaOptions::default()).unwrap();
        assert_eq!(scaled.components(), model.components());
        for (value, expected) in scaled.variances().iter().zip(model.variances()) {
            assert_eq!(*value, expected * unit * unit);
        }
    }
    for exponent in [-600, 600] {
        let beyond = observations(&(waves() * 2_f64.powi(exponent)));
        assert!(matches!(fit(&beyond, &PcaOptions::default()), Err(Error::Parameter(_))));
    }
    let moved = fit(&observations(&waves().add_scalar(2_f64.powi(20))), &PcaOptions::default()).unwrap();
    // The data lose 20 bits by the shift.
    for (value, expected) in moved.variances().iter().zip(model.variances()) {
        close(*value, *expected, 1e-8);
    }
}

#[test]
fn long_rows_of_few_values_are_taken_apart() {
    // Centred, three rows have two directions; the third is rounding alone, and inner products of long rows
    // are rounded, too.
    let values = DMatrix::from_fn(3, 100_000, |r, i| ((i * 7 + 3 * r * r + (i * r) % 5) % 10) as f64);
    let data = observations(&values);
    let model =
        fit(&data, &PcaOptions { choice: ComponentChoice::Evidence, ..PcaOptions::default() }).unwrap();
    assert_eq!(model.components().ncols(), 1);
    let all = fit(&data, &PcaOptions::default()).unwrap();
    assert_eq!(all.components().ncols(), 2);
    assert!(all.components().column(0).dot(&all.components().column(1)).abs() < 1e-12);
    // The cells are whole numbers, so that six times the variance is one, too: no rounding.
    let six_times = |column: usize| {
        let (sum, squares) = values.column(column).iter().fold((0.0, 0.0), |(s, q), x| (s + x, q + x * x));
        3.0 * squares - sum * sum
    };
    let exact = (0..100_000).map(six_times).sum::<f64>() / 6.0;
    close(all.variances().iter().sum::<f64>(), exact, 1e-12);
}

#[test]
fn weights_are_copies() {
    let values = random(6, 3, 9);
    let counts = [1, 2, 1, 3, 1, 2];
    let places: Vec<usize> = counts.iter().enumerate().flat_map(|(i, &count)| vec![i; count]).collect();
    let copies = fit(&observations(&values.select_rows(&places)), &PcaOptions::default()).unwrap();
    let weights = counts.map(|count| count as f64);
    let weighted = fit(&observations(&values).weighted(&weights).unwrap(), &PcaOptions::default()).unwrap();
    assert!((copies.components() - weighted.components()).amax() < 1e-11);
    for (value, expected) in weighted.variances().iter().zip(copies.variances()) {
        close(*value, *expected, 1e-12);
    }
}

#[test]
fn nothing_varies_and_nothing_fits() {
    let constant = observations(&DMatrix::from_element(4, 3, 0.1));
    let none = fit(&constant, &PcaOptions::default()).unwrap();
    assert_eq!((none.variances().len(), none.dropped_variance()), (0, 0.0));
    let one = observations(&DMatrix::from_element(1, 3, 2.0));
    assert!(matches!(fit(&one, &PcaOptions::default()), Err(Error::TooFew { .. })));
    let about_zero = fit(&one, &PcaOptions { centring: Centring::Zero, ..PcaOptions::default() }).unwrap();
    close(about_zero.variances()[0], 12.0, 1e-15);
    let holes =
        Observations::with_missing(&DMatrix::from_row_slice(2, 2, &[1.0, 2.0, f64::NAN, 1.0])).unwrap();
    assert!(matches!(fit(&holes, &PcaOptions::default()), Err(Error::NotFinite { row: 1, column: 0, .. })));
    let model = fit(&observations(&waves()), &PcaOptions::default()).unwrap();
    assert!(model.scores(&one).is_err());
    assert!(model.reconstruct(&DMatrix::zeros(2, 2)).is_err());
    assert!(probabilistic(&observations(&waves()), 6).is_err());
    assert!(probabilistic(&constant, 1).is_err());
}
