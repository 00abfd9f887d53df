//! The state of the sampler: counts by groups of documents and words, and tokens in blocks.
//!
//! Documents and words are shared out over `P` groups each, which cuts the corpus into `P x P` blocks of
//! tokens. Blocks on one diagonal (block `i` pairs document group `i` with word group `(i + s) mod P`) share
//! no document and no word, so that they can be swept side by side.

use super::partition::Partition;
use crate::Corpus;

/// Rows of counts are padded with zeros to a multiple of this, for loops that the compiler vectorises.
pub(super) const LANES: usize = 8;

/// Topic counts of the documents of one group: row `r` holds the counts of document `members[r]`.
#[derive(Debug, Clone)]
pub(super) struct DocumentGroup {
    pub(super) counts: Vec<u32>,
}

/// Topic counts of the words of one group.
#[derive(Debug, Clone)]
pub(super) struct WordGroup {
    /// Row `r` holds the topic counts of word `members[r]`.
    pub(super) counts: Vec<u32>,
    /// Tokens of this group by topic: the sum of the rows.
    pub(super) totals: Vec<u32>,
    /// The number of words.
    pub(super) words: usize,
    /// For each topic the probability that it gives to the words of this group together; one when there
    /// is a single group.
    pub(super) mass: Vec<f64>,
}

/// The tokens that one document has in a block: `start..end` of the block's tokens.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    pub(super) document: u32,
    pub(super) start: u32,
    pub(super) end: u32,
}

/// The tokens of one document group with words of one word group.
#[derive(Debug, Clone, Default)]
pub(super) struct Block {
    pub(super) spans: Vec<Span>,
    /// The word of each token, by its local number.
    pub(super) words: Vec<u32>,
    /// The topic of each token.
    pub(super) topics: Vec<u16>,
}

/// Counts and tokens of a corpus, cut into blocks.
#[derive(Debug, Clone)]
pub(super) struct Blocks {
    pub(super) topics: usize,
    /// The length of a padded row.
    pub(super) stride: usize,
    pub(super) document_partition: Partition,
    pub(super) word_partition: Partition,
    pub(super) documents: Vec<DocumentGroup>,
    pub(super) words: Vec<WordGroup>,
    /// `diagonals[s][i]` pairs document group `i` with word group `(i + s) mod P`.
    pub(super) diagonals: Vec<Vec<Block>>,
}

impl Blocks {
    /// The corpus in `groups` x `groups` blocks, with a topic from `assign` for each token, asked for in
    /// the order of documents, words and repetitions.
    pub(super) fn new(
        corpus: &Corpus,
        topics: usize,
        groups: usize,
        mut assign: impl FnMut() -> u16,
    ) -> Self {
        let mut blocks = Self::empty(corpus, topics, groups);
        for (d, document) in corpus.iter().enumerate() {
            for (&word, &count) in document.words.iter().zip(document.counts) {
                for _ in 0..count {
                    blocks.push(d, word as usize, assign());
                }
            }
        }
        blocks
    }

    fn empty(corpus: &Corpus, topics: usize, groups: usize) -> Self {
        let stride = topics.next_multiple_of(LANES);
        let mut word_tokens = vec![0_u64; corpus.vocabulary().len()];
        for document in corpus.iter() {
            for (&word, &count) in document.words.iter().zip(document.counts) {
                word_tokens[word as usize] += u64::from(count);
            }
        }
        let lengths: Vec<u64> = corpus.iter().map(|document| document.tokens()).collect();
        let document_partition = Partition::balanced(&lengths, groups);
        let word_partition = Partition::balanced(&word_tokens, groups);
        let rows = |members: &Vec<u32>| vec![0; members.len() * stride];
        let documents =
            document_partition.members.iter().map(|m| DocumentGroup { counts: rows(m) }).collect();
        let words = word_partition.members.iter().map(|m| WordGroup {
            counts: rows(m),
            totals: vec![0; stride],
            words: m.len(),
            mass: vec![1.0; stride],
        });
        let words = words.collect();
        let diagonals = vec![vec![Block::default(); groups]; groups];
        Self { topics, stride, document_partition, word_partition, documents, words, diagonals }
    }

    fn push(&mut self, document: usize, word: usize, topic: u16) {
        let groups = self.documents.len();
        let i = self.document_partition.group[document] as usize;
        let j = self.word_partition.group[word] as usize;
        let (row, column) = (self.document_partition.local[document], self.word_partition.local[word]);
        let block = &mut self.diagonals[(j + groups - i) % groups][i];
        let position = block.words.len() as u32;
        match block.spans.last_mut() {
            Some(span) if span.document == row => span.end += 1,
            _ => block.spans.push(Span { document: row, start: position, end: position + 1 }),
        }
        block.words.push(column);
        block.topics.push(topic);
        let k = usize::from(topic);
        self.documents[i].counts[row as usize * self.stride + k] += 1;
        self.words[j].counts[column as usize * self.stride + k] += 1;
        self.words[j].totals[k] += 1;
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

    /// The topic of each token, in the order in which [`Blocks::new`] asks for them.
    pub(super) fn assignments(&self, corpus: &Corpus) -> Vec<u16> {
        let groups = self.documents.len();
        let mut next = vec![vec![0_usize; groups]; groups];
        let mut topics = Vec::with_capacity(corpus.tokens() as usize);
        for (d, document) in corpus.iter().enumerate() {
            let i = self.document_partition.group[d] as usize;
            for (&word, &count) in document.words.iter().zip(document.counts) {
                let s = (self.word_partition.group[word as usize] as usize + groups - i) % groups;
                let tokens = &self.diagonals[s][i].topics[next[s][i]..][..count as usize];
                topics.extend_from_slice(tokens);
                next[s][i] += count as usize;
            }
        }
        topics
    }
}
