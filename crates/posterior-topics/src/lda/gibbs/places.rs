//! Where the tokens of a corpus stand in the blocks: by chunk of documents, by word, by document.

use super::partition::Partition;
use crate::Corpus;

/// Walks over chunks of documents, group by group.
#[derive(Debug)]
pub(super) struct Places<'a> {
    corpus: &'a Corpus,
    documents: &'a Partition,
    words: &'a Partition,
    /// The number of the first token of each document.
    first_tokens: Vec<usize>,
    documents_in_chunk: usize,
    /// The group and the first document of the next chunk.
    next: (usize, usize),
    /// Tokens that earlier chunks of this group of documents have in each group of words.
    begin: Vec<usize>,
    /// For each word its tokens in this chunk, and then the position of the next of them.
    cursors: Vec<u32>,
}

/// The documents `first..last` of a group.
#[derive(Debug)]
pub(super) struct Chunk<'p, 'a> {
    pub(super) group: usize,
    first: usize,
    last: usize,
    places: &'p mut Places<'a>,
}

/// The tokens of one word in a chunk.
#[derive(Debug, Clone, Copy)]
pub(super) struct WordTokens {
    /// The group of the word, and its number there.
    pub(super) group: usize,
    pub(super) word: u32,
    pub(super) tokens: u32,
}

/// The place of one token.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    /// The group of the word.
    pub(super) group: usize,
    /// The word and the document by their numbers in their groups.
    pub(super) word: u32,
    pub(super) document: u32,
    /// Where the token stands in its block.
    pub(super) position: usize,
    /// The number of the token in the corpus.
    pub(super) token: usize,
}

impl<'a> Places<'a> {
    pub(super) fn new(
        corpus: &'a Corpus,
        documents: &'a Partition,
        words: &'a Partition,
        documents_in_chunk: usize,
    ) -> Self {
        let mut first_tokens = Vec::with_capacity(corpus.documents());
        let mut tokens = 0;
        for document in corpus.iter() {
            first_tokens.push(tokens);
            tokens += document.tokens() as usize;
        }
        Self {
            corpus,
            documents,
            words,
            first_tokens,
            documents_in_chunk,
            next: (0, 0),
            begin: vec![0; words.members.len()],
            cursors: vec![0; corpus.vocabulary().len()],
        }
    }

    pub(super) fn next_chunk(&mut self) -> Option<Chunk<'_, 'a>> {
        while self.next.1 >= self.documents.members.get(self.next.0)?.len() {
            self.next = (self.next.0 + 1, 0);
            self.begin.fill(0);
        }
        let (group, first) = self.next;
        let last = (first + self.documents_in_chunk).min(self.documents.members[group].len());
        self.next.1 = last;
        self.cursors.fill(0);
        for &d in &self.documents.members[group][first..last] {
            let document = self.corpus.document(d as usize);
            for (&word, &count) in document.words.iter().zip(document.counts) {
                self.cursors[word as usize] += count;
            }
        }
        Some(Chunk { group, first, last, places: self })
    }
}

impl Chunk<'_, '_> {
    /// The words that occur, by group and number.
    pub(super) fn spans(&self) -> impl Iterator<Item = WordTokens> + '_ {
        let places = &*self.places;
        places.words.members.iter().enumerate().flat_map(move |(group, members)| {
            members.iter().enumerate().filter_map(move |(word, &v)| {
                let tokens = places.cursors[v as usize];
                (tokens > 0).then_some(WordTokens { group, word: word as u32, tokens })
            })
        })
    }

    /// Visits the tokens in the order of documents, words and repetitions.
    pub(super) fn for_each_token(self, mut visit: impl FnMut(Place)) {
        let Places { corpus, documents, words, first_tokens, begin, cursors, .. } = self.places;
        for (members, begin) in words.members.iter().zip(begin) {
            for &v in members {
                let tokens = cursors[v as usize];
                cursors[v as usize] = *begin as u32;
                *begin += tokens as usize;
            }
        }
        for (row, &d) in documents.members[self.group][self.first..self.last].iter().enumerate() {
            let document = corpus.document(d as usize);
            let mut token = first_tokens[d as usize];
            for (&v, &count) in document.words.iter().zip(document.counts) {
                let (group, word) = (words.group[v as usize] as usize, words.local[v as usize]);
                for _ in 0..count {
                    let position = cursors[v as usize] as usize;
                    cursors[v as usize] += 1;
                    visit(Place { group, word, document: (self.first + row) as u32, position, token });
                    token += 1;
                }
            }
        }
    }
}
