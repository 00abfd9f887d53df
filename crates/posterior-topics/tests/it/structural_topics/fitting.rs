//! What documents were drawn with comes back, is saved, and predicts.

use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_testkit::accuracy::assert_within;
use posterior_topics::corpus::Document;
use posterior_topics::structural_topics::{
    DocumentCovariates, StructuralTopics, StructuralTopicsOptions, fit,
};
use posterior_topics::{FittedTopics, TopicModel as _, top_words};

use super::simulated::{Drawn, check_words, covariance, drawn, fitted, names, options, truth};

#[test]
fn coefficients_and_covariance_come_back() {
    let drawn = drawn(3, 800, 80, 1);
    let FittedTopics { model, doc_topic, report } = fitted(&drawn, &options());
    assert!(report.converged());
    assert!(report.trace[report.trace.len() - 1] > report.trace[0] + 100.0);
    let names = names(&model);
    for k in 0..2 {
        for j in 0..2 {
            let (found, expected) = (model.coefficients()[(j, k)], truth(&names, j, k));
            println!("{found} {expected}");
            // Three standard errors. Whose the words are that all topics have is hardly known, and constants
            // with it.
            assert_within(found, expected, if j == 0 { 0.3 } else { 0.2 });
        }
    }
    let expected = covariance(&names);
    println!("{} {expected}", model.covariance());
    for (found, expected) in model.covariance().iter().zip(&expected) {
        assert_within(*found, *expected, 0.25);
    }
    for row in doc_topic.row_iter() {
        assert_within(row.sum(), 1.0, 1e-12);
    }
    check_words(model.topics().topic_word(), &names, 0, 0.03);
    let correlations = model.topic_correlations();
    for k in 0..3 {
        assert_within(correlations[(k, k)], 1.0, 1e-12);
        for l in 0..3 {
            assert_within(correlations[(k, l)], correlations[(l, k)], 1e-12);
            assert!(correlations[(k, l)].abs() < 1.0 + 1e-12);
        }
    }
}

#[test]
fn prevalence_follows_the_feature_and_adds_to_one() {
    let drawn = drawn(5, 300, 60, 1);
    let model = fitted(&drawn, &options()).model;
    let first = names(&model).iter().position(|&own| own == 0).unwrap();
    let [low, high] = [-0.9, 0.9].map(|x| model.prevalence(&[x]).unwrap());
    for found in [&low, &high] {
        assert_within(found.iter().sum(), 1.0, 1e-12);
    }
    let effect = model.effect(&[-0.9], &[0.9], 0.9).unwrap();
    assert!(effect.low[first] > 0.1);
    for k in 0..3 {
        assert_within(effect.mean[k], high[k] - low[k], 1e-12);
        assert!(effect.low[k] < effect.mean[k] && effect.mean[k] < effect.high[k]);
    }
    let wide = model.effect(&[-0.9], &[0.9], 0.99).unwrap();
    assert!(wide.high[first] > effect.high[first] && wide.low[first] < effect.low[first]);
    // A document without words has what its features say.
    let none = Document { words: &[], counts: &[] };
    let [a, b] = [-0.9, 0.9].map(|x| model.proportions_at(none, &[x], None).unwrap()[first]);
    assert!(b > a + 0.2, "{a} {b}");
}

/// Features in other units, and with a column that is the same everywhere, have the same effects.
#[test]
fn units_of_features_do_not_matter() {
    let drawn = drawn(6, 120, 40, 1);
    let options = StructuralTopicsOptions { max_iterations: 30, ..options() };
    let own = fitted(&drawn, &options);
    let x = &drawn.covariates.prevalence;
    let other = DMatrix::from_fn(120, 1, |d, _| 2000.0 - 0.01 * x[(d, 0)]);
    let covariates = DocumentCovariates { prevalence: other, content: None };
    let moved = fit(&drawn.corpus, &covariates, &options, &mut Silent).unwrap();
    assert!((&own.doc_topic - &moved.doc_topic).amax() < 1e-6);
    let a = own.model.effect(&[-0.5], &[0.5], 0.9).unwrap();
    let b = moved.model.effect(&[2000.005], &[1999.995], 0.9).unwrap();
    for k in 0..3 {
        // Draws of a coefficient with the other sign are other draws.
        assert_within(a.mean[k], b.mean[k], 0.005);
        assert_within(a.low[k], b.low[k], 0.03);
        assert_within(a.high[k], b.high[k], 0.03);
    }
}

/// The words of a topic change with the level of a document, and the fit finds how.
#[test]
fn content_changes_the_words_of_topics() {
    let drawn = drawn(7, 400, 80, 2);
    let FittedTopics { model, report, .. } = fitted(&drawn, &options());
    assert!(report.converged());
    let names = names(&model);
    assert_eq!(model.levels(), 2);
    let mut leading = Vec::new();
    for level in 0..2 {
        let topics = model.topics_at(level).unwrap();
        check_words(topics.topic_word(), &names, level, 0.03);
        leading.push(top_words::by_probability(&topics, 0, 1)[0].word);
    }
    assert_ne!(leading[0], leading[1]);
    assert!(model.topics_at(2).is_err());
    // The level helps to predict what comes next in a document.
    let content = drawn.covariates.content.as_ref().unwrap();
    let mut gain = 0.0;
    for (d, document) in drawn.corpus.iter().enumerate() {
        let x = [drawn.covariates.prevalence[(d, 0)]];
        let with = model.ln_predictive_at(document, document, &x, Some(content[d])).unwrap();
        gain += with - model.ln_predictive_at(document, document, &x, None).unwrap();
    }
    assert!(gain / drawn.corpus.tokens() as f64 > 0.02, "{gain}");
}

/// Levels that do not matter leave the words of topics as they are.
#[test]
fn levels_without_a_difference_do_not_deviate() {
    let mut drawn = drawn(8, 200, 60, 1);
    drawn.covariates.content = Some((0..200).map(|d| d % 2).collect());
    let strict = StructuralTopicsOptions { content_rate: 30.0, ..options() };
    let model = fitted(&drawn, &strict).model;
    let [a, b] = [0, 1].map(|level| model.topics_at(level).unwrap().topic_word().clone());
    assert!((a - b).amax() < 0.02);
}

/// Documents of one word: their features say more of the rest than this word does.
#[test]
fn features_predict_documents_that_were_not_seen() {
    let Drawn { corpus, covariates } = drawn(11, 500, 40, 1);
    let options = options();
    let train: Vec<usize> = (0..400).collect();
    let known = DocumentCovariates { prevalence: covariates.prevalence.select_rows(&train), content: None };
    let none = DocumentCovariates { prevalence: DMatrix::zeros(400, 0), content: None };
    let seen = corpus.select(&train).unwrap();
    let with = fit(&seen, &known, &options, &mut Silent).unwrap().model;
    let without = fit(&seen, &none, &options, &mut Silent).unwrap().model;
    let mut sums = [0.0; 2];
    for d in 400..500 {
        let document = corpus.document(d);
        let first = Document { words: &document.words[..1], counts: &[1] };
        let x = [covariates.prevalence[(d, 0)]];
        sums[0] += with.ln_predictive_at(first, document, &x, None).unwrap();
        sums[1] += without.ln_predictive(first, document);
    }
    println!("{sums:?}");
    assert!(sums[0] > sums[1] + 20.0, "{sums:?}");
}

#[test]
fn saved_models_answer_as_before() {
    let drawn = drawn(13, 60, 30, 2);
    let options = StructuralTopicsOptions { max_iterations: 5, replicates: 2, ..options() };
    let model = fitted(&drawn, &options).model;
    let text = serde_json::to_string(&model).unwrap();
    let read: StructuralTopics = serde_json::from_str(&text).unwrap();
    assert_eq!(read, model);
    let at = |model: &StructuralTopics| {
        let document = drawn.corpus.document(1);
        [
            model.proportions(document),
            model.proportions_at(document, &[0.4], Some(1)).unwrap(),
            model.effect(&[0.0], &[0.4], 0.5).unwrap().low,
        ]
    };
    assert_eq!(at(&read), at(&model));
    for (from, to) in [
        ("posterior-structural-topics-1", "posterior-structural-topics-0"),
        ("\"means\":[", "\"means\":[0.0,"),
        ("\"scales\":[", "\"scales\":[-"),
        ("\"coefficients\":{\"rows\":2,\"columns\":2", "\"coefficients\":{\"rows\":4,\"columns\":1"),
        (
            "\"covariance\":{\"rows\":2,\"columns\":2,\"values\":[",
            "\"covariance\":{\"rows\":2,\"columns\":2,\"values\":[-",
        ),
        ("\"degrees_of_freedom\":", "\"degrees_of_freedom\":-"),
    ] {
        assert!(text.contains(from), "{from}");
        assert!(serde_json::from_str::<StructuralTopics>(&text.replacen(from, to, 1)).is_err(), "{to}");
    }
}
