//! What the engines of inference read.

use posterior_graph::Dag;

use crate::{Table, Variables};

/// A discrete model on a graph: p(x) ∝ ∏ₛ fₛ(xₛ).
pub trait GraphicalModel {
    /// The variables.
    fn variables(&self) -> &Variables;

    /// The factors. Their values are not negative and finite.
    fn factors(&self) -> &[Table];

    /// The directed structure, if factor i is p(xᵢ | parents of i) with xᵢ last in its scope.
    ///
    /// Engines use it to leave out what a query does not need.
    fn dag(&self) -> Option<&Dag> {
        None
    }
}
