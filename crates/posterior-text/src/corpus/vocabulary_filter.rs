//! Which words are left, by how often each is used.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::stop_words::StopWords;
use super::terms::TextTerms;
use super::tokenizer::letters;
use super::vocabulary_options::VocabularyOptions;
use super::vocabulary_report::{Removed, VocabularyReport};
use crate::Error;

/// How often a word is used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Usage {
    pub(super) documents: usize,
    pub(super) tokens: u64,
}

/// Takes words one by one, in any order, and keeps those that the filters leave.
#[derive(Debug)]
pub(super) struct VocabularyFilter<'a> {
    options: &'a VocabularyOptions,
    stop_words: StopWords,
    documents: usize,
    report: VocabularyReport,
    /// The least frequent first; of those that are as frequent the last in the alphabet.
    kept: BinaryHeap<(Reverse<u64>, String)>,
}

impl<'a> VocabularyFilter<'a> {
    /// For the words of so many documents.
    pub(super) fn new(options: &'a VocabularyOptions, documents: usize) -> Self {
        let stop_words = options.stop_words.tokenized(options.tokenizer);
        let (report, kept) = (VocabularyReport::default(), BinaryHeap::new());
        Self { options, stop_words, documents, report, kept }
    }

    /// A word that has not come before.
    pub(super) fn add(&mut self, word: &str, usage: Usage) {
        self.report.found.add(usage.tokens);
        if let Some(filter) = self.removed_by(word, usage) {
            self.report.removed[filter as usize].add(usage.tokens);
            return;
        }
        self.kept.push((Reverse(usage.tokens), word.to_owned()));
        if self.options.max_words.is_some_and(|most| self.kept.len() > most)
            && let Some((Reverse(tokens), _)) = self.kept.pop()
        {
            self.report.removed[Removed::BeyondSize as usize].add(tokens);
        }
    }

    /// What was removed, and the words that are left in alphabetical order.
    ///
    /// # Errors
    /// No word is left: the message says which filters removed how many.
    pub(super) fn finish(mut self) -> Result<(VocabularyReport, Vec<String>), Error> {
        let kept = std::mem::take(&mut self.kept);
        if kept.is_empty() {
            return Err(self.nothing_left());
        }
        let mut words = Vec::with_capacity(kept.len());
        for (Reverse(tokens), word) in kept {
            self.report.kept.add(tokens);
            words.push(word);
        }
        words.sort_unstable();
        Ok((self.report, words))
    }

    fn removed_by(&self, word: &str, usage: Usage) -> Option<Removed> {
        let options = self.options;
        // A quotient, so that 29 of 100 documents are not above the proportion 0.29.
        let proportion = usage.documents as f64 / self.documents as f64;
        let is_short = |word: &str| letters(word) < options.tokenizer.min_length;
        // Characters are those of words that are long enough.
        let mut words = word.split(' ').filter(|_| matches!(options.terms, TextTerms::Words { .. }));
        if words.clone().any(is_short) {
            Some(Removed::TooShort)
        } else if words.any(|word| self.stop_words.contains(word)) {
            Some(Removed::StopWord)
        } else if usage.documents < options.min_documents {
            Some(Removed::TooRare)
        } else if proportion > options.max_document_proportion {
            Some(Removed::TooFrequent)
        } else {
            None
        }
    }

    fn nothing_left(&self) -> Error {
        let (documents, report) = (self.documents, &self.report);
        if documents == 0 {
            return Error::Corpus("no documents: there is nothing to count words of".to_owned());
        }
        if report.found.tokens == 0 {
            return Error::Corpus(format!("no words in the {documents} documents"));
        }
        let removed: Vec<String> = Removed::ALL
            .into_iter()
            .map(|filter| (filter, report.removed(filter).words))
            .filter(|&(_, words)| words > 0)
            .map(|(filter, words)| format!("{words} {}", filter.label()))
            .collect();
        let found = report.found.words;
        let message = format!("no words are left of {found} distinct ones: {}", removed.join(", "));
        Error::Corpus(message).with_hint(self.advice(report.strictest()))
    }

    fn advice(&self, filter: Removed) -> String {
        let options = self.options;
        match filter {
            Removed::TooShort => {
                format!("allow words of fewer than {} letters", options.tokenizer.min_length)
            }
            Removed::StopWord => "use fewer stop words".to_owned(),
            Removed::TooRare => {
                format!("allow words in fewer than {} documents", options.min_documents)
            }
            Removed::TooFrequent => {
                format!("allow words in more than {} of the documents", options.max_document_proportion)
            }
            Removed::BeyondSize => "allow a larger vocabulary".to_owned(),
        }
    }
}
