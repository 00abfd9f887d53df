//! Expectation propagation: independent figures, exact cases, and quadrature.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_dist::target::Target;
use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_math::quadrature::{QuadratureOptions, trapezoid};
use posterior_math::special::{ln_normal_cdf, normal_cdf};
use posterior_regression::glm::{CoefficientPrior, Family, Glm, GlmData, GlmFitOptions};
use posterior_regression::propagation::{PropagatedPosterior, SiteOptions, propagate};

fn design() -> DMatrix<f64> {
    DMatrix::from_fn(5, 2, |i, j| if j == 0 { 1.0 } else { i as f64 - 2.0 })
}

fn fitted(model: &Glm<'_, Family>) -> PropagatedPosterior {
    let fitted = propagate(model, &SiteOptions::default(), &mut Silent).unwrap();
    assert!(fitted.report.converged(), "{:?}", fitted.report);
    fitted.model
}

fn model<'a>(family: Family, data: GlmData<'a>, sd: f64) -> Glm<'a, Family> {
    let prior = CoefficientPrior::isotropic(data.columns(), sd).unwrap();
    Glm::new(family, data).unwrap().with_prior(prior).unwrap()
}

fn close(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance * (1.0 + b.abs()), "{a} should be {b}");
}

/// Means, the three elements of the covariance, ln p(y): a program with mpmath's quadrature to 25 digits, which
/// inverts the whole precision anew for each site.
const FIGURES: [(Family, [f64; 5], [f64; 2], [f64; 3], f64); 2] = [
    (
        Family::Logit,
        [0.0, 0.0, 1.0, 0.0, 1.0],
        [-0.266785803051055, 0.73699155460866],
        [0.534137973075554, -0.0162525255445621, 0.403632884277306],
        -3.63560983090807,
    ),
    (
        Family::Poisson,
        [0.0, 1.0, 1.0, 4.0, 7.0],
        [0.257648552330996, 0.831036038734762],
        [0.164391201978281, -0.0762178977921309, 0.0651357015813228],
        -9.13361110308076,
    ),
];

#[test]
fn the_fixed_point_is_that_of_another_program() {
    let design = design();
    for (family, y, mean, covariance, ln_evidence) in FIGURES {
        let posterior = fitted(&model(family, GlmData::new(&design, &y).unwrap(), 1.0));
        let ours = posterior.distribution.cholesky().reconstruct();
        for (k, mean) in mean.into_iter().enumerate() {
            close(posterior.distribution.mean()[k], mean, 1e-8);
        }
        for (a, b) in [ours[(0, 0)], ours[(1, 0)], ours[(1, 1)]].into_iter().zip(covariance) {
            close(a, b, 1e-8);
        }
        close(posterior.ln_evidence, ln_evidence, 1e-9);
    }
}

#[test]
fn gaussian_responses_are_exact() {
    let design = design();
    let (y, offset, weights) = ([1.0, 2.5, -0.3, 4.0, 0.2], [0.1, -0.2, 0.3, 0.0, 1.0], [1.0, 2.0, 0.0, 0.5, 3.0]);
    let data = GlmData::new(&design, &y).unwrap().with_offset(&offset).unwrap().with_weights(&weights).unwrap();
    let model = model(Family::Gaussian, data, 2.0).with_dispersion(0.7).unwrap();
    let (posterior, exact) = (fitted(&model), model.laplace(&GlmFitOptions::default()).unwrap());
    close(posterior.ln_evidence, exact.ln_evidence, 1e-11);
    let [ours, theirs] =
        [&posterior.distribution, &exact.distribution].map(|own| (own.mean().clone(), own.cholesky().reconstruct()));
    assert!((ours.0 - theirs.0).amax() < 1e-11 && (ours.1 - theirs.1).amax() < 1e-11);
}

#[test]
fn one_response_is_exact() {
    // Φ(x β) with β ~ N(0, 2²): ln p(y = 1) = ln ½, and the moments of the skew-normal distribution.
    let design = DMatrix::from_element(1, 1, 1.5);
    let posterior = fitted(&model(Family::Probit, GlmData::new(&design, &[1.0]).unwrap(), 2.0));
    close(posterior.ln_evidence, 0.5_f64.ln(), 1e-11);
    let delta = 3.0 / 10_f64.sqrt();
    let mean = 2.0 * delta * (2.0 / std::f64::consts::PI).sqrt();
    close(posterior.distribution.mean()[0], mean, 1e-9);
    close(posterior.distribution.cholesky().reconstruct()[(0, 0)], 4.0 - mean * mean, 1e-9);
    // A rare event: the mean is twelve standard deviations of the prior away.
    let data = GlmData::new(&design, &[1.0]).unwrap().with_offset(&[-80.0]).unwrap();
    let posterior = fitted(&model(Family::Probit, data, 2.0));
    close(posterior.ln_evidence, ln_normal_cdf(-80.0 / 10_f64.sqrt()), 1e-9);
    assert!(normal_cdf(-80.0 / 10_f64.sqrt()) < 1e-140);
}

#[test]
fn rows_of_zeros_and_of_no_weight_say_what_they_must() {
    let y = [0.0, 0.0, 1.0, 0.0, 1.0];
    let five = design();
    let alone = fitted(&model(Family::Logit, GlmData::new(&five, &y).unwrap(), 1.0));
    let seven = five.clone().resize(7, 2, 0.0);
    let responses = [&y[..], &[1.0, 0.0]].concat();
    let mut weights = [1.0; 7];
    weights[6] = 0.0;
    let data = GlmData::new(&seven, &responses).unwrap().with_weights(&weights).unwrap();
    let with_zeros = fitted(&model(Family::Logit, data, 1.0));
    close(with_zeros.ln_evidence, alone.ln_evidence + 0.5_f64.ln(), 1e-10);
    assert!((with_zeros.distribution.mean() - alone.distribution.mean()).amax() < 1e-9);
}

#[test]
fn evidence_and_means_are_near_those_of_quadrature_where_laplace_is_not() {
    // A slope alone; responses are separated, and the prior is wide.
    let design = DMatrix::from_column_slice(4, 1, &[-2.0, -0.5, 0.7, 3.0]);
    for (family, y, sd) in [
        (Family::Logit, [0.0, 0.0, 1.0, 1.0], 10.0),
        (Family::Probit, [0.0, 1.0, 1.0, 1.0], 5.0),
        (Family::ComplementaryLogLog, [0.0, 0.0, 1.0, 1.0], 3.0),
        (Family::Poisson, [0.0, 1.0, 0.0, 9.0], 2.0),
        (Family::negative_binomial(1.5).unwrap(), [3.0, 1.0, 0.0, 12.0], 2.0),
    ] {
        let model = model(family, GlmData::new(&design, &y).unwrap(), sd);
        let posterior = fitted(&model);
        let laplace = model.laplace(&GlmFitOptions::default()).unwrap();
        let (center, scale) = (laplace.distribution.mean()[0], laplace.distribution.cholesky().reconstruct()[(0, 0)].sqrt());
        let top = model.ln_density(&[center]).unwrap();
        let moment = |power: i32| {
            let integrand = |x: f64| (model.ln_density(&[x]).unwrap() - top).exp() * (x - center).powi(power);
            trapezoid(integrand, center, scale, &QuadratureOptions::default()).value
        };
        let [mass, first, second] = [0, 1, 2].map(moment);
        let (mean, sd) = (center + first / mass, (second / mass - (first / mass).powi(2)).sqrt());
        let ln_evidence = mass.ln() + top;
        let name = model.distribution().name();
        assert!((posterior.ln_evidence - ln_evidence).abs() < 0.02, "{name} {} {ln_evidence}", posterior.ln_evidence);
        assert!((posterior.ln_evidence - ln_evidence).abs() < 0.2 * (laplace.ln_evidence - ln_evidence).abs(), "{name}");
        assert!((posterior.distribution.mean()[0] - mean).abs() < 0.05 * sd, "{name}");
        let ours = posterior.distribution.cholesky().reconstruct()[(0, 0)].sqrt();
        assert!((ours / sd - 1.0).abs() < 0.05, "{name}: {ours} {sd}");
    }
}

#[test]
fn what_has_no_posterior_is_refused() {
    let design = design();
    let data = || GlmData::new(&design, &[1.0, 2.0, 0.0, 1.0, 3.0]).unwrap();
    let flat = Glm::new(Family::Poisson, data()).unwrap();
    assert!(propagate(&flat, &SiteOptions::default(), &mut Silent).is_err());
    let unknown = model(Family::Gaussian, data(), 1.0);
    assert!(propagate(&unknown, &SiteOptions::default(), &mut Silent).is_err());
}
