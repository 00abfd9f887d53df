//! Conditional random fields.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod constraints;
mod data;
mod model;
mod objective;
mod training;

use posterior_sequence::crf::{
    AttributeSequence, CrfVocabulary, Dataset, Feature, FeatureOptions, LabelEnds, WeightChoice,
};

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
    FeatureOptions {
        states: WeightChoice::All,
        transitions: WeightChoice::All,
        ends: LabelEnds::Weighted,
        ..FeatureOptions::default()
    }
}

/// Weights without a pattern.
fn weight(i: usize) -> f64 {
    ((i * 2654435761) % 1000) as f64 / 400.0 - 1.2
}

/// Every way to label a sequence.
fn labellings(labels: usize, length: usize) -> impl Iterator<Item = Vec<usize>> {
    (0..labels.pow(length as u32)).map(move |mut code| {
        let mut labelling = vec![0; length];
        for label in &mut labelling {
            *label = code % labels;
            code /= labels;
        }
        labelling
    })
}

/// Two labels, attributes, attributes of steps and dense features, with values.
fn rich() -> Dataset {
    let mut data = Dataset::with_vocabulary(CrfVocabulary::new().with_dense(2));
    let mut sequence = data.sequence();
    sequence.token([("a", 1.5), ("b", 1.0)]).unwrap().dense(&[0.5, -1.0]).unwrap();
    sequence.token([("b", -2.0)]).unwrap().step([("s", 0.5)]).unwrap().dense(&[0.0, 2.0]).unwrap();
    sequence.token([("a", 1.0)]).unwrap().step([("s", 1.0), ("u", 1.0)]).unwrap();
    sequence.present(["b", "b"]).unwrap();
    let sequence = sequence.finish();
    data.push(sequence, ["p", "q", "q", "p"]).unwrap();
    data
}

/// The value of a feature at a position, as the formula says it.
fn feature_value(feature: Feature, sequence: &AttributeSequence, labels: &[usize], t: usize) -> f64 {
    let sum = |entries: &mut dyn Iterator<Item = (usize, f64)>, wanted: usize| -> f64 {
        entries.filter(|(attribute, _)| *attribute == wanted).map(|(_, value)| value).sum()
    };
    let after = |from, to| t > 0 && labels[t - 1] == from && labels[t] == to;
    match feature {
        Feature::State { attribute, label } if labels[t] == label => {
            sum(&mut sequence.attributes(t), attribute)
        }
        Feature::Step { attribute, from, to } if after(from, to) => {
            sum(&mut sequence.step_attributes(t), attribute)
        }
        Feature::Transition { from, to } if after(from, to) => 1.0,
        Feature::First { label } if t == 0 && labels[t] == label => 1.0,
        Feature::Last { label } if t + 1 == sequence.len() && labels[t] == label => 1.0,
        Feature::Dense { feature, label } if labels[t] == label => sequence.dense(t)[feature],
        _ => 0.0,
    }
}
