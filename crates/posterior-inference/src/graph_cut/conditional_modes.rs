//! Iterated conditional modes: one node changes at a time.

use posterior_math::iteration::{Fitted, Observer};

use super::labelling::descend;
use super::{Error, LabelEnergy, Labelling, SweepOptions};

/// Low energy by changing one label at a time (Besag 1986), from `start`: fast, simple, and easily stuck. The
/// baseline.
///
/// A sweep gives each node in turn the label that is best given its neighbours', O((n + m) labels).
///
/// # Errors
/// What [`LabelEnergy::energy`] says of `start`.
pub fn iterated_conditional_modes(
    energy: &LabelEnergy,
    start: &[usize],
    options: &SweepOptions,
    observer: &mut impl Observer,
) -> Result<Fitted<Labelling>, Error> {
    let start = energy.labelling(start)?;
    let neighbours = energy.neighbours();
    let mut costs = vec![0.0; energy.labels()];
    descend(start, options, observer, |labelling| {
        let Labelling { labels, energy: total } = labelling;
        for (node, neighbours) in neighbours.iter().enumerate() {
            costs.copy_from_slice(energy.unary(node));
            for &(other, weight) in neighbours {
                for (label, cost) in costs.iter_mut().enumerate() {
                    *cost += weight * energy.distance(label, labels[other]);
                }
            }
            let better = |best, label| if costs[label] < costs[best] { label } else { best };
            labels[node] = (0..costs.len()).fold(labels[node], better);
        }
        *total = energy.evaluate(labels);
        Ok(())
    })
}
