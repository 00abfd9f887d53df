//! Topics of two fits and more, paired.

use posterior_dist::stream::stream;
use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_topics::lda::gibbs;
use posterior_topics::stability::{Distance, agreement, consensus, match_topics};
use posterior_topics::{Corpus, TopicModel as _, Topics};
use proptest::prelude::*;

use crate::held_out::{dirichlet, documents, random_topics, topics};

const ALL: [Distance; 3] = [Distance::TotalVariation, Distance::Hellinger, Distance::JensenShannon];

fn permuted(topics: &Topics, order: &[usize]) -> Topics {
    let phi = topics.topic_word();
    let rows = DMatrix::from_fn(order.len(), phi.ncols(), |k, v| phi[(order[k], v)]);
    let sum: f64 = order.iter().map(|&k| topics.weights()[k]).sum();
    let weights = order.iter().map(|&k| topics.weights()[k] / sum).collect();
    Topics::new(topics.vocabulary().to_vec(), rows, weights, topics.word_proportions().to_vec()).unwrap()
}

#[test]
fn a_permuted_copy_is_at_distance_zero() {
    let first = random_topics(6, 50, 0.1, 3);
    let order = [3, 5, 0, 1, 4, 2];
    for distance in ALL {
        let matching = match_topics(&permuted(&first, &order), &first, distance).unwrap();
        assert_eq!(matching.partners, order.map(Some));
        assert_eq!(matching.distances, [0.0; 6]);
        assert_eq!(matching.mean_overlap(), 1.0);
    }
}

#[test]
fn the_pairing_is_the_best_of_all() {
    let (first, second) = (random_topics(5, 12, 0.5, 3), random_topics(5, 12, 0.5, 4));
    for distance in ALL {
        let row = |topics: &Topics, k| topics.topic_word().row(k).iter().copied().collect::<Vec<f64>>();
        let cost = |order: &[usize]| -> f64 {
            (0..5).map(|k| distance.between(&row(&first, k), &row(&second, order[k]))).sum()
        };
        let mut best = f64::INFINITY;
        permute(&mut [0, 1, 2, 3, 4], 0, &mut |order| best = best.min(cost(order)));
        let matching = match_topics(&first, &second, distance).unwrap();
        assert!((matching.mean_distance() - best / 5.0).abs() < 1e-14);
    }
}

fn permute(order: &mut [usize], from: usize, visit: &mut impl FnMut(&[usize])) {
    if from == order.len() {
        visit(order);
    }
    for i in from..order.len() {
        order.swap(from, i);
        permute(order, from + 1, visit);
        order.swap(from, i);
    }
}

#[test]
fn different_numbers_of_topics() {
    let first = random_topics(5, 30, 0.1, 3);
    let second = permuted(&first, &[4, 1]);
    let matching = match_topics(&first, &second, Distance::Hellinger).unwrap();
    assert_eq!(matching.partners, [None, Some(1), None, None, Some(0)]);
    assert!(matching.distances[0].is_nan());
    assert_eq!(matching.mean_distance(), 0.0);
    let matching = match_topics(&second, &first, Distance::Hellinger).unwrap();
    assert_eq!(matching.partners, [Some(4), Some(1)]);
}

#[test]
fn distances_by_hand() {
    let (p, q) = ([0.5, 0.5, 0.0], [0.25, 0.25, 0.5]);
    assert_eq!(Distance::TotalVariation.between(&p, &q), 0.5);
    let hellinger = (1.0 - 2.0 * (0.125_f64).sqrt()).sqrt();
    assert!((Distance::Hellinger.between(&p, &q) - hellinger).abs() < 1e-15);
    // Mixture (3, 3, 2) / 8: entropies in bits 1 and 1.5.
    let mixed = -(0.75 * (0.375_f64).log2() + 0.25 * (0.25_f64).log2());
    assert!((Distance::JensenShannon.between(&p, &q).powi(2) - (mixed - 1.25)).abs() < 1e-15);
    for distance in ALL {
        assert!((distance.between(&[1.0, 0.0], &[0.0, 1.0]) - 1.0).abs() < 1e-15);
    }
    // Distributions that hardly differ: to first order |p - q| / sqrt(8 ln 2 m) a word.
    let step = 1e-9;
    let near = Distance::JensenShannon.between(&[0.5 + step, 0.5 - step], &[0.5, 0.5]);
    assert!((near / step * (2.0 * std::f64::consts::LN_2).sqrt() - 1.0).abs() < 1e-6, "{near}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn distances_are_metrics(seed in 0_u64..1_000_000, concentration in 0.01_f64..2.0) {
        let mut rng = stream(seed, &[]);
        let [p, q, r] = [(); 3].map(|()| dirichlet(6, concentration, &mut rng));
        for distance in ALL {
            let between = |a: &[f64], b: &[f64]| distance.between(a, b);
            prop_assert!((between(&p, &q) - between(&q, &p)).abs() < 1e-15);
            prop_assert_eq!(between(&p, &p), 0.0);
            prop_assert!((0.0..=1.0 + 1e-12).contains(&between(&p, &q)));
            prop_assert!(between(&p, &r) <= between(&p, &q) + between(&q, &r) + 1e-12);
        }
    }
}

/// Fits under the distribution that made the texts.
fn fitted(corpus: &Corpus, seed: u64) -> Topics {
    let options = gibbs::LdaGibbsOptions {
        topics: 4,
        alpha: 0.2.into(),
        beta: 0.1,
        ..gibbs::LdaGibbsOptions::default()
    };
    let options = gibbs::LdaGibbsOptions { iterations: 200, seed, ..options };
    gibbs::fit(corpus, &options, &mut Silent).unwrap().model.topics().clone()
}

#[test]
fn fits_find_the_topics_that_made_the_texts() {
    let truth = random_topics(4, 40, 0.1, 5);
    let corpus = documents(&truth, 0.2, (150, 60), 6);
    let fits: Vec<Topics> = (0..3).map(|seed| fitted(&corpus, seed)).collect();
    let found = match_topics(&truth, &fits[0], Distance::TotalVariation).unwrap();
    assert!(found.mean_overlap() > 0.9, "{}", found.mean_overlap());

    let agreed = consensus(&fits.iter().collect::<Vec<_>>(), Distance::TotalVariation).unwrap();
    assert!(agreed.stability.iter().all(|&overlap| overlap > 0.9), "{:?}", agreed.stability);
    assert_eq!(agreed.matchings[agreed.center].distances, [0.0; 4]);
    let found = match_topics(&truth, &agreed.topics, Distance::TotalVariation).unwrap();
    assert!(found.mean_overlap() > 0.9);
}

#[test]
fn a_consensus_of_copies_is_the_copy() {
    let first = random_topics(5, 30, 0.1, 3);
    let copies = [first.clone(), permuted(&first, &[4, 2, 0, 1, 3]), permuted(&first, &[1, 0, 2, 4, 3])];
    let agreed = consensus(&copies.iter().collect::<Vec<_>>(), Distance::JensenShannon).unwrap();
    assert_eq!((agreed.center, agreed.stability), (0, vec![1.0; 5]));
    let difference = (agreed.topics.topic_word() - first.topic_word()).abs().max();
    assert!(difference < 1e-15, "{difference}");
}

#[test]
fn what_does_not_go_together_is_refused() {
    let (first, other) = (topics(&[&[0.5, 0.5]]), topics(&[&[0.5, 0.25, 0.25]]));
    assert!(match_topics(&first, &other, Distance::default()).unwrap_err().is_corpus());
    assert!(consensus(&[], Distance::default()).unwrap_err().is_corpus());
    assert!(consensus(&[&first], Distance::default()).unwrap_err().is_corpus());
    let two = topics(&[&[0.5, 0.5], &[0.2, 0.8]]);
    assert!(consensus(&[&first, &two], Distance::default()).unwrap_err().is_corpus());
}

/// Two topics over five words, by hand: the two top words of the first are 0 and 1, of the second 1 and 2.
#[test]
fn agreement_is_of_the_top_words() {
    let words: Vec<String> = (0..5).map(|v| v.to_string()).collect();
    let of = |rows: &[f64]| {
        Topics::new(words.clone(), DMatrix::from_row_slice(1, 5, rows), vec![1.0], vec![0.2; 5]).unwrap()
    };
    let (first, second) = (of(&[0.4, 0.3, 0.2, 0.1, 0.0]), of(&[0.1, 0.4, 0.3, 0.0, 0.2]));
    let matching = match_topics(&first, &second, Distance::TotalVariation).unwrap();
    let found = agreement(&first, &second, &matching, 2)[0].unwrap();
    assert!((found.jaccard - 1.0 / 3.0).abs() < 1e-15);
    // (0.4, 0.3, 0.2) and (0.1, 0.4, 0.3): 0.22 / sqrt(0.29 * 0.26).
    assert!((found.cosine - 0.22 / (0.29_f64 * 0.26).sqrt()).abs() < 1e-15);
    let itself = match_topics(&first, &first, Distance::TotalVariation).unwrap();
    let same = agreement(&first, &first, &itself, 3)[0].unwrap();
    assert!(same.jaccard == 1.0 && (same.cosine - 1.0).abs() < 1e-15);
}

/// A topic that has no partner has no agreement.
#[test]
fn without_a_partner_there_is_no_agreement() {
    let (first, second) = (random_topics(3, 20, 0.2, 1), random_topics(2, 20, 0.2, 2));
    let matching = match_topics(&first, &second, Distance::Hellinger).unwrap();
    let found = agreement(&first, &second, &matching, 5);
    let without: Vec<bool> = found.iter().map(Option::is_none).collect();
    assert_eq!(without, matching.partners.iter().map(Option::is_none).collect::<Vec<bool>>());
    assert_eq!(without.iter().filter(|none| **none).count(), 1);
}
