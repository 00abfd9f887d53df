//! What a fit in parts takes, before it begins.

use super::chain::PIECE;
use super::layout::check_options;
use crate::Error;
use crate::lda::Hyperparameters;
use crate::lda::gibbs::blocks::stride;
use crate::lda::gibbs::options::{LdaGibbsOptions, TopicSampler};
use crate::lda::gibbs::sizes::Sizes;

/// Bytes of a document in tables of numbers: its group, its place there, its length.
const OF_DOCUMENT: f64 = 20.0;
/// Bytes of a word beside its counts: its letters, its group, its place there, its tokens.
const OF_WORD: f64 = 72.0;
/// Bytes of a token of a block: as it is read, as it is swept, and its topic as it is written.
const OF_TOKEN_SWEPT: f64 = 12.0;
/// Bytes of a token in the parts: its topic, and the step from the document before.
const OF_TOKEN_STORED: f64 = 3.5;
/// Bytes of a topic of a document in the parts.
const OF_ENTRY: f64 = 2.5;
/// Bytes of a token of a chunk that waits: document, word and topic.
const OF_TOKEN_WAITING: f64 = 14.0;
/// Tables of words x topics that the first process holds when the model is made, 8 bytes each.
const TABLES_OF_MODEL: f64 = 4.0;
/// Bytes of a word where the concentration of words is learned: how often there is each of its counts.
const OF_WORD_LEARNED: f64 = 300.0;
/// Bytes of a process before it has read anything.
const OF_PROGRAM: f64 = 16e6;

/// The sizes of a corpus and of its model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RingSizes {
    /// Documents.
    pub documents: u64,
    /// Words of the vocabulary.
    pub words: u64,
    /// Tokens.
    pub tokens: u64,
}

/// What lies between two processes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RingLink {
    /// Bytes a second.
    pub bandwidth: f64,
    /// Seconds until a message begins to arrive.
    pub latency: f64,
}

/// What a fit by a number of processes takes: memory and bytes of each process, and time.
///
/// Bytes that are shifted and added are exact, the others are estimates: of a corpus whose documents have
/// all about the same length.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct RingPlan {
    /// Groups of documents and of words.
    pub groups: usize,
    /// Processes.
    pub ranks: usize,
    /// Bytes of memory of each process while it samples, without the parts.
    pub memory: f64,
    /// Bytes of memory of the first process when it learns concentrations or makes the model.
    pub model_memory: f64,
    /// Bytes of the parts of each process, in its memory or in its files.
    pub parts: f64,
    /// Bytes of the parts that a process reads in a sweep.
    pub read: f64,
    /// Bytes of the parts that a process writes in a sweep.
    pub written: f64,
    /// Messages by which a process passes groups of words on, in a sweep.
    pub shifts: u64,
    /// Bytes of these.
    pub shifted: u64,
    /// Bytes of the counts that are added up over the processes in a sweep.
    pub added: u64,
    tokens: f64,
    threads: usize,
}

impl RingPlan {
    /// The plan of a fit by so many processes.
    ///
    /// # Errors
    /// Options out of range, or ones that a fit in parts does not have; no document or word; more processes
    /// than groups, or none.
    pub fn new(sizes: RingSizes, options: &LdaGibbsOptions, ranks: usize) -> Result<Self, Error> {
        options.check()?;
        check_options(options)?;
        let RingSizes { documents, words, tokens } = sizes;
        let whole = Sizes { documents: documents as usize, words: words as usize, tokens };
        let groups = whole.groups(options);
        if groups == 0 {
            return Err(Error::Corpus("a corpus has a document and a word at least".to_owned()));
        }
        if !(1..=groups).contains(&ranks) {
            let message = format!("{ranks} processes share out {groups} groups of documents");
            let hint = "take from one process to as many as there are groups, or ask for more groups";
            return Err(Error::Corpus(message).with_hint(hint));
        }
        let (topics, stride, p) = (options.topics as f64, stride(options.topics) as f64, groups as f64);
        let (d, v, n) = (documents as f64, words as f64, tokens as f64);
        let own = groups.div_ceil(ranks) as f64;
        let threads = match options.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        let working = threads.min(groups.div_ceil(ranks)) as f64;
        let length = n / d;
        let entries = length.min(topics);
        let of_counts = match options.resolved_sampler() {
            TopicSampler::Sparse => 6.0 * (length + 8.0).min(stride) + 8.0,
            _ => 4.0 * stride,
        };
        let of_words = v / p * (4.0 * stride + 8.0 * topics);
        let block = n / (p * p);
        let stored_counts = d / p * (1.0 + OF_ENTRY * entries);
        let swept = OF_TOKEN_SWEPT * block + d / p * of_counts + 2.0 * stored_counts;
        let in_flight = 2.0 * (OF_TOKEN_STORED * block + stored_counts);
        let passed = if ranks > 1 { 2.0 * 4.0 * topics * v / p } else { 0.0 };
        let waiting = (whole.documents_in_chunk(options) as f64).min(d / p) * length;
        let start = own * waiting * OF_TOKEN_WAITING + 4.0 * v;
        let tables = OF_PROGRAM + OF_DOCUMENT * d + OF_WORD * v + own * of_words;
        let sampling = working * swept + in_flight + passed;
        let gathered = match options.hyperparameters {
            Hyperparameters::Optimized => (ranks * PIECE) as f64 + stored_counts + OF_WORD_LEARNED * v,
            Hyperparameters::Fixed => 0.0,
        };
        let of_model = (TABLES_OF_MODEL + 1.0) * 8.0 * topics * v;
        let frame = 12 + 4 + 4 * options.topics as u64;
        let (shifts, shifted) = if ranks > 1 {
            (groups as u64, groups as u64 * frame + 4 * options.topics as u64 * words)
        } else {
            (0, 0)
        };
        let of_tokens = own * n / p;
        let of_documents = own * p * stored_counts;
        Ok(Self {
            groups,
            ranks,
            memory: tables + sampling.max(start),
            model_memory: tables + of_model.max(gathered),
            parts: of_tokens * OF_TOKEN_STORED + own * 2.0 * stored_counts,
            read: of_tokens * OF_TOKEN_STORED + of_documents,
            written: of_tokens * 2.0 + of_documents,
            shifts,
            shifted,
            added: 8 * options.topics as u64 * groups as u64,
            tokens: n,
            threads: threads.min(groups.div_ceil(ranks)),
        })
    }

    /// Seconds of a sweep, where a thread draws the topic of a token in `of_token` seconds and `link` lies
    /// between two processes: each sweeps its blocks of a diagonal, and then passes a group of words on.
    pub fn seconds(&self, of_token: f64, link: RingLink) -> f64 {
        let rounds = self.groups.div_ceil(self.ranks).div_ceil(self.threads) as f64;
        let block = self.tokens / (self.groups as f64 * self.groups as f64);
        let sampling = self.groups as f64 * rounds * block * of_token;
        // A sum over all processes goes up a tree and down again.
        let steps = 2.0 * (self.ranks as f64).log2().ceil();
        let adding = steps * (link.latency + self.added as f64 / link.bandwidth);
        sampling + self.shifts as f64 * link.latency + self.shifted as f64 / link.bandwidth + adding
    }
}
