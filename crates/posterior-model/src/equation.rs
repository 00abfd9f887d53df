//! What a differential equation, or a sum of squares, is to the record and the graph.

use std::fmt::Debug;

/// A function of many numbers that has an object: a solver, from start and parameters to the solution at all
/// times; a sum of squares with its coefficients.
pub(crate) trait Equation: Debug + Send + Sync {
    /// Writes the solution; NaN where there is none.
    fn forward(&self, x: &[f64], out: &mut [f64]);

    /// Adds to the adjoints of the inputs.
    fn backward(&self, x: &[f64], dy: &[f64], dx: &mut [f64]);
}
