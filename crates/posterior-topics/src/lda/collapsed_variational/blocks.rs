//! The pairs of documents and distinct words, cut into blocks that threads can work on side by side.
//!
//! Documents and words are cut into as many groups each. Blocks on a diagonal share no document and no word,
//! so that they can be worked on at the same time, each with its own copy of the topics' totals.

use std::ops::Range;

use crate::Corpus;
use crate::lanes::{LANES, Lane, ZERO};

/// Below so many tokens, one group is the default.
const SMALL: u64 = 20_000;

/// How a probability is kept.
pub(super) trait Storage: Copy + Send + Sync {
    /// No probability.
    const NOTHING: Self;

    fn number(self) -> f64;

    fn rounded(number: f64) -> Self;
}

impl Storage for f64 {
    const NOTHING: Self = 0.0;

    fn number(self) -> f64 {
        self
    }

    fn rounded(number: f64) -> Self {
        number
    }
}

impl Storage for f32 {
    const NOTHING: Self = 0.0;

    fn number(self) -> f64 {
        f64::from(self)
    }

    fn rounded(number: f64) -> Self {
        number as Self
    }
}

/// Means of counts and, for the second order, their variances, row by row; otherwise there are none.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Moments {
    pub(super) means: Vec<Lane>,
    pub(super) variances: Vec<Lane>,
}

impl Moments {
    pub(super) fn zeros(rows: usize, width: usize, with_variances: bool) -> Self {
        let zeros = vec![ZERO; rows * width];
        Self { variances: if with_variances { zeros.clone() } else { Vec::new() }, means: zeros }
    }
}

/// The words of one document that are in a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Span {
    /// The document's row in its group.
    pub(super) document: usize,
    pub(super) entries: Range<usize>,
}

/// The pairs of one group of documents and one group of words.
#[derive(Debug, Clone)]
pub(super) struct Block<S> {
    pub(super) spans: Vec<Span>,
    /// The words' rows in their group.
    pub(super) words: Vec<u32>,
    pub(super) counts: Vec<u32>,
    /// q(z) of each pair.
    pub(super) proportions: Vec<[S; LANES]>,
}

/// How a corpus is cut.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Cut {
    pub(super) documents: Vec<Range<usize>>,
    pub(super) words: Vec<Range<usize>>,
}

impl Cut {
    /// Groups of about as many pairs each.
    pub(super) fn new(corpus: &Corpus, groups: Option<usize>) -> Self {
        let most = corpus.documents().min(corpus.vocabulary().len());
        let groups = groups.unwrap_or(if corpus.tokens() < SMALL { 1 } else { 8 }).min(most);
        let lengths: Vec<usize> = corpus.iter().map(|document| document.words.len()).collect();
        Self {
            documents: in_groups(&lengths, groups),
            words: in_groups(&corpus.document_frequencies(), groups),
        }
    }

    /// The blocks, by group of documents and then of words.
    pub(super) fn blocks<S: Storage>(&self, corpus: &Corpus, width: usize) -> Vec<Vec<Block<S>>> {
        let row = |documents: &Range<usize>| {
            self.words.iter().map(|words| block(corpus, documents, words, width)).collect()
        };
        self.documents.iter().map(row).collect()
    }
}

fn block<S: Storage>(
    corpus: &Corpus,
    documents: &Range<usize>,
    words: &Range<usize>,
    width: usize,
) -> Block<S> {
    let mut block =
        Block { spans: Vec::new(), words: Vec::new(), counts: Vec::new(), proportions: Vec::new() };
    for d in documents.clone() {
        let document = corpus.document(d);
        let first = document.words.partition_point(|&word| (word as usize) < words.start);
        let end = document.words.partition_point(|&word| (word as usize) < words.end);
        if first < end {
            let start = block.words.len();
            block.words.extend(document.words[first..end].iter().map(|&word| word - words.start as u32));
            block.counts.extend_from_slice(&document.counts[first..end]);
            block.spans.push(Span { document: d - documents.start, entries: start..block.words.len() });
        }
    }
    block.proportions = vec![[S::NOTHING; LANES]; block.words.len() * width];
    block
}

/// Cuts a list into runs whose sums are about equal; some may be empty.
fn in_groups(sizes: &[usize], groups: usize) -> Vec<Range<usize>> {
    let total: usize = sizes.iter().sum();
    let mut ranges = Vec::with_capacity(groups);
    let (mut start, mut sum) = (0, 0);
    for group in 1..groups {
        let mut end = start;
        while end < sizes.len() && (sum + sizes[end] / 2) * groups < total * group {
            sum += sizes[end];
            end += 1;
        }
        ranges.push(start..end);
        start = end;
    }
    ranges.push(start..sizes.len());
    ranges
}
