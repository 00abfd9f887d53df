//! One model on every method, against quadrature.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_dist::target::{GradTarget, HessianTarget, Target};
use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_regression::Error;
use posterior_regression::comparison::{ComparisonOptions, Method, compare};
use posterior_regression::glm::{CoefficientPrior, Family, Glm, GlmData};
use posterior_regression::polya_gamma::LogisticGibbs;
use posterior_regression::variational_logistic::{VariationalOptions, variational_logistic};
use posterior_sampling::gibbs::Gibbs;
use posterior_sampling::{Run, Start, Untuned};

const GOLDEN_EVIDENCE: f64 = -3.632910154146;

fn golden_design() -> DMatrix<f64> {
    DMatrix::from_fn(5, 2, |i, j| if j == 0 { 1.0 } else { i as f64 - 2.0 })
}

fn golden(design: &DMatrix<f64>) -> Glm<'_> {
    let data = GlmData::new(design, &[0.0, 0.0, 1.0, 0.0, 1.0]).unwrap();
    let prior = CoefficientPrior::isotropic(2, 1.0).unwrap();
    Glm::new(Family::Logit, data).unwrap().with_prior(prior).unwrap()
}

/// ln evidence, means and standard deviations by the trapezoidal rule on a grid of ten standard deviations,
/// exact to rounding.
fn quadrature(model: &Glm<'_>) -> (f64, [f64; 2], [f64; 2]) {
    let (mut mass, mut first, mut second) = (0.0, [0.0; 2], [0.0; 2]);
    let h = 0.05;
    for i in -180..=180 {
        for j in -180..=180 {
            let x = [f64::from(i) * h, f64::from(j) * h];
            let p = model.ln_density(&x).unwrap().exp() * h * h;
            mass += p;
            for k in 0..2 {
                first[k] += p * x[k];
                second[k] += p * x[k] * x[k];
            }
        }
    }
    let mean = first.map(|m| m / mass);
    (mass.ln(), mean, [0, 1].map(|k| (second[k] / mass - mean[k] * mean[k]).sqrt()))
}

/// The largest error of means and standard deviations, in standard deviations.
fn error(mean: &[f64], sd: &[f64], truth: ([f64; 2], [f64; 2])) -> f64 {
    (0..2)
        .map(|k| ((mean[k] - truth.0[k]).abs() / truth.1[k]).max((sd[k] / truth.1[k] - 1.0).abs()))
        .fold(0.0, f64::max)
}

#[test]
fn the_methods_rank_by_agreement_with_quadrature() {
    let design = golden_design();
    let model = golden(&design);
    let (ln_evidence, mean, sd) = quadrature(&model);
    assert!((ln_evidence - GOLDEN_EVIDENCE).abs() < 1e-11, "{ln_evidence}");
    let truth = (mean, sd);
    let comparison = compare(
        &model,
        &ComparisonOptions { weighted_draws: 40_000, seed: 3, ..ComparisonOptions::default() },
    )
    .unwrap();
    let error_of = |method| {
        let answer = comparison.method(method).unwrap();
        error(&answer.mean, &answer.sd, truth)
    };
    let laplace = error_of(Method::Laplace);
    let variational = error_of(Method::Variational);
    let importance = error_of(Method::ImportanceSampling);
    let nuts = error_of(Method::Nuts);
    let bound = variational_logistic(&model, &VariationalOptions::default(), &mut Silent).unwrap().model;
    let covariance = bound.distribution.cholesky().reconstruct();
    let touching = error(
        bound.distribution.mean().as_slice(),
        &[covariance[(0, 0)].sqrt(), covariance[(1, 1)].sqrt()],
        truth,
    );
    // Monte Carlo errors of 40,000 weighted and 4,000 dependent draws are 0.01 and 0.03; the Gaussians have
    // errors of their own.
    assert!(importance < 0.02 && nuts < 0.06, "{importance} {nuts}");
    assert!(importance < variational && variational < laplace, "{importance} {variational} {laplace}");
    assert!(touching < 0.2 && laplace > 0.1 && laplace < 0.3, "{touching} {laplace}");
    // Evidences: bounds below, importance sampling closest.
    let evidence = |method| comparison.method(method).unwrap().ln_evidence.unwrap();
    assert!((evidence(Method::ImportanceSampling) - ln_evidence).abs() < 0.01);
    assert!(
        evidence(Method::Variational) < ln_evidence
            && bound.ln_evidence_bound < evidence(Method::Variational)
    );
    assert!((evidence(Method::Laplace) - -3.692762634879).abs() < 1e-11);
    assert_eq!(comparison.refused.len(), 0);
}

#[test]
fn gibbs_by_polya_gamma_variables_has_the_moments_of_quadrature() {
    let design = golden_design();
    let model = golden(&design);
    let (_, mean, sd) = quadrature(&model);
    let sampler = LogisticGibbs::new(&model).unwrap();
    let run = Run { warm_up: 200, draws: 10_000, seed: 2, ..Run::default() };
    let sampled = run.sample(&sampler, &Untuned(Gibbs::systematic()), &Start::At(vec![0.0; 2])).unwrap();
    for (k, parameter) in sampled.draws.summary().parameters.into_iter().enumerate() {
        // Five standard errors each: one in a million.
        let (m, s) = (parameter.mean.unwrap(), parameter.sd.unwrap());
        assert!((m - mean[k]).abs() < 5.0 * parameter.mcse.unwrap(), "{m} {mean:?}");
        assert!((s - sd[k]).abs() < 5.0 * parameter.mcse_sd.unwrap(), "{s} {sd:?}");
    }
}

#[test]
fn separated_responses_are_refused_on_the_lowest_method_only() {
    let design = golden_design();
    let data = GlmData::new(&design, &[0.0, 0.0, 0.0, 1.0, 1.0]).unwrap();
    let prior = CoefficientPrior::isotropic(2, 3.0).unwrap();
    let model = Glm::new(Family::Logit, data).unwrap().with_prior(prior).unwrap();
    let comparison = compare(&model, &ComparisonOptions::default()).unwrap();
    assert!(matches!(comparison.refused[..], [(Method::MaximumLikelihood, Error::Separated { .. })]));
    assert!(comparison.method(Method::MaximumLikelihood).is_none());
    // Such a posterior is skewed: the Gaussian at its mode does not do.
    assert!(comparison.sufficient > Method::Laplace, "{:?}", comparison.sufficient);
}

#[test]
#[ignore = "slow"]
fn many_rows_need_only_the_mode() {
    let design = DMatrix::from_fn(2000, 2, |i, j| if j == 0 { 1.0 } else { (i % 41) as f64 / 20.0 - 1.0 });
    let y: Vec<f64> =
        (0..2000).map(|i| f64::from(u8::from((i * 7919) % 1000 < 400 + 10 * (i % 41)))).collect();
    let data = GlmData::new(&design, &y).unwrap();
    let prior = CoefficientPrior::isotropic(2, 5.0).unwrap();
    let model = Glm::new(Family::Probit, data).unwrap().with_prior(prior).unwrap();
    let options = ComparisonOptions {
        run: Run { chains: 2, warm_up: 200, draws: 300, ..Run::default() },
        ..ComparisonOptions::default()
    };
    let comparison = compare(&model, &options).unwrap();
    assert_eq!(comparison.sufficient, Method::Laplace);
    let sampled = comparison.method(Method::ImportanceSampling).unwrap().ln_evidence.unwrap();
    assert!((comparison.method(Method::Laplace).unwrap().ln_evidence.unwrap() - sampled).abs() < 0.01);
}

#[test]
fn a_comparison_needs_a_proper_posterior() {
    let design = golden_design();
    let y = [1.0, 2.0, 0.0, 1.0, 3.0];
    let data = || GlmData::new(&design, &y).unwrap();
    assert!(compare(&Glm::new(Family::Poisson, data()).unwrap(), &ComparisonOptions::default()).is_err());
    let prior = CoefficientPrior::isotropic(2, 1.0).unwrap();
    let gaussian = Glm::new(Family::Gaussian, data()).unwrap().with_prior(prior).unwrap();
    assert!(compare(&gaussian, &ComparisonOptions::default()).is_err());
}

#[test]
fn gradients_and_hessians_are_derivatives() {
    let design = golden_design();
    let model = golden(&design);
    let (x, h) = ([0.3, -0.7], 1e-5);
    let mut gradient = [0.0; 2];
    let mut hessian = DMatrix::zeros(2, 2);
    model.ln_density_hessian(&x, &mut gradient, &mut hessian).unwrap();
    for k in 0..2 {
        let shifted = |sign: f64| {
            let mut y = x;
            y[k] += sign * h;
            let mut slope = [0.0; 2];
            (model.ln_density_grad(&y, &mut slope).unwrap(), slope)
        };
        let ((up, up_slope), (down, down_slope)) = (shifted(1.0), shifted(-1.0));
        assert!(((up - down) / (2.0 * h) - gradient[k]).abs() < 1e-9);
        for j in k..2 {
            assert!(((up_slope[j] - down_slope[j]) / (2.0 * h) - hessian[(j, k)]).abs() < 1e-9);
        }
    }
}
