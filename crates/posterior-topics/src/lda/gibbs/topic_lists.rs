//! The topics that documents have, with their counts.

use super::vectors::Lanes;
use crate::lanes::LANES;

/// For each document of a group, the topics with a count, in rows of eight; entries of count zero fill the
/// last row.
///
/// The order of the entries depends on the past, so that lists are made anew for each sweep: the chain has no
/// other state than the topics of the tokens.
#[derive(Debug, Clone, Default)]
pub(super) struct TopicLists {
    /// The first row of each document, and the end of the last.
    rows: Vec<u32>,
    /// Entries in use.
    lengths: Vec<u32>,
    topics: Vec<[u16; LANES]>,
    counts: Vec<Lanes>,
}

/// The list of one document.
#[derive(Debug)]
pub(super) struct TopicList<'a> {
    pub(super) topics: &'a [[u16; LANES]],
    pub(super) counts: &'a [Lanes],
}

/// The rows that the list of a document with so many tokens may need.
fn room(tokens: usize, stride: usize) -> usize {
    // A topic comes in before another goes.
    (tokens + 1).min(stride).div_ceil(LANES)
}

impl TopicLists {
    /// Lists of documents with these rows of counts.
    pub(super) fn rebuild(&mut self, counts: &[u32], stride: usize) {
        if self.rows.is_empty() {
            self.rows.push(0);
            let mut end = 0;
            for row in counts.chunks_exact(stride) {
                let tokens = row.iter().map(|&n| n as usize).sum::<usize>();
                end += room(tokens, stride) as u32;
                self.rows.push(end);
            }
            self.lengths = vec![0; self.rows.len() - 1];
            self.topics = vec![[0; LANES]; end as usize];
            self.counts = vec![[0.0; LANES]; end as usize];
        }
        for (d, row) in counts.chunks_exact(stride).enumerate() {
            let rows = self.rows[d] as usize..self.rows[d + 1] as usize;
            let topics = self.topics[rows.clone()].as_flattened_mut();
            let list = self.counts[rows].as_flattened_mut();
            let mut length = 0;
            for (k, &n) in row.iter().enumerate().filter(|&(_, &n)| n > 0) {
                (topics[length], list[length]) = (k as u16, n as f32);
                length += 1;
            }
            list[length..].fill(0.0);
            self.lengths[d] = length as u32;
        }
    }

    /// Without a document, for those that are [pushed](Self::push).
    pub(super) fn without_documents() -> Self {
        Self { rows: vec![0], ..Self::default() }
    }

    /// Adds a document with these topics, in this order, and their counts.
    pub(super) fn push(&mut self, entries: &[(u16, u32)], stride: usize) {
        let tokens = entries.iter().map(|&(_, n)| n as usize).sum();
        let first = self.topics.len();
        let end = first + room(tokens, stride);
        self.rows.push(end as u32);
        self.lengths.push(entries.len() as u32);
        self.topics.resize(end, [0; LANES]);
        self.counts.resize(end, [0.0; LANES]);
        let places = self.topics[first..].as_flattened_mut().iter_mut();
        let places = places.zip(self.counts[first..].as_flattened_mut());
        for ((topic, count), &(k, n)) in places.zip(entries) {
            (*topic, *count) = (k, n as f32);
        }
    }

    /// The topics of a document and their counts, in the order of the list.
    pub(super) fn entries(&self, document: usize) -> impl Iterator<Item = (u16, u32)> + '_ {
        let list = self.list(document);
        let (topics, counts) = (list.topics.as_flattened(), list.counts.as_flattened());
        let length = self.lengths[document] as usize;
        topics.iter().zip(counts).take(length).map(|(&topic, &count)| (topic, count as u32))
    }

    /// The rows of the longest list.
    pub(super) fn longest(&self) -> usize {
        self.rows.windows(2).map(|w| (w[1] - w[0]) as usize).max().unwrap_or(0)
    }

    /// The rows in use of a document.
    #[inline]
    pub(super) fn list(&self, document: usize) -> TopicList<'_> {
        let first = self.rows[document] as usize;
        let rows = (self.lengths[document] as usize).div_ceil(LANES);
        TopicList { topics: &self.topics[first..][..rows], counts: &self.counts[first..][..rows] }
    }

    /// The place of a topic that the document has; the end of the list for any other.
    #[inline]
    pub(super) fn find(&self, document: usize, topic: usize) -> usize {
        let first = self.rows[document] as usize;
        let length = self.lengths[document] as usize;
        let rows = &self.topics[first..][..length.div_ceil(LANES)];
        let topic = topic as u16;
        let at =
            rows.iter().enumerate().find(|(_, topics)| topics.contains(&topic)).and_then(|(row, topics)| {
                let lane = topics.iter().position(|&t| t == topic)?;
                Some(row * LANES + lane)
            });
        // Past the end are topics of before.
        first * LANES + at.filter(|&at| at < length).unwrap_or(length)
    }

    /// Adds to the count at a place.
    #[inline]
    pub(super) fn add_at(&mut self, at: usize, by: f32) {
        self.counts.as_flattened_mut()[at] += by;
    }

    /// Takes a token from one topic to another, whose place is `to_at` if it is known.
    #[inline]
    pub(super) fn shift(&mut self, document: usize, from: usize, to: usize, to_at: Option<usize>) {
        let first = self.rows[document] as usize * LANES;
        let at = to_at.map_or_else(|| self.find(document, to), |at| first + at);
        let end = first + self.lengths[document] as usize;
        let (topics, counts) = (self.topics.as_flattened_mut(), self.counts.as_flattened_mut());
        if at == end {
            (topics[at], counts[at]) = (to as u16, 0.0);
            self.lengths[document] += 1;
        }
        counts[at] += 1.0;
        let at = self.find(document, from);
        let (topics, counts) = (self.topics.as_flattened_mut(), self.counts.as_flattened_mut());
        counts[at] -= 1.0;
        if counts[at] == 0.0 {
            let last = first + self.lengths[document] as usize - 1;
            (topics[at], counts[at]) = (topics[last], counts[last]);
            counts[last] = 0.0;
            self.lengths[document] -= 1;
        }
    }

    /// The counts of all topics of a document.
    #[cold]
    pub(super) fn row(&self, document: usize, stride: usize) -> Vec<u32> {
        let mut row = vec![0; stride];
        self.write(document, &mut row);
        row
    }

    /// Puts the counts of a document into a row of zeros.
    fn write(&self, document: usize, row: &mut [u32]) {
        let list = self.list(document);
        for (&topic, &count) in list.topics.as_flattened().iter().zip(list.counts.as_flattened()) {
            // Entries that fill the last row name topics that may be elsewhere in the list.
            row[topic as usize] += count as u32;
        }
    }

    /// Puts the counts of all documents into their rows.
    pub(super) fn write_all(&self, counts: &mut [u32], stride: usize) {
        counts.fill(0);
        for (document, row) in counts.chunks_exact_mut(stride).enumerate() {
            self.write(document, row);
        }
    }
}
