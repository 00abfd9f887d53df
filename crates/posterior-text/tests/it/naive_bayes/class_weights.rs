//! Classes of which each document counts as so many.

use posterior_math::linalg::DMatrix;
use posterior_text::naive_bayes::table::{ClassTable, ColumnDistribution, TableClassifier, TableOptions};
use posterior_text::naive_bayes::{
    ClassCounts, ClassPrior, ClassWeights, Counted, EventModel, NaiveBayes, NaiveBayesOptions, cross_validate,
};

use super::{bag, corpus_of, document};

const COUNTS: [[u32; 3]; 5] = [[2, 0, 1], [1, 1, 0], [0, 3, 1], [0, 1, 2], [1, 0, 0]];
const LABELS: [usize; 5] = [0, 0, 1, 1, 0];

fn options(model: EventModel, weights: ClassWeights) -> NaiveBayesOptions {
    let prior = ClassPrior::Learned { add: 0.0 };
    NaiveBayesOptions { model, prior, weights, ..NaiveBayesOptions::default() }
}

/// `fit(..., sample_weight=...)` of scikit-learn 1.9.1 with a weight of 2.5 for each text of class 1.
#[test]
fn weighted_texts_are_those_of_scikit_learn() {
    let expected = [
        (EventModel::Multinomial, [0.539_596_169_956_234_7, 0.243_323_442_136_498_62]),
        (EventModel::Bernoulli, [0.868_171_271_883_569_1, 0.215_317_011_927_181_56]),
        (EventModel::Complement, [0.661_400_744_304_953_8, 0.348_936_170_212_765_96]),
    ];
    for (model, expected) in expected {
        let options = options(model, ClassWeights::Given(vec![1.0, 2.5]));
        let fit = NaiveBayes::fit(&corpus_of(&COUNTS), &LABELS, 2, &options).unwrap();
        for (text, expected) in [[1, 2, 0], [0, 0, 1]].into_iter().zip(expected) {
            let found = fit.posterior(document(&bag(&text))).unwrap().probabilities[0];
            assert!((found - expected).abs() < 1e-13, "{model:?} {found} {expected}");
        }
        // What was seen stays as it was seen, in a file too.
        assert_eq!(fit.counts().documents(), [3.0, 2.0]);
        let text = serde_json::to_string(&fit).unwrap();
        assert_eq!(serde_json::from_str::<NaiveBayes>(&text).unwrap(), fit);
    }
}

#[test]
fn balanced_classes_weigh_the_same_in_texts_and_tables() {
    assert_eq!(ClassWeights::Balanced.factors(&[0.0, 4.0, 2.0]).unwrap(), [1.0, 0.5, 1.0]);
    let balanced = options(EventModel::Multinomial, ClassWeights::Balanced);
    let fit = NaiveBayes::fit(&corpus_of(&COUNTS), &LABELS, 2, &balanced).unwrap();
    assert!(fit.ln_prior().iter().all(|own| (own - 0.5_f64.ln()).abs() < 1e-15));
    // Each document twice is a weight of 2.
    let table = DMatrix::from_row_slice(5, 2, &[1.0, 0.0, 1.5, 1.0, 3.0, 1.0, 3.5, 1.0, 0.5, 0.0]);
    let twice = DMatrix::from_fn(7, 2, |i, j| table[([0, 1, 2, 3, 4, 2, 3][i], j)]);
    let columns = [ColumnDistribution::Normal, ColumnDistribution::Categorical { levels: 2 }];
    let weighted = TableOptions { weights: ClassWeights::Given(vec![1.0, 2.0]), ..TableOptions::default() };
    let own = TableClassifier::fit(&columns, &table, &LABELS, 2, &weighted).unwrap();
    let labels = [0, 0, 1, 1, 0, 1, 1];
    let other = TableClassifier::fit(&columns, &twice, &labels, 2, &TableOptions::default()).unwrap();
    for row in [[2.0, 1.0], [1.0, f64::NAN]] {
        let [own, other] = [&own, &other].map(|fit| fit.posterior(&row).unwrap().unwrap().probabilities[0]);
        assert!((own - other).abs() < 1e-12, "{own} {other}");
    }
}

#[test]
fn cross_validation_weighs_as_a_fit_to_the_other_folds() {
    let (corpus, options) = (corpus_of(&COUNTS), options(EventModel::Bernoulli, ClassWeights::Balanced));
    let said = cross_validate(&corpus, &LABELS, 2, &options, 5).unwrap();
    for (left, said) in said.iter().enumerate() {
        let others: Vec<usize> = (0..5).filter(|&own| own != left).collect();
        let labels: Vec<usize> = others.iter().map(|&own| LABELS[own]).collect();
        let fit = NaiveBayes::fit(&corpus.select(&others).unwrap(), &labels, 2, &options).unwrap();
        assert_eq!(fit.posterior(corpus.document(left)).as_ref(), said.as_ref());
    }
}

#[test]
fn wrong_weights_are_refused() {
    for weights in [vec![1.0], vec![1.0, 0.0], vec![1.0, f64::NAN], vec![1.0, -1.0]] {
        let options = options(EventModel::Multinomial, ClassWeights::Given(weights));
        assert!(NaiveBayes::fit(&corpus_of(&COUNTS), &LABELS, 2, &options).is_err());
    }
}

/// Counts of parts whose words and classes differ add to those of the whole.
#[test]
fn spread_counts_add_to_those_of_all_texts() {
    let all = ClassCounts::of(Counted::Occurrences, &corpus_of(&COUNTS), &LABELS, 2).unwrap();
    // The first three texts without the last word, both classes in another order.
    let first = corpus_of(&[[2, 0], [1, 1], [0, 3]]);
    let first = ClassCounts::of(Counted::Occurrences, &first, &[1, 1, 0], 2).unwrap();
    let mut found = first.spread((2, &[1, 0]), (3, &[0, 1])).unwrap();
    let third = corpus_of(&[[1], [1]]);
    let third = ClassCounts::of(Counted::Occurrences, &third, &[0, 1], 2).unwrap();
    // The last word of the first and the third text: counted as texts of their own, then as no texts.
    let mut third = third.spread((2, &[0, 1]), (3, &[2])).unwrap();
    for class in 0..2 {
        let none: (&[u32], &[u32]) = (&[], &[]);
        let empty = posterior_text::corpus::Document { words: none.0, counts: none.1 };
        third.pop(empty, class).unwrap();
    }
    found.merge(&third).unwrap();
    for (text, class) in COUNTS.iter().zip(LABELS).skip(3) {
        found.push(document(&bag(text)), class).unwrap();
    }
    assert_eq!(found, all);
    assert!(all.spread((2, &[0, 0]), (3, &[0, 1, 2])).is_err());
    assert!(all.spread((2, &[0, 1]), (3, &[0, 1])).is_err());
    assert!(all.spread((1, &[0, 1]), (3, &[0, 1, 2])).is_err());
}

#[test]
fn spread_statistics_add_to_those_of_all_rows() {
    let columns = |levels| [ColumnDistribution::Normal, ColumnDistribution::Categorical { levels }];
    let rows = DMatrix::from_row_slice(4, 2, &[1.0, 0.0, 2.0, 2.0, 4.0, 1.0, 8.0, 1.0]);
    let all = ClassTable::of(&columns(3), &rows, &[0, 2, 1, 2], 3).unwrap();
    // Two rows that know levels 0 and 2, as 0 and 1, and classes 0 and 2.
    let first = DMatrix::from_row_slice(2, 2, &[1.0, 0.0, 2.0, 1.0]);
    let first = ClassTable::of(&columns(2), &first, &[0, 1], 2).unwrap();
    let mut found = first.spread(&columns(3), (3, &[0, 2]), &[vec![], vec![0, 2]]).unwrap();
    found.push(&[4.0, 1.0], 1).unwrap();
    found.push(&[8.0, 1.0], 2).unwrap();
    assert_eq!(found, all);
    let moments = all.moments(0).unwrap().unwrap();
    assert_eq!((moments.weight(), moments.mean()), (4.0, 3.75));
    assert_eq!(all.moments(1).unwrap(), None);
    assert!(all.moments(2).is_err());
    assert!(first.spread(&columns(3), (3, &[0, 2]), &[vec![], vec![0]]).is_err());
    let swapped = [ColumnDistribution::Categorical { levels: 3 }, ColumnDistribution::Normal];
    assert!(first.spread(&swapped, (3, &[0, 2]), &[vec![], vec![0, 2]]).is_err());
}
