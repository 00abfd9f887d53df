//! First draws per seed, for every branch of every sampler. A difference here is a change of value for users.

use posterior_dist::{
    AliasTable, Bernoulli, Beta, BetaBinomial, BetaNegativeBinomial, BetaPrime, Binomial, Categorical,
    CumulativeTable, Dirichlet, DirichletMultinomial, DiscreteUniform, Gamma, Geometric, Hypergeometric,
    InverseGamma, InverseGaussian, Lomax, Mixture, Multinomial, NegativeBinomial, Normal, NormalGamma,
    NormalInverseGamma, Parametric, Pareto, Poisson, Truncated, VonMises, Weibull, gumbel_max::gumbel_max,
    stream::stream,
};
use rand::distr::Distribution;

/// The first draws with seed 42.
fn first<T>(distribution: &impl Distribution<T>, count: usize) -> Vec<T> {
    let mut rng = stream(42, &[]);
    (0..count).map(|_| distribution.sample(&mut rng)).collect()
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
fn draws_of_the_distributions_of_counts_are_pinned() {
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
    assert_eq!(seen, PINNED_DRAWS_OF_COUNTS);
}

#[test]
fn gumbels_are_pinned() {
    let mut rng = stream(42, &[]);
    let draws: Vec<_> = (0..12).filter_map(|_| gumbel_max(&[0.0, 0.5, 1.0], &mut rng)).collect();
    assert_eq!(draws, PINNED_GUMBELS);
}

#[test]
fn points_of_a_dirichlet_are_pinned() {
    // Below, at and above one, where the gammas are drawn in different ways; to 12 digits, as libraries
    // differ in ln.
    for (alpha, pinned) in [([0.2, 1.0, 3.0], PINNED_POINTS[0]), ([1e-3, 1e-2, 1e-3], PINNED_POINTS[1])] {
        let distribution = Dirichlet::new(&alpha).expect("positive");
        let ln_point = distribution.sample_ln(&mut stream(42, &[]));
        for (x, expected) in ln_point.iter().zip(pinned) {
            assert!((x - expected).abs() <= 1e-12 * expected.abs(), "{ln_point:?}");
        }
    }
}

/// One draw with seed 42, to 12 digits, as libraries differ in ln and exp.
#[track_caller]
fn pinned(name: &str, draw: &[f64], expected: &[f64]) {
    let close = |(x, e): (&f64, &f64)| (x - e).abs() <= 1e-12 * e.abs();
    let same = draw.len() == expected.len() && draw.iter().zip(expected).all(close);
    assert!(same, "{name}: {draw:?}");
}

#[test]
fn pairs_are_pinned() {
    let rng = || stream(42, &[]);
    let prior = NormalInverseGamma::new(1.0, 2.0, 3.0, 4.0).expect("valid");
    let (mean, variance) = prior.sample(&mut rng());
    let (same_mean, precision) = NormalGamma::from(prior).sample(&mut rng());
    pinned(
        "normal-gamma",
        &[mean, variance, same_mean, precision],
        &[-0.38092579787721736, 4.976333771009573, -0.38092579787721736, 0.20095115119199997],
    );
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
[[0, 12, 8], [2, 9, 9], [2, 5, 13]]";

const PINNED_DRAWS_OF_COUNTS: &str = "\
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

#[test]
fn positive_numbers_and_angles_are_pinned() {
    // To 12 digits, as libraries differ in ln. Each branch of each sampler once.
    let distributions: [(&str, [f64; 3]); 13] = PINNED_POSITIVE;
    let drawn = [
        first(&Gamma::shape_rate(2.5, 3.0).expect("positive"), 3),
        first(&Gamma::shape_rate(0.3, 3.0).expect("positive"), 3),
        first(&InverseGamma::new(2.5, 3.0).expect("positive"), 3),
        first(&Beta::new(2.0, 3.0).expect("positive"), 3),
        first(&Beta::new(0.5, 3.0).expect("positive"), 3),
        first(&Beta::new(0.05, 0.5).expect("positive"), 3),
        first(&Beta::new(0.05, 5.0).expect("positive"), 3),
        first(&Weibull::new(2.0, 3.0).expect("positive"), 3),
        first(&Pareto::new(3.0, 2.0).expect("positive"), 3),
        first(&Lomax::new(2.0, 3.0).expect("positive"), 3),
        first(&InverseGaussian::new(2.0, 3.0).expect("positive"), 3),
        first(&VonMises::new(2.0, 3.0).expect("valid"), 3),
        first(&BetaPrime::new(2.0, 3.0, 4.0).expect("positive"), 3),
    ];
    for ((name, pinned), draws) in distributions.iter().zip(&drawn) {
        for (x, expected) in draws.iter().zip(pinned) {
            assert!((x - expected).abs() <= 1e-12 * expected.abs(), "{name}: {drawn:?}");
        }
    }
}

const PINNED_POSITIVE: [(&str, [f64; 3]); 13] = [
    ("gamma", [0.18443834933053374, 0.37220970044621843, 0.7485529478606923]),
    ("gamma", [4.874749657068953e-9, 0.21274607461575118, 0.7923231581057373]),
    ("inverse gamma", [5.42186591687551, 2.6866575449300862, 1.335910843525397]),
    ("beta", [0.1233938672725061, 0.03020918211803544, 0.4067486492163176]),
    ("beta", [0.1326843138077784, 0.41571019316464847, 0.13933489446629144]),
    ("beta", [3.312594495204233e-20, 4.899097141443282e-41, 2.5615407860814552e-6]),
    ("beta", [1.0866364526684093e-43, 0.07271647236371209, 0.017758121446684254]),
    ("weibull", [1.3849873413481109, 1.1932940397226557, 0.23668329016484907]),
    ("pareto", [2.14725708290506, 2.1083087674753935, 2.004153861740835]),
    ("lomax", [0.3373543963292733, 0.24696482166778214, 0.009351040085418557]),
    ("inverse gaussian", [0.5801970681989352, 0.9927767267285721, 2.088484772472838]),
    ("von mises", [1.922710296056509, 2.7991312827301176, 1.6791973298321858]),
    ("beta prime", [0.8951431927245588, 1.345871499830087, 2.9701617902963546]),
];

#[test]
fn distributions_made_of_distributions_are_pinned() {
    let normal = |mean| Normal::mean_sd(mean, 1.0).expect("positive");
    let truncated = |low, high| Truncated::new(normal(0.0), low, high).expect("an interval");
    let mixture = Mixture::from_weights(&[1.0, 2.0], vec![normal(-5.0), normal(5.0)]).expect("two");
    let draws = [
        first(&truncated(30.0, f64::INFINITY), 2),
        first(&truncated(-1.0, 2.0), 2),
        first(&truncated(1.0, 1.001), 2),
        first(&mixture, 2),
    ];
    pinned("upper tail, both sides, narrow, mixture", &draws.concat(), &PINNED_WRAPPED);
}

const PINNED_WRAPPED: [f64; 8] = [
    30.00295945120709,
    30.003835542819438,
    -0.744532855202915,
    -0.6816531836924322,
    1.0000850115282753,
    1.0001087646901428,
    -6.106637222697137,
    -4.435529932579185,
];
