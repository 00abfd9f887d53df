//! The scan over time against the loop over time.

use posterior_kalman::parallel::{ScanOptions, filter_by_scan};
use posterior_kalman::{FilterOptions, Initial, Series, StateSpace, filter};
use posterior_math::linalg::{DMatrix, DVector};

use crate::example_models::{Noise, awkward, constant_velocity, wiener};

fn close(ours: &DMatrix<f64>, theirs: &DMatrix<f64>) {
    assert!((ours - theirs).amax() < 1e-10 * theirs.amax().max(1.0), "{ours} {theirs}");
}

fn close_means(ours: &[f64], theirs: &[f64]) {
    close(
        &DMatrix::from_column_slice(ours.len(), 1, ours),
        &DMatrix::from_column_slice(theirs.len(), 1, theirs),
    );
}

fn agrees_with_the_loop(model: &StateSpace, series: &Series, block_length: usize) {
    let options = ScanOptions { block_length, ..ScanOptions::default() };
    let scanned = filter_by_scan(model, series, &options).unwrap();
    let looped = filter(model, series, &FilterOptions::default()).unwrap();
    let (ours, theirs) = (scanned.smooth(model).unwrap(), looped.smooth(model).unwrap());
    assert_eq!((scanned.len(), ours.len()), (series.len(), series.len()));
    for t in 0..series.len() {
        close_means(scanned.predicted_mean(t), looped.predicted_mean(t));
        close(scanned.predicted_covariance(t), &looped.predicted_covariance(t));
        close_means(scanned.mean(t), looped.mean(t));
        close(scanned.covariance(t), &looped.covariance(t));
        close_means(ours.mean(t), theirs.mean(t));
        close(ours.covariance(t), &theirs.covariance(t));
        if t + 1 < series.len() {
            close(ours.lag_one_covariance(t), &theirs.lag_one_covariance(t));
        }
    }
    close_means(scanned.ln_likelihood_terms(), looped.ln_likelihood_terms());
    assert!((scanned.ln_likelihood() - looped.ln_likelihood()).abs() < 1e-10 * looped.ln_likelihood().abs());
}

#[test]
fn worked_series_have_their_numbers() {
    for block_length in 1..=4 {
        let (model, series) = wiener();
        agrees_with_the_loop(&model, &series, block_length);
        let options = ScanOptions { block_length, ..ScanOptions::default() };
        let scanned = filter_by_scan(&model, &series, &options).unwrap();
        assert!((scanned.ln_likelihood() - -3.9424958410509636).abs() < 1e-13);
        assert!((scanned.mean(1)[0] - 1.062068965517241).abs() < 1e-14);
        assert!((scanned.smooth(&model).unwrap().mean(0)[0] - 0.499649122807018).abs() < 1e-14);
        let (model, series) = constant_velocity();
        agrees_with_the_loop(&model, &series, block_length);
    }
}

#[test]
fn awkward_models_agree_whatever_the_blocks() {
    for seed in 0..6 {
        let noise = if seed % 2 == 0 { Noise::Full } else { Noise::Singular };
        let (model, series) = awkward(40 + seed, 23, noise);
        for block_length in [1, 2, 5, 22, 23, 24] {
            agrees_with_the_loop(&model, &series, block_length);
        }
    }
}

#[test]
fn a_long_series_agrees_in_blocks_of_the_usual_length() {
    let (model, _) = constant_velocity();
    let values = DVector::from_fn(3000, |t, _| (t as f64 * 0.7).sin() * 3.0 + (t as f64 * 0.013).cos());
    agrees_with_the_loop(&model, &Series::univariate(values.as_slice()).unwrap(), 512);
}

#[test]
fn what_a_scan_cannot_take_is_refused() {
    let (model, series) = constant_velocity();
    let options = ScanOptions::default();
    let diffuse = model.clone().with_initial(Initial::diffuse(2).unwrap()).unwrap();
    assert!(filter_by_scan(&diffuse, &series, &options).is_err());
    let empty = filter_by_scan(&model, &Series::univariate(&[]).unwrap(), &options).unwrap();
    assert!(empty.is_empty() && empty.smooth(&model).unwrap().is_empty());
    let (other, _) = wiener();
    let scanned = filter_by_scan(&model, &series, &options).unwrap();
    assert!(scanned.smooth(&other).is_err());
    // Blocks of no length are blocks of one.
    assert!(filter_by_scan(&model, &series, &ScanOptions { block_length: 0, ..options }).is_ok());
}

#[cfg(feature = "rayon")]
#[test]
fn no_bit_depends_on_the_threads() {
    let (model, series) = awkward(70, 200, Noise::Full);
    let options = ScanOptions { block_length: 16, ..ScanOptions::default() };
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let filtered = filter_by_scan(&model, &series, &options).unwrap();
            let smoothed = filtered.smooth(&model).unwrap();
            (filtered, smoothed)
        })
    };
    let one = on(1);
    assert_eq!(one, on(2));
    assert_eq!(one, on(3));
}
