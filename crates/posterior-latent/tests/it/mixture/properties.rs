//! Properties of EM over many families.

use std::borrow::Borrow;

use posterior_dist::stream::stream;
use posterior_dist::{
    Bernoulli, Beta, Categorical, Conjugate, Density, Dirichlet, Exponential, Gamma, Mixture, Normal,
    NormalInverseGamma, Poisson, PriorDensity, Product,
};
use posterior_gaussian::{Gaussian, NormalInverseWishart};
use posterior_inference::em::EmOptions;
use posterior_latent::mixture::{MaximumLikelihood, MixtureProblem, MostProbable};
use posterior_latent::variational::Points;
use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_math::optimize::{LbfgsOptions, minimize};
use posterior_testkit::accuracy::{assert_close, assert_within};
use proptest::prelude::*;
use rand::RngExt;

use super::steps;

/// The objective of soft and of hard EM never falls, from random starts, with and without a prior.
fn climbs<F, P, X>(points: &[X], fixed: &F::Fixed, prior: P, components: usize, seed: u64)
where
    F: Conjugate<P>,
    P: PriorDensity<F> + Clone,
    X: Borrow<F::Point>,
{
    let points = Points::new(points);
    let options = EmOptions { max_iterations: 30, ..EmOptions::default() };
    let likely = MixtureProblem::<F, _, _>::new(&points, fixed.clone(), MaximumLikelihood).unwrap();
    // Without a prior a family may have no distribution for one point: that is an error of the start, not a
    // fall.
    if let Ok(start) = likely.random_start(components, &mut stream(seed, &[])) {
        let fitted = likely.fit(start.clone(), &options, &mut Silent).unwrap();
        assert!(fitted.report.falls.is_empty(), "{:?}", fitted.report);
        let last = *fitted.report.trace.last().unwrap();
        assert_close(likely.ln_likelihood(&fitted.model.mixture).unwrap(), last, 1e-12);
        let hard = likely.fit_hard(start, &options, &mut Silent).unwrap();
        assert!(hard.report.falls.is_empty(), "{:?}", hard.report);
    }
    climbs_with_prior(&points, fixed, prior, components, seed);
}

/// The same with a prior alone: the likelihood of Gaussian components on a line has no bound, and where it is
/// 10^16 times as long as it is wide its value is rounding.
fn climbs_with_prior<F, P, X>(
    points: &Points<'_, X>,
    fixed: &F::Fixed,
    prior: P,
    components: usize,
    seed: u64,
) where
    F: Conjugate<P>,
    P: PriorDensity<F> + Clone,
    X: Borrow<F::Point>,
{
    let options = EmOptions { max_iterations: 30, ..EmOptions::default() };
    let probable = MostProbable::new(prior, 1.5).unwrap();
    let probable = MixtureProblem::<F, _, _>::new(points, fixed.clone(), probable).unwrap();
    let start = probable.random_start(components, &mut stream(seed, &[1])).unwrap();
    let r = probable.responsibilities(&start).unwrap();
    for row in r.row_iter() {
        assert_within(row.sum(), 1.0, 1e-14);
    }
    for fitted in [
        probable.fit(start.clone(), &options, &mut Silent).unwrap(),
        probable.fit_hard(start, &options, &mut Silent).unwrap(),
    ] {
        assert!(fitted.report.falls.is_empty(), "{:?}", fitted.report);
        assert!(fitted.model.incidents.is_empty(), "a prior has a mode: {:?}", fitted.model.incidents);
    }
}

/// Data of many families, drawn with `seed`.
fn families_climb(seed: u64, components: usize, n: usize) {
    let mut rng = stream(seed, &[7]);
    let bits: Vec<Vec<bool>> = (0..n).map(|_| (0..4).map(|_| rng.random()).collect()).collect();
    let counts: Vec<u64> = (0..n).map(|_| rng.random_range(0..9)).collect();
    let labels: Vec<usize> = (0..n).map(|_| rng.random_range(0..3)).collect();
    let numbers: Vec<f64> = (0..n).map(|_| 4.0 * rng.random::<f64>()).collect();
    let pairs: Vec<Vec<f64>> = (0..n).map(|_| vec![rng.random(), rng.random()]).collect();
    let beta = Beta::new(1.5, 2.0).unwrap();
    climbs::<Product<Bernoulli>, _, _>(&bits, &vec![(); 4], Product::new(vec![beta; 4]), components, seed);
    let gamma = Gamma::shape_rate(2.0, 0.5).unwrap();
    climbs::<Poisson, _, _>(&counts, &(), gamma, components, seed);
    climbs::<Exponential, _, _>(&numbers, &(), gamma, components, seed);
    climbs::<Categorical, _, _>(&labels, &3, Dirichlet::symmetric(3, 1.5).unwrap(), components, seed);
    let normal = NormalInverseGamma::new(0.0, 0.1, 2.0, 0.5).unwrap();
    climbs::<Normal, _, _>(&numbers, &(), normal, components, seed);
    climbs::<Product<Normal>, _, _>(&pairs, &vec![(); 2], Product::new(vec![normal; 2]), components, seed);
    let wishart = NormalInverseWishart::new(&[0.0, 0.0], 0.1, &DMatrix::identity(2, 2), 4.0).unwrap();
    climbs_with_prior::<Gaussian, _, _>(&Points::new(&pairs), &2, wishart, components, seed);
}

/// A component shrinks onto one point, until it is narrower than numbers lie apart and its density is that of
/// rounding.
#[test]
fn no_component_is_narrower_than_rounding() {
    families_climb(12_909_927_155_832_450_993, 3, 6);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn objectives_never_fall(seed in any::<u64>(), components in 1_usize..4, n in 1_usize..25) {
        families_climb(seed, components, n);
    }
}

fn rates(weight: f64, a: f64, b: f64) -> Mixture<Poisson> {
    let distributions = vec![Poisson::new(a).unwrap(), Poisson::new(b).unwrap()];
    Mixture::from_weights(&[weight, 1.0 - weight], distributions).unwrap()
}

const COUNTS: [u64; 8] = [0, 1, 1, 2, 7, 9, 12, 3];

#[test]
fn permuted_labels_permute_the_answer() {
    let points = Points::new(&COUNTS);
    let problem = MixtureProblem::<Poisson, _, _>::new(&points, (), MaximumLikelihood).unwrap();
    let one = steps(&problem, rates(0.3, 1.0, 5.0), 20).unwrap();
    let other = steps(&problem, rates(0.7, 5.0, 1.0), 20).unwrap();
    for k in 0..2 {
        let (a, b) = (&one.model.mixture, &other.model.mixture);
        assert_close(a.components()[k].rate(), b.components()[1 - k].rate(), 1e-13);
        assert_close(a.weights().probabilities()[k], b.weights().probabilities()[1 - k], 1e-13);
    }
}

#[test]
fn weights_are_repetitions_and_copies_change_nothing() {
    let weights = [2.0, 1.0, 3.0, 1.0, 0.0, 2.0, 1.0, 1.0];
    let repeated: Vec<u64> =
        COUNTS.iter().zip(weights).flat_map(|(&count, times)| vec![count; times as usize]).collect();
    let points = Points::new(&COUNTS).weighted(&weights).unwrap();
    let fit = |points: &Points<'_, u64>| {
        let problem = MixtureProblem::<Poisson, _, _>::new(points, (), MaximumLikelihood).unwrap();
        steps(&problem, rates(0.3, 1.0, 5.0), 20).unwrap()
    };
    let (weighted, listed) = (fit(&points), fit(&Points::new(&repeated)));
    assert_close(weighted.report.trace[20], listed.report.trace[20], 1e-13);
    let twice = [repeated.clone(), repeated.clone()].concat();
    let doubled = fit(&Points::new(&twice));
    assert_close(doubled.report.trace[20], 2.0 * listed.report.trace[20], 1e-13);
    for other in [&listed, &doubled] {
        for k in 0..2 {
            let rate = |fit: &posterior_math::iteration::Fitted<_>| {
                let model: &posterior_latent::mixture::FittedMixture<Mixture<Poisson>> = &fit.model;
                model.mixture.components()[k].rate()
            };
            assert_close(rate(&weighted), rate(other), 1e-12);
        }
    }
}

/// One component is the family's own estimate.
#[test]
fn one_component_is_no_mixture() {
    let points = Points::new(&COUNTS);
    let problem = MixtureProblem::<Poisson, _, _>::new(&points, (), MaximumLikelihood).unwrap();
    let start = Mixture::from_weights(&[1.0], vec![Poisson::new(1.0).unwrap()]).unwrap();
    let fitted = steps(&problem, start, 1).unwrap();
    assert_close(fitted.model.mixture.components()[0].rate(), 35.0 / 8.0, 1e-15);
    let sum: f64 = COUNTS.iter().map(|count| fitted.model.mixture.components()[0].ln_pdf(count)).sum();
    assert_close(fitted.report.trace[1], sum, 1e-14);
}

/// The fixed point of MAP-EM is the optimum that L-BFGS finds of the same objective in free coordinates,
/// written down anew.
#[test]
fn the_fixed_point_is_the_optimum() {
    let points = Points::new(&COUNTS);
    let (shape, rate, alpha) = (2.0, 0.5, 1.5);
    let prior = MostProbable::new(Gamma::shape_rate(shape, rate).unwrap(), alpha).unwrap();
    let problem = MixtureProblem::<Poisson, _, _>::new(&points, (), prior).unwrap();
    let options = EmOptions { tolerance: 1e-15, max_iterations: 10_000, ..EmOptions::default() };
    let fitted = problem.fit(rates(0.5, 1.0, 8.0), &options, &mut Silent).unwrap();

    let ln_factorial = |count: u64| (1..=count).map(|i| (i as f64).ln()).sum::<f64>();
    let objective = |x: &[f64]| {
        let weight = 1.0 / (1.0 + (-x[0]).exp());
        let lambda = [x[1].exp(), x[2].exp()];
        let poisson =
            |k: usize, count: u64| (count as f64 * lambda[k].ln() - lambda[k] - ln_factorial(count)).exp();
        let data: f64 = COUNTS
            .iter()
            .map(|&count| (weight * poisson(0, count) + (1.0 - weight) * poisson(1, count)).ln())
            .sum();
        let gamma: f64 = lambda.iter().map(|l| (shape - 1.0) * l.ln() - rate * l).sum();
        -(data + gamma + (alpha - 1.0) * (weight.ln() + (1.0 - weight).ln()))
    };
    let with_gradient = |x: &[f64], gradient: &mut [f64]| {
        for i in 0..3 {
            let at = |step: f64| {
                let mut moved = x.to_vec();
                moved[i] += step;
                objective(&moved)
            };
            gradient[i] = (8.0 * (at(1e-4) - at(-1e-4)) - (at(2e-4) - at(-2e-4))) / 12e-4;
        }
        objective(x)
    };
    let best = minimize(with_gradient, &[0.3, 0.5, 2.0], &LbfgsOptions::default(), &mut Silent);
    let mixture = &fitted.model.mixture;
    let weight = 1.0 / (1.0 + (-best.model.point[0]).exp());
    assert_within(mixture.weights().probabilities()[0], weight, 1e-6);
    assert_close(mixture.components()[0].rate(), best.model.point[1].exp(), 1e-6);
    assert_close(mixture.components()[1].rate(), best.model.point[2].exp(), 1e-6);
}
