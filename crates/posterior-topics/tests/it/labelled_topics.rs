//! Labelled topics: planted ones come back, new documents get their labels, and misuse is refused.

use std::ops::ControlFlow;

use posterior_dist::stream::stream;
use posterior_math::iteration::{Silent, Step, Stop};
use posterior_topics::labelled_topics::{DocumentLabels, LabelledTopics, LabelledTopicsOptions, fit};
use posterior_topics::{Corpus, TopicModel};
use rand::{Rng, RngExt};

const LABELS: usize = 4;

/// A word: three of each label, and two of all documents.
fn word(label: Option<usize>, rng: &mut impl Rng) -> (u32, u32) {
    let word = label.map_or(3 * LABELS + rng.random_range(0..2), |label| 3 * label + rng.random_range(0..3));
    (word as u32, 1)
}

/// Documents of forty words with one to three labels. Of the background is a part of their words from nothing
/// to six tenths: what all documents have at least could as well be in the topics of the labels.
fn drawn(documents: usize, seed: u64) -> (Corpus, Vec<Vec<usize>>) {
    let mut rng = stream(seed, &[]);
    let mut labels = Vec::new();
    let rows = (0..documents).map(|_| {
        let mut own: Vec<usize> = (0..LABELS).collect();
        for i in (1..LABELS).rev() {
            own.swap(i, rng.random_range(0..=i));
        }
        own.truncate(rng.random_range(1..=3));
        let background = rng.random_range(0..=6);
        let row = (0..40).map(|i| {
            let label = (i % 10 >= background).then(|| own[rng.random_range(0..own.len())]);
            word(label, &mut rng)
        });
        let row = row.collect();
        labels.push(own);
        row
    });
    let rows = rows.collect();
    let names = |n: usize| (0..n).map(|i| i.to_string()).collect();
    (Corpus::from_rows(names(3 * LABELS + 2), names(documents), rows).unwrap(), labels)
}

fn options() -> LabelledTopicsOptions {
    LabelledTopicsOptions { iterations: 120, draws: 5, ..LabelledTopicsOptions::default() }
}

fn names() -> Vec<String> {
    (0..LABELS).map(|label| format!("label {label}")).collect()
}

#[test]
fn words_go_with_their_labels_and_new_documents_get_theirs() {
    let (corpus, labels) = drawn(150, 1);
    let known = DocumentLabels::new(names(), labels.clone()).unwrap();
    let fitted = fit(&corpus, &known, &options(), &mut Silent).unwrap();
    let model = &fitted.model;
    assert_eq!((model.labels(), model.background(), model.topics().len()), (&names()[..], 1, LABELS + 1));
    let words = model.topics().topic_word();
    for label in 0..LABELS {
        let own: f64 = (3 * label..3 * label + 3).map(|v| words[(label, v)]).sum();
        assert!(own > 0.9, "{own}");
    }
    assert!(words[(LABELS, 3 * LABELS)] + words[(LABELS, 3 * LABELS + 1)] > 0.9);
    for (d, own) in labels.iter().enumerate() {
        let row = fitted.doc_topic.row(d);
        assert!((row.sum() - 1.0).abs() < 1e-12);
        for label in 0..LABELS {
            assert_eq!(row[label] > 0.0, own.contains(&label));
        }
    }
    // New documents: their labels are at the top, in all documents but few.
    let (new, truth) = drawn(100, 2);
    let right = truth.iter().enumerate().filter(|(d, own)| {
        let scores = model.label_proportions(new.document(*d));
        assert!((scores.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        let least = own.iter().map(|&label| scores[label]).fold(f64::INFINITY, f64::min);
        (0..LABELS).all(|label| own.contains(&label) || scores[label] < least)
    });
    assert!(right.count() >= 95);
    // Known labels of a new document.
    let with = model.proportions_with(new.document(0), &[2, 0, 2]).unwrap();
    assert!((with.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    assert_eq!(with.iter().map(|&p| p > 0.0).collect::<Vec<_>>(), [true, false, true, false, true]);
    let all: Vec<usize> = (0..LABELS).collect();
    let (all, free) =
        (model.proportions_with(new.document(0), &all).unwrap(), model.proportions(new.document(0)));
    assert!(all.iter().zip(&free).all(|(a, b)| (a - b).abs() < 1e-12));
    assert!(model.proportions_with(new.document(0), &[LABELS]).unwrap_err().is_dimension());

    let text = serde_json::to_string(model).unwrap();
    assert_eq!(&serde_json::from_str::<LabelledTopics>(&text).unwrap(), model);
    let other = text.replace("posterior-labelled-topics-1", "posterior-labelled-topics-0");
    assert!(serde_json::from_str::<LabelledTopics>(&other).unwrap_err().to_string().contains("expected"));
    let more = text.replace("\"label 0\",", "\"label 0\",\"x\",\"y\",");
    let refused = serde_json::from_str::<LabelledTopics>(&more).unwrap_err().to_string();
    assert!(refused.starts_with("6 labels of 5 topics"), "{refused}");
    let again = fit(&corpus, &known, &options(), &mut Silent).unwrap();
    assert_eq!(again.model, fitted.model);
}

#[test]
fn labels_by_name_are_those_by_number() {
    let labels = DocumentLabels::of_names(&[vec!["sea", "air", "sea"], vec![], vec!["air"]]);
    assert_eq!(labels.names(), ["air", "sea"]);
    assert_eq!(labels.documents(), [vec![0, 1], vec![], vec![0]]);
    let numbers = vec![vec![1, 0], vec![], vec![0, 0]];
    assert_eq!(labels, DocumentLabels::new(labels.names().to_vec(), numbers).unwrap());
    assert_eq!(labels.select(&[2, 0]).unwrap().documents(), [vec![0], vec![0, 1]]);
    assert!(labels.select(&[3]).unwrap_err().is_dimension());
    let error = DocumentLabels::new(names(), vec![vec![LABELS]]).unwrap_err();
    assert_eq!(error.to_string(), "label 4 of 4, counted from 0");
}

#[test]
fn misuse_and_edges() {
    let (corpus, mut labels) = drawn(12, 3);
    let known = DocumentLabels::new(names(), labels.clone()).unwrap();
    for options in [
        LabelledTopicsOptions { alpha: 0.0, ..options() },
        LabelledTopicsOptions { beta: f64::NAN, ..options() },
        LabelledTopicsOptions { iterations: 0, ..options() },
        LabelledTopicsOptions { draws: 0, ..options() },
        LabelledTopicsOptions { thin: 0, ..options() },
        LabelledTopicsOptions { trace_every: 0, ..options() },
        LabelledTopicsOptions { background: 70_000, ..options() },
        LabelledTopicsOptions { background: 65_534, ..options() },
    ] {
        assert!(fit(&corpus, &known, &options, &mut Silent).unwrap_err().is_parameter());
    }
    let few = known.select(&[0, 1]).unwrap();
    assert!(fit(&corpus, &few, &options(), &mut Silent).unwrap_err().is_dimension());
    // Without a background each document needs a label; with one it need not have any.
    labels[5].clear();
    let some = DocumentLabels::new(names(), labels).unwrap();
    let bare = LabelledTopicsOptions { background: 0, ..options() };
    let error = fit(&corpus, &some, &bare, &mut Silent).unwrap_err().to_string();
    assert_eq!(error, "document \"5\" has no label: leave it out, or ask for a topic of the background");
    let fitted = fit(&corpus, &some, &options(), &mut Silent).unwrap();
    assert_eq!(fitted.doc_topic[(5, LABELS)], 1.0);
    // A label that no document has, and no labels at all.
    let mut more = names();
    more.push("never".to_owned());
    let more = DocumentLabels::new(more, known.documents().to_vec()).unwrap();
    let model = fit(&corpus, &more, &options(), &mut Silent).unwrap().model;
    let first = model.topics().topic_word()[(LABELS, 0)];
    assert!(model.topics().topic_word().row(LABELS).iter().all(|&p| (p - first).abs() < 1e-15));
    let none = DocumentLabels::new(Vec::new(), vec![Vec::new(); 12]).unwrap();
    let model = fit(&corpus, &none, &options(), &mut Silent).unwrap().model;
    assert!(model.label_proportions(corpus.document(0)).is_empty());
    let mut once = |_: &Step| ControlFlow::Break(());
    let stopped = fit(&corpus, &known, &options(), &mut once).unwrap();
    assert_eq!((stopped.report.iterations, stopped.report.stop), (1, Stop::Observer));
}
