//! Truncated Dirichlet and Pitman-Yor processes.

use posterior_dist::{Density, Gamma, Normal, NormalGamma, PitmanYor, Poisson, stream::stream};
use posterior_inference::variational::AscentOptions;
use posterior_latent::variational::{BayesianMixture, MixtureAscent, Points, WeightFactor};
use posterior_math::iteration::Silent;
use posterior_math::log_space::ln_sum_exp;
use posterior_math::special::ln_gamma;
use proptest::prelude::*;

use super::{climb, ln_evidence};

const NUMBERS: [f64; 7] = [-3.0, -2.8, -3.3, 0.1, 4.0, 4.4, 4.1];

fn prior() -> NormalGamma {
    NormalGamma::new(0.0, 0.1, 1.0, 0.3).unwrap()
}

/// ln Π B(1 - d + N_k, θ + k d + N_{>k}) / B(1 - d, θ + k d) over all pieces but the last.
fn ln_sticks(counts: &[f64], discount: f64, theta: f64) -> f64 {
    let ln_beta = |a: f64, b: f64| ln_gamma(a) + ln_gamma(b) - ln_gamma(a + b);
    let piece = |k: usize| {
        let (a, b) = (1.0 - discount, theta + (k as f64 + 1.0) * discount);
        ln_beta(a + counts[k], b + counts[k + 1..].iter().sum::<f64>()) - ln_beta(a, b)
    };
    (0..counts.len() - 1).map(piece).sum()
}

#[test]
fn bounds_are_below_the_evidence_of_seven_points() {
    let points = Points::new(&NUMBERS);
    let borrowed: Vec<&f64> = NUMBERS.iter().collect();
    for (discount, theta) in [(0.0, 0.5), (0.0, 3.0), (0.4, 1.0), (0.7, -0.3)] {
        let process = PitmanYor::new(discount, theta).unwrap();
        for truncation in [1, 2, 3] {
            let ln_prior = |counts: &[f64]| ln_sticks(counts, discount, theta);
            let exact = ln_evidence::<Normal, _>(&prior(), &(), &borrowed, truncation, ln_prior);
            let model: BayesianMixture<Normal, _> =
                BayesianMixture::process(process, truncation, prior(), ()).unwrap();
            let problem = MixtureAscent::new(&model, &points).unwrap();
            let mut q = problem.random_start(&mut stream(5, &[truncation as u64])).unwrap();
            let bound = climb(&problem, &mut q, 40);
            assert!(bound <= exact + 1e-12 * exact.abs(), "{bound} is above {exact}");
            assert!(truncation > 1 || (bound - exact).abs() < 1e-12 * exact.abs());
        }
    }
}

#[test]
fn a_learned_concentration_is_below_its_evidence_and_follows_the_data() {
    // p(x) = ∫ p(x | α) p(α) dα by the trapezoidal rule in ln α, which converges geometrically.
    let distribution = Gamma::shape_rate(2.0, 1.5).unwrap();
    let borrowed: Vec<&f64> = NUMBERS.iter().collect();
    let grid: Vec<f64> = (0..240).map(|i| -12.0 + f64::from(i) * 0.0625).collect();
    let ln_prior = |counts: &[f64]| {
        let term = |&ln: &f64| {
            distribution.ln_pdf(&ln.exp()) + ln + ln_sticks(counts, 0.0, ln.exp()) + 0.0625_f64.ln()
        };
        ln_sum_exp(&grid.iter().map(term).collect::<Vec<_>>())
    };
    assert!((ln_prior(&[0.0, 0.0, 0.0])).abs() < 1e-10);
    let exact = ln_evidence::<Normal, _>(&prior(), &(), &borrowed, 3, ln_prior);
    let model: BayesianMixture<Normal, _> =
        BayesianMixture::learning_concentration(distribution, 3, prior(), ()).unwrap();
    let points = Points::new(&NUMBERS);
    let problem = MixtureAscent::new(&model, &points).unwrap();
    let mut q = problem.random_start(&mut stream(5, &[])).unwrap();
    let bound = climb(&problem, &mut q, 60);
    assert!(bound < exact && bound > exact - 5.0, "{bound} against {exact}");

    let concentration = |counts: &[u64]| {
        let model: BayesianMixture<Poisson, _> = BayesianMixture::learning_concentration(
            distribution,
            12,
            Gamma::shape_rate(1.0, 0.01).unwrap(),
            (),
        )
        .unwrap();
        let points = Points::new(counts);
        let problem = MixtureAscent::new(&model, &points).unwrap();
        let best = problem.fit_best(4, 1, &AscentOptions::default()).unwrap();
        match best.best.model.weights() {
            WeightFactor::Sticks(sticks) => sticks.expected_concentration(),
            other => panic!("sticks became {other:?}"),
        }
    };
    let one: Vec<u64> = vec![50; 40];
    let many: Vec<u64> = (0..40).map(|i| 4_u64.pow(i % 8)).collect();
    assert!(concentration(&one) < concentration(&many));
}

#[test]
fn components_come_in_the_order_of_their_size() {
    // The largest group comes last in the start.
    let points: Vec<f64> = (0..40).map(|i| if i < 4 { -9.0 } else if i < 14 { 0.0 } else { 9.0 } + f64::from(i % 5) * 0.1).collect();
    let labels: Vec<usize> = (0..40)
        .map(|i| {
            if i < 4 {
                1
            } else if i < 14 {
                3
            } else {
                4
            }
        })
        .collect();
    let process = PitmanYor::new(0.1, 1.0).unwrap();
    let model: BayesianMixture<Normal, _> = BayesianMixture::process(process, 6, prior(), ()).unwrap();
    let points = Points::new(&points);
    let problem = MixtureAscent::new(&model, &points).unwrap();
    let start = problem.start_from_labels(&labels).unwrap();
    let fitted = problem.fit(start, &AscentOptions::default(), &mut Silent).unwrap();
    assert!(fitted.report.falls.is_empty());
    let counts = fitted.model.counts();
    assert_eq!(fitted.model.occupied(1.0), [0, 1, 2]);
    for (count, expected) in counts.iter().zip([26.0, 10.0, 4.0, 0.0, 0.0, 0.0]) {
        assert!((count - expected).abs() < 0.05, "{counts:?}");
    }
    let weights = fitted.model.weights().expected();
    assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-14);
    assert!(weights.windows(2).take(3).all(|pair| pair[0] > pair[1]), "{weights:?}");
}

/// Here a sorted order is better with the concentration before the update, and worse with that after it.
#[test]
fn components_are_sorted_for_the_concentration_of_the_update() {
    let points = [
        0.0,
        0.0,
        3.7454374288552907,
        7.940004370724682,
        -5.699258625204529,
        2.142562658650713,
        7.28247868949109,
        -2.088961071923266,
        3.991720083800047,
    ];
    let data = Points::new(&points);
    let distribution = Gamma::shape_rate(0.6446564355334709, 0.34791599474916695).unwrap();
    let model: BayesianMixture<Normal, _> =
        BayesianMixture::learning_concentration(distribution, 4, prior(), ()).unwrap();
    let problem = MixtureAscent::new(&model, &data).unwrap();
    climb(&problem, &mut problem.random_start(&mut stream(761, &[])).unwrap(), 15);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(50))]

    #[test]
    fn no_update_lowers_the_bound(
        points in prop::collection::vec(-8.0..8.0_f64, 1..14),
        seed in 0_u64..1000,
        discount in 0.0..0.9_f64,
        above in 0.01..5.0_f64,
        truncation in 1_usize..7,
    ) {
        let data = Points::new(&points);
        let process = PitmanYor::new(discount, above - discount).unwrap();
        let model: BayesianMixture<Normal, _> = BayesianMixture::process(process, truncation, prior(), ()).unwrap();
        let problem = MixtureAscent::new(&model, &data).unwrap();
        climb(&problem, &mut problem.random_start(&mut stream(seed, &[])).unwrap(), 15);

        let distribution = Gamma::shape_rate(above, discount + 0.1).unwrap();
        let model: BayesianMixture<Normal, _> =
            BayesianMixture::learning_concentration(distribution, truncation, prior(), ()).unwrap();
        let problem = MixtureAscent::new(&model, &data).unwrap();
        climb(&problem, &mut problem.random_start(&mut stream(seed, &[])).unwrap(), 15);
    }
}
