//! Words drawn by their frequency, and written with noise.

use posterior::datasets::sotu;
use posterior::dist::AliasTable;
use posterior::dist::stream::stream;
use rand::distr::Distribution;
use rand::{Rng, RngExt};

use super::SEED;
use super::glyphs::Ink;
use crate::Outcome;

/// Words that come less often are left out.
const LEAST: f64 = 50.0;
/// Letters of a word.
const LENGTHS: std::ops::RangeInclusive<usize> = 3..=12;
/// One word of so many is held out, and never learned from.
const HELD_OUT: usize = 5;

/// Words and how often each comes.
pub(super) struct WordList {
    words: Vec<(Vec<usize>, f64)>,
    table: AliasTable,
}

impl WordList {
    pub(super) fn new(words: Vec<(Vec<usize>, f64)>) -> Outcome<Self> {
        let counts: Vec<f64> = words.iter().map(|(_, count)| *count).collect();
        Ok(Self { words, table: AliasTable::from_weights(&counts)? })
    }

    /// The words, each with its count.
    pub(super) fn words(&self) -> &[(Vec<usize>, f64)] {
        &self.words
    }
}

/// The words of the addresses in two lists without a common word: to learn from, and to be read.
pub(super) fn word_lists() -> Outcome<[WordList; 2]> {
    let sotu = sotu::load();
    let mut counts = vec![0.0; sotu.vocabulary.len()];
    for &(word, count) in sotu.addresses.iter().flat_map(|address| &address.counts) {
        counts[word as usize] += f64::from(count);
    }
    let plain = |word: &str| word.bytes().all(|letter| letter.is_ascii_lowercase());
    let all = sotu.vocabulary.iter().zip(counts);
    let fit = all.filter(|(word, count)| LENGTHS.contains(&word.len()) && plain(word) && *count >= LEAST);
    let (mut learned, mut held_out) = (Vec::new(), Vec::new());
    for (place, (word, count)) in fit.enumerate() {
        let list = if place % HELD_OUT == HELD_OUT - 1 { &mut held_out } else { &mut learned };
        list.push((word.bytes().map(|letter| usize::from(letter - b'a')).collect(), count));
    }
    Ok([WordList::new(learned)?, WordList::new(held_out)?])
}

/// A word as it is meant and as it is written.
pub(super) struct Word {
    pub(super) letters: Vec<usize>,
    pub(super) ink: Vec<Ink>,
}

/// What writes: each pixel comes out the wrong way round with this probability, whatever the others do.
#[derive(Clone, Copy)]
pub(super) struct Pen {
    pub(super) flip: f64,
}

impl Pen {
    fn write(self, glyphs: &[Ink], letters: &[usize], rng: &mut impl Rng) -> Word {
        let ink = |&letter: &usize| glyphs[letter].map(|ink| ink ^ rng.random_bool(self.flip));
        Word { letters: letters.to_vec(), ink: letters.iter().map(ink).collect() }
    }

    /// So many words of a list; another `number`, others.
    pub(super) fn words(self, glyphs: &[Ink], list: &WordList, count: usize, number: u64) -> Vec<Word> {
        let rng = &mut stream(SEED, &[number]);
        let word = |_| {
            let (letters, _) = &list.words[list.table.sample(rng)];
            self.write(glyphs, letters, rng)
        };
        (0..count).map(word).collect()
    }
}
