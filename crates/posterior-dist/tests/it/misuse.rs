//! Parameters that no distribution has.

use posterior_dist::{
    AliasTable, Bernoulli, Binomial, Categorical, CountHistograms, CumulativeTable, Dirichlet,
    DirichletMultinomial, Expectation, ExponentialFamily, Natural, Normal, Stats,
};
use posterior_dist::{ConcentrationOptions, Multinomial, MultinomialSize, Symmetry};
use posterior_math::iteration::Silent;

const NAN: f64 = f64::NAN;
const INF: f64 = f64::INFINITY;

#[test]
fn probabilities_outside_of_the_unit_interval_are_refused() {
    for p in [-0.1, 1.0 + 1e-15, NAN, INF, -INF] {
        assert!(Bernoulli::new(p).is_err(), "{p}");
        assert!(Binomial::new(3, p).is_err(), "{p}");
    }
    assert!(Bernoulli::from_logit(NAN).is_err());
}

#[test]
fn weights_that_make_no_distribution_are_refused() {
    let weights: [&[f64]; 7] =
        [&[], &[0.0], &[0.0, 0.0], &[1.0, -1e-300], &[1.0, NAN], &[1.0, INF], &[1e308, 1e308]];
    for weights in weights {
        assert!(Categorical::from_weights(weights).is_err(), "{weights:?}");
        assert!(Categorical::from_probabilities(weights).is_err(), "{weights:?}");
        assert!(AliasTable::from_weights(weights).is_err(), "{weights:?}");
        assert!(CumulativeTable::from_weights(weights).is_err(), "{weights:?}");
    }
    for ln_weights in [&[][..], &[-INF], &[-INF, -INF], &[INF], &[0.0, NAN]] {
        assert!(Categorical::from_ln_weights(ln_weights).is_err(), "{ln_weights:?}");
    }
}

#[test]
fn probabilities_must_sum_to_one_within_1e_9() {
    assert!(Categorical::from_probabilities(&[0.5, 0.5 + 0.9e-9]).is_ok());
    let error = Categorical::from_probabilities(&[0.5, 0.5 + 1.1e-9]).expect_err("too much");
    assert_eq!(error.parameter(), "sum of probabilities");
    assert!(error.to_string().contains("within 1e-9 of 1"), "{error}");
    assert!(Categorical::from_probabilities(&[2.0, 2.0]).is_err());
}

#[test]
fn alpha_must_be_positive_with_a_finite_sum() {
    for alpha in [&[][..], &[0.0], &[1.0, 0.0], &[-1.0, 2.0], &[NAN], &[INF], &[1e308, 1e308]] {
        assert!(Dirichlet::new(alpha).is_err(), "{alpha:?}");
    }
    assert!(Dirichlet::symmetric(0, 1.0).is_err());
    assert!(Dirichlet::symmetric(2, 0.0).is_err());
}

#[test]
fn coordinates_must_have_the_length_of_the_statistic() {
    assert!(Natural::<Bernoulli>::new((), vec![0.0, 1.0]).is_err());
    assert!(Natural::<Bernoulli>::new((), vec![NAN]).is_err());
    assert!(Expectation::<Dirichlet>::new(3, vec![-1.0; 2]).is_err());
    assert!(Stats::<Categorical>::from_totals(3, vec![1.0; 2], 1.0, 0.0).is_err());
    assert!(Stats::<Categorical>::from_totals(2, vec![1.0; 2], -1.0, 0.0).is_err());
    assert!(Stats::<Categorical>::from_totals(2, vec![1.0, NAN], 1.0, 0.0).is_err());
    assert!(Stats::<Categorical>::from_totals(2, vec![1.0; 2], 1.0, NAN).is_err());
}

#[test]
fn expectations_that_no_distribution_has_are_refused() {
    let dirichlet =
        |coordinates| Dirichlet::from_expectation(&Expectation::new(2, coordinates).expect("two"));
    // Equal points: a Dirichlet would need an infinite α. Positive or infinite mean logarithms: none at all.
    for coordinates in [vec![0.5_f64.ln(); 2], vec![0.1, -3.0], vec![-INF, -1.0], vec![-0.1, -0.1]] {
        assert!(dirichlet(coordinates).is_err());
    }
    assert!(Bernoulli::from_expectation(&Expectation::new((), vec![1.1]).expect("one")).is_err());
    assert!(Categorical::from_expectation(&Expectation::new(2, vec![0.2, 0.2]).expect("two")).is_err());
    assert!(Binomial::from_expectation(&Expectation::new(0, vec![0.0]).expect("one")).is_err());
    let size = MultinomialSize { trials: 0, categories: 2 };
    assert!(Multinomial::from_expectation(&Expectation::new(size, vec![0.0; 2]).expect("two")).is_err());
    assert!(Dirichlet::from_natural(&Natural::new(2, vec![-1.0, 0.0]).expect("two")).is_err());
}

#[test]
fn counts_that_do_not_determine_alpha_are_refused() {
    let options = ConcentrationOptions::default();
    let fit = |rows: &[[u64; 3]], options: &ConcentrationOptions| {
        let mut counts = CountHistograms::new(3);
        for row in rows {
            counts.push(row).expect("three counts");
        }
        DirichletMultinomial::fit(&counts, options, &mut Silent)
    };
    let rows = [[2, 1, 0], [0, 5, 0]];
    assert!(fit(&[], &options).is_err());
    let error = fit(&[[1, 0, 0], [0, 1, 0], [0, 0, 1]], &options).expect_err("one draw each");
    assert_eq!((error.parameter(), error.value()), ("largest total", 1.0));
    let error = fit(&rows, &options).expect_err("category 2 was never seen");
    assert_eq!((error.parameter(), error.value()), ("unseen category", 2.0));
    assert!(fit(&rows, &ConcentrationOptions { symmetry: Symmetry::Symmetric, ..options.clone() }).is_ok());
    let rows = [[2, 1, 0], [0, 5, 1]];
    assert!(fit(&rows, &ConcentrationOptions { tolerance: NAN, ..options.clone() }).is_err());
    assert!(fit(&rows, &ConcentrationOptions { start: Some(vec![1.0]), ..options.clone() }).is_err());
    assert!(
        fit(&rows, &ConcentrationOptions { start: Some(vec![1.0, 0.0, 1.0]), ..options.clone() }).is_err()
    );
    assert!(Dirichlet::fit(&[-1.0], &options, &mut Silent).is_err());
}

#[test]
fn vectors_of_counts_that_do_not_fit_are_refused_and_change_nothing() {
    let mut counts = CountHistograms::new(3);
    let error = counts.push(&[1, 2]).expect_err("two counts");
    assert_eq!(error.to_string(), "CountHistograms: length = 2 must be the number of categories");
    let error = counts.push_sparse([(0, 1), (3, 1)]).expect_err("no fourth category");
    assert_eq!((error.parameter(), error.value()), ("category", 3.0));
    let error = counts.push(&[1, u64::MAX, 0]).expect_err("the sum overflows");
    assert_eq!(error.index(), Some(1));
    assert!(counts.merge(&CountHistograms::new(2)).is_err());
    assert_eq!(counts, CountHistograms::new(3));
}

#[test]
fn a_start_with_more_numbers_than_alpha_are_free_is_refused() {
    let mut counts = CountHistograms::new(2);
    counts.push(&[2, 1]).expect("two counts");
    for (symmetry, start) in [(Symmetry::Asymmetric, vec![1.0; 3]), (Symmetry::Symmetric, vec![1.0; 2])] {
        let options =
            ConcentrationOptions { symmetry, start: Some(start), ..ConcentrationOptions::default() };
        let error = DirichletMultinomial::fit(&counts, &options, &mut Silent).expect_err("too long");
        assert_eq!(error.parameter(), "length of start");
        assert!(Dirichlet::fit(&[-1.0, -2.0], &options, &mut Silent).is_err());
    }
    let options = ConcentrationOptions {
        symmetry: Symmetry::Symmetric,
        start: Some(vec![NAN]),
        ..ConcentrationOptions::default()
    };
    assert!(Dirichlet::fit(&[-1.0, -2.0], &options, &mut Silent).is_err());
}

#[test]
fn errors_say_which_of_several_numbers_is_refused() {
    let error = Dirichlet::new(&[1.0, 2.0, 3.0, -1.0]).expect_err("negative");
    assert!(error.to_string().starts_with("Dirichlet: concentration[3] = -1 must be "), "{error}");
    let error = Categorical::from_weights(&[1.0, NAN]).expect_err("NaN");
    assert!(error.to_string().contains("weight[1]"), "{error}");
}

#[test]
fn statistics_of_different_families_do_not_merge() {
    let mut stats = Stats::<Categorical>::new(2);
    let error = stats.merge(&Stats::new(3)).expect_err("three categories");
    assert_eq!(error.value(), 3.0);
    assert_eq!(stats, Stats::new(2));
}

#[test]
fn what_is_no_point_of_the_sample_space_is_refused_and_changes_nothing() {
    let mut stats = Stats::<Categorical>::new(2);
    let error = stats.push(&2).expect_err("two categories");
    assert_eq!(error.to_string(), "Categorical: category = 2 must be less than the number of categories");
    assert!(stats.push_weighted(&0, -1.0).is_err() && stats.push_weighted(&0, NAN).is_err());
    assert!(stats.push_weighted(&0, f64::INFINITY).is_err());
    assert_eq!(stats, Stats::new(2));
    let error = Stats::<Categorical>::of(2, &[0, 1, 5]).expect_err("two categories");
    assert_eq!((error.index(), error.value()), (Some(2), 5.0));

    let mut stats = Stats::<Dirichlet>::new(2);
    for point in [&[0.5, 0.2, 0.3][..], &[0.5, 0.6], &[1.5, -0.5], &[NAN, 0.5]] {
        assert!(stats.push(point).is_err(), "{point:?}");
    }
    let mut stats = Stats::<Multinomial>::new(MultinomialSize { trials: 3, categories: 2 });
    for counts in [&[1, 1][..], &[3], &[u64::MAX, 4]] {
        assert!(stats.push(counts).is_err(), "{counts:?}");
    }
    assert!(Stats::<Binomial>::new(3).push(&4).is_err());
}

#[test]
fn moments_that_no_points_have_are_refused() {
    for (weight, mean, squares) in [
        (-1.0, 0.0, 0.0),
        (INF, 0.0, 0.0),
        (NAN, 0.0, 0.0),
        (1.0, NAN, 0.0),
        (1.0, 0.0, -1e-9),
        (1.0, 0.0, NAN),
    ] {
        assert!(Stats::<Normal>::from_moments(weight, mean, squares).is_err());
    }
    // Without weight nothing else counts.
    assert_eq!(Stats::<Normal>::from_moments(0.0, NAN, NAN), Ok(Stats::new(())));
    let parts = [1.0, 2.0].map(|weight| Stats::<Normal>::from_moments(weight, 0.0, 0.0));
    let parts: Result<Vec<_>, _> = parts.into_iter().collect();
    assert!(parts.is_ok_and(|parts| Stats::from_coordinates(&parts).is_err()));
}
