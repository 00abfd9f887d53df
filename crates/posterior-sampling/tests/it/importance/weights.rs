//! Weights and their means.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_dist::stream::stream;
use posterior_dist::target::{EvalError, FromFn, OnTheLine, Target, Unconstrained};
use posterior_dist::{Dirichlet, Gamma, Normal};
use posterior_math::bijection::StickBreaking;
use posterior_sampling::importance::{ImportanceWeights, NormalizedTarget, importance_sampling};
use posterior_sampling::{Error, importance::Resampling};
use posterior_testkit::significance::{LEVEL, kolmogorov_smirnov_p_value};
use rand::Rng;

use super::assert_close;

fn normal(sd: f64) -> OnTheLine<Normal> {
    OnTheLine::new(Normal::mean_sd(0.0, sd).unwrap()).unwrap()
}

#[test]
fn means_of_a_small_case_are_those_by_hand() {
    let weights = ImportanceWeights::from_ln([2.0_f64, 1.0, 1.0, 0.0].map(f64::ln).to_vec()).unwrap();
    // The value of a draw without weight does not count.
    let values = [1.0, 3.0, 5.0, f64::NAN];
    let mean = weights.mean(&values).unwrap();
    assert_close(mean.value, 2.5, 1e-15);
    // Deviations -1.5, 0.5, 2.5 with weights 1/2, 1/4, 1/4.
    assert_close(
        mean.standard_error,
        (0.75_f64.powi(2) + 0.125_f64.powi(2) + 0.625_f64.powi(2)).sqrt(),
        1e-15,
    );
    // w f = 2, 3, 5, 0: mean 2.5, squares .25 + .25 + 6.25 + 6.25 = 13, over 4 · 3.
    let plain = weights.plain_mean(&values).unwrap();
    assert_close(plain.value, 2.5, 1e-15);
    assert_close(plain.standard_error, (13.0_f64 / 12.0).sqrt(), 1e-15);
    assert_close(weights.ess(), 16.0 / 6.0, 1e-15);
    let evidence = weights.ln_mean().unwrap();
    assert_close(evidence.ln_value, 0.0, 1e-15);
    assert_close(evidence.standard_error, (2.0_f64 / 12.0).sqrt(), 1e-15);
}

#[test]
fn constants_move_the_evidence_alone() {
    let ln = vec![-0.3, 1.2, 0.4, -2.0];
    let values = [1.0, -2.0, 0.5, 4.0];
    let weights = ImportanceWeights::from_ln(ln.clone()).unwrap();
    for shift in [-900.0, 900.0] {
        let moved = ImportanceWeights::from_ln(ln.iter().map(|w| w + shift).collect()).unwrap();
        assert_close(moved.mean(&values).unwrap().value, weights.mean(&values).unwrap().value, 1e-12);
        assert_close(moved.ess(), weights.ess(), 1e-12);
        let (moved, at_home) = (moved.ln_mean().unwrap(), weights.ln_mean().unwrap());
        assert_close(moved.ln_value, at_home.ln_value + shift, 1e-15);
        assert_close(moved.standard_error, at_home.standard_error, 1e-12);
    }
}

#[test]
fn impossible_weights_and_values_are_named() {
    let message = |ln: &[f64]| ImportanceWeights::from_ln(ln.to_vec()).unwrap_err().to_string();
    assert_eq!(message(&[0.0, f64::NAN]), "Weights: ln weight[1] = NaN must be below +∞, and not NaN");
    assert_eq!(message(&[f64::INFINITY]), "Weights: ln weight[0] = inf must be below +∞, and not NaN");
    assert!(matches!(
        ImportanceWeights::from_ln(vec![f64::NEG_INFINITY; 3]),
        Err(Error::NoWeight { draws: 3 })
    ));
    assert!(matches!(ImportanceWeights::from_ln(Vec::new()), Err(Error::NoWeight { draws: 0 })));
    let weights = ImportanceWeights::from_ln(vec![0.0; 2]).unwrap();
    assert_eq!(
        weights.mean(&[1.0, f64::NAN]).unwrap_err().to_string(),
        "Weights: value[1] = NaN must be finite"
    );
    assert!(matches!(
        weights.plain_mean(&[1.0]),
        Err(Error::Dimension(posterior_math::DimensionError { expected: 2, found: 1, .. }))
    ));
}

/// E_q w² = s² / √(2 s² - 1) for p = N(0, 1) and q = N(0, s²).
#[test]
fn second_moments_of_normal_weights_are_those_of_the_table() {
    let unnormalised = FromFn::new(1, |x: &[f64]| -0.5 * x[0] * x[0]);
    let ln_root = 0.5 * std::f64::consts::TAU.ln();
    let proposal = normal(2_f64.sqrt());
    let sample = importance_sampling(&unnormalised, &proposal, 40_000, &mut stream(3, &[])).unwrap();
    let weight = |x: &[f64]| unnormalised.ln_density(x).unwrap() - ln_root - proposal.ln_density(x).unwrap();
    let moment = sample.integral(|x| (weight(x) - ln_root).exp()).unwrap();
    let expected = 1.154_700_538_379_251_5;
    assert!((moment.value - expected).abs() < 4.0 * moment.standard_error, "{moment:?}");
    assert!(moment.standard_error < 0.01);
    // The effective sample size is S / E w².
    assert_close(40_000.0 / sample.weights().ess(), expected, 0.01);
    // By the trapezoidal rule, whose nodes are draws of a uniform distribution.
    for (variance, expected) in [(2.0, 1.154_700_538_379), (0.6, 1.341_640_786_500)] {
        let proposal = normal(f64::sqrt(variance));
        let square = (-40_000..=40_000).map(|i| {
            let x = f64::from(i) * 1e-3;
            -x * x - 2.0 * ln_root - proposal.ln_density(&[x]).unwrap()
        });
        let mean = ImportanceWeights::from_ln(square.collect()).unwrap().ln_mean().unwrap();
        assert_close((mean.ln_value + 80.001_f64.ln()).exp(), expected, 1e-11);
    }
}

#[test]
fn standard_errors_cover_the_truth() {
    // A gamma distribution from an exponential proposal, both in free coordinates; ln Z of x³ e^(-2x) is
    // ln(3! / 2⁴).
    let target = FromFn::new(1, |u: &[f64]| 4.0 * u[0] - 2.0 * u[0].exp());
    let proposal = OnTheLine::new(Gamma::shape_rate(2.0, 1.0).unwrap()).unwrap();
    let (mut of_evidence, mut of_mean) = (0, 0);
    let runs = 400;
    for seed in 0..runs {
        let sample = importance_sampling(&target, &proposal, 400, &mut stream(seed, &[])).unwrap();
        let evidence = sample.weights().ln_mean().unwrap();
        of_evidence += u64::from((evidence.ln_value - 0.375_f64.ln()).abs() < 1.96 * evidence.standard_error);
        let mean = sample.expectation(|u| u[0].exp()).unwrap();
        of_mean += u64::from((mean.value - 2.0).abs() < 1.96 * mean.standard_error);
    }
    // 380 of 400 on average; five standard deviations are 22.
    assert!(of_evidence.abs_diff(380) < 22, "{of_evidence}");
    assert!(of_mean.abs_diff(380) < 22, "{of_mean}");
}

#[test]
fn proposals_draw_from_their_densities() {
    // The mean of p / q is 1 where p is the distribution itself with other parameters.
    let (wide, narrow) =
        (Dirichlet::new(&[1.0, 2.0, 1.5]).unwrap(), Dirichlet::new(&[3.0, 4.0, 2.0]).unwrap());
    let free = |distribution| Unconstrained::new(distribution, StickBreaking::new(3).unwrap(), 3).unwrap();
    let sample = importance_sampling(&free(narrow), &free(wide), 20_000, &mut stream(5, &[])).unwrap();
    let one = sample.integral(|_| 1.0).unwrap();
    assert!((one.value - 1.0).abs() < 4.0 * one.standard_error && one.standard_error < 0.02, "{one:?}");
    let draws = sample.resample(Resampling::Systematic, 500, &mut stream(6, &[])).unwrap();
    assert_eq!((draws.chains(), draws.len(), draws.names().len()), (1, 500, 2));
    // And by its distribution function.
    let distribution = Gamma::shape_rate(2.0, 1.0).unwrap();
    let free = OnTheLine::new(distribution).unwrap();
    let (mut rng, mut x) = (stream(7, &[]), [0.0]);
    let draws: Vec<f64> = (0..5000)
        .map(|_| {
            free.draw(&mut rng, &mut x);
            x[0].exp()
        })
        .collect();
    let p = kolmogorov_smirnov_p_value(&draws, |x| 1.0 - (1.0 + x) * (-x).exp());
    assert!(p > LEVEL, "{p}");
}

#[test]
fn points_without_value_are_counted_and_fatal_ones_end() {
    let half = FromFn::new(1, |x: &[f64]| if x[0] > 0.0 { 0.0 } else { f64::NAN });
    let sample = importance_sampling(&half, &normal(1.0), 1000, &mut stream(1, &[])).unwrap();
    assert!((400..600).contains(&sample.rejected()));
    assert_eq!(sample.weights().normalised().iter().filter(|w| **w == 0.0).count(), sample.rejected());
    let nowhere = FromFn::new(1, |_: &[f64]| f64::NEG_INFINITY);
    let error = importance_sampling(&nowhere, &normal(1.0), 10, &mut stream(1, &[])).unwrap_err();
    assert_eq!(error.to_string(), "all 10 weights are zero: no draw fell where the target is positive");
    let error = importance_sampling(&Gone, &normal(1.0), 10, &mut stream(1, &[])).unwrap_err();
    assert!(matches!(error, Error::Target(EvalError::Fatal(_))), "{error}");
    let plane = FromFn::new(2, |_: &[f64]| 0.0);
    assert!(importance_sampling(&plane, &normal(1.0), 10, &mut stream(1, &[])).is_err());
}

struct Gone;

impl Target for Gone {
    fn dim(&self) -> usize {
        1
    }

    fn ln_density(&self, _: &[f64]) -> Result<f64, EvalError> {
        Err(EvalError::fatal("the file is gone"))
    }
}

/// A proposal that says another density than it draws from is found out by the mean weight.
#[test]
fn a_wrong_proposal_fails_the_test_of_its_density() {
    struct Wrong(OnTheLine<Normal>);
    impl Target for Wrong {
        fn dim(&self) -> usize {
            1
        }
        fn ln_density(&self, x: &[f64]) -> Result<f64, EvalError> {
            self.0.ln_density(x)
        }
    }
    impl NormalizedTarget for Wrong {
        fn draw<R: Rng + ?Sized>(&self, rng: &mut R, x: &mut [f64]) {
            self.0.draw(rng, x);
            x[0] *= 1.1;
        }
    }
    let sample = importance_sampling(&normal(0.8), &Wrong(normal(1.0)), 40_000, &mut stream(1, &[])).unwrap();
    let one = sample.integral(|_| 1.0).unwrap();
    assert!((one.value - 1.0).abs() > 5.0 * one.standard_error, "{one:?}");
}
