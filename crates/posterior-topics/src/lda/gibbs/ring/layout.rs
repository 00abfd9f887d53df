//! How a stored corpus is shared out over groups, and groups over processes.

use std::ops::Range;

use flate2::Crc;
use posterior_math::ParamError;

use super::collectives::Place;
use crate::Error;
use crate::corpus::StoredCorpus;
use crate::lda::gibbs::blocks::stride;
use crate::lda::gibbs::options::{LdaGibbsOptions, TopicSampler, TopicStart};
use crate::lda::gibbs::partition::Partition;
use crate::lda::gibbs::sizes::Sizes;

/// The shape of a chain, which is the same at every process.
#[derive(Debug, Clone)]
pub(super) struct Layout {
    pub(super) sizes: Sizes,
    pub(super) groups: usize,
    pub(super) topics: usize,
    pub(super) stride: usize,
    pub(super) documents_in_chunk: usize,
    pub(super) documents: Partition,
    pub(super) words: Partition,
    /// A checksum of the vocabulary and of all counts.
    pub(super) fingerprint: u32,
}

impl Layout {
    /// Reads the corpus once.
    pub(super) fn new(corpus: &StoredCorpus, options: &LdaGibbsOptions) -> Result<Self, Error> {
        options.check()?;
        check_options(options)?;
        let mut lengths: Vec<u64> = Vec::with_capacity(corpus.documents());
        let mut totals = vec![0_u64; corpus.vocabulary().len()];
        let mut crc = Crc::new();
        corpus.vocabulary().iter().for_each(|word| {
            crc.update(word.as_bytes());
            crc.update(b"\n");
        });
        for block in corpus.blocks() {
            let block = block?;
            for document in block.iter() {
                crc.update(&(document.words.len() as u64).to_le_bytes());
                lengths.push(document.tokens());
                for (&word, &count) in document.words.iter().zip(document.counts) {
                    crc.update(&[word.to_le_bytes(), count.to_le_bytes()].concat());
                    totals[word as usize] += u64::from(count);
                }
            }
        }
        let sizes =
            Sizes { documents: lengths.len(), words: totals.len(), tokens: totals.iter().sum::<u64>() };
        let groups = sizes.groups(options);
        let words = Partition::balanced(&totals, groups);
        check_groups(&words, &totals)?;
        Ok(Self {
            sizes,
            groups,
            topics: options.topics,
            stride: stride(options.topics),
            documents_in_chunk: sizes.documents_in_chunk(options),
            documents: Partition::balanced(&lengths, groups),
            words,
            fingerprint: crc.sum(),
        })
    }

    /// The groups of documents that a process has, and the groups of words with which it begins a sweep.
    pub(super) fn own(&self, place: Place) -> Result<Range<usize>, Error> {
        let Place { rank, ranks } = place;
        if ranks > self.groups {
            let message = format!("{ranks} processes share out {} groups of documents", self.groups);
            let hint = "start as many processes as there are groups at most, or ask for more groups";
            return Err(Error::Corpus(message).with_hint(hint));
        }
        Ok(rank * self.groups / ranks..(rank + 1) * self.groups / ranks)
    }
}

/// Refuses what a chain in parts cannot do.
pub(super) fn check_options(options: &LdaGibbsOptions) -> Result<(), Error> {
    let refused = |name, requirement| Err(ParamError::new("Lda", name, f64::NAN, requirement).into());
    if options.start != TopicStart::Uniform {
        return refused("start", "uniform, where the corpus is not in memory");
    }
    if options.resolved_sampler() == TopicSampler::MetropolisHastings {
        return refused("sampler", "dense or sparse, where the corpus is not in memory");
    }
    Ok(())
}

/// Refuses groups of words whose counts may not be numbers of 32 bits with a sign.
fn check_groups(words: &Partition, totals: &[u64]) -> Result<(), Error> {
    let tokens = |members: &Vec<u32>| members.iter().map(|&v| totals[v as usize]).sum::<u64>();
    match words.members.iter().map(tokens).max() {
        Some(most) if most >= 1 << 31 => {
            let message = format!("{most} tokens in a group of words: at most 2^31 - 1 can be sampled");
            Err(Error::Corpus(message).with_hint("ask for more groups"))
        }
        _ => Ok(()),
    }
}
