//! One document: the sticks of its tokens, and the topics of its sticks.

use posterior_math::linalg::dot;
use posterior_math::log_space::{softmax_in_place, x_ln_x};

use super::options::HdpOnlineOptions;
use super::sticks::BrokenSticks;
use crate::distributions::heaviest_first;

/// What a batch takes the topics for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Topics<'a> {
    /// Expected logarithms of the weights.
    pub(super) ln_weights: &'a [f64],
    /// Expected logarithms of the probabilities of words, words of the batch x topics.
    pub(super) ln_words: &'a [f64],
}

impl<'a> Topics<'a> {
    fn count(self) -> usize {
        self.ln_weights.len()
    }

    fn of_word(self, row: usize) -> &'a [f64] {
        &self.ln_words[row * self.count()..][..self.count()]
    }
}

/// What a document says.
#[derive(Debug)]
pub(super) struct Read {
    /// Expected tokens by topic of each distinct word, word after word.
    pub(super) tokens: Vec<f64>,
    /// Expected sticks by topic.
    pub(super) sticks: Vec<f64>,
    /// Expected proportions of topics.
    pub(super) proportions: Vec<f64>,
    /// Its terms of the bound.
    pub(super) bound: f64,
}

/// The factors of a document.
struct Factors {
    /// Sticks of tokens, distinct words x sticks.
    stick_of_word: Vec<f64>,
    /// Topics of sticks, sticks x topics.
    topic_of_stick: Vec<f64>,
    sticks: BrokenSticks,
}

/// Reads a document: rows of [`Topics::ln_words`] of its distinct words, and how often each is there.
pub(super) fn read(words: &[(usize, f64)], topics: Topics<'_>, options: &HdpOnlineOptions) -> Read {
    let mut factors = start(words, topics, options);
    let mut expected = vec![0.0; topics.count()];
    for _ in 0..options.document_steps {
        factors.give_sticks(words, topics);
        let on_sticks = factors.tokens_on_sticks(words);
        factors.sticks = BrokenSticks::new(on_sticks.iter().copied(), options.alpha);
        factors.give_topics(words, topics);
        let mut next = vec![0.0; topics.count()];
        for (topic_of_stick, tokens) in factors.topics_by_stick(topics).zip(&on_sticks) {
            for (sum, p) in next.iter_mut().zip(topic_of_stick) {
                *sum += tokens * p;
            }
        }
        let change: f64 = expected.iter().zip(&next).map(|(a, b)| (a - b).abs()).sum();
        expected = next;
        if change <= options.document_tolerance * expected.len() as f64 {
            break;
        }
    }
    factors.finish(words, topics)
}

/// The heaviest topics of the tokens, if each token had one for itself, on a stick each.
fn start(words: &[(usize, f64)], topics: Topics<'_>, options: &HdpOnlineOptions) -> Factors {
    let mut weights = vec![0.0; topics.count()];
    for &(row, count) in words {
        let mut own: Vec<f64> =
            topics.of_word(row).iter().zip(topics.ln_weights).map(|(a, b)| a + b).collect();
        softmax_in_place(&mut own);
        for (sum, p) in weights.iter_mut().zip(own) {
            *sum += count * p;
        }
    }
    let order = heaviest_first(&weights);
    let mut topic_of_stick = vec![0.0; options.sticks * topics.count()];
    for (stick, row) in topic_of_stick.chunks_exact_mut(topics.count()).enumerate() {
        row[order[stick.min(order.len() - 1)]] = 1.0;
    }
    Factors {
        stick_of_word: vec![0.0; words.len() * options.sticks],
        topic_of_stick,
        sticks: BrokenSticks::new(std::iter::repeat_n(0.0, options.sticks), options.alpha),
    }
}

impl Factors {
    fn count(&self) -> usize {
        self.sticks.weights.len()
    }

    fn topics_by_stick(&self, topics: Topics<'_>) -> std::slice::ChunksExact<'_, f64> {
        self.topic_of_stick.chunks_exact(topics.count())
    }

    fn give_sticks(&mut self, words: &[(usize, f64)], topics: Topics<'_>) {
        let count = self.count();
        for (&(row, _), own) in words.iter().zip(self.stick_of_word.chunks_exact_mut(count)) {
            let ln_words = topics.of_word(row);
            let by_stick = self.topic_of_stick.chunks_exact(topics.count()).zip(&self.sticks.ln_weights);
            for (p, (topic_of_stick, ln_weight)) in own.iter_mut().zip(by_stick) {
                *p = dot(topic_of_stick, ln_words) + ln_weight;
            }
            softmax_in_place(own);
        }
    }

    fn tokens_on_sticks(&self, words: &[(usize, f64)]) -> Vec<f64> {
        let mut sums = vec![0.0; self.count()];
        for (&(_, count), own) in words.iter().zip(self.stick_of_word.chunks_exact(sums.len())) {
            for (sum, p) in sums.iter_mut().zip(own) {
                *sum += count * p;
            }
        }
        sums
    }

    fn give_topics(&mut self, words: &[(usize, f64)], topics: Topics<'_>) {
        let count = self.count();
        for (stick, own) in self.topic_of_stick.chunks_exact_mut(topics.count()).enumerate() {
            own.copy_from_slice(topics.ln_weights);
            for (&(row, tokens), stick_of_word) in words.iter().zip(self.stick_of_word.chunks_exact(count)) {
                let tokens = tokens * stick_of_word[stick];
                for (sum, ln_word) in own.iter_mut().zip(topics.of_word(row)) {
                    *sum += tokens * ln_word;
                }
            }
            softmax_in_place(own);
        }
    }

    fn finish(self, words: &[(usize, f64)], topics: Topics<'_>) -> Read {
        let count = topics.count();
        let mut read = Read {
            tokens: vec![0.0; words.len() * count],
            sticks: vec![0.0; count],
            proportions: vec![0.0; count],
            bound: -self.sticks.divergence,
        };
        for (own, weight) in self.topics_by_stick(topics).zip(&self.sticks.weights) {
            for (k, &p) in own.iter().enumerate() {
                read.sticks[k] += p;
                read.proportions[k] += weight * p;
                read.bound += p * topics.ln_weights[k] - x_ln_x(p);
            }
        }
        let sticks_of_words = self.stick_of_word.chunks_exact(self.count());
        for ((&(row, tokens), own), sums) in
            words.iter().zip(sticks_of_words).zip(read.tokens.chunks_exact_mut(count))
        {
            for ((topic_of_stick, &p), ln_weight) in
                self.topics_by_stick(topics).zip(own).zip(&self.sticks.ln_weights)
            {
                let tokens = tokens * p;
                let ln_word = dot(topic_of_stick, topics.of_word(row));
                read.bound += tokens * (ln_word + ln_weight - if p > 0.0 { p.ln() } else { 0.0 });
                for (sum, topic) in sums.iter_mut().zip(topic_of_stick) {
                    *sum += tokens * topic;
                }
            }
        }
        read
    }
}
