//! Probabilities of n-grams that are in a tree, and what becomes of the others.

use super::trie::{ROOT, Trie};

/// The state of a context: the place in a model's tree of the longest sequence of last symbols after which
/// it has seen something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Context {
    pub(crate) node: u32,
    /// The number of symbols so far, of which no more than n - 1 count.
    pub(crate) length: u32,
}

impl Context {
    /// Nothing is known of what was before.
    pub(crate) const EMPTY: Self = Self { node: ROOT as u32, length: 0 };
}

/// Where the probability of a symbol comes from that was not seen in a context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Base {
    /// The context without its oldest symbol.
    Shorter,
    /// The uniform distribution over so many outcomes.
    Uniform(usize),
}

/// The distribution of the next symbol in every context.
///
/// After a context that is a node of the tree, a child has its probability, and any other symbol that of the
/// base times the node's remainder.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Table {
    /// Of each node, p(last symbol | the others).
    pub(crate) probability: Vec<f64>,
    /// Of each node as a context, the factor of the base's probabilities.
    pub(crate) remainder: Vec<f64>,
    pub(crate) base: Base,
}

impl Table {
    /// The probability of `symbol` after the context at `node`, for which the base is that of shorter
    /// contexts, and the child with it.
    fn search(&self, trie: &Trie, mut node: usize, symbol: usize) -> (f64, usize) {
        let mut factor = 1.0;
        loop {
            if let Some(child) = trie.child(node, symbol) {
                return (factor * self.probability[child], child);
            }
            factor *= self.remainder[node];
            node = trie.suffix(node);
        }
    }

    /// The probability of `symbol` and the context after it.
    pub(crate) fn step(&self, trie: &Trie, context: Context, symbol: usize) -> (f64, Context) {
        let (mut probability, child) = self.search(trie, context.node as usize, symbol);
        if let Base::Uniform(outcomes) = self.base {
            let (node, uniform) = (context.node as usize, 1.0 / outcomes as f64);
            if !Self::is_whole(trie, context) {
                probability = uniform;
            } else if trie.child(node, symbol).is_none() {
                probability = self.remainder[node] * uniform;
            }
        }
        let node = trie.context_at(child) as u32;
        (probability, Context { node, length: context.length.saturating_add(1) })
    }

    /// Whether the tree knows all of the symbols that count of a context.
    fn is_whole(trie: &Trie, context: Context) -> bool {
        let counted = (context.length as usize).min(trie.order() - 1);
        trie.depth(context.node as usize) == counted
    }

    /// The distribution of the next symbol: `out` has one number for each outcome.
    pub(crate) fn predict(&self, trie: &Trie, context: Context, out: &mut [f64]) {
        match self.base {
            Base::Uniform(outcomes) => {
                let node = context.node as usize;
                let whole = Self::is_whole(trie, context);
                out.fill(if whole { self.remainder[node] } else { 1.0 } / outcomes as f64);
                if whole {
                    self.overwrite(trie, node, out);
                }
            }
            Base::Shorter => self.predict_node(trie, context.node as usize, out),
        }
    }

    /// The distribution after the context at `node`, from the empty one up.
    pub(crate) fn predict_node(&self, trie: &Trie, node: usize, out: &mut [f64]) {
        if node != ROOT {
            self.predict_node(trie, trie.suffix(node), out);
            for probability in &mut *out {
                *probability *= self.remainder[node];
            }
        }
        self.overwrite(trie, node, out);
    }

    fn overwrite(&self, trie: &Trie, node: usize, out: &mut [f64]) {
        for child in trie.children(node) {
            // The mark of the beginning comes last, after all outcomes.
            if let Some(out) = out.get_mut(trie.symbols[child] as usize) {
                *out = self.probability[child];
            }
        }
    }
}
