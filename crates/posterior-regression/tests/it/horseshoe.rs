//! The horseshoe prior: against integrals over its scale, and against another sampler.

use posterior_math::linalg::DMatrix;
use posterior_regression::glm::GlmData;
use posterior_regression::horseshoe::{linear, logistic};
use posterior_regression::linear::LinearData;
use posterior_regression::sampling::Run;

/// ln of the density of ln s, where s = τλ is a product of two half-Cauchy variables: 4/π² s ln s/(s² - 1).
fn ln_prior(ln_s: f64) -> f64 {
    let ratio =
        if ln_s.abs() < 1e-4 { 1.0 / (2.0 + 2.0 * ln_s * ln_s / 6.0) } else { ln_s / (2.0 * ln_s).exp_m1() };
    (4.0 / std::f64::consts::PI.powi(2) * ratio).ln() + ln_s
}

/// Mean and second moment of one coefficient, by the trapezoidal rule over ln s: given s it is Student's.
fn exact(xx: f64, xy: f64, yy: f64, degrees_of_freedom: f64) -> (f64, f64) {
    let (mut sum, mut first, mut second) = (0.0, 0.0, 0.0);
    for step in -4000..=4000 {
        let ln_s = f64::from(step) * 0.005;
        let variance = (2.0 * ln_s).exp();
        let rest = yy - variance * xy * xy / (1.0 + variance * xx);
        let ln_weight =
            ln_prior(ln_s) - 0.5 * (variance * xx).ln_1p() - 0.5 * degrees_of_freedom * (rest / yy).ln();
        let (weight, mean) = (ln_weight.exp(), variance * xy / (1.0 + variance * xx));
        let noise = rest / (degrees_of_freedom - 2.0);
        sum += weight;
        first += weight * mean;
        second += weight * (mean * mean + noise * variance / (1.0 + variance * xx));
    }
    (first / sum, second / sum)
}

#[test]
fn one_coefficient_has_the_moments_of_an_integral() {
    for (effect, weighted) in [(0.05, false), (0.6, false), (3.0, true)] {
        let design = DMatrix::from_fn(12, 1, |i, _| (1.7 * i as f64).sin() + 0.3);
        let y: Vec<f64> = (0..12).map(|i| 5.0 + effect * design[i] + (2.9 * i as f64).cos()).collect();
        let weights: Vec<f64> =
            (0..12).map(|i| if weighted { 0.5 + f64::from(i % 3) } else { 1.0 }).collect();
        let total: f64 = weights.iter().sum();
        let mean = |of: &dyn Fn(usize) -> f64| (0..12).map(|i| weights[i] * of(i)).sum::<f64>() / total;
        let (x_mean, y_mean) = (mean(&|i| design[i]), mean(&|i| y[i]));
        let xx = total * mean(&|i| (design[i] - x_mean).powi(2));
        let xy = total * mean(&|i| (design[i] - x_mean) * (y[i] - y_mean));
        let yy = total * mean(&|i| (y[i] - y_mean).powi(2));
        let (first, second) = exact(xx, xy, yy, 11.0);
        let data = LinearData::new(&design, &y).unwrap().with_weights(&weights).unwrap();
        let run = Run { draws: 20_000, seed: 3, ..Run::default() };
        let found = linear(&data, true, &run).unwrap();
        let slope = found.coefficients.marginal("x", |own| own[1]).unwrap();
        let sd = (second - first * first).sqrt();
        // 80,000 draws, of which some 10,000 are independent: an error of 0.01 standard deviations.
        assert!((slope.mean - first).abs() < 0.05 * sd, "{effect}: {} {first} {sd}", slope.mean);
        assert!((slope.sd / sd - 1.0).abs() < 0.05, "{effect}: {} {sd}", slope.sd);
        assert!(found.coefficients.warnings.is_empty(), "{:?}", found.coefficients.warnings);
        assert_eq!(found.noise_sds.len(), 80_000);
    }
}

/// More columns than rows take another way to the same coefficients: here columns of zeros.
#[test]
fn columns_of_zeros_change_the_prior_alone() {
    let narrow =
        DMatrix::from_fn(15, 14, |i, j| if j < 2 { ((i * (j + 3)) as f64 * 0.7).sin() } else { 0.0 });
    let y: Vec<f64> = (0..15).map(|i| 2.0 * narrow[(i, 0)] + 0.5 * (2.3 * i as f64).cos()).collect();
    let wide = narrow.clone().resize_horizontally(16, 0.0);
    let run = Run { draws: 8000, seed: 5, ..Run::default() };
    let mean = |design: &DMatrix<f64>| {
        let found = linear(&LinearData::new(design, &y).unwrap(), false, &run).unwrap();
        found.coefficients.marginal("x", |own| own[0]).unwrap()
    };
    let (narrow, wide) = (mean(&narrow), mean(&wide));
    assert!((narrow.mean - wide.mean).abs() < 0.1 * wide.sd, "{} {} {}", narrow.mean, wide.mean, wide.sd);
    assert!((narrow.sd / wide.sd - 1.0).abs() < 0.1, "{} {}", narrow.sd, wide.sd);
}

/// One coefficient of two classes, by an integral over the intercept, the coefficient and ln s.
#[test]
fn two_classes_have_the_moments_of_an_integral() {
    let x: Vec<f64> = (0..20).map(|i| (1.3 * f64::from(i)).sin()).collect();
    let y: Vec<f64> = x
        .iter()
        .enumerate()
        .map(|(i, x)| f64::from(u8::from(1.2 * x + (2.7 * i as f64).cos() > 0.0)))
        .collect();
    let design = DMatrix::from_fn(20, 2, |i, j| if j == 0 { 1.0 } else { x[i] });
    let ln_likelihood = |a: f64, b: f64| -> f64 {
        x.iter().zip(&y).map(|(x, y)| y * (a + b * x) - (a + b * x).exp().ln_1p()).sum()
    };
    // The prior of the coefficient: normal, averaged over ln s.
    let prior = |b: f64| -> f64 {
        (-400..=400)
            .map(|step| {
                let ln_s = f64::from(step) * 0.025;
                (ln_prior(ln_s) - ln_s - 0.5 * (b / ln_s.exp()).powi(2)).exp()
            })
            .sum()
    };
    let (mut sum, mut first, mut second) = (0.0, 0.0, 0.0);
    for step in -600..600 {
        // Between the points is 0, where the prior is infinite.
        let b = (f64::from(step) + 0.5) * 0.025;
        let own = prior(b);
        for place in -100..=100 {
            let a = f64::from(place) * 0.1;
            let weight = own * (ln_likelihood(a, b) - 0.5 * (a / 10.0).powi(2)).exp();
            sum += weight;
            first += weight * b;
            second += weight * b * b;
        }
    }
    let (mean, sd) = (first / sum, (second / sum - (first / sum).powi(2)).sqrt());
    let run = Run { draws: 10_000, seed: 1, ..Run::default() };
    let found = logistic(&GlmData::new(&design, &y).unwrap(), 10.0, &run).unwrap();
    let slope = found.marginal("x", |own| own[1]).unwrap();
    assert!((slope.mean - mean).abs() < 0.05 * sd, "{} {mean} {sd}", slope.mean);
    assert!((slope.sd / sd - 1.0).abs() < 0.05, "{} {sd}", slope.sd);
}

#[test]
fn what_cannot_be_is_refused() {
    let design = DMatrix::from_fn(4, 1, |i, _| i as f64);
    let run = Run { draws: 10, warm_up: 10, ..Run::default() };
    assert!(linear(&LinearData::new(&design, &[1.0; 4]).unwrap(), true, &run).is_err());
    let few = LinearData::new(&design, &[1.0, 2.0, 0.0, 4.0]).unwrap().with_weights(&[1.0, 1.0, 0.0, 0.0]);
    assert!(linear(&few.unwrap(), true, &run).is_err());
    let ones = DMatrix::from_element(4, 1, 1.0);
    assert!(logistic(&GlmData::new(&ones, &[0.0, 1.0, 0.0, 1.0]).unwrap(), 10.0, &run).is_err());
    assert!(logistic(&GlmData::new(&design, &[0.0, 2.0, 0.0, 1.0]).unwrap(), 10.0, &run).is_err());
}
