//! Tiny corpora whose posterior is known: all assignments of topics to tokens, one after the other.

use posterior_math::linalg::DMatrix;
use posterior_math::log_space::ln_sum_exp;
use posterior_math::special::ln_multivariate_beta;
use posterior_topics::Corpus;

/// Documents (0, 0, 1) and (1, 2, 2). With two topics and concentrations of one half, ln p(W) is
/// [`TOY_LN_EVIDENCE`].
pub(super) fn toy() -> Corpus {
    let words = ["a", "b", "c"].map(str::to_owned).to_vec();
    let names = ["first", "second"].map(str::to_owned).to_vec();
    Corpus::from_rows(words, names, vec![vec![(0, 2), (1, 1)], vec![(1, 1), (2, 2)]]).unwrap()
}

pub(super) const TOY_LN_EVIDENCE: f64 = -7.579509060188357;

/// The document and the word of each token.
fn tokens(corpus: &Corpus) -> Vec<(usize, usize)> {
    let mut tokens = Vec::new();
    for (d, document) in corpus.iter().enumerate() {
        for (&word, &count) in document.words.iter().zip(document.counts) {
            tokens.extend((0..count).map(|_| (d, word as usize)));
        }
    }
    tokens
}

/// ln p(W) of an ordered sequence of tokens, by the sum over all assignments.
pub(super) fn ln_evidence(corpus: &Corpus, alpha: &[f64], beta: f64) -> f64 {
    ln_evidence_of(corpus, alpha, &vec![vec![beta; corpus.vocabulary().len()]; alpha.len()])
}

/// The same with concentrations of words (columns) in topics (rows).
pub(super) fn ln_evidence_of(corpus: &Corpus, alpha: &[f64], beta: &[Vec<f64>]) -> f64 {
    let gain = |n: &Vec<f64>, beta: &Vec<f64>| ln_multivariate_beta(n) - ln_multivariate_beta(beta);
    sum_over_assignments(corpus, alpha, |assigned| {
        let mut phi = beta.to_vec();
        for &(k, w) in assigned {
            phi[k][w] += 1.0;
        }
        phi.iter().zip(beta).map(|(n, beta)| gain(n, beta)).sum()
    })
}

/// ln p(W | phi) of topics (rows) that are known.
pub(super) fn ln_likelihood_of(corpus: &Corpus, alpha: &[f64], phi: &DMatrix<f64>) -> f64 {
    sum_over_assignments(corpus, alpha, |assigned| assigned.iter().map(|&(k, w)| phi[(k, w)].ln()).sum())
}

/// The sum over all assignments of p(Z) and of p(W | Z), whose logarithm `ln_words` gives for the topic and
/// the word of each token.
fn sum_over_assignments(corpus: &Corpus, alpha: &[f64], ln_words: impl Fn(&[(usize, usize)]) -> f64) -> f64 {
    let (tokens, topics) = (tokens(corpus), alpha.len());
    let states = topics.pow(tokens.len() as u32);
    let ln_joint = |mut state: usize| {
        let mut documents = vec![alpha.to_vec(); corpus.documents()];
        let mut assigned = Vec::new();
        for &(d, w) in &tokens {
            documents[d][state % topics] += 1.0;
            assigned.push((state % topics, w));
            state /= topics;
        }
        let none = ln_multivariate_beta(alpha);
        documents.iter().map(|n| ln_multivariate_beta(n) - none).sum::<f64>() + ln_words(&assigned)
    };
    ln_sum_exp(&(0..states).map(ln_joint).collect::<Vec<f64>>())
}

#[test]
fn the_toy_has_the_published_evidence() {
    assert!((ln_evidence(&toy(), &[0.5; 2], 0.5) - TOY_LN_EVIDENCE).abs() < 1e-13);
}
