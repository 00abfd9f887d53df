//! Ends of parameter ranges, points outside of the support, and points with NaN.

use posterior_dist::{
    Bernoulli, Binomial, Categorical, Conjugate, Density, Dirichlet, DirichletMultinomial, Entropy,
    ExponentialFamily, KlDivergence, Mode, Moments, Multinomial, Natural, Shape, Stats, Univariate,
};
use posterior_dist::{gumbel_max::gumbel_max, stream::stream};
use rand::distr::Distribution;

const NEVER: f64 = f64::NEG_INFINITY;

#[test]
fn what_has_probability_zero_has_no_density() {
    let distribution = Categorical::from_probabilities(&[0.0, 1.0]).expect("probabilities");
    assert_eq!(
        (distribution.ln_pdf(&0), distribution.ln_pdf(&1), distribution.ln_pdf(&2)),
        (NEVER, 0.0, NEVER)
    );
    let distribution = Multinomial::new(3, distribution);
    assert_eq!(distribution.ln_pdf(&[1, 2]), NEVER);
    assert!(distribution.ln_pdf(&[0, 3]).abs() < 1e-15);
    for wrong in [&[0, 2][..], &[3], &[0, 3, 0], &[u64::MAX, 4]] {
        assert_eq!(distribution.ln_pdf(wrong), NEVER, "{wrong:?}");
    }
    let distribution = DirichletMultinomial::new(3, Dirichlet::new(&[1.0, 1.0]).expect("positive"));
    for wrong in [&[0, 2][..], &[3], &[0, 3, 0], &[u64::MAX, 4]] {
        assert_eq!(distribution.ln_pdf(wrong), NEVER, "{wrong:?}");
    }
}

#[test]
fn no_trials_leave_one_outcome() {
    let pair = Categorical::from_weights(&[1.0, 0.0]).expect("weights");
    assert_eq!(Multinomial::new(0, pair).ln_pdf(&[0, 0]), 0.0);
    assert_eq!(
        DirichletMultinomial::new(0, Dirichlet::symmetric(2, 1.0).expect("positive")).ln_pdf(&[0, 0]),
        0.0
    );
    let distribution = Binomial::new(0, 0.3).expect("a probability");
    assert_eq!(
        (distribution.ln_pdf(&0), distribution.ln_pdf(&1), distribution.entropy(), distribution.mode()),
        (0.0, NEVER, 0.0, Some(0))
    );
    assert_eq!((distribution.skewness(), distribution.excess_kurtosis()), (None, None));
}

#[test]
fn certain_trials_have_no_spread() {
    for (success, outcome) in [(0.0, false), (1.0, true)] {
        let distribution = Bernoulli::new(success).expect("a probability");
        assert_eq!((distribution.ln_pdf(&outcome), distribution.ln_pdf(&!outcome)), (0.0, NEVER));
        assert_eq!(
            (distribution.entropy(), distribution.variance(), distribution.skewness()),
            (0.0, Some(0.0), None)
        );
        assert_eq!(distribution.mode(), Some(outcome));
        assert_eq!((distribution.quantile(0.0), distribution.quantile(1.0)), (success, success));
        assert_eq!((distribution.upper_quantile(0.0), distribution.upper_quantile(1.0)), (success, success));
        assert_eq!(distribution.sample(&mut stream(1, &[])), outcome);

        let distribution = Binomial::new(9, success).expect("a probability");
        let count = if outcome { 9 } else { 0 };
        assert_eq!(
            (distribution.ln_pdf(&count), distribution.ln_pdf(&(9 - count)), distribution.ln_pdf(&4)),
            (0.0, NEVER, NEVER)
        );
        assert_eq!(
            (distribution.entropy(), distribution.mode(), distribution.skewness()),
            (0.0, Some(count), None)
        );
        assert_eq!(distribution.sample(&mut stream(1, &[])), count);
    }
}

#[test]
fn the_mode_is_none_where_two_points_tie() {
    assert_eq!(Bernoulli::new(0.5).expect("a probability").mode(), None);
    assert_eq!(Binomial::new(3, 0.5).expect("a probability").mode(), None);
    assert_eq!(Binomial::new(4, 0.5).expect("a probability").mode(), Some(2));
    // As f64, 0.3 and 0.15 are below 3/10 and 3/20, 0.1 is above 1/10: no tie, though the rounded products
    // are whole.
    for (trials, success, mode) in [(9, 0.3, 2), (19, 0.15, 2), (29, 0.1, 3)] {
        assert_eq!(Binomial::new(trials, success).expect("a probability").mode(), Some(mode));
    }
    assert_eq!(Categorical::from_weights(&[1.0, 1.0]).expect("weights").mode(), None);
}

#[test]
fn log_weights_keep_what_probabilities_lose() {
    let distribution = Categorical::from_ln_weights(&[0.0, -800.0, NEVER]).expect("weights");
    assert_eq!(
        (distribution.probabilities()[1], distribution.ln_pdf(&1), distribution.ln_pdf(&2)),
        (0.0, -800.0, NEVER)
    );
    let tiny = Categorical::from_weights(&[1e-300, 1e300]).expect("weights");
    assert!((tiny.ln_pdf(&0) - -600.0 * 10.0_f64.ln()).abs() < 1e-11);
    let twice = Multinomial::new(2, distribution);
    assert!((twice.ln_pdf(&[1, 1, 0]) - (2.0_f64.ln() - 800.0)).abs() < 1e-12);
    let coin = Bernoulli::from_logit(800.0).expect("a number");
    assert_eq!((coin.ln_pdf(&false), coin.probability()), (-800.0, 1.0));
    assert_eq!(coin.natural().as_slice(), [800.0]);
    let coin = Bernoulli::from_logit(40.0).expect("a number");
    assert!((coin.failure() / (-40_f64).exp() - 1.0).abs() < 1e-15);
    let sure = Bernoulli::from_logit(f64::INFINITY).expect("a number");
    assert_eq!((sure.ln_pdf(&true), sure.ln_pdf(&false)), (0.0, NEVER));
}

#[test]
fn the_dirichlet_at_the_boundary_of_the_simplex() {
    let density = |alpha: &[f64], t: &[f64]| Dirichlet::new(alpha).expect("positive").ln_pdf(t);
    assert_eq!(density(&[2.0, 2.0], &[0.0, 1.0]), NEVER);
    assert_eq!(density(&[0.5, 2.0], &[0.0, 1.0]), f64::INFINITY);
    assert!((density(&[1.0, 2.0], &[0.0, 1.0]) - 2.0_f64.ln()).abs() < 1e-15);
    assert_eq!(density(&[0.5, 2.0, 1.0], &[0.0, 0.0, 1.0]), NEVER);
    for outside in [&[0.5, 0.6][..], &[-0.5, 1.5], &[1.0], &[0.5, 0.5, 0.0], &[f64::INFINITY, 0.0]] {
        assert_eq!(density(&[1.0, 1.0], outside), NEVER, "{outside:?}");
    }
    assert!(density(&[1.0, 1.0], &[f64::NAN, 1.0]).is_nan());
    assert_eq!(density(&[3.0], &[1.0]), 0.0);
    for alpha in [0.5, 1.0, 3.0] {
        assert_eq!(Dirichlet::new(&[alpha]).expect("positive").mode(), Some(vec![1.0]));
    }
    assert!(density(&[1.0, 1.0], &[0.5, 0.5 + 0.9e-9]).abs() < 1e-15);
    assert_eq!(density(&[1.0, 1.0], &[0.5, 0.5 + 1.1e-9]), NEVER);
}

#[test]
fn distributions_on_different_spaces_are_infinitely_far_apart() {
    let two = Categorical::from_weights(&[1.0, 1.0]).expect("weights");
    let three = Categorical::from_weights(&[1.0, 1.0, 0.0]).expect("weights");
    assert_eq!(two.kl_divergence(&three), f64::INFINITY);
    let two = Dirichlet::symmetric(2, 1.0).expect("positive");
    assert_eq!(two.kl_divergence(&Dirichlet::symmetric(3, 1.0).expect("positive")), f64::INFINITY);
}

#[test]
fn tiny_and_huge_alpha_give_points() {
    for alpha in [5e-324, 1e-300, 1e-4, 1e-2, 1e10, 1e300] {
        let distribution = Dirichlet::symmetric(5, alpha).expect("positive");
        let mut rng = stream(3, &[]);
        for _ in 0..1000 {
            let ln_point = distribution.sample_ln(&mut rng);
            let sum: f64 = ln_point.iter().map(|x| x.exp()).sum();
            assert!((sum - 1.0).abs() < 1e-12, "{alpha}: {ln_point:?}");
            assert!(ln_point.iter().all(|x| !x.is_nan() && *x <= 0.0), "{alpha}: {ln_point:?}");
        }
    }
}

#[test]
fn gumbel_max_of_weights_that_make_no_distribution_is_none() {
    let mut rng = stream(1, &[]);
    for weights in
        [&[][..], &[NEVER, NEVER], &[f64::NAN], &[f64::INFINITY], &[0.0, f64::NAN], &[f64::INFINITY, 0.0]]
    {
        assert_eq!(gumbel_max(weights, &mut rng), None, "{weights:?}");
    }
    assert_eq!(rng, stream(1, &[]));
}

#[test]
fn more_cannot_be_popped_than_was_pushed() {
    let prior = Dirichlet::symmetric(2, 0.5).expect("positive");
    let mut stats = Stats::<Categorical>::new(2);
    assert!(stats.pop(&1).is_err());
    assert_eq!((stats.weight(), stats.mean()), (0.0, None));
    stats.push_weighted(&0, 0.3).expect("a weight");
    assert!(stats.pop(&0).is_err() && stats.pop_weighted(&0, 0.31).is_err());
    // The other category: what is there is no longer a set of points, and the prior refuses it.
    stats.push(&1).expect("a category");
    stats.pop(&0).expect("enough weight");
    assert!(Categorical::ln_evidence(&prior, &stats).is_err());
    let other = Stats::<Categorical>::new(3);
    assert!(Categorical::posterior(&prior, &other).is_err());
    assert!(Categorical::ln_evidence(&prior, &other).is_err());
}

#[test]
fn weighted_data_have_an_evidence_too() {
    // Responsibilities: half a point in each cell. Γ(1.5)² / Γ(1)² · Γ(2) / Γ(3) = π / 8
    let prior = Dirichlet::symmetric(2, 1.0).expect("positive");
    let mut stats = Stats::<Categorical>::new(2);
    stats.push_weighted(&0, 0.5).expect("a category");
    stats.push_weighted(&1, 0.5).expect("a category");
    let ln_evidence = Categorical::ln_evidence(&prior, &stats).expect("fits");
    assert!((ln_evidence - (std::f64::consts::PI / 8.0).ln()).abs() < 1e-15);
}

#[test]
fn the_ends_of_a_categorical_are_exact_however_its_probabilities_round() {
    for equal in 1..100 {
        let mut weights = vec![1.0; equal];
        weights.insert(0, 1e-20);
        weights.push(0.0);
        let distribution = Categorical::from_weights(&weights).expect("weights");
        assert_eq!((distribution.quantile(0.0), distribution.quantile(1.0)), (0.0, equal as f64));
        assert_eq!((distribution.upper_quantile(1.0), distribution.upper_quantile(0.0)), (0.0, equal as f64));
        assert!(distribution.sf(0.0) <= 1.0 && distribution.cdf(equal as f64) == 1.0);
    }
}

#[test]
fn a_point_without_weight_adds_nothing() {
    // ln 0 = -∞ is the statistic of one coordinate, ln h = -∞ the base measure of the other point.
    let mut stats = Stats::<Dirichlet>::new(2);
    stats.push_weighted(&[0.0, 1.0], 0.0).expect("a point");
    assert_eq!((stats.sum(), stats.weight(), stats.ln_base()), (&[0.0, 0.0][..], 0.0, 0.0));
}

#[test]
fn natural_parameters_of_impossible_events_multiply_by_zero() {
    let natural = Natural::<Categorical>::new(2, vec![NEVER, 0.0]).expect("two");
    assert_eq!(natural.inner(&[0.0, 1.0]), 0.0);
    assert_eq!(natural.inner(&[1.0, 0.0]), NEVER);
    let distribution = Categorical::from_natural(&natural).expect("weights");
    assert_eq!(distribution.probabilities(), [0.0, 1.0]);
}
