//! Three spam messages and three others, over the words cheap, product, buy, meeting: fractions by hand.

use posterior_dist::stream::stream;
use posterior_text::naive_bayes::*;

use super::{assert_close, bag, corpus_of, document};

const MESSAGES: [[u32; 4]; 6] =
    [[1, 1, 0, 0], [1, 1, 1, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 0, 1], [0, 0, 1, 1]];
const SPAM: usize = 0;
const LABELS: [usize; 6] = [0, 0, 0, 1, 1, 1];

fn model(smoothing: f64) -> NaiveBayes {
    let options =
        NaiveBayesOptions { model: EventModel::Bernoulli, smoothing, ..NaiveBayesOptions::default() };
    NaiveBayes::fit(&corpus_of(&MESSAGES), &LABELS, 2, &options).unwrap()
}

fn spam_probability(model: &NaiveBayes, text: [u32; 4]) -> Option<f64> {
    model.posterior(document(&bag(&text))).map(|posterior| posterior.probabilities[SPAM])
}

#[test]
fn parameters_with_one_added() {
    let model = model(1.0);
    let expected = [[0.8, 0.6, 0.6, 0.2], [0.2, 0.4, 0.4, 0.8]];
    for (class, expected) in expected.iter().enumerate() {
        for (ln, expected) in model.ln_parameters(class).unwrap().iter().zip(expected) {
            assert_close(ln.exp(), *expected, 1e-14);
        }
    }
}

#[test]
fn probabilities_of_spam_with_one_added() {
    let model = model(1.0);
    for (text, expected) in [
        ([1, 1, 0, 0], 16.0 / 17.0),
        ([0, 1, 0, 0], 0.5),
        ([1, 1, 0, 1], 0.5),
        ([0, 1, 1, 1], 9.0 / 73.0),
        ([0, 0, 0, 0], 4.0 / 13.0),
    ] {
        assert_close(spam_probability(&model, text).unwrap(), expected, 1e-14);
    }
}

#[test]
fn maximum_likelihood_knows_certainty_and_texts_that_no_class_explains() {
    let model = model(0.0);
    assert_eq!(spam_probability(&model, [1, 1, 0, 0]), Some(1.0));
    assert_eq!(spam_probability(&model, [1, 1, 0, 1]), None);
    // Without "cheap" it is no spam, without "meeting" nothing else.
    assert_eq!(spam_probability(&model, [0, 1, 1, 0]), None);
    assert_eq!(spam_probability(&model, [0, 0, 0, 1]), Some(0.0));
    assert_eq!(model.classify(document(&bag(&[1, 1, 0, 1]))), None);
    // Of the message 1100: (1/2)(1)(2/3)(1 - 2/3)(1).
    assert_close(model.ln_joint(document(&bag(&[1, 1, 0, 0])))[SPAM].exp(), 1.0 / 9.0, 1e-14);
}

#[test]
fn the_most_likely_spam_has_every_word_but_meeting() {
    for smoothing in [0.0, 1.0] {
        assert_eq!(model(smoothing).most_likely_words(SPAM).unwrap(), [0, 1, 2]);
    }
    assert_close(model(1.0).ln_prior()[SPAM].exp(), 0.5, 1e-15);
}

#[test]
fn drawn_texts_have_each_word_as_often_as_they_should() {
    const DRAWS: u32 = 20_000;
    let model = model(1.0);
    let mut rng = stream(5, &[]);
    let mut counts = [0_u32; 4];
    for _ in 0..DRAWS {
        for (word, n) in model.sample(SPAM, &mut rng).unwrap() {
            counts[word as usize] += n;
        }
    }
    // Four binomial counts, each within 4.5 standard deviations: false alarms 3e-5.
    for (count, p) in counts.iter().zip([0.8, 0.6, 0.6, 0.2]) {
        let sd = (f64::from(DRAWS) * p * (1.0 - p)).sqrt();
        assert!((f64::from(*count) - f64::from(DRAWS) * p).abs() < 4.5 * sd, "{counts:?}");
    }
}

#[test]
fn texts_of_the_two_sentences_share_two_words() {
    // "Cheap product to sell", "Buy a cheap product": the second was never seen, but its words were.
    let counts = corpus_of(&[[1, 1, 1, 0, 0, 0], [0, 0, 0, 0, 1, 1]]);
    let model = NaiveBayes::fit(&counts, &[0, 1], 2, &NaiveBayesOptions::default()).unwrap();
    assert_eq!(model.classify(document(&bag(&[1, 1, 0, 1, 0, 0]))), Some(0));
}
