//! How often each class uses each word: all that a naive Bayes model of texts learns from.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::checks::{index, labels_of_documents, size};
use crate::corpus::Document;
use crate::{Corpus, Error};

/// The count of a word in a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Counted {
    /// Each occurrence.
    Occurrences,
    /// That it is there, however often.
    Presence,
}

/// Counts of documents and words for each class. Documents come and go, parts merge: the order makes no
/// difference.
///
/// ```
/// use posterior_text::corpus::Document;
/// use posterior_text::naive_bayes::{ClassCounts, Counted};
///
/// let mut counts = ClassCounts::new(Counted::Occurrences, 2, 3)?;
/// counts.push(Document { words: &[0, 2], counts: &[1, 4] }, 1)?;
/// assert_eq!(counts.words_of(1), [1.0, 0.0, 4.0]);
/// assert_eq!((counts.documents(), counts.totals()), (&[0.0, 1.0][..], &[0.0, 5.0][..]));
/// # Ok::<(), posterior_text::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ClassCounts {
    pub(super) counted: Counted,
    pub(super) vocabulary: usize,
    /// For each class its documents.
    pub(super) documents: Vec<f64>,
    /// For each class the sum of its counts of words.
    pub(super) totals: Vec<f64>,
    /// Classes x words, a class after the other.
    pub(super) words: Vec<f64>,
}

impl ClassCounts {
    /// Nothing counted yet, for so many classes and so many words.
    ///
    /// # Errors
    /// No class, no word, or more counts than memory can hold.
    pub fn new(counted: Counted, classes: usize, vocabulary: usize) -> Result<Self, Error> {
        let cells = classes.checked_mul(vocabulary).filter(|&cells| cells > 0 && cells <= 1 << 36);
        let cells = cells
            .ok_or_else(|| Error::Corpus(format!("{classes} classes and {vocabulary} words to count")))?;
        let (documents, totals) = (vec![0.0; classes], vec![0.0; classes]);
        Ok(Self { counted, vocabulary, documents, totals, words: vec![0.0; cells] })
    }

    /// The counts of a corpus; document `d` is of the class `labels[d]`.
    ///
    /// # Errors
    /// As for [`new`](Self::new), and another number of labels than documents, or a label that is no class.
    pub fn of(counted: Counted, corpus: &Corpus, labels: &[usize], classes: usize) -> Result<Self, Error> {
        let mut counts = Self::new(counted, classes, corpus.vocabulary().len())?;
        let members = members(labels, classes, corpus.documents())?;
        let vocabulary = counts.vocabulary;
        counts.words.par_chunks_mut(vocabulary).zip(&mut counts.totals).zip(&members).for_each(
            |((words, total), members)| {
                for &d in members {
                    *total += count(counted, words, corpus.document(d), 1.0).0;
                }
            },
        );
        counts.documents = members.iter().map(|members| members.len() as f64).collect();
        Ok(counts)
    }

    /// Counts a document of a class. Words beyond the vocabulary are passed over: their number is the result.
    ///
    /// # Errors
    /// There is no such class.
    pub fn push(&mut self, document: Document<'_>, class: usize) -> Result<u64, Error> {
        self.push_weighted(document, class, 1.0)
    }

    /// Counts a document of a class as so many.
    ///
    /// # Errors
    /// There is no such class, or the weight is negative or not finite.
    pub fn push_weighted(&mut self, document: Document<'_>, class: usize, weight: f64) -> Result<u64, Error> {
        self.check_class(class)?;
        posterior_math::check::non_negative("ClassCounts", "weight", weight)?;
        Ok(self.add(document, class, weight))
    }

    /// Takes back a document that was counted.
    ///
    /// # Errors
    /// There is no such class, or it has no such document: the counts stay as they were.
    pub fn pop(&mut self, document: Document<'_>, class: usize) -> Result<u64, Error> {
        self.check_class(class)?;
        let words = self.words_of(class);
        let there = |(&word, &n): (&u32, &u32)| {
            words.get(word as usize).is_none_or(|&count| count >= weight_of(self.counted, n))
        };
        if self.documents[class] < 1.0 || !document.words.iter().zip(document.counts).all(there) {
            return Err(Error::Corpus(format!("class {class} has no such document")));
        }
        Ok(self.add(document, class, -1.0))
    }

    /// Adds the counts of another part of the documents.
    ///
    /// # Errors
    /// It counts something else, or other numbers of classes or words.
    pub fn merge(&mut self, other: &Self) -> Result<(), Error> {
        if self.counted != other.counted || self.shape() != other.shape() {
            return Err(Error::Corpus("counts of other words or classes cannot be added".to_owned()));
        }
        let pairs = [
            (&mut self.documents, &other.documents),
            (&mut self.totals, &other.totals),
            (&mut self.words, &other.words),
        ];
        for (own, other) in pairs {
            own.iter_mut().zip(other).for_each(|(own, other)| *own += other);
        }
        Ok(())
    }

    /// The same counts among more classes and words: class `c` is then `class_of[c]`, word `w` is
    /// `word_of[w]`, and what is new has no counts. To add counts of another vocabulary, spread both over all
    /// words.
    ///
    /// # Errors
    /// Not a new number for each class and word, one that is taken twice or is none; otherwise as
    /// [`new`](Self::new).
    pub fn spread(
        &self,
        (classes, class_of): (usize, &[usize]),
        (vocabulary, word_of): (usize, &[usize]),
    ) -> Result<Self, Error> {
        new_numbers("class", classes, (self.classes(), class_of))?;
        new_numbers("word", vocabulary, (self.vocabulary, word_of))?;
        let mut own = Self::new(self.counted, classes, vocabulary)?;
        for (class, &to) in class_of.iter().enumerate() {
            own.documents[to] = self.documents[class];
            own.totals[to] = self.totals[class];
            for (&n, &word) in self.words_of(class).iter().zip(word_of) {
                own.words[to * vocabulary + word] = n;
            }
        }
        Ok(own)
    }

    /// The counts with each document counted as so many, by its class.
    ///
    /// # Errors
    /// Not one weight for each class, or one that is negative or not finite.
    pub fn weighted(&self, weights: &[f64]) -> Result<Self, Error> {
        size("weights of classes", self.classes(), weights.len())?;
        posterior_math::check::each(weights, |weight| {
            posterior_math::check::non_negative("ClassCounts", "weight", weight)
        })?;
        let mut own = self.clone();
        for (class, &weight) in weights.iter().enumerate() {
            own.documents[class] *= weight;
            own.totals[class] *= weight;
            own.words[class * self.vocabulary..][..self.vocabulary].iter_mut().for_each(|n| *n *= weight);
        }
        Ok(own)
    }

    /// The kind of counts.
    pub const fn counted(&self) -> Counted {
        self.counted
    }

    /// The number of classes.
    pub const fn classes(&self) -> usize {
        self.documents.len()
    }

    /// The number of words of the vocabulary.
    pub const fn vocabulary(&self) -> usize {
        self.vocabulary
    }

    /// The documents of each class.
    pub fn documents(&self) -> &[f64] {
        &self.documents
    }

    /// The counts of all words of each class together.
    pub fn totals(&self) -> &[f64] {
        &self.totals
    }

    /// The counts of the words of a class, by word id.
    ///
    /// # Panics
    /// If there is no such class.
    #[track_caller]
    pub fn words_of(&self, class: usize) -> &[f64] {
        &self.words[class * self.vocabulary..][..self.vocabulary]
    }

    pub(super) fn check_class(&self, class: usize) -> Result<(), Error> {
        index("class", class, self.classes())
    }

    fn shape(&self) -> (usize, usize) {
        (self.classes(), self.vocabulary)
    }

    fn add(&mut self, document: Document<'_>, class: usize, weight: f64) -> u64 {
        let words = &mut self.words[class * self.vocabulary..][..self.vocabulary];
        let (sum, unknown) = count(self.counted, words, document, weight);
        self.totals[class] += sum;
        self.documents[class] += weight;
        unknown
    }
}

/// What a word that occurs `n` times counts.
pub(super) fn weight_of(counted: Counted, n: u32) -> f64 {
    match counted {
        Counted::Occurrences => f64::from(n),
        Counted::Presence => 1.0,
    }
}

/// Adds a document to the counts of its class: what it added, and its number of unknown words.
fn count(counted: Counted, words: &mut [f64], document: Document<'_>, weight: f64) -> (f64, u64) {
    let (mut sum, mut unknown) = (0.0, 0);
    for (&word, &n) in document.words.iter().zip(document.counts) {
        if let Some(own) = words.get_mut(word as usize) {
            let amount = weight * weight_of(counted, n);
            *own += amount;
            sum += amount;
        } else {
            unknown += u64::from(n);
        }
    }
    (sum, unknown)
}

/// Whether each of so many has a new number of its own.
pub(super) fn new_numbers(
    what: &'static str,
    all: usize,
    (count, numbers): (usize, &[usize]),
) -> Result<(), Error> {
    size("new numbers", count, numbers.len())?;
    let mut taken = vec![false; all];
    for &number in numbers {
        index(what, number, all)?;
        if std::mem::replace(&mut taken[number], true) {
            return Err(Error::Corpus(format!("{what} {number} is taken twice")));
        }
    }
    Ok(())
}

/// The documents of each class, in order.
fn members(labels: &[usize], classes: usize, documents: usize) -> Result<Vec<Vec<usize>>, Error> {
    labels_of_documents(documents, labels, "class", classes)?;
    let mut members = vec![Vec::new(); classes];
    for (document, &label) in labels.iter().enumerate() {
        members[label].push(document);
    }
    Ok(members)
}
