//! Counting: positions are sorted by the n-grams which begin there, one symbol at a time.

use posterior_math::check::ParamError;

use super::trie::Trie;
use super::vocabulary::NgramVocabulary;
use crate::error::Error;

/// What comes after each sequence; sorts last.
const STOP: u32 = u32::MAX;

/// All n-grams of up to `order` symbols in `text`, and how often each of them occurs.
///
/// A node has a range of positions; sorting them by the symbol that comes next splits the range into those of
/// its children. O(n T log T) for T symbols, and less where n-grams repeat; memory for one number a symbol
/// beside the text and the result.
pub(super) fn count(
    text: &[u32],
    vocabulary: NgramVocabulary,
    order: usize,
) -> Result<(Trie, Vec<u32>), ParamError> {
    let (mut positions, mut ranges) = single_symbols(text, vocabulary.marks());
    let mut symbols = vec![0];
    symbols.extend(0..vocabulary.marks() as u32);
    let mut counts = vec![ranges.iter().map(Range::count).sum()];
    counts.extend(ranges.iter().map(Range::count));
    let mut first_child = vec![1];
    let mut levels = vec![0, 1, symbols.len() as u32];
    for length in 1..=order {
        let mut next = Vec::new();
        for range in &ranges {
            first_child.push(fits(symbols.len())?);
            if length < order {
                let positions = &mut positions[range.from as usize..range.to as usize];
                let ahead = |position: u32| text[position as usize + length];
                if positions.len() > 1 {
                    positions.sort_unstable_by_key(|&position| ahead(position));
                }
                let mut from = range.from;
                for run in positions.chunk_by(|&a, &b| ahead(a) == ahead(b)) {
                    let to = from + run.len() as u32;
                    if ahead(run[0]) != STOP {
                        symbols.push(ahead(run[0]));
                        counts.push(to - from);
                        next.push(Range { from, to });
                    }
                    from = to;
                }
            }
        }
        if length < order {
            levels.push(fits(symbols.len())?);
            ranges = next;
        }
    }
    first_child.push(fits(symbols.len())?);
    let mut trie = Trie { symbols, first_child, suffix: Vec::new(), levels };
    trie.link();
    Ok((trie, counts))
}

/// Where in the sorted positions an n-gram is.
struct Range {
    from: u32,
    to: u32,
}

impl Range {
    fn count(&self) -> u32 {
        self.to - self.from
    }
}

/// Sequences with their marks, one after the other, each before a stop.
pub(super) struct Text {
    vocabulary: NgramVocabulary,
    symbols: Vec<u32>,
    sequences: usize,
}

impl Text {
    pub(super) fn with_capacity(vocabulary: NgramVocabulary, capacity: usize) -> Self {
        Self { vocabulary, symbols: Vec::with_capacity(capacity), sequences: 0 }
    }

    /// The position of the first symbol that is none, or too many of them, is an error.
    pub(super) fn push(&mut self, sequence: impl IntoIterator<Item = usize>) -> Result<(), Error> {
        let vocabulary = self.vocabulary;
        fits(self.symbols.len() + 3)?;
        self.symbols.extend(vocabulary.begin().map(|begin| begin as u32));
        for (position, symbol) in sequence.into_iter().enumerate() {
            if symbol >= vocabulary.symbols() {
                return Err(vocabulary.unknown_symbol(self.sequences, position, symbol));
            }
            fits(self.symbols.len() + 3)?;
            self.symbols.push(symbol as u32);
        }
        self.symbols.extend(vocabulary.end().map(|end| end as u32));
        self.symbols.push(STOP);
        self.sequences += 1;
        Ok(())
    }

    pub(super) fn into_symbols(mut self) -> Vec<u32> {
        self.symbols.shrink_to_fit();
        self.symbols
    }
}

/// The positions sorted by their symbol, and the range of each symbol.
fn single_symbols(text: &[u32], marks: usize) -> (Vec<u32>, Vec<Range>) {
    let mut ends = vec![0_u32; marks];
    for &symbol in text.iter().filter(|&&symbol| symbol != STOP) {
        ends[symbol as usize] += 1;
    }
    let mut sum = 0;
    let mut ranges: Vec<Range> = Vec::with_capacity(marks);
    for &count in &ends {
        ranges.push(Range { from: sum, to: sum + count });
        sum += count;
    }
    let mut place: Vec<u32> = ranges.iter().map(|range| range.from).collect();
    let mut positions = vec![0; sum as usize];
    for (position, &symbol) in text.iter().enumerate().filter(|&(_, &symbol)| symbol != STOP) {
        positions[place[symbol as usize] as usize] = position as u32;
        place[symbol as usize] += 1;
    }
    (positions, ranges)
}

/// A number of symbols or n-grams, if it has 32 bits.
fn fits(number: usize) -> Result<u32, ParamError> {
    u32::try_from(number).ok().filter(|&number| number != STOP).ok_or_else(|| {
        ParamError::new("NGramCounts", "symbols and n-grams", number as f64, "fewer than 2^32 - 1")
    })
}
