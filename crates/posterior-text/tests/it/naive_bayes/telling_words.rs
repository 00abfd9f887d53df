//! Intervals of log-odds against draws of the Beta distributions, and evidence against Pólya urns.

use posterior_dist::Beta;
use posterior_dist::stream::stream;
use posterior_text::naive_bayes::*;
use rand::distr::Distribution;

use super::{assert_close, corpus_of};

const TEXTS: [[u32; 3]; 6] = [[3, 0, 1], [2, 1, 0], [0, 2, 1], [1, 3, 2], [0, 1, 0], [1, 1, 4]];
const LABELS: [usize; 6] = [0, 0, 1, 1, 1, 2];

/// Beta parameters of word 0 in class 0 and in the others, worked by hand.
fn check(model: EventModel, own: (f64, f64), other: (f64, f64), scale: fn(f64) -> f64) {
    const DRAWS: usize = 200_000;
    let options = NaiveBayesOptions { model, smoothing: 0.5, ..NaiveBayesOptions::default() };
    let model = NaiveBayes::fit(&corpus_of(&TEXTS), &LABELS, 3, &options).unwrap();
    let words = model.telling_words(0, 0.8, 3).unwrap();
    let word = words.iter().find(|word| word.word == 0).unwrap();
    let mut rng = stream(8, &[]);
    let [own, other] = [own, other].map(|(a, b)| Beta::new(a, b).unwrap());
    let mut draws: Vec<f64> =
        (0..DRAWS).map(|_| scale(own.sample(&mut rng)) - scale(other.sample(&mut rng))).collect();
    let mean = draws.iter().sum::<f64>() / DRAWS as f64;
    let sd = (draws.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / DRAWS as f64).sqrt();
    // Four standard errors of a mean: false alarms 6e-5.
    assert!((word.mean - mean).abs() < 4.0 * sd / (DRAWS as f64).sqrt());
    assert!((word.sd / sd - 1.0).abs() < 0.02);
    draws.sort_by(f64::total_cmp);
    // The proportion of draws below the ends, within four standard errors.
    for (end, p) in [(word.lower, 0.1), (word.upper, 0.9)] {
        let below = draws.partition_point(|&x| x < end) as f64 / DRAWS as f64;
        assert!((below - p).abs() < 4.0 * (0.09 / DRAWS as f64).sqrt(), "{below} below {end}");
    }
}

#[test]
fn intervals_hold_the_posterior_mass() {
    // Class 0: 5 of 7 tokens; the others: 2 of 16; 0.5 on each of three words.
    check(EventModel::Multinomial, (5.5, 3.0), (2.5, 15.0), f64::ln);
    // In 2 of 2 texts against 2 of 4.
    check(EventModel::Bernoulli, (2.5, 0.5), (2.5, 2.5), |x| (x / (1.0 - x)).ln());
}

#[test]
fn frequent_words_come_before_lucky_ones() {
    // Word 0 is there thirty times and five times in the other class; word 1 is there twice, and never in the
    // other.
    let corpus = corpus_of(&[[30, 2, 118], [5, 0, 145]]);
    let model = NaiveBayes::fit(
        &corpus,
        &[0, 1],
        2,
        &NaiveBayesOptions { smoothing: 0.5, ..NaiveBayesOptions::default() },
    )
    .unwrap();
    let words = model.telling_words(0, 0.9, 3).unwrap();
    assert_eq!(words.len(), 2);
    assert_eq!((words[0].word, words[1].word), (0, 1));
    assert!(words[1].mean > words[0].mean && words[1].lower < words[0].lower);
    for word in words {
        assert!(word.lower < word.mean && word.mean < word.upper);
    }
    assert!(model.telling_words(2, 0.9, 2).is_err());
    for level in [0.0, 1.0, f64::NAN] {
        assert!(model.telling_words(0, level, 2).is_err());
    }
    let unsmoothed = NaiveBayesOptions { smoothing: 0.0, ..NaiveBayesOptions::default() };
    let model = NaiveBayes::fit(&corpus, &[0, 1], 2, &unsmoothed).unwrap();
    assert!(model.telling_words(0, 0.9, 2).is_err());
}

#[test]
fn the_evidence_is_that_of_the_urns() {
    // The chain of Pólya predictions of the whole text of each class.
    let counts = ClassCounts::of(Counted::Occurrences, &corpus_of(&TEXTS), &LABELS, 3).unwrap();
    let ln_urns = |k: f64| {
        let options =
            NaiveBayesOptions { model: EventModel::Polya, smoothing: k, ..NaiveBayesOptions::default() };
        let empty = ClassCounts::new(Counted::Occurrences, 3, 3).unwrap();
        let model =
            NaiveBayes::from_counts(empty, &NaiveBayesOptions { prior: ClassPrior::Uniform, ..options })
                .unwrap();
        let text = |class: usize| {
            let words = counts.words_of(class);
            super::bag(&words.iter().map(|&n| n as u32).collect::<Vec<u32>>())
        };
        let ln = |class: usize| model.ln_joint(super::document(&text(class)))[class] + 3_f64.ln();
        (0..3).map(ln).sum::<f64>()
    };
    let (k, ln_evidence) = smoothing_by_evidence(&counts).unwrap();
    assert_close(ln_evidence, ln_urns(k), 1e-12);
    for other in [0.9 * k, 1.1 * k] {
        assert!(ln_urns(other) < ln_evidence);
    }
    assert!(smoothing_by_evidence(&ClassCounts::new(Counted::Presence, 2, 3).unwrap()).is_err());
}

#[test]
fn the_evidence_of_presence_is_that_of_coins() {
    const TEXTS: [[u32; 3]; 6] = [[1, 0, 1], [1, 0, 0], [0, 1, 1], [0, 1, 1], [0, 2, 0], [1, 1, 1]];
    let counts = ClassCounts::of(Counted::Presence, &corpus_of(&TEXTS), &LABELS, 3).unwrap();
    // Rule of succession, text by text, for each word and class.
    let ln_coins = |k: f64| {
        let mut ln = 0.0;
        for class in 0..3 {
            for word in 0..3 {
                let (mut heads, mut all) = (0.0, 0.0);
                for (text, _) in TEXTS.iter().zip(LABELS).filter(|(_, label)| *label == class) {
                    let there = text[word] > 0;
                    let n = if there { heads } else { all - heads };
                    ln += ((n + k) / (all + 2.0 * k)).ln();
                    heads += f64::from(there);
                    all += 1.0;
                }
            }
        }
        ln
    };
    let (k, ln_evidence) = smoothing_by_evidence(&counts).unwrap();
    assert_close(ln_evidence, ln_coins(k), 1e-9);
    for other in [0.5 * k, 2.0 * k] {
        assert!(ln_coins(other) <= ln_evidence + 1e-9);
    }
}
