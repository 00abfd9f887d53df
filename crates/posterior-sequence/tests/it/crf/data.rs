//! Sequences, vocabularies and the choice of features.

use posterior_math::check::DimensionError;
use posterior_sequence::Error;
use posterior_sequence::crf::{
    AttributeSequence, CrfVocabulary, Dataset, Feature, FeatureOptions, Features, LabelEnds, WeightChoice,
};

use super::{all, sentences};

#[test]
fn attributes_keep_their_order_and_values() {
    let mut data = Dataset::new();
    let mut sequence = data.sequence();
    sequence.present(["a", "b"]).unwrap().token([("b", 2.5), ("a", 1.0), ("b", -1.0)]).unwrap();
    sequence.present::<&str>([]).unwrap().present(["c"]).unwrap();
    let sequence = sequence.finish();
    let rows: Vec<Vec<(usize, f64)>> = (0..5).map(|t| sequence.attributes(t).collect()).collect();
    let expected = [
        vec![(0, 1.0), (1, 1.0)],
        vec![(1, 2.5), (0, 1.0), (1, -1.0)],
        vec![],
        vec![(2, 1.0)],
        // Beyond the end.
        vec![],
    ];
    assert_eq!(rows, expected);
    assert_eq!(sequence.len(), 4);
}

#[test]
fn steps_may_have_attributes_at_some_positions_only() {
    let mut data = Dataset::new();
    let mut sequence = data.sequence();
    sequence.present(["a"]).unwrap().present(["a"]).unwrap().step([("s", 2.0)]).unwrap();
    sequence.present(["a"]).unwrap().present(["a"]).unwrap().step([("u", 1.0), ("s", 1.0)]).unwrap();
    sequence.present(["a"]).unwrap();
    let sequence = sequence.finish();
    let rows: Vec<Vec<(usize, f64)>> = (0..5).map(|t| sequence.step_attributes(t).collect()).collect();
    assert_eq!(rows, [vec![], vec![(0, 2.0)], vec![], vec![(1, 1.0), (0, 1.0)], vec![]]);
}

#[test]
fn unknown_attributes_are_ignored_and_counted_and_unknown_labels_are_kept() {
    let data = sentences();
    let known = data.vocabulary().attributes().len();
    let mut test = Dataset::with_vocabulary(data.vocabulary().clone().frozen());
    let mut sentence = test.sequence();
    sentence
        .present(["w=the", "w=cat", "colour"])
        .unwrap()
        .present(["w=dog"])
        .unwrap()
        .step([("s", 1.0)])
        .unwrap();
    let sentence = sentence.finish();
    assert_eq!(sentence.attributes(0).count(), 1);
    assert_eq!(sentence.unknown(), 3);
    test.push(sentence, ["D", "X"]).unwrap();
    assert_eq!((test.unknown(), test.vocabulary().attributes().len()), (3, known));
    assert_eq!(test.labels()[0], [0, 4]);
}

#[test]
fn what_cannot_be_is_refused() {
    let mut data = Dataset::with_vocabulary(CrfVocabulary::new().with_dense(2).with_labels(["a"]));
    let mut sequence = data.sequence();
    assert!(matches!(sequence.dense(&[1.0, 2.0]), Err(Error::TooFew { .. })));
    assert!(matches!(sequence.step([("s", 1.0)]), Err(Error::TooFew { .. })));
    assert!(sequence.token([("x", f64::NAN)]).is_err());
    assert!(sequence.dense(&[1.0]).is_err());
    assert!(sequence.dense(&[1.0, f64::INFINITY]).is_err());
    let sequence = sequence.finish();
    assert_eq!(sequence.len(), 1);
    assert!(matches!(
        data.push(sequence.clone(), ["a", "a"]),
        Err(Error::Dimension(DimensionError { expected: 1, found: 2, .. }))
    ));
    assert!(matches!(data.push_numbered(sequence.clone(), vec![1], 1.0), Err(Error::Observation { .. })));
    assert!(data.push_numbered(sequence.clone(), vec![0], f64::NAN).is_err());
    assert!(data.push_numbered(sequence, vec![0], -1.0).is_err());
    assert!(matches!(
        data.push_numbered(AttributeSequence::default(), vec![], 1.0),
        Err(Error::Dimension(_))
    ));
    assert!(matches!(
        Features::select(&Dataset::new(), &FeatureOptions::default()),
        Err(Error::TooFew { .. })
    ));
    assert!(
        Features::select(&data, &FeatureOptions { min_frequency: f64::NAN, ..FeatureOptions::default() })
            .is_err()
    );
}

#[test]
fn observed_features_are_those_that_were_seen() {
    let data = sentences();
    let features = Features::select(&data, &FeatureOptions::default()).unwrap();
    let names = data.vocabulary();
    let mut found: Vec<String> = features
        .iter()
        .map(|feature| match feature {
            Feature::State { attribute, label } => {
                format!(
                    "{}/{}",
                    names.attributes().name(attribute).unwrap(),
                    names.labels().name(label).unwrap()
                )
            }
            Feature::Transition { from, to } => {
                format!("{}>{}", names.labels().name(from).unwrap(), names.labels().name(to).unwrap())
            }
            other => unreachable!("{other:?}"),
        })
        .collect();
    found.sort();
    let expected = [
        "A>N",
        "D>A",
        "D>N",
        "N>D",
        "N>V",
        "before=/D",
        "before=/N",
        "before=dog/D",
        "before=dog/V",
        "before=old/N",
        "before=the/A",
        "before=the/N",
        "w=bark/N",
        "w=barks/N",
        "w=barks/V",
        "w=dog/N",
        "w=old/A",
        "w=the/D",
    ];
    assert_eq!(found, expected);
    assert_eq!(features.len(), expected.len());
}

#[test]
fn rare_features_are_cut_off_by_the_sum_of_what_they_weigh() {
    let mut data = Dataset::new();
    for (value, label, weight) in [(1.0, "p", 1.0), (-0.5, "p", 2.0), (1.0, "q", 1.0)] {
        let mut sequence = data.sequence();
        sequence.token([("x", value), ("once", 0.25)]).unwrap();
        let sequence = sequence.finish();
        let label = usize::from(label == "q");
        if data.is_empty() {
            data = Dataset::with_vocabulary(data.vocabulary().clone().with_labels(["p", "q"]));
        }
        data.push_numbered(sequence, vec![label], weight).unwrap();
    }
    let of = |min: f64, states| {
        let options = FeatureOptions { states, min_frequency: min, ..FeatureOptions::default() };
        Features::select(&data, &options).unwrap().iter().collect::<Vec<_>>()
    };
    let state = |attribute, label| Feature::State { attribute, label };
    // x and p: 1 + 2 · 0.5; x and q: 1; once: 0.75 with p, 0.25 with q.
    assert_eq!(of(0.0, WeightChoice::Observed), [state(0, 0), state(0, 1), state(1, 0), state(1, 1)]);
    assert_eq!(of(1.0, WeightChoice::Observed), [state(0, 0), state(0, 1)]);
    assert_eq!(of(1.5, WeightChoice::Observed), [state(0, 0)]);
    assert_eq!(of(1.5, WeightChoice::All), [state(0, 0), state(0, 1)]);
}

#[test]
fn all_features_are_those_of_what_was_seen_with_every_label() {
    let data = sentences();
    let (attributes, labels) = (data.vocabulary().attributes().len(), 4);
    assert_eq!(Features::select(&data, &all()).unwrap().len(), labels * (attributes + labels + 2));
    let free = FeatureOptions { ends: LabelEnds::Free, ..all() };
    assert_eq!(Features::select(&data, &free).unwrap().len(), labels * (attributes + labels));
}
