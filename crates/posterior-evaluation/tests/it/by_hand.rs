//! Scores against counting by hand.

use posterior_evaluation::{Confusion, ProbabilityScores, Roc, Tally};

#[test]
fn confusion_by_hand() {
    // scikit-learn's definitions: truth in rows.
    let truth = [0, 0, 0, 1, 1, 2];
    let guess = [0, 1, 0, 1, 2, 2];
    let confusion = Confusion::of(4, truth.into_iter().zip(guess)).unwrap();
    assert_eq!(confusion.tally(), Tally { correct: 4, total: 6 });
    assert_eq!(confusion.precision(0), Some(1.0));
    assert_eq!(confusion.recall(0), Some(2.0 / 3.0));
    assert_eq!((confusion.precision(1), confusion.recall(2)), (Some(0.5), Some(1.0)));
    assert_eq!((confusion.precision(3), confusion.recall(3), confusion.f1(3)), (None, None, None));
    let mean = (0.8 + 0.5 + 2.0 / 3.0) / 3.0;
    assert!((confusion.macro_f1().unwrap() - mean).abs() < 1e-15);
    assert_eq!(confusion.mistakes(), [(0, 1, 1), (1, 2, 1)]);
    assert_eq!(confusion.count(0, 1), 1);
    assert_eq!((confusion.support(0), confusion.predicted(2)), (3, 2));
    let empty = Confusion::new(0);
    assert_eq!((empty.accuracy(), empty.macro_f1()), (None, None));
    assert!(Confusion::of(2, [(0, 2)]).is_err());
    let mut sum = confusion.clone();
    sum.merge(&confusion).unwrap();
    assert_eq!(sum.count(0, 0), 4);
    assert!(sum.merge(&empty).is_err());
}

#[test]
fn probabilities_by_hand() {
    let mut scores = ProbabilityScores::new(2);
    for (probabilities, truth) in [([0.9, 0.1], 0), ([0.4, 0.6], 0), ([0.5, 0.5], 1)] {
        scores.push(&probabilities, truth).unwrap();
    }
    let loss = -(0.9_f64.ln() + 0.4_f64.ln() + 0.5_f64.ln()) / 3.0;
    assert!((scores.mean_ln_loss().unwrap() - loss).abs() < 1e-15);
    let brier = (0.02 + 0.72 + 0.5) / 3.0;
    assert!((scores.brier().unwrap() - brier).abs() < 1e-15);
    // All are in the upper half: one of three right, said with 0.9, 0.6, 0.5.
    assert_eq!((scores.reliability().bins()[0].count, scores.reliability().bins()[1].happened), (0, 1));
    assert_eq!(scores.reliability().bins()[0].rate(), None);
    assert!((scores.reliability().bins()[1].mean_probability().unwrap() - 2.0 / 3.0).abs() < 1e-15);
    assert!((scores.reliability().calibration_error().unwrap() - 1.0 / 3.0).abs() < 1e-15);
}

#[test]
fn probabilities_at_the_edges() {
    let mut scores = ProbabilityScores::new(0);
    assert_eq!(
        (scores.mean_ln_loss(), scores.brier(), scores.reliability().calibration_error()),
        (None, None, None)
    );
    for wrong in [vec![], vec![f64::NAN], vec![-0.1, 1.1], vec![1.1]] {
        assert!(scores.push(&wrong, 0).is_err(), "{wrong:?}");
    }
    assert_eq!(scores.count(), 0);
    scores.push(&[1.0 + 1e-12, 0.0], 0).unwrap();
    assert_eq!((scores.mean_ln_loss(), scores.brier()), (Some(0.0), Some(0.0)));
    // A label that the model does not know.
    scores.push(&[1.0, 0.0], 7).unwrap();
    assert_eq!(scores.mean_ln_loss(), Some(f64::INFINITY));
}

#[test]
fn the_area_is_the_proportion_of_pairs_in_order() {
    let scores = [0.3, 0.1, 0.9, 0.3, 0.3, f64::NEG_INFINITY, 0.7, f64::INFINITY];
    let truth = [true, false, true, false, true, true, false, false];
    let mut pairs = 0.0;
    for (a, _) in scores.iter().zip(truth).filter(|(_, truth)| *truth) {
        for (b, _) in scores.iter().zip(truth).filter(|(_, truth)| !*truth) {
            pairs += f64::from(a > b) + 0.5 * f64::from(a == b);
        }
    }
    let roc = Roc::of(&scores, &truth).unwrap().unwrap();
    assert!((roc.area() - pairs / 16.0).abs() < 1e-15);
    assert_eq!(Roc::of(&scores[..2], &[true, true]).unwrap(), None);
    assert_eq!(Roc::of(&[], &[]).unwrap(), None);
    assert!(Roc::of(&scores, &truth[..3]).is_err());
    assert!(Roc::of(&[f64::NAN, 1.0], &[true, false]).is_err());
}
