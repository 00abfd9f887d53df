//! Priors in the form that the samplers read.

use crate::lda::word_concentrations::WordConcentrations;

/// Concentrations of the words of one group in each topic.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct WordPrior {
    beta: f64,
    words: usize,
    /// What each word has in all topics; empty if all have `beta`.
    bases: Vec<f64>,
    /// `offsets[r]..offsets[r + 1]` are the seeds of word `r`; empty without any seeds.
    offsets: Vec<u32>,
    /// Topic and weight above the base.
    seeds: Vec<(u16, f64)>,
    /// The sum of the concentrations in each topic, padded.
    sums: Vec<f64>,
}

impl WordPrior {
    /// The prior of a group of words.
    pub(super) fn new(all: &WordConcentrations, members: &[u32], stride: usize) -> Self {
        let beta = all.least();
        let mut prior = Self {
            beta,
            words: members.len(),
            bases: Vec::new(),
            offsets: Vec::new(),
            seeds: Vec::new(),
            sums: vec![0.0; stride],
        };
        if !all.is_equal() {
            prior.bases = members.iter().map(|&v| all.base(v as usize)).collect();
        }
        if all.tells_topics_apart() {
            prior.offsets.push(0);
            for &v in members {
                prior.seeds.extend_from_slice(all.beyond_base(v as usize));
                prior.offsets.push(prior.seeds.len() as u32);
            }
        }
        prior.set_beta(beta);
        prior
    }

    /// Changes the concentration of words that have no base of their own.
    pub(super) fn set_beta(&mut self, beta: f64) {
        self.beta = beta;
        let bases =
            if self.bases.is_empty() { self.words as f64 * beta } else { self.bases.iter().sum::<f64>() };
        self.sums.fill(bases);
        for &(topic, weight) in &self.seeds {
            self.sums[usize::from(topic)] += weight;
        }
    }

    /// What `word` has in all topics.
    #[inline]
    pub(super) fn base(&self, word: usize) -> f64 {
        if self.bases.is_empty() { self.beta } else { self.bases[word] }
    }

    /// The sum of the concentrations of the words in each topic.
    pub(super) fn sums(&self) -> &[f64] {
        &self.sums
    }

    /// Topics of which `word` is a seed, in order, with the weight above its base.
    #[inline]
    pub(super) fn seeds(&self, word: usize) -> &[(u16, f64)] {
        if self.offsets.is_empty() {
            return &[];
        }
        &self.seeds[self.offsets[word] as usize..self.offsets[word + 1] as usize]
    }

    /// The concentration of `word` in topic `k`.
    #[inline]
    pub(super) fn concentration(&self, word: usize, k: usize) -> f64 {
        let base = self.base(word);
        let seeds = self.seeds(word);
        seeds.binary_search_by_key(&k, |&(topic, _)| usize::from(topic)).map_or(base, |at| base + seeds[at].1)
    }
}

/// Concentrations of the topics in a document, padded with zeros.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TopicPrior {
    pub(super) topics: usize,
    pub(super) alpha: Vec<f64>,
    pub(super) rounded: Vec<f32>,
}

impl TopicPrior {
    pub(super) fn new(alpha: &[f64], stride: usize) -> Self {
        let mut padded = alpha.to_vec();
        padded.resize(stride, 0.0);
        let rounded = padded.iter().map(|&alpha| alpha as f32).collect();
        Self { topics: alpha.len(), alpha: padded, rounded }
    }
}
