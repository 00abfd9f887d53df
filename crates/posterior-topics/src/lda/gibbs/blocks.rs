//! The state of the sampler: counts by groups of documents and words, and tokens in blocks.
//!
//! Documents and words are shared out over `P` groups each, which cuts the corpus into `P x P` blocks of
//! tokens. Blocks on one diagonal (block `i` pairs document group `i` with word group `(i + s) mod P`) share
//! no document and no word, so that they can be swept side by side.
//!
//! Inside of a block, tokens come by chunk of documents, then by word, then by document: the counts of a word
//! stay in the nearest cache while all its tokens are drawn, and the counts of a chunk of documents in the
//! next.

use rand_pcg::Pcg64;
use rayon::prelude::*;

use super::partition::Partition;
use super::places::Places;
use super::prior::{TopicPrior, WordPrior};
use super::token_topics::TokenTopics;
use super::topic_lists::TopicLists;
use crate::Corpus;
use crate::lanes::LANES;

/// Above this many topics, weights are added up in [`CHAINS`] parts side by side.
const ONE_CHAIN: usize = 4 * LANES;
pub(super) const CHAINS: usize = 4;

/// Topic counts of the documents of one group: row `r` holds the counts of document `members[r]`.
#[derive(Debug, Clone)]
pub(super) struct DocumentGroup {
    pub(super) counts: Vec<u32>,
    /// The same as lists, for the sweep that is under way.
    pub(super) lists: TopicLists,
    /// The topics of the tokens by document, for the Metropolis-Hastings sampler.
    pub(super) tokens: TokenTopics,
}

/// Topic counts of the words of one group.
#[derive(Debug, Clone)]
pub(super) struct WordGroup {
    /// Row `r` holds the topic counts of word `members[r]`.
    pub(super) counts: Vec<u32>,
    /// Tokens of this group by topic: the sum of the rows.
    pub(super) totals: Vec<u32>,
    /// For each topic the probability that it gives to the words of this group together; one when there
    /// is a single group.
    pub(super) mass: Vec<f64>,
    /// Concentrations of the words.
    pub(super) prior: WordPrior,
    /// The topics of the tokens by word, for the Metropolis-Hastings sampler.
    pub(super) tokens: TokenTopics,
}

/// The tokens that one word has in one chunk of documents of a block: `start..end` of the block's tokens.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    /// The word, by its local number.
    pub(super) word: u32,
    pub(super) start: u32,
    pub(super) end: u32,
}

/// The tokens of one document group with words of one word group.
#[derive(Debug, Clone, Default)]
pub(super) struct Block {
    pub(super) spans: Vec<Span>,
    /// The document of each token, by its local number.
    pub(super) documents: Vec<u32>,
    /// The topic of each token.
    pub(super) topics: Vec<u16>,
}

/// What a pass works on.
#[derive(Debug)]
pub(super) struct Sweep<'a> {
    pub(super) block: &'a mut Block,
    pub(super) documents: &'a mut DocumentGroup,
    pub(super) words: &'a mut WordGroup,
    pub(super) prior: &'a TopicPrior,
    pub(super) rng: &'a mut Pcg64,
}

/// What is made of what.
#[derive(Debug, Clone, Copy)]
pub(super) enum Exchange {
    ToLists,
    FromLists,
}

/// Counts and tokens of a corpus, cut into blocks.
#[derive(Debug, Clone)]
pub(super) struct Blocks {
    pub(super) topics: usize,
    /// The length of a padded row.
    pub(super) stride: usize,
    documents_in_chunk: usize,
    pub(super) document_partition: Partition,
    pub(super) word_partition: Partition,
    pub(super) documents: Vec<DocumentGroup>,
    pub(super) words: Vec<WordGroup>,
    /// `diagonals[s][i]` pairs document group `i` with word group `(i + s) mod P`.
    pub(super) diagonals: Vec<Vec<Block>>,
}

/// The length of a padded row of counts.
pub(super) fn stride(topics: usize) -> usize {
    topics.next_multiple_of(if topics <= ONE_CHAIN { LANES } else { CHAINS * LANES })
}

impl Blocks {
    /// The corpus in `groups` x `groups` blocks, with the given topic for each token, in the order of
    /// documents, words and repetitions.
    pub(super) fn new(
        corpus: &Corpus,
        topics: usize,
        groups: usize,
        documents_in_chunk: usize,
        assignments: &[u16],
        prior: impl Fn(&[u32]) -> WordPrior,
    ) -> Self {
        let mut blocks = Self { documents_in_chunk, ..Self::empty(corpus, topics, groups, prior) };
        let Self {
            stride,
            documents_in_chunk,
            document_partition,
            word_partition,
            documents,
            words,
            diagonals,
            ..
        } = &mut blocks;
        let mut places = Places::new(corpus, document_partition, word_partition, *documents_in_chunk);
        while let Some(chunk) = places.next_chunk() {
            let i = chunk.group;
            for span in chunk.spans() {
                let block = &mut diagonals[(span.group + groups - i) % groups][i];
                let start = block.topics.len();
                let end = start + span.tokens as usize;
                block.spans.push(Span { word: span.word, start: start as u32, end: end as u32 });
                block.documents.resize(end, 0);
                block.topics.resize(end, 0);
            }
            chunk.for_each_token(|place| {
                let block = &mut diagonals[(place.group + groups - i) % groups][i];
                let topic = assignments[place.token];
                block.documents[place.position] = place.document;
                block.topics[place.position] = topic;
                let (k, word) = (usize::from(topic), &mut words[place.group]);
                documents[i].counts[place.document as usize * *stride + k] += 1;
                word.counts[place.word as usize * *stride + k] += 1;
                word.totals[k] += 1;
            });
        }
        blocks
    }

    fn empty(corpus: &Corpus, topics: usize, groups: usize, prior: impl Fn(&[u32]) -> WordPrior) -> Self {
        let stride = stride(topics);
        let lengths: Vec<u64> = corpus.iter().map(|document| document.tokens()).collect();
        let document_partition = Partition::balanced(&lengths, groups);
        let word_partition = Partition::balanced(&corpus.word_totals(), groups);
        let rows = |members: &Vec<u32>| vec![0; members.len() * stride];
        let documents = document_partition
            .members
            .iter()
            .map(|m| DocumentGroup {
                counts: rows(m),
                lists: TopicLists::default(),
                tokens: TokenTopics::default(),
            })
            .collect();
        let words = word_partition.members.iter().map(|m| WordGroup {
            counts: rows(m),
            totals: vec![0; stride],
            mass: vec![1.0; stride],
            prior: prior(m),
            tokens: TokenTopics::default(),
        });
        let words = words.collect();
        let diagonals = vec![vec![Block::default(); groups]; groups];
        let documents_in_chunk = corpus.documents();
        Self {
            topics,
            stride,
            documents_in_chunk,
            document_partition,
            word_partition,
            documents,
            words,
            diagonals,
        }
    }

    /// Makes lists of the counts of documents, or counts of the lists.
    pub(super) fn exchange_lists(&mut self, exchange: Exchange) {
        let stride = self.stride;
        self.documents.par_iter_mut().for_each(|group| match exchange {
            Exchange::ToLists => group.lists.rebuild(&group.counts, stride),
            Exchange::FromLists => group.lists.write_all(&mut group.counts, stride),
        });
    }

    /// Changes the concentration of words that have none of their own.
    pub(super) fn set_beta(&mut self, beta: f64) {
        for group in &mut self.words {
            group.prior.set_beta(beta);
        }
    }

    /// Topic counts of document `d`, one a topic.
    pub(super) fn document_row(&self, d: usize) -> &[u32] {
        let group = &self.documents[self.document_partition.group[d] as usize];
        &group.counts[self.document_partition.local[d] as usize * self.stride..][..self.topics]
    }

    /// Topic counts of word `v`, one a topic.
    pub(super) fn word_row(&self, v: usize) -> &[u32] {
        let group = &self.words[self.word_partition.group[v] as usize];
        &group.counts[self.word_partition.local[v] as usize * self.stride..][..self.topics]
    }

    /// Tokens by topic.
    pub(super) fn topic_totals(&self) -> Vec<u64> {
        (0..self.topics).map(|k| self.words.iter().map(|g| u64::from(g.totals[k])).sum()).collect()
    }

    /// The topic of each token, in the order in which [`Blocks::new`] takes them.
    pub(super) fn assignments(&self, corpus: &Corpus) -> Vec<u16> {
        let groups = self.documents.len();
        let mut topics = vec![0; corpus.tokens() as usize];
        let (documents, words) = (&self.document_partition, &self.word_partition);
        let mut places = Places::new(corpus, documents, words, self.documents_in_chunk);
        while let Some(chunk) = places.next_chunk() {
            let i = chunk.group;
            chunk.for_each_token(|place| {
                let block = &self.diagonals[(place.group + groups - i) % groups][i];
                topics[place.token] = block.topics[place.position];
            });
        }
        topics
    }

    /// Readies the topics of documents and words for a sweep. Cost: a pass over the tokens for the first
    /// sweep, and one over documents and words for those after.
    pub(super) fn start_token_topics(&mut self) {
        let Self { stride, documents, words, diagonals, .. } = self;
        if documents.iter().all(|group| group.tokens.is_new()) {
            for group in documents.iter_mut() {
                group.tokens = TokenTopics::with_counts(&group.counts, *stride);
            }
            for group in words.iter_mut() {
                group.tokens = TokenTopics::with_counts(&group.counts, *stride);
            }
            let groups = documents.len();
            for (s, diagonal) in diagonals.iter().enumerate() {
                for (i, block) in diagonal.iter().enumerate() {
                    for (&document, &topic) in block.documents.iter().zip(&block.topics) {
                        documents[i].tokens.push(document as usize, topic);
                    }
                    let tokens = &mut words[(i + s) % groups].tokens;
                    for span in &block.spans {
                        for &topic in &block.topics[span.start as usize..span.end as usize] {
                            tokens.push(span.word as usize, topic);
                        }
                    }
                }
            }
        }
        for group in documents {
            group.tokens.restart();
        }
        for group in words {
            group.tokens.restart();
        }
    }
}
