//! Fits that stop, go through a file, and go on.

use posterior_math::iteration::Silent;
use posterior_topics::hdp::{self, Hdp, HdpCheckpoint, HdpOptions, HdpState, Representation};
use posterior_topics::lda::Hyperparameters;
use posterior_topics::{Corpus, FittedTopics, SweepReport};
use serde_json::{Value, json};

use crate::stopping::StopAfter;

/// Documents of three kinds, of which two proportion half of their words.
fn corpus() -> Corpus {
    let words = (0..12).map(|w| w.to_string()).collect();
    let row = |d: u32| (0..4).map(|w| (2 * (d % 3) + w + d % 3 / 2 * 4, 3 + (d * 7 + w * 3) % 6)).collect();
    let names = (0..24).map(|d| d.to_string()).collect();
    Corpus::from_rows(words, names, (0..24).map(row).collect()).unwrap()
}

fn options(representation: Representation) -> HdpOptions {
    HdpOptions {
        representation,
        hyperparameters: Hyperparameters::Optimized,
        initial_topics: 9,
        iterations: 120,
        draws: 4,
        thin: 5,
        seed: 3,
        ..HdpOptions::default()
    }
}

/// The checkpoint of a fit that is stopped after so many sweeps, as its file says it.
fn stopped(corpus: &Corpus, options: &HdpOptions, after: usize) -> Vec<u8> {
    let mut stopping = StopAfter::new(after);
    let part = hdp::fit(corpus, options, &mut stopping);
    assert_eq!(part.unwrap().report.iterations, after);
    stopping.file
}

fn resumed(
    corpus: &Corpus,
    file: &[u8],
) -> Result<FittedTopics<Hdp, SweepReport<HdpState>>, posterior_topics::Error> {
    let checkpoint = HdpCheckpoint::read_from(file).unwrap();
    hdp::resume(corpus, &checkpoint, &mut Silent)
}

/// Before, at and after the sweep from which the topics are held, and after the last one.
#[test]
fn a_resumed_fit_ends_in_the_same_bits() {
    let corpus = corpus();
    for representation in [Representation::DirectAssignment, Representation::Franchise] {
        let options = options(representation);
        let whole = hdp::fit(&corpus, &options, &mut Silent).unwrap();
        assert_eq!(options.held_from(), 105);
        for after in [1, 57, 104, 105, 106, 115, 120] {
            let rest = resumed(&corpus, &stopped(&corpus, &options, after)).unwrap();
            assert_eq!(rest.model, whole.model, "{representation:?} after {after}");
            assert_eq!(rest.doc_topic, whole.doc_topic);
            assert_eq!(rest.report.trace, whole.report.trace);
            assert_eq!(rest.report.iterations, 120);
            assert_eq!(rest.report.tokens_drawn, (120 - after) as u64 * corpus.tokens());
        }
    }
}

#[test]
fn a_checkpoint_of_another_corpus_or_format_is_refused() {
    let file = stopped(&corpus(), &options(Representation::DirectAssignment), 3);
    let words = (0..12).map(|w| w.to_string()).collect();
    let other = Corpus::from_rows(words, vec!["one".to_owned()], vec![vec![(0, 3)]]).unwrap();
    let error = resumed(&other, &file).unwrap_err();
    assert_eq!(error.to_string(), "the checkpoint was made with another corpus");
    let text =
        String::from_utf8(file).unwrap().replace("posterior-hdp-checkpoint-2", "posterior-hdp-checkpoint-9");
    let error = HdpCheckpoint::read_from(text.as_bytes()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "format \"posterior-hdp-checkpoint-9\", expected \"posterior-hdp-checkpoint-2\""
    );
}

/// Whatever single part of a file is changed, the error says so, and nothing panics.
#[test]
fn a_checkpoint_that_contradicts_itself_is_refused() {
    let corpus = corpus();
    let damages = [
        ("topics", json!([0])),
        ("topics", json!(vec![4_000_000; corpus.tokens() as usize])),
        ("seats", json!([])),
        ("seats", json!(vec![900; corpus.tokens() as usize])),
        ("documents", json!([[0]])),
        ("slots", json!(9)),
        ("slots", json!(1_u64 << 50)),
        ("tables", json!([1, 2, 3])),
        ("beta", json!(-1.0)),
        ("concentrations", json!({"alpha": 0.0, "gamma": 1.0})),
        ("sticks", json!({"weights": [0.5], "rest": 0.5})),
        ("sticks", json!({"weights": vec![-1.0; 16], "rest": 0.5})),
        ("unused_weight", json!(2.0)),
        ("word_sums", json!([7])),
        ("document_sums", json!([7])),
    ];
    let mut refused = 0;
    for representation in [Representation::DirectAssignment, Representation::Franchise] {
        for after in [20, 110] {
            let file = stopped(&corpus, &options(representation), after);
            for (name, damage) in &damages {
                let mut json: Value = serde_json::from_slice(&file).unwrap();
                let state = json["state"].as_object_mut().unwrap().values_mut().next().unwrap();
                let Some(part) = state.get_mut(name) else { continue };
                *part = damage.clone();
                let error = resumed(&corpus, json.to_string().as_bytes()).unwrap_err();
                assert_eq!(error.to_string(), "the checkpoint contradicts itself", "{name}");
                refused += 1;
            }
            // The stage that the options ask for is another one.
            let mut json: Value = serde_json::from_slice(&file).unwrap();
            json["iterations"] = json!(130 - after);
            let error = resumed(&corpus, json.to_string().as_bytes()).unwrap_err();
            assert_eq!(error.to_string(), "the checkpoint contradicts itself");
        }
    }
    assert_eq!(refused, 7 + 7 + 2 * 9);
}
