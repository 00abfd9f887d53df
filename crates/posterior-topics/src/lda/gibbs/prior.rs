//! Priors in the form that the samplers read.

/// Concentrations of the words of one group in each topic: `beta` for all, and more for seeded words.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct WordPrior {
    beta: f64,
    words: usize,
    /// `offsets[r]..offsets[r + 1]` are the seeds of word `r`; empty without any seeds.
    offsets: Vec<u32>,
    /// Topic and weight above `beta`.
    seeds: Vec<(u16, f64)>,
    /// The sum of the concentrations in each topic, padded.
    sums: Vec<f64>,
}

impl WordPrior {
    /// The prior of a group of words, with `seeds[r]` for word `r` or no entry at all.
    pub(super) fn new(beta: f64, words: usize, stride: usize, seeds: &[Vec<(u16, f64)>]) -> Self {
        let mut offsets = Vec::new();
        if seeds.iter().any(|seeds| !seeds.is_empty()) {
            offsets.push(0);
            offsets.extend(seeds.iter().scan(0, |end, seeds| {
                *end += seeds.len() as u32;
                Some(*end)
            }));
        }
        let mut prior = Self { beta, words, offsets, seeds: seeds.concat(), sums: vec![0.0; stride] };
        prior.set_beta(beta);
        prior
    }

    pub(super) fn set_beta(&mut self, beta: f64) {
        self.beta = beta;
        self.sums.fill(self.words as f64 * beta);
        for &(topic, weight) in &self.seeds {
            self.sums[usize::from(topic)] += weight;
        }
    }

    pub(super) fn beta(&self) -> f64 {
        self.beta
    }

    /// The sum of the concentrations of the words in each topic.
    pub(super) fn sums(&self) -> &[f64] {
        &self.sums
    }

    /// Topics of which `word` is a seed, with the weight above `beta`.
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
        if self.offsets.is_empty() {
            return self.beta;
        }
        let seeds = self.seeds(word).iter().filter(|&&(topic, _)| usize::from(topic) == k);
        seeds.fold(self.beta, |sum, (_, weight)| sum + weight)
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
