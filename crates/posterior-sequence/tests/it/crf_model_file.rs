//! Files of conditional random fields: to the bit and back, and what is no such file.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_sequence::Error;
use posterior_sequence::crf::{
    ConditionalRandomField, CrfVocabulary, Dataset, FeatureOptions, Features, LabelEnds, WeightChoice,
};
use proptest::prelude::*;
use serde_json::{Value, json};

fn data() -> Dataset {
    let mut data = Dataset::with_vocabulary(CrfVocabulary::new().with_dense(2));
    for (words, labels) in [(["the", "dog"], ["DET", "NOUN"]), (["dog", "barks \"é\""], ["NOUN", "VERB"])] {
        let mut sentence = data.sequence();
        sentence.present([words[0]]).unwrap().dense(&[0.5, 1.0]).unwrap();
        sentence.present([words[1]]).unwrap().step([(words[0], 1.0)]).unwrap();
        let sentence = sentence.finish();
        data.push(sentence, labels).unwrap();
    }
    data
}

fn model(ends: LabelEnds, states: WeightChoice, weight: impl Fn(usize) -> f64) -> ConditionalRandomField {
    let data = data();
    let options = FeatureOptions { ends, states, ..FeatureOptions::default() };
    let features = Features::select(&data, &options).unwrap();
    let weights = (0..features.len()).map(weight).collect();
    ConditionalRandomField::new(data.vocabulary().clone().frozen(), features, weights).unwrap()
}

fn file(model: &ConditionalRandomField) -> Vec<u8> {
    let mut file = Vec::new();
    model.to_json(&mut file).unwrap();
    file
}

fn refusal(file: &[u8]) -> String {
    match ConditionalRandomField::from_json(file).unwrap_err() {
        Error::ModelFile { message } => message,
        other => other.to_string(),
    }
}

fn example() -> Value {
    serde_json::from_slice(&file(&model(LabelEnds::Weighted, WeightChoice::Observed, |i| i as f64 / 3.0)))
        .unwrap()
}

#[test]
fn a_model_is_read_as_it_was_written() {
    for ends in [LabelEnds::Free, LabelEnds::Weighted] {
        for states in [WeightChoice::Observed, WeightChoice::All] {
            let own = model(ends, states, |i| (i as f64 - 3.0) / 7.0);
            let read = ConditionalRandomField::from_json(&file(&own)).unwrap();
            assert_eq!(read, own);
            assert_eq!(file(&read), file(&own));
            let data = data();
            let bits = |model: &ConditionalRandomField| {
                model.marginals(&data.sequences()[1]).nodes.iter().map(|p| p.to_bits()).collect::<Vec<_>>()
            };
            assert_eq!(bits(&read), bits(&own));
        }
    }
}

#[test]
fn other_kinds_and_versions_are_reported() {
    let mut other = example();
    other["version"] = json!(2);
    assert_eq!(refusal(other.to_string().as_bytes()), "its version is 2, this program reads 1");
    other["kind"] = json!("topic model");
    assert!(refusal(other.to_string().as_bytes()).contains("its kind is \"topic model\""));
    assert!(refusal(b"{\"weights\": []}").contains("no field \"kind\""));
    let mut none = example();
    none.as_object_mut().unwrap().remove("version");
    assert_eq!(refusal(none.to_string().as_bytes()), "it has no version");
}

#[test]
fn unknown_fields_are_passed_over() {
    let mut later = example();
    later["trained_on"] = json!({"sentences": 2});
    assert!(ConditionalRandomField::from_json(later.to_string().as_bytes()).is_ok());
}

#[test]
fn tampered_files_are_refused() {
    let fields: Vec<String> = example().as_object().unwrap().keys().cloned().collect();
    for field in &fields {
        let mut file = example();
        file.as_object_mut().unwrap().remove(field);
        refusal(file.to_string().as_bytes());
    }
    for (field, value) in [
        ("labels", json!([])),
        ("labels", json!(["DET", "DET", "VERB"])),
        ("labels", json!(["DET", "NOUN"])),
        ("attributes", json!(["the"])),
        ("dense", json!(0)),
        ("dense", json!(usize::MAX)),
        ("dense", json!(-1)),
        ("ends", json!(false)),
        ("states", json!([[0], [1], [3]])),
        ("states", json!([[0], [1, 1], [2]])),
        ("states", json!([[0], [2, 1], [2]])),
        ("states", json!([[0], [4_294_967_296_u64], [2]])),
        ("steps", json!([[9], [5]])),
        ("transitions", json!([9])),
        ("transitions", json!([5, 1])),
        ("weights", json!([])),
        ("weights", json!([1.0, null])),
        ("weights", json!("1")),
    ] {
        let mut file = example();
        file[field] = value.clone();
        let message = refusal(file.to_string().as_bytes());
        assert!(!message.is_empty(), "{field} {value}");
    }
    let text = example().to_string();
    let infinite = text.replacen("\"weights\":[", "\"weights\":[1e999,", 1);
    refusal(infinite.as_bytes());
}

/// Any that a weight may be: up to 1e150.
fn number() -> impl Strategy<Value = f64> {
    let any = prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL | prop::num::f64::ZERO;
    any.prop_map(|x| if x.abs() > 1e150 { x * 1e-160 } else { x })
}

proptest! {
    #[test]
    fn weights_keep_all_their_bits(weights in prop::collection::vec(number(), 30)) {
        let own = model(LabelEnds::Weighted, WeightChoice::Observed, |i| weights[i % weights.len()]);
        let read = ConditionalRandomField::from_json(&file(&own)).unwrap();
        let bits = |model: &ConditionalRandomField| model.weights().iter().map(|w| w.to_bits()).collect::<Vec<_>>();
        prop_assert_eq!(bits(&read), bits(&own));
    }

    #[test]
    fn no_change_of_a_file_makes_a_reader_panic(at in 0..10_000_usize, byte in any::<u8>(), cut in any::<bool>()) {
        let mut bytes = file(&model(LabelEnds::Weighted, WeightChoice::Observed, |i| i as f64));
        let at = at % bytes.len();
        if cut {
            bytes.truncate(at);
            prop_assert!(ConditionalRandomField::from_json(&bytes).is_err());
        } else {
            bytes[at] = byte;
            let _ = ConditionalRandomField::from_json(&bytes);
        }
    }
}
