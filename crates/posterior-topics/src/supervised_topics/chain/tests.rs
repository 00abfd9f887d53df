//! The chain against enumeration and quadrature.

use posterior_math::special::{bivariate_normal_cdf, ln_multivariate_beta};
use posterior_testkit::significance::{LEVEL, chi_square_p_value};

use super::super::options::ResponsePrior;
use super::*;
use crate::lda::Concentration;

const STATES: usize = 64;
const ALPHA: [f64; 2] = [0.6, 1.1];
const BETA: f64 = 0.5;

/// Documents (0, 0, 1), (1, 2, 2) and one without words.
fn corpus() -> Corpus {
    let names = |n: usize| (0..n).map(|i| i.to_string()).collect();
    Corpus::from_rows(names(3), names(3), vec![vec![(0, 2), (1, 1)], vec![(1, 1), (2, 2)], vec![]]).unwrap()
}

/// p(W, Z) of a state, and the proportions of the second topic in both documents.
fn words_and_topics(state: usize) -> (f64, [f64; 2]) {
    let words = [0, 0, 1, 1, 2, 2];
    let (mut documents, mut topics) = ([ALPHA; 2], [[BETA; 3]; 2]);
    for (i, word) in words.into_iter().enumerate() {
        let k = state >> i & 1;
        documents[i / 3][k] += 1.0;
        topics[k][word] += 1.0;
    }
    let ln: f64 = documents.iter().map(|n| ln_multivariate_beta(n)).sum::<f64>()
        + topics.iter().map(|n| ln_multivariate_beta(n)).sum::<f64>();
    (ln.exp(), documents.map(|n| (n[1] - ALPHA[1]) / 3.0))
}

/// The covariance of the expected responses of both documents, for coefficients of variance `v`.
fn covariance(z: [f64; 2], v: f64) -> [f64; 3] {
    let product = |a: f64, b: f64| v * (a * b + (1.0 - a) * (1.0 - b));
    [product(z[0], z[0]), product(z[0], z[1]), product(z[1], z[1])]
}

/// p(y | Z) with coefficients integrated out, and the noise by quadrature over its logarithm.
fn gaussian(z: [f64; 2], y: [f64; 2], prior: &ResponsePrior) -> f64 {
    let (center, [shape, scale]) = (prior.center.unwrap(), prior.noise);
    let [a, b, c] = covariance(z, prior.variance);
    let step = 0.01;
    (-600..1200)
        .map(|i| {
            let ln_variance = f64::from(i) * step;
            let noise = ln_variance.exp();
            let (a, c) = (a + noise, c + noise);
            let (r, s) = (y[0] - center, y[1] - center);
            let determinant = a * c - b * b;
            let square = (c * r * r - 2.0 * b * r * s + a * s * s) / determinant;
            // The inverse gamma density of the variance, times the variance.
            (-0.5 * square - shape * ln_variance - scale / noise).exp() / determinant.sqrt()
        })
        .sum()
}

/// p(y | Z) of two binary responses: the probability of a quadrant.
fn binary(z: [f64; 2], y: [f64; 2], prior: &ResponsePrior) -> f64 {
    let [a, b, c] = covariance(z, prior.variance);
    let sign = |y: f64| 2.0 * y - 1.0;
    let correlation = b / ((1.0 + a) * (1.0 + c)).sqrt();
    bivariate_normal_cdf(0.0, 0.0, sign(y[0]) * sign(y[1]) * correlation)
}

/// The visits of a chain against the exact probabilities of topics given words and responses. False alarm:
/// one in a million seeds, if draws fifteen sweeps apart are independent.
fn check(
    family: ResponseFamily,
    responses: [f64; 3],
    prior: ResponsePrior,
    likelihood: impl Fn([f64; 2]) -> f64,
) {
    let corpus = corpus();
    let options = SupervisedTopicsOptions {
        family,
        topics: 2,
        alpha: Concentration::Asymmetric(ALPHA.to_vec()),
        beta: BETA,
        prior,
        seed: 2,
        ..SupervisedTopicsOptions::default()
    };
    let exact: Vec<f64> = (0..STATES)
        .map(|state| {
            let (words, z) = words_and_topics(state);
            words * likelihood(z)
        })
        .collect();
    let all: f64 = exact.iter().sum();
    let mut chain = SupervisedChain::new(&corpus, &responses, &options).unwrap();
    let (mut visits, draws) = ([0; STATES], 20_000);
    for _ in 0..draws {
        (0..15).for_each(|i| chain.sweep(i));
        let topics = chain.gibbs.assignment();
        visits[topics.iter().enumerate().map(|(i, &k)| usize::from(k) << i).sum::<usize>()] += 1;
    }
    let expected: Vec<f64> = exact.iter().map(|p| p / all * f64::from(draws)).collect();
    let p = chi_square_p_value(&visits, &expected);
    assert!(p > LEVEL, "{family:?}: p = {p}");
    // The response matters: without it, other probabilities.
    let without: Vec<f64> = (0..STATES).map(|state| words_and_topics(state).0).collect();
    let sum: f64 = without.iter().sum();
    let apart: f64 = without.iter().zip(&exact).map(|(a, b)| (a / sum - b / all).abs()).sum();
    assert!(apart > 0.1, "{apart}");
}

#[test]
fn topics_follow_their_exact_posterior_given_numbers() {
    let prior = ResponsePrior { center: Some(0.5), scale: Some(1.0), variance: 4.0, noise: [3.0, 0.6] };
    let y = [2.5, -1.0];
    check(ResponseFamily::Gaussian, [y[0], y[1], 7.0], prior, |z| gaussian(z, y, &prior));
}

#[test]
fn topics_follow_their_exact_posterior_given_yes_and_no() {
    let prior = ResponsePrior { variance: 9.0, ..ResponsePrior::default() };
    check(ResponseFamily::Binary, [1.0, 0.0, 1.0], prior, |z| binary(z, [1.0, 0.0], &prior));
    // What is not known, or is that of a document without words, is not used.
    let options = SupervisedTopicsOptions {
        family: ResponseFamily::Binary,
        topics: 2,
        ..SupervisedTopicsOptions::default()
    };
    let corpus = corpus();
    let chain = SupervisedChain::new(&corpus, &[1.0, f64::NAN, 0.0], &options).unwrap();
    assert_eq!(chain.places, [Some(0), None, None]);
}

/// Coefficients and noise given the topics are those of a conjugate regression: their means and variances by
/// quadrature over the noise.
#[test]
fn coefficients_given_topics_have_the_moments_of_quadrature() {
    let corpus = corpus();
    let prior = ResponsePrior { center: Some(0.5), scale: Some(1.0), variance: 4.0, noise: [3.0, 0.6] };
    let options = SupervisedTopicsOptions { topics: 2, prior, ..SupervisedTopicsOptions::default() };
    let y = [2.5, -1.0];
    let mut chain = SupervisedChain::new(&corpus, &[y[0], y[1], f64::NAN], &options).unwrap();
    let counts = |d: usize| chain.gibbs.document_counts(d).to_vec();
    let z = [0, 1].map(|d| f64::from(counts(d)[1]) / 3.0);
    // Mean of eta_1 given the noise: center + v Z' (v Z Z' + noise)^-1 (y - center); weights p(y | noise).
    let [a, b, c] = covariance(z, 4.0);
    let (mut weight, mut mean, mut variance) = (0.0, 0.0, 0.0);
    for i in -600..1200 {
        let ln_variance = f64::from(i) * 0.01;
        let noise = ln_variance.exp();
        let (a, c) = (a + noise, c + noise);
        let (r, s) = (y[0] - 0.5, y[1] - 0.5);
        let determinant = a * c - b * b;
        let square = (c * r * r - 2.0 * b * r * s + a * s * s) / determinant;
        let p = (-0.5 * square - 3.0 * ln_variance - 0.6 / noise).exp() / determinant.sqrt();
        let solved = [(c * r - b * s) / determinant, (a * s - b * r) / determinant];
        weight += p;
        mean += p * (0.5 + 4.0 * (z[0] * solved[0] + z[1] * solved[1]));
        variance += p * noise;
    }
    let (mean, variance) = (mean / weight, variance / weight);
    let draws = 40_000;
    let (mut eta, mut noise) = (Vec::new(), Vec::new());
    for _ in 0..draws {
        (0..5).for_each(|_| chain.response.draw(&chain.gibbs, &mut chain.rng));
        eta.push(chain.response.coefficients[1]);
        noise.push(chain.response.noise_sd.powi(2));
    }
    for (draws, exact) in [(eta, mean), (noise, variance)] {
        let count = draws.len() as f64;
        let found = draws.iter().sum::<f64>() / count;
        let sd = (draws.iter().map(|x| (x - found).powi(2)).sum::<f64>() / count).sqrt();
        assert!((found - exact).abs() < 6.0 * sd / count.sqrt(), "{found} {exact} {sd}");
    }
}
