//! Why a text is said to be of a class: contributions that add up.

use posterior_math::special::ln_rising_factorial;

use super::class_counts::weight_of;
use super::model::{NaiveBayes, ln_poisson};
use super::options::EventModel;
use crate::Error;
use crate::corpus::Document;

/// ln p(class | text)/p(against | text) as a sum.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ClassExplanation {
    /// The difference of the two scores, which is explained.
    pub ln_odds: f64,
    /// The contribution of the frequencies of the classes.
    pub prior: f64,
    /// The contribution of the length of the text; of the Pólya model with the denominators of its words.
    pub length: f64,
    /// The contribution of all words that are not in the text: of the Bernoulli model.
    pub absent: f64,
    /// The contribution of each word of the text, the strongest first.
    pub words: Vec<Contribution>,
}

/// The contribution of a word of a text.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Contribution {
    /// The word.
    pub word: u32,
    /// Its occurrences, of the Bernoulli model 1.
    pub count: u32,
    /// The logarithm of the odds that they add for the class (above 0) or against it.
    pub ln_odds: f64,
}

impl ClassExplanation {
    /// All contributions together: [`ln_odds`](Self::ln_odds) but for rounding.
    pub fn sum(&self) -> f64 {
        let words: f64 = self.words.iter().map(|word| word.ln_odds).sum();
        self.prior + self.length + self.absent + words
    }
}

impl NaiveBayes {
    /// Explains why the text is of `class` and not of `against`. `None` if it is impossible in both.
    ///
    /// # Errors
    /// There are no such classes.
    pub fn explain(
        &self,
        document: Document<'_>,
        class: usize,
        against: usize,
    ) -> Result<Option<ClassExplanation>, Error> {
        self.counts.check_class(class)?;
        self.counts.check_class(against)?;
        let scores = self.ln_joint(document);
        if scores[class] == f64::NEG_INFINITY && scores[against] == f64::NEG_INFINITY {
            return Ok(None);
        }
        let known = |&(word, _): &(u32, u32)| (word as usize) < self.counts.vocabulary;
        let counted = |(&word, &n): (&u32, &u32)| (word, weight_of(self.counts.counted, n) as u32);
        let words: Vec<(u32, u32)> =
            document.words.iter().zip(document.counts).map(counted).filter(known).collect();
        let tokens = words.iter().map(|&(_, n)| u64::from(n)).sum();
        let contribution = |&(word, count): &(u32, u32)| {
            let ln_odds = self.ln_word(word, count, class) - self.ln_word(word, count, against);
            Contribution { word, count, ln_odds }
        };
        let mut contributions: Vec<Contribution> = words.iter().map(contribution).collect();
        contributions.sort_by(|a, b| b.ln_odds.abs().total_cmp(&a.ln_odds.abs()));
        Ok(Some(ClassExplanation {
            ln_odds: scores[class] - scores[against],
            prior: self.ln_prior[class] - self.ln_prior[against],
            length: self.ln_length(tokens, class) - self.ln_length(tokens, against),
            absent: self.ln_absent(&words, class, against),
            words: contributions,
        }))
    }

    /// What a word of a text adds to the score of a class.
    fn ln_word(&self, word: u32, n: u32, class: usize) -> f64 {
        let count = self.counts.words_of(class)[word as usize] + self.options.smoothing;
        match self.options.model {
            EventModel::Bernoulli => {
                (count / (self.counts.documents[class] + 2.0 * self.options.smoothing)).ln()
            }
            EventModel::Polya => ln_rising_factorial(count, u64::from(n)),
            EventModel::Multinomial | EventModel::Complement | EventModel::NormalizedComplement => {
                f64::from(n) * self.weights.by_word[word as usize * self.classes() + class]
            }
        }
    }

    fn ln_length(&self, tokens: u64, class: usize) -> f64 {
        let mut ln = self.mean_lengths.as_ref().map_or(0.0, |means| ln_poisson(tokens, means[class]));
        if self.options.model == EventModel::Polya {
            let prior = self.options.smoothing * self.counts.vocabulary as f64;
            ln -= ln_rising_factorial(self.counts.totals[class] + prior, tokens);
        }
        ln
    }

    /// What the words of the vocabulary say that are not among `present`.
    fn ln_absent(&self, present: &[(u32, u32)], class: usize, against: usize) -> f64 {
        if self.options.model != EventModel::Bernoulli {
            return 0.0;
        }
        let mut present = present.iter().map(|&(word, _)| word).peekable();
        let add = self.options.smoothing;
        let ln = |class: usize, n: f64| {
            let documents = self.counts.documents[class];
            (((documents - n).max(0.0) + add) / (documents + 2.0 * add)).ln()
        };
        let pairs = self.counts.words_of(class).iter().zip(self.counts.words_of(against));
        let absent = (0..).zip(pairs).filter(|(word, _)| present.next_if_eq(word).is_none());
        absent.map(|(_, (&own, &other))| ln(class, own) - ln(against, other)).sum()
    }
}
