//! What a cut says about an energy.

/// A labelling of least energy, with its proof.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct MinimumCut {
    /// The label of each node: `true` is label 1.
    pub labels: Vec<bool>,
    /// The energy of the labels, summed from the terms as they were given.
    pub energy: f64,
    /// The part of the energy that every labelling pays.
    pub constant: f64,
    /// The flow. No labelling has less than `constant + flow`, so the labels are proved to be best if that is
    /// their energy; it is without rounding where the numbers are integers below 2^53.
    pub flow: f64,
}

impl MinimumCut {
    /// The bound that no labelling is below, `constant + flow`.
    pub fn bound(&self) -> f64 {
        self.constant + self.flow
    }
}
