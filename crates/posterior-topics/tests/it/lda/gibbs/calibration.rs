//! Simulation-based calibration: parameters drawn from the prior rank uniformly among draws of the posterior.

use posterior_dist::Dirichlet;
use posterior_dist::stream::stream;
use posterior_testkit::significance::{LEVEL, chi_square_p_value};
use posterior_topics::Corpus;
use posterior_topics::lda::gibbs::{LdaGibbs, LdaGibbsOptions, TopicSampler};
use rand::distr::Distribution;
use rand::{Rng, RngExt};

const TOPICS: usize = 3;
const VOCABULARY: usize = 4;
const DOCUMENTS: usize = 3;
const LENGTH: usize = 6;
const ALPHAS: [f64; TOPICS] = [0.4, 0.8, 1.5];
const BETA: f64 = 0.6;
const CORPORA: u64 = 1000;
const WARM_UP: usize = 30;
const DRAWS: usize = 19;
const SWEEPS_APART: usize = 5;

/// Proportions of topics in documents, and of words in topics.
struct Parameters {
    theta: Vec<Vec<f64>>,
    phi: Vec<Vec<f64>>,
}

impl Parameters {
    /// A draw, given counts: from the prior if they are zero.
    fn draw(documents: &[[f64; TOPICS]], topics: &[[f64; VOCABULARY]], rng: &mut impl Rng) -> Self {
        let mut row = |concentration: Vec<f64>| Dirichlet::new(&concentration).unwrap().sample(rng);
        let theta =
            documents.iter().map(|n| row(n.iter().zip(ALPHAS).map(|(n, a)| n + a).collect())).collect();
        let phi = topics.iter().map(|n| row(n.iter().map(|n| n + BETA).collect())).collect();
        Self { theta, phi }
    }

    fn word(&self, document: usize, word: usize) -> f64 {
        (0..TOPICS).map(|k| self.theta[document][k] * self.phi[k][word]).sum()
    }

    /// What is ranked: the likelihood of the words, a proportion of the last topic, whose concentration
    /// differs from the others', a probability of a word in it, and how alike two documents are.
    fn summaries(&self, words: &[[u32; VOCABULARY]]) -> [f64; 4] {
        let likelihood = words.iter().enumerate().flat_map(|(d, row)| {
            row.iter().enumerate().map(move |(w, &n)| f64::from(n) * self.word(d, w).ln())
        });
        let alike = self.theta[0].iter().zip(&self.theta[1]).map(|(a, b)| a * b).sum();
        [likelihood.sum(), self.theta[0][TOPICS - 1], self.phi[TOPICS - 1][0], alike]
    }
}

fn pick(weights: impl Iterator<Item = f64>, rng: &mut impl Rng) -> usize {
    let mut target = rng.random::<f64>();
    weights
        .take_while(|w| {
            target -= w;
            target >= 0.0
        })
        .count()
}

/// The counts of words in the documents.
fn simulate(truth: &Parameters, rng: &mut impl Rng) -> [[u32; VOCABULARY]; DOCUMENTS] {
    let mut words = [[0; VOCABULARY]; DOCUMENTS];
    for (d, row) in words.iter_mut().enumerate() {
        for _ in 0..LENGTH {
            let topic = pick(truth.theta[d].iter().copied(), rng).min(TOPICS - 1);
            row[pick(truth.phi[topic].iter().copied(), rng).min(VOCABULARY - 1)] += 1;
        }
    }
    words
}

fn corpus(words: &[[u32; VOCABULARY]]) -> Corpus {
    let row =
        |row: &[u32; VOCABULARY]| (0..).zip(row).filter(|(_, n)| **n > 0).map(|(w, &n)| (w, n)).collect();
    let names = |n: usize| (0..n).map(|i| i.to_string()).collect();
    Corpus::from_rows(names(VOCABULARY), names(DOCUMENTS), words.iter().map(row).collect()).unwrap()
}

/// A draw of the parameters given the topics of the tokens.
fn parameters(chain: &LdaGibbs<'_>, words: &[[u32; VOCABULARY]], rng: &mut impl Rng) -> Parameters {
    let mut documents = [[0.0; TOPICS]; DOCUMENTS];
    let mut topics = [[0.0; VOCABULARY]; TOPICS];
    let mut assignments = chain.assignments().into_iter();
    for (d, row) in words.iter().enumerate() {
        for (w, &n) in row.iter().enumerate() {
            for topic in assignments.by_ref().take(n as usize) {
                documents[d][usize::from(topic)] += 1.0;
                topics[usize::from(topic)][w] += 1.0;
            }
        }
    }
    Parameters::draw(&documents, &topics, rng)
}

/// The ranks of the truth of one corpus.
fn ranks(seed: u64, options: &LdaGibbsOptions) -> [usize; 4] {
    let mut rng = stream(seed, &[99]);
    let truth = Parameters::draw(&[[0.0; TOPICS]; DOCUMENTS], &[[0.0; VOCABULARY]; TOPICS], &mut rng);
    let words = simulate(&truth, &mut rng);
    let corpus = corpus(&words);
    let mut chain = LdaGibbs::new(&corpus, &LdaGibbsOptions { seed, ..options.clone() }).unwrap();
    (0..WARM_UP).for_each(|_| chain.sweep());
    let truth = truth.summaries(&words);
    let mut ranks = [0; 4];
    for _ in 0..DRAWS {
        (0..SWEEPS_APART).for_each(|_| chain.sweep());
        let draw = parameters(&chain, &words, &mut rng).summaries(&words);
        for (rank, (draw, truth)) in ranks.iter_mut().zip(draw.iter().zip(truth)) {
            *rank += usize::from(*draw < truth);
        }
    }
    ranks
}

/// False alarm: four in a million seeds for each case.
#[test]
#[ignore = "slow"]
fn parameters_from_the_prior_rank_uniformly() {
    let mut options = LdaGibbsOptions {
        topics: TOPICS,
        alpha: ALPHAS.to_vec().into(),
        threads: 1,
        ..LdaGibbsOptions::default()
    };
    options.beta = BETA;
    for sampler in [TopicSampler::Dense, TopicSampler::Sparse, TopicSampler::MetropolisHastings] {
        for groups in [1, 2] {
            let options = LdaGibbsOptions { sampler, groups: Some(groups), ..options.clone() };
            let ranks: Vec<[usize; 4]> = (0..CORPORA).map(|seed| ranks(seed, &options)).collect();
            for summary in 0..4 {
                let mut seen = [0; DRAWS + 1];
                for ranks in &ranks {
                    seen[ranks[summary]] += 1;
                }
                let expected = [CORPORA as f64 / (DRAWS + 1) as f64; DRAWS + 1];
                let p = chi_square_p_value(&seen, &expected);
                assert!(p > LEVEL, "{sampler:?}, {groups} groups, summary {summary}: p = {p}");
            }
        }
    }
}
