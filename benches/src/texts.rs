//! Bags of words, which topic models are timed on.

use std::fs;
use std::path::Path;

use nalgebra::DMatrix;
use posterior::topics::corpus::{Document, Source, read_uci, split_tokens};
use posterior::topics::{Corpus, TopicModel, Topics, lda};
use rand::distr::Distribution;
use rand::{Rng, RngExt, SeedableRng};
use rand_distr::{Gamma, LogNormal};
use rand_pcg::Pcg64;

use crate::comparison::Outcome;

const WORDS: usize = 10_000;
const TOPICS: usize = 100;

/// Documents to learn from, and the two halves of others to judge by.
#[derive(Debug)]
pub struct Texts {
    /// Documents to learn from.
    pub training: Corpus,
    /// Half of the tokens of some more.
    pub observed: Corpus,
    /// The other half.
    pub scored: Corpus,
}

impl Texts {
    /// What the peers' program left in `folder`.
    ///
    /// # Errors
    /// If a file can't be read.
    pub fn read(folder: &Path) -> Outcome<Self> {
        let part = |name: &str| -> Outcome<Corpus> {
            let path = folder.join(format!("topics_{name}.docword.txt"));
            Ok(read_uci(Source::open(&path)?, vocabulary())?)
        };
        Ok(Self { training: part("train")?, observed: part("observed")?, scored: part("scored")? })
    }

    /// Another draw of the same distribution: 100 topics of words by Zipf's law, each document about a few of
    /// them.
    ///
    /// # Errors
    /// None, unless the constants are wrong.
    pub fn drawn(training: usize, fresh: usize) -> Outcome<Self> {
        let mut rng = Pcg64::seed_from_u64(20260101);
        let proportions: Vec<f64> = (0..WORDS).map(|rank| 1.0 / (rank as f64 + 2.7)).collect();
        let sum: f64 = proportions.iter().sum();
        let concentrations: Vec<f64> =
            proportions.iter().map(|proportion| 100.0 * proportion / sum).collect();
        let topics =
            (0..TOPICS).map(|_| cumulated(&concentrations, &mut rng)).collect::<Result<Vec<_>, _>>()?;
        let length = LogNormal::new(170_f64.ln(), 0.55)?;
        let rows = (0..training + fresh)
            .map(|_| {
                let theta = cumulated(&[0.1; TOPICS], &mut rng)?;
                let tokens = length.sample(&mut rng).round().max(20.0) as usize;
                let token = |_| (pick(&topics[pick(&theta, &mut rng)], &mut rng) as u32, 1);
                Ok((0..tokens).map(token).collect())
            })
            .collect::<Outcome<Vec<Vec<(u32, u32)>>>>()?;
        let names = (0..rows.len()).map(|d| d.to_string()).collect();
        let all = Corpus::from_rows(vocabulary(), names, rows)?;
        let fresh: Vec<usize> = (training..training + fresh).collect();
        let halves = split_tokens(&all.select(&fresh)?, 0)?;
        let training = all.select(&(0..training).collect::<Vec<_>>())?;
        Ok(Self { training, observed: halves.observed, scored: halves.scored })
    }
}

fn vocabulary() -> Vec<String> {
    (0..WORDS).map(|v| format!("w{v}")).collect()
}

/// A Dirichlet draw, added up.
fn cumulated<R: Rng>(concentrations: &[f64], rng: &mut R) -> Outcome<Vec<f64>> {
    let mut sum = 0.0;
    concentrations
        .iter()
        .map(|&a| {
            sum += Gamma::new(a, 1.0)?.sample(rng);
            Ok(sum)
        })
        .collect()
}

fn pick<R: Rng>(cumulated: &[f64], rng: &mut R) -> usize {
    let target = rng.random::<f64>() * cumulated[cumulated.len() - 1];
    cumulated.partition_point(|&sum| sum <= target).min(cumulated.len() - 1)
}

/// Topics that another program found.
#[derive(Debug)]
pub struct Foreign {
    topics: Topics,
    alpha: Vec<f64>,
}

impl Foreign {
    /// The topics that the peers' program left in `folder` under this name, with the prior of proportions.
    ///
    /// # Errors
    /// If the file can't be read, or holds something else.
    pub fn read(folder: &Path, name: &str, topics: usize, alpha: f64) -> Outcome<Self> {
        let bytes = fs::read(folder.join(format!("phi_{name}.f64")))?;
        let numbers: Vec<f64> =
            bytes.as_chunks().0.iter().map(|&bytes: &[u8; 8]| f64::from_ne_bytes(bytes)).collect();
        if numbers.len() != topics * WORDS {
            return Err(format!("phi_{name}.f64: {} numbers", numbers.len()).into());
        }
        let topic_word = DMatrix::from_row_slice(topics, WORDS, &numbers);
        let even = |n: usize| vec![1.0 / n as f64; n];
        let topics = Topics::new(vocabulary(), topic_word, even(topics), even(WORDS))?;
        Ok(Self { alpha: vec![alpha; topics.len()], topics })
    }
}

impl TopicModel for Foreign {
    fn topics(&self) -> &Topics {
        &self.topics
    }

    fn proportions(&self, document: Document<'_>) -> Vec<f64> {
        lda::proportions(&self.topics, &self.alpha, document)
    }
}
