//! Energies of variables with several labels, and neighbours that rather have similar ones.

use super::network::FlowNetwork;
use super::topology::MAX_ARCS;
use super::{Error, Labelling};

/// The energy `sum_i E_i(x_i) + sum_ij w_ij D(x_i, x_j)` of variables with labels `0..labels`, where D is a
/// distance of labels: D(a, a) = 0 and D(a, b) = D(b, a) >= 0.
///
/// To find its minimum is hard in general. [`alpha_expansion`](super::alpha_expansion) and
/// [`alpha_beta_swap`](super::alpha_beta_swap) change many labels at once by minimum cuts,
/// [`iterated_conditional_modes`](super::iterated_conditional_modes) one at a time.
#[derive(Debug, Clone, PartialEq)]
pub struct LabelEnergy {
    labels: usize,
    /// Row by row, a row for each node.
    unary: Vec<f64>,
    edges: Vec<Edge>,
    /// Row by row, a row for each label.
    distance: Vec<f64>,
    /// The sum of the sizes of all energies of nodes.
    total: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Edge {
    pub(super) ends: (u32, u32),
    pub(super) weight: f64,
}

impl LabelEnergy {
    /// The Potts model: different labels of neighbours cost their weight, whichever they are.
    ///
    /// # Errors
    /// As [`LabelEnergy::new`].
    pub fn potts(labels: usize, unary: Vec<f64>) -> Result<Self, Error> {
        Self::new(labels, unary, |a, b| if a == b { 0.0 } else { 1.0 })
    }

    /// Nodes without edges: `unary` has a row for each node with the energies of all its labels; `distance`
    /// is D.
    ///
    /// # Errors
    /// No labels, rows that are not full, an energy or distance that is not finite, energies whose sum is not
    /// finite, or a distance that is negative, not symmetric or not zero from a label to itself.
    pub fn new(
        labels: usize,
        unary: Vec<f64>,
        distance: impl Fn(usize, usize) -> f64,
    ) -> Result<Self, Error> {
        if labels == 0 || !unary.len().is_multiple_of(labels) {
            let expected = unary.len().next_multiple_of(labels.max(1));
            return Err(Error::Length { what: "energies of labels", found: unary.len(), expected });
        }
        FlowNetwork::check_size(unary.len() / labels)?;
        let mut total = 0.0;
        for (index, &value) in unary.iter().enumerate() {
            if !value.is_finite() {
                let what = "energy of label";
                return Err(Error::Invalid { what, index, value, requirement: "finite" });
            }
            total += value.abs();
        }
        if !(total < LARGEST) {
            return Err(Error::Overflow { what: "energies of labels" });
        }
        let distance: Vec<f64> =
            (0..labels).flat_map(|a| (0..labels).map(move |b| (a, b))).map(|(a, b)| distance(a, b)).collect();
        let energy = Self { labels, unary, edges: Vec::new(), distance, total };
        energy.check_semi_metric()?;
        Ok(energy)
    }

    /// Adds an edge of a weight.
    ///
    /// # Errors
    /// A node that does not exist, an edge from a node to itself, a weight that is negative or not finite, or
    /// a sum of terms that is not finite.
    pub fn add_edge(&mut self, i: usize, j: usize, weight: f64) -> Result<(), Error> {
        let nodes = self.len();
        if let Some(node) = [i, j].into_iter().find(|&node| node >= nodes) {
            return Err(Error::UnknownNode { node, nodes });
        }
        if i == j {
            return Err(Error::SelfLoop { node: i });
        }
        let index = self.edges.len();
        if !(0.0..f64::INFINITY).contains(&weight) {
            let requirement = "at least 0 and finite";
            return Err(Error::Invalid { what: "weight of edge", index, value: weight, requirement });
        }
        if index >= MAX_ARCS / 2 {
            return Err(Error::TooLarge { what: "edges", count: index + 1, limit: MAX_ARCS / 2 });
        }
        let farthest = self.distance.iter().copied().fold(0.0, f64::max);
        let total = self.total + weight * farthest;
        if !(total < LARGEST) {
            return Err(Error::Overflow { what: "terms" });
        }
        self.total = total;
        self.edges.push(Edge { ends: (i as u32, j as u32), weight });
        Ok(())
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.unary.len() / self.labels
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.unary.is_empty()
    }

    /// The number of labels.
    pub const fn labels(&self) -> usize {
        self.labels
    }

    /// The energy of the nodes' labels. O(n + m).
    ///
    /// # Errors
    /// Not one label for each node, or a label that does not exist.
    pub fn energy(&self, labels: &[usize]) -> Result<f64, Error> {
        if labels.len() != self.len() {
            return Err(Error::Length { what: "labels", found: labels.len(), expected: self.len() });
        }
        if let Some(node) = labels.iter().position(|&label| label >= self.labels) {
            return Err(Error::UnknownLabel { node, label: labels[node], labels: self.labels });
        }
        Ok(self.evaluate(labels))
    }

    /// Each node's label of least energy without regard to its neighbours: where to start. O(n labels).
    pub fn independent_labels(&self) -> Vec<usize> {
        let least = |row: &[f64]| (0..row.len()).fold(0, |best, k| if row[k] < row[best] { k } else { best });
        self.unary.chunks_exact(self.labels).map(least).collect()
    }

    /// Whether D obeys the triangle inequality, as [`alpha_expansion`](super::alpha_expansion) needs.
    /// O(labels^3).
    ///
    /// # Errors
    /// [`Error::NotMetric`] names three labels.
    pub fn check_metric(&self) -> Result<(), Error> {
        for a in 0..self.labels {
            for b in 0..a {
                for c in 0..self.labels {
                    let (straight, first, second) =
                        (self.distance(a, b), self.distance(a, c), self.distance(c, b));
                    if straight > (first + second) * (1.0 + 4.0 * f64::EPSILON) {
                        let violation = format!(
                            "from {a} to {b} it is {straight}, and by way of {c} it is {first} + {second}"
                        );
                        return Err(Error::NotMetric { needed: "metric", violation });
                    }
                }
            }
        }
        Ok(())
    }

    fn check_semi_metric(&self) -> Result<(), Error> {
        let refused = |violation| Err(Error::NotMetric { needed: "distance", violation });
        for a in 0..self.labels {
            if self.distance(a, a) != 0.0 {
                return refused(format!("from {a} to itself it is {}", self.distance(a, a)));
            }
            for b in 0..a {
                let (there, back) = (self.distance(a, b), self.distance(b, a));
                if !(0.0..f64::INFINITY).contains(&there) || there != back {
                    return refused(format!("from {a} to {b} it is {there}, and back {back}"));
                }
            }
        }
        Ok(())
    }

    /// The labels, if they are valid, with their energy.
    pub(super) fn labelling(&self, labels: &[usize]) -> Result<Labelling, Error> {
        Ok(Labelling { energy: self.energy(labels)?, labels: labels.to_vec() })
    }

    /// The energies of all labels of a node.
    pub(super) fn unary(&self, node: usize) -> &[f64] {
        &self.unary[node * self.labels..(node + 1) * self.labels]
    }

    pub(super) fn distance(&self, a: usize, b: usize) -> f64 {
        self.distance[a * self.labels + b]
    }

    pub(super) fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The neighbours of each node, with the weights.
    pub(super) fn neighbours(&self) -> Vec<Vec<(usize, f64)>> {
        let mut neighbours = vec![Vec::new(); self.len()];
        for edge in &self.edges {
            let (i, j) = (edge.ends.0 as usize, edge.ends.1 as usize);
            neighbours[i].push((j, edge.weight));
            neighbours[j].push((i, edge.weight));
        }
        neighbours
    }

    pub(super) fn evaluate(&self, labels: &[usize]) -> f64 {
        let unary = self.unary.chunks_exact(self.labels).zip(labels).map(|(row, &label)| row[label]);
        let label = |node: u32| labels[node as usize];
        let pairs = self.edges.iter().map(|e| e.weight * self.distance(label(e.ends.0), label(e.ends.1)));
        unary.sum::<f64>() + pairs.sum::<f64>()
    }
}

/// What the sizes of all terms may add up to, so that sums and differences of a cut stay finite.
const LARGEST: f64 = f64::MAX / 16.0;
