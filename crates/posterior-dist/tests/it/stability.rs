//! First draws per seed, for every branch of every sampler. A difference here is a change of value for users.

use posterior_dist::{
    AliasTable, Bernoulli, BetaBinomial, BetaNegativeBinomial, Binomial, Categorical, CumulativeTable,
    Dirichlet, DirichletMultinomial, DiscreteUniform, Geometric, Hypergeometric, Multinomial,
    NegativeBinomial, Parametric, Poisson, gumbel_max::gumbel_max, stream::stream,
};
use rand::distr::Distribution;

/// The first draws with seed 42.
fn first<T>(law: &impl Distribution<T>, count: usize) -> Vec<T> {
    let mut rng = stream(42, &[]);
    (0..count).map(|_| law.sample(&mut rng)).collect()
}

#[test]
fn counts_and_categories_are_pinned() {
    let weights = [1.0, 2.0, 3.0, 4.0];
    let categorical = Categorical::from_weights(&weights).expect("weights");
    let binomial = |trials, success| Binomial::new(trials, success).expect("a probability");
    let seen = format!(
        "{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}",
        first(&Bernoulli::new(0.3).expect("a probability"), 8),
        first(&categorical, 12),
        first(&CumulativeTable::from_weights(&weights).expect("weights"), 12),
        first(&AliasTable::from_weights(&weights).expect("weights"), 12),
        first(&binomial(20, 0.1), 12),
        first(&binomial(1000, 0.4), 6),
        first(&binomial(1000, 0.9), 6),
        first(&Multinomial::new(20, categorical), 3),
        first(&DirichletMultinomial::new(20, Dirichlet::new(&[0.5, 1.0, 3.0]).expect("positive")), 3),
    );
    assert_eq!(seen, PINNED_COUNTS);
}

#[test]
fn draws_of_the_laws_of_counts_are_pinned() {
    fn draws<D: Parametric + Distribution<u64>>(parameters: &[f64]) -> Vec<u64> {
        first(&D::from_parameters(parameters).expect("valid"), 6)
    }
    let seen = format!(
        "{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}",
        draws::<Poisson>(&[4.0]),
        draws::<Poisson>(&[1000.0]),
        draws::<Geometric>(&[0.1]),
        draws::<NegativeBinomial>(&[0.5, 0.1]),
        draws::<NegativeBinomial>(&[20.0, 0.3]),
        draws::<Hypergeometric>(&[1000.0, 300.0, 100.0]),
        draws::<BetaBinomial>(&[20.0, 0.5, 2.0]),
        draws::<BetaNegativeBinomial>(&[2.0, 3.0, 4.0]),
        draws::<DiscreteUniform>(&[1.0, 6.0]),
    );
    assert_eq!(seen, PINNED_LAWS_OF_COUNTS);
}

#[test]
fn gumbels_are_pinned() {
    let mut rng = stream(42, &[]);
    let draws: Vec<_> = (0..12).filter_map(|_| gumbel_max(&[0.0, 0.5, 1.0], &mut rng)).collect();
    assert_eq!(draws, PINNED_GUMBELS);
}

#[test]
fn points_of_a_dirichlet_are_pinned() {
    // Below, at and above one, where the gammas are drawn in different ways; to 12 digits, as libraries differ in ln.
    for (alpha, pinned) in [([0.2, 1.0, 3.0], PINNED_POINTS[0]), ([1e-3, 1e-2, 1e-3], PINNED_POINTS[1])] {
        let law = Dirichlet::new(&alpha).expect("positive");
        let ln_point = law.sample_ln(&mut stream(42, &[]));
        for (x, expected) in ln_point.iter().zip(pinned) {
            assert!((x - expected).abs() <= 1e-12 * expected.abs(), "{ln_point:?}");
        }
    }
}

const PINNED_COUNTS: &str = "\
[true, true, true, false, false, false, false, false]
[0, 1, 0, 3, 2, 3, 3, 3, 3, 2, 3, 3]
[0, 1, 0, 3, 2, 3, 3, 3, 3, 2, 3, 3]
[1, 1, 3, 2, 1, 3, 3, 2, 0, 3, 1, 3]
[0, 0, 0, 2, 2, 3, 3, 4, 5, 2, 4, 3]
[400, 381, 400, 367, 398, 411]
[899, 910, 897, 880, 883, 899]
[[0, 2, 3, 15], [2, 4, 7, 7], [3, 7, 7, 3]]
[[0, 12, 8], [4, 8, 8], [7, 4, 9]]";

const PINNED_LAWS_OF_COUNTS: &str = "\
[1, 0, 11, 5, 5, 2]
[948, 972, 1001, 1031, 1038, 1084]
[2, 1, 0, 20, 18, 18]
[0, 13, 5, 4, 25, 1]
[26, 54, 81, 60, 53, 56]
[34, 42, 31, 28, 31, 36]
[0, 9, 1, 3, 0, 3]
[11, 1, 10, 1, 8, 7]
[1, 1, 1, 4, 4, 5]";

const PINNED_GUMBELS: [usize; 12] = [1, 2, 2, 1, 0, 2, 0, 2, 0, 1, 2, 1];

const PINNED_POINTS: [[f64; 3]; 2] = [
    [-27.772601383584067, -0.815270800097047, -0.584327712254399],
    [-4664.40828610127, -5.970533774116715e-5, -9.726118984683055],
];
