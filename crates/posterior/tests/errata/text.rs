//! Topics, classifiers, decisions.

use posterior::dist::{Beta, Dirichlet, Logistic, Moments, Univariate};
use posterior::gaussian::Gaussian;
use posterior::gp::classification::{ModeOptions, ObservationModel, laplace};
use posterior::gp::likelihood::LogisticLikelihood;
use posterior::gp::{GaussianProcess, Kernel};
use posterior::math::iteration::Silent;
use posterior::math::linalg::DMatrix;
use posterior::math::log_space::ln_sum_exp;
use posterior::text::corpus::Corpus;
use posterior::topics::lda::variational::{LdaVariationalOptions, VariationalBayes};
use posterior::topics::plsa::{self, PlsaOptions};

use crate::{close, differs};

/// Texts of three and four tokens with three words.
fn two_texts() -> Corpus {
    let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    let rows = vec![vec![(0, 2), (1, 1)], vec![(1, 3), (2, 1)]];
    Corpus::from_rows(names(&["a", "b", "c"]), names(&["one", "two"]), rows).unwrap()
}

/// ln p(y | W) = Σ ln σ(yᵢ fᵢ), with the labels and the logarithm.
#[test]
fn erratum_34() {
    let (x, labels) = (DMatrix::from_column_slice(3, 1, &[-1.0, 0.2, 2.0]), [-1.0, 1.0, 1.0]);
    let observations = ObservationModel::new(x, &labels, LogisticLikelihood).unwrap();
    let prior = GaussianProcess::new(2.0 * Kernel::rbf(1.0).unwrap());
    let fit = laplace(&observations, &prior, &ModeOptions::default(), &mut Silent).unwrap().model;
    let ln: f64 = (0..3).map(|i| Logistic::STANDARD.ln_cdf(labels[i] * fit.mode()[i])).sum();
    close(fit.ln_likelihood_at_mode(), ln, 12);
    let printed: f64 = fit.mode().iter().map(|&f| Logistic::STANDARD.cdf(f)).sum();
    differs(printed, ln);
}

/// The variance of a linearised output is + ∇fᵀ H⁻¹ ∇f, with H the Hessian of the negative log posterior.
#[test]
fn erratum_35() {
    let hessian = DMatrix::from_row_slice(2, 2, &[3.0, 0.5, 0.5, 1.0]);
    let slope = DMatrix::from_row_slice(1, 2, &[1.0, -2.0]);
    let output = Gaussian::from_precision(&[0.0; 2], &hessian).unwrap().affine(&slope, &[0.0]).unwrap();
    let right = (&slope * hessian.try_inverse().unwrap() * slope.transpose())[0];
    close(output.covariance()[0], right, 13);
    assert!(right > 0.0);
}

/// The topic of a token: the first factor is of the document, the second of the word.
#[test]
fn erratum_46() {
    let (alpha, beta) = ([0.5, 1.5], [0.2, 0.3, 0.4]);
    // Other tokens: topics in this document, words in each topic.
    let (in_document, in_topic) = ([3, 1], [[4, 0, 2], [1, 5, 1]]);
    let word = 1;
    let of_topics = Dirichlet::new(&alpha).unwrap();
    let of_words = Dirichlet::new(&beta).unwrap();
    let ln_joint = |topic: usize| {
        let (mut document, mut words) = (in_document, in_topic);
        document[topic] += 1;
        words[topic][word] += 1;
        of_topics.ln_sequence_evidence(&document)
            + words.iter().map(|words| of_words.ln_sequence_evidence(words)).sum::<f64>()
    };
    let formula = |topic: usize| {
        let total: u64 = in_topic[topic].iter().sum();
        (in_document[topic] as f64 + alpha[topic]) * (in_topic[topic][word] as f64 + beta[word])
            / (total as f64 + 0.9)
    };
    close((ln_joint(1) - ln_joint(0)).exp(), formula(1) / formula(0), 11);
}

/// The probabilities of a token's topic have an index of the topic: a token is shared out among the topics,
/// and not counted in each.
#[test]
fn erratum_54() {
    let corpus = two_texts();
    let (tokens, words) = (corpus.tokens() as f64, corpus.vocabulary().len() as f64);
    let options = LdaVariationalOptions { topics: 3, ..LdaVariationalOptions::default() };
    let mut posterior = VariationalBayes::new(&corpus, &options).unwrap();
    posterior.update_topics();
    let counted = posterior.lambda().sum() - 3.0 * words * posterior.beta();
    close(counted, tokens, 10);
    differs(3.0 * tokens, counted);
}

/// The bound of collapsed variational inference has the entropy of q(C), which changes with q: without it a
/// single assignment would be best.
#[test]
fn erratum_56() {
    let words = [0, 0, 1, 1, 0];
    let prior = Dirichlet::new(&[0.5, 0.5]).unwrap();
    let assignments = || (0..32_usize).map(|bits| [0, 1, 2, 3, 4].map(|token| bits >> token & 1));
    let ln_joint = |topics: &[usize; 5]| {
        let mut in_topic = [[0; 2]; 2];
        words.iter().zip(topics).for_each(|(&word, &topic)| in_topic[topic][word] += 1);
        prior.ln_sequence_evidence(&in_topic.map(|words| words[0] + words[1]))
            + in_topic.iter().map(|words| prior.ln_sequence_evidence(words)).sum::<f64>()
    };
    let evidence = ln_sum_exp(&assignments().map(|own| ln_joint(&own)).collect::<Vec<_>>());
    // Each token in the first topic with probability 0.9.
    let ln_q = |topics: &[usize; 5]| topics.iter().map(|topic| [0.9_f64, 0.1][*topic].ln()).sum::<f64>();
    let expected =
        |f: &dyn Fn(&[usize; 5]) -> f64| assignments().map(|own| ln_q(&own).exp() * f(&own)).sum::<f64>();
    let (printed, entropy) = (expected(&ln_joint), -expected(&ln_q));
    let single = ln_joint(&[0; 5]);
    assert!(printed < single && single < printed + entropy && printed + entropy < evidence);
    // By enumeration: the distance to the evidence is the divergence from the posterior distribution.
    let divergence = expected(&|own| ln_q(own) - (ln_joint(own) - evidence));
    close(printed + entropy, evidence - divergence, 12);
}

/// A Beta posterior of a = b = 0 needs both outcomes: before, its deviation is zero and nothing explores.
#[test]
fn erratum_57() {
    assert!(Beta::new(0.0, 5.0).is_err());
    let sd = |a: f64, wins: f64| Beta::new(a + wins, a + 5.0 - wins).unwrap().variance().unwrap().sqrt();
    assert!(sd(1e-12, 0.0) < 1e-6 && sd(1.0, 0.0) > 0.1);
    close(sd(1e-12, 2.0), (0.4 * 0.6 / 6.0_f64).sqrt(), 9);
}

/// The best φ of a token is ∝ exp(E ln β_kw + E ln θ_k); the mean of β in its place is right only for a β
/// that is known. λ adds φ of its own topic.
#[test]
fn erratum_80() {
    let gamma = Dirichlet::new(&[1.2, 0.6]).unwrap().expected_ln();
    let lambda = [[0.4, 2.0, 1.0], [3.0, 0.3, 1.0]].map(|row| Dirichlet::new(&row).unwrap());
    let word = 0;
    let bound = |phi: f64| {
        let part = |p: f64, k: usize| p * (gamma[k] + lambda[k].expected_ln()[word] - p.ln());
        part(phi, 0) + part(1.0 - phi, 1)
    };
    let share = |weights: [f64; 2]| weights[0] / (weights[0] + weights[1]);
    let right = share([0, 1].map(|k| (gamma[k] + lambda[k].expected_ln()[word]).exp()));
    let printed = share([0, 1].map(|k| lambda[k].mean().unwrap()[word] * gamma[k].exp()));
    let best = (1..10_000).map(|i| f64::from(i) / 1e4).max_by(|a, b| bound(*a).total_cmp(&bound(*b)));
    close(best.unwrap(), right, 4);
    differs(printed, right);
    assert!(bound(printed) < bound(right));
}

/// λ of a topic adds what φ gives to that topic: all topics together add one for each token, not one each.
#[test]
fn erratum_81() {
    let corpus = two_texts();
    let options = LdaVariationalOptions { topics: 2, beta: 0.1, ..LdaVariationalOptions::default() };
    let mut fit = VariationalBayes::new(&corpus, &options).unwrap();
    fit.update_documents();
    fit.update_topics();
    let (cells, tokens) = (6.0, 7.0);
    close(fit.lambda().sum(), cells * 0.1 + tokens, 12);
    differs(cells * 0.1 + 2.0 * tokens, fit.lambda().sum());
}

/// The likelihood of PLSA has p(d) once for each token, not once for each word of the vocabulary.
#[test]
fn erratum_74() {
    let corpus = two_texts();
    let fitted = plsa::fit(&corpus, &PlsaOptions { topics: 1, ..PlsaOptions::default() }, &mut Silent);
    let words = [2.0, 4.0, 1.0_f64];
    let of_words: f64 = words.iter().map(|count| count * (count / 7.0).ln()).sum();
    let of_documents = |first: f64, second: f64| first * (3.0 / 7.0_f64).ln() + second * (4.0 / 7.0_f64).ln();
    let found = *fitted.unwrap().report.trace.last().unwrap();
    close(found, of_words + of_documents(3.0, 4.0), 9);
    differs(of_words + of_documents(3.0, 3.0), found);
}
