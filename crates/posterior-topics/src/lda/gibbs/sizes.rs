//! What the shape of a chain is made of: the sizes of the corpus. The shape shapes the result.

use super::blocks::stride;
use super::options::{LdaGibbsOptions, TopicSampler};
use crate::Corpus;

/// Below this many tokens, one group is the default.
const TOKENS_FOR_GROUPS: u64 = 20_000;
/// Below this many tokens four groups are the default, since more make runs of one word shorter; above,
/// eight.
const TOKENS_FOR_MANY_GROUPS: u64 = 4_000_000;

/// A chunk of documents has counts of about this many bytes, or tokens where the counts are lists, so that
/// the counts stay in a cache of the second level. Constants, since the order of tokens shapes the chain.
const CHUNK_BYTES: usize = 1 << 20;
const CHUNK_TOKENS: usize = 1 << 20;

/// The sizes of a corpus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sizes {
    pub(super) documents: usize,
    pub(super) words: usize,
    pub(super) tokens: u64,
}

impl Sizes {
    pub(super) fn of(corpus: &Corpus) -> Self {
        Self { documents: corpus.documents(), words: corpus.vocabulary().len(), tokens: corpus.tokens() }
    }

    /// Groups of documents and of words: those of the options, as far as there are documents and words for
    /// them.
    pub(super) fn groups(self, options: &LdaGibbsOptions) -> usize {
        let default = match self.tokens {
            0..TOKENS_FOR_GROUPS => 1,
            TOKENS_FOR_GROUPS..TOKENS_FOR_MANY_GROUPS => 4,
            _ => 8,
        };
        options.groups.unwrap_or(default).min(self.documents.min(self.words))
    }

    /// The documents that a chunk of a block has.
    pub(super) fn documents_in_chunk(self, options: &LdaGibbsOptions) -> usize {
        let documents = match options.resolved_sampler() {
            TopicSampler::Sparse => CHUNK_TOKENS * self.documents / (self.tokens as usize).max(1),
            _ => CHUNK_BYTES / (4 * stride(options.topics)),
        };
        documents.max(1)
    }
}
