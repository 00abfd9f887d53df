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

    /// ∑ₛ ln fₛ(x) of a joint state, one state for each variable; −∞ where it is impossible. Of a Bayesian
    /// network ln p(x).
    ///
    /// # Panics
    /// If the length or a state is wrong.
    #[track_caller]
    fn ln_score(&self, states: &[usize]) -> f64 {
        assert_eq!(states.len(), self.variables().len(), "one state for each variable");
        let mut own = Vec::new();
        let mut total = 0.0;
        for factor in self.factors() {
            own.clear();
            own.extend(factor.scope().iter().map(|v| states[v.index()]));
            total += factor.at(&own).ln();
        }
        total
    }
}
