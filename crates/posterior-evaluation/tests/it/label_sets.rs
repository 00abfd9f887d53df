//! Rows with several labels, against scikit-learn's numbers.

use posterior_evaluation::LabelSets;

const TRUTH: [[u8; 3]; 5] = [[1, 0, 1], [0, 1, 0], [1, 1, 0], [0, 0, 0], [1, 0, 0]];
const PREDICTED: [[u8; 3]; 5] = [[1, 0, 0], [0, 1, 1], [1, 0, 0], [0, 0, 0], [0, 0, 0]];

fn of(rows: std::ops::Range<usize>) -> LabelSets {
    let mut sets = LabelSets::new(3);
    for row in rows {
        let [truth, predicted] = [TRUTH[row], PREDICTED[row]].map(|own| own.map(|label| label == 1));
        sets.push(&truth, &predicted).expect("invariant: three labels");
    }
    sets
}

/// `f1_score` of scikit-learn 1.9.1 with `average='micro'` and `'macro'`, `accuracy_score`, `hamming_loss`.
#[test]
fn scores_are_those_of_scikit_learn_whatever_the_parts() {
    for cut in 0..=5 {
        let mut sets = of(0..cut);
        sets.merge(&of(cut..5)).unwrap();
        assert_eq!(sets, of(0..5));
        assert!((sets.micro_f1().unwrap() - 0.6).abs() < 1e-15);
        assert!((sets.macro_f1().unwrap() - 0.488_888_888_888_888_93).abs() < 1e-15);
        assert!((sets.subset_accuracy().unwrap() - 0.2).abs() < 1e-15);
        assert!((sets.hamming_loss().unwrap() - 0.266_666_666_666_666_66).abs() < 1e-15);
        assert_eq!((sets.precision(0), sets.recall(1), sets.f1(2)), (Some(1.0), Some(0.5), Some(0.0)));
        assert_eq!((sets.labels()[0].hits, sets.rows().total), (2, 5));
    }
}

#[test]
fn what_never_happened_has_no_score() {
    let mut sets = LabelSets::new(2);
    assert_eq!((sets.micro_f1(), sets.subset_accuracy(), sets.hamming_loss()), (None, None, None));
    sets.push(&[false, true], &[false, true]).unwrap();
    assert_eq!(
        (sets.f1(0), sets.macro_f1(), sets.precision(0), sets.recall(0)),
        (None, Some(1.0), None, None)
    );
    assert!(sets.push(&[true], &[true]).is_err() && sets.push(&[true, true], &[true]).is_err());
    assert!(sets.merge(&LabelSets::new(3)).is_err());
}
