//! Pairs of words that stand together more often than by chance: "united states" as one word.

use std::collections::BTreeMap;

use posterior_math::check;
use posterior_math::log_space::x_ln_y;

use super::sequences::WordSequences;
use crate::Error;
use crate::checks::index;

/// By what pairs are judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum PhraseScore {
    /// Dunning's (1993) log-likelihood ratio G² = 2 Σ n ln(n/E) of the table "first word or not, second word
    /// or not": about χ² with one degree of freedom for words that are independent, so that large numbers are
    /// sure. Only pairs more frequent than expected.
    LogLikelihoodRatio,
    /// Pointwise mutual information over its largest value, ln(p₁₂/p₁p₂)/-ln p₁₂ (Bouma 2009): 1 for words
    /// that come only together, 0 for independent ones.
    NormalizedMutualInformation,
}

/// Options that say which pairs become phrases.
#[derive(Debug, Clone, PartialEq)]
pub struct PhraseOptions {
    /// By what pairs are judged (default: the log-likelihood ratio).
    pub score: PhraseScore,
    /// The least score (default: 15.13, which independent words pass once in 10,000 times).
    pub min_score: f64,
    /// The least number of occurrences of the pair (default: 5).
    pub min_count: u64,
}

impl Default for PhraseOptions {
    fn default() -> Self {
        Self { score: PhraseScore::LogLikelihoodRatio, min_score: 15.13, min_count: 5 }
    }
}

impl PhraseOptions {
    /// The same with another way to judge, and its least score.
    #[must_use]
    pub fn with_score(self, score: PhraseScore, min_score: f64) -> Self {
        Self { score, min_score, ..self }
    }
}

/// Two words that often stand together.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Phrase {
    /// The first word.
    pub first: u32,
    /// The second word.
    pub second: u32,
    /// The number of times that the second follows the first.
    pub count: u64,
    /// The score that the options judge by.
    pub score: f64,
}

impl WordSequences {
    /// The pairs of adjacent words that pass, the highest score first.
    ///
    /// # Errors
    /// The least score is NaN.
    pub fn phrases(&self, options: &PhraseOptions) -> Result<Vec<Phrase>, Error> {
        check::require(
            !options.min_score.is_nan(),
            "PhraseOptions",
            "min_score",
            options.min_score,
            "a number",
        )?;
        let words = self.vocabulary().len();
        let (mut firsts, mut seconds) = (vec![0_u64; words], vec![0_u64; words]);
        let mut pairs = Vec::new();
        for document in self.documents() {
            for pair in document.windows(2) {
                firsts[pair[0] as usize] += 1;
                seconds[pair[1] as usize] += 1;
                pairs.push((pair[0], pair[1]));
            }
        }
        let all = pairs.len() as f64;
        pairs.sort_unstable();
        let scored = pairs.chunk_by(|a, b| a == b).map(|same| {
            let (first, second) = same[0];
            let count = same.len() as u64;
            let margins = (firsts[first as usize] as f64, seconds[second as usize] as f64);
            Phrase { first, second, count, score: score(options.score, count as f64, margins, all) }
        });
        let passes =
            |phrase: &Phrase| phrase.count >= options.min_count.max(1) && phrase.score >= options.min_score;
        let mut phrases: Vec<Phrase> = scored.filter(passes).collect();
        phrases
            .sort_by(|a, b| b.score.total_cmp(&a.score).then((a.first, a.second).cmp(&(b.first, b.second))));
        Ok(phrases)
    }

    /// The same documents with each of these pairs as one word, such as `united_states`, from left to right;
    /// where pairs overlap, the one with the higher score wins against the next. Joining again finds longer
    /// phrases. Words of which none is left go; the vocabulary stays in alphabetical order.
    ///
    /// # Errors
    /// A phrase has a word id outside of the vocabulary.
    pub fn join(&self, phrases: &[Phrase]) -> Result<Self, Error> {
        let size = self.vocabulary().len();
        let mut scores = BTreeMap::new();
        for phrase in phrases {
            index("word", phrase.first.max(phrase.second) as usize, size)?;
            scores.insert((phrase.first, phrase.second), phrase.score);
        }
        let documents: Vec<Vec<Token>> =
            self.documents().iter().map(|document| joined(document, &scores)).collect();
        let text = |token: Token| match token {
            Token::Word(word) => self.vocabulary()[word as usize].clone(),
            Token::Pair(a, b) => {
                format!("{}_{}", self.vocabulary()[a as usize], self.vocabulary()[b as usize])
            }
        };
        // A pair may spell a word that is there already: then both are one.
        let mut used: Vec<Token> = documents.iter().flatten().copied().collect();
        used.sort_unstable();
        used.dedup();
        let spelt: BTreeMap<Token, String> = used.into_iter().map(|token| (token, text(token))).collect();
        let mut vocabulary: Vec<String> = spelt.values().cloned().collect();
        vocabulary.sort_unstable();
        vocabulary.dedup();
        let id = |token: &Token| vocabulary.binary_search(&spelt[token]).unwrap_or_default() as u32;
        let ids: BTreeMap<Token, u32> = spelt.keys().map(|token| (*token, id(token))).collect();
        let documents =
            documents.iter().map(|document| document.iter().map(|token| ids[token]).collect()).collect();
        Self::new(vocabulary, self.names().to_vec(), documents)
    }
}

/// A word, or two that became one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Token {
    Word(u32),
    Pair(u32, u32),
}

fn joined(document: &[u32], scores: &BTreeMap<(u32, u32), f64>) -> Vec<Token> {
    let score = |at: usize| {
        let pair = document.get(at..at + 2)?;
        scores.get(&(pair[0], pair[1])).copied()
    };
    let mut tokens = Vec::with_capacity(document.len());
    let mut at = 0;
    while at < document.len() {
        let next = score(at + 1).unwrap_or(f64::NEG_INFINITY);
        match score(at) {
            Some(own) if own >= next => {
                tokens.push(Token::Pair(document[at], document[at + 1]));
                at += 2;
            }
            _ => {
                tokens.push(Token::Word(document[at]));
                at += 1;
            }
        }
    }
    tokens
}

/// The score of a pair of `count` occurrences, whose words are first and second of so many pairs of all.
fn score(kind: PhraseScore, count: f64, (first, second): (f64, f64), all: f64) -> f64 {
    let expected = first / all * second;
    match kind {
        PhraseScore::NormalizedMutualInformation if count == all => 1.0,
        PhraseScore::NormalizedMutualInformation => (count / expected).ln() / (all / count).ln(),
        PhraseScore::LogLikelihoodRatio if count <= expected => 0.0,
        PhraseScore::LogLikelihoodRatio => {
            let (rest, other) = (all - first, all - second);
            let cells = [
                (count, first, second),
                (first - count, first, other),
                (second - count, rest, second),
                (all - first - second + count, rest, other),
            ];
            let term = |&(n, row, column): &(f64, f64, f64)| x_ln_y(n, n / (row / all * column));
            2.0 * cells.iter().filter(|cell| cell.0 > 0.0).map(term).sum::<f64>()
        }
    }
}
