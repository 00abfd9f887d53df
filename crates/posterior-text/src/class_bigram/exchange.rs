//! Counts of classes, and what a move of one symbol changes.

use std::cmp::Reverse;

use crate::ngram::NGramCounts;

/// Symbols in the order of their counts, the most frequent first.
pub(super) fn by_frequency(counts: &NGramCounts) -> Vec<usize> {
    let mut symbols: Vec<usize> = (0..counts.vocabulary().symbols()).collect();
    symbols.sort_by_key(|&symbol| (Reverse(counts.counts[1 + symbol]), symbol));
    symbols
}

/// A gain that is not more than this proportion of the counts that it moves is rounding.
const ROUNDING: f64 = 1e-12;

/// Classes and all counts that follow from them.
///
/// The marks are one more class, which precedes as the beginning and follows as the end.
#[derive(Debug, Clone)]
pub(super) struct Exchange {
    pub(super) class: Vec<usize>,
    pub(super) classes: usize,
    /// How often a class follows a class, by rows of C + 1.
    pub(super) pairs: Vec<u32>,
    /// How often each class precedes.
    pub(super) precedes: Vec<u64>,
    /// How often each class follows.
    pub(super) follows: Vec<u64>,
    members: Vec<usize>,
    successors: Neighbours,
    predecessors: Neighbours,
    /// Σ n ln n over symbols by how often they follow.
    symbols_term: f64,
    scratch: [Vec<u32>; 2],
}

/// For each mark, who comes next to it and how often.
#[derive(Debug, Clone)]
struct Neighbours {
    starts: Vec<usize>,
    of: Vec<(u32, u32)>,
}

impl Neighbours {
    /// From pairs (mark, neighbour, count).
    fn new(marks: usize, pairs: &[(u32, u32, u32)]) -> Self {
        let mut starts = vec![0; marks + 1];
        for &(mark, ..) in pairs {
            starts[mark as usize + 1] += 1;
        }
        for mark in 0..marks {
            starts[mark + 1] += starts[mark];
        }
        let mut place = starts.clone();
        let mut of = vec![(0, 0); pairs.len()];
        for &(mark, neighbour, count) in pairs {
            of[place[mark as usize]] = (neighbour, count);
            place[mark as usize] += 1;
        }
        Self { starts, of }
    }

    fn of(&self, mark: usize) -> &[(u32, u32)] {
        &self.of[self.starts[mark]..self.starts[mark + 1]]
    }

    fn total(&self, mark: usize) -> u64 {
        self.of(mark).iter().map(|&(_, count)| u64::from(count)).sum()
    }
}

impl Exchange {
    pub(super) fn new(counts: &NGramCounts, class: Vec<usize>, classes: usize) -> Self {
        let (vocabulary, trie) = (counts.vocabulary(), &counts.trie);
        let mut bigrams = Vec::with_capacity(trie.level(2).len());
        for before in 0..vocabulary.marks() {
            for child in trie.children(1 + before) {
                bigrams.push((before as u32, trie.symbols[child], counts.counts[child]));
            }
        }
        let successors = Neighbours::new(vocabulary.marks(), &bigrams);
        for bigram in &mut bigrams {
            *bigram = (bigram.1, bigram.0, bigram.2);
        }
        let predecessors = Neighbours::new(vocabulary.marks(), &bigrams);
        let width = classes + 1;
        let mut exchange = Self {
            classes,
            pairs: vec![0; width * width],
            precedes: vec![0; width],
            follows: vec![0; width],
            members: vec![0; width],
            successors,
            predecessors,
            symbols_term: 0.0,
            scratch: [vec![0; width], vec![0; width]],
            class,
        };
        for &(after, before, count) in &bigrams {
            let (g, h) = (exchange.class_of(before), exchange.class_of(after));
            exchange.pairs[g * width + h] += count;
            exchange.precedes[g] += u64::from(count);
            exchange.follows[h] += u64::from(count);
        }
        for symbol in 0..vocabulary.marks() {
            let follows: u64 = exchange.predecessors.total(symbol);
            exchange.symbols_term += n_ln_n(follows);
        }
        for &class in &exchange.class {
            exchange.members[class] += 1;
        }
        exchange
    }

    /// The class of a symbol or mark.
    fn class_of(&self, mark: u32) -> usize {
        self.class.get(mark as usize).copied().unwrap_or(self.classes)
    }

    /// How often `symbol` follows anything.
    pub(super) fn times_follows(&self, symbol: usize) -> u64 {
        self.predecessors.total(symbol)
    }

    /// ln p of all bigrams under relative frequencies of classes after classes and symbols in classes.
    pub(super) fn ln_likelihood(&self) -> f64 {
        let pairs: f64 = self.pairs.iter().map(|&count| n_ln_n(u64::from(count))).sum();
        let precedes: f64 = self.precedes.iter().map(|&count| n_ln_n(count)).sum();
        let follows: f64 = self.follows.iter().map(|&count| n_ln_n(count)).sum();
        pairs - precedes - follows + self.symbols_term
    }

    /// Moves a symbol to the class that makes the text most probable; says whether it was another one.
    pub(super) fn visit(&mut self, symbol: usize) -> bool {
        let own = self.class[symbol];
        // A class of one can only be merged with another, which never helps.
        if self.members[own] == 1 {
            return false;
        }
        let [mut after, mut before] = std::mem::take(&mut self.scratch);
        let loops = self.beside(symbol, &mut after, &mut before);
        let touched: Vec<usize> =
            (0..=self.classes).filter(|&class| after[class] > 0 || before[class] > 0).collect();
        let moved = Moved {
            precedes: self.successors.total(symbol),
            follows: self.predecessors.total(symbol),
            loops,
            after: &after,
            before: &before,
            touched: &touched,
        };
        self.shift(own, &moved, false);
        let stay = self.gain(own, &moved);
        let (mut best, mut highest) = (own, stay);
        for class in (0..self.classes).filter(|&class| class != own) {
            let gain = self.gain(class, &moved);
            if gain > highest {
                (best, highest) = (class, gain);
            }
        }
        let scale = (moved.precedes + moved.follows) as f64 * (2.0 + stay.abs());
        if highest - stay <= ROUNDING * scale {
            best = own;
        }
        self.shift(best, &moved, true);
        self.scratch = [after, before];
        self.class[symbol] = best;
        self.members[own] -= 1;
        self.members[best] += 1;
        best != own
    }

    /// How often the classes come after and before a symbol, without itself; gives how often it comes after
    /// itself.
    fn beside(&self, symbol: usize, after: &mut [u32], before: &mut [u32]) -> u32 {
        after.fill(0);
        before.fill(0);
        let mut loops = 0;
        for &(next, count) in self.successors.of(symbol) {
            if next as usize == symbol {
                loops = count;
            } else {
                after[self.class_of(next)] += count;
            }
        }
        for &(last, count) in self.predecessors.of(symbol) {
            if last as usize != symbol {
                before[self.class_of(last)] += count;
            }
        }
        loops
    }

    /// Adds a symbol's counts to those of a class, or takes them away.
    fn shift(&mut self, class: usize, moved: &Moved<'_>, enters: bool) {
        let width = self.classes + 1;
        let change = |count: &mut u32, by: u32| *count = if enters { *count + by } else { *count - by };
        for &other in moved.touched {
            change(&mut self.pairs[class * width + other], moved.after[other]);
            change(&mut self.pairs[other * width + class], moved.before[other]);
        }
        change(&mut self.pairs[class * width + class], moved.loops);
        for (total, by) in
            [(&mut self.precedes[class], moved.precedes), (&mut self.follows[class], moved.follows)]
        {
            *total = if enters { *total + by } else { *total - by };
        }
    }

    /// By how much ln p grows when a symbol that is in no class enters this one, up to what is the same for
    /// all.
    fn gain(&self, class: usize, moved: &Moved<'_>) -> f64 {
        let width = self.classes + 1;
        let growth = |count: u32, by: u32| match by {
            0 => 0.0,
            _ => n_ln_n(u64::from(count + by)) - n_ln_n(u64::from(count)),
        };
        let mut gain = 0.0;
        for &other in moved.touched.iter().filter(|&&other| other != class) {
            gain += growth(self.pairs[class * width + other], moved.after[other]);
            gain += growth(self.pairs[other * width + class], moved.before[other]);
        }
        let within = moved.after[class] + moved.before[class] + moved.loops;
        gain += growth(self.pairs[class * width + class], within);
        let [precedes, follows] = [self.precedes[class], self.follows[class]];
        gain -= n_ln_n(precedes + moved.precedes) - n_ln_n(precedes);
        gain - (n_ln_n(follows + moved.follows) - n_ln_n(follows))
    }
}

/// What goes with a symbol from class to class.
struct Moved<'a> {
    precedes: u64,
    follows: u64,
    loops: u32,
    after: &'a [u32],
    before: &'a [u32],
    touched: &'a [usize],
}

/// n ln n, 0 for 0.
fn n_ln_n(n: u64) -> f64 {
    if n < 2 { 0.0 } else { n as f64 * (n as f64).ln() }
}
