//! Join-graph propagation: messages between clusters that are as large as they may be, and bounds on ln Z.

mod mini_buckets;
mod passing;
mod settle;

use posterior_math::check::{self, ParamError};
use posterior_pgm::{Evidence, GraphicalModel, Table, VarId};

use crate::belief_propagation::check_targets;
use crate::sliced::Sliced;
use crate::{
    BeliefPropagation, Beliefs, Budget, Cost, DependentBlocks, Engine, Error, LnZ, MapEngine, MeanField,
    QueryPlan, RunReport, Targets,
};
use mini_buckets::{Limit, MiniBuckets, Ordered};
use passing::Stop;
use settle::Settled;

pub(crate) const NAME: &str = "join-graph propagation";

/// Join-graph propagation (Dechter, Kask and Mateescu 2002), with bounds on ln Z by weighted mini-buckets
/// (Liu and Ihler 2011).
///
/// Between belief propagation and a junction tree: the buckets of an elimination are split into mini-buckets
/// whose tables stay within `i_bound` and `largest_table`, each of which has a copy of the bucket's variable.
/// The mini-buckets form a forest, on which two passes are exact; their copies are made to agree. Where no
/// bucket had to be split the forest is a junction tree, and the answer exact. Larger tables are nearer to
/// the truth.
///
/// The fixed points are those of generalised belief propagation on the join graph, stationary points of its
/// free energy (Yedidia, Freeman and Weiss 2005). Where messages do not calm down, smaller steps are taken in
/// a double loop: the part of the free energy that is not convex is replaced by its tangent, and what is left
/// is minimised before the next tangent (Yuille 2002; Heskes 2006).
///
/// The bounds hold whether the messages have settled or not: [`LnZ::Between`]. That from above is a weighted
/// sum over mini-buckets; that from below is the best of three: the same with negative weights, mean field,
/// and the best joint state that was found. Marginals have no bound.
///
/// A sweep takes O(cells of all clusters × messages into a cluster). Clusters get smaller until all fit in
/// the budget.
#[derive(Debug, Clone, PartialEq)]
pub struct JoinGraph {
    /// The most variables of a message between clusters: from the width of the elimination on, the answer is
    /// exact.
    pub i_bound: usize,
    /// The most numbers in the table of a cluster; a factor that has more keeps its own.
    pub largest_table: u64,
    /// The largest difference between the probabilities that clusters give to a state that counts as none.
    pub tolerance: f64,
    /// How many times all messages are renewed at most.
    pub max_iterations: usize,
    /// How many times the messages of each bound on ln Z are renewed; 0 if no bounds are wanted.
    pub bound_iterations: usize,
    /// The memory that the tables may take.
    pub budget: Budget,
}

impl Default for JoinGraph {
    fn default() -> Self {
        Self {
            i_bound: usize::MAX,
            largest_table: 1 << 14,
            tolerance: 1e-8,
            max_iterations: 1000,
            bound_iterations: 20,
            budget: Budget::available(),
        }
    }
}

impl JoinGraph {
    fn check(&self) -> Result<(), ParamError> {
        check::non_negative("JoinGraph", "tolerance", self.tolerance).map(drop)
    }

    /// The largest mini-buckets within the options and the budget.
    fn mini_buckets(&self, ordered: &Ordered<'_>) -> Result<MiniBuckets, Error> {
        let mut limit = Limit { variables: self.i_bound, cells: self.largest_table.max(1) };
        loop {
            let graph = ordered.mini_buckets(limit);
            let cost = graph.cost();
            if self.budget.allows(&cost) {
                return Ok(graph);
            }
            if limit.cells == 1 {
                let alternatives =
                    "see more, ask about fewer variables, or let belief propagation approximate";
                return Err(Error::TooLarge { cost, budget: self.budget, alternatives });
            }
            limit.cells = limit.cells.min(cost.largest) / 2;
            limit.cells = limit.cells.max(1);
        }
    }

    /// The bounds on ln Z around the value that was found.
    fn ln_z(
        &self,
        model: &dyn GraphicalModel,
        evidence: &Evidence,
        parts: (&MiniBuckets, &[Table], &Sliced),
        value: f64,
    ) -> Result<LnZ, Error> {
        let (graph, bases, sliced) = parts;
        if self.bound_iterations == 0 {
            return Ok(LnZ::Approximate(value));
        }
        let bound = |weights| settle::bound(graph, bases, weights, self.bound_iterations);
        let upper = bound(settle::upper_weights(graph)).map_err(|_| Error::ImpossibleEvidence)?;
        let mut upper = upper + sliced.ln_constant;
        if model.dag().is_some() && evidence.states().count() == evidence.len() {
            // A probability.
            upper = upper.min(0.0);
        }
        let best = BeliefPropagation { max_iterations: 50, ..BeliefPropagation::default() };
        let mut lower = best.most_probable(model, evidence).map_or(f64::NEG_INFINITY, |best| best.ln_value);
        let field = MeanField {
            blocks: DependentBlocks::Trees,
            restarts: 0,
            max_iterations: 50,
            ..MeanField::default()
        };
        if let Ok(field) = field.query(model, &Targets::These(Vec::new()), evidence) {
            lower = lower.max(field.ln_z().value());
        }
        if bases.iter().all(|base| base.values().iter().all(|x| x.is_finite())) {
            for most in [0.1, 0.5] {
                if let Ok(own) = bound(settle::lower_weights(graph, most)) {
                    lower = lower.max(own + sliced.ln_constant);
                }
            }
        }
        let lower = lower.min(upper);
        Ok(LnZ::Between { lower, upper, value: value.clamp(lower, upper) })
    }
}

impl Engine for JoinGraph {
    type Plan = QueryPlan;

    fn plan(&self, model: &dyn GraphicalModel, targets: &Targets) -> Result<QueryPlan, Error> {
        self.check()?;
        let scopes = model.factors().iter().map(Table::scope).collect();
        let ordered = Ordered::new(model.variables().cards(), |_| true, scopes)?;
        QueryPlan::new(model, targets, self.mini_buckets(&ordered)?.cost())
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
        let is_free = |v: VarId| sliced.observed[v.index()].is_none();
        let scopes = sliced.factors.iter().map(Table::scope).collect();
        let graph = self.mini_buckets(&Ordered::new(model.variables().cards(), is_free, scopes)?)?;
        let bases = passing::bases(&graph, &sliced)?;
        let impossible = |_: Stop| Error::ImpossibleEvidence;
        let settled =
            settle::settle(&graph, &bases, self.tolerance, self.max_iterations).map_err(impossible)?;
        let Settled { ln_z, beliefs, iterations, converged, residual } = settled;
        let mut marginals = vec![Vec::new(); model.variables().len()];
        for (bucket, own) in graph.buckets.iter().zip(beliefs) {
            marginals[bucket.variable.index()] = own.iter().map(|ln| ln.exp()).collect();
        }
        let beliefs = sliced.beliefs(model, &plan.targets, |v| &marginals[v.index()]);
        let value = ln_z + sliced.ln_constant;
        if graph.is_exact() {
            return Ok(beliefs.finish(LnZ::Exact(value), RunReport::exact(NAME, graph.cost())));
        }
        let ln_z = self.ln_z(model, evidence, (&graph, &bases, &sliced), value)?;
        Ok(beliefs.finish(ln_z, RunReport::iterative(NAME, graph.cost(), iterations, converged, residual)))
    }
}
