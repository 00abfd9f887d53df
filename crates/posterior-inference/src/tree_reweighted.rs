//! Tree-reweighted belief propagation: an upper bound on ln Z from trees that share a model.

mod messages;
mod pairwise;
mod spanning;

use posterior_math::check::{self, ParamError};
use posterior_pgm::{Evidence, GraphicalModel};

use crate::belief_propagation::{check_targets, cost};
use crate::sliced::Sliced;
use crate::{Beliefs, Cost, Engine, Error, LnZ, QueryPlan, RunReport, Targets};
use messages::Messages;
use pairwise::Pairwise;
use spanning::Trees;

/// After how many sweeps messages should have calmed down a little.
const PATIENCE: usize = 20;

/// More damping than this does not help.
const MOST_DAMPING: f64 = 0.98;

/// Tree-reweighted belief propagation (Wainwright, Jaakkola and Willsky 2005).
///
/// The model is written as a mixture of models on spanning trees; ln Z is convex, so that the mixture of
/// their ln Z is at least the model's, whatever the messages are: the bound, a [`LnZ::Upper`], does not
/// depend on convergence. It is the sum of exact passes along the trees. The trees begin as a balanced cover
/// of all edges, and `tree_steps` conditional-gradient steps add the tree of greatest mutual information
/// each; the best bound is kept, with its marginals. On a forest it is belief propagation, and exact.
///
/// Factors of more than two variables become a variable of their own, whose states are the cells that are not
/// zero.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TreeReweighted {
    /// How much of an old message is kept in the logarithm of a new one, 0 ≤ d < 1, to begin with.
    pub damping: f64,
    /// The largest change of a message, whose greatest entry is 1, that counts as none.
    pub tolerance: f64,
    /// How many times all messages are renewed at most, for each choice of trees.
    pub max_iterations: usize,
    /// How many trees are added.
    pub tree_steps: usize,
}

impl Default for TreeReweighted {
    fn default() -> Self {
        Self { damping: 0.3, tolerance: 1e-8, max_iterations: 1000, tree_steps: 10 }
    }
}

/// The best bound so far, with the marginals that belong to it.
struct Best {
    ln_z: f64,
    marginals: Vec<Vec<f64>>,
    converged: bool,
    residual: f64,
}

impl TreeReweighted {
    fn check(&self) -> Result<(), ParamError> {
        check::non_negative("TreeReweighted", "tolerance", self.tolerance)?;
        let valid = (0.0..1.0).contains(&self.damping);
        check::require(valid, "TreeReweighted", "damping", self.damping, "at least 0 and below 1").map(drop)
    }

    /// Renews messages until they stay. Where they do not calm down, they begin again with more damping:
    /// trees that share an edge seldom magnify its messages.
    fn settle(
        &self,
        messages: &mut Messages<'_>,
        appearances: &[f64],
        iterations: &mut usize,
    ) -> Option<(bool, f64)> {
        let (mut damping, mut residual, mut before) = (self.damping, f64::INFINITY, f64::INFINITY);
        for sweep in 1..=self.max_iterations {
            residual = messages.sweep(appearances, damping)?;
            *iterations += 1;
            if residual <= self.tolerance {
                return Some((true, residual));
            }
            if sweep % PATIENCE == 0 {
                if residual > 0.9 * before && damping < MOST_DAMPING {
                    damping = f64::midpoint(damping, 1.0);
                    messages.forget();
                    before = f64::INFINITY;
                } else {
                    before = residual;
                }
            }
        }
        Some((false, residual))
    }

    /// Renews messages until they stay, for one choice of trees after another.
    fn descend(&self, model: &Pairwise) -> Option<(Best, usize)> {
        let mut trees = Trees::cover(model);
        let mut messages = Messages::new(model);
        let (mut best, mut iterations) = (None::<Best>, 0);
        let untouched = trees.bound(model, &messages.reparametrized(&trees.appearances()));
        // On a forest messages stay after as many sweeps as it is deep, if nothing holds them back.
        let own = if trees.is_forest() { Self { damping: 0.0, tree_steps: 0, ..*self } } else { *self };
        for step in 0..=own.tree_steps {
            let appearances = trees.appearances();
            let (converged, residual) = own.settle(&mut messages, &appearances, &mut iterations)?;
            let ln_z = trees.bound(model, &messages.reparametrized(&appearances));
            if best.as_ref().is_none_or(|best| ln_z < best.ln_z) {
                let marginals = messages.marginals();
                best = Some(Best { ln_z, marginals, converged, residual });
            }
            if step < own.tree_steps {
                trees.add_greatest(model, &messages.informations(&appearances), 2.0 / (step as f64 + 4.0));
            }
        }
        best.map(|best| (Best { ln_z: best.ln_z.min(untouched), ..best }, iterations))
    }
}

impl Engine for TreeReweighted {
    type Plan = QueryPlan;

    fn plan(&self, model: &dyn GraphicalModel, targets: &Targets) -> Result<QueryPlan, Error> {
        self.check()?;
        QueryPlan::new(model, targets, cost(model))
    }

    fn cost(&self, plan: &QueryPlan) -> Cost {
        plan.cost
    }

    fn infer(
        &self,
        model: &dyn GraphicalModel,
        plan: &QueryPlan,
        evidence: &Evidence,
    ) -> Result<Beliefs, Error> {
        self.check()?;
        check_targets(model, &plan.targets)?;
        let sliced = Sliced::new(model, evidence)?;
        let pairwise = Pairwise::new(&sliced);
        let (best, iterations) = self.descend(&pairwise).ok_or(Error::ImpossibleEvidence)?;
        if best.ln_z == f64::NEG_INFINITY {
            return Err(Error::ImpossibleEvidence);
        }
        let beliefs = sliced.beliefs(model, &plan.targets, |v| &best.marginals[v.index()]);
        let ln_z = best.ln_z + sliced.ln_constant;
        let report = RunReport::iterative(
            "tree-reweighted belief propagation",
            plan.cost,
            iterations,
            best.converged,
            best.residual,
        );
        let forest = Trees::cover(&pairwise).is_forest() && best.converged;
        Ok(beliefs.finish(if forest { LnZ::Exact(ln_z) } else { LnZ::Upper(ln_z) }, report))
    }
}
