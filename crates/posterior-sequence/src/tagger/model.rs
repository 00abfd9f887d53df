//! The model: what words say of their tags, and which tags follow each other.

use std::collections::BTreeMap;

use posterior_math::check;
use posterior_math::linalg::DMatrix;

use super::decode;
use super::suffixes::{Suffixes, updated};
use super::transitions::TagDistributions;
use crate::chain::{Edges, LinearChain, Marginals, Transitions};
use crate::error::Error;
use posterior_text::alphabet::Alphabet;

/// Words with their tags.
pub type TaggedSentence = Vec<(String, String)>;

/// The tags that a tag depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TagContext {
    /// The one before.
    One,
    /// The two before.
    #[default]
    Two,
}

/// Options of counting and finding tags.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TaggerOptions {
    /// The tags that a tag depends on.
    pub context: TagContext,
    /// Concentration of the Dirichlet priors of the tag after others.
    pub transitions: f64,
    /// Concentration of the Dirichlet priors of the tag of a word.
    pub words: f64,
    /// Concentration of the Dirichlet priors of the tag of an ending.
    pub endings: f64,
    /// Letters of the longest ending.
    pub longest_ending: usize,
    /// Words that come more often say nothing of words never seen.
    pub rare: usize,
    /// Tags that a word makes less probable than the best by more than this factor are not looked at; 0 looks
    /// at all.
    pub beam: f64,
}

impl Default for TaggerOptions {
    /// Two tags, endings of up to 7 letters of words that come at most 10 times, a beam of 10⁻⁵.
    fn default() -> Self {
        Self {
            context: TagContext::Two,
            transitions: 20.0,
            words: 1.0,
            endings: 2.0,
            longest_ending: 7,
            rare: 10,
            beam: 1e-5,
        }
    }
}

/// A tagger that has counted.
#[derive(Debug, Clone, PartialEq)]
pub struct Tagger {
    options: TaggerOptions,
    tags: Alphabet,
    words: Alphabet,
    /// How often each word has each tag, as pairs of a tag and a count.
    counts: Vec<Vec<(usize, f64)>>,
    /// The same of words in lower case.
    folded: BTreeMap<String, Vec<f64>>,
    suffixes: Suffixes,
    transitions: TagDistributions,
    /// ln p(tag).
    ln_tags: Vec<f64>,
}

impl Tagger {
    /// Counts sentences whose tags are known. One pass, O(tokens · letters).
    ///
    /// # Errors
    /// If there is no word, or a concentration is not positive and finite, or the beam not in [0, 1).
    pub fn fit(sentences: &[TaggedSentence], options: &TaggerOptions) -> Result<Self, Error> {
        check::positive("TaggerOptions", "transitions", options.transitions)?;
        check::positive("TaggerOptions", "words", options.words)?;
        check::positive("TaggerOptions", "endings", options.endings)?;
        check::require(
            (0.0..1.0).contains(&options.beam),
            "TaggerOptions",
            "beam",
            options.beam,
            "at least 0 and below 1",
        )?;
        let (mut tags, mut words) = (Alphabet::new(), Alphabet::new());
        let mut counts: Vec<Vec<(usize, f64)>> = Vec::new();
        let mut tagged: Vec<Vec<usize>> = Vec::with_capacity(sentences.len());
        for sentence in sentences {
            let mut of_sentence = Vec::with_capacity(sentence.len());
            for (word, tag) in sentence {
                let (word, tag) = (words.insert(word), tags.insert(tag));
                counts.resize_with(words.len(), Vec::new);
                match counts[word].iter_mut().find(|(known, _)| *known == tag) {
                    Some((_, count)) => *count += 1.0,
                    None => counts[word].push((tag, 1.0)),
                }
                of_sentence.push(tag);
            }
            tagged.push(of_sentence);
        }
        let k = tags.len();
        if k == 0 {
            return Err(Error::TooFew { what: "a tagger", needed: "a word with its tag" });
        }
        let mut all = vec![0.0; k];
        let mut folded: BTreeMap<String, Vec<f64>> = BTreeMap::new();
        for (word, counts) in words.iter().zip(&counts) {
            let of_word = folded.entry(word.to_lowercase()).or_insert_with(|| vec![0.0; k]);
            for &(tag, count) in counts {
                all[tag] += count;
                of_word[tag] += count;
            }
        }
        let mut suffixes = Suffixes::new(k, options.longest_ending, options.endings);
        for (sentence, tags) in sentences.iter().zip(&tagged) {
            for (position, ((word, _), &tag)) in sentence.iter().zip(tags).enumerate() {
                let known = words.get(word).map_or(&[][..], |word| counts[word].as_slice());
                let often: f64 = known.iter().map(|(_, count)| count).sum();
                if often <= options.rare as f64 {
                    suffixes.push(word, position == 0, tag, 1.0);
                }
            }
        }
        let transitions = TagDistributions::count(
            tagged.iter().map(Vec::as_slice),
            k,
            options.context == TagContext::Two,
            options.transitions,
        );
        let tokens: f64 = all.iter().sum();
        let ln_tags = all.iter().map(|count| (count / tokens).ln()).collect();
        Ok(Self { options: *options, tags, words, counts, folded, suffixes, transitions, ln_tags })
    }

    /// The tags, in the order in which they were met.
    pub const fn tags(&self) -> &Alphabet {
        &self.tags
    }

    /// Whether a word was counted, in this very form.
    pub fn knows(&self, word: &str) -> bool {
        self.words.get(word).is_some()
    }

    /// The distribution of tags of words never seen.
    pub const fn suffixes(&self) -> &Suffixes {
        &self.suffixes
    }

    /// p(tag | word), without its neighbours.
    pub fn distribution(&self, word: &str, first: bool) -> Vec<f64> {
        let mut distribution = self.suffixes.distribution(word, first);
        if let Some(counts) = self.folded.get(&word.to_lowercase()) {
            distribution = updated(counts, &distribution, self.options.words);
        }
        if let Some(word) = self.words.get(word) {
            let mut counts = vec![0.0; distribution.len()];
            self.counts[word].iter().for_each(|&(tag, count)| counts[tag] = count);
            distribution = updated(&counts, &distribution, self.options.words);
        }
        distribution
    }

    /// The most probable tags of a sentence, as numbers. Of equally probable ones the first met.
    pub fn tag<W: AsRef<str>>(&self, words: &[W]) -> Vec<usize> {
        let nodes = self.ln_nodes(words);
        let least = self.options.beam.ln();
        let candidates = nodes.chunks_exact(self.tags.len()).map(|nodes| {
            let best = nodes.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            (0..nodes.len()).filter(|&tag| nodes[tag] - best >= least).collect()
        });
        decode::most_probable(&self.transitions, &nodes, &candidates.collect::<Vec<_>>())
    }

    /// The most probable tags of a sentence by name.
    pub fn tag_names<W: AsRef<str>>(&self, words: &[W]) -> Vec<&str> {
        self.tag(words).into_iter().filter_map(|tag| self.tags.name(tag)).collect()
    }

    /// The probability of each tag of each word of a sentence given all of it, by forward and backward
    /// messages.
    ///
    /// Where a tag depends on two, states are pairs of tags: O(K³) a word.
    ///
    /// # Errors
    /// Never for sentences of words; those of the chain are passed on.
    pub fn marginals<W: AsRef<str>>(&self, words: &[W]) -> Result<Marginals, Error> {
        let (k, nodes) = (self.tags.len(), self.ln_nodes(words));
        let pairs = if self.options.context == TagContext::One { 1 } else { k };
        let states = pairs * k;
        let (ln_initial, edges, ln_nodes) = self.chain_scores(&nodes, pairs);
        let mut marginals =
            LinearChain::new(&ln_initial, Edges::Same(&Transitions::from_ln(&edges)?), &ln_nodes)?
                .marginals();
        // Sums over the tag before.
        let of_tags = marginals.nodes.chunks_exact(states).flat_map(|nodes| {
            (0..k).map(|tag| nodes.iter().skip(tag).step_by(k).sum::<f64>()).collect::<Vec<_>>()
        });
        marginals.nodes = of_tags.collect();
        Ok(marginals)
    }

    /// The scores of a chain whose states are tags, or pairs of a tag and the one before.
    fn chain_scores(&self, nodes: &[f64], pairs: usize) -> (Vec<f64>, DMatrix<f64>, Vec<f64>) {
        let k = self.tags.len();
        let mark = self.transitions.mark();
        let states = pairs * k;
        let length = nodes.len() / k;
        // In the first pair the one before does not matter: it is the first tag.
        let ln_initial = (0..states).map(|state| {
            if state < k { self.transitions.ln_row(mark, mark)[state] } else { f64::NEG_INFINITY }
        });
        let edges = DMatrix::from_fn(states, states, |from, to| {
            let (before, last, next) = (from / k, from % k, to % k);
            if pairs > 1 && to / k != last {
                return f64::NEG_INFINITY;
            }
            self.transitions.ln_row(before, last)[next]
        });
        let mut ln_nodes = Vec::with_capacity(length * states);
        for (t, nodes) in nodes.chunks_exact(k).enumerate() {
            for state in 0..states {
                let (before, tag) = (state / k, state % k);
                let mut score = nodes[tag];
                if t == 1 && pairs > 1 {
                    // The step from the first word had the wrong tag before it.
                    score +=
                        self.transitions.ln_row(mark, before)[tag] - self.transitions.ln_row(0, before)[tag];
                }
                if t + 1 == length {
                    let before = if t == 0 { mark } else { before };
                    score += self.transitions.ln_row(before, tag)[mark];
                }
                ln_nodes.push(score);
            }
        }
        (ln_initial.collect(), edges, ln_nodes)
    }

    /// ln p(tag | word) / p(tag), K numbers a word.
    fn ln_nodes<W: AsRef<str>>(&self, words: &[W]) -> Vec<f64> {
        let mut nodes = Vec::with_capacity(words.len() * self.tags.len());
        for (position, word) in words.iter().enumerate() {
            let distribution = self.distribution(word.as_ref(), position == 0);
            nodes.extend(distribution.iter().zip(&self.ln_tags).map(|(p, ln_tag)| p.ln() - ln_tag));
        }
        nodes
    }
}

#[cfg(test)]
mod tests;
