//! EM in its three styles, against the definition and against the mixtures of any family.

use posterior_dist::{Categorical, Dirichlet, Mixture};
use posterior_inference::em::EmOptions;
use posterior_latent::mixture::{MaximumLikelihood, MixtureProblem, MostProbable, UnigramDistribution};
use posterior_latent::variational::Points;
use posterior_math::iteration::Silent;
use posterior_testkit::accuracy::{assert_all_close, assert_close, assert_within};
use posterior_topics::TopicModel;
use posterior_topics::corpus::Document;
use posterior_topics::document_mixture::{self, DocumentMixture, DocumentMixtureOptions, TopicAssignment};
use proptest::prelude::*;

use super::fit;
use crate::plsa::{corpus, random_counts};

/// A model of three topics with all numbers positive.
fn smooth(corpus: &posterior_topics::Corpus) -> DocumentMixture {
    let labels: Vec<usize> = (0..corpus.documents()).map(|d| d % 3).collect();
    let options = DocumentMixtureOptions {
        topics: 3,
        word_prior: 1.5,
        weight_prior: 1.2,
        ..DocumentMixtureOptions::default()
    };
    DocumentMixture::from_labels(corpus, &labels, &options).unwrap()
}

#[test]
fn em_is_that_of_mixtures_of_any_family() {
    let mut counts = random_counts(20, 9, 1);
    counts[4] = vec![0; 9];
    let corpus = corpus(&counts);
    let start = smooth(&corpus);
    let wide: Vec<Vec<u64>> = counts.iter().map(|row| row.iter().map(|&n| u64::from(n)).collect()).collect();
    let points = Points::new(&wide);
    let distribution = |k: usize| {
        let phi: Vec<f64> = start.topics().topic_word().row(k).iter().copied().collect();
        UnigramDistribution::new(Categorical::from_probabilities(&phi).unwrap())
    };
    let mixture = Mixture::from_weights(start.weights(), (0..3).map(distribution).collect()).unwrap();
    let em = EmOptions { tolerance: 0.0, max_iterations: 7, ..EmOptions::default() };
    let options =
        DocumentMixtureOptions { tolerance: 0.0, max_iterations: 7, ..DocumentMixtureOptions::default() };

    let soft = document_mixture::fit_from(&corpus, &start, &options, &mut Silent).unwrap();
    let problem = MixtureProblem::<UnigramDistribution, _, _>::new(&points, 9, MaximumLikelihood).unwrap();
    let twin = problem.fit(mixture.clone(), &em, &mut Silent).unwrap();
    assert_all_close(&soft.report.trace, &twin.report.trace, 1e-12);
    let mut weights = soft.model.weights().to_vec();
    let mut twins = twin.model.mixture.weights().probabilities().to_vec();
    weights.sort_by(f64::total_cmp);
    twins.sort_by(f64::total_cmp);
    assert_all_close(&weights, &twins, 1e-10);

    // With priors: those of the twin are up to constants the same.
    let options = DocumentMixtureOptions { word_prior: 1.5, weight_prior: 1.2, ..options };
    let prior = MostProbable::new(Dirichlet::symmetric(9, 1.5).unwrap(), 1.2).unwrap();
    let problem = MixtureProblem::<UnigramDistribution, _, _>::new(&points, 9, prior).unwrap();
    let hard = DocumentMixtureOptions { assignment: TopicAssignment::Hard, ..options };
    let ours = [&options, &hard]
        .map(|options| document_mixture::fit_from(&corpus, &start, options, &mut Silent).unwrap().report);
    let twins = [
        problem.fit(mixture.clone(), &em, &mut Silent).unwrap().report,
        problem.fit_hard(mixture, &em, &mut Silent).unwrap().report,
    ];
    let shift = ours[0].trace[0] - twins[0].trace[0];
    for (ours, twin) in ours.iter().zip(&twins) {
        let n = ours.trace.len().min(twin.trace.len());
        let shifted: Vec<f64> = twin.trace.iter().map(|ln| ln + shift).collect();
        assert_all_close(&ours.trace[..n], &shifted[..n], 1e-12);
    }
}

#[test]
fn the_predictive_is_a_mixture_of_documents_and_not_of_tokens() {
    let corpus = corpus(&random_counts(9, 6, 2));
    let model = smooth(&corpus);
    let phi = model.topics().topic_word();
    let ln = |document: Document<'_>, k: usize| -> f64 {
        document
            .words
            .iter()
            .zip(document.counts)
            .map(|(&w, &n)| f64::from(n) * phi[(k, w as usize)].ln())
            .sum()
    };
    let p = |documents: &[Document<'_>]| -> f64 {
        (0..3).map(|k| model.weights()[k] * documents.iter().map(|d| ln(*d, k)).sum::<f64>().exp()).sum()
    };
    for d in 1..9 {
        let (observed, scored) = (corpus.document(d), corpus.document(d - 1));
        assert_close(model.ln_probability(observed), p(&[observed]).ln(), 1e-13);
        let predictive = (p(&[observed, scored]) / p(&[observed])).ln();
        assert_close(model.ln_predictive(observed, scored), predictive, 1e-12);
        let r = model.proportions(observed);
        for (k, &r) in r.iter().enumerate() {
            assert_within(r, model.weights()[k] * ln(observed, k).exp() / p(&[observed]), 1e-14);
        }
        assert!((model.topics().ln_likelihood(scored, &r) - predictive).abs() > 1e-6);
    }
    let empty = Document { words: &[], counts: &[] };
    assert_all_close(&model.proportions(empty), model.weights(), 1e-14);
    assert_within(model.ln_predictive(corpus.document(0), empty), 0.0, 1e-14);
    assert_close(
        model.ln_predictive(empty, corpus.document(0)),
        model.ln_probability(corpus.document(0)),
        1e-13,
    );
}

#[test]
fn known_topics_are_naive_bayes() {
    let corpus =
        corpus(&[vec![5, 1, 0], vec![0, 0, 0], vec![2, 2, 7], vec![0, 1, 4], vec![3, 0, 0], vec![1; 3]]);
    let labels = [0, 1, 1, 1, 0, 0];
    let two = DocumentMixtureOptions { topics: 2, ..DocumentMixtureOptions::default() };
    let trained = DocumentMixture::from_labels(&corpus, &labels, &two).unwrap();
    assert_all_close(trained.weights(), &[0.5, 0.5], 1e-15);
    let expected = [9.0 / 12.0, 2.0 / 16.0, 2.0 / 12.0, 3.0 / 16.0, 1.0 / 12.0, 11.0 / 16.0];
    assert_all_close(trained.topics().topic_word().as_slice(), &expected, 1e-14);
    assert_all_close(trained.topics().weights(), &[12.0 / 28.0, 16.0 / 28.0], 1e-14);
    // Dirichlet priors of two: one more of every word, and of every class.
    let smooth = DocumentMixtureOptions { word_prior: 2.0, weight_prior: 2.0, ..two };
    let trained = DocumentMixture::from_labels(&corpus, &labels, &smooth).unwrap();
    assert_close(trained.topics().topic_word()[(0, 0)], 10.0 / 15.0, 1e-14);
    // Nobody has the third topic.
    let three = DocumentMixture::from_labels(
        &corpus,
        &labels,
        &DocumentMixtureOptions { topics: 3, ..DocumentMixtureOptions::default() },
    )
    .unwrap();
    assert_eq!(three.weights()[2], 0.0);
    assert_close(three.topics().topic_word()[(2, 0)], 11.0 / 28.0, 1e-14);
}

#[test]
fn one_topic_is_the_unigram_model() {
    let corpus = corpus(&random_counts(8, 5, 3));
    let fitted = fit(&corpus, &DocumentMixtureOptions { topics: 1, ..DocumentMixtureOptions::default() });
    let unigram = posterior_topics::unigram::Unigram::fit(&corpus, 0.0).unwrap();
    assert_close(*fitted.report.trace.last().unwrap(), unigram.report.trace[0], 1e-13);
    assert_all_close(
        fitted.model.topics().topic_word().as_slice(),
        unigram.model.topics().topic_word().as_slice(),
        1e-13,
    );
}

#[test]
fn threads_do_not_change_the_result() {
    let corpus = corpus(&random_counts(300, 90, 8));
    for assignment in [TopicAssignment::Soft, TopicAssignment::Hard, TopicAssignment::Sampled] {
        let options = DocumentMixtureOptions {
            topics: 10,
            max_iterations: 5,
            word_prior: 1.1,
            assignment,
            ..DocumentMixtureOptions::default()
        };
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| fit(&corpus, &options))
        };
        assert_eq!(run(1), run(3));
    }
}

#[test]
fn sampled_topics_visit_at_least_what_their_start_is_worth() {
    let corpus = corpus(&random_counts(30, 9, 4));
    let options = DocumentMixtureOptions {
        topics: 3,
        word_prior: 1.3,
        assignment: TopicAssignment::Sampled,
        ..DocumentMixtureOptions::default()
    };
    let sampled = fit(&corpus, &DocumentMixtureOptions { max_iterations: 60, ..options });
    let trace = &sampled.report.trace;
    let best = trace.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // The best is kept, and a few steps of EM from it climb further.
    let soft = DocumentMixtureOptions { word_prior: 1.3, ..DocumentMixtureOptions::default() };
    let climbed = document_mixture::fit_from(&corpus, &sampled.model, &soft, &mut Silent).unwrap();
    assert_close(climbed.report.trace[0], best, 1e-12);
    assert!(climbed.report.falls.is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn the_objective_never_falls(
        seed in 0_u64..1000,
        topics in 1_usize..9,
        weight_prior in 1.0_f64..2.0,
        word_prior in 1.0_f64..2.0,
        hard in any::<bool>(),
    ) {
        let mut counts = random_counts(7, 5, seed);
        counts[0][0] += 1;
        let corpus = corpus(&counts);
        let options = DocumentMixtureOptions { topics, weight_prior, word_prior, assignment: if hard { TopicAssignment::Hard } else { TopicAssignment::Soft }, seed, ..DocumentMixtureOptions::default() };
        for options in [options, (DocumentMixtureOptions { word_prior: 1.0, weight_prior: 1.0, ..options })] {
            let fitted = fit(&corpus, &options);
            prop_assert!(fitted.report.falls.is_empty());
            prop_assert!(fitted.report.trace.iter().all(|ln| ln.is_finite()));
            let weights = fitted.model.topics().weights();
            prop_assert!(weights.windows(2).all(|pair| pair[0] >= pair[1]));
        }
    }
}
