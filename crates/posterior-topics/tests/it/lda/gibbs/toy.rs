//! A corpus small enough to enumerate: documents (0, 0, 1) and (1, 2, 2), two topics, alpha = beta = 1/2.

use posterior_topics::Corpus;
use posterior_topics::lda::gibbs::{LdaGibbs, LdaGibbsOptions};

pub(crate) const TOKENS: usize = 6;
pub(crate) const STATES: usize = 64;

pub(crate) fn corpus() -> Corpus {
    let words = ["a", "b", "c"].map(str::to_owned).to_vec();
    let names = ["first", "second"].map(str::to_owned).to_vec();
    Corpus::from_rows(words, names, vec![vec![(0, 2), (1, 1)], vec![(1, 1), (2, 2)]]).unwrap()
}

pub(crate) fn options() -> LdaGibbsOptions {
    let mut options = LdaGibbsOptions { topics: 2, ..LdaGibbsOptions::default() };
    options.alpha = 0.5.into();
    options.beta = 0.5;
    options
}

/// The topics of the tokens in state `s`: bit `i` is token `i`.
pub(crate) fn topics(s: usize) -> Vec<u16> {
    (0..TOKENS).map(|i| (s >> i & 1) as u16).collect()
}

pub(crate) fn state(topics: &[u16]) -> usize {
    topics.iter().enumerate().map(|(i, &z)| usize::from(z) << i).sum()
}

pub(crate) fn chain<'a>(corpus: &'a Corpus, options: &LdaGibbsOptions, s: usize) -> LdaGibbs<'a> {
    LdaGibbs::from_assignments(corpus, options, &topics(s)).unwrap()
}

/// ln p(W, Z) of every state.
pub(crate) fn ln_joints(corpus: &Corpus, options: &LdaGibbsOptions) -> Vec<f64> {
    (0..STATES).map(|s| chain(corpus, options, s).ln_joint()).collect()
}

/// p(Z | W) of every state, and ln p(W).
pub(crate) fn posterior(corpus: &Corpus, options: &LdaGibbsOptions) -> (Vec<f64>, f64) {
    let ln_joints = ln_joints(corpus, options);
    let ln_evidence = posterior_math::log_space::ln_sum_exp(&ln_joints);
    (ln_joints.iter().map(|ln| (ln - ln_evidence).exp()).collect(), ln_evidence)
}

/// The document and the word of each token.
pub(crate) const PLACES: [(usize, usize); TOKENS] = [(0, 0), (0, 0), (0, 1), (1, 1), (1, 2), (1, 2)];
