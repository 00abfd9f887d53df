//! Blocks of variables: every one its own, or trees that cover all.

use super::DependentBlocks;
use crate::sliced::Sliced;

/// The free variables, each in one block.
pub(super) fn blocks(sliced: &Sliced, kind: DependentBlocks) -> Vec<Vec<usize>> {
    let free = (0..sliced.locals.len()).filter(|&v| !sliced.locals[v].is_empty());
    match kind {
        DependentBlocks::Variables => free.map(|v| vec![v]).collect(),
        DependentBlocks::Trees => trees(sliced, free.collect()),
    }
}

/// A variable joins a tree if just one factor joins it to the tree: then the factors within stay without a
/// loop.
fn trees(sliced: &Sliced, free: Vec<usize>) -> Vec<Vec<usize>> {
    let mut readers: Vec<Vec<usize>> = vec![Vec::new(); sliced.locals.len()];
    for (s, factor) in sliced.factors.iter().enumerate() {
        for v in factor.scope() {
            readers[v.index()].push(s);
        }
    }
    let mut tree_of: Vec<Option<usize>> = vec![None; sliced.locals.len()];
    let mut trees: Vec<Vec<usize>> = Vec::new();
    for root in free {
        if tree_of[root].is_some() {
            continue;
        }
        let own = trees.len();
        tree_of[root] = Some(own);
        let mut tree = vec![root];
        let mut done = 0;
        while done < tree.len() {
            for &s in &readers[tree[done]] {
                for u in sliced.factors[s].scope().iter().map(|u| u.index()) {
                    let touches = |s: &&usize| {
                        sliced.factors[**s].scope().iter().any(|w| tree_of[w.index()] == Some(own))
                    };
                    if tree_of[u].is_none() && readers[u].iter().filter(touches).count() == 1 {
                        tree_of[u] = Some(own);
                        tree.push(u);
                    }
                }
            }
            done += 1;
        }
        tree.sort_unstable();
        trees.push(tree);
    }
    trees
}
