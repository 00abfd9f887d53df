//! Gibbs samplers against all labellings of five documents.

use posterior_dist::Dirichlet;
use posterior_dist::stream::stream;
use posterior_math::iteration::Silent;
use posterior_math::log_space::ln_sum_exp;
use posterior_testkit::accuracy::{assert_close, assert_within};
use posterior_testkit::significance::{LEVEL, chi_square_p_value};
use posterior_topics::document_mixture::gibbs::{
    self, DocumentGibbs, DocumentMixtureGibbsOptions, DocumentSampler,
};
use posterior_topics::{Corpus, TopicModel};

use crate::plsa::corpus;

const STATES: usize = 32;
const DRAWS: usize = 40_000;

/// One document is empty, one has a word more often than products are made for.
fn five() -> (Vec<Vec<u32>>, Corpus) {
    let counts = vec![vec![2, 1, 0], vec![0, 1, 2], vec![1, 1, 1], vec![0, 0, 0], vec![0, 20, 19]];
    (counts.clone(), corpus(&counts))
}

fn options() -> DocumentMixtureGibbsOptions {
    DocumentMixtureGibbsOptions {
        topics: 2,
        weight_concentration: 0.7,
        word_concentration: 0.5,
        ..DocumentMixtureGibbsOptions::default()
    }
}

fn blocked_options() -> DocumentMixtureGibbsOptions {
    DocumentMixtureGibbsOptions { sampler: DocumentSampler::Blocked, ..options() }
}

fn labels(state: usize) -> Vec<usize> {
    (0..5).map(|d| state >> d & 1).collect()
}

/// ln p(W, z) from the Dirichlet distributions.
fn ln_joint(counts: &[Vec<u32>], labels: &[usize]) -> f64 {
    let mut documents = [0_u64; 2];
    let mut words = [[0_u64; 3]; 2];
    for (row, &k) in counts.iter().zip(labels) {
        documents[k] += 1;
        words[k].iter_mut().zip(row).for_each(|(sum, &n)| *sum += u64::from(n));
    }
    let prior = Dirichlet::symmetric(3, 0.5).unwrap();
    Dirichlet::symmetric(2, 0.7).unwrap().ln_sequence_evidence(&documents)
        + words.iter().map(|n| prior.ln_sequence_evidence(n)).sum::<f64>()
}

fn posterior() -> Vec<f64> {
    let (counts, _) = five();
    let ln: Vec<f64> = (0..STATES).map(|s| ln_joint(&counts, &labels(s))).collect();
    let evidence = ln_sum_exp(&ln);
    ln.iter().map(|ln| (ln - evidence).exp()).collect()
}

#[test]
fn the_joint_is_the_formula() {
    let (counts, corpus) = five();
    for s in 0..STATES {
        let collapsed = DocumentGibbs::from_labels(&corpus, &options(), &labels(s)).unwrap();
        let blocked = DocumentGibbs::from_labels(&corpus, &blocked_options(), &labels(s)).unwrap();
        assert_close(collapsed.ln_joint(), ln_joint(&counts, &labels(s)), 1e-13);
        assert_eq!(collapsed.ln_joint(), blocked.ln_joint());
    }
}

fn state(labels: &[u32]) -> usize {
    labels.iter().enumerate().map(|(d, &k)| (k as usize) << d).sum()
}

/// False alarms: one in as many runs as `LEVEL` says, for each sampler; the seed is fixed. Draws are five
/// sweeps apart, where what is left of the correlation was too small to see.
#[test]
fn both_samplers_draw_from_the_posterior() {
    let (_, corpus) = five();
    let expected: Vec<f64> = posterior().iter().map(|p| p * DRAWS as f64).collect();
    let mut rng = stream(3, &[]);
    let mut collapsed = DocumentGibbs::new(&corpus, &options(), &mut rng).unwrap();
    let mut blocked = DocumentGibbs::new(&corpus, &blocked_options(), &mut rng).unwrap();
    let mut visits = [vec![0_u64; STATES], vec![0_u64; STATES]];
    for _ in 0..DRAWS {
        for _ in 0..5 {
            collapsed.sweep(&mut rng);
        }
        for _ in 0..15 {
            blocked.sweep(&mut rng);
        }
        visits[0][state(collapsed.labels())] += 1;
        visits[1][state(blocked.labels())] += 1;
    }
    for visits in visits {
        let p = chi_square_p_value(&visits, &expected);
        assert!(p > LEVEL, "p = {p}");
    }
}

#[test]
fn a_fit_pools_its_last_states() {
    // Two kinds of documents that share no word: the labels never change places in a short chain.
    let rows: Vec<Vec<u32>> =
        (0..12).map(|d| if d % 3 == 0 { vec![9, 8, 0, 0] } else { vec![0, 0, 7, 9] }).collect();
    let corpus = corpus(&rows);
    for sampler in [DocumentSampler::Collapsed, DocumentSampler::Blocked] {
        let options = DocumentMixtureGibbsOptions {
            topics: 2,
            sampler,
            iterations: 60,
            draws: 20,
            seed: 2,
            ..DocumentMixtureGibbsOptions::default()
        };
        let fitted = gibbs::fit(&corpus, &options, &mut Silent).unwrap();
        assert_eq!(fitted.report.iterations(), 60);
        for d in 0..12 {
            assert_within(fitted.doc_topic[(d, 0)], if d % 3 == 0 { 0.0 } else { 1.0 }, 0.0);
        }
        let phi = fitted.model.topics().topic_word();
        assert_close(phi[(0, 2)], (8.0 * 7.0 + 0.1) / (8.0 * 16.0 + 0.4), 1e-14);
        assert_close(fitted.model.weights()[0], 9.0 / 14.0, 1e-14);
        assert_close(fitted.model.topics().weights()[0], 128.0 / (128.0 + 68.0), 1e-14);
        assert_eq!(fitted, gibbs::fit(&corpus, &options, &mut Silent).unwrap());
    }
}
