//! Rows, weights, missing values.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_dist::{Density, Normal};
use posterior_gaussian::{Gaussian, NormalInverseWishart};
use posterior_inference::variational::AscentOptions;
use posterior_latent::gaussian_mixture::{
    CovarianceKind, GaussianMixtureOptions, GaussianMixtureProblem, fraley_raftery_prior,
};
use posterior_latent::principal_components::{
    BayesianOptions, FactorOptions, NoiseModel, PcaOptions, bayesian, fit, fit_factors,
};
use posterior_latent::selection::{Criteria, cross_validation};
use posterior_latent::variational::{BayesianMixture, MixtureAscent};
use posterior_latent::{Error, Observations};
use posterior_math::iteration::{Report, Silent};
use posterior_math::linalg::DMatrix;
use posterior_testkit::accuracy::assert_within;

#[test]
fn what_is_no_observation_is_refused_with_its_place() {
    let mut values = DMatrix::from_element(3, 2, 1.0);
    values[(2, 1)] = f64::INFINITY;
    for read in [Observations::new, Observations::with_missing] {
        let refused = read(&values);
        assert!(matches!(refused, Err(Error::NotFinite { row: 2, column: 1, .. })), "{refused:?}");
    }
    for (rows, columns) in [(0, 2), (2, 0)] {
        let refused = Observations::new(&DMatrix::zeros(rows, columns));
        assert!(matches!(refused, Err(Error::Dimension { .. })), "{refused:?}");
    }
}

#[test]
fn weights_must_be_as_many_and_none_below_zero() {
    let values = DMatrix::from_element(2, 1, 1.0);
    for weights in [&[1.0][..], &[1.0, -1.0], &[1.0, f64::NAN], &[0.0, 0.0], &[f64::INFINITY, 1.0]] {
        let refused = Observations::new(&values).and_then(|data| data.weighted(weights));
        assert!(refused.is_err(), "{weights:?}: {refused:?}");
    }
}

/// Twenty rows; and the same after one of weight 0 that is far away.
fn with_a_row_of_no_weight(far: f64) -> (Observations, Observations) {
    let rows = DMatrix::from_fn(20, 3, |i, j| {
        let wave = ((7 * i + 3 * j + 1) as f64 * 1.3).sin();
        if i % 2 == 0 { wave + 5.0 * (j + 1) as f64 } else { wave }
    });
    let more = rows.clone().insert_row(0, far);
    let weights: Vec<f64> = (0..21).map(|i| if i == 0 { 0.0 } else { 1.0 }).collect();
    let data = Observations::new(&more).unwrap().weighted(&weights).unwrap();
    (Observations::new(&rows).unwrap(), data)
}

fn last(report: &Report) -> f64 {
    *report.trace.last().unwrap()
}

#[test]
fn a_row_of_no_weight_changes_no_analysis_wherever_it_is() {
    for far in [1e6, 1e150, -1e200, 1e307] {
        let (rows, more) = with_a_row_of_no_weight(far);
        let analyses = [&rows, &more].map(|data| fit(data, &PcaOptions::default()).unwrap());
        assert_eq!(analyses[0].variances().len(), 3);
        assert_eq!(analyses[0], analyses[1], "{far:e}");
        for noise in [NoiseModel::Isotropic, NoiseModel::Diagonal] {
            let options = FactorOptions { noise, ..FactorOptions::new(1) };
            let fits = [&rows, &more].map(|data| fit_factors(data, &options, &mut Silent).unwrap());
            assert_eq!(fits[0], fits[1], "{far:e}");
            let scores = [&rows, &more].map(|data| fits[0].model.ln_likelihood(data).unwrap());
            assert_within(scores[0], scores[1], 1e-10);
        }
        let options = BayesianOptions::default();
        let fits = [&rows, &more].map(|data| bayesian(data, &options, &mut Silent).unwrap());
        assert_eq!(fits[0], fits[1], "{far:e}");
    }
}

#[test]
fn a_row_of_no_weight_changes_no_mixture_wherever_it_is() {
    let kinds =
        [CovarianceKind::Full, CovarianceKind::Tied, CovarianceKind::Diagonal, CovarianceKind::Spherical];
    for far in [1e6, 1e150, -1e200, 1e307] {
        let (rows, more) = with_a_row_of_no_weight(far);
        for kind in kinds {
            let options = GaussianMixtureOptions { covariance: kind, ..GaussianMixtureOptions::default() };
            let best = [&rows, &more].map(|data| {
                let problem = GaussianMixtureProblem::new(data, options.clone()).unwrap();
                problem.fit_best(2, 3, 1).unwrap().best
            });
            assert_within(last(&best[0].report), last(&best[1].report), 1e-6);
            let of = |data: &Observations| Criteria::of(&best[0].model.mixture, data).unwrap();
            assert_within(of(&rows).icl(), of(&more).icl(), 1e-9);
        }
        let priors = [&rows, &more].map(|data| fraley_raftery_prior(data, 2).unwrap());
        assert_within(priors[0].scale().norm(), priors[1].scale().norm(), 1e-12);

        let prior = NormalInverseWishart::new(&[0.0; 3], 0.1, &DMatrix::identity(3, 3), 5.0).unwrap();
        let model = BayesianMixture::<Gaussian, _>::finite(2, 1.0, prior, 3).unwrap();
        let bounds = [(&rows, 0), (&more, 1)].map(|(data, before)| {
            let labels: Vec<usize> = (0..20 + before).map(|i| (i + before) % 2).collect();
            let problem = MixtureAscent::new(&model, data).unwrap();
            let start = problem.start_from_labels(&labels).unwrap();
            last(&problem.fit(start, &AscentOptions::default(), &mut Silent).unwrap().report)
        });
        assert_within(bounds[0], bounds[1], 1e-6);
    }
}

#[test]
fn a_fold_of_no_weight_is_scored_and_counts_for_nothing() {
    let rows = DMatrix::from_column_slice(4, 1, &[0.0, 7.0, 1.0, 3.0]);
    let data = Observations::new(&rows).unwrap().weighted(&[1.0, 0.0, 1.0, 1.0]).unwrap();
    let fit = |_: &Observations, _| Ok(Normal::mean_sd(0.0, 1.0)?);
    let ln_pdf = |distribution: &Normal, rows: &Observations| {
        Ok(rows.values().iter().map(|x| distribution.ln_pdf(x)).collect())
    };
    let score = cross_validation(&data, 4, 1, fit, ln_pdf).unwrap();
    let constant = 0.5 * std::f64::consts::TAU.ln();
    assert_within(score.mean, -constant - 0.5 * (0.0 + 1.0 + 9.0) / 3.0, 1e-14);
    assert_within(score.ln_pdf[1], -constant - 24.5, 1e-13);
}
