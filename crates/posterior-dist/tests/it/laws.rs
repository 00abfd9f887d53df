//! The laws of the traits, for every type.

use posterior_dist::{
    Bernoulli, Binomial, Categorical, Dirichlet, DirichletMultinomial, Multinomial, MultinomialSize,
    stream::stream,
};
use posterior_math::log_space::softmax_in_place;
use posterior_testkit::law;
use proptest::prelude::*;
use rand::distr::Distribution;

use crate::compositions;

const OUTCOMES: [bool; 2] = [false, true];

#[test]
fn bernoulli_obeys_the_laws() {
    for success in [1e-12, 0.1, 0.5, 0.73, 1.0 - 1e-9] {
        let law = Bernoulli::new(success).expect("a probability");
        law::finite_support(&law, &OUTCOMES);
        law::univariate(&law, &[-1.0, -0.5, 0.0, 0.3, 1.0, 2.0]);
        law::masses(&law, &[(false, 0.0), (true, 1.0)]);
        law::exponential_family(&law, &OUTCOMES, 1e-12);
        let other = Bernoulli::new(0.4).expect("a probability");
        law::kl_divergence(&law, &other, Some(&OUTCOMES));
        law::bregman(&law, &other, 1e-12);
    }
    law::stats::<Bernoulli, bool>(&(), &[true, false, true, true]);
}

#[test]
fn categorical_obeys_the_laws() {
    for weights in [&[1.0, 2.0, 3.0, 4.0][..], &[0.0, 1.0, 0.0, 1e-9, 0.0], &[1.0]] {
        let law = Categorical::from_weights(weights).expect("weights");
        let points: Vec<usize> = (0..weights.len()).collect();
        law::finite_support(&law, &points);
        law::univariate(&law, &[-0.1, 0.0, 0.5, 1.0, 2.0, 3.9, 4.0, 7.0]);
        let masses: Vec<(usize, f64)> = points.iter().map(|&k| (k, k as f64)).collect();
        law::masses(&law, &masses);
        law::exponential_family(&law, &points, 1e-12);
        let other = Categorical::from_weights(&vec![1.0; weights.len()]).expect("weights");
        law::kl_divergence(&law, &other, Some(&points));
    }
    // Tails whose probability f64 cannot hold keep their logarithm.
    for ln_weights in [[0.0, -800.0, -801.0], [-801.0, -800.0, 0.0], [-50.0, 0.0, -50.0]] {
        let law = Categorical::from_ln_weights(&ln_weights).expect("finite");
        law::univariate(&law, &[-1.0, 0.0, 0.5, 1.0, 2.0]);
        law::masses(&law, &[(0, 0.0), (1, 1.0), (2, 2.0)]);
    }
    let p = Categorical::from_weights(&[1.0, 2.0, 3.0]).expect("weights");
    let q = Categorical::from_weights(&[3.0, 2.0, 0.1]).expect("weights");
    law::bregman(&p, &q, 1e-12);
    law::stats::<Categorical, usize>(&4, &[1, 3, 3, 0, 1]);
}

#[test]
fn binomial_obeys_the_laws() {
    for (trials, success) in [(1, 0.3), (10, 0.5), (200, 0.02)] {
        let law = Binomial::new(trials, success).expect("a probability");
        let points: Vec<u64> = (0..=trials).collect();
        law::finite_support(&law, &points);
        law::exponential_family(&law, &points, 1e-12);
    }
    law::stats::<Binomial, u64>(&10, &[3, 0, 10, 7]);
}

#[test]
fn multinomial_obeys_the_laws() {
    for (trials, weights) in [(6, [0.2, 0.5, 0.3]), (9, [0.01, 0.01, 0.98])] {
        let law = Multinomial::new(trials, Categorical::from_weights(&weights).expect("weights"));
        let points = compositions(3, trials);
        law::finite_support(&law, &points);
        law::exponential_family(&law, &points, 1e-12);
    }
    let size = MultinomialSize { trials: 6, categories: 3 };
    law::stats::<Multinomial, Vec<u64>>(&size, &compositions(3, 6));
}

#[test]
fn dirichlet_obeys_the_laws() {
    for alpha in [&[1.0, 2.0, 3.0][..], &[0.3, 0.7], &[40.0, 25.0, 3.0, 0.5]] {
        let law = Dirichlet::new(alpha).expect("positive");
        let mut rng = stream(5, &[]);
        let points: Vec<Vec<f64>> = (0..20).map(|_| law.sample(&mut rng)).collect();
        law::exponential_family(&law, &points, 1e-9);
        let other = Dirichlet::symmetric(alpha.len(), 1.5).expect("positive");
        law::kl_divergence::<_, Vec<f64>>(&law, &other, None);
        law::bregman(&law, &other, 1e-12);
        law::stats::<Dirichlet, Vec<f64>>(&alpha.len(), &points);
    }
}

#[test]
fn dirichlet_multinomial_sums_to_one() {
    for alpha in [[1.0, 2.0, 3.0], [0.01, 0.2, 1e-4], [1e6, 2e6, 3e6]] {
        let law = DirichletMultinomial::new(7, Dirichlet::new(&alpha).expect("positive"));
        law::finite_support(&law, &compositions(3, 7));
    }
}

#[test]
fn the_dirichlet_is_conjugate_to_the_categorical() {
    for alpha in [[1.0, 2.0, 3.0], [0.01, 0.2, 1e-4], [1e6, 2e6, 3e6]] {
        let prior = Dirichlet::new(&alpha).expect("positive");
        law::conjugate::<Categorical, _, usize>(&3, &prior, &[0, 2, 2, 1, 2, 0, 2]);
    }
}

proptest! {
    #[test]
    fn random_categoricals_obey_the_laws(mut ln_weights in prop::collection::vec(-20.0..20.0, 1..12)) {
        let law = Categorical::from_ln_weights(&ln_weights).expect("finite");
        let points: Vec<usize> = (0..ln_weights.len()).collect();
        law::finite_support(&law, &points);
        law::exponential_family(&law, &points, 1e-9);
        softmax_in_place(&mut ln_weights);
        let again = Categorical::from_weights(&ln_weights).expect("weights");
        law::kl_divergence(&law, &again, Some(&points));
        let numbers: Vec<f64> = points.iter().map(|&k| k as f64).collect();
        law::univariate(&again, &numbers);
    }

    #[test]
    fn random_priors_are_conjugate(
        alpha in prop::collection::vec((-3.0..4.0).prop_map(|e: f64| 10_f64.powf(e)), 3),
        data in prop::collection::vec(0_usize..3, 0..30),
    ) {
        let prior = Dirichlet::new(&alpha).expect("positive");
        law::conjugate::<Categorical, _, usize>(&3, &prior, &data);
    }

    #[test]
    fn a_dirichlet_comes_back_from_its_expectation(
        alpha in prop::collection::vec((-2.0..3.0).prop_map(|e: f64| 10_f64.powf(e)), 2..8),
    ) {
        use posterior_dist::ExponentialFamily;
        let law = Dirichlet::new(&alpha).expect("positive");
        let back = Dirichlet::from_expectation(&law.expectation()).expect("exists");
        for (&found, &a) in back.alpha().iter().zip(&alpha) {
            // The concentration is known to the rounding of E ln t, times itself.
            prop_assert!((found / a - 1.0).abs() < 1e-12 * (1.0 + law.total()), "{:?} {:?}", back, alpha);
        }
    }
}
