//! Topics as parameters: the EM of Blei, Ng and Jordan (2003).

use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_math::special::{digamma, ln_multivariate_beta};
use posterior_testkit::accuracy::{assert_all_close, assert_close};
use posterior_topics::lda::variational::{
    self, LdaVariationalOptions, TopicFactor, VariationalBayes, VariationalStart,
};
use posterior_topics::{Corpus, TopicModel as _};

use crate::lda::enumeration::{ln_likelihood_of, toy};

fn options(beta: f64) -> LdaVariationalOptions {
    LdaVariationalOptions {
        topics: 2,
        alpha: vec![0.4, 0.7].into(),
        beta,
        topic_factor: TopicFactor::Point,
        document_steps: 1,
        document_tolerance: 0.0,
        threads: 1,
        ..LdaVariationalOptions::default()
    }
}

/// Rows divided by their sums.
fn proportions(rows: &DMatrix<f64>) -> DMatrix<f64> {
    DMatrix::from_fn(rows.nrows(), rows.ncols(), |k, v| rows[(k, v)] / rows.row(k).sum())
}

/// The density of the topics, Dir(beta + 1).
fn ln_prior(phi: &DMatrix<f64>, beta: f64) -> f64 {
    let powers: f64 = phi.iter().map(|p| beta * p.ln()).sum();
    powers - phi.nrows() as f64 * ln_multivariate_beta(&vec![beta + 1.0; phi.ncols()])
}

/// One step of the paper's E step and M step by its formulas: q(z) from gamma and phi, gamma from q(z), and
/// phi from q(z).
fn em_step(
    corpus: &Corpus,
    alpha: &[f64],
    beta: f64,
    gamma: &mut DMatrix<f64>,
    phi: &DMatrix<f64>,
) -> DMatrix<f64> {
    let mut counts = DMatrix::repeat(phi.nrows(), phi.ncols(), beta);
    for (d, document) in corpus.iter().enumerate() {
        let mut next = alpha.to_vec();
        for (&w, &n) in document.words.iter().zip(document.counts) {
            let weights: Vec<f64> =
                (0..alpha.len()).map(|k| digamma(gamma[(d, k)]).exp() * phi[(k, w as usize)]).collect();
            for k in 0..alpha.len() {
                let expected = f64::from(n) * weights[k] / weights.iter().sum::<f64>();
                next[k] += expected;
                counts[(k, w as usize)] += expected;
            }
        }
        next.iter().enumerate().for_each(|(k, &g)| gamma[(d, k)] = g);
    }
    proportions(&counts)
}

#[test]
fn steps_are_those_of_the_paper() {
    let corpus = toy();
    for beta in [0.3, 1e-30] {
        let mut gamma = DMatrix::from_row_slice(2, 2, &[2.0, 1.0, 0.7, 1.9]);
        let lambda = DMatrix::from_row_slice(2, 3, &[3.0, 2.0, 1.0, 1.0, 1.5, 2.5]);
        let mut phi = proportions(&lambda);
        let mut posterior =
            VariationalBayes::from_parameters(&corpus, &options(beta), &gamma, &lambda).unwrap();
        let mut before = f64::NEG_INFINITY;
        for _ in 0..40 {
            posterior.update_documents();
            posterior.update_topics();
            phi = em_step(&corpus, &[0.4, 0.7], beta, &mut gamma, &phi);
            assert_all_close(posterior.gamma().as_slice(), gamma.as_slice(), 1e-12);
            assert_all_close(proportions(&posterior.lambda()).as_slice(), phi.as_slice(), 1e-12);
            let bound = posterior.bound();
            assert!(bound >= before - 1e-13, "{bound} after {before}");
            let exact = ln_likelihood_of(&corpus, &[0.4, 0.7], &phi) + ln_prior(&phi, beta);
            assert!(bound < exact && exact - bound < 1.0, "{bound} of {exact}");
            before = bound;
        }
    }
}

/// With one topic there is nothing to integrate, and the bound is the density itself; words of a vector of
/// concentrations too.
#[test]
fn one_topic_is_exact() {
    let corpus = toy();
    let weights = [0.5, 2.0, 1.0];
    let options = LdaVariationalOptions { topics: 1, alpha: 0.7.into(), ..options(0.4) };
    let options = LdaVariationalOptions { word_weights: weights.to_vec().into(), ..options };
    let fitted = variational::fit(&corpus, &options, &mut Silent).unwrap();
    let beta = weights.map(|weight| 0.4 * weight);
    let phi = beta.map(|beta| (2.0 + beta) / 7.4);
    assert_all_close(fitted.model.topics().topic_word().as_slice(), &phi, 1e-14);
    let likelihood: f64 = phi.iter().map(|p| 2.0 * p.ln()).sum();
    let prior = phi.iter().zip(beta).map(|(p, beta)| beta * p.ln()).sum::<f64>()
        - ln_multivariate_beta(&beta.map(|beta| beta + 1.0));
    assert_close(*fitted.report.trace.last().unwrap(), likelihood + prior, 1e-13);
}

/// Documents of two themes with few words in common: both estimates find them, and only the point keeps out
/// what was never seen when the prior is next to nothing.
#[test]
fn planted_topics_are_found() {
    let words: Vec<String> = (0..10).map(|v| v.to_string()).collect();
    let row = |d: u32| -> Vec<(u32, u32)> { (0..5).map(|v| (5 * (d % 2) + v, 4 + (d + v) % 3)).collect() };
    let names = (0..16).map(|d| d.to_string()).collect();
    let corpus = Corpus::from_rows(words, names, (0..16).map(row).collect()).unwrap();
    let options = LdaVariationalOptions {
        start: VariationalStart::Noise,
        document_steps: 20,
        tolerance: 1e-12,
        max_iterations: 1000,
        alpha: 0.1.into(),
        ..options(1e-30)
    };
    let fitted = variational::fit(&corpus, &options, &mut Silent).unwrap();
    assert!(fitted.report.falls.is_empty());
    for k in 0..2 {
        let topic = fitted.model.topics().topic_word().row(k).into_owned();
        let first: f64 = topic.columns(0, 5).sum();
        assert!(!(1e-9..1.0 - 1e-9).contains(&first), "{topic}");
    }
}
