//! Alpha-expansion: any number of nodes may change to one label at once.

use posterior_math::iteration::{Fitted, Observer};

use super::binary::add;
use super::labelling::descend;
use super::search_trees::SearchTrees;
use super::submodular::Submodular;
use super::topology::{Sparse, Topology as _};
use super::{Error, LabelEnergy, Labelling, SweepOptions};

/// Low energy by expansion moves (Boykov, Veksler & Zabih 2001), from `start`.
///
/// For each label in turn a minimum cut finds the best set of nodes to change to it; a sweep takes as many
/// cuts as there are labels, and it ends when no label wins any more. For the Potts model the energy is then
/// at most twice the least, for other metrics at most 2 (largest distance) / (smallest) times, if no term is
/// negative.
///
/// ```
/// use posterior_inference::graph_cut::{LabelEnergy, SweepOptions, alpha_expansion};
/// use posterior_math::iteration::Silent;
/// // Three nodes in a row that see labels 0, 1 and 2; the one in the middle is not sure.
/// let mut energy = LabelEnergy::potts(3, vec![0., 4., 4., 1., 0., 1., 4., 4., 0.])?;
/// energy.add_edge(0, 1, 1.5)?;
/// energy.add_edge(1, 2, 1.5)?;
/// let start = energy.independent_labels();
/// let fitted = alpha_expansion(&energy, &start, &SweepOptions::default(), &mut Silent)?;
/// assert!(fitted.report.converged());
/// assert_eq!(fitted.report.trace[..2], [3.0, 2.5]);
/// # Ok::<(), posterior_inference::graph_cut::Error>(())
/// ```
///
/// # Errors
/// [`Error::NotMetric`], and what [`LabelEnergy::energy`] says of `start`.
pub fn alpha_expansion(
    energy: &LabelEnergy,
    start: &[usize],
    options: &SweepOptions,
    observer: &mut impl Observer,
) -> Result<Fitted<Labelling>, Error> {
    energy.check_metric()?;
    let start = energy.labelling(start)?;
    let (topology, arcs) = Sparse::new(energy.len(), energy.edges().iter().map(|edge| edge.ends))?;
    let moves = Expansion { energy, topology, arcs };
    descend(start, options, observer, |labelling| {
        for alpha in 0..energy.labels() {
            let labels = moves.best(&labelling.labels, alpha)?;
            let candidate = energy.evaluate(&labels);
            if candidate < labelling.energy {
                *labelling = Labelling { labels, energy: candidate };
            }
        }
        Ok(())
    })
}

/// The network of all moves, whose capacities alone differ.
struct Expansion<'a> {
    energy: &'a LabelEnergy,
    topology: Sparse,
    /// The arc of each edge from its first node to its second.
    arcs: Vec<u32>,
}

impl Expansion<'_> {
    /// The labels after the best expansion of `alpha`; of several the one that changes the fewest.
    fn best(&self, labels: &[usize], alpha: usize) -> Result<Vec<usize>, Error> {
        // Label 0, the source's side: take alpha. Label 1: keep.
        let mut unary: Vec<[f64; 2]> = (0..labels.len())
            .map(|node| {
                let row = self.energy.unary(node);
                if labels[node] == alpha { [0.0; 2] } else { [row[alpha], row[labels[node]]] }
            })
            .collect();
        let residual = self.capacities(labels, alpha, &mut unary)?;
        let mut trees = SearchTrees::new(&self.topology, residual);
        for (node, [take, keep]) in unary.into_iter().enumerate() {
            trees.set_terminal(node, keep - take);
        }
        trees.run()?;
        let moved = |(node, &label)| if trees.on_source_side(node) { alpha } else { label };
        Ok(labels.iter().enumerate().map(moved).collect())
    }

    /// The capacities of the arcs; what is a matter of one node is added to `unary`.
    fn capacities(&self, labels: &[usize], alpha: usize, unary: &mut [[f64; 2]]) -> Result<Vec<f64>, Error> {
        let mut residual = vec![0.0; self.topology.arc_count()];
        for (term, (edge, &arc)) in self.energy.edges().iter().zip(&self.arcs).enumerate() {
            let (i, j) = (edge.ends.0 as usize, edge.ends.1 as usize);
            let cost = |a, b| edge.weight * self.energy.distance(a, b);
            match (labels[i] == alpha, labels[j] == alpha) {
                (true, true) => {}
                (true, false) => unary[j][1] += cost(alpha, labels[j]),
                (false, true) => unary[i][1] += cost(labels[i], alpha),
                (false, false) => {
                    let (first, second) = (labels[i], labels[j]);
                    let table = [0.0, cost(alpha, second), cost(first, alpha), cost(first, second)];
                    let Submodular { first, second, rising, falling } = Submodular::of(table)
                        .map_err(|excess| Error::NotSubmodular { term, first: i, second: j, excess })?;
                    add(&mut unary[i], first);
                    add(&mut unary[j], second);
                    residual[arc as usize] = rising;
                    residual[self.topology.reverse(arc) as usize] = falling;
                }
            }
        }
        Ok(residual)
    }
}
