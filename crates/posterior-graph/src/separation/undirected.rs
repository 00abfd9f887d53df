//! Separation in undirected graphs: every path meets the set.

use std::collections::VecDeque;

use super::{ActivePath, Link, Separation};
use crate::marks::Marks;
use crate::{Error, UnGraph, VarId};

impl UnGraph {
    /// Whether every path between `x` and `y` meets `given`, and if not, a path that does not. O(V + E).
    ///
    /// Separated sets are independent given the third in every law that is a product of functions of cliques. An empty
    /// set is separated from everything.
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
        let mut queue: VecDeque<VarId> = x.sorted().into();
        let mut came_from = vec![None; self.len()];
        for &v in &queue {
            came_from[v.index()] = Some(v);
        }
        while let Some(v) = queue.pop_front() {
            if y.contains(v) {
                return Ok(Separation::Active(self.path(v, &came_from)));
            }
            for &w in self.neighbours(v) {
                if came_from[w.index()].is_none() && !given.contains(w) {
                    came_from[w.index()] = Some(v);
                    queue.push_back(w);
                }
            }
        }
        Ok(Separation::Separated)
    }

    /// The path to `last`, along which each variable knows the one before.
    fn path(&self, last: VarId, came_from: &[Option<VarId>]) -> ActivePath {
        let mut nodes = vec![last];
        let mut at = last;
        while let Some(before) = came_from[at.index()].filter(|&before| before != at) {
            nodes.push(before);
            at = before;
        }
        nodes.reverse();
        let links = vec![Link::Undirected; nodes.len() - 1];
        ActivePath { names: self.names().clone(), nodes, links, colliders: Vec::new() }
    }
}
