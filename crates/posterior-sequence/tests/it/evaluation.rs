//! Scores against counting by hand and against a transcription of the rules of `conlleval`.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_sequence::evaluation::{Chunk, ChunkScores, Confusion, ProbabilityScores, Roc, Tally, chunks};
use proptest::prelude::*;

/// The two tables of the program `conlleval`: does a chunk start, and did one end, between two tags?
mod conlleval {
    const STARTS: &[(char, char)] =
        &[('B', 'B'), ('I', 'B'), ('O', 'B'), ('O', 'I'), ('E', 'E'), ('E', 'I'), ('O', 'E')];
    const ENDS: &[(char, char)] =
        &[('B', 'B'), ('B', 'O'), ('I', 'B'), ('I', 'O'), ('E', 'E'), ('E', 'I'), ('E', 'O')];

    fn split(tag: &str) -> (char, &str) {
        let (sign, kind) = tag.split_once('-').unwrap_or((tag, ""));
        (sign.chars().next().unwrap(), kind)
    }

    fn starts(before: &str, tag: &str) -> bool {
        let ((p, a), (t, b)) = (split(before), split(tag));
        STARTS.contains(&(p, t)) || (t != 'O' && a != b)
    }

    fn ends(before: &str, tag: &str) -> bool {
        let ((p, a), (t, b)) = (split(before), split(tag));
        ENDS.contains(&(p, t)) || (p != 'O' && a != b)
    }

    /// (truth, predicted, correct) as the program counts them, token by token, O between sequences.
    pub(super) fn count(truth: &[String], guess: &[String]) -> (u64, u64, u64) {
        let (mut found, mut guessed, mut correct, mut inside) = (0, 0, 0, false);
        let mut last = ("O".to_owned(), "O".to_owned());
        let close = ("O".to_owned(), "O".to_owned());
        for (t, g) in truth.iter().cloned().zip(guess.iter().cloned()).chain([close]) {
            if inside {
                let (end_t, end_g) = (ends(&last.0, &t), ends(&last.1, &g));
                if end_t && end_g && split(&last.0).1 == split(&last.1).1 {
                    inside = false;
                    correct += 1;
                } else if end_t != end_g || split(&t).1 != split(&g).1 {
                    inside = false;
                }
            }
            let (start_t, start_g) = (starts(&last.0, &t), starts(&last.1, &g));
            if start_t && start_g && split(&t).1 == split(&g).1 {
                inside = true;
            }
            found += u64::from(start_t);
            guessed += u64::from(start_g);
            last = (t, g);
        }
        (found, guessed, correct)
    }
}

fn spans(labels: &[&str]) -> Vec<(usize, usize, String)> {
    chunks(labels).unwrap().into_iter().map(|Chunk { start, end, kind, .. }| (start, end, kind)).collect()
}

fn expected(spans: &[(usize, usize, &str)]) -> Vec<(usize, usize, String)> {
    spans.iter().map(|&(start, end, kind)| (start, end, kind.to_owned())).collect()
}

#[test]
fn every_scheme_tells_the_same_chunks() {
    // He/NP saw/VP (the big dog)/NP (the cat)/NP .
    let wanted = expected(&[(0, 1, "NP"), (1, 2, "VP"), (2, 5, "NP"), (5, 7, "NP")]);
    for labels in [
        ["I-NP", "I-VP", "I-NP", "I-NP", "I-NP", "B-NP", "I-NP", "O"],
        ["B-NP", "B-VP", "B-NP", "I-NP", "I-NP", "B-NP", "I-NP", "O"],
        ["I-NP", "I-VP", "I-NP", "I-NP", "E-NP", "I-NP", "I-NP", "O"],
        ["E-NP", "E-VP", "I-NP", "I-NP", "E-NP", "I-NP", "E-NP", "O"],
        ["S-NP", "S-VP", "B-NP", "I-NP", "E-NP", "B-NP", "E-NP", "O"],
        ["U-NP", "U-VP", "B-NP", "I-NP", "L-NP", "B-NP", "L-NP", "O"],
    ] {
        assert_eq!(spans(&labels), wanted, "{labels:?}");
    }
}

#[test]
fn inconsistent_labels_have_chunks_too() {
    assert_eq!(spans(&["O", "I-NP", "I-NP"]), expected(&[(1, 3, "NP")]));
    assert_eq!(spans(&["B-NP", "I-VP", "I-NP"]), expected(&[(0, 1, "NP"), (1, 2, "VP"), (2, 3, "NP")]));
    assert_eq!(spans(&["I-NP", "O", "I-NP"]), expected(&[(0, 1, "NP"), (2, 3, "NP")]));
    assert_eq!(spans(&["S-NP", "I-NP"]), expected(&[(0, 1, "NP"), (1, 2, "NP")]));
    assert_eq!(spans(&["E-NP", "E-NP", "B-NP"]), expected(&[(0, 1, "NP"), (1, 2, "NP"), (2, 3, "NP")]));
    assert_eq!(spans(&["B", "I", "I", "B"]), expected(&[(0, 3, ""), (3, 4, "")]));
    // A type may hold the sign that separates.
    assert_eq!(spans(&["B-work-of-art", "I-work-of-art"]), expected(&[(0, 2, "work-of-art")]));
    assert!(spans(&[]).is_empty());
    assert_eq!(spans(&["O", "O"]), expected(&[]));
    assert_eq!(chunks(&["O", "NN"]), None);
    assert_eq!(chunks(&["Be-NP"]), None);
    assert_eq!(chunks(&[""]), None);
}

#[test]
fn counts_by_hand() {
    let truth = ["B-NP", "I-NP", "B-VP", "B-PP", "B-NP", "O"];
    let guess = ["B-NP", "I-NP", "I-VP", "B-NP", "I-NP", "B-SBAR"];
    let mut scores = ChunkScores::default();
    scores.push(&chunks(&truth).unwrap(), &chunks(&guess).unwrap());
    // Truth NP VP PP NP; guess NP VP NP(3..5) SBAR; both NP VP.
    let all = scores.all();
    assert_eq!((all.truth, all.predicted, all.correct), (4, 4, 2));
    assert_eq!((all.precision(), all.recall(), all.f1()), (0.5, 0.5, 0.5));
    let np = scores.kind("NP");
    assert_eq!((np.truth, np.predicted, np.correct, np.f1()), (2, 2, 1, 0.5));
    assert_eq!((scores.kind("PP").precision(), scores.kind("PP").f1()), (0.0, 0.0));
    assert_eq!(scores.kinds().map(|(kind, _)| kind).collect::<Vec<_>>(), ["NP", "PP", "SBAR", "VP"]);
    let mut twice = scores.clone();
    twice.merge(&scores);
    assert_eq!((twice.all().correct, twice.kind("NP").truth), (4, 4));
    assert_eq!(ChunkScores::default().all().f1(), 0.0);
}

fn labels(signs: &'static str) -> impl Strategy<Value = Vec<(String, String)>> {
    let label = move || {
        (prop::sample::select(signs.chars().collect::<Vec<_>>()), 0..2_usize).prop_map(|(sign, kind)| {
            match sign {
                'O' => "O".to_owned(),
                _ => format!("{sign}-{}", ["NP", "VP"][kind]),
            }
        })
    };
    prop::collection::vec((label(), label()), 0..12)
}

fn agrees(pairs: Vec<(String, String)>) -> Result<(), TestCaseError> {
    let (truth, guess): (Vec<String>, Vec<String>) = pairs.into_iter().unzip();
    let mut scores = ChunkScores::default();
    scores.push(&chunks(&truth).unwrap(), &chunks(&guess).unwrap());
    let all = scores.all();
    prop_assert_eq!((all.truth, all.predicted, all.correct), conlleval::count(&truth, &guess));
    Ok(())
}

proptest! {
    #[test]
    fn chunks_of_iob_are_those_of_conlleval(pairs in labels("BIO")) {
        agrees(pairs)?;
    }

    #[test]
    fn chunks_of_ioe_are_those_of_conlleval(pairs in labels("EIO")) {
        agrees(pairs)?;
    }
}

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
    assert_eq!(confusion.matrix()[(0, 1)], 1.0);
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
    assert_eq!((scores.bins()[0].count, scores.bins()[1].correct), (0, 1));
    assert_eq!(scores.bins()[0].accuracy(), None);
    assert!((scores.bins()[1].mean_confidence().unwrap() - 2.0 / 3.0).abs() < 1e-15);
    assert!((scores.calibration_error().unwrap() - 1.0 / 3.0).abs() < 1e-15);
}

#[test]
fn probabilities_at_the_edges() {
    let mut scores = ProbabilityScores::new(0);
    assert_eq!((scores.mean_ln_loss(), scores.brier(), scores.calibration_error()), (None, None, None));
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
fn the_area_is_the_share_of_pairs_in_order() {
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
