//! Evidences that are known, by bridges.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_dist::stream::stream;
use posterior_dist::target::{FromFn, Target};
use posterior_gaussian::Gaussian;
use posterior_math::linalg::{DMatrix, DVector};
use posterior_math::special::{LN_TAU, ln_beta, ln_gamma};
use posterior_sampling::bridge::{BridgeOptions, bridge_sampling};
use posterior_sampling::metropolis::AdaptiveWalk;
use posterior_sampling::{Draws, Error, Run, Start};
use rand::Rng;
use rand::distr::Distribution;
use rand_distr::{Beta, StandardNormal};

fn names(dim: usize) -> Vec<String> {
    (0..dim).map(|i| format!("x[{i}]")).collect()
}

/// The posterior of the coefficients of y = X b + noise with b ~ N(0, 4 I) and noise of variance 0.5: its
/// unnormalised density, itself, and ln of the evidence as a dense Gaussian density of y.
fn regression(dim: usize, rows: usize) -> (impl Target, Gaussian, f64) {
    let x = DMatrix::from_fn(rows, dim, |i, j| ((i + 1) as f64 * (j + 1) as f64 * 0.7).sin());
    let y = DVector::from_fn(rows, |i, _| (i as f64 * 0.3).cos() * 2.0 + 0.1 * i as f64);
    let precision = x.tr_mul(&x) / 0.5 + DMatrix::identity(dim, dim) / 4.0;
    let covariance = precision.clone().cholesky().unwrap().inverse();
    let mean = &covariance * x.tr_mul(&y) / 0.5;
    let dense = &x * x.transpose() * 4.0 + DMatrix::identity(rows, rows) * 0.5;
    let factor = dense.clone().cholesky().unwrap();
    let ln_determinant = 2.0 * factor.l().diagonal().map(f64::ln).sum();
    let ln_evidence = -0.5 * (y.dot(&factor.solve(&y)) + ln_determinant + rows as f64 * LN_TAU);
    let density = FromFn::new(dim, move |b: &[f64]| {
        let b = DVector::from_column_slice(b);
        let residual = &y - &x * &b;
        -0.5 * (residual.norm_squared() / 0.5 + rows as f64 * (LN_TAU + 0.5_f64.ln()))
            - 0.5 * (b.norm_squared() / 4.0 + dim as f64 * (LN_TAU + 4_f64.ln()))
    });
    (density, Gaussian::new(mean.as_slice(), &covariance).unwrap(), ln_evidence)
}

#[test]
fn the_evidence_of_a_regression_is_the_dense_one() {
    for (dim, rows) in [(1, 8), (4, 20), (12, 30)] {
        let (target, posterior, exact) = regression(dim, rows);
        let mut rng = stream(3, &[dim as u64]);
        let chains: Vec<Vec<f64>> =
            (0..4).map(|_| (0..500).flat_map(|_| posterior.sample(&mut rng)).collect()).collect();
        let draws = Draws::new(names(dim), chains).unwrap();
        let bridge = bridge_sampling(&target, &draws, &BridgeOptions::default(), &mut rng).unwrap();
        assert!((bridge.ln_evidence - exact).abs() < 4.0 * bridge.standard_error, "{bridge:?} {exact}");
        assert!(bridge.standard_error < 0.02, "{bridge:?}");
        assert_eq!((bridge.draws, bridge.proposals, bridge.rejected), (1000, 1000, 0));
    }
}

/// ln p of the logit of a proportion with a Beta(a, b) density times its factor: the integral is e³.
fn logit_beta(a: f64, b: f64) -> FromFn<impl Fn(&[f64]) -> f64> {
    let constant = 3.0 - ln_beta(a, b);
    FromFn::new(1, move |x: &[f64]| constant - a * (-x[0]).exp().ln_1p() - b * x[0].exp().ln_1p())
}

/// How often intervals of two standard errors hold the truth: 95 % nominally, and a standard deviation of
/// 1.3 % for 300 runs.
fn coverage(
    runs: u64,
    exact: f64,
    target: &impl Target,
    draws: impl Fn(&mut rand_pcg::Pcg64) -> Draws,
    proposals: Option<usize>,
) -> (f64, f64) {
    let (mut held, mut squares) = (0_u32, 0.0);
    for run in 0..runs {
        let mut rng = stream(7, &[run]);
        let options = BridgeOptions { proposals };
        let bridge = bridge_sampling(target, &draws(&mut rng), &options, &mut rng).unwrap();
        let z = (bridge.ln_evidence - exact) / bridge.standard_error;
        held += u32::from(z.abs() < 1.96);
        squares += z * z;
    }
    (f64::from(held) / runs as f64, squares / runs as f64)
}

#[test]
fn errors_of_independent_draws_are_what_they_say() {
    let target = logit_beta(2.5, 1.2);
    let distribution = Beta::new(2.5, 1.2).unwrap();
    let draws = |rng: &mut rand_pcg::Pcg64| {
        let logit = |p: f64| (p / (1.0 - p)).ln();
        let chain = (0..400).map(|_| logit(distribution.sample(rng))).collect();
        Draws::new(names(1), vec![chain]).unwrap()
    };
    for proposals in [None, Some(50), Some(2000)] {
        let (held, squares) = coverage(300, 3.0, &target, draws, proposals);
        assert!((0.91..=0.985).contains(&held), "{proposals:?} {held}");
        assert!((0.8..=1.25).contains(&squares), "{proposals:?} {squares}");
    }
}

/// Of chains with an autocorrelation of 0.9, errors that took draws for independent would hold half as often.
#[test]
fn errors_regard_autocorrelation() {
    let target = FromFn::new(2, |x: &[f64]| {
        -0.5 * (x[0] * x[0] + x[1] * x[1]) - LN_TAU - 1.0 + (0.8 * x[0].tanh()).ln_1p()
    });
    // exp of it integrates to e⁻¹: tanh is odd. By a chain that accepts or refuses an autoregressive step.
    let chain = |rng: &mut rand_pcg::Pcg64| {
        let mut x = [0.0_f64; 2];
        let mut rows = Vec::new();
        for step in 0..2200 {
            let next = x.map(|x| {
                let noise: f64 = StandardNormal.sample(rng);
                0.95 * x + (1.0_f64 - 0.95 * 0.95).sqrt() * noise
            });
            let ratio = (1.0 + 0.8 * next[0].tanh()) / (1.0 + 0.8 * x[0].tanh());
            if uniform(rng) < ratio {
                x = next;
            }
            if step >= 200 {
                rows.extend(x);
            }
        }
        rows
    };
    let draws = |rng: &mut rand_pcg::Pcg64| Draws::new(names(2), vec![chain(rng), chain(rng)]).unwrap();
    let (held, squares) = coverage(200, -1.0, &target, draws, Some(4000));
    assert!((0.89..=0.99).contains(&held), "{held}");
    assert!((0.7..=1.5).contains(&squares), "{squares}");
}

fn uniform<R: Rng + ?Sized>(rng: &mut R) -> f64 {
    rand::distr::StandardUniform.sample(rng)
}

#[test]
fn chains_of_counts_have_their_evidence() {
    // Counts 3, 7, 4 with a Gamma(2, 0.5) rate, in the logarithm of the rate: far from normal in none of it.
    let (a, b, sum, n) = (2.0_f64, 0.5_f64, 14.0, 3.0);
    let factorials: f64 = [3.0, 7.0, 4.0].iter().map(|y| ln_gamma(y + 1.0)).sum();
    let exact = a * b.ln() - ln_gamma(a) + ln_gamma(a + sum) - (a + sum) * (b + n).ln() - factorials;
    let target = FromFn::new(1, |x: &[f64]| {
        a * b.ln() - ln_gamma(a) - factorials + (a + sum) * x[0] - (b + n) * x[0].exp()
    });
    let run = Run { seed: 4, draws: 2000, ..Run::default() };
    let sampled = run.sample(&target, &AdaptiveWalk::default(), &Start::default()).unwrap();
    let options = BridgeOptions::default();
    let bridge = bridge_sampling(&target, &sampled.draws, &options, &mut stream(5, &[])).unwrap();
    assert!((bridge.ln_evidence - exact).abs() < 4.0 * bridge.standard_error, "{bridge:?} {exact}");
    assert!(bridge.standard_error < 0.02 && bridge.effective_draws < 4000.0, "{bridge:?}");
    let (difference, error) = bridge.ln_bayes_factor(&bridge);
    assert!(difference == 0.0 && error > bridge.standard_error);
}

#[test]
fn a_posterior_that_is_normal_up_to_bounds_is_bridged() {
    // Half of the proposals are outside of the support.
    let target = FromFn::new(1, |x: &[f64]| if x[0] > 0.0 { -x[0] * 4.0 } else { f64::NEG_INFINITY });
    let mut rng = stream(9, &[]);
    let chain = (0..4000).map(|_| -uniform(&mut rng).ln() / 4.0).collect();
    let draws = Draws::new(names(1), vec![chain]).unwrap();
    let bridge = bridge_sampling(&target, &draws, &BridgeOptions::default(), &mut rng).unwrap();
    assert!((bridge.ln_evidence + 4_f64.ln()).abs() < 4.0 * bridge.standard_error, "{bridge:?}");
    // A density that is huge or tiny is no matter.
    let shifted = FromFn::new(1, |x: &[f64]| if x[0] > 0.0 { -x[0] * 4.0 - 1e5 } else { f64::NEG_INFINITY });
    let again = bridge_sampling(&shifted, &draws, &BridgeOptions::default(), &mut stream(1, &[])).unwrap();
    assert!((again.ln_evidence + 1e5 + 4_f64.ln()).abs() < 4.0 * again.standard_error, "{again:?}");
}

#[test]
fn what_cannot_be_bridged_is_refused() {
    let target = FromFn::new(1, |x: &[f64]| -x[0] * x[0]);
    let mut rng = stream(9, &[]);
    let draws = |rows: Vec<f64>| Draws::new(names(1), vec![rows]).unwrap();
    let options = BridgeOptions::default();
    let mut refused = |target: &dyn Target, rows: Vec<f64>, options: &BridgeOptions| -> Error {
        bridge_sampling(target, &draws(rows), options, &mut rng).unwrap_err()
    };
    let good: Vec<f64> = (0..40).map(|i| (f64::from(i) * 0.7).sin()).collect();
    refused(&target, good[..23].to_vec(), &options);
    refused(&target, vec![0.5; 40], &options);
    refused(&target, good.clone(), &BridgeOptions { proposals: Some(1) });
    let wide = FromFn::new(2, |x: &[f64]| -x[0] * x[0]);
    refused(&wide, good.clone(), &options);
    let narrow = FromFn::new(1, |x: &[f64]| if x[0] > 0.0 { 0.0 } else { f64::NEG_INFINITY });
    refused(&narrow, good, &options);
}
