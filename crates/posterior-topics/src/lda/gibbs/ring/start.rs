//! From a stored corpus to blocks, a chunk of documents in memory at a time.

use std::ops::Range;

use rand::RngExt;
use rand_pcg::Pcg64;

use super::frames::framed;
use super::layout::Layout;
use super::parts::{block_part, group_part, put_document, put_structure, topics as topics_as_bytes};
use super::storage::Storage;
use crate::Error;
use crate::corpus::{Document, StoredCorpus};

/// Documents of one group that wait for their chunk to be full.
#[derive(Debug, Clone, Default)]
struct Waiting {
    /// Documents of the group that are in earlier chunks.
    before: usize,
    documents: usize,
    /// The number of the document in its group, the word and the topic of each token, in their order.
    tokens: Vec<(u32, u32, u16)>,
    /// Of each document its topics and their counts.
    counts: Vec<u8>,
}

/// Writes the blocks of some groups of documents.
pub(super) struct Start<'a, S> {
    pub(super) layout: &'a Layout,
    pub(super) storage: &'a S,
    /// The groups that are written.
    pub(super) own: Range<usize>,
    /// Where first topics come from; none where a checkpoint has them, and then the spans alone are written.
    pub(super) rng: Option<Pcg64>,
}

impl<S: Storage> Start<'_, S> {
    /// Goes through the corpus once. Returns the counts of the words of the same groups of words, all
    /// documents together, row by row and padded.
    pub(super) fn write(mut self, corpus: &StoredCorpus) -> Result<Vec<Vec<u32>>, Error> {
        let Layout { documents, words, groups, stride, .. } = self.layout;
        self.begin_parts()?;
        let rows = |g: usize| vec![0; words.members[g].len() * stride];
        let mut counts: Vec<Vec<u32>> = self.own.clone().map(rows).collect();
        let mut waiting = vec![Waiting::default(); self.own.len()];
        let mut cursors = vec![0_u32; self.layout.sizes.words];
        let mut d = 0;
        let mut topics = Vec::new();
        for block in corpus.blocks() {
            for document in block?.iter() {
                let group = documents.group[d] as usize;
                self.draw_topics(document, &mut topics);
                count_words(self.layout, document, &topics, &self.own, &mut counts);
                if self.own.contains(&group) {
                    let own = &mut waiting[group - self.own.start];
                    own.push(documents.local[d], document, &topics);
                    if own.documents == self.layout.documents_in_chunk {
                        self.write_chunk(group, own, &mut cursors)?;
                    }
                }
                d += 1;
            }
        }
        for (group, own) in self.own.clone().zip(&mut waiting) {
            self.write_chunk(group, own, &mut cursors)?;
        }
        debug_assert_eq!((d, counts.len() <= *groups), (self.layout.sizes.documents, true));
        Ok(counts)
    }

    /// Empty parts, so that a group without tokens has its parts as well.
    fn begin_parts(&self) -> Result<(), Error> {
        for i in self.own.clone() {
            for g in 0..self.layout.groups {
                self.storage.write(&block_part("structure", i, g), &[])?;
                if self.rng.is_some() {
                    self.storage.write(&block_part("topics", i, g), &[])?;
                }
            }
            if self.rng.is_some() {
                self.storage.write(&group_part("documents", i), &[])?;
            }
        }
        Ok(())
    }

    /// First topics of the tokens of a document.
    fn draw_topics(&mut self, document: Document<'_>, topics: &mut Vec<u16>) {
        topics.clear();
        if let Some(rng) = &mut self.rng {
            let count = self.layout.topics as u16;
            topics.extend((0..document.tokens()).map(|_| rng.random_range(0..count)));
        } else {
            topics.resize(document.tokens() as usize, 0);
        }
    }

    /// Writes the tokens that wait: to the block of each group of words, by word and then by document.
    fn write_chunk(&self, i: usize, own: &mut Waiting, cursors: &mut [u32]) -> Result<(), Error> {
        if own.documents == 0 {
            return Ok(());
        }
        cursors.fill(0);
        own.tokens.iter().for_each(|&(_, word, _)| cursors[word as usize] += 1);
        let words = &self.layout.words;
        let mut spans: Vec<Vec<(u32, u32)>> = vec![Vec::new(); self.layout.groups];
        let mut ends = vec![0_u32; self.layout.groups];
        for ((members, spans), end) in words.members.iter().zip(&mut spans).zip(&mut ends) {
            for (local, &v) in (0..).zip(members) {
                let tokens = std::mem::replace(&mut cursors[v as usize], *end);
                if tokens > 0 {
                    spans.push((local, tokens));
                    *end += tokens;
                }
            }
        }
        let mut documents: Vec<Vec<u32>> = ends.iter().map(|&end| vec![0; end as usize]).collect();
        let mut topics: Vec<Vec<u16>> = ends.iter().map(|&end| vec![0; end as usize]).collect();
        for &(document, word, topic) in &own.tokens {
            let (g, cursor) = (words.group[word as usize] as usize, &mut cursors[word as usize]);
            documents[g][*cursor as usize] = document;
            topics[g][*cursor as usize] = topic;
            *cursor += 1;
        }
        let mut bytes = Vec::new();
        for g in 0..self.layout.groups {
            if spans[g].is_empty() {
                continue;
            }
            bytes.clear();
            put_structure(&mut bytes, own.before as u32, &spans[g], &documents[g]);
            self.storage.append(&block_part("structure", i, g), &framed(&bytes))?;
            if self.rng.is_some() {
                let bytes = topics_as_bytes(&topics[g]);
                self.storage.append(&block_part("topics", i, g), &framed(&bytes))?;
            }
        }
        if self.rng.is_some() {
            self.storage.append(&group_part("documents", i), &framed(&own.counts))?;
        }
        own.before += own.documents;
        own.documents = 0;
        own.tokens.clear();
        own.counts.clear();
        Ok(())
    }
}

impl Waiting {
    fn push(&mut self, local: u32, document: Document<'_>, topics: &[u16]) {
        let words = document.words.iter().zip(document.counts);
        let words = words.flat_map(|(&word, &count)| std::iter::repeat_n(word, count as usize));
        self.tokens.extend(words.zip(topics).map(|(word, &topic)| (local, word, topic)));
        self.documents += 1;
        let mut sorted = topics.to_vec();
        sorted.sort_unstable();
        let entries: Vec<(u16, u32)> =
            sorted.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as u32)).collect();
        put_document(&mut self.counts, entries.into_iter());
    }
}

/// Counts the topics of the words of some groups.
fn count_words(
    layout: &Layout,
    document: Document<'_>,
    topics: &[u16],
    own: &Range<usize>,
    counts: &mut [Vec<u32>],
) {
    let mut rest = topics;
    for (&word, &count) in document.words.iter().zip(document.counts) {
        let (here, after) = rest.split_at(count as usize);
        rest = after;
        let group = layout.words.group[word as usize] as usize;
        if own.contains(&group) {
            let first = layout.words.local[word as usize] as usize * layout.stride;
            let row = &mut counts[group - own.start][first..first + layout.stride];
            for &topic in here {
                row[usize::from(topic)] += 1;
            }
        }
    }
}
