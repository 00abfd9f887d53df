//! Labels that keep to constraints, and the best label sequences, against all of them one by one.

use posterior_sequence::Error;
use posterior_sequence::crf::{ConditionalRandomField, Dataset, Features, LabelConstraints};
use posterior_sequence::text::alphabet::Alphabet;
use posterior_sequence::text::chunking::ChunkScheme;

use super::{all, labellings, weight};

/// A sentence of four words, with attributes of steps, and a model of these labels; weights are about `scale`
/// times [`weight`].
fn model(labels: &[&str], scale: f64) -> (ConditionalRandomField, Dataset) {
    let mut data = Dataset::new();
    let mut sentence = data.sequence();
    for word in ["the", "old", "dog", "barks"] {
        sentence.present([format!("w={word}")]).unwrap();
        sentence.step([(format!("s={word}"), 0.5)]).unwrap();
    }
    let sentence = sentence.finish();
    data.push(sentence, labels.iter().cycle().take(4)).unwrap();
    let mut others = data.sequence();
    for _ in labels {
        others.present(["other"]).unwrap();
    }
    let others = others.finish();
    data.push(others, labels).unwrap();
    let features = Features::select(&data, &all()).unwrap();
    // No two label sequences have the same score.
    let weights = (0..features.len()).map(|i| scale * (weight(i) + 1e-2 * (i as f64).sin())).collect();
    (ConditionalRandomField::new(data.vocabulary().clone(), features, weights).unwrap(), data)
}

const BIO: &[&str] = &["I-X", "O", "B-X", "I-Y", "B-Y"];
const BIOES: &[&str] = &["O", "B-X", "I-X", "E-X", "S-X", "E-Y"];

/// Whether a scheme allows labels, as its definition has it: chunk after chunk.
fn is_legal(scheme: ChunkScheme, labels: &[&str]) -> bool {
    let mut rest = labels;
    while let Some((&first, others)) = rest.split_first() {
        let (place, kind) = first.split_once('-').unwrap_or((first, ""));
        let within = |letter: &str| format!("{letter}-{kind}");
        let inner = others.iter().take_while(|label| **label == within("I")).count();
        rest = match (place, scheme) {
            ("O", _) | ("S", ChunkScheme::Bioes) => others,
            ("B", ChunkScheme::Bio) => &others[inner..],
            ("B", _) if others.get(inner).is_some_and(|label| **label == within("E")) => &others[inner + 1..],
            _ => return false,
        };
    }
    true
}

#[test]
fn what_is_not_allowed_has_probability_zero_and_the_rest_is_as_before() {
    for (scheme, names) in [(ChunkScheme::Bio, BIO), (ChunkScheme::Bioes, BIOES)] {
        for scale in [1.0, 400.0] {
            let (model, data) = model(names, scale);
            let sequence = &data.sequences()[0];
            let alphabet = model.vocabulary().labels();
            let constraints = LabelConstraints::chunks(alphabet, scheme).unwrap();
            let field = model.constrained(&constraints).unwrap();
            let k = names.len();
            let mut legal = Vec::new();
            for labels in labellings(k, 4) {
                let named: Vec<&str> = labels.iter().map(|&label| alphabet.name(label).unwrap()).collect();
                assert_eq!(constraints.allow(&labels), is_legal(scheme, &named), "{named:?}");
                if is_legal(scheme, &named) {
                    legal.push((model.scores(sequence).score(&labels).unwrap(), labels));
                } else {
                    let ln_p = field.ln_probability(sequence, &labels).unwrap();
                    assert_eq!(ln_p.exp(), 0.0, "{named:?}");
                }
            }
            legal.sort_by(|a, b| b.0.total_cmp(&a.0));
            let largest = legal[0].0;
            let z: f64 = legal.iter().map(|(score, _)| (score - largest).exp()).sum();
            let ln_z = largest + z.ln();
            let mut marginals = vec![0.0; 4 * k];
            for (score, labels) in &legal {
                let ln_p = field.ln_probability(sequence, labels).unwrap();
                assert!((ln_p - (score - ln_z)).abs() < 1e-12 * scale, "{labels:?}");
                labels
                    .iter()
                    .enumerate()
                    .for_each(|(t, label)| marginals[t * k + label] += (score - ln_z).exp());
            }
            let found = field.marginals(sequence).unwrap();
            assert!((found.ln_z - ln_z).abs() < 1e-12 * scale);
            for (found, wanted) in found.nodes.iter().zip(&marginals) {
                assert!((found - wanted).abs() < 1e-12 * scale, "{found} {wanted}");
                // Exactly nothing where nothing that is allowed passes.
                assert_eq!(*found == 0.0, *wanted == 0.0);
            }
            let best = field.tag(sequence).unwrap();
            assert_eq!(best.states, legal[0].1);
            let most = field.k_best(sequence, legal.len() + 10);
            assert_eq!(most.len(), legal.len());
            for ((path, ln_p), (score, labels)) in most.iter().zip(&legal) {
                assert_eq!(&path.states, labels);
                assert!((path.score - score).abs() < 1e-12 * scale);
                assert!((ln_p - (score - ln_z)).abs() < 1e-12 * scale);
            }
            assert_eq!(field.k_best(sequence, 3).len(), 3);
        }
    }
}

#[test]
fn the_best_label_sequences_are_the_most_probable_of_all() {
    let (model, data) = model(BIO, 1.0);
    let sequence = &data.sequences()[0];
    let mut all: Vec<(f64, Vec<usize>)> = labellings(BIO.len(), 4)
        .map(|labels| (model.ln_probability(sequence, &labels).unwrap(), labels))
        .collect();
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    let best = model.k_best(sequence, 50);
    for ((path, ln_p), (wanted, labels)) in best.iter().zip(&all) {
        assert!(&path.states == labels && (ln_p - wanted).abs() < 1e-12, "{labels:?}");
    }
    assert_eq!((best.len(), model.k_best(sequence, 0).len()), (50, 0));
    let whole: f64 = model.k_best(sequence, all.len()).iter().map(|(_, ln_p)| ln_p.exp()).sum();
    assert!((whole - 1.0).abs() < 1e-12);
}

#[test]
fn short_sequences_and_constraints_that_cannot_be_kept() {
    let (model, _) = model(BIOES, 1.0);
    let names = model.vocabulary().labels();
    let constraints = LabelConstraints::chunks(names, ChunkScheme::Bioes).unwrap();
    let field = model.constrained(&constraints).unwrap();
    let none = model.sequence().finish();
    assert!(field.tag(&none).unwrap().states.is_empty());
    assert_eq!(field.ln_probability(&none, &[]).unwrap(), 0.0);
    let mut one = model.sequence();
    one.present(["w=the"]).unwrap();
    let one = one.finish();
    let p = |label: usize| field.ln_probability(&one, &[label]).unwrap().exp();
    let total: f64 = ["O", "S-X"].map(|name| p(names.get(name).unwrap())).iter().sum();
    assert!((total - 1.0).abs() < 1e-14);
    assert_eq!(p(names.get("B-X").unwrap()), 0.0);

    // Nothing may come first.
    let never = LabelConstraints::from_fn(names.len(), |_| false, |_, _| true, |_| true).unwrap();
    let field = model.constrained(&never).unwrap();
    assert!(matches!(field.tag(&one), Err(Error::Impossible { sequence: 0, position: 0 })));
    assert!(field.marginals(&one).is_err() && field.ln_probability(&one, &[0]).is_err());
    assert!(field.k_best(&one, 2).is_empty());

    let few = LabelConstraints::from_fn(2, |_| true, |_, _| true, |_| true).unwrap();
    assert!(model.constrained(&few).is_err());
    assert!(LabelConstraints::from_fn(0, |_| true, |_, _| true, |_| true).is_err());
    assert!(!few.allow(&[0, 2]) && few.allow(&[]));
    let tags: Alphabet = ["O", "B-X", "NOUN"].into_iter().collect();
    let refused = LabelConstraints::chunks(&tags, ChunkScheme::Bio).unwrap_err().to_string();
    assert_eq!(refused, "label \"NOUN\": the scheme has O, B-TYPE and I-TYPE");
}
