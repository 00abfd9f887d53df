//! A set of n-grams as a tree in which an n-gram stands below its first n - 1 symbols.

use std::ops::Range;

/// n-grams of all lengths up to an order, breadth first; the children of a node are sorted by their symbol.
///
/// Node 0 is the empty context. Its children are all marks, whether seen or not: mark s is node 1 + s. With
/// an n-gram all of its prefixes are there.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Trie {
    /// The last symbol of each node.
    pub(crate) symbols: Vec<u32>,
    /// Where the children of each node begin; one number more than nodes.
    pub(crate) first_child: Vec<u32>,
    /// The node of the longest proper suffix which is in the tree.
    pub(crate) suffix: Vec<u32>,
    /// Where each level begins, from that of the root on; the last number is the number of nodes.
    pub(crate) levels: Vec<u32>,
}

/// The node of the empty context.
pub(crate) const ROOT: usize = 0;

impl Trie {
    /// The number of symbols of the longest n-grams that may be there.
    pub(crate) fn order(&self) -> usize {
        self.levels.len() - 2
    }

    pub(crate) fn nodes(&self) -> usize {
        self.symbols.len()
    }

    /// The nodes of n-grams of `length` symbols.
    pub(crate) fn level(&self, length: usize) -> Range<usize> {
        self.levels[length] as usize..self.levels[length + 1] as usize
    }

    /// The number of symbols of a node's n-gram.
    pub(crate) fn depth(&self, node: usize) -> usize {
        self.levels.partition_point(|&first| first as usize <= node) - 1
    }

    pub(crate) fn children(&self, node: usize) -> Range<usize> {
        self.first_child[node] as usize..self.first_child[node + 1] as usize
    }

    pub(crate) fn has_children(&self, node: usize) -> bool {
        self.first_child[node] < self.first_child[node + 1]
    }

    pub(crate) fn child(&self, node: usize, symbol: usize) -> Option<usize> {
        let children = self.children(node);
        if node == ROOT {
            return (symbol < children.len()).then(|| children.start + symbol);
        }
        let symbol = u32::try_from(symbol).ok()?;
        let place = self.symbols[children.clone()].binary_search(&symbol).ok()?;
        Some(children.start + place)
    }

    pub(crate) fn suffix(&self, node: usize) -> usize {
        self.suffix[node] as usize
    }

    /// The node of an n-gram.
    pub(crate) fn find(&self, ngram: &[usize]) -> Option<usize> {
        ngram.iter().try_fold(ROOT, |node, &symbol| self.child(node, symbol))
    }

    /// The longest suffix of a node, perhaps itself, after which something was seen.
    pub(crate) fn context_at(&self, mut node: usize) -> usize {
        while node != ROOT && !self.has_children(node) {
            node = self.suffix(node);
        }
        node
    }

    /// The n-gram of a node.
    pub(crate) fn ngram(&self, mut node: usize) -> Vec<usize> {
        let mut ngram = Vec::new();
        while node != ROOT {
            ngram.push(self.symbols[node] as usize);
            // The last node whose children begin at or before this one: nodes without children begin where
            // the next ones do.
            node = self.first_child.partition_point(|&first| first as usize <= node) - 1;
        }
        ngram.reverse();
        ngram
    }

    /// Finds the suffixes of all nodes, level by level.
    pub(crate) fn link(&mut self) {
        self.suffix = vec![ROOT as u32; self.nodes()];
        for length in 1..self.order() {
            for parent in self.level(length) {
                for child in self.children(parent) {
                    self.suffix[child] = self.longest_suffix(parent, child) as u32;
                }
            }
        }
    }

    fn longest_suffix(&self, parent: usize, child: usize) -> usize {
        let symbol = self.symbols[child] as usize;
        let mut context = self.suffix(parent);
        loop {
            if let Some(node) = self.child(context, symbol) {
                return node;
            }
            // The root has all symbols.
            context = self.suffix(context);
        }
    }

    /// The same with some nodes only, and which node each of them was: those of which `keep` is true, and all
    /// of the first level.
    ///
    /// A node is left out with all below it.
    pub(crate) fn retain(&self, keep: impl Fn(usize) -> bool) -> (Self, Vec<u32>) {
        let mut old: Vec<u32> = (0..self.levels[2]).collect();
        let mut levels = self.levels[..3].to_vec();
        let mut first_child = vec![1];
        for length in 1..=self.order() {
            for node in levels[length] as usize..levels[length + 1] as usize {
                first_child.push(old.len() as u32);
                let children = self.children(old[node] as usize);
                old.extend(children.filter(|&child| keep(child)).map(|child| child as u32));
            }
            if length < self.order() {
                levels.push(old.len() as u32);
            }
        }
        first_child.push(old.len() as u32);
        let symbols = old.iter().map(|&node| self.symbols[node as usize]).collect();
        let mut trie = Self { symbols, first_child, suffix: Vec::new(), levels };
        trie.link();
        (trie, old)
    }
}
