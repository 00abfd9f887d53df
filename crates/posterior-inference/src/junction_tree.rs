//! The junction tree: all marginals at once, by messages between cliques.

mod arithmetic;
mod compile;
mod core;
mod decode;
mod joint;
mod kernel;
mod messages;
mod potential;
mod propagation;
mod tree;

use posterior_graph::{Heuristic, SearchOptions};
use posterior_pgm::{Evidence, Finding, GraphicalModel, Table, VarId};

use self::core::Core;
use self::tree::{Tree, cells, single_states};
use crate::{
    Beliefs, BeliefsBuilder, Budget, Cost, Engine, Error, Explanation, FactorEngine, JointEngine, LnZ,
    MapEngine, RunReport, Targets,
};

pub use propagation::Propagation;

/// Exact inference by messages in a tree of cliques.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct JunctionTree {
    /// How much memory the tables may take.
    pub budget: Budget,
}

impl Default for JunctionTree {
    fn default() -> Self {
        Self { budget: Budget::available() }
    }
}

/// The tree of a model, and what it costs.
#[derive(Debug, Clone, PartialEq)]
pub struct JunctionTreePlan {
    targets: Vec<VarId>,
    tree: Tree,
    known: Vec<Option<usize>>,
}

impl JunctionTree {
    /// With at most this memory for tables.
    #[must_use]
    pub fn with_budget(mut self, budget: Budget) -> Self {
        self.budget = budget;
        self
    }

    /// The tree of a model some of whose variables are known: quickly, then with more effort if it is large.
    fn tree(&self, model: &dyn GraphicalModel, known: &[Option<usize>]) -> Result<Tree, Error> {
        let quick = SearchOptions::default()
            .with_heuristics(vec![Heuristic::MinFill, Heuristic::MinWeight])
            .with_restarts(0);
        let mut tree = Tree::new(model, known, &quick)?;
        if tree.cost.operations > LARGE {
            let thorough = Tree::new(model, known, &SearchOptions::default())?;
            if thorough.cost.operations < tree.cost.operations {
                tree = thorough;
            }
        }
        if self.budget.allows(&tree.cost) && tree.cost.largest < u64::from(u32::MAX) {
            return Ok(tree);
        }
        Err(Error::TooLarge {
            cost: tree.cost,
            budget: self.budget,
            alternatives: "observe more variables, ask for fewer, or use belief propagation or sampling",
        })
    }
}

/// So many operations are worth a longer search for a better tree.
const LARGE: u64 = 1_000_000;

impl Engine for JunctionTree {
    type Plan = JunctionTreePlan;

    fn plan(&self, model: &dyn GraphicalModel, targets: &Targets) -> Result<JunctionTreePlan, Error> {
        let targets = targets.resolve(model.variables())?;
        let known = single_states(model);
        Ok(JunctionTreePlan { targets, tree: self.tree(model, &known)?, known })
    }

    fn cost(&self, plan: &JunctionTreePlan) -> Cost {
        plan.tree.cost
    }

    fn infer(
        &self,
        model: &dyn GraphicalModel,
        plan: &JunctionTreePlan,
        evidence: &Evidence,
    ) -> Result<Beliefs, Error> {
        evidence.check(model.variables())?;
        let mut core = self.core(model, plan, evidence)?;
        core.set_evidence(evidence);
        beliefs(&mut core, model, &plan.targets)
    }
}

impl JunctionTree {
    /// A tree of the model in which the observed variables are known from the start.
    fn core(
        &self,
        model: &dyn GraphicalModel,
        plan: &JunctionTreePlan,
        evidence: &Evidence,
    ) -> Result<Core, Error> {
        plan.check(model)?;
        let mut known = plan.known.clone();
        let mut any = false;
        for (v, state) in evidence.states() {
            any |= known[v.index()].is_none();
            known[v.index()] = Some(state);
        }
        let tree = if any { self.tree(model, &known)? } else { plan.tree.clone() };
        Ok(Core::new(model, tree, &known))
    }
}

impl JunctionTreePlan {
    /// That this is the model that the plan was made for, as far as its shape tells.
    fn check(&self, model: &dyn GraphicalModel) -> Result<(), Error> {
        let reason = if model.variables().len() != self.known.len() {
            "it has another number of variables"
        } else if model.factors().len() != self.factor_count() {
            "it has another number of factors"
        } else if !self.fits(model) {
            "a variable has another number of states, or a factor another scope"
        } else {
            return Ok(());
        };
        Err(Error::OtherModel { reason })
    }

    fn factor_count(&self) -> usize {
        self.tree.nodes.iter().map(|node| node.factors.len()).sum::<usize>() + self.tree.constants.len()
    }

    fn fits(&self, model: &dyn GraphicalModel) -> bool {
        let cards = model.variables().cards() == self.tree.cards;
        let is_inside = |scope: &[VarId], factor: &usize| {
            let mut own = model.factors()[*factor].scope().iter();
            own.all(|v| self.known[v.index()].is_some() || scope.binary_search(v).is_ok())
        };
        cards && self.tree.nodes.iter().all(|node| node.factors.iter().all(|f| is_inside(&node.scope, f)))
    }
}

/// Marginals of the targets, and ln Z.
fn beliefs(core: &mut Core, model: &dyn GraphicalModel, targets: &[VarId]) -> Result<Beliefs, Error> {
    let ln_z = core.ln_z()?;
    if targets.len() == model.variables().len() {
        core.calibrate()?;
    }
    let mut beliefs = BeliefsBuilder::new(model.variables());
    for &v in targets {
        beliefs.marginal_mut(v).copy_from_slice(core.marginal(v)?);
    }
    Ok(beliefs.finish(LnZ::Exact(ln_z), RunReport::exact("jt", core.tree.cost)))
}

impl JointEngine for JunctionTree {
    fn joint(
        &self,
        model: &dyn GraphicalModel,
        plan: &JunctionTreePlan,
        evidence: &Evidence,
        variables: &[VarId],
    ) -> Result<Table, Error> {
        evidence.check(model.variables())?;
        check_scope(model, variables, self.budget)?;
        let mut core = self.core(model, plan, evidence)?;
        core.set_evidence(evidence);
        core.joint(variables, model.variables().cards(), self.budget)
    }
}

impl FactorEngine for JunctionTree {
    fn factor_marginals(
        &self,
        model: &dyn GraphicalModel,
        plan: &JunctionTreePlan,
        evidence: &Evidence,
    ) -> Result<(Vec<Table>, LnZ), Error> {
        evidence.check(model.variables())?;
        let mut core = self.core(model, plan, evidence)?;
        core.set_evidence(evidence);
        let scopes: Vec<&[VarId]> = model.factors().iter().map(Table::scope).collect();
        let tables = core.factor_marginals(&scopes, model.variables().cards())?;
        Ok((tables, LnZ::Exact(core.ln_z()?)))
    }
}

impl MapEngine for JunctionTree {
    fn most_probable(&self, model: &dyn GraphicalModel, evidence: &Evidence) -> Result<Explanation, Error> {
        evidence.check(model.variables())?;
        let plan = self.plan(model, &Targets::These(Vec::new()))?;
        let mut core = self.core(model, &plan, evidence)?;
        core.set_evidence(evidence);
        explain(&mut core, model, evidence)
    }
}

/// The best joint state, with its score from the factors themselves.
fn explain(core: &mut Core, model: &dyn GraphicalModel, evidence: &Evidence) -> Result<Explanation, Error> {
    let mut states = core.tree.known_states();
    core.best_state(&mut states)?;
    let mut ln_value = 0.0;
    let mut own = Vec::new();
    for factor in model.factors() {
        own.clear();
        own.extend(factor.scope().iter().map(|v| states[v.index()]));
        ln_value += factor.at(&own).ln();
    }
    for (v, finding) in evidence.iter() {
        match finding {
            &Finding::State(state) if state != states[v.index()] => ln_value = f64::NEG_INFINITY,
            Finding::Likelihood(likelihood) => ln_value += likelihood[states[v.index()]].ln(),
            _ => {}
        }
    }
    if ln_value == f64::NEG_INFINITY {
        return Err(Error::ImpossibleEvidence);
    }
    Ok(Explanation::new(states, ln_value, true))
}

/// That a joint table of these variables can be made.
fn check_scope(model: &dyn GraphicalModel, scope: &[VarId], budget: Budget) -> Result<(), Error> {
    let variables = model.variables();
    scope.iter().try_for_each(|&v| variables.check(v))?;
    if let Some(&v) = scope.iter().enumerate().find_map(|(i, v)| scope[..i].contains(v).then_some(v)) {
        let (name, context) = (variables.name(v).to_owned(), "a joint table");
        return Err(
            posterior_pgm::Error::from(posterior_graph::Error::RepeatedVariable { name, context }).into()
        );
    }
    let size = cells(scope, variables.cards());
    let cost = Cost::new(size, size, size);
    if budget.allows(&cost) && size < u64::from(u32::MAX) {
        return Ok(());
    }
    Err(Error::TooLarge { cost, budget, alternatives: "ask for the joint of fewer variables" })
}
