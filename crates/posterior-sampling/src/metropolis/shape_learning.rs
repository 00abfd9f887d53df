//! The covariance of a chain, fitted while it runs.

use super::StepShape;

/// The mean and the covariance of a chain, fitted while it runs.
///
/// Point n has the gain 3/(n + m), m = d + 10: late points weigh more (as n²), so that the way in from the
/// start is forgotten, and what was assumed before the first point keeps a proportion of about (m/n)³. After
/// H. Haario, E. Saksman, J. Tamminen, An adaptive Metropolis algorithm, Bernoulli 7 (2001), whose gain is
/// 1/n.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ShapeLearning {
    mean: Vec<f64>,
    delta: Vec<f64>,
    before: usize,
    points: usize,
}

impl ShapeLearning {
    /// Begins at this point.
    pub(crate) fn new(position: &[f64]) -> Self {
        let dim = position.len();
        Self { mean: position.to_vec(), delta: vec![0.0; dim], before: dim + 10, points: 0 }
    }

    /// Learns from a point what the covariance is, up to the kind of the shape.
    pub(crate) fn learn(&mut self, shape: &mut StepShape, position: &[f64]) {
        self.points += 1;
        let gain = 3.0 / (self.points + self.before) as f64;
        for ((delta, mean), x) in self.delta.iter_mut().zip(&mut self.mean).zip(position) {
            *delta = x - *mean;
            *mean += gain * *delta;
        }
        shape.learn(&self.delta, gain);
    }
}
