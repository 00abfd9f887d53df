//! Blocks, counts of documents and counts of words as bytes.

use std::path::Path;

use super::frames::{Numbers, foreign, put};
use crate::Error;
use crate::lda::gibbs::blocks::{Block, DocumentGroup, Span, WordGroup};
use crate::lda::gibbs::token_topics::TokenTopics;
use crate::lda::gibbs::topic_lists::TopicLists;

/// The topics of a document or a pool of them, each with its count.
pub(super) type Entries<N> = Vec<(u16, N)>;

/// The name of a part of a block: of a document group and a word group.
pub(super) fn block_part(what: &str, documents: usize, words: usize) -> String {
    format!("{what}-{documents}-{words}")
}

/// The name of a part of one group.
pub(super) fn group_part(what: &str, group: usize) -> String {
    format!("{what}-{group}")
}

/// The spans of a chunk of a block, and the documents of its tokens: how they stand never changes.
///
/// The first document of the chunk and the number of spans; then for each span the step from the word before,
/// its tokens, and for each of them the step from the document before.
pub(super) fn put_structure(bytes: &mut Vec<u8>, first: u32, spans: &[(u32, u32)], documents: &[u32]) {
    put(bytes, first);
    put(bytes, spans.len() as u32);
    let (mut word_before, mut rest) = (0, documents);
    for &(word, tokens) in spans {
        put(bytes, word - word_before);
        put(bytes, tokens);
        word_before = word;
        let (own, after) = rest.split_at(tokens as usize);
        rest = after;
        let mut before = first;
        for &document in own {
            put(bytes, document - before);
            before = document;
        }
    }
}

/// A block, from the payloads of its structure and of its topics; it has documents and words below these
/// numbers.
pub(super) fn block(
    path: &Path,
    structure: &[&[u8]],
    topics: &[&[u8]],
    (documents, words, count): (usize, usize, usize),
) -> Result<Block, Error> {
    let mut block = Block::default();
    let tokens = topics.iter().map(|payload| payload.len()).sum::<usize>() / 2;
    block.documents.reserve_exact(tokens);
    for payload in structure {
        push_chunk(&mut block, payload, documents, words).ok_or_else(|| foreign(path))?;
    }
    block.topics.reserve_exact(tokens);
    for payload in topics {
        let (pairs, rest) = payload.as_chunks::<2>();
        block.topics.extend(pairs.iter().map(|&pair| u16::from_le_bytes(pair)));
        if !rest.is_empty() {
            return Err(foreign(path));
        }
    }
    let known = block.topics.iter().all(|&topic| usize::from(topic) < count);
    if known && block.topics.len() == block.documents.len() { Ok(block) } else { Err(foreign(path)) }
}

fn push_chunk(block: &mut Block, payload: &[u8], documents: usize, words: usize) -> Option<()> {
    let mut numbers = Numbers(payload);
    let (first, spans) = (numbers.take()?, numbers.take()?);
    let mut word = 0_u32;
    for _ in 0..spans {
        word = word.checked_add(numbers.take()?).filter(|&word| (word as usize) < words)?;
        let (start, tokens) = (block.documents.len() as u32, numbers.take()?);
        let mut document = first;
        for _ in 0..tokens {
            document = document.checked_add(numbers.take()?).filter(|&own| (own as usize) < documents)?;
            block.documents.push(document);
        }
        block.spans.push(Span { word, start, end: start.checked_add(tokens)? });
    }
    numbers.is_empty().then_some(())
}

/// Topics of tokens, two bytes each.
pub(super) fn topics(topics: &[u16]) -> Vec<u8> {
    topics.iter().flat_map(|topic| topic.to_le_bytes()).collect()
}

/// Appends a document: the number of its topics, and each with its count.
pub(super) fn put_document(bytes: &mut Vec<u8>, entries: impl ExactSizeIterator<Item = (u16, u32)>) {
    put(bytes, entries.len() as u32);
    for (topic, count) in entries {
        put(bytes, u32::from(topic));
        put(bytes, count);
    }
}

/// The next document, into a buffer; `None` where there is none, or something else.
pub(super) fn take_document(
    numbers: &mut Numbers<'_>,
    topics: usize,
    entries: &mut Entries<u32>,
) -> Option<()> {
    entries.clear();
    for _ in 0..numbers.take()? {
        let (topic, count) = (numbers.take()?, numbers.take()?);
        if topic as usize >= topics || count >= 1 << 31 {
            return None;
        }
        entries.push((topic as u16, count));
    }
    Some(())
}

/// How the sampler wants the counts of documents.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shape {
    pub(super) topics: usize,
    pub(super) stride: usize,
    /// As lists of the topics that a document has, or with a place for all topics.
    pub(super) lists: bool,
}

/// The counts of the documents of a group, so many, from payloads.
pub(super) fn documents(
    path: &Path,
    payloads: &[&[u8]],
    documents: usize,
    shape: Shape,
) -> Result<DocumentGroup, Error> {
    let mut group =
        DocumentGroup { counts: Vec::new(), lists: TopicLists::default(), tokens: TokenTopics::default() };
    let mut found = 0;
    if shape.lists {
        group.lists = TopicLists::without_documents();
        for_each_document(path, payloads, shape.topics, |_, entries| {
            found += 1;
            group.lists.push(entries, shape.stride);
        })?;
    } else {
        group.counts = vec![0; documents * shape.stride];
        for_each_document(path, payloads, shape.topics, |d, entries| {
            found += 1;
            if let Some(row) = group.counts.get_mut(d * shape.stride..(d + 1) * shape.stride) {
                for &(topic, count) in entries {
                    row[usize::from(topic)] = count;
                }
            }
        })?;
    }
    if found == documents { Ok(group) } else { Err(foreign(path)) }
}

/// Visits the documents of payloads with their topics.
pub(super) fn for_each_document(
    path: &Path,
    payloads: &[&[u8]],
    topics: usize,
    mut visit: impl FnMut(usize, &[(u16, u32)]),
) -> Result<(), Error> {
    let mut entries = Vec::new();
    let mut d = 0;
    for payload in payloads {
        let mut numbers = Numbers(payload);
        while !numbers.is_empty() {
            take_document(&mut numbers, topics, &mut entries).ok_or_else(|| foreign(path))?;
            visit(d, &entries);
            d += 1;
        }
    }
    Ok(())
}

/// The counts of so many documents as bytes: of a sweep that is over in the order of the topics, else in the
/// order of the lists, which the rest of the sweep depends on.
pub(super) fn documents_as_bytes(
    group: &DocumentGroup,
    documents: usize,
    shape: Shape,
    is_over: bool,
) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut entries: Entries<u32> = Vec::new();
    for d in 0..documents {
        entries.clear();
        if shape.lists {
            entries.extend(group.lists.entries(d));
            if is_over {
                entries.sort_unstable();
            }
        } else {
            let row = &group.counts[d * shape.stride..][..shape.topics];
            entries.extend((0..).zip(row).filter(|&(_, &n)| n > 0).map(|(k, &n)| (k, n)));
        }
        put_document(&mut bytes, entries.iter().copied());
    }
    bytes
}

/// The counts of a group of words as bytes, all of the same length: its number, the tokens of each topic, and
/// those of each word in each topic, four bytes each.
pub(super) fn words_as_bytes(number: usize, group: &WordGroup, topics: usize) -> Vec<u8> {
    let stride = group.totals.len();
    let mut bytes = Vec::with_capacity(4 + 4 * topics * (1 + group.counts.len() / stride));
    bytes.extend((number as u32).to_le_bytes());
    for row in std::iter::once(&group.totals[..]).chain(group.counts.chunks_exact(stride)) {
        row[..topics].iter().for_each(|count| bytes.extend(count.to_le_bytes()));
    }
    bytes
}

/// The tokens of each topic and the counts of so many words, padded, from the bytes of the group with this
/// number.
pub(super) fn words(
    path: &Path,
    bytes: &[u8],
    (number, words): (usize, usize),
    (topics, stride): (usize, usize),
) -> Result<(Vec<u32>, Vec<u32>), Error> {
    let (numbers, rest) = bytes.as_chunks::<4>();
    let numbers: Vec<u32> = numbers.iter().map(|&four| u32::from_le_bytes(four)).collect();
    if !rest.is_empty() || numbers.len() != 1 + topics * (words + 1) || numbers[0] as usize != number {
        return Err(foreign(path));
    }
    let mut padded = vec![0; stride * (words + 1)];
    for (row, counts) in padded.chunks_exact_mut(stride).zip(numbers[1..].chunks_exact(topics)) {
        row[..topics].copy_from_slice(counts);
    }
    let counts = padded.split_off(stride);
    Ok((padded, counts))
}

/// Sums of the counts of documents over states, as bytes of the same form; none yet where there are no bytes.
#[derive(Debug)]
pub(super) struct Sums<'a> {
    before: Option<Numbers<'a>>,
    entries: Entries<u32>,
}

impl<'a> Sums<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { before: (!bytes.is_empty()).then_some(Numbers(bytes)), entries: Vec::new() }
    }

    /// The sums of the next document, these counts included; all in the order of the topics.
    pub(super) fn next_with(
        &mut self,
        counts: &[(u16, u32)],
        topics: usize,
        sums: &mut Entries<u32>,
    ) -> Option<()> {
        if let Some(numbers) = &mut self.before {
            take_document(numbers, topics, &mut self.entries)?;
        }
        sums.clear();
        let (mut old, mut new) = (self.entries.iter().peekable(), counts.iter().peekable());
        loop {
            let (a, b) = (old.peek().map(|entry| entry.0), new.peek().map(|entry| entry.0));
            let topic = match (a, b) {
                (None, None) => return Some(()),
                (Some(topic), None) | (None, Some(topic)) => topic,
                (Some(a), Some(b)) => a.min(b),
            };
            let mut sum = 0_u32;
            for entries in [&mut old, &mut new] {
                if let Some(&(_, count)) = entries.next_if(|entry| entry.0 == topic) {
                    sum = sum.checked_add(count)?;
                }
            }
            sums.push((topic, sum));
        }
    }
}
