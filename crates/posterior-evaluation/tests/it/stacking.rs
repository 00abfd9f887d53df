//! Weights of models: closed forms, the conditions of the highest score, and what is refused.

use posterior_evaluation::stacking_weights;
use proptest::prelude::*;

fn score(weights: &[f64], ln_scores: &[Vec<f64>]) -> f64 {
    let outcome = |i: usize| -> f64 {
        weights.iter().zip(ln_scores).map(|(weight, own)| weight * own[i].exp()).sum::<f64>().ln()
    };
    (0..ln_scores[0].len()).map(outcome).sum::<f64>() / ln_scores[0].len() as f64
}

#[test]
fn one_model_has_all_weight_and_a_worse_one_none() {
    assert_eq!(stacking_weights(&[vec![-1.0, -7.0]]).unwrap(), [1.0]);
    let (good, bad) = (vec![-1.0, -2.0, -0.5], vec![-1.1, -2.2, -0.7]);
    let weights = stacking_weights(&[bad, good]).unwrap();
    assert!(weights[0] < 1e-6 && weights[1] > 1.0 - 1e-6, "{weights:?}");
}

/// Models that know half of the outcomes each: neither alone, but both together.
#[test]
fn models_that_rule_out_what_the_others_know_share_the_weight() {
    let never = f64::NEG_INFINITY;
    let weights = stacking_weights(&[vec![-1.0, -1.0, never], vec![never, never, -900.0]]).unwrap();
    assert!((weights[0] - 2.0 / 3.0).abs() < 1e-6, "{weights:?}");
}

proptest! {
    /// Concave: no step to another model, nor to a mixture, goes up.
    #[test]
    fn no_other_weights_have_a_higher_score(
        scores in proptest::collection::vec(proptest::collection::vec(-6.0..2.0_f64, 12), 3),
        other in proptest::collection::vec(0.01..1.0_f64, 3),
    ) {
        let weights = stacking_weights(&scores).unwrap();
        prop_assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        let best = score(&weights, &scores);
        let sum: f64 = other.iter().sum();
        let other: Vec<f64> = other.iter().map(|own| own / sum).collect();
        prop_assert!(score(&other, &scores) <= best + 1e-8);
        for model in 0..3 {
            let alone: Vec<f64> = (0..3).map(|own| f64::from(u8::from(own == model))).collect();
            prop_assert!(score(&alone, &scores) <= best + 1e-8);
        }
    }
}

#[test]
fn what_has_no_weights_is_refused() {
    let never = f64::NEG_INFINITY;
    for scores in [
        vec![],
        vec![vec![]],
        vec![vec![-1.0], vec![-1.0, -2.0]],
        vec![vec![-1.0, f64::NAN]],
        vec![vec![f64::INFINITY]],
        vec![vec![-1.0, never], vec![-2.0, never]],
    ] {
        assert!(stacking_weights(&scores).is_err(), "{scores:?}");
    }
}
