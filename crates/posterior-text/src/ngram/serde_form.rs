//! Models as data, checked on reading.

use serde::{Deserialize, Serialize};

use super::discounts::Discounting;
use super::model::NGramModel;
use super::table::{Base, Table};
use super::trie::Trie;
use super::vocabulary::{Boundaries, NgramVocabulary};
use crate::error::Error;

/// A model as it stands in a file: the tree of its n-grams breadth first, and the numbers of its nodes.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Written {
    symbols: usize,
    /// Whether beginnings and ends of sequences are marked.
    marked: bool,
    unknown: Option<usize>,
    /// Where each level of the tree begins, and the number of nodes.
    levels: Vec<u32>,
    /// The last symbol of each node.
    last: Vec<u32>,
    /// Where the children of each node begin, and the number of nodes.
    first_child: Vec<u32>,
    probability: Vec<f64>,
    remainder: Vec<f64>,
    /// Whether what was not seen has the same probability for all outcomes, not that of the shorter context.
    uniform: bool,
    discounting: Vec<Discounting>,
}

impl From<NGramModel> for Written {
    fn from(model: NGramModel) -> Self {
        let NGramModel { vocabulary, trie, table, discounting } = model;
        Self {
            symbols: vocabulary.symbols(),
            marked: vocabulary.boundaries() == Boundaries::Marked,
            unknown: vocabulary.unknown(),
            levels: trie.levels,
            last: trie.symbols,
            first_child: trie.first_child,
            probability: table.probability,
            remainder: table.remainder,
            uniform: table.base != Base::Shorter,
            discounting,
        }
    }
}

impl TryFrom<Written> for NGramModel {
    type Error = Error;

    fn try_from(written: Written) -> Result<Self, Error> {
        let boundaries = if written.marked { Boundaries::Marked } else { Boundaries::Open };
        let mut vocabulary = NgramVocabulary::new(written.symbols)?.with_boundaries(boundaries);
        if let Some(unknown) = written.unknown {
            vocabulary = vocabulary.with_unknown(unknown)?;
        }
        written
            .check(vocabulary.marks())
            .map_err(|message| Error::Corpus(format!("no n-gram model: {message}")))?;
        let base = if written.uniform { Base::Uniform(vocabulary.outcomes()) } else { Base::Shorter };
        let Written { levels, last, first_child, probability, remainder, discounting, .. } = written;
        let table = Table { probability, remainder, base };
        let mut trie = Trie { symbols: last, first_child, suffix: Vec::new(), levels };
        trie.link();
        Ok(Self { vocabulary, trie, table, discounting })
    }
}

impl Written {
    /// Whether this is a tree of n-grams of so many marks with a probability for each.
    fn check(&self, marks: usize) -> Result<(), String> {
        let nodes = self.last.len();
        let sizes = [
            ("children", nodes + 1, self.first_child.len()),
            ("probabilities", nodes, self.probability.len()),
            ("remainders", nodes, self.remainder.len()),
        ];
        if let Some((what, wanted, found)) = sizes.into_iter().find(|(_, wanted, found)| wanted != found) {
            return Err(format!("{found} {what} where {wanted} are expected"));
        }
        let number = |at: Option<&u32>| at.map_or(usize::MAX, |&at| at as usize);
        let whole = (3..=257).contains(&self.levels.len())
            && self.levels.is_sorted()
            && self.first_child.is_sorted()
            && number(self.levels.first()) == 0
            && number(self.levels.get(1)) == 1
            && number(self.levels.get(2)) == marks + 1
            && number(self.levels.last()) == nodes
            && number(self.first_child.last()) == nodes
            // The children of a level are the next one; those of the last are none.
            && self.levels.windows(2).all(|pair| number(self.first_child.get(pair[0] as usize)) == pair[1] as usize);
        if !whole {
            return Err("its levels are no tree".to_owned());
        }
        let first = &self.last[1..=marks];
        let mut places = first.iter().enumerate();
        let sorted = |pair: &[u32]| {
            self.last[pair[0] as usize..pair[1] as usize].is_sorted_by(|before, symbol| before < symbol)
        };
        let known = self.last.iter().all(|&symbol| (symbol as usize) < marks);
        if !known
            || !places.all(|(at, &symbol)| at == symbol as usize)
            || !self.first_child.windows(2).all(sorted)
        {
            return Err("the symbols of its nodes are not in order".to_owned());
        }
        // Rounding may leave a probability just above one.
        let possible = self.probability.iter().all(|own| (0.0..=1.0 + 1e-9).contains(own))
            && self.remainder.iter().all(|own| *own >= 0.0 && own.is_finite());
        if possible { Ok(()) } else { Err("a probability or a remainder is none".to_owned()) }
    }
}
