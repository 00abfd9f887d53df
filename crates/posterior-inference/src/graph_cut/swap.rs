//! Alpha-beta swap: any number of nodes of two labels may exchange them at once.

use posterior_math::iteration::{Fitted, Observer};

use super::labelling::descend;
use super::{BinaryEnergy, Error, LabelEnergy, Labelling, SweepOptions};

/// Low energy by swap moves (Boykov, Veksler & Zabih 2001), from `start`; unlike
/// [`alpha_expansion`](super::alpha_expansion), for every distance of labels.
///
/// For each pair of labels in turn a minimum cut divides the nodes that have either of them anew; a sweep
/// goes through all pairs, and costs about as much as a sweep of expansions. There is no bound on how far the
/// result is from the least energy.
///
/// # Errors
/// What [`LabelEnergy::energy`] says of `start`.
pub fn alpha_beta_swap(
    energy: &LabelEnergy,
    start: &[usize],
    options: &SweepOptions,
    observer: &mut impl Observer,
) -> Result<Fitted<Labelling>, Error> {
    let start = energy.labelling(start)?;
    let neighbours = energy.neighbours();
    let mut swaps = Swaps { energy, neighbours, numbers: vec![NOT_IN; energy.len()] };
    descend(start, options, observer, |labelling| {
        for alpha in 0..energy.labels() {
            for beta in alpha + 1..energy.labels() {
                swaps.improve(labelling, alpha, beta)?;
            }
        }
        Ok(())
    })
}

/// The number, in a swap, of nodes that have neither label.
const NOT_IN: u32 = u32::MAX;

struct Swaps<'a> {
    energy: &'a LabelEnergy,
    /// Each node's neighbours and the weights.
    neighbours: Vec<Vec<(usize, f64)>>,
    /// The number of each node in the present swap.
    numbers: Vec<u32>,
}

impl Swaps<'_> {
    fn improve(&mut self, labelling: &mut Labelling, alpha: usize, beta: usize) -> Result<(), Error> {
        let Labelling { labels, energy } = labelling;
        let nodes: Vec<usize> =
            (0..labels.len()).filter(|&node| labels[node] == alpha || labels[node] == beta).collect();
        for (number, &node) in nodes.iter().enumerate() {
            self.numbers[node] = number as u32;
        }
        let swap = self.swap(labels, &nodes, [alpha, beta]);
        for &node in &nodes {
            self.numbers[node] = NOT_IN;
        }
        let swap = swap?;
        let minimum = swap.minimize()?;
        let before: Vec<bool> = nodes.iter().map(|&node| labels[node] == beta).collect();
        if minimum.energy < swap.evaluate(&before) {
            let mut swapped = labels.clone();
            for (&node, second) in nodes.iter().zip(minimum.labels) {
                swapped[node] = if second { beta } else { alpha };
            }
            let candidate = self.energy.evaluate(&swapped);
            if candidate < *energy {
                (*labels, *energy) = (swapped, candidate);
            }
        }
        Ok(())
    }

    /// The energy of `nodes` as a function of which of two labels each of them has.
    fn swap(&self, labels: &[usize], nodes: &[usize], pair: [usize; 2]) -> Result<BinaryEnergy, Error> {
        let mut swap = BinaryEnergy::pairwise(nodes.len())?;
        let apart = self.energy.distance(pair[0], pair[1]);
        for (number, &node) in nodes.iter().enumerate() {
            let mut unary = pair.map(|label| self.energy.unary(node)[label]);
            for &(other, weight) in &self.neighbours[node] {
                let second = self.numbers[other];
                if second == NOT_IN {
                    for (sum, label) in unary.iter_mut().zip(pair) {
                        *sum += weight * self.energy.distance(label, labels[other]);
                    }
                } else if node < other {
                    let cost = weight * apart;
                    swap.add_pairwise(number, second as usize, [0.0, cost, cost, 0.0])?;
                }
            }
            swap.add_unary(number, unary)?;
        }
        Ok(swap)
    }
}
