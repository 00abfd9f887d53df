//! The model: scores, probabilities, labels.

use posterior_sequence::crf::{ConditionalRandomField, Dataset, Feature, FeatureOptions, Features};

use super::{all, feature_value, labellings, rich, sentences, weight};

/// The score of a labelling, feature by feature, as the formula says it.
fn slow_score(model: &ConditionalRandomField, data: &Dataset, labels: &[usize]) -> f64 {
    let sequence = &data.sequences()[0];
    let mut score = 0.0;
    for (feature, weight) in model.features().iter().zip(model.weights()) {
        let value: f64 = (0..sequence.len()).map(|t| feature_value(feature, sequence, labels, t)).sum();
        score += weight * value;
    }
    score
}

#[test]
fn probabilities_are_those_of_the_formula() {
    for (data, options) in [
        (rich(), all()),
        (rich(), FeatureOptions::default()),
        (sentences(), all()),
        (sentences(), FeatureOptions::default()),
    ] {
        let features = Features::select(&data, &options).unwrap();
        let weights: Vec<f64> = (0..features.len()).map(weight).collect();
        let model = ConditionalRandomField::new(data.vocabulary().clone(), features, weights).unwrap();
        let sequence = &data.sequences()[0];
        let k = data.vocabulary().labels().len();
        let scores: Vec<(Vec<usize>, f64)> = labellings(k, sequence.len())
            .map(|labels| (labels.clone(), slow_score(&model, &data, &labels)))
            .collect();
        let z: f64 = scores.iter().map(|(_, score)| score.exp()).sum();
        let mut marginals = vec![0.0; k * sequence.len()];
        for (labels, score) in &scores {
            let ln_p = model.ln_probability(sequence, labels).unwrap();
            assert!((ln_p - (score - z.ln())).abs() < 1e-12, "{labels:?}: {ln_p} {}", score - z.ln());
            assert!((model.scores(sequence).score(labels).unwrap() - score).abs() < 1e-12);
            for (t, label) in labels.iter().enumerate() {
                marginals[t * k + label] += score.exp() / z;
            }
        }
        let found = model.marginals(sequence);
        assert!((found.ln_z - z.ln()).abs() < 1e-12);
        for (found, expected) in found.nodes.iter().zip(&marginals) {
            assert!((found - expected).abs() < 1e-13, "{found} {expected}");
        }
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let data = sentences();
    let features = Features::select(&data, &all()).unwrap();
    let names = data.vocabulary();
    let new = |weights| ConditionalRandomField::new(names.clone(), features.clone(), weights);
    assert!(new(vec![0.0; features.len() + 1]).is_err());
    let mut weights = vec![0.0; features.len()];
    weights[3] = f64::NAN;
    assert!(new(weights).is_err());
    let other = names.clone().with_labels(["more"]);
    assert!(ConditionalRandomField::new(other, features.clone(), vec![0.0; features.len()]).is_err());
    let model = new(vec![0.0; features.len()]).unwrap();
    assert!(model.ln_probability(&data.sequences()[0], &[0, 1]).is_err());
    assert!(model.ln_probability(&data.sequences()[0], &[0, 1, 4]).is_err());
}

#[test]
fn sequences_of_no_or_one_position() {
    let data = sentences();
    let features = Features::select(&data, &all()).unwrap();
    let weights: Vec<f64> = (0..features.len()).map(weight).collect();
    let model = ConditionalRandomField::new(data.vocabulary().clone(), features, weights).unwrap();
    let none = model.sequence().finish();
    assert_eq!(model.ln_probability(&none, &[]).unwrap(), 0.0);
    let one = &data.sequences()[2];
    let total: f64 = (0..4).map(|label| model.ln_probability(one, &[label]).unwrap().exp()).sum();
    assert!((total - 1.0).abs() < 1e-14);
}

#[test]
fn attributes_without_weights_are_ignored() {
    let data = sentences();
    let features = Features::select(&data, &all()).unwrap();
    let weights: Vec<f64> = (0..features.len()).map(weight).collect();
    let model = ConditionalRandomField::new(data.vocabulary().clone(), features, weights).unwrap();
    let mut larger = Dataset::with_vocabulary(data.vocabulary().clone());
    let mut sentence = larger.sequence();
    sentence.present(["w=the", "new"]).unwrap().step([("new too", 1.0)]).unwrap();
    let with = sentence.finish();
    let mut sentence = model.sequence();
    sentence.present(["w=the", "new"]).unwrap();
    let without = sentence.finish();
    assert_eq!((with.unknown(), without.unknown()), (0, 1));
    assert_eq!(model.marginals(&with), model.marginals(&without));
}

#[test]
fn top_features_are_the_largest_of_a_label() {
    let data = sentences();
    let features = Features::select(&data, &all()).unwrap();
    let weights: Vec<f64> = (0..features.len()).map(weight).collect();
    let model = ConditionalRandomField::new(data.vocabulary().clone(), features, weights.clone()).unwrap();
    let top = model.top_features(2, 3);
    assert_eq!(top.len(), 3);
    let largest = model
        .features()
        .iter()
        .zip(&weights)
        .filter(|(feature, _)| matches!(feature, Feature::State { label: 2, .. }))
        .fold(0.0_f64, |largest, (_, weight)| largest.max(weight.abs()));
    assert_eq!(top[0].1.abs(), largest);
    assert!(top[0].1.abs() >= top[1].1.abs() && top[1].1.abs() >= top[2].1.abs());
}
