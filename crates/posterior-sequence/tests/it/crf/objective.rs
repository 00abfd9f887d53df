//! The likelihood and its gradient.

use posterior_inference::{Engine, FactorEngine, JunctionTree, Targets};
use posterior_math::autodiff::{self, Real};
use posterior_math::linalg::DMatrix;
use posterior_math::optimize::{Objective as _, gradient_check};
use posterior_pgm::{Evidence, MarkovRandomField, Table, VarId, Variables};
use posterior_sequence::chain::{Edges, LinearChain, Transitions};
use posterior_sequence::crf::{
    ConditionalRandomField, CrfObjective, CrfVocabulary, Dataset, Feature, FeatureOptions, Features,
    LabelEnds, WeightChoice,
};
use posterior_testkit::reference::{counts, list, load, number, rows};
use serde_json::Value;

use super::{all, rich, sentences, weight};

/// One sequence whose score of label k at position t is that of attribute (t, k).
fn unary(scores: &[Vec<f64>], labels: &[usize]) -> Dataset {
    let k = scores[0].len();
    let names = CrfVocabulary::new().with_labels((0..k).map(|label| label.to_string()));
    let mut data = Dataset::with_vocabulary(names);
    let mut sequence = data.sequence();
    for t in 0..scores.len() {
        sequence.present([t.to_string()]).unwrap();
    }
    let sequence = sequence.finish();
    data.push_numbered(sequence, labels.to_vec(), 1.0).unwrap();
    data
}

/// All weights of attributes and pairs, none of ends.
fn free() -> FeatureOptions {
    FeatureOptions { ends: LabelEnds::Free, ..all() }
}

#[track_caller]
fn near(what: &str, found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!(
            (found - expected).abs() <= tolerance * expected.abs().max(1.0),
            "{what} {i}: {found} {expected}"
        );
    }
}

/// Value and gradient.
fn evaluate(data: &Dataset, features: &Features, l2: f64, weights: &[f64]) -> (f64, Vec<f64>) {
    let mut gradient = vec![f64::NAN; weights.len()];
    let value = CrfObjective::new(data, features, l2).unwrap().evaluate(weights, &mut gradient);
    (value, gradient)
}

fn flat(value: &Value) -> Vec<f64> {
    rows(value).concat()
}

#[test]
fn enumerated_chains_of_the_reference_table() {
    let table = load("crf");
    for model in list(&table["models"]) {
        let labels: Vec<usize> = counts(&model["labels"]).into_iter().map(|label| label as usize).collect();
        let mut transition = flat(&model["transition"]);
        // The weights are w[attribute][label]; the table of the cases with features has w[label][attribute].
        let (data, mut weights, gradient) = if model["unary"].is_null() {
            let features = rows(&model["features"]);
            let names = (0..rows(&model["weights"]).len()).map(|label| label.to_string());
            let names = CrfVocabulary::new().with_dense(features[0].len()).with_labels(names);
            let mut data = Dataset::with_vocabulary(names);
            let mut sequence = data.sequence();
            for row in &features {
                sequence.present::<&str>([]).unwrap().dense(row).unwrap();
            }
            let sequence = sequence.finish();
            data.push_numbered(sequence, labels, 1.0).unwrap();
            let transpose = |rows: Vec<Vec<f64>>| -> Vec<f64> {
                (0..rows[0].len())
                    .flat_map(|i| rows.iter().map(move |row| row[i]).collect::<Vec<_>>())
                    .collect()
            };
            (data, transpose(rows(&model["weights"])), transpose(rows(&model["grad_weights"])))
        } else {
            let unary_scores = rows(&model["unary"]);
            (unary(&unary_scores, &labels), unary_scores.concat(), flat(&model["grad_unary"]))
        };
        let features = Features::select(&data, &free()).unwrap();
        let grad_transition = flat(&model["grad_transition"]);
        let dense = data.vocabulary().dense() > 0;
        // Pairs of labels come before dense features and after attributes.
        let expected = if dense {
            transition.append(&mut weights);
            weights = transition;
            [grad_transition, gradient].concat()
        } else {
            weights.append(&mut transition);
            [gradient, grad_transition].concat()
        };
        let (value, gradient) = evaluate(&data, &features, 0.0, &weights);
        near("ln p", &[-value], &[number(&model["log_likelihood"])], 1e-13);
        let negative: Vec<f64> = expected.iter().map(|g| -g).collect();
        near("gradient", &gradient, &negative, 1e-13);
        let model_of = ConditionalRandomField::new(data.vocabulary().clone(), features, weights).unwrap();
        let found = model_of.marginals(&data.sequences()[0]);
        near("ln Z", &[found.ln_z], &[number(&model["log_z"])], 1e-13);
        near("marginals", &found.nodes, &flat(&model["marginals"]), 1e-13);
        if !model["viterbi"].is_null() {
            let best: Vec<usize> =
                counts(&model["viterbi"]).into_iter().map(|label| label as usize).collect();
            let path = model_of.tag(&data.sequences()[0]);
            assert_eq!(path.states, best);
            near("best score", &[path.score], &[number(&model["viterbi_score"])], 1e-14);
        }
    }
}

#[test]
fn the_worked_example() {
    let scores = [vec![1.0, 0.0], vec![0.2, 0.5], vec![0.0, 1.5]];
    let data = unary(&scores, &[0, 1, 1]);
    let features = Features::select(&data, &free()).unwrap();
    let weights = [scores.concat(), vec![0.5, -0.5, -0.5, 0.5]].concat();
    let (value, gradient) = evaluate(&data, &features, 0.0, &weights);
    near("ln p", &[value], &[4.257149359456737 - 3.0], 1e-14);
    let zeros = [gradient[0] + 1.0, gradient[2], gradient[4]];
    near("marginals", &zeros, &[0.646367746326, 0.384372031171, 0.191816491001], 1e-12);
    let steps = [gradient[6], gradient[7] + 1.0, gradient[8], gradient[9] + 1.0];
    near("steps", &steps, &[0.483669835628, 0.547069941870, 0.092518686545, 0.876741535958], 1e-12);
}

#[test]
fn without_weights_all_labels_are_equally_probable() {
    let data = sentences();
    let features = Features::select(&data, &FeatureOptions::default()).unwrap();
    let (value, _) = evaluate(&data, &features, 1.0, &vec![0.0; features.len()]);
    near("objective", &[value], &[9.0 * 4_f64.ln()], 1e-14);
}

#[test]
fn the_gradient_is_that_of_differences() {
    for data in [sentences(), rich()] {
        for options in [FeatureOptions::default(), all()] {
            let features = Features::select(&data, &options).unwrap();
            let weights: Vec<f64> = (0..features.len()).map(weight).collect();
            let check = gradient_check(CrfObjective::new(&data, &features, 0.3).unwrap(), &weights);
            assert!(check.error < 1e-8, "{check:?}");
        }
    }
}

#[test]
fn the_gradient_is_that_of_the_tape() {
    // ln Z by enumeration, differentiated by the tape.
    let data = rich();
    let features = Features::select(&data, &all()).unwrap();
    let weights: Vec<f64> = (0..features.len()).map(weight).collect();
    let sequence = &data.sequences()[0];
    let labellings: Vec<Vec<usize>> =
        (0..16).map(|code: usize| (0..4).map(|t| (code >> t) & 1).collect()).collect();
    // The sum of values of each feature along labels.
    let counts = |labels: &[usize]| -> Vec<f64> {
        features
            .iter()
            .map(|feature| (0..4).map(|t| super::feature_value(feature, sequence, labels, t)).sum())
            .collect()
    };
    let given = counts(&data.labels()[0]);
    let of_all: Vec<Vec<f64>> = labellings.iter().map(|labels| counts(labels)).collect();
    let mut expected = vec![0.0; weights.len()];
    let expected_value = autodiff::gradient(
        |w| {
            let score =
                |counts: &[f64]| w.iter().zip(counts).fold(w[0] * 0.0, |sum, (&w, &count)| sum + w * count);
            let z = of_all.iter().fold(w[0] * 0.0, |sum, counts| sum + score(counts).exp());
            z.ln() - score(&given)
        },
        &weights,
        &mut expected,
    );
    let (value, gradient) = evaluate(&data, &features, 0.0, &weights);
    near("value", &[value], &[expected_value], 1e-13);
    near("gradient", &gradient, &expected, 1e-13);
}

#[test]
fn expectations_are_those_of_the_junction_tree() {
    let mut data = sentences();
    // The second sentence alone.
    let kept = (data.sequences()[1].clone(), data.labels()[1].clone());
    data = Dataset::with_vocabulary(data.vocabulary().clone());
    data.push_numbered(kept.0, kept.1, 1.0).unwrap();
    let features = Features::select(&data, &all()).unwrap();
    let weights: Vec<f64> = (0..features.len()).map(weight).collect();
    let (sequence, labels) = (&data.sequences()[0], &data.labels()[0]);
    let (k, length) = (4, sequence.len());
    let mut tables = Vec::new();
    for t in 0..length {
        let mut node = vec![0.0; k];
        for (label, node) in node.iter_mut().enumerate() {
            let mut here = vec![usize::MAX; length];
            here[t] = label;
            let of = |(feature, w): (Feature, &f64)| match feature {
                Feature::Transition { .. } => 0.0,
                _ => w * super::feature_value(feature, sequence, &here, t),
            };
            let score: f64 = features.iter().zip(&weights).map(of).sum();
            *node = score.exp();
        }
        tables.push(Table::new(vec![VarId::new(t)], vec![k], node).unwrap());
    }
    let transitions = |from, to| -> f64 {
        let matches = |feature: &Feature| *feature == Feature::Transition { from, to };
        features.iter().zip(&weights).filter(|(feature, _)| matches(feature)).map(|(_, w)| *w).sum()
    };
    let pairs: Vec<f64> = (0..k * k).map(|pair| transitions(pair / k, pair % k).exp()).collect();
    for t in 1..length {
        let scope = vec![VarId::new(t - 1), VarId::new(t)];
        tables.push(Table::new(scope, vec![k, k], pairs.clone()).unwrap());
    }
    let field = MarkovRandomField::new(Variables::numbered(&vec![k; length]).unwrap(), tables).unwrap();
    let engine = JunctionTree::default();
    let plan = engine.plan(&field, &Targets::All).unwrap();
    let (beliefs, ln_z) = engine.factor_marginals(&field, &plan, &Evidence::none()).unwrap();
    let (value, gradient) = evaluate(&data, &features, 0.0, &weights);
    let model = ConditionalRandomField::new(data.vocabulary().clone(), features.clone(), weights).unwrap();
    let score = model.scores(sequence).score(labels).unwrap();
    near("value", &[value], &[ln_z.value() - score], 1e-12);
    for (feature, slope) in features.iter().zip(&gradient) {
        let mut expected = 0.0;
        for t in 0..length {
            expected -= super::feature_value(feature, sequence, labels, t);
            if let Feature::Transition { from, to } = feature {
                if t > 0 {
                    expected += beliefs[length + t - 1].values()[from * k + to];
                }
                continue;
            }
            for label in 0..k {
                let mut here = vec![usize::MAX; length];
                here[t] = label;
                expected += beliefs[t].values()[label] * super::feature_value(feature, sequence, &here, t);
            }
        }
        near(&format!("{feature:?}"), &[*slope], &[expected], 1e-12);
    }
}

#[test]
fn a_hidden_markov_model_written_as_a_field_has_the_same_posterior() {
    let initial = [0.6, 0.4_f64];
    let steps = DMatrix::from_row_slice(2, 2, &[0.7, 0.3, 0.4, 0.6_f64]);
    let emissions = [[0.5, 0.4, 0.1], [0.1, 0.3, 0.6_f64]];
    let seen = [0, 2, 1, 1, 0, 2];
    let mut data = Dataset::with_vocabulary(CrfVocabulary::new().with_labels(["0", "1"]));
    let mut sequence = data.sequence();
    for symbol in seen {
        sequence.present([symbol.to_string()]).unwrap();
    }
    let sequence = sequence.finish();
    data.push_numbered(sequence.clone(), vec![0; 6], 1.0).unwrap();
    let features = Features::select(&data, &all()).unwrap();
    let weights = features
        .iter()
        .map(|feature| match feature {
            Feature::State { attribute, label } => {
                let symbol: usize = data.vocabulary().attributes().name(attribute).unwrap().parse().unwrap();
                emissions[label][symbol].ln()
            }
            Feature::Transition { from, to } => steps[(from, to)].ln(),
            Feature::First { label } => initial[label].ln(),
            _ => 0.0,
        })
        .collect();
    let model = ConditionalRandomField::new(data.vocabulary().clone(), features, weights).unwrap();
    let transitions = Transitions::from_probabilities(&steps).unwrap();
    let nodes: Vec<f64> = seen.iter().flat_map(|&x| [emissions[0][x].ln(), emissions[1][x].ln()]).collect();
    let initial = initial.map(f64::ln);
    let hidden = LinearChain::new(&initial, Edges::Same(&transitions), &nodes).unwrap().marginals();
    let found = model.marginals(&sequence);
    near("ln Z", &[found.ln_z], &[hidden.ln_z], 1e-14);
    near("posterior", &found.nodes, &hidden.nodes, 1e-14);
}

#[test]
fn sequences_add_in_any_order_and_weigh_what_their_copies_do() {
    let data = sentences();
    let features = Features::select(&data, &all()).unwrap();
    let weights: Vec<f64> = (0..features.len()).map(weight).collect();
    let rebuilt = |order: &[(usize, f64)]| {
        let mut other = Dataset::with_vocabulary(data.vocabulary().clone());
        for &(i, times) in order {
            other.push_numbered(data.sequences()[i].clone(), data.labels()[i].clone(), times).unwrap();
        }
        evaluate(&other, &features, 0.1, &weights)
    };
    let (value, gradient) = rebuilt(&[(0, 1.0), (1, 1.0), (2, 1.0), (1, 1.0), (1, 1.0), (0, 1.0)]);
    let (other, other_gradient) = rebuilt(&[(2, 1.0), (1, 3.0), (0, 2.0), (1, 0.0)]);
    near("value", &[other], &[value], 1e-13);
    near("gradient", &other_gradient, &gradient, 1e-13);
}

#[test]
fn the_objective_is_convex() {
    let data = rich();
    let features = Features::select(&data, &all()).unwrap();
    let mut objective = CrfObjective::new(&data, &features, 0.0).unwrap();
    let a: Vec<f64> = (0..features.len()).map(weight).collect();
    let b: Vec<f64> = (0..features.len()).map(|i| weight(i + 17)).collect();
    let mut ignored = vec![0.0; a.len()];
    let mut at = |proportion: f64| {
        let point: Vec<f64> =
            a.iter().zip(&b).map(|(a, b)| (1.0 - proportion) * a + proportion * b).collect();
        objective.evaluate(&point, &mut ignored)
    };
    let values: Vec<f64> = (0..=10).map(|i| at(f64::from(i) / 10.0)).collect();
    for triple in values.windows(3) {
        assert!(triple[0] + triple[2] > 2.0 * triple[1], "{values:?}");
    }
}

#[test]
fn sequences_with_unknown_labels_are_left_out_and_counted() {
    let data = sentences();
    let features = Features::select(&data, &all()).unwrap();
    let weights: Vec<f64> = (0..features.len()).map(weight).collect();
    let mut test = Dataset::with_vocabulary(data.vocabulary().clone().frozen());
    test.push(data.sequences()[2].clone(), ["X"]).unwrap();
    test.push(data.sequences()[2].clone(), ["N"]).unwrap();
    let mut objective = CrfObjective::new(&test, &features, 0.0).unwrap();
    assert_eq!(objective.skipped(), 1);
    let model =
        ConditionalRandomField::new(data.vocabulary().clone(), features.clone(), weights.clone()).unwrap();
    let expected = model.ln_probability(&data.sequences()[2], &data.labels()[2]).unwrap();
    near("ln p", &[objective.ln_likelihood(&weights)], &[expected], 1e-14);
}

#[test]
fn weights_at_which_scores_overflow_are_no_place_to_be() {
    let data = rich();
    let features = Features::select(&data, &all()).unwrap();
    let mut objective = CrfObjective::new(&data, &features, 1.0).unwrap();
    let mut gradient = vec![0.0; features.len()];
    for bad in [f64::NAN, f64::INFINITY, 1e301] {
        let mut weights = vec![0.0; features.len()];
        weights[1] = bad;
        assert!(objective.evaluate(&weights, &mut gradient).is_nan());
        assert!(objective.ln_likelihood(&weights).is_nan());
    }
    let weights = vec![1e140; features.len()];
    assert!(objective.ln_likelihood(&weights).is_finite());
    assert!(CrfObjective::new(&data, &features, -1.0).is_err());
    assert!(CrfObjective::new(&sentences(), &features, 0.0).is_err());
}

#[test]
fn observed_and_all_features_agree_where_both_have_weights() {
    let data = sentences();
    let (some, every) = (
        Features::select(&data, &FeatureOptions::default()).unwrap(),
        Features::select(&data, &free()).unwrap(),
    );
    let weights: Vec<f64> = (0..some.len()).map(weight).collect();
    let find = |feature: Feature| some.iter().position(|other| other == feature);
    let wider: Vec<f64> = every.iter().map(|feature| find(feature).map_or(0.0, |i| weights[i])).collect();
    let (value, gradient) = evaluate(&data, &some, 0.0, &weights);
    let (wider_value, wider_gradient) = evaluate(&data, &every, 0.0, &wider);
    near("value", &[value], &[wider_value], 1e-14);
    for (feature, slope) in every.iter().zip(&wider_gradient) {
        if let Some(i) = find(feature) {
            near("slope", &[gradient[i]], &[*slope], 1e-14);
        }
    }
    assert_eq!(FeatureOptions::default().states, WeightChoice::Observed);
}
