//! Graphs that say the same: I-equivalence, and the essential graph that stands for all of a class.

use crate::{Dag, Names, UnGraph, VarId};

impl Dag {
    /// Whether both claim the same independencies: the same variables, skeleton and immoralities (Verma &
    /// Pearl 1990). No data can tell such graphs apart. O(Σ parents² log degree).
    pub fn is_equivalent(&self, other: &Self) -> bool {
        self.skeleton() == other.skeleton() && self.immoralities() == other.immoralities()
    }

    /// The essential graph, or completed partially directed graph: what all equivalent graphs have in common.
    /// O(E · degree · log degree).
    ///
    /// The labelling of Chickering (1995), *A Transformational Characterization of Equivalent Bayesian
    /// Network Structures*.
    ///
    /// ```
    /// use posterior_graph::Dag;
    ///
    /// let student = Dag::named(["D", "I", "G", "S"], [("D", "G"), ("I", "G"), ("I", "S")])?;
    /// let essential = student.essential_graph();
    /// let [d, i, g, s] = [0, 1, 2, 3].map(posterior_graph::VarId::new);
    /// assert_eq!(essential.arrows(), [(d, g), (i, g)]);
    /// assert_eq!(essential.edges(), [(i, s)]);
    /// # Ok::<(), posterior_graph::Error>(())
    /// ```
    pub fn essential_graph(&self) -> EssentialGraph {
        let mut labels = Labels::new(self);
        for &child in self.topological_order() {
            let mut parents = self.parents(child).to_vec();
            parents.sort_unstable_by_key(|&p| std::cmp::Reverse(labels.places[p.index()]));
            for parent in parents {
                labels.decide(parent, child);
            }
        }
        let (arrows, edges): (Vec<_>, Vec<_>) =
            self.arrows().partition(|&(from, to)| labels.get(from, to) == Label::Compelled);
        let edges = UnGraph::of_valid(self.names().clone(), edges);
        EssentialGraph { names: self.names().clone(), arrows, edges: edges.edges().collect() }
    }
}

/// A class of equivalent graphs: arrows that all of them have, and edges that have one direction in some and
/// the other in others. Two directed graphs are equivalent if and only if their essential graphs are equal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EssentialGraph {
    names: Names,
    arrows: Vec<(VarId, VarId)>,
    edges: Vec<(VarId, VarId)>,
}

impl EssentialGraph {
    /// The names of the variables.
    pub const fn names(&self) -> &Names {
        &self.names
    }

    /// The arrows `(from, to)` that all graphs of the class have, sorted.
    pub fn arrows(&self) -> &[(VarId, VarId)] {
        &self.arrows
    }

    /// The edges `(a, b)`, a < b, whose direction the independencies leave open, sorted.
    pub fn edges(&self) -> &[(VarId, VarId)] {
        &self.edges
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Label {
    Unknown,
    Compelled,
    Reversible,
}

/// The labels of the arrows, as far as they are decided.
struct Labels<'a> {
    dag: &'a Dag,
    /// The place of each variable in the topological order.
    places: Vec<usize>,
    /// For each child, a label for each of its parents.
    of_parents: Vec<Vec<Label>>,
}

impl<'a> Labels<'a> {
    fn new(dag: &'a Dag) -> Self {
        let mut places = vec![0; dag.len()];
        for (place, v) in dag.topological_order().iter().enumerate() {
            places[v.index()] = place;
        }
        let of_parents = dag.variables().map(|v| vec![Label::Unknown; dag.parents(v).len()]).collect();
        Self { dag, places, of_parents }
    }

    fn get(&self, from: VarId, to: VarId) -> Label {
        let place = self.dag.parents(to).binary_search(&from);
        place.map_or(Label::Unknown, |place| self.of_parents[to.index()][place])
    }

    fn compel(&mut self, from: VarId, to: VarId) {
        if let Ok(place) = self.dag.parents(to).binary_search(&from) {
            self.of_parents[to.index()][place] = Label::Compelled;
        }
    }

    /// Labels `x -> y`, if it has no label yet, and with it all arrows into `y` that it decides. Everything
    /// above `y` is labelled, and the arrows into `y` come with the last parent first.
    fn decide(&mut self, x: VarId, y: VarId) {
        if self.get(x, y) != Label::Unknown {
            return;
        }
        for &w in self.dag.parents(x) {
            if self.get(w, x) != Label::Compelled {
                continue;
            }
            if !self.dag.has_arrow(w, y) {
                self.of_parents[y.index()].fill(Label::Compelled);
                return;
            }
            self.compel(w, y);
        }
        let is_stranger = |&&z: &&VarId| z != x && !self.dag.has_arrow(z, x);
        let has_stranger = self.dag.parents(y).iter().any(|z| is_stranger(&z));
        let label = if has_stranger { Label::Compelled } else { Label::Reversible };
        for unknown in self.of_parents[y.index()].iter_mut().filter(|label| **label == Label::Unknown) {
            *unknown = label;
        }
    }
}
