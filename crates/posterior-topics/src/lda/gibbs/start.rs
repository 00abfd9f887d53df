//! The first state of a chain.

#![expect(clippy::inline_always, reason = "only what is inlined is compiled for the vectors of the machine")]

use rand::{Rng, RngExt};
use rand_pcg::Pcg64;

use super::blocks::{CHAINS, stride};
use super::columns::{Columns, is_sound, upper};
use super::options::{LdaGibbsOptions, TopicStart};
use super::prior::{TopicPrior, WordPrior};
use super::vectors::{Lanes, Task, Vectors, on_machine};
use super::word_factors::draw_by_weights;
use crate::Corpus;
use crate::corpus::Document;
use crate::lanes::LANES;

/// The first topics of all tokens, in the order of documents, of words and of repetitions.
pub(super) fn assignments(
    corpus: &Corpus,
    options: &LdaGibbsOptions,
    prior: &WordPrior,
    rng: Pcg64,
) -> Vec<u16> {
    let mut rng = rng;
    match options.start {
        TopicStart::Progressive => on_machine(Progressive { corpus, options, words: prior, rng }),
        TopicStart::Uniform => {
            (0..corpus.tokens()).map(|_| rng.random_range(0..options.topics as u16)).collect()
        }
    }
}

/// One pass in which a token knows the tokens before it.
struct Progressive<'a> {
    corpus: &'a Corpus,
    options: &'a LdaGibbsOptions,
    words: &'a WordPrior,
    rng: Pcg64,
}

impl Task for Progressive<'_> {
    type Output = Vec<u16>;

    #[inline(always)]
    fn run<X: Vectors>(self, x: X) -> Vec<u16> {
        if stride(self.options.topics) > CHAINS * LANES {
            self.pass::<X, CHAINS>(x)
        } else {
            self.pass::<X, 1>(x)
        }
    }
}

/// Counts of the tokens so far.
struct Counts {
    stride: usize,
    document: Vec<u32>,
    words: Vec<u32>,
    totals: Vec<u32>,
    /// `1 / (n_k + sum_v beta_kv)`; zero in the padding.
    scale: Vec<f32>,
    /// Room for sums of weights.
    sums: Vec<Lanes>,
    /// The topics drawn.
    topics: Vec<u16>,
}

impl Progressive<'_> {
    #[inline(always)]
    fn pass<X: Vectors, const N: usize>(mut self, x: X) -> Vec<u16> {
        let stride = stride(self.options.topics);
        let alpha =
            self.options.alpha.of_topics(self.options.topics).expect("invariant: the options were checked");
        let prior = TopicPrior::new(&alpha, stride);
        let mut counts = Counts {
            stride,
            document: vec![0; stride],
            words: vec![0; stride * self.corpus.vocabulary().len()],
            totals: vec![0; stride],
            scale: vec![0.0; stride],
            sums: vec![[0.0; LANES]; stride / LANES],
            topics: Vec::with_capacity(self.corpus.tokens() as usize),
        };
        for k in 0..self.options.topics {
            counts.rescale(self.words, k);
        }
        for document in self.corpus.iter() {
            counts.document.fill(0);
            self.draw_document::<X, N>(x, document, &prior, &mut counts);
        }
        counts.topics
    }

    #[inline(always)]
    fn draw_document<X: Vectors, const N: usize>(
        &mut self,
        x: X,
        document: Document<'_>,
        prior: &TopicPrior,
        counts: &mut Counts,
    ) {
        for (&word, &tokens) in document.words.iter().zip(document.counts) {
            let word = word as usize;
            let beta = x.splat(self.words.base(word) as f32);
            for _ in 0..tokens {
                let row =
                    counts.words[word * counts.stride..][..counts.stride].as_chunks().0.as_chunks::<N>().0;
                let documents = counts.document.as_chunks().0.as_chunks::<N>().0;
                let scales = counts.scale.as_chunks().0.as_chunks::<N>().0;
                let alphas = prior.rounded.as_chunks().0.as_chunks::<N>().0;
                let weights = row.iter().zip(documents).zip(scales).zip(alphas);
                let weights = weights.map(|(((row, document), scale), alpha)| {
                    std::array::from_fn(|j| {
                        let word = x.mul(x.add(x.count(&row[j]), beta), x.load(&scale[j]));
                        x.mul(x.add(x.count(&document[j]), x.load(&alpha[j])), word)
                    })
                });
                let columns = Columns::<X, N>::cumulate(x, &mut counts.sums, weights);
                let bits = self.rng.next_u64();
                // Seeds are rare, and so are weights out of the range of single precision.
                let draw = if is_sound(columns.total) && self.words.seeds(word).is_empty() {
                    columns.draw(x, &counts.sums, upper(bits) * columns.total, bits)
                } else {
                    None
                };
                let k = draw.map_or_else(
                    || draw_by_weights(&counts.exact_weights(self.words, prior, word), 0, &mut self.rng),
                    |draw| draw.entry,
                );
                counts.document[k] += 1;
                counts.words[word * counts.stride + k] += 1;
                counts.totals[k] += 1;
                counts.rescale(self.words, k);
                counts.topics.push(k as u16);
            }
        }
    }
}

impl Counts {
    fn rescale(&mut self, words: &WordPrior, k: usize) {
        self.scale[k] = (f64::from(self.totals[k]) + words.sums()[k]).recip() as f32;
    }

    #[cold]
    fn exact_weights(&self, words: &WordPrior, prior: &TopicPrior, word: usize) -> Vec<f64> {
        let weight = |k: usize| {
            let count = f64::from(self.words[word * self.stride + k]) + words.concentration(word, k);
            let total = f64::from(self.totals[k]) + words.sums()[k];
            (f64::from(self.document[k]) + prior.alpha[k]) * (count / total)
        };
        (0..prior.topics).map(weight).collect()
    }
}
