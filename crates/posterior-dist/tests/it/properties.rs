//! The checks of the traits, for every type.

use posterior_dist::{
    Bernoulli, Binomial, Categorical, Dirichlet, DirichletMultinomial, Multinomial, MultinomialSize,
    stream::stream,
};
use posterior_math::log_space::softmax_in_place;
use posterior_testkit::consistency;
use proptest::prelude::*;
use rand::distr::Distribution;

use crate::compositions;

const OUTCOMES: [bool; 2] = [false, true];

#[test]
fn bernoulli_is_consistent() {
    for success in [1e-12, 0.1, 0.5, 0.73, 1.0 - 1e-9] {
        let distribution = Bernoulli::new(success).expect("a probability");
        consistency::finite_support(&distribution, &OUTCOMES);
        consistency::univariate(&distribution, &[-1.0, -0.5, 0.0, 0.3, 1.0, 2.0]);
        consistency::masses(&distribution, &[(false, 0.0), (true, 1.0)]);
        consistency::exponential_family(&distribution, &OUTCOMES, 1e-12);
        let other = Bernoulli::new(0.4).expect("a probability");
        consistency::kl_divergence(&distribution, &other, Some(&OUTCOMES));
        consistency::bregman(&distribution, &other, 1e-12);
    }
    consistency::stats::<Bernoulli, bool>(&(), &[true, false, true, true]);
}

#[test]
fn categorical_is_consistent() {
    for weights in [&[1.0, 2.0, 3.0, 4.0][..], &[0.0, 1.0, 0.0, 1e-9, 0.0], &[1.0]] {
        let distribution = Categorical::from_weights(weights).expect("weights");
        let points: Vec<usize> = (0..weights.len()).collect();
        consistency::finite_support(&distribution, &points);
        consistency::univariate(&distribution, &[-0.1, 0.0, 0.5, 1.0, 2.0, 3.9, 4.0, 7.0]);
        let masses: Vec<(usize, f64)> = points.iter().map(|&k| (k, k as f64)).collect();
        consistency::masses(&distribution, &masses);
        consistency::exponential_family(&distribution, &points, 1e-12);
        let other = Categorical::from_weights(&vec![1.0; weights.len()]).expect("weights");
        consistency::kl_divergence(&distribution, &other, Some(&points));
    }
    // Tails whose probability f64 cannot hold keep their logarithm.
    for ln_weights in [[0.0, -800.0, -801.0], [-801.0, -800.0, 0.0], [-50.0, 0.0, -50.0]] {
        let distribution = Categorical::from_ln_weights(&ln_weights).expect("finite");
        consistency::univariate(&distribution, &[-1.0, 0.0, 0.5, 1.0, 2.0]);
        consistency::masses(&distribution, &[(0, 0.0), (1, 1.0), (2, 2.0)]);
    }
    let p = Categorical::from_weights(&[1.0, 2.0, 3.0]).expect("weights");
    let q = Categorical::from_weights(&[3.0, 2.0, 0.1]).expect("weights");
    consistency::bregman(&p, &q, 1e-12);
    consistency::stats::<Categorical, usize>(&4, &[1, 3, 3, 0, 1]);
}

#[test]
fn binomial_is_consistent() {
    for (trials, success) in [(1, 0.3), (10, 0.5), (200, 0.02)] {
        let distribution = Binomial::new(trials, success).expect("a probability");
        let points: Vec<u64> = (0..=trials).collect();
        consistency::finite_support(&distribution, &points);
        consistency::exponential_family(&distribution, &points, 1e-12);
    }
    consistency::stats::<Binomial, u64>(&10, &[3, 0, 10, 7]);
}

#[test]
fn multinomial_is_consistent() {
    for (trials, weights) in [(6, [0.2, 0.5, 0.3]), (9, [0.01, 0.01, 0.98])] {
        let distribution = Multinomial::new(trials, Categorical::from_weights(&weights).expect("weights"));
        let points = compositions(3, trials);
        consistency::finite_support(&distribution, &points);
        consistency::exponential_family(&distribution, &points, 1e-12);
    }
    let size = MultinomialSize { trials: 6, categories: 3 };
    consistency::stats::<Multinomial, Vec<u64>>(&size, &compositions(3, 6));
}

#[test]
fn dirichlet_is_consistent() {
    for alpha in [&[1.0, 2.0, 3.0][..], &[0.3, 0.7], &[40.0, 25.0, 3.0, 0.5]] {
        let distribution = Dirichlet::new(alpha).expect("positive");
        let mut rng = stream(5, &[]);
        let points: Vec<Vec<f64>> = (0..20).map(|_| distribution.sample(&mut rng)).collect();
        consistency::exponential_family(&distribution, &points, 1e-9);
        let other = Dirichlet::symmetric(alpha.len(), 1.5).expect("positive");
        consistency::kl_divergence::<_, Vec<f64>>(&distribution, &other, None);
        consistency::bregman(&distribution, &other, 1e-12);
        consistency::stats::<Dirichlet, Vec<f64>>(&alpha.len(), &points);
    }
}

#[test]
fn dirichlet_multinomial_sums_to_one() {
    for alpha in [[1.0, 2.0, 3.0], [0.01, 0.2, 1e-4], [1e6, 2e6, 3e6]] {
        let distribution = DirichletMultinomial::new(7, Dirichlet::new(&alpha).expect("positive"));
        consistency::finite_support(&distribution, &compositions(3, 7));
    }
}

#[test]
fn the_dirichlet_is_conjugate_to_the_categorical() {
    for alpha in [[1.0, 2.0, 3.0], [0.01, 0.2, 1e-4], [1e6, 2e6, 3e6]] {
        let prior = Dirichlet::new(&alpha).expect("positive");
        consistency::conjugate::<Categorical, _, usize>(&3, &prior, &[0, 2, 2, 1, 2, 0, 2]);
    }
}

proptest! {
    #[test]
    fn random_categoricals_are_consistent(mut ln_weights in prop::collection::vec(-20.0..20.0, 1..12)) {
        let distribution = Categorical::from_ln_weights(&ln_weights).expect("finite");
        let points: Vec<usize> = (0..ln_weights.len()).collect();
        consistency::finite_support(&distribution, &points);
        consistency::exponential_family(&distribution, &points, 1e-9);
        softmax_in_place(&mut ln_weights);
        let again = Categorical::from_weights(&ln_weights).expect("weights");
        consistency::kl_divergence(&distribution, &again, Some(&points));
        let numbers: Vec<f64> = points.iter().map(|&k| k as f64).collect();
        consistency::univariate(&again, &numbers);
    }

    #[test]
    fn random_priors_are_conjugate(
        alpha in prop::collection::vec((-3.0..4.0).prop_map(|e: f64| 10_f64.powf(e)), 3),
        data in prop::collection::vec(0_usize..3, 0..30),
    ) {
        let prior = Dirichlet::new(&alpha).expect("positive");
        consistency::conjugate::<Categorical, _, usize>(&3, &prior, &data);
    }

    #[test]
    fn a_dirichlet_comes_back_from_its_expectation(
        alpha in prop::collection::vec((-2.0..3.0).prop_map(|e: f64| 10_f64.powf(e)), 2..8),
    ) {
        use posterior_dist::ExponentialFamily;
        let distribution = Dirichlet::new(&alpha).expect("positive");
        let back = Dirichlet::from_expectation(&distribution.expectation()).expect("exists");
        for (&found, &a) in back.concentration().iter().zip(&alpha) {
            // The concentration is known to the rounding of E ln t, times itself.
            prop_assert!((found / a - 1.0).abs() < 1e-12 * (1.0 + distribution.total()), "{:?} {:?}", back, alpha);
        }
    }
}
