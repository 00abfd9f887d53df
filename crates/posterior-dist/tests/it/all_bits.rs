//! Draws of every distribution, conjugate pairs, distributions of distributions, processes, inversion and
//! finite spaces at numbers of any bits: no panic, no endless loop, tails in [0, 1].

use posterior_dist::finite::{bayes, information};
use posterior_dist::stream::stream;
use posterior_dist::target::{OnTheLine, Target};
use posterior_dist::text::{AnyUnivariate, UNIVARIATE};
use posterior_dist::{
    Affine, Bernoulli, Beta, Categorical, Conjugate, Density, Exponential, Gamma, IndianBuffet, InverseGamma,
    Mixture, Normal, NormalInverseGamma, NormalKnownMean, NormalKnownVariance, PitmanYor, PointMass, Poisson,
    Stats, Transformed, Truncated, Univariate, invert_cdf, invert_sf,
};
use posterior_math::bijection::Exp;
use proptest::prelude::*;
use rand::distr::Distribution;

/// A number of any bits: subnormal, infinite and NaN as often as their bits are.
fn any_bits() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<u64>().prop_map(f64::from_bits),
        -100.0..100.0,
        prop::sample::select(vec![
            0.0,
            -0.0,
            1.0,
            5e-324,
            1e300,
            f64::MAX,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN
        ]),
    ]
}

fn survives<D: Univariate + Density<Point = f64>>(
    distribution: &D,
    numbers: &[f64],
) -> Result<(), TestCaseError> {
    for &x in numbers {
        distribution.ln_pdf(&x);
        for tail in [distribution.cdf(x), distribution.sf(x)] {
            prop_assert!(tail.is_nan() || (0.0..=1.0).contains(&tail), "tail {tail} at {x}");
            prop_assert!(tail.is_nan() == x.is_nan(), "tail {tail} at {x}");
        }
        prop_assert!(
            !(distribution.ln_cdf(x) > 0.0 || distribution.ln_sf(x) > 0.0),
            "logarithms of tails at {x}"
        );
        for quantile in [distribution.quantile(x), distribution.upper_quantile(x)] {
            prop_assert!(quantile.is_nan() != (0.0..=1.0).contains(&x), "quantile {quantile} at {x}");
        }
    }
    Ok(())
}

/// Everything that a conjugate pair answers.
fn answers<F: Conjugate<P>, P>(prior: &P, fixed: &F::Fixed, point: &F::Point) {
    let mut data = Stats::<F>::new(fixed.clone());
    let _ = data.push(point);
    let _ = F::posterior(prior, &data);
    let _ = F::ln_evidence(prior, &data);
    let _ = F::predictive(prior, fixed).map(|distribution| distribution.ln_pdf(point));
    let _ = F::expected_density(prior, fixed).map(|density| density.ln_pdf(point));
    let _ = F::most_probable(prior, fixed);
    let _ = F::draw(prior, fixed, &mut stream(1, &[]));
    let _ = F::maximum_likelihood(&data);
}

proptest! {
    #[test]
    fn draws_of_every_distribution_end_whatever_its_bits(a in any_bits(), b in any_bits(), c in any_bits(), seed in any::<u64>()) {
        for entry in UNIVARIATE {
            let numbers = [a, b, c].map(|number| number.to_string());
            let count = entry.parameters.len().min(3);
            let text = format!("{}({})", entry.name, numbers[..count].join(", "));
            let Ok(distribution) = text.parse::<AnyUnivariate>() else { continue };
            let mut rng = stream(seed, &[]);
            for _ in 0..3 {
                let x: f64 = distribution.sample(&mut rng);
                prop_assert!(!x.is_nan(), "{text} drew NaN");
            }
        }
    }

    #[test]
    fn conjugate_pairs_answer_whatever_the_bits(a in any_bits(), b in any_bits(), c in any_bits(), d in any_bits(), k in any::<u64>()) {
        if let Ok(prior) = Beta::new(a, b) {
            answers::<Bernoulli, _>(&prior, &(), &(k % 2 == 0));
        }
        if let Ok(prior) = Gamma::shape_rate(a, b) {
            answers::<Poisson, _>(&prior, &(), &k);
            answers::<Exponential, _>(&prior, &(), &c);
        }
        if let Ok(prior) = InverseGamma::new(a, b) {
            answers::<NormalKnownMean, _>(&prior, &c, &d);
        }
        if let Ok(prior) = Normal::mean_sd(a, b) {
            answers::<NormalKnownVariance, _>(&prior, &c, &d);
        }
        if let Ok(prior) = NormalInverseGamma::new(a, b, c, d) {
            answers::<Normal, _>(&prior, &(), &a);
        }
    }

    #[test]
    fn distributions_of_distributions_survive_any_bits(a in any_bits(), b in any_bits(), x in any_bits(), p in 0.0..=1.0) {
        let normal = Normal::STANDARD;
        if let Ok(distribution) = Affine::new(normal, a, b) {
            survives(&distribution, &[x, p, a])?;
        }
        if let Ok(distribution) = Truncated::new(normal, a, b) {
            survives(&distribution, &[x, p, a])?;
        }
        if let Ok(distribution) = PointMass::new(a) {
            prop_assert_eq!((distribution.cdf(a), distribution.quantile(p)), (1.0, a));
        }
        if let (Ok(first), Ok(second)) = (Normal::mean_sd(a, b), Normal::mean_sd(x, 1.0)) {
            let distribution = Mixture::from_weights(&[p, 1.0], vec![first, second]).expect("weights");
            survives(&distribution, &[x, p, a])?;
        }
        if let Ok(distribution) = Normal::mean_sd(a, b) {
            survives(&Transformed::new(distribution, Exp), &[x, p])?;
        }
        if let Ok(distribution) = Gamma::shape_rate(a, b) {
            let target = OnTheLine::new(distribution).expect("a half-line");
            let _ = target.ln_density(&[x]);
        }
    }

    #[test]
    fn processes_survive_any_bits(d in any_bits(), theta in any_bits(), sizes in prop::collection::vec(any::<u64>(), 0..5)) {
        if let Ok(restaurant) = PitmanYor::new(d, theta) {
            let sizes: Vec<u64> = sizes.iter().map(|size| size >> 8).collect();
            prop_assert!(!(restaurant.ln_partition(&sizes) > 1e-9));
            let seats = restaurant.next_seat(&sizes);
            prop_assert_eq!(seats.len(), if sizes.iter().all(|&size| size == 0) { 1 } else { sizes.len() + 1 });
            let tables = restaurant.expected_tables(1000);
            prop_assert!((1.0 - 1e-9..=1000.0 * (1.0 + 1e-9)).contains(&tables), "{tables} tables");
        }
        if let Ok(buffet) = IndianBuffet::new(theta) {
            prop_assert!(buffet.expected_dishes(10) > 0.0);
            prop_assert!(buffet.ln_probability(&[vec![0], vec![0, 1]]) < 0.0);
        }
    }

    #[test]
    fn inversion_survives_any_function_and_bits(p in any_bits(), low in any_bits(), high in any_bits(), y in any_bits()) {
        for function in [|_: f64| f64::NAN, |x: f64| x, |x: f64| if x < 3.0 { 0.0 } else { 1.0 }] {
            let (x, z) = (invert_cdf(function, p, low, high), invert_sf(|x| 1.0 - function(x), p, low, high));
            prop_assert!(x.is_nan() || (low <= x && x <= high));
            prop_assert!(z.is_nan() || (low <= z && z <= high));
        }
        let constant = invert_cdf(|_| y, p, low, high);
        prop_assert!(constant.is_nan() || (low <= constant && constant <= high));
    }

    #[test]
    fn finite_distributions_survive_any_bits(p in prop::collection::vec(any_bits(), 0..4), q in prop::collection::vec(any_bits(), 4)) {
        let q = &q[..p.len()];
        for measure in [information::cross_entropy, information::kl_divergence, information::jensen_shannon] {
            measure(&p, q);
        }
        information::entropy(&p);
        information::total_variation(&p, q);
        information::hellinger(&p, q);
        if let Ok(prior) = Categorical::from_weights(&p)
            && let Ok(updated) = bayes(&prior, q)
        {
            let sum: f64 = updated.posterior.probabilities().iter().sum();
            prop_assert!((sum - 1.0).abs() < 1e-12);
        }
    }
}
