//! Separation in undirected graphs: every path meets the set.

use std::collections::VecDeque;

use super::{ActivePath, Link, Separation};
use crate::marks::Marks;
use crate::{Error, UnGraph, VarId};

impl UnGraph {
    /// Whether every path between `x` and `y` meets `given`, and if not, a path that does not. O(V + E).
    ///
    /// Separated sets are independent given the third in every distribution that is a product of functions of
    /// cliques. An empty set is separated from everything.
    ///
    /// ```
    /// use posterior_graph::UnGraph;
    ///
    /// let voters = UnGraph::named(["A", "B", "C", "D"], [("A", "B"), ("B", "C"), ("C", "D"), ("D", "A")])?;
    /// let [a, b, c, d] = [0, 1, 2, 3].map(posterior_graph::VarId::new);
    /// assert!(voters.separation(&[a], &[c], &[b, d])?.is_separated());
    /// assert_eq!(voters.separation(&[a], &[c], &[b])?.path().unwrap().to_string(), "A - D - C");
    /// # Ok::<(), posterior_graph::Error>(())
    /// ```
    ///
    /// # Errors
    /// A variable that does not exist, or is in two of the sets.
    pub fn separation(&self, x: &[VarId], y: &[VarId], given: &[VarId]) -> Result<Separation, Error> {
        let [x, y, given] = Marks::disjoint(self.names(), [x, y, given])?;
        let mut search = Search::new(self);
        Ok(match search.run(&x, &given, |v| y.contains(v)) {
            Some(last) => Separation::Active(search.path(last)),
            None => Separation::Separated,
        })
    }

    /// All variables that `given` does not separate from `x`, without `x` and `given` themselves. O(V + E).
    ///
    /// # Errors
    /// A variable that does not exist, or is in both sets.
    pub fn connected_to(&self, x: &[VarId], given: &[VarId]) -> Result<Vec<VarId>, Error> {
        let [x, given] = Marks::disjoint(self.names(), [x, given])?;
        let mut search = Search::new(self);
        search.run(&x, &given, |_| false);
        let is_answer = |v: &VarId| search.came_from[v.index()].is_some() && !x.contains(*v);
        Ok(self.variables().filter(is_answer).collect())
    }
}

/// Breadth first search that does not enter a set.
struct Search<'a> {
    graph: &'a UnGraph,
    /// From where each variable was reached: itself at the start.
    came_from: Vec<Option<VarId>>,
}

impl<'a> Search<'a> {
    fn new(graph: &'a UnGraph) -> Self {
        Self { graph, came_from: vec![None; graph.len()] }
    }

    /// The first goal found.
    fn run(&mut self, starts: &Marks, given: &Marks, is_goal: impl Fn(VarId) -> bool) -> Option<VarId> {
        let mut queue: VecDeque<VarId> = starts.sorted().into();
        for &v in &queue {
            self.came_from[v.index()] = Some(v);
        }
        while let Some(v) = queue.pop_front() {
            if is_goal(v) {
                return Some(v);
            }
            for &w in self.graph.neighbours(v) {
                if self.came_from[w.index()].is_none() && !given.contains(w) {
                    self.came_from[w.index()] = Some(v);
                    queue.push_back(w);
                }
            }
        }
        None
    }

    /// The path that ends with `last`.
    fn path(&self, last: VarId) -> ActivePath {
        let mut nodes = vec![last];
        let mut at = last;
        while let Some(before) = self.came_from[at.index()].filter(|&before| before != at) {
            nodes.push(before);
            at = before;
        }
        nodes.reverse();
        let links = vec![Link::Undirected; nodes.len() - 1];
        ActivePath { names: self.graph.names().clone(), nodes, links, colliders: Vec::new() }
    }
}
