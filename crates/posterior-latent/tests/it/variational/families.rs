//! Other families than the Gaussian: bounds against enumeration, monotone ascent, weights.

use std::borrow::Borrow;

use posterior_dist::{
    Bernoulli, Beta, Categorical, Conjugate, Dirichlet, Entropy, Gamma, KlDivergence, Multinomial,
    MultinomialSize, Normal, NormalGamma, Poisson, Stats, stream::stream,
};
use posterior_gaussian::{Gaussian, NormalInverseWishart};
use posterior_inference::variational::AscentOptions;
use posterior_latent::variational::{MixtureAscent, Points};
use posterior_math::linalg::DMatrix;
use posterior_testkit::accuracy::assert_close;
use proptest::prelude::*;

use super::{climb, finite, ln_evidence, two_proportions};

/// A fit climbs to a bound below the evidence, and for one component to the evidence itself.
fn below_the_evidence<F, P, X>(prior: &P, fixed: &F::Fixed, points: &[X])
where
    F: Conjugate<P>,
    P: KlDivergence + Entropy + Clone,
    X: Borrow<F::Point>,
{
    let data = Points::new(points);
    let borrowed: Vec<&F::Point> = points.iter().map(Borrow::borrow).collect();
    for (components, alpha) in [(1, 0.7), (2, 0.7), (3, 0.4)] {
        let weights = Dirichlet::symmetric(components, alpha).unwrap();
        let of_labels = |counts: &[f64]| {
            let labels = Stats::from_totals(components, counts.to_vec(), points.len() as f64, 0.0).unwrap();
            Categorical::ln_evidence(&weights, &labels).unwrap()
        };
        let exact = ln_evidence::<F, P>(prior, fixed, &borrowed, components, of_labels);
        let model = finite::<F, P>(components, alpha, prior.clone(), fixed.clone());
        let problem = MixtureAscent::new(&model, &data).unwrap();
        let mut q = problem.random_start(&mut stream(3, &[components as u64])).unwrap();
        let bound = climb(&problem, &mut q, 30);
        assert!(bound <= exact + 1e-12 * exact.abs(), "{bound} is above {exact}");
        if components == 1 {
            assert_close(bound, exact, 1e-13);
        }
    }
}

#[test]
fn bounds_are_below_the_evidence_of_eight_points() {
    let bits = [true, true, false, true, false, false, true, true];
    below_the_evidence::<Bernoulli, _, _>(&Beta::new(0.5, 1.5).unwrap(), &(), &bits);
    let counts = [0_u64, 1, 0, 9, 12, 8, 0, 2];
    below_the_evidence::<Poisson, _, _>(&Gamma::shape_rate(1.0, 0.3).unwrap(), &(), &counts);
    let labels = [0_usize, 2, 1, 2, 2, 0, 0, 1];
    below_the_evidence::<Categorical, _, _>(&Dirichlet::symmetric(3, 0.4).unwrap(), &3, &labels);
    let numbers = [-3.0, -2.8, -3.3, 0.1, 0.3, 4.0, 4.4, 4.1];
    below_the_evidence::<Normal, _, _>(&NormalGamma::new(0.0, 0.1, 1.0, 0.3).unwrap(), &(), &numbers);
    let vectors: Vec<Vec<f64>> =
        (0..8).map(|i| vec![numbers[i], numbers[(i * 3) % 8] + f64::from(i as u32)]).collect();
    let prior = NormalInverseWishart::new(&[0.0, 1.0], 0.2, &DMatrix::identity(2, 2), 3.5).unwrap();
    below_the_evidence::<Gaussian, _, _>(&prior, &2, &vectors);
}

#[test]
fn a_weight_of_two_is_a_point_that_is_there_twice() {
    let model = finite::<Poisson, _>(2, 0.8, Gamma::shape_rate(1.0, 0.3).unwrap(), ());
    let proportions = [0.9, 0.2, 0.4];
    let repeated = [0.9, 0.9, 0.2, 0.4, 0.4, 0.4];
    let points = [1_u64, 7, 3];
    let weighted = Points::new(&points).weighted(&[2.0, 1.0, 3.0]).unwrap();
    let problem = MixtureAscent::new(&model, &weighted).unwrap();
    let mut q = problem.start_from_responsibilities(&two_proportions(&proportions)).unwrap();
    let bound = climb(&problem, &mut q, 5);

    let copies = [1_u64, 1, 7, 3, 3, 3];
    let copies = Points::new(&copies);
    let problem = MixtureAscent::new(&model, &copies).unwrap();
    let mut p = problem.start_from_responsibilities(&two_proportions(&repeated)).unwrap();
    assert_close(climb(&problem, &mut p, 5), bound, 1e-13);
    for k in 0..2 {
        assert_close(q.counts()[k], p.counts()[k], 1e-13);
        assert_close(q.components()[k].posterior().rate(), p.components()[k].posterior().rate(), 1e-13);
    }
}

#[test]
fn documents_go_to_their_topic() {
    // Eleven words each, of which the first two or the last two make the topic.
    let documents: Vec<Vec<u64>> = (0..12_u64)
        .map(|i| if i % 2 == 0 { vec![6 - i % 3, 4 + i % 3, 0, 1] } else { vec![0, 1, 6, 4] })
        .collect();
    let size = MultinomialSize { trials: 11, categories: 4 };
    let model = finite::<Multinomial, _>(6, 0.1, Dirichlet::symmetric(4, 0.5).unwrap(), size);
    let points = Points::new(&documents);
    let problem = MixtureAscent::new(&model, &points).unwrap();
    let best = problem.fit_best(5, 11, &AscentOptions::default()).unwrap().best;
    let [first, second] = best.model.occupied(1.0)[..] else { panic!("{:?}", best.model.counts()) };
    let proportions = problem.responsibilities(&best.model).unwrap();
    let even = if proportions[(0, first)] > 0.5 { first } else { second };
    for i in 0..12 {
        let k = if i % 2 == 0 { even } else { first + second - even };
        assert!(proportions[(i, k)] > 0.99, "{proportions}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn no_update_lowers_the_bound_of_gaussians(
        points in prop::collection::vec((-5.0..5.0_f64, -5.0..5.0_f64), 1..12),
        proportions in prop::collection::vec(0.0..1.0_f64, 12),
        alpha in 0.05..3.0_f64,
    ) {
        let prior = NormalInverseWishart::new(&[0.0, 0.5], 0.3, &DMatrix::identity(2, 2), 2.5).unwrap();
        let model = finite::<Gaussian, _>(2, alpha, prior, 2);
        let points: Vec<Vec<f64>> = points.iter().map(|p| vec![p.0, p.1]).collect();
        let data = Points::new(&points);
        let problem = MixtureAscent::new(&model, &data).unwrap();
        let mut q = problem.start_from_responsibilities(&two_proportions(&proportions[..points.len()])).unwrap();
        climb(&problem, &mut q, 20);
    }

    #[test]
    fn no_update_lowers_the_bound_of_counts(
        points in prop::collection::vec(0_u64..30, 1..12),
        weights in prop::collection::vec(0.0..3.0_f64, 12),
        seed in 0_u64..1000,
        alpha in 0.05..3.0_f64,
    ) {
        let model = finite::<Poisson, _>(4, alpha, Gamma::shape_rate(0.7, 0.1).unwrap(), ());
        let data = Points::new(&points).weighted(&weights[..points.len()]).unwrap();
        let problem = MixtureAscent::new(&model, &data).unwrap();
        let mut q = problem.random_start(&mut stream(seed, &[])).unwrap();
        climb(&problem, &mut q, 20);
    }
}
