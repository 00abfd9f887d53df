//! Finite probability: events and conditioning, Bayes' rule, sigma-algebras, information.

use std::collections::BTreeSet;

use posterior_dist::finite::information::{
    cross_entropy, entropy, hellinger, jensen_shannon, kl_divergence, mutual_information, total_variation,
};
use posterior_dist::finite::{Event, FiniteSpace, SigmaAlgebra, bayes};
use posterior_dist::{
    Categorical, Dirichlet, Entropy, KlDivergence, Laplace, Logistic, Moments, Normal, StudentT, Uniform,
    stream::stream,
};
use posterior_math::linalg::DMatrix;
use posterior_testkit::accuracy::{assert_all_close, assert_close, assert_within};
use rand::distr::Distribution;

fn categorical(probabilities: &[f64]) -> Categorical {
    Categorical::from_probabilities(probabilities).expect("probabilities")
}

/// A distribution on `categories` categories, one of which may be impossible.
fn random(categories: usize, seed: u64) -> Vec<f64> {
    let mut p = Dirichlet::new(&vec![0.7; categories]).expect("positive").sample(&mut stream(seed, &[]));
    if seed.is_multiple_of(3) {
        p[0] = 0.0;
    }
    let sum: f64 = p.iter().sum();
    p.iter().map(|x| x / sum).collect()
}

/// A child is a number below 2 · `traits`: a boy in the lower half, with the trait if it is the first of its
/// half.
fn both_boys_given_a_boy_with_the_trait(traits: usize) -> (f64, f64) {
    let children = 2 * traits;
    let space = FiniteSpace::uniform(children * children).expect("not empty");
    let boy = |child: usize| child < traits;
    let both = space.event("both are boys", |family| boy(family / children) && boy(family % children));
    let one = space.event("a boy with the trait", |family| family / children == 0 || family % children == 0);
    (
        space.conditional(&both, &one).expect("possible"),
        space.probability(&one) * space.distribution().categories() as f64,
    )
}

#[test]
fn two_children() {
    // A trait of probability p, independent of everything: (2 - p) / (4 - p).
    for traits in [1, 2, 7, 365] {
        let p = 1.0 / traits as f64;
        assert_close(both_boys_given_a_boy_with_the_trait(traits).0, (2.0 - p) / (4.0 - p), 1e-12);
    }
    let (tuesday, families) = both_boys_given_a_boy_with_the_trait(7);
    assert_close(tuesday, 13.0 / 27.0, 1e-14);
    assert_close(families, 27.0, 1e-14);
    assert_close(both_boys_given_a_boy_with_the_trait(365).0, 729.0 / 1459.0, 1e-12);
}

#[test]
fn rules_of_probability() {
    let space = FiniteSpace::new(categorical(&[0.1, 0.25, 0.05, 0.0, 0.4, 0.2]));
    let a = space.event("low", |outcome| outcome < 3);
    let b = space.event("even", |outcome| outcome % 2 == 0);
    let p = |event: &Event| space.probability(event);
    assert_close(p(&a.or(&b)), p(&a) + p(&b) - p(&a.and(&b)), 1e-15);
    assert_close(p(&a.and(&b)), space.conditional(&a, &b).expect("possible") * p(&b), 1e-15);
    assert_close(p(&a.not()), 1.0 - p(&a), 1e-15);
    assert_eq!(a.and(&b.not()).or(&a.and(&b)).name(), "low and not even or low and even");
    let total = [&b, &b.not()].map(|part| space.conditional(&a, part).expect("possible") * p(part));
    assert_close(total.iter().sum(), p(&a), 1e-15);
    let given = space.given(&b).expect("possible");
    assert_close(given.probability(&a), space.conditional(&a, &b).expect("possible"), 1e-15);
    assert_eq!(space.probability(&space.event("anything", |_| true)), 1.0);
}

#[test]
fn impossible_evidence_is_named() {
    let space = FiniteSpace::new(categorical(&[0.5, 0.5, 0.0]));
    let (a, never) =
        (space.event("first", |outcome| outcome == 0), space.event("third", |outcome| outcome == 2));
    let error = space.conditional(&a, &never).expect_err("impossible");
    assert_eq!(error.to_string(), "the evidence \"third\" has probability 0");
    assert_eq!(space.given(&never).expect_err("impossible").event(), "third");
    assert!(FiniteSpace::uniform(0).is_err());
    // An event of a larger space has outcomes that this one does not.
    let larger = FiniteSpace::uniform(9).expect("not empty").event("eighth", |outcome| outcome == 7);
    assert_eq!(space.probability(&larger), 0.0);
}

#[test]
fn distributions_of_learning() {
    let prior = categorical(&[0.5, 0.3, 0.2, 0.0]);
    let constant = bayes(&prior, &[-700.0; 4]).expect("possible");
    assert_all_close(constant.posterior.probabilities(), prior.probabilities(), 1e-15);
    assert_close(constant.ln_evidence, -700.0, 1e-15);
    // Prior zero stays zero, whatever the data; an unlikely hypothesis wins if it alone explains them.
    let surprising =
        bayes(&categorical(&[0.5, 0.5 - 1e-9, 1e-9, 0.0]), &[-1e4, -1e4, -10.0, 0.0]).expect("possible");
    assert_all_close(surprising.posterior.probabilities(), &[0.0, 0.0, 1.0, 0.0], 0.0);
    // In any order, one by one or at once.
    let data = [[-0.1, -2.0, -0.7, -1.0], [-3.0, -0.2, -0.9, -1.0], [-0.5, -1.5, f64::NEG_INFINITY, -1.0]];
    let sequential = |order: [usize; 3]| {
        order.iter().fold((prior.clone(), 0.0), |(distribution, ln_evidence), &i| {
            let updated = bayes(&distribution, &data[i]).expect("possible");
            (updated.posterior, ln_evidence + updated.ln_evidence)
        })
    };
    let sums: Vec<f64> = (0..4).map(|h| data.iter().map(|ln| ln[h]).sum()).collect();
    let batch = bayes(&prior, &sums).expect("possible");
    for order in [[0, 1, 2], [2, 0, 1], [1, 2, 0]] {
        let (distribution, ln_evidence) = sequential(order);
        assert_all_close(distribution.probabilities(), batch.posterior.probabilities(), 1e-14);
        assert_close(ln_evidence, batch.ln_evidence, 1e-14);
    }
}

#[test]
fn data_that_teach_nothing_are_refused() {
    let prior = categorical(&[0.5, 0.5, 0.0]);
    assert!(bayes(&prior, &[0.0, 0.0]).is_err());
    assert!(bayes(&prior, &[0.0, f64::NAN, 0.0]).is_err());
    assert!(bayes(&prior, &[0.0, f64::INFINITY, 0.0]).is_err());
    let error = bayes(&prior, &[f64::NEG_INFINITY, f64::NEG_INFINITY, 0.0]).expect_err("impossible");
    assert_eq!(error.to_string(), "bayes: ln of the evidence = -inf must be finite");
}

#[test]
fn sigma_algebras() {
    let generators: [&[u64]; 4] = [&[], &[0b0011], &[0b0011, 0b0110], &[0b0001, 0b0010, 0b0100]];
    for (set, atoms) in generators.into_iter().zip([1, 2, 4, 4]) {
        let algebra = SigmaAlgebra::generated(4, set).expect("small");
        assert_eq!((algebra.atoms().len(), algebra.sets().len()), (atoms, 1 << atoms));
        assert!(SigmaAlgebra::holds(4, algebra.sets()));
        assert!(set.iter().all(|&set| algebra.contains(set)));
        assert_eq!(algebra.atoms().iter().sum::<u64>(), 0b1111);
        // Generating again changes nothing.
        let sets: Vec<u64> = algebra.sets().iter().copied().collect();
        assert_eq!(SigmaAlgebra::generated(4, &sets), Ok(algebra));
    }
    let holds = |sets: &[u64]| SigmaAlgebra::holds(3, &sets.iter().copied().collect::<BTreeSet<u64>>());
    assert!(holds(&[0, 0b111]) && holds(&[0, 0b001, 0b110, 0b111]));
    assert!(!holds(&[]) && !holds(&[0]) && !holds(&[0, 0b001, 0b111]) && !holds(&[0, 0b111, 0b1000]));
    assert!(!holds(&[0, 0b001, 0b010, 0b101, 0b110, 0b111]));
    let parity = SigmaAlgebra::generated(6, &[0b010101]).expect("small");
    assert!(parity.is_measurable(|point| (point % 2) as f64) && !parity.is_measurable(|point| point as f64));
    assert!(!parity.is_measurable(|_| f64::NAN));
    let singletons: Vec<u64> = (0..21).map(|point| 1 << point).collect();
    assert!(SigmaAlgebra::generated(21, &singletons).is_err());
    assert!(SigmaAlgebra::generated(0, &[]).is_err() && SigmaAlgebra::generated(65, &[]).is_err());
    assert!(SigmaAlgebra::generated(3, &[0b1000]).is_err());
    assert_eq!(SigmaAlgebra::generated(64, &[1]).expect("small").sets().len(), 4);
    assert!(!SigmaAlgebra::holds(0, &BTreeSet::new()));
}

#[test]
fn information_obeys_its_inequalities() {
    for seed in 0..200 {
        let (p, q) = (random(5, 2 * seed), random(5, 2 * seed + 1));
        let (kl, tv, js) = (kl_divergence(&p, &q), total_variation(&p, &q), jensen_shannon(&p, &q));
        assert!(kl >= 0.0 && tv <= (0.5 * kl).sqrt() * (1.0 + 1e-15), "Gibbs and Pinsker: {kl} {tv}");
        assert!(
            js <= std::f64::consts::LN_2 && js <= tv * std::f64::consts::LN_2 * (1.0 + 1e-15),
            "{js} {tv}"
        );
        assert_close(js, jensen_shannon(&q, &p), 1e-14);
        let distance = hellinger(&p, &q);
        assert_eq!((distance, hellinger(&p, &p)), (hellinger(&q, &p), 0.0));
        let (below, above) = (distance.powi(2), distance * std::f64::consts::SQRT_2);
        assert!(below <= tv + 1e-15 && tv <= above + 1e-15, "Le Cam: {below} {tv} {above}");
        assert!(entropy(&p) <= 5_f64.ln() + 1e-15);
        if kl.is_finite() {
            assert_within(cross_entropy(&p, &q) - entropy(&p), kl, 1e-13);
        }
        // The same numbers as the distribution itself has.
        let (distribution, other) = (categorical(&p), categorical(&q));
        assert_within(distribution.entropy(), entropy(&p), 1e-14);
        assert!(kl.is_infinite() || (distribution.kl_divergence(&other) - kl).abs() < 1e-13 * (1.0 + kl));
        // Data processing: what happens to both alike brings them closer.
        let channel: Vec<Vec<f64>> = (0..5).map(|k| random(3, 1000 + 5 * seed + k)).collect();
        let through = |distribution: &[f64]| -> Vec<f64> {
            (0..3).map(|y| distribution.iter().zip(&channel).map(|(p, row)| p * row[y]).sum()).collect()
        };
        let (pushed, other) = (through(&p), through(&q));
        assert!(kl_divergence(&pushed, &other) <= kl * (1.0 + 1e-14) + 1e-15);
        assert!(total_variation(&pushed, &other) <= tv * (1.0 + 1e-14) + 1e-15);
        // I(X; Y) = H(X) + H(Y) - H(X, Y) ≥ 0, and what X says about Y it does not say more than itself.
        let joint = DMatrix::from_fn(5, 3, |x, y| p[x] * channel[x][y]);
        let information = mutual_information(&joint);
        assert_within(information, entropy(&p) + entropy(&pushed) - entropy(joint.as_slice()), 1e-14);
        assert!((-1e-15..=entropy(&p) + 1e-14).contains(&information));
    }
}

#[test]
fn divergences_follow_the_chain_rule() {
    for seed in 0..100 {
        let (p, q) = (random(4, 7 * seed), random(4, 7 * seed + 1));
        let rows = |from: u64| -> Vec<Vec<f64>> { (0..4).map(|k| random(3, from + 4 * seed + k)).collect() };
        let (given, other) = (rows(5000), rows(9001));
        let joint = |distribution: &[f64], rows: &[Vec<f64>]| -> Vec<f64> {
            distribution.iter().zip(rows).flat_map(|(p, row)| row.iter().map(move |x| p * x)).collect()
        };
        let whole = kl_divergence(&joint(&p, &given), &joint(&q, &other));
        let conditional: f64 =
            (0..4).map(|k| if p[k] == 0.0 { 0.0 } else { p[k] * kl_divergence(&given[k], &other[k]) }).sum();
        let sum = kl_divergence(&p, &q) + conditional;
        assert!(whole == sum || (whole - sum).abs() < 1e-13 * (1.0 + sum), "{whole} {sum}");
    }
}

#[test]
fn golden_divergences() {
    let (a, b) = ([0.1, 0.2, 0.7], [0.2, 0.01, 0.79]);
    assert_close(kl_divergence(&a, &b), 0.4451649093624399, 1e-15);
    assert_close(kl_divergence(&b, &a), 0.2042246756064027, 1e-15);
    assert_close(total_variation(&a, &b), 0.19, 1e-15);
    assert_close(hellinger(&[0.36, 0.64], &[0.64, 0.36]), 0.2, 1e-15);
    assert_close(entropy(&[0.6, 0.4]), 0.6730116670092565, 1e-15);
    let normal = |mean, variance| Normal::mean_variance(mean, variance).expect("positive");
    assert_close(normal(0.0, 1.0).kl_divergence(&normal(1.0, 4.0)), 0.4431471805599453, 1e-15);
    assert_close(normal(1.0, 4.0).kl_divergence(&normal(0.0, 1.0)), 1.3068528194400546, 1e-15);
    // Almost equal distributions: KL = δ² / (2 p (1 - p)) to first order.
    let delta = 2.0_f64.powi(-30);
    assert_close(kl_divergence(&[0.5, 0.5], &[0.5 + delta, 0.5 - delta]), 2.0 * delta * delta, 1e-14);
}

#[test]
fn edges_of_information() {
    assert_eq!(kl_divergence(&[0.5, 0.5], &[1.0, 0.0]), f64::INFINITY);
    assert_close(kl_divergence(&[1.0, 0.0], &[0.5, 0.5]), 2_f64.ln(), 1e-15);
    assert_eq!(cross_entropy(&[0.5, 0.5], &[1.0]), f64::INFINITY);
    assert_eq!(kl_divergence(&[1.0], &[1.0, 0.0]), 0.0);
    assert_eq!((total_variation(&[1.0], &[0.0, 1.0]), hellinger(&[1.0], &[0.0, 1.0])), (1.0, 1.0));
    // Half of the smallest number is zero, and it is not between the two.
    assert!(jensen_shannon(&[5e-324, 1.0], &[0.0, 1.0]) < 1e-300);
    assert_eq!((entropy(&[]), entropy(&[1.0]), kl_divergence(&[], &[])), (0.0, 0.0, 0.0));
    for bad in [[f64::NAN, 1.0], [-0.5, 1.5]] {
        let good = [0.5, 0.5];
        assert!(entropy(&bad).is_nan() && total_variation(&bad, &good).is_nan());
        assert!(kl_divergence(&bad, &good).is_nan() && kl_divergence(&good, &bad).is_nan());
        assert!(jensen_shannon(&bad, &good).is_nan() && hellinger(&bad, &good).is_nan());
    }
}

#[test]
fn the_normal_distribution_has_the_largest_entropy_for_its_variance() {
    let normal = Normal::mean_sd(0.0, 1.0).expect("positive");
    assert_close(normal.entropy(), 1.4189385332046727, 1e-15);
    let laplace = Laplace::new(0.0, 0.5_f64.sqrt()).expect("positive");
    let uniform = Uniform::new(-3_f64.sqrt(), 3_f64.sqrt()).expect("an interval");
    let logistic = Logistic::new(0.0, 3_f64.sqrt() / std::f64::consts::PI).expect("positive");
    let student = StudentT::new(5.0, 0.0, 0.6_f64.sqrt()).expect("positive");
    let variances = [laplace.variance(), uniform.variance(), logistic.variance(), student.variance()];
    for variance in variances {
        assert_close(variance.expect("finite"), 1.0, 1e-14);
    }
    for entropy in [laplace.entropy(), uniform.entropy(), logistic.entropy(), student.entropy()] {
        assert!(entropy < normal.entropy() - 0.01, "{entropy}");
    }
}
