//! Gradients: what scores along a sequence tell of the weights. Each function is the transpose of its
//! namesake in `scores`.

use super::features::Features;
use super::scores::add;
use super::sequence::AttributeSequence;

impl Features {
    /// Adds the derivatives by the weights, given those by the scores at positions.
    pub(super) fn add_node_gradient(
        &self,
        sequence: &AttributeSequence,
        residuals: &[f64],
        gradient: &mut [f64],
    ) {
        let k = self.labels;
        let blocks = self.blocks();
        for (t, residuals) in residuals.chunks_exact(k).enumerate() {
            let (attributes, values) = sequence.nodes.row(t);
            if values.is_empty() {
                for &attribute in attributes {
                    let range = self.nodes.range(attribute as usize);
                    let slopes = &mut gradient[range.clone()];
                    if slopes.len() == k {
                        add(slopes, residuals);
                    } else {
                        for (&label, slope) in self.nodes.targets(range).iter().zip(slopes) {
                            *slope += residuals[label as usize];
                        }
                    }
                }
            } else {
                for (&attribute, &value) in attributes.iter().zip(values) {
                    let range = self.nodes.range(attribute as usize);
                    let slopes = &mut gradient[range.clone()];
                    for (&label, slope) in self.nodes.targets(range).iter().zip(slopes) {
                        *slope += value * residuals[label as usize];
                    }
                }
            }
            let rows = gradient[blocks.dense..blocks.end].chunks_exact_mut(k);
            for (&feature, slopes) in sequence.dense(t).iter().zip(rows) {
                if feature != 0.0 {
                    for (slope, residual) in slopes.iter_mut().zip(residuals) {
                        *slope += feature * residual;
                    }
                }
            }
        }
        if self.ends && !residuals.is_empty() {
            add(&mut gradient[blocks.first..blocks.last], &residuals[..k]);
            add(&mut gradient[blocks.last..blocks.dense], &residuals[residuals.len() - k..]);
        }
    }

    /// Adds the derivatives by the weights of the attributes of a step, given those by the scores of its K²
    /// pairs of labels.
    pub(super) fn add_step_gradient(
        &self,
        sequence: &AttributeSequence,
        t: usize,
        residuals: &[f64],
        gradient: &mut [f64],
    ) {
        let first = self.blocks().steps;
        for (attribute, value) in sequence.step_attributes(t) {
            let range = self.steps.range(attribute);
            let slopes = &mut gradient[first + range.start..first + range.end];
            for (&pair, slope) in self.steps.targets(range).iter().zip(slopes) {
                *slope += value * residuals[pair as usize];
            }
        }
    }

    /// Adds the derivatives by the weights of pairs of labels, given those by their scores.
    pub(super) fn add_transition_gradient(&self, residuals: &[f64], gradient: &mut [f64]) {
        let first = self.blocks().transitions;
        for (&pair, slope) in self.transitions.iter().zip(&mut gradient[first..]) {
            *slope += residuals[pair as usize];
        }
    }
}
