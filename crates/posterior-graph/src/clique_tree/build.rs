//! Making junction trees, and refusing what is none.

use super::CliqueTree;
use crate::adjacency::Adjacency;
use crate::triangulation::Triangulation;
use crate::var_lists::VarLists;
use crate::{Error, Names, VarId};

impl Triangulation {
    /// The junction tree of the maximal cliques, with their numbers. O(sizes of the cliques).
    pub fn clique_tree(&self) -> CliqueTree {
        let mut edges = Vec::new();
        let mut separators = VarLists::new();
        for (clique, parent) in self.parents().iter().enumerate() {
            if let Some(parent) = *parent {
                edges.push((clique.min(parent), clique.max(parent)));
                separators.push(self.separators().row(clique).iter().copied());
            }
        }
        assemble(self.names().clone(), self.clique_lists().clone(), edges, separators)
    }
}

impl CliqueTree {
    /// A junction tree of given cliques, with edges that make the separators as large as can be (a spanning
    /// tree of maximum weight, Jensen & Jensen 1994; Kruskal's, the least numbers among equals). O(p log p),
    /// with p the number of pairs of cliques that share a variable.
    ///
    /// # Errors
    /// A variable that does not exist or comes twice in a clique, an empty clique, a clique inside another;
    /// and cliques of which no junction tree exists, because they are not those of a chordal graph.
    pub fn from_cliques<S: AsRef<[VarId]>>(
        names: Names,
        cliques: impl IntoIterator<Item = S>,
    ) -> Result<Self, Error> {
        let (cliques, holders) = check_cliques(&names, cliques)?;
        let mut pairs = overlaps(&cliques, &holders);
        refuse_nested(&cliques, &pairs)?;
        pairs.sort_by_key(|&(a, b, shared)| (std::cmp::Reverse(shared), a, b));
        let mut trees: Vec<usize> = (0..cliques.len()).collect();
        let mut edges = Vec::with_capacity(cliques.len());
        for (a, b, _) in pairs {
            let (tree_a, tree_b) = (root_of(&mut trees, a), root_of(&mut trees, b));
            if tree_a != tree_b {
                trees[tree_a.max(tree_b)] = tree_a.min(tree_b);
                edges.push((a, b));
            }
        }
        edges.sort_unstable();
        Self::checked(names, cliques, edges)
    }

    /// These cliques, joined by these edges.
    ///
    /// # Errors
    /// A variable or clique that does not exist, a variable that comes twice in a clique, an empty clique;
    /// edges between cliques that share nothing, or that close a circle; and a variable whose cliques are not
    /// connected, which breaks the running intersection property.
    pub fn from_edges<S: AsRef<[VarId]>>(
        names: Names,
        cliques: impl IntoIterator<Item = S>,
        edges: impl IntoIterator<Item = (usize, usize)>,
    ) -> Result<Self, Error> {
        let (cliques, _) = check_cliques(&names, cliques)?;
        let edges: Vec<(usize, usize)> = edges.into_iter().map(|(a, b)| (a.min(b), a.max(b))).collect();
        let len = cliques.len();
        let mut trees: Vec<usize> = (0..len).collect();
        for &(a, b) in &edges {
            if b >= len {
                return Err(Error::UnknownClique { index: b, len });
            }
            let (tree_a, tree_b) = (root_of(&mut trees, a), root_of(&mut trees, b));
            if tree_a == tree_b {
                return Err(Error::CircleOfCliques { edge: (a, b) });
            }
            trees[tree_a] = tree_b;
        }
        Self::checked(names, cliques, edges)
    }

    /// In a forest of cliques the separators that hold a variable are one less than its cliques exactly if
    /// they are connected.
    fn checked(names: Names, cliques: VarLists, edges: Vec<(usize, usize)>) -> Result<Self, Error> {
        let mut excess = vec![0_usize; names.len()];
        for v in cliques.iter().flatten() {
            excess[v.index()] += 1;
        }
        let mut separators = VarLists::new();
        for &(a, b) in &edges {
            let shared = cliques.row(a).iter().filter(|v| cliques.row(b).binary_search(v).is_ok());
            separators.push(shared.copied());
            if separators.last_mut().is_empty() {
                return Err(Error::NothingShared { edge: (a, b) });
            }
            for v in separators.last_mut() {
                excess[v.index()] -= 1;
            }
        }
        if let Some(v) = excess.iter().position(|&trees| trees > 1) {
            return Err(Error::RunningIntersection { name: names.get(VarId::new(v)).to_owned() });
        }
        Ok(assemble(names, cliques, edges, separators))
    }
}

fn assemble(names: Names, cliques: VarLists, edges: Vec<(usize, usize)>, separators: VarLists) -> CliqueTree {
    let ends = edges
        .iter()
        .enumerate()
        .flat_map(|(edge, &(a, b))| [(VarId::new(a), VarId::new(edge)), (VarId::new(b), VarId::new(edge))]);
    let incident = Adjacency::new(cliques.len(), &ends.collect::<Vec<_>>());
    let holders = holders(&names, &cliques);
    CliqueTree { names, cliques, edges, separators, incident, holders }
}

/// The cliques that hold each variable.
fn holders(names: &Names, cliques: &VarLists) -> Adjacency {
    let mut pairs = Vec::with_capacity(cliques.items());
    for (c, clique) in cliques.iter().enumerate() {
        pairs.extend(clique.iter().map(|&v| (v, VarId::new(c))));
    }
    Adjacency::new(names.len(), &pairs)
}

fn check_cliques<S: AsRef<[VarId]>>(
    names: &Names,
    cliques: impl IntoIterator<Item = S>,
) -> Result<(VarLists, Adjacency), Error> {
    let len = names.len();
    let mut lists = VarLists::new();
    for clique in cliques {
        if let Some(v) = clique.as_ref().iter().find(|v| v.index() >= len) {
            return Err(Error::UnknownVariable { index: v.index(), len });
        }
        if clique.as_ref().is_empty() {
            return Err(Error::EmptyClique { index: lists.len() });
        }
        lists.push(clique.as_ref().iter().copied());
        let row = lists.last_mut();
        row.sort_unstable();
        if let Some(pair) = row.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(Error::RepeatedVariable { name: names.get(pair[0]).to_owned(), context: "a clique" });
        }
    }
    let holders = holders(names, &lists);
    Ok((lists, holders))
}

/// All pairs of cliques a < b that share a variable, and how many they share.
fn overlaps(cliques: &VarLists, holders: &Adjacency) -> Vec<(usize, usize, usize)> {
    let mut shared = vec![0; cliques.len()];
    let mut pairs = Vec::new();
    for (b, clique) in cliques.iter().enumerate() {
        let first = pairs.len();
        for &v in clique {
            for a in holders.of(v).iter().map(|c| c.index()).take_while(|&a| a < b) {
                if shared[a] == 0 {
                    pairs.push((a, b, 0));
                }
                shared[a] += 1;
            }
        }
        for pair in &mut pairs[first..] {
            pair.2 = std::mem::take(&mut shared[pair.0]);
        }
    }
    pairs
}

fn refuse_nested(cliques: &VarLists, pairs: &[(usize, usize, usize)]) -> Result<(), Error> {
    for &(a, b, shared) in pairs {
        if shared == cliques.row(a).len() {
            return Err(Error::NestedCliques { inner: a, outer: b });
        }
        if shared == cliques.row(b).len() {
            return Err(Error::NestedCliques { inner: b, outer: a });
        }
    }
    Ok(())
}

/// The representative of the tree of `c`; the path to it is halved.
fn root_of(trees: &mut [usize], mut c: usize) -> usize {
    while trees[c] != c {
        trees[c] = trees[trees[c]];
        c = trees[c];
    }
    c
}
