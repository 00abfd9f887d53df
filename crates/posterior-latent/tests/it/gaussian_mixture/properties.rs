//! Properties: monotone, permutations, weights, units, one component.

use posterior_dist::stream::stream;
use posterior_inference::em::Accelerate;
use posterior_latent::gaussian_mixture::{
    CovarianceKind, GaussianMixture, GaussianMixtureOptions, GaussianMixtureProblem, fraley_raftery_prior,
};
use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_math::streaming::StreamingCovariance;
use posterior_testkit::accuracy::{assert_close, assert_within};
use proptest::prelude::*;
use rand::RngExt;

use super::{KINDS, clouds, observations, start, steps};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn objectives_never_fall(seed in any::<u64>(), n in 6_usize..40, d in 1_usize..4, components in 1_usize..4) {
        let mut rng = stream(seed, &[1]);
        let values = clouds(n, d, seed);
        let weights: Vec<f64> = (0..n).map(|_| 0.1 + rng.random::<f64>()).collect();
        let mut gaps = values.clone();
        gaps.iter_mut().for_each(|x| if rng.random::<f64>() < 0.15 { *x = f64::NAN });
        let complete = observations(&values).weighted(&weights).unwrap();
        let missing = posterior_latent::Observations::with_missing(&gaps).unwrap();
        for kind in KINDS {
            for data in [&complete, &missing] {
                let mut options = vec![GaussianMixtureOptions { covariance: kind, ..steps(25) }];
                // A prior needs data of full rank.
                if data.is_complete() && n > d + 1 {
                    options.push(GaussianMixtureOptions { prior: Some(fraley_raftery_prior(data, components).unwrap()), ..options[0].clone() });
                }
                for options in options {
                    // A column may be missing as a whole.
                    let Ok(problem) = GaussianMixtureProblem::new(data, options) else { continue };
                    let Ok(begin) = problem.random_start(components, &mut stream(seed, &[2])) else { continue };
                    for fitted in [problem.fit(begin.clone(), &mut Silent), problem.fit_hard(begin, &mut Silent)] {
                        let fitted = fitted.unwrap();
                        prop_assert!(fitted.report.falls.is_empty(), "{kind:?} {:?}", fitted.report.falls);
                        prop_assert!(fitted.report.trace.last().unwrap().is_finite());
                        let proportions = fitted.model.mixture.responsibilities(data).unwrap();
                        prop_assert!(proportions.row_iter().all(|row| (row.sum() - 1.0).abs() < 1e-13));
                    }
                }
            }
        }
    }
}

#[test]
fn permuted_labels_repeated_rows_and_units() {
    let values = clouds(60, 2, 3);
    let means = values.rows(0, 3).into_owned();
    for kind in KINDS {
        let fit = |values: &DMatrix<f64>, weights: &[f64], begin: GaussianMixture| {
            let data = observations(values).weighted(weights).unwrap();
            let fitted =
                GaussianMixtureProblem::new(&data, steps(12)).unwrap().fit(begin, &mut Silent).unwrap();
            (fitted.model.mixture, fitted.report.trace)
        };
        let (one, trace) = fit(&values, &[1.0; 60], start(kind, &means, 3.0));
        // Labels.
        let turned = DMatrix::from_fn(3, 2, |k, j| means[((k + 1) % 3, j)]);
        let (other, _) = fit(&values, &[1.0; 60], start(kind, &turned, 3.0));
        for k in 0..3 {
            assert!((one.means().row((k + 1) % 3) - other.means().row(k)).amax() < 1e-10);
            assert!((one.covariance((k + 1) % 3) - other.covariance(k)).amax() < 1e-10);
        }
        // Weights.
        let weights: Vec<f64> = (0..60).map(|i| [1.0, 2.0, 0.0][i / 7 % 3]).collect();
        let rows: Vec<_> =
            (0..60).flat_map(|i| vec![values.row(i).into_owned(); weights[i] as usize]).collect();
        let (weighted, a) = fit(&values, &weights, start(kind, &means, 3.0));
        let (repeated, b) = fit(&DMatrix::from_rows(&rows), &vec![1.0; rows.len()], start(kind, &means, 3.0));
        assert_close(a[12], b[12], 1e-12);
        assert!((weighted.means() - repeated.means()).amax() < 1e-10);
        // Units: ln p falls by ln c for each coordinate of each observation.
        let c: f64 = 1e-5;
        let (scaled, small) = fit(&(&values * c), &[1.0; 60], start(kind, &(&means * c), 3.0 * c * c));
        assert_close(small[12] + 120.0 * c.ln(), trace[12], 1e-10);
        assert!((scaled.means() / c - one.means()).amax() < 1e-9);
        // Far from zero no digit of the spread is lost but those of the data.
        let far = DMatrix::from_element(60, 2, 1e6) + &values;
        let (shifted, _) = fit(&far, &[1.0; 60], start(kind, &(means.add_scalar(1e6)), 3.0));
        assert!((shifted.covariance(0) - one.covariance(0)).amax() < 1e-6);
    }
}

#[test]
fn one_component_is_the_sample_mean_and_covariance() {
    let values = clouds(40, 3, 4);
    let data = observations(&values);
    let mut seen = StreamingCovariance::new(3);
    values.row_iter().for_each(|row| seen.push(&row.iter().copied().collect::<Vec<_>>()));
    let begin = start(CovarianceKind::Full, &DMatrix::zeros(1, 3), 1.0);
    let fitted = GaussianMixtureProblem::new(&data, steps(1)).unwrap().fit(begin, &mut Silent).unwrap();
    assert!((fitted.model.mixture.means().transpose() - seen.mean()).amax() < 1e-13);
    assert!((fitted.model.mixture.covariance(0) - seen.covariance()).amax() < 1e-12);
}

#[test]
fn restarts_are_the_same_for_a_seed() {
    let data = observations(&clouds(90, 2, 5));
    let problem = GaussianMixtureProblem::new(&data, steps(30)).unwrap();
    let (many, few) = (problem.fit_best(3, 6, 9).unwrap(), problem.fit_best(3, 2, 9).unwrap());
    for (a, b) in many.outcomes.iter().zip(&few.outcomes) {
        assert_eq!(a.as_ref().unwrap(), b.as_ref().unwrap());
    }
    let best =
        many.outcomes.iter().map(|outcome| *outcome.as_ref().unwrap()).fold(f64::NEG_INFINITY, f64::max);
    assert_eq!(*many.best.report.trace.last().unwrap(), best);
    // Three clouds of thirty.
    let mut weights = many.best.model.mixture.weights().probabilities().to_vec();
    weights.sort_by(f64::total_cmp);
    assert_within(weights[0], 1.0 / 3.0, 0.1);
}

#[test]
fn coordinates_are_those_of_the_mixture() {
    let mut values = clouds(90, 3, 8);
    values.column_mut(1).iter_mut().for_each(|x| *x *= 1e4);
    let data = observations(&values);
    for kind in KINDS {
        let options = GaussianMixtureOptions { covariance: kind, ..steps(7) };
        let problem = GaussianMixtureProblem::new(&data, options).unwrap();
        let begin = problem.random_start(3, &mut stream(2, &[])).unwrap();
        let fitted = problem.fit(begin, &mut Silent).unwrap().model;
        let again = problem.at_coordinates(&problem.coordinates(&fitted), &fitted).unwrap();
        let (a, b) = (fitted.mixture.means(), again.mixture.means());
        assert!((a - b).amax() < 1e-12 * a.amax(), "{kind:?}");
        for k in 0..3 {
            let (a, b) = (fitted.mixture.covariance(k), again.mixture.covariance(k));
            assert!((&a - b).amax() < 1e-12 * a.amax(), "{kind:?}");
            let weights = [&fitted, &again].map(|own| own.mixture.weights().probabilities()[k]);
            assert_close(weights[0], weights[1], 1e-13);
        }
        // Below the floor there is no mixture.
        let mut narrow = problem.coordinates(&fitted);
        *narrow.last_mut().unwrap() = -30.0;
        assert!(problem.at_coordinates(&narrow, &fitted).is_none(), "{kind:?}");
    }
}

#[test]
fn short_runs_end_as_high_as_whole_ones() {
    for seed in 0..2 {
        // Clouds that overlap, of more rows than short runs see.
        let data = observations(&clouds(5000, 2, seed));
        for kind in KINDS {
            let options = GaussianMixtureOptions { covariance: kind, ..GaussianMixtureOptions::default() };
            let problem = GaussianMixtureProblem::new(&data, options).unwrap();
            let whole = problem.fit_best(3, 3, seed).unwrap();
            let short = problem.fit_short_runs(3, 6, seed).unwrap();
            let (whole, short) =
                (whole.best.report.trace.last().unwrap(), short.best.report.trace.last().unwrap());
            // A thousandth of a nat a row: another maximum that is as good.
            assert!(*short > whole - 5.0, "{seed} {kind:?}: {short} {whole}");
        }
    }
}
