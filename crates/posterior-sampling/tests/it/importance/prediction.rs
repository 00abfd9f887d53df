//! Leave-one-out cross-validation and WAIC. Expected figures: `loo` and `waic` of ArviZ 0.23.4 on the same
//! numbers.

use posterior_dist::stream::stream;
use posterior_math::linalg::DMatrix;
use posterior_math::special::normal_cdf;
use posterior_sampling::importance::{
    leave_one_out, leave_one_out_pit, pseudo_bma_weights, widely_applicable,
};
use rand_distr::{Distribution, StandardNormal};

use super::{assert_close, normal_scores};

const DRAWS: usize = 400;
const OBSERVED: [f64; 12] = [0.3, -1.2, 0.8, 2.9, -0.4, 0.1, 1.7, -0.9, 0.5, 1.1, -2.2, 6.0];

/// ln N(yᵢ; μₛ, σₛ) of numbers that look like a posterior.
fn ln_likelihood() -> DMatrix<f64> {
    let (means, sds) = (normal_scores(DRAWS, 0), normal_scores(DRAWS, 1000));
    DMatrix::from_fn(DRAWS, OBSERVED.len(), |s, i| {
        let (mean, ln_sd) = (0.7 + 0.3 * means[s], 0.6 + 0.2 * sds[s]);
        -0.5 * std::f64::consts::TAU.ln() - ln_sd - 0.5 * ((OBSERVED[i] - mean) / ln_sd.exp()).powi(2)
    })
}

#[test]
fn leave_one_out_agrees_with_arviz() {
    #[rustfmt::skip]
    let cases = [
        (1.0, -29.95883007270809, 7.1201595740789765, 4.614413059206189,
         [-1.574527305743917, -2.124973163964654, -1.5535184482344464, -2.3979865813640346, -1.736255358750828, -1.6048150183845964, -1.7166460247656046, -1.9517491213427816, -1.5567449356887693, -1.5786270101943165, -2.991048618896735, -9.171938485377407],
         [-0.08341358675118431, 0.16096074812923264, 0.024369647719043114, 0.3241464208327337, -0.173521508388023, -0.14723661115354228, 0.031504508689850594, 0.11753066984332079, -0.022338359387925687, 0.020699091834845033, 0.40650006268439653, 1.1750577785227991]),
        (0.5, -30.025467425269028, 7.18215873855408, 4.681050411767128,
         [-1.5745468587124893, -2.1249956427465593, -1.5536511515212261, -2.3978583075629185, -1.7363188758791566, -1.6047067717345378, -1.716668639690603, -1.9518279205766946, -1.556755802928814, -1.578632643904359, -2.991452823624984, -9.238051986386685],
         [-0.0897178825337268, 0.14128959103329009, -0.05600788494917508, 0.3354222778482147, -0.2197476023500444, -0.06784841007098916, 0.007818901285647842, 0.05525636750877367, -0.031110323980851746, 0.01692475305331294, 0.34270233182185733, 1.3930503835613914]),
    ];
    for (efficiency, elpd, error, parameters, pointwise, shapes) in cases {
        let found = leave_one_out(&ln_likelihood(), efficiency).unwrap();
        assert_close(found.elpd.value, elpd, 1e-10);
        // ArviZ takes the variance of the terms over n, not over n - 1.
        assert_close(found.elpd.standard_error, error * (12.0_f64 / 11.0).sqrt(), 1e-10);
        assert_close(found.effective_parameters, parameters, 1e-9);
        assert_close(found.threshold, 0.615_689_106_579_879_6, 1e-14);
        for i in 0..OBSERVED.len() {
            assert_close(found.pointwise[i], pointwise[i], 1e-10);
            assert_close(found.shapes[i], shapes[i], 1e-9);
        }
        assert_eq!(found.unreliable(), [11]);
    }
}

#[test]
fn waic_agrees_with_arviz() {
    let found = widely_applicable(&ln_likelihood()).unwrap();
    // ArviZ takes variances over the number of draws, not over one less.
    let (n, lppd) = (DRAWS as f64, -29.507652379812836 + 4.163235366310937);
    assert_close(found.effective_parameters, 4.163235366310937 * n / (n - 1.0), 1e-10);
    assert_close(found.elpd.value, lppd - 4.163235366310937 * n / (n - 1.0), 1e-10);
    assert_close(found.elpd.standard_error, 6.709061675408012 * (12.0_f64 / 11.0).sqrt(), 5e-3);
    assert_eq!(found.unreliable, [11]);
    let mut shorter = ln_likelihood();
    shorter[(3, 4)] = f64::NAN;
    assert_eq!(
        widely_applicable(&shorter).unwrap_err().to_string(),
        "ln p(y[4]) of draw 3 is NaN: it must be finite"
    );
    assert!(leave_one_out(&shorter, 1.0).is_err());
    assert!(widely_applicable(&DMatrix::zeros(1, 3)).is_err());
    assert!(leave_one_out(&DMatrix::zeros(3, 0), 1.0).is_err());
}

/// Normal observations with known variance 1 and a flat prior: what is left out has N(mean of the others, 1 +
/// 1 / (n - 1)).
#[test]
fn leaving_out_is_leaving_out() {
    let observed = &OBSERVED[..11];
    let n = observed.len() as f64;
    let mean = observed.iter().sum::<f64>() / n;
    let mut rng = stream(8, &[]);
    let draws: Vec<f64> = (0..20_000)
        .map(|_| {
            let z: f64 = StandardNormal.sample(&mut rng);
            mean + z / n.sqrt()
        })
        .collect();
    let constant = -0.5 * std::f64::consts::TAU.ln();
    let ln = DMatrix::from_fn(draws.len(), observed.len(), |s, i| {
        constant - 0.5 * (observed[i] - draws[s]).powi(2)
    });
    let found = leave_one_out(&ln, 1.0).unwrap();
    let (mut elpd, mut worst) = (0.0, 0.0_f64);
    for (i, y) in observed.iter().enumerate() {
        let (others, variance) = ((n * mean - y) / (n - 1.0), n / (n - 1.0));
        let exact = constant - 0.5 * variance.ln() - 0.5 * (y - others).powi(2) / variance;
        worst = worst.max((found.pointwise[i] - exact).abs());
        elpd += exact;
    }
    assert!(worst < 0.02, "{worst}");
    assert!((found.elpd.value - elpd).abs() < 0.03, "{} {elpd}", found.elpd.value);
    assert!(found.unreliable().is_empty());
    // The same data under a distribution that is too wide: worse, and the difference has the smaller error.
    let wide = DMatrix::from_fn(draws.len(), observed.len(), |s, i| {
        constant - 3_f64.ln() - 0.5 * ((observed[i] - draws[s]) / 3.0).powi(2)
    });
    let wide = leave_one_out(&wide, 1.0).unwrap();
    let difference = found.difference(&wide).unwrap();
    assert!((difference.value - (found.elpd.value - wide.elpd.value)).abs() < 1e-12);
    assert!(difference.standard_error < found.elpd.standard_error + wide.elpd.standard_error);
    assert!(found.difference(&leave_one_out(&DMatrix::zeros(50, 3), 1.0).unwrap()).is_err());
}

/// The same normal observations, whose transforms are Φ((yᵢ - mean of the others) / sd).
#[test]
fn transforms_are_of_predictions_that_have_not_seen_the_observation() {
    let observed = &OBSERVED[..11];
    let n = observed.len() as f64;
    let mean = observed.iter().sum::<f64>() / n;
    let mut rng = stream(11, &[]);
    let mut normal = || -> f64 { StandardNormal.sample(&mut rng) };
    let draws: Vec<f64> = (0..20_000).map(|_| mean + normal() / n.sqrt()).collect();
    let ln = DMatrix::from_fn(draws.len(), observed.len(), |s, i| -0.5 * (observed[i] - draws[s]).powi(2));
    let predictive = DMatrix::from_fn(draws.len(), observed.len(), |s, _| draws[s] + normal());
    let found = leave_one_out_pit(observed, &predictive, &ln, 1.0).unwrap();
    for (y, found) in observed.iter().zip(&found) {
        let (others, sd) = ((n * mean - y) / (n - 1.0), (n / (n - 1.0)).sqrt());
        let expected = normal_cdf((y - others) / sd);
        assert!((found - expected).abs() < 0.02, "{found} {expected}");
    }
    // A coin: draws that equal the outcome count half.
    let coin = DMatrix::from_fn(100, 2, |s, _| (s % 2) as f64);
    let found = leave_one_out_pit(&[0.0, 1.0], &coin, &DMatrix::from_element(100, 2, -0.7), 1.0).unwrap();
    assert_close(found[0], 0.25, 1e-12);
    assert_close(found[1], 0.75, 1e-12);
    assert!(leave_one_out_pit(&[0.0], &coin, &DMatrix::zeros(100, 2), 1.0).is_err());
    assert!(leave_one_out_pit(&[0.0, 1.0], &coin, &DMatrix::zeros(99, 2), 1.0).is_err());
}

#[test]
fn weights_follow_the_elpd_and_its_uncertainty() {
    let same = vec![vec![-1.0, -2.0, -3.0]; 4];
    let weights = pseudo_bma_weights(&same, &mut stream(1, &[])).unwrap();
    for weight in weights {
        assert_close(weight, 0.25, 1e-12);
    }
    // All terms differ by 0.01, so the bootstrap changes nothing: e / (1 + e) of 100 observations.
    let better: Vec<f64> = (0..100).map(|i| -0.1 * f64::from(i)).collect();
    let worse: Vec<f64> = better.iter().map(|term| term - 0.01).collect();
    let weights = pseudo_bma_weights(&[better.clone(), worse], &mut stream(1, &[])).unwrap();
    assert_close(weights[0], 1.0 / (1.0 + (-1.0_f64).exp()), 1e-12);
    // As good on average, by observations that are far apart: nobody knows.
    let turned: Vec<f64> = better.iter().rev().copied().collect();
    let weights = pseudo_bma_weights(&[better, turned], &mut stream(1, &[])).unwrap();
    assert!((weights[0] - 0.5).abs() < 0.06, "{weights:?}");
    assert!(pseudo_bma_weights(&[], &mut stream(1, &[])).is_err());
    assert!(pseudo_bma_weights(&[vec![0.0], vec![0.0, 1.0]], &mut stream(1, &[])).is_err());
    assert!(pseudo_bma_weights(&[vec![f64::NAN]], &mut stream(1, &[])).is_err());
}
