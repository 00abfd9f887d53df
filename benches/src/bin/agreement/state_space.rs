//! Filters and smoothers against one dense Gaussian, and against each other.

mod models;

use std::error::Error;

use posterior::kalman::information::{filter_backwards, filter_information, smooth_by_two_filters};
use posterior::kalman::parallel::{ScanOptions, filter_by_scan};
use posterior::kalman::{
    CovarianceForm, FilterOptions, Filtered, Initial, Smoothed, SteadyState, batch, filter, ln_likelihood,
};
use posterior::math::linalg::{Cholesky, DMatrix, DVector};

use self::models::{dense, random};
use crate::row::{Comparison, Rows};

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

const FORMS: [CovarianceForm; 2] = [CovarianceForm::SquareRoot, CovarianceForm::Joseph];

pub(crate) fn rows() -> Rows {
    let [mut roots, mut joseph, mut forms, mut scan, mut two, mut likelihoods] = [Comparison::default(); 6];
    for seed in 0..100 {
        let length = 1 + (seed % 7) as usize;
        let (model, series) = random(seed, length, seed % 3 != 0)?;
        let filtered =
            FORMS.map(|form| filter(&model, &series, &FilterOptions { form, ..FilterOptions::default() }));
        let [root, plain] = filtered;
        let (root, plain) = (root?, plain?);
        dense(&mut roots, &model, &series, &root)?;
        dense(&mut joseph, &model, &series, &plain)?;
    }
    for seed in 100..140 {
        let (model, series) = random(seed, 60, false)?;
        let loops = |form| filter(&model, &series, &FilterOptions { form, ..FilterOptions::default() });
        let (root, plain) = (loops(CovarianceForm::SquareRoot)?, loops(CovarianceForm::Joseph)?);
        see(&mut forms, &root, &plain);
        let smoothed = root.smooth(&model)?;
        see_smoothed(&mut forms, &plain.smooth(&model)?, &smoothed);
        let scanned =
            filter_by_scan(&model, &series, &ScanOptions { block_length: 7, ..ScanOptions::default() })?;
        scan.see(scanned.ln_likelihood(), root.ln_likelihood());
        let by_scan = scanned.smooth(&model)?;
        for t in 0..series.len() {
            scan.see_all(by_scan.mean(t), smoothed.mean(t));
            scan.see_all(by_scan.covariance(t).as_slice(), smoothed.covariance(t).as_slice());
        }
        let forwards = filter_information(&model, &series)?;
        two.see(forwards.ln_likelihood()?, root.ln_likelihood());
        let distributions = smooth_by_two_filters(&forwards, &filter_backwards(&model, &series)?)?;
        for (t, distribution) in distributions.iter().enumerate() {
            two.see_all(distribution.mean().as_slice(), smoothed.mean(t));
            two.see_all(distribution.covariance().as_slice(), smoothed.covariance(t).as_slice());
        }
        likelihoods.see(ln_likelihood(&model, &series, &FilterOptions::default())?, root.ln_likelihood());
        let together = batch::filter(&model, &[series.clone(), series.clone()], &FilterOptions::default())?;
        likelihoods.see(together[1].ln_likelihood(), root.ln_likelihood());
    }
    let small = "100 random models of up to 5 states and 7 times, singular noise, missing numbers, matrices that vary";
    let long = "40 random models of up to 5 states, 60 times";
    let whole = "one dense Gaussian of all states and observations";
    Ok(vec![
        roots.exact(
            "smoother and likelihood",
            ["filter of square roots", whole],
            small,
            "1e-9 (`posterior-kalman/filter.rs`)",
        ),
        joseph.exact(
            "smoother and likelihood",
            ["filter of covariances", whole],
            small,
            "1e-9 (`posterior-kalman/filter.rs`)",
        ),
        forms.exact(
            "filter and smoother",
            ["covariances", "square roots"],
            long,
            "1e-9 (`posterior-kalman/filter.rs`)",
        ),
        scan.exact(
            "smoother and likelihood",
            ["scan over blocks", "loop over time"],
            long,
            "1e-10 (`posterior-kalman/parallel.rs`)",
        ),
        two.exact(
            "smoother and likelihood",
            ["two information filters", "backward pass"],
            long,
            "1e-9, over 10,000 times too (`posterior-kalman/information.rs`)",
        ),
        likelihoods.exact(
            "likelihood",
            ["without memory; in a batch", "the filter's"],
            long,
            "to the bit (`posterior-kalman/filter.rs`, `batch.rs`)",
        ),
        steady()?.exact(
            "filter of a constant model",
            ["covariances stop when steady", "all covariances"],
            "20 models of up to 5 states, 400 times",
            "1e-12 (`posterior-kalman/filter.rs`)",
        ),
        diffuse()?.exact(
            "smoother of a diffuse start",
            ["exactly diffuse filter", "least squares by one dense precision"],
            "40 random models of up to 4 states, 12 times",
            "1e-8 (`posterior-kalman/diffuse.rs`)",
        ),
    ])
}

fn see(seen: &mut Comparison, ours: &Filtered, theirs: &Filtered) {
    seen.see(ours.ln_likelihood(), theirs.ln_likelihood());
    for t in 0..theirs.len() {
        seen.see_all(ours.mean(t), theirs.mean(t));
        seen.see_all(ours.covariance(t).as_slice(), theirs.covariance(t).as_slice());
    }
}

fn see_smoothed(seen: &mut Comparison, ours: &Smoothed, theirs: &Smoothed) {
    for t in 0..theirs.len() {
        seen.see_all(ours.mean(t), theirs.mean(t));
        seen.see_all(ours.covariance(t).as_slice(), theirs.covariance(t).as_slice());
    }
}

fn steady() -> Outcome<Comparison> {
    let mut seen = Comparison::default();
    for seed in 200..220 {
        let (model, series) = random(seed, 400, false)?;
        let always = FilterOptions { steady_state: SteadyState::Ignore, ..FilterOptions::default() };
        see(
            &mut seen,
            &filter(&model, &series, &FilterOptions::default())?,
            &filter(&model, &series, &always)?,
        );
    }
    Ok(seen)
}

/// All states by the normal equations of Σ |x(t+1) - A x(t)|² + Σ |y(t) - H x(t)|², each in the metric of its
/// noise.
fn diffuse() -> Outcome<Comparison> {
    let mut seen = Comparison::default();
    let length = 12;
    for seed in 300..340 {
        let (model, series) = random(seed, length, false)?;
        let (n, m) = (model.states(), model.width());
        if n > 4 {
            continue;
        }
        let model = model.with_initial(Initial::diffuse(n)?)?;
        let (a, h) = (model.transition().matrix().matrix(0), model.observation().matrix().matrix(0));
        let moving = Cholesky::new(&model.transition().noise().matrix(0))?.inverse();
        let seeing = Cholesky::new(&model.observation().noise().matrix(0))?.inverse();
        let mut precision = DMatrix::zeros(n * length, n * length);
        let mut eta = DVector::zeros(n * length);
        for t in 0..length {
            let mut step = DMatrix::zeros(n, n * length);
            if t + 1 < length {
                step.view_mut((0, n * t), (n, n)).copy_from(&-&a);
                step.view_mut((0, n * (t + 1)), (n, n)).fill_with_identity();
            }
            let mut sight = DMatrix::zeros(m, n * length);
            sight.view_mut((0, n * t), (m, n)).copy_from(&h);
            precision += step.tr_mul(&(&moving * &step)) + sight.tr_mul(&(&seeing * &sight));
            eta += sight.tr_mul(&(&seeing * DVector::from_column_slice(series.at(t))));
        }
        let covariance = Cholesky::new(&precision)?.inverse();
        let mean = &covariance * eta;
        let smoothed = filter(&model, &series, &FilterOptions::default())?.smooth(&model)?;
        for t in 0..length {
            seen.see_all(smoothed.mean(t), &mean.as_slice()[n * t..n * (t + 1)]);
            let block = covariance.view((n * t, n * t), (n, n)).into_owned();
            seen.see_all(smoothed.covariance(t).as_slice(), block.as_slice());
        }
    }
    Ok(seen)
}
