//! Naive Bayes against fractions worked by hand, enumeration, scikit-learn and itself by other routes.

mod class_weights;
mod cross_engine;
mod edges;
mod golden;
mod nested;
mod properties;
mod scikit_learn;
mod semi_supervised;
mod sms;
mod table;
mod telling_words;

use posterior_text::Corpus;
use posterior_text::corpus::Document;
use posterior_text::naive_bayes::ClassPosterior;

/// A corpus of these counts, a row a text.
fn corpus_of<const V: usize>(counts: &[[u32; V]]) -> Corpus {
    let vocabulary = (0..V).map(|word| format!("w{word}")).collect();
    let names = (1..=counts.len()).map(|number| number.to_string()).collect();
    let rows = counts.iter().map(|row| (0..).zip(row.iter().copied()).collect()).collect();
    Corpus::from_rows(vocabulary, names, rows).unwrap()
}

/// The words of a text whose counts are these.
fn bag(counts: &[u32]) -> (Vec<u32>, Vec<u32>) {
    (0..).zip(counts.iter().copied()).filter(|&(_, n)| n > 0).unzip()
}

fn document(bag: &(Vec<u32>, Vec<u32>)) -> Document<'_> {
    Document { words: &bag.0, counts: &bag.1 }
}

/// The mean of -ln p(label | text).
fn mean_ln_loss(said: &[Option<ClassPosterior>], labels: &[usize]) -> f64 {
    assert_eq!(said.len(), labels.len());
    let probability = |(said, &label): (&Option<ClassPosterior>, &usize)| {
        said.as_ref().map_or(0.0, |said| said.probabilities[label])
    };
    -said.iter().zip(labels).map(|pair| probability(pair).ln()).sum::<f64>() / said.len() as f64
}

#[track_caller]
fn assert_close(found: f64, expected: f64, relative: f64) {
    let error = (found - expected).abs();
    assert!(error <= relative * expected.abs().max(1e-300), "{found} is not {expected}: {error:e}");
}
