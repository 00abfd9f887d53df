//! Conditional random fields.

mod data;
mod model;

use posterior_sequence::crf::{Choice, Dataset, Ends, FeatureOptions};

/// Three short sentences with binary attributes.
fn sentences() -> Dataset {
    let mut data = Dataset::new();
    for (words, labels) in [
        (&["the", "dog", "barks"][..], &["D", "N", "V"][..]),
        (&["the", "old", "dog", "the", "bark"], &["D", "A", "N", "D", "N"]),
        (&["barks"], &["N"]),
    ] {
        let mut sentence = data.sequence();
        for (t, word) in words.iter().enumerate() {
            let before = if t > 0 { words[t - 1] } else { "" };
            sentence.present([format!("w={word}"), format!("before={before}")]).unwrap();
        }
        let sentence = sentence.finish();
        data.push(sentence, labels).unwrap();
    }
    data
}

/// All weights that there can be.
fn all() -> FeatureOptions {
    FeatureOptions::default().with_states(Choice::All).with_transitions(Choice::All).with_ends(Ends::Weighted)
}
