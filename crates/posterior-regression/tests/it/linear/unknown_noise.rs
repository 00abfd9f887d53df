//! Weights and noise variance together.

use posterior_dist::{Density, InverseGamma, NormalInverseGamma};
use posterior_gaussian::MultivariateT;
use posterior_math::linalg::{DMatrix, DVector};
use posterior_math::streaming::MeanVariance;
use posterior_regression::linear::{LinearData, NoisePrior, WeightPrior, unknown_noise};

use super::{all_close, case, close};

/// A constant feature: the normal-inverse-gamma pair, and its golden numbers.
#[test]
fn a_constant_is_the_conjugate_pair() {
    let x = [1.2, 0.7, 2.1, 1.6];
    let design = DMatrix::from_element(4, 1, 1.0);
    let data = LinearData::new(&design, &x).unwrap();
    let noise = NoisePrior::inverse_gamma(2.0, 1.0).unwrap();
    let posterior = unknown_noise(&data, &WeightPrior::isotropic(1, 1.0).unwrap(), noise).unwrap();
    close(posterior.ln_evidence().unwrap(), -6.044624134893626, 1e-14);
    let distribution = posterior.predict(&DMatrix::from_element(1, 1, 1.0)).unwrap();
    close(distribution.degrees_of_freedom, 8.0, 0.0);
    close(distribution.location[0], 1.12, 1e-15);
    close(distribution.scale[0].powi(2), 0.6942, 1e-14);
    let pair = NormalInverseGamma::new(0.0, 1.0, 2.0, 1.0).unwrap();
    let mut moments = MeanVariance::new();
    for x in x {
        moments.push(x);
    }
    close(posterior.ln_evidence().unwrap(), pair.ln_evidence(&moments), 1e-14);
}

/// p(y) is a multivariate t with scale (I + Φ S Φᵀ) b/a; and the chain rule: the predictive of the last row.
#[test]
fn the_evidence_is_a_multivariate_t() {
    for (rows, features) in [(1, 1), (6, 3), (3, 6), (12, 2)] {
        let case = case(11, rows, features);
        let data = LinearData::new(&case.design, &case.response).unwrap();
        let noise = NoisePrior::inverse_gamma(1.5, 0.7).unwrap();
        let posterior = unknown_noise(&data, &case.prior, noise).unwrap();
        let kernel =
            &case.design * &case.covariance * case.design.transpose() + DMatrix::identity(rows, rows);
        let location = &case.design * case.prior.mean();
        let distribution = MultivariateT::new(3.0, location.as_slice(), &(kernel * (0.7 / 1.5))).unwrap();
        close(posterior.ln_evidence().unwrap(), distribution.ln_pdf(&case.response), 1e-11);
        let first = case.design.rows(0, rows - 1).into_owned();
        let before = LinearData::new(&first, &case.response[..rows - 1]).unwrap();
        let before = unknown_noise(&before, &case.prior, noise).unwrap();
        let last = case.design.rows(rows - 1, 1).into_owned();
        let predicted =
            before.predict(&last).unwrap().distribution(0).unwrap().ln_pdf(&case.response[rows - 1]);
        close(before.ln_evidence().unwrap() + predicted, posterior.ln_evidence().unwrap(), 1e-11);
        let end = LinearData::new(&last, &case.response[rows - 1..]).unwrap();
        let after = before.update(&end).unwrap();
        all_close(after.mean().iter(), posterior.mean().iter(), 1e-9);
        close(after.noise().scale(), posterior.noise().scale(), 1e-9);
        close(after.ln_evidence().unwrap(), posterior.ln_evidence().unwrap(), 1e-10);
    }
}

/// Flat weights and flat ln σ: the t statistics of textbooks, on R's `cars` of which summary(lm(dist ~
/// speed)) prints -17.5791 (6.7584), 3.9324 (0.4155), residual standard error 15.38 on 48 degrees of freedom.
#[test]
fn flat_priors_are_least_squares() {
    let speed = [
        4, 4, 7, 7, 8, 9, 10, 10, 10, 11, 11, 12, 12, 12, 12, 13, 13, 13, 13, 14, 14, 14, 14, 15, 15, 15, 16,
        16, 17, 17, 17, 18, 18, 18, 18, 19, 19, 19, 20, 20, 20, 20, 20, 22, 23, 24, 24, 24, 24, 25,
    ];
    let distance = [
        2, 10, 4, 22, 16, 10, 18, 26, 34, 17, 28, 14, 20, 24, 28, 26, 34, 34, 46, 26, 36, 60, 80, 20, 26, 54,
        32, 40, 32, 40, 50, 42, 56, 76, 84, 36, 46, 68, 32, 48, 52, 56, 64, 66, 54, 70, 92, 93, 120, 85,
    ];
    let design = DMatrix::from_fn(50, 2, |i, j| if j == 0 { 1.0 } else { f64::from(speed[i]) });
    let response = distance.map(f64::from);
    let data = LinearData::new(&design, &response).unwrap();
    let fit = unknown_noise(&data, &WeightPrior::flat(2), NoisePrior::flat_ln()).unwrap();
    assert_eq!(fit.degrees_of_freedom(), 48.0);
    let scales: Vec<f64> = fit.weights().unwrap().scale().diagonal().map(f64::sqrt).iter().copied().collect();
    for (found, printed) in
        [(fit.mean()[0], -17.5791), (fit.mean()[1], 3.9324), (scales[0], 6.7584), (scales[1], 0.4155)]
    {
        assert!((found - printed).abs() < 5.01e-5, "{found} and {printed}");
    }
    assert!(((fit.noise().scale() / fit.noise().shape()).sqrt() - 15.38).abs() < 5e-3);
    let lines = fit.coefficients().unwrap();
    assert_eq!(lines[1].name, "w1");
    // 3.9324 ± 1.677224 · 0.4155, with the quantile of t with 48 degrees of freedom.
    assert!((lines[1].q95 - (3.9324 + 1.677224 * 0.4155)).abs() < 2e-4);
}

#[test]
fn leave_one_out_is_to_leave_one_out() {
    let case = case(13, 10, 3);
    let weights: Vec<f64> = (0..10).map(|i| 0.5 + 0.2 * f64::from(i)).collect();
    let data = LinearData::new(&case.design, &case.response).unwrap();
    let all = |weights: &[f64]| {
        let data = data.with_weights(weights).unwrap();
        unknown_noise(&data, &WeightPrior::flat(3), NoisePrior::flat_ln()).unwrap()
    };
    let left = all(&weights).leave_one_out(&data.with_weights(&weights).unwrap()).unwrap();
    for row in 0..10 {
        let mut others = weights.clone();
        others[row] = 0.0;
        let without = all(&others);
        let distribution = without.latent(&case.design.rows(row, 1).into_owned()).unwrap();
        let unit = without.noise().scale() / without.noise().shape();
        close(left.degrees_of_freedom, distribution.degrees_of_freedom, 1e-14);
        close(left.location[row], distribution.location[0], 1e-11);
        close(left.scale[row].powi(2), distribution.scale[0].powi(2) + unit / weights[row], 1e-11);
    }
}

/// 20 000 draws: the means of weights, their squares and of the noise within 4.5 standard errors; false alarm
/// in 1 of 20 000.
#[test]
fn draws_have_the_moments() {
    let case = case(14, 30, 2);
    let data = LinearData::new(&case.design, &case.response).unwrap();
    let fit = unknown_noise(&data, &WeightPrior::flat(2), NoisePrior::flat_ln()).unwrap();
    let mut rng = posterior_dist::stream::stream(3, &[]);
    let draws: Vec<(DVector<f64>, f64)> = (0..20_000).map(|_| fit.sample(&mut rng)).collect();
    let distribution: InverseGamma = fit.noise();
    let expected = distribution.scale() / (distribution.shape() - 1.0);
    let variance = fit.relative_covariance()[(0, 0)] * expected;
    let check = |values: Vec<f64>, mean: f64| {
        let mut moments = MeanVariance::new();
        for &value in &values {
            moments.push(value);
        }
        let error = (moments.variance() / values.len() as f64).sqrt();
        assert!((moments.mean() - mean).abs() < 4.5 * error, "{} and {mean}", moments.mean());
    };
    check(draws.iter().map(|(w, _)| w[0]).collect(), fit.mean()[0]);
    check(draws.iter().map(|(w, _)| (w[0] - fit.mean()[0]).powi(2)).collect(), variance);
    check(draws.iter().map(|(_, noise)| *noise).collect(), expected);
}

#[test]
fn noise_without_a_distribution_is_refused() {
    let design = DMatrix::from_row_slice(2, 2, &[1.0, 0.0, 1.0, 1.0]);
    let data = LinearData::new(&design, &[1.0, 2.0]).unwrap();
    assert!(unknown_noise(&data, &WeightPrior::flat(2), NoisePrior::flat_ln()).is_err());
    let line = DMatrix::from_element(3, 1, 1.0);
    let exact = LinearData::new(&line, &[2.0; 3]).unwrap();
    assert!(unknown_noise(&exact, &WeightPrior::flat(1), NoisePrior::flat_ln()).is_err());
    assert!(NoisePrior::inverse_gamma(0.0, 1.0).is_err());
    assert!(NoisePrior::inverse_gamma(1.0, f64::NAN).is_err());
}
