//! d-separation by reachability over pairs of a variable and the direction of arrival.

use std::collections::VecDeque;

use super::{ActivePath, Collider, Link, Separation};
use crate::marks::Marks;
use crate::{Dag, Error, VarId};

impl Dag {
    /// Whether `given` d-separates `x` from `y`, and if not, an active path between them. O(V + E).
    ///
    /// A path is active if each of its colliders is in `given` or has a descendant there, and none of its
    /// other variables is in `given` (Pearl 1988, *Probabilistic Reasoning in Intelligent Systems*, §3.3).
    /// Separated sets are independent in every distribution that factorises over the graph; sets that are not
    /// are dependent in almost all of them. An empty set is separated from everything.
    ///
    /// ```
    /// use posterior_graph::Dag;
    ///
    /// let student = Dag::named(["D", "I", "G", "L"], [("D", "G"), ("I", "G"), ("G", "L")])?;
    /// let id = |name| student.names().require(name);
    /// assert!(student.separation(&[id("D")?], &[id("I")?], &[])?.is_separated());
    /// let dependent = student.separation(&[id("D")?], &[id("I")?], &[id("L")?])?;
    /// assert_eq!(dependent.path().unwrap().to_string(), "D -> G <- I (L below G is observed)");
    /// # Ok::<(), posterior_graph::Error>(())
    /// ```
    ///
    /// # Errors
    /// A variable that does not exist, or is in two of the sets.
    pub fn separation(&self, x: &[VarId], y: &[VarId], given: &[VarId]) -> Result<Separation, Error> {
        let [x, y, given] = Marks::disjoint(self.names(), [x, y, given])?;
        let mut search = Search::new(self, given);
        Ok(match search.run(&x, |v| y.contains(v)) {
            Some(last) => Separation::Active(search.path(last)),
            None => Separation::Separated,
        })
    }

    /// All variables that `given` does not d-separate from `x`, without `x` and `given` themselves. O(V + E).
    ///
    /// # Errors
    /// A variable that does not exist, or is in both sets.
    pub fn d_connected_to(&self, x: &[VarId], given: &[VarId]) -> Result<Vec<VarId>, Error> {
        let [x, given] = Marks::disjoint(self.names(), [x, given])?;
        let mut search = Search::new(self, given);
        let all = search.run(&x, |_| false);
        debug_assert!(all.is_none(), "nothing stops the search");
        let reached = |v: VarId| [Arrival::Up, Arrival::Down].iter().any(|&a| search.seen(v, a));
        let is_answer = |v: &VarId| reached(*v) && !x.contains(*v) && !search.given.contains(*v);
        Ok(self.variables().filter(is_answer).collect())
    }
}

/// How a walk came to a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Arrival {
    /// From one of its children, or it began here.
    Up,
    /// From one of its parents.
    Down,
}

/// Breadth first search over (variable, arrival).
///
/// It follows walks, which may visit a variable twice, but a shortest one never does: cutting out the loop at
/// a variable leaves an active walk. (If the cut makes the variable a collider that it was not, then the loop
/// left and came back along arrows out of it, so it has a collider below, whose observed descendant opens
/// this one too.)
struct Search<'a> {
    dag: &'a Dag,
    given: Marks,
    /// The nearest observed variable at or below each: what opens a collider.
    opened_by: Vec<Option<VarId>>,
    /// From where each pair was reached: itself at the start.
    came_from: Vec<Option<(VarId, Arrival)>>,
}

impl<'a> Search<'a> {
    fn new(dag: &'a Dag, given: Marks) -> Self {
        let opened_by = nearest_below(dag, &given);
        Self { dag, given, opened_by, came_from: vec![None; 2 * dag.len()] }
    }

    const fn place(v: VarId, arrival: Arrival) -> usize {
        2 * v.index() + arrival as usize
    }

    fn seen(&self, v: VarId, arrival: Arrival) -> bool {
        self.came_from[Self::place(v, arrival)].is_some()
    }

    /// The first pair found whose variable is a goal.
    fn run(&mut self, starts: &Marks, is_goal: impl Fn(VarId) -> bool) -> Option<(VarId, Arrival)> {
        let mut queue: VecDeque<(VarId, Arrival)> = VecDeque::new();
        for v in starts.sorted() {
            queue.push_back((v, Arrival::Up));
            self.came_from[Self::place(v, Arrival::Up)] = Some((v, Arrival::Up));
        }
        while let Some((v, arrival)) = queue.pop_front() {
            if is_goal(v) {
                return Some((v, arrival));
            }
            let passes = !self.given.contains(v);
            let up = match arrival {
                Arrival::Up => passes,
                Arrival::Down => self.opened_by[v.index()].is_some(),
            };
            let parents = if up { self.dag.parents(v) } else { &[] };
            let children = if passes { self.dag.children(v) } else { &[] };
            let next = parents.iter().map(|&p| (p, Arrival::Up));
            for (w, arrival_there) in next.chain(children.iter().map(|&c| (c, Arrival::Down))) {
                let from = &mut self.came_from[Self::place(w, arrival_there)];
                if from.is_none() {
                    *from = Some((v, arrival));
                    queue.push_back((w, arrival_there));
                }
            }
        }
        None
    }

    /// The path that ends with this pair.
    fn path(&self, last: (VarId, Arrival)) -> ActivePath {
        let mut at = last;
        let mut nodes = vec![at.0];
        let mut links = Vec::new();
        while let Some(before) = self.came_from[Self::place(at.0, at.1)].filter(|&before| before != at) {
            links.push(if at.1 == Arrival::Down { Link::Forward } else { Link::Backward });
            nodes.push(before.0);
            at = before;
        }
        nodes.reverse();
        links.reverse();
        let meets = |i: &usize| links[*i] == Link::Forward && links[*i + 1] == Link::Backward;
        let colliders = (0..links.len().saturating_sub(1)).filter(meets).filter_map(|i| {
            let node = nodes[i + 1];
            Some(Collider { node, opened_by: self.opened_by[node.index()]? })
        });
        let colliders = colliders.collect();
        ActivePath { names: self.dag.names().clone(), nodes, links, colliders }
    }
}

/// For each variable the nearest of `set` at or below it, found from all of them at once. O(V + E).
fn nearest_below(dag: &Dag, set: &Marks) -> Vec<Option<VarId>> {
    let mut nearest = vec![None; dag.len()];
    let mut queue: VecDeque<VarId> = set.sorted().into();
    for &v in &queue {
        nearest[v.index()] = Some(v);
    }
    while let Some(v) = queue.pop_front() {
        for &parent in dag.parents(v) {
            if nearest[parent.index()].is_none() {
                nearest[parent.index()] = nearest[v.index()];
                queue.push_back(parent);
            }
        }
    }
    nearest
}
