//! What needs the topics alone.

use posterior_dist::stream::stream;
use posterior_math::linalg::DMatrix;
use posterior_topics::coherence::{
    Measure, Occurrences, coherence, divergence, diversity, effective_words, exclusivity, intrusion,
    of_topics,
};
use posterior_topics::{Topics, top_words};

use crate::held_out::{corpus, random_topics, topics, words};

#[test]
fn diversity_is_the_proportion_of_distinct_words() {
    let apart = topics(&[&[0.5, 0.4, 0.06, 0.04], &[0.06, 0.04, 0.5, 0.4]]);
    assert_eq!((diversity(&apart, 2), diversity(&apart, 4)), (1.0, 0.5));
    let same = topics(&[&[0.7, 0.2, 0.1][..]; 4]);
    assert_eq!(diversity(&same, 2), 0.25);
    assert!(diversity(&same, 0).is_nan());
}

#[test]
fn exclusivity_is_a_word_s_proportion_of_all_topics() {
    let phi = topics(&[&[0.6, 0.3, 0.1], &[0.2, 0.1, 0.7]]);
    let found = exclusivity(&phi, 2);
    let expected = [f64::midpoint(0.6 / 0.8, 0.3 / 0.4), f64::midpoint(0.7 / 0.8, 0.2 / 0.8)];
    assert!(found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-15));
    assert!(
        exclusivity(&topics(&[&[0.7, 0.2, 0.1][..]; 4]), 2)
            .iter()
            .all(|proportion| (proportion - 0.25).abs() < 1e-15)
    );
}

#[test]
fn effective_words_and_divergence() {
    let proportions = vec![0.5, 0.25, 0.25];
    let phi = DMatrix::from_row_slice(3, 3, &[0.5, 0.25, 0.25, 1.0, 0.0, 0.0, 0.0, 0.5, 0.5]);
    let phi = Topics::new(words(3), phi, vec![1.0 / 3.0; 3], proportions).unwrap();
    let effective = effective_words(&phi);
    for (found, expected) in effective.iter().zip([8.0_f64.sqrt(), 1.0, 2.0]) {
        assert!((found - expected).abs() < 1e-14, "{effective:?}");
    }
    let far = divergence(&phi);
    for (found, expected) in far.iter().zip([0.0, 2.0_f64.ln(), 2.0_f64.ln()]) {
        assert!((found - expected).abs() < 1e-15, "{far:?}");
    }
    let unseen = Topics::new(words(2), DMatrix::from_row_slice(1, 2, &[0.5, 0.5]), vec![1.0], vec![1.0, 0.0]);
    assert_eq!(divergence(&unseen.unwrap()), [f64::INFINITY]);
}

#[test]
fn lists_by_lift_and_frex() {
    let phi = DMatrix::from_row_slice(2, 4, &[0.5, 0.3, 0.15, 0.05, 0.5, 0.02, 0.08, 0.4]);
    let phi = Topics::new(words(4), phi, vec![0.5, 0.5], vec![0.5, 0.2, 0.1, 0.2]).unwrap();
    let ids = |list: Vec<top_words::RankedWord>| list.iter().map(|ranked| ranked.word).collect::<Vec<_>>();
    // Lifts of the first topic: 1, 1.5, 1.5, 0.25.
    assert_eq!(ids(top_words::by_lift(&phi, 0, 3)), [1, 2, 0]);
    // Exclusivities 1/2, 15/16, 15/23, 1/9 have distribution values 1/2, 1, 3/4, 1/4; probabilities 1, 3/4,
    // 1/2, 1/4.
    let frex = top_words::by_frex(&phi, 0, 4, 0.5);
    assert_eq!(ids(frex.clone()), [1, 0, 2, 3]);
    let expected = [6.0 / 7.0, 2.0 / 3.0, 3.0 / 5.0, 1.0 / 4.0];
    assert!(
        frex.iter().zip(expected).all(|(found, expected)| (found.score - expected).abs() < 1e-15),
        "{frex:?}"
    );
    // At the ends of omega it is a ranking by one of the two alone.
    assert_eq!(ids(top_words::by_frex(&phi, 0, 4, 1.0)), [1, 2, 0, 3]);
    assert_eq!(ids(top_words::by_frex(&phi, 0, 4, 0.0)), ids(top_words::by_probability(&phi, 0, 4)));
}

#[test]
fn lists_by_relevance_lie_between_probability_and_lift() {
    let phi = DMatrix::from_row_slice(2, 5, &[0.5, 0.3, 0.15, 0.05, 0.0, 0.5, 0.02, 0.08, 0.4, 0.0]);
    let phi = Topics::new(words(5), phi, vec![0.5, 0.5], vec![0.5, 0.2, 0.1, 0.2, 0.0]).unwrap();
    let ids = |list: &[top_words::RankedWord]| list.iter().map(|ranked| ranked.word).collect::<Vec<_>>();
    let list = |lambda: f64| top_words::by_relevance(&phi, 0, 4, lambda);
    assert_eq!(ids(&list(1.0)), ids(&top_words::by_probability(&phi, 0, 4)));
    assert_eq!(ids(&list(0.0)), ids(&top_words::by_lift(&phi, 0, 4)));
    // 0.6 ln p + 0.4 ln(p / overall) = ln p - 0.4 ln overall of 0.5/0.5, 0.3/0.2, 0.15/0.1, 0.05/0.2.
    let middle = list(0.6);
    assert_eq!(ids(&middle), [0, 1, 2, 3]);
    let expected = [(0.5, 0.5), (0.3, 0.2), (0.15, 0.1), (0.05, 0.2)]
        .map(|(p, overall): (f64, f64)| p.ln() - 0.4 * overall.ln());
    assert!(
        middle.iter().zip(expected).all(|(found, expected)| (found.score - expected).abs() < 1e-15),
        "{middle:?}"
    );
    // A word that the documents never use is in no list.
    assert_eq!(top_words::by_relevance(&phi, 0, 9, 0.6).len(), 4);
}

#[test]
fn coherence_of_all_topics() {
    let phi = topics(&[&[0.5, 0.4, 0.06, 0.04], &[0.06, 0.04, 0.5, 0.4]]);
    let texts = corpus(4, &[&[(0, 1), (1, 1)], &[(1, 1), (2, 1), (3, 2)], &[(2, 1), (3, 1)]]);
    let occurrences = Occurrences::in_documents(&texts, &[0, 1, 2, 3]).unwrap();
    let found = of_topics(Measure::Npmi, &phi, 2, &occurrences).unwrap();
    let expected = [[0, 1], [2, 3]].map(|words| coherence(Measure::Npmi, &words, &occurrences).unwrap());
    assert_eq!(found, expected);
}

#[test]
fn intruders_are_at_home_in_another_topic() {
    let phi = random_topics(5, 40, 0.1, 8);
    let mut rng = stream(1, &[]);
    let lists = top_words::lists(&phi, 5);
    for k in 0..5 {
        let question = intrusion(&phi, k, 5, &mut rng).unwrap().unwrap();
        let intruder = question.words[question.intruder];
        assert_eq!(question.words.len(), 6);
        assert!(lists[k].iter().all(|word| question.words.contains(word)) && !lists[k].contains(&intruder));
        assert!((0..5).any(|other| other != k && lists[other].contains(&intruder)));
    }
    assert_eq!(intrusion(&topics(&[&[0.7, 0.2, 0.1][..]; 2]), 0, 2, &mut rng).unwrap(), None);
    assert!(intrusion(&phi, 5, 5, &mut rng).unwrap_err().is_parameter());
    assert!(intrusion(&phi, 0, 0, &mut rng).unwrap_err().is_parameter());
}
