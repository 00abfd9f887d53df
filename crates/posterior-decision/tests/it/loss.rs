//! Losses: the table of treatments, dominance, information, estimates.

use posterior_decision::loss::{
    Dominance, LossTable, PointLoss, Prospects, binomial_risk, compare_by_draws, point_estimate,
};
use posterior_dist::stream::stream;
use posterior_dist::{Beta, Moments, Univariate};
use posterior_math::linalg::DMatrix;
use proptest::prelude::*;
use rand::RngExt;
use rand::distr::Distribution;

fn treatments() -> Prospects {
    Prospects::new(
        &["death", "recovery", "side effects"],
        &[("A", [0.1, 0.2, 0.7].as_slice()), ("B", &[0.2, 0.01, 0.79])],
    )
    .unwrap()
}

#[test]
fn the_treatments_have_the_expected_losses_of_the_table() {
    let table: [([f64; 3], [f64; 2], usize); 6] = [
        ([1.0, 0.0, 0.5], [0.45, 0.595], 0),
        ([1.0, 0.0, 1.0], [0.8, 0.99], 0),
        ([1.0, 0.0, 0.0], [0.1, 0.2], 0),
        ([100.0, 0.0, 10.0], [17.0, 27.9], 0),
        ([10.0, 6.0, 2.0], [3.6, 3.64], 0),
        ([0.0, 1.0, 0.0], [0.2, 0.01], 1),
    ];
    for (losses, expected, best) in table {
        let found = treatments().decide(&losses).unwrap();
        for (found, expected) in found.expected.iter().zip(expected) {
            assert!((found - expected).abs() <= 4.0 * f64::EPSILON * expected, "{found} {expected}");
        }
        assert_eq!(found.best, [best]);
        // L_B - L_A on the line of indifference's side.
        let excess = treatments().indifference(0, 1).unwrap().excess(&losses).unwrap();
        assert!((excess - (expected[1] - expected[0])).abs() < 1e-13);
        assert!((found.margin().unwrap() - excess.abs()).abs() < 1e-13);
    }
}

#[test]
fn a_is_never_worse_when_recovery_is_best() {
    let treatments = treatments();
    assert!(treatments.never_worse_if_best(0, 1, 1).unwrap());
    assert!(!treatments.never_worse_if_best(1, 0, 1).unwrap());
    assert!(!treatments.never_worse_if_best(0, 1, 0).unwrap());
    assert!(
        treatments.dominates(0, 1, &[1, 2, 0]).unwrap() && treatments.dominates(0, 1, &[1, 0, 2]).unwrap()
    );
    assert!(!treatments.dominates(1, 0, &[1, 2, 0]).unwrap());
    let line = treatments.indifference(0, 1).unwrap();
    for (found, expected) in line.coefficients.iter().zip([0.1, -0.19, 0.09]) {
        assert!((found - expected).abs() < 1e-15);
    }
    // B wins iff 0.1 l0 + 0.09 l2 < 0.19 l1: at l0 = 1, l1 = 1 from l2 = 1 on downwards.
    assert!((line.break_even(2, &[1.0, 1.0, 99.0]).unwrap().unwrap() - 1.0).abs() < 1e-14);
}

#[test]
fn probabilities_that_are_none_are_refused() {
    let of = |distribution: &[f64]| Prospects::new(&["x", "y"], &[("a", distribution)]);
    assert!(of(&[0.5, 0.5]).is_ok() && of(&[0.5, 0.4]).is_err() && of(&[1.5, -0.5]).is_err());
    assert!(of(&[f64::NAN, 1.0]).is_err() && of(&[1.0]).is_err());
    assert!(Prospects::new(&["x"], &[]).is_err());
    let table = LossTable::from_rows(&[&[0.0, 1.0]]).unwrap();
    assert!(table.decide(&[0.5, 0.4]).is_err() && table.decide(&[1.0]).is_err());
    assert!(table.value_of_sample_information(&[0.5, 0.5], &DMatrix::from_element(2, 2, 0.4)).is_err());
    assert!(LossTable::from_rows(&[&[0.0, 1.0], &[0.0]]).is_err());
    assert!(LossTable::from_rows(&[&[f64::INFINITY]]).is_err() && LossTable::from_rows(&[]).is_err());
    assert!(treatments().decide(&[0.0, f64::NAN, 1.0]).is_err());
    assert!(treatments().dominates(0, 1, &[0, 0, 1]).is_err() && treatments().indifference(0, 2).is_err());
}

#[test]
fn ties_are_reported() {
    let table = LossTable::from_rows(&[&[0.1, 0.3], &[0.3, 0.1], &[0.4, 0.4], &[0.2, 0.2]]).unwrap();
    let found = table.decide(&[0.5, 0.5]).unwrap();
    assert_eq!(found.best, [0, 1, 3]);
    assert!((found.margin().unwrap() - 0.2).abs() < 1e-15);
    assert_eq!(table.decide(&[1.0, 0.0]).unwrap().best, [0]);
    assert_eq!(LossTable::from_rows(&[&[1.0], &[1.0]]).unwrap().decide(&[1.0]).unwrap().margin(), None);
}

#[test]
fn dominance_is_named() {
    let table = LossTable::from_rows(&[
        &[0.0, 4.0],
        &[4.0, 0.0],
        // Beaten by a coin between the first two, by neither alone.
        &[2.5, 2.5],
        // Beaten by the first, which is as good in one state.
        &[0.0, 5.0],
        &[3.0, 3.0],
        // On the line between the first two: nothing is better.
        &[2.0, 2.0],
    ])
    .unwrap();
    assert_eq!(table.dominated(0).unwrap(), None);
    assert_eq!(table.dominated(3).unwrap(), Some(Dominance::Weak { by: 0 }));
    assert_eq!(table.dominated(4).unwrap(), Some(Dominance::Strict { by: 2 }));
    assert_eq!(table.dominated(2).unwrap(), Some(Dominance::Strict { by: 5 }));
    let without = LossTable::from_rows(&[&[0.0, 4.0], &[4.0, 0.0], &[2.5, 2.5], &[2.0, 2.0 + 1e-7]]).unwrap();
    let Some(Dominance::Strict { by: 3 }) = without.dominated(2).unwrap() else { panic!("the last is less") };
    let Some(Dominance::Mixture { of }) = without.dominated(3).unwrap() else { panic!("a coin does better") };
    assert!(4.0 * of[1] <= 2.0 && 4.0 * of[0] <= 2.0 + 1e-7 && (of.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    assert_eq!(table.admissible(), [0, 1, 5]);
    assert!(table.dominated(6).is_err());
    assert_eq!(LossTable::from_rows(&[&[0.0, 0.0]]).unwrap().admissible(), [0]);
}

#[test]
fn minimax_meets_games_whose_values_are_known() {
    // Rock, paper, scissors: a third each, value 0.
    let game = LossTable::from_rows(&[&[0.0, 1.0, -1.0], &[-1.0, 0.0, 1.0], &[1.0, -1.0, 0.0]]).unwrap();
    let found = game.minimax_mixed();
    for weight in found.actions.iter().chain(&found.states) {
        assert!((weight - 1.0 / 3.0).abs() < 1e-14);
    }
    assert!(found.value.abs() < 1e-14);
    assert_eq!(game.minimax(), (vec![0, 1, 2], 1.0));
    // A 2 x 2 game without a saddle: value (ad - bc)/(a + d - b - c), row weight (d - c)/(...).
    let found = LossTable::from_rows(&[&[3.0, -1.0], &[-2.0, 4.0]]).unwrap().minimax_mixed();
    assert!((found.value - 1.0).abs() < 1e-14 && (found.actions[0] - 0.6).abs() < 1e-14);
    assert!((found.states[0] - 0.5).abs() < 1e-14);
    // Equal losses, and huge ones.
    assert_eq!(LossTable::from_rows(&[&[2.0, 2.0], &[2.0, 2.0]]).unwrap().minimax_mixed().value, 2.0);
    let huge = LossTable::from_rows(&[&[1e300, -1e300], &[-1e300, 1e300]]).unwrap().minimax_mixed();
    assert!(huge.value.abs() < 1e285 && (huge.actions[0] - 0.5).abs() < 1e-14);
}

#[test]
fn an_experiment_is_worth_at_most_the_truth() {
    // Drill for oil or not: losses of 70 if dry, gains of 200 if not; a seismic test (Raiffa's wildcatter).
    let table = LossTable::from_rows(&[&[70.0, -50.0, -200.0], &[0.0, 0.0, 0.0]]).unwrap();
    let prior = [0.5, 0.3, 0.2];
    let seismic = DMatrix::from_row_slice(3, 3, &[0.6, 0.3, 0.1, 0.3, 0.4, 0.3, 0.1, 0.4, 0.5]);
    assert!((table.decide(&prior).unwrap().expected[0] + 20.0).abs() < 1e-13);
    assert!((table.value_of_perfect_information(&prior).unwrap() - 35.0).abs() < 1e-12);
    // No structure (probability .41): drilling loses 12.5 there, so it is not drilled: 32.5 - 20.
    let value = table.value_of_sample_information(&prior, &seismic).unwrap();
    assert!((value - 12.5).abs() < 1e-12, "{value}");
    let perfect = table.value_of_sample_information(&prior, &DMatrix::identity(3, 3)).unwrap();
    assert!((perfect - 35.0).abs() < 1e-12);
    let nothing = DMatrix::from_element(3, 2, 0.5);
    assert_eq!(table.value_of_sample_information(&prior, &nothing).unwrap(), 0.0);
}

#[test]
fn each_loss_has_its_estimate() {
    let distribution = Beta::new(7.0, 5.0).unwrap();
    let mut rng = stream(1, &[0]);
    let draws: Vec<f64> = (0..40_000).map(|_| distribution.sample(&mut rng)).collect();
    // Standard errors 0.0007 (mean), 0.0009 (median), 0.0013 (quantile); five of them, or one alarm in a
    // million.
    let squared = point_estimate(&draws, PointLoss::Squared).unwrap();
    assert!((squared.estimate - 7.0 / 12.0).abs() < 0.0035);
    assert!((squared.expected_loss - distribution.variance().unwrap()).abs() < 0.0006);
    let median = point_estimate(&draws, PointLoss::Absolute).unwrap().estimate;
    assert!((median - distribution.quantile(0.5)).abs() < 0.0045);
    let high = point_estimate(&draws, PointLoss::Pinball { level: 0.9 }).unwrap().estimate;
    assert!((high - distribution.quantile(0.9)).abs() < 0.0065);
    // The mode is 0.6; the fullest window is found to a proportion of its width.
    let mode = point_estimate(&draws, PointLoss::ZeroOne { tolerance: 0.05 }).unwrap().estimate;
    assert!((mode - 0.6).abs() < 0.03, "{mode}");
}

#[test]
fn estimates_of_nothing_and_of_nonsense_are_refused() {
    assert!(point_estimate(&[], PointLoss::Squared).is_err());
    assert!(point_estimate(&[f64::NAN], PointLoss::Squared).is_err());
    assert!(point_estimate(&[1.0], PointLoss::Pinball { level: 1.0 }).is_err());
    assert!(point_estimate(&[1.0], PointLoss::ZeroOne { tolerance: -1.0 }).is_err());
    assert!(binomial_risk(3, 1.1, |_| 0.0, PointLoss::Squared).is_err());
    assert_eq!(point_estimate(&[1.0, 2.0], PointLoss::Absolute).unwrap().estimate, 1.5);
    assert_eq!(point_estimate(&[1e308, 1.5e308], PointLoss::Squared).unwrap().estimate, 1.25e308);
    assert!(compare_by_draws(&DMatrix::zeros(1, 2), 1).is_err());
    assert!(compare_by_draws(&DMatrix::zeros(4, 0), 1).is_err());
    assert!(compare_by_draws(&DMatrix::zeros(4, 2), 0).is_err());
    assert!(compare_by_draws(&DMatrix::zeros(4, 2), 3).is_err());
}

/// The error of the difference is small where actions share their luck, and batches know that a chain
/// remembers.
#[test]
fn errors_of_differences_are_those_of_pairs() {
    let mut rng = stream(2, &[0]);
    let mut state = 0.0;
    let chain: Vec<f64> = (0..100_000)
        .map(|_| {
            state = 0.9 * state + rng.sample::<f64, _>(rand_distr::StandardNormal);
            state
        })
        .collect();
    let noise: Vec<f64> = chain.iter().map(|_| rng.random::<f64>() - 0.5).collect();
    let losses = DMatrix::from_fn(chain.len(), 2, |draw, action| {
        chain[draw] + if action == 1 { 0.05 + noise[draw] } else { 0.0 }
    });
    let compared = compare_by_draws(&losses, 500).unwrap();
    assert_eq!(compared.best, 0);
    // The truth: sd 1/sqrt(12) of independent noise; a long-run sd of 1/(1 - 0.9) of the chain.
    let difference = 1.0 / (12.0 * 100_000_f64).sqrt();
    assert!((compared.excess_standard_errors[1] / difference - 1.0).abs() < 0.25);
    assert!((compared.standard_errors[0] / (10.0 / 100_000_f64.sqrt()) - 1.0).abs() < 0.3);
    let unaware = compare_by_draws(&losses, 1).unwrap();
    assert!(unaware.standard_errors[0] < 0.3 * compared.standard_errors[0]);
    assert_eq!((compared.excess[0], compared.excess_standard_errors[0]), (0.0, 0.0));
}

fn any_table() -> impl Strategy<Value = (LossTable, Vec<f64>)> {
    (1..5_usize, 1..5_usize).prop_flat_map(|(actions, states)| {
        let losses = proptest::collection::vec(-9..10_i32, actions * states);
        (losses, proptest::collection::vec(1..9_i32, states)).prop_map(move |(losses, weights)| {
            let losses = DMatrix::from_iterator(actions, states, losses.into_iter().map(f64::from));
            let sum: i32 = weights.iter().sum();
            let prior = weights.iter().map(|&weight| f64::from(weight) / f64::from(sum)).collect();
            (LossTable::new(losses).unwrap(), prior)
        })
    })
}

proptest! {
    #[test]
    fn a_positive_affine_change_of_losses_keeps_the_action((table, prior) in any_table(), scale in 0.1..9.0_f64, shift in -5.0..5.0_f64) {
        let changed = LossTable::new(table.losses().map(|loss| scale * loss + shift)).unwrap();
        prop_assert_eq!(table.decide(&prior).unwrap().best, changed.decide(&prior).unwrap().best);
    }

    /// With a prior that is positive everywhere, a Bayes action that is alone is admissible.
    #[test]
    fn bayes_actions_are_admissible((table, prior) in any_table()) {
        let best = table.decide(&prior).unwrap().best;
        if let [only] = best[..] {
            prop_assert!(table.admissible().contains(&only));
        }
        prop_assert!(!table.admissible().is_empty() || table.actions() > 1);
    }

    /// The two players' guarantees meet: no state beats the mixed action, no action beats the least
    /// favourable prior.
    #[test]
    fn minimax_is_a_saddle((table, prior) in any_table()) {
        let found = table.minimax_mixed();
        for state in 0..table.states() {
            let loss: f64 = (0..table.actions()).map(|a| found.actions[a] * table.losses()[(a, state)]).sum();
            prop_assert!(loss <= found.value + 1e-10);
        }
        prop_assert!((table.decide(&found.states).unwrap().loss() - found.value).abs() < 1e-10);
        prop_assert!(found.value <= table.minimax().1 + 1e-10);
        prop_assert!(table.decide(&prior).unwrap().loss() <= found.value + 1e-10);
    }

    /// Dominated by a mixture: the mixture loses no more anywhere, and less somewhere.
    #[test]
    fn mixtures_dominate((table, _) in any_table()) {
        for action in 0..table.actions() {
            if let Some(Dominance::Mixture { of }) = table.dominated(action).unwrap() {
                let gain = |state: usize| {
                    let mixed: f64 = (0..table.actions()).map(|a| of[a] * table.losses()[(a, state)]).sum();
                    table.losses()[(action, state)] - mixed
                };
                prop_assert!((0..table.states()).all(|state| gain(state) > -1e-9));
                prop_assert!((0..table.states()).any(|state| gain(state) > 1e-10));
            }
        }
    }

    /// No other point does better, on the draws themselves.
    #[test]
    fn estimates_minimise_their_loss(draws in proptest::collection::vec(-5..6_i32, 1..12), level in 1..10_u8) {
        let draws: Vec<f64> = draws.into_iter().map(f64::from).collect();
        let level = f64::from(level) / 10.0;
        for loss in [PointLoss::Squared, PointLoss::Absolute, PointLoss::Pinball { level }, PointLoss::ZeroOne { tolerance: 1.25 }] {
            let found = point_estimate(&draws, loss).unwrap();
            let of = |a: f64| draws.iter().map(|&x| loss.loss(x, a)).sum::<f64>() / draws.len() as f64;
            prop_assert!((of(found.estimate) - found.expected_loss).abs() < 1e-12);
            for step in -60..=60 {
                prop_assert!(found.expected_loss <= of(f64::from(step) / 10.0) + 1e-12);
            }
        }
    }
}

/// A loss of 10¹⁶ that cannot happen, or that a third action has, hides no difference of 1; equal losses tie
/// in spite of rounding.
#[test]
fn huge_losses_elsewhere_make_no_ties() {
    let table = LossTable::from_rows(&[&[0.0, 1e16], &[1.0, 1e16]]).unwrap();
    assert_eq!(table.decide(&[1.0, 0.0]).unwrap().best, [0]);
    let table = LossTable::from_rows(&[&[0.0, 0.0], &[1.0, 1.0], &[1e16, 1e16]]).unwrap();
    assert_eq!(table.decide(&[0.5, 0.5]).unwrap().best, [0]);
    let distributions = Prospects::new(
        &["a", "b", "c"],
        &[("first", [1.0, 0.0, 0.0].as_slice()), ("second", &[0.0, 1.0, 0.0])],
    );
    assert_eq!(distributions.unwrap().decide(&[1.0, 2.0, 1e16]).unwrap().best, [0]);
    let table = LossTable::from_rows(&[&[0.1, 0.2, 0.3], &[0.3, 0.2, 0.1], &[0.2, 0.2, 0.2]]).unwrap();
    assert_eq!(table.decide(&[1.0 / 3.0; 3]).unwrap().best, [0, 1, 2]);
}
