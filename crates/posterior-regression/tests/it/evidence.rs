//! What is promised of evidence.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_dist::stream::stream;
use posterior_math::iteration::Silent;
use posterior_math::linalg::{DMatrix, DVector, SymmetricEigen};
use posterior_regression::evidence::{
    EvidenceLimit, EvidenceOptions, RelevanceMethod, fit, fixed_points, relevance,
};
use posterior_regression::linear::{LinearData, PosteriorForm, WeightPrior, known_noise_by};
use rand::distr::Distribution;
use rand_distr::StandardNormal;

#[track_caller]
fn close(a: f64, b: f64, tolerance: f64) {
    let scale = a.abs().max(b.abs()).max(1.0);
    assert!((a - b).abs() <= tolerance * scale, "{a} and {b} differ by {:e}", (a - b).abs() / scale);
}

/// Features from noise; the responses have weights 1, 1/2, 1/3, … and noise.
fn simulated(seed: u64, rows: usize, features: usize, noise: f64) -> (DMatrix<f64>, Vec<f64>) {
    let mut rng = stream(seed, &[]);
    let mut normal = || -> f64 { StandardNormal.sample(&mut rng) };
    let design = DMatrix::from_fn(rows, features, |_, j| if j == 0 { 1.0 } else { normal() });
    let response = (0..rows)
        .map(|i| (0..features).map(|j| design[(i, j)] / (j + 1) as f64).sum::<f64>() + noise * normal())
        .collect();
    (design, response)
}

/// ln p(y | α, β) with a density of 1 for free weights, by the posterior: with a prior of variance v they
/// have a density of about (2π v)^(-1/2).
fn ln_evidence(data: &LinearData<'_>, precisions: &[f64], beta: f64) -> f64 {
    const WIDE: f64 = 1e12;
    let variances: Vec<f64> = precisions.iter().map(|&a| if a == 0.0 { WIDE } else { a.recip() }).collect();
    let free = precisions.iter().filter(|&&alpha| alpha == 0.0).count() as f64;
    let prior = WeightPrior::independent(&vec![0.0; precisions.len()], &variances).unwrap();
    // Of the forms, the one that a prior of this width does not cost digits.
    let posterior = known_noise_by(PosteriorForm::SquareRoot, data, &prior, beta.recip()).unwrap();
    posterior.ln_evidence().unwrap() + 0.5 * free * (std::f64::consts::TAU * WIDE).ln()
}

fn precisions(features: usize, free: &[usize], alpha: f64) -> Vec<f64> {
    (0..features).map(|j| if free.contains(&j) { 0.0 } else { alpha }).collect()
}

/// The fixed points are stationary points of ln p(y), are those of L-BFGS, and satisfy MacKay's equations.
#[test]
fn fixed_points_are_stationary() {
    for (seed, rows, features, noise, free) in [
        (1, 40, 6, 0.7, vec![]),
        (2, 40, 6, 0.7, vec![0]),
        (3, 30, 40, 1.0, vec![0]),
        (4, 30, 5, 0.7, vec![0, 3]),
    ] {
        let (design, response) = simulated(seed, rows, features, noise);
        let weights: Vec<f64> = (0..rows).map(|i| 0.5 + (i % 3) as f64).collect();
        let data = LinearData::new(&design, &response).unwrap().with_weights(&weights).unwrap();
        let options = EvidenceOptions::default();
        let found = fixed_points(&data, &free, &options, &mut Silent).unwrap();
        assert!(found.report.converged());
        let model = found.model;
        assert_eq!(model.limit, None);
        let climbed = fit(&data, &free, &options, &mut Silent).unwrap().model;
        close(climbed.prior_precision.ln(), model.prior_precision.ln(), 1e-6);
        close(climbed.noise_variance.ln(), model.noise_variance.ln(), 1e-6);
        close(climbed.ln_evidence, model.ln_evidence, 1e-12);
        let (alpha, beta) = (model.prior_precision, model.noise_variance.recip());
        let at = |alpha: f64, beta: f64| ln_evidence(&data, &precisions(features, &free, alpha), beta);
        let tolerance = if free.is_empty() { 1e-12 } else { 1e-9 };
        close(at(alpha, beta), model.ln_evidence, tolerance);
        let h: f64 = 1e-3;
        let slope = [
            (at(alpha * h.exp(), beta) - at(alpha * (-h).exp(), beta)) / (2.0 * h),
            (at(alpha, beta * h.exp()) - at(alpha, beta * (-h).exp())) / (2.0 * h),
        ];
        // The third derivatives leave h²/6 of numbers of order 10.
        assert!(slope.iter().all(|slope| slope.abs() < 1e-5), "{slope:?}");
        let mean = model.posterior.mean();
        let square: f64 = (0..features).filter(|j| !free.contains(j)).map(|j| mean[j] * mean[j]).sum();
        close(model.effective_parameters / square, alpha, 1e-8);
        let residual = DVector::from_column_slice(&response) - &design * mean;
        let misfit: f64 = residual.iter().zip(&weights).map(|(r, w)| w * r * r).sum();
        let left = (rows - free.len()) as f64 - model.effective_parameters;
        close(left / misfit, beta, 1e-8);
        let total = model.posterior.effective_parameters();
        close(total, model.effective_parameters + free.len() as f64, 1e-9);
    }
}

/// With a free intercept, the posterior mean is ridge regression of the centred data with the penalty α/β.
#[test]
fn the_mean_is_ridge_regression_of_centred_data() {
    let (design, response) = simulated(5, 60, 4, 0.5);
    let data = LinearData::new(&design, &response).unwrap();
    let model = fixed_points(&data, &[0], &EvidenceOptions::default(), &mut Silent).unwrap().model;
    let others = design.columns(1, 3).into_owned();
    let means = others.row_mean();
    let centred = DMatrix::from_fn(60, 3, |i, j| others[(i, j)] - means[j]);
    let mean = response.iter().sum::<f64>() / 60.0;
    let y = DVector::from_iterator(60, response.iter().map(|y| y - mean));
    let penalty = model.prior_precision * model.noise_variance;
    let matrix = centred.transpose() * &centred + DMatrix::identity(3, 3) * penalty;
    let weights = matrix.lu().solve(&(centred.transpose() * y)).unwrap();
    for j in 0..3 {
        close(model.posterior.mean()[j + 1], weights[j], 1e-11);
    }
    close(model.posterior.mean()[0], mean - (means * weights)[0], 1e-11);
}

/// A response without signal, and one without noise: the limits are reported.
#[test]
fn limits_are_reported() {
    let (design, _) = simulated(6, 50, 3, 0.0);
    // Orthogonal to the features.
    let projection = &design * (design.transpose() * &design).try_inverse().unwrap() * design.transpose();
    let raw = DVector::from_fn(50, |i, _| (i as f64 * 1.7).sin());
    let rest = &raw - projection * &raw;
    let data = LinearData::new(&design, rest.as_slice()).unwrap();
    let options = EvidenceOptions::default();
    let none = fixed_points(&data, &[], &options, &mut Silent).unwrap();
    assert_eq!(none.model.limit, Some(EvidenceLimit::NoSignal));
    assert!(none.model.posterior.mean().amax() < 1e-9);
    close(none.model.noise_variance, rest.norm_squared() / 50.0, 1e-8);
    let exact = &design * DVector::from_vec(vec![1.0, -2.0, 0.5]);
    let data = LinearData::new(&design, exact.as_slice()).unwrap();
    let all = fixed_points(&data, &[], &options, &mut Silent).unwrap();
    assert_eq!(all.model.limit, Some(EvidenceLimit::NoNoise));
    close(all.model.posterior.mean()[1], -2.0, 1e-9);
    assert!(fixed_points(&data, &[3], &options, &mut Silent).is_err());
    assert!(fixed_points(&data, &[0, 0], &options, &mut Silent).is_err());
    assert!(fixed_points(&data, &[0, 1, 2], &options, &mut Silent).is_err());
    let zero = vec![0.0; 50];
    let data = LinearData::new(&design, &zero).unwrap();
    assert!(fixed_points(&data, &[], &options, &mut Silent).is_err());
    assert!(relevance(&data, &[], &options, &mut Silent).is_err());
}

/// Both methods end where the evidence is stationary in the precisions that are finite and in the noise, and
/// where no feature that was left out would raise it.
#[test]
fn relevance_is_stationary() {
    for (seed, method) in
        [(7, RelevanceMethod::OneByOne), (7, RelevanceMethod::FixedPoints), (8, RelevanceMethod::OneByOne)]
    {
        let (design, response) = simulated(seed, 60, 12, 0.3);
        let data = LinearData::new(&design, &response).unwrap();
        let free = [0];
        let options = EvidenceOptions { method, tolerance: 1e-9, ..EvidenceOptions::default() };
        let found = relevance(&data, &free, &options, &mut Silent).unwrap();
        assert!(found.report.converged(), "{:?}", found.report.iterations());
        let model = found.model;
        // What is left out gets a precision that is as good as infinite.
        let finite: Vec<f64> = model.prior_precisions.iter().map(|&alpha| alpha.min(1e12)).collect();
        let beta = model.noise_variance.recip();
        let at = ln_evidence(&data, &finite, beta);
        close(at, model.ln_evidence, 1e-8);
        let h: f64 = 1e-3;
        let slope = |j: Option<usize>| {
            let moved = |h: f64| {
                let mut moved = finite.clone();
                if let Some(j) = j {
                    moved[j] *= h.exp();
                }
                ln_evidence(&data, &moved, if j.is_none() { beta * h.exp() } else { beta })
            };
            (moved(h) - moved(-h)) / (2.0 * h)
        };
        assert!(slope(None).abs() < 1e-4, "{}", slope(None));
        for j in 1..12 {
            if model.columns.contains(&j) {
                assert!(slope(Some(j)).abs() < 1e-4, "{j}: {}", slope(Some(j)));
            } else if method == RelevanceMethod::OneByOne {
                for alpha in [0.1, 1.0, 10.0, 100.0, 1e4] {
                    let mut with = finite.clone();
                    with[j] = alpha;
                    assert!(ln_evidence(&data, &with, beta) <= at + 1e-9);
                }
            }
        }
    }
}

/// The relevance vector machine on sinc(x): a few of 100 kernels, and an error below that of the noise.
#[test]
fn a_few_vectors_are_relevant() {
    let mut rng = stream(9, &[]);
    let x: Vec<f64> = (0..100).map(|i| -10.0 + 20.0 * f64::from(i) / 99.0).collect();
    let sinc = |x: f64| if x == 0.0 { 1.0 } else { x.sin() / x };
    let mut normal = || -> f64 { StandardNormal.sample(&mut rng) };
    let y: Vec<f64> = x.iter().map(|&x| sinc(x) + 0.1 * normal()).collect();
    let basis = posterior_regression::features::Basis::bells(&x, 2.0).unwrap();
    let design = basis.values(&x).unwrap();
    let data = LinearData::new(&design, &y).unwrap();
    let options = EvidenceOptions { tolerance: 1e-6, ..EvidenceOptions::default() };
    let found = relevance(&data, &[], &options, &mut Silent).unwrap();
    assert!(found.report.converged());
    let columns = &found.model.columns;
    // Tipping's figure 1 has 6 to 9 vectors for this function.
    assert!((4..=12).contains(&columns.len()), "{columns:?}");
    let distribution = found.model.posterior.latent(&design.select_columns(columns)).unwrap();
    let error = distribution.mean.iter().zip(&x).map(|(f, &x)| (f - sinc(x)).powi(2)).sum::<f64>() / 100.0;
    assert!(error.sqrt() < 0.05, "{}", error.sqrt());
    close(found.model.noise_variance.sqrt(), 0.1, 0.03);
    let spectrum = SymmetricEigen::new(&found.model.posterior.covariance()).unwrap();
    assert!(spectrum.values().iter().all(|&value| value > 0.0));
}

/// No more rows than features and no noise: the noise goes to the end of its scale, whatever the units of the
/// features.
#[test]
fn an_interpolation_has_no_noise() {
    for (rows, features) in [(3, 3), (3, 5), (5, 20)] {
        for spread in [1.0, 1e4] {
            let entry = |i: usize, j: usize| ((i * i * (j + 2) + j) as f64 * 0.37).sin();
            let design =
                DMatrix::from_fn(rows, features, |i, j| entry(i, j) * if j == 0 { spread } else { 1.0 });
            let response: Vec<f64> = (0..rows).map(|i| 2.0 * design[(i, features - 1)]).collect();
            let data = LinearData::new(&design, &response).unwrap();
            let options = EvidenceOptions::default();
            let found = fixed_points(&data, &[], &options, &mut Silent).unwrap().model;
            assert!(
                found.ln_evidence.is_finite() && found.noise_variance > 0.0,
                "{rows} {features} {spread}"
            );
            for method in [RelevanceMethod::FixedPoints, RelevanceMethod::OneByOne] {
                let found =
                    relevance(&data, &[], &EvidenceOptions { method, ..options }, &mut Silent).unwrap().model;
                assert!(
                    found.ln_evidence.is_finite() && found.noise_variance > 0.0,
                    "{rows} {features} {method:?}"
                );
            }
        }
    }
}
