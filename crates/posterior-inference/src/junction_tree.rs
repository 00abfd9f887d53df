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
mod structure;
mod threads;
mod tree;

use posterior_graph::{Heuristic, SearchOptions};
use posterior_pgm::{Evidence, GraphicalModel, Table, VarId};

use self::core::Core;
use self::structure::Structure;
use self::tree::{Tree, cells, single_states};
use crate::sliced::ln_score;
use crate::{
    Beliefs, BeliefsBuilder, Budget, Cost, Engine, Error, Explanation, FactorEngine, JointEngine, LnZ,
    MapEngine, RunReport, Targets,
};

pub use propagation::Propagation;

/// Exact inference by messages in a tree of cliques (Lauritzen and Spiegelhalter 1988, Jensen, Lauritzen and
/// Olesen 1990).
///
/// The moral graph is triangulated, its cliques form a tree, and each factor goes to a clique that holds its
/// variables. Messages go to the roots, ∑ potential × messages from below over what the parent does not have,
/// and back, where the belief of a separator is divided by what came up through it, 0 / 0 = 0. Then all
/// marginals are known, at twice the cost of one.
///
/// - *Zeros*: variables that zeros force into one state leave the model. Cliques few of whose cells are
///   possible are kept as lists of possible cells, found by a walk that turns back where a factor is zero; so
///   are separators.
/// - *Evidence*: [`infer`](Engine::infer) makes a tree without the observed variables; a [`Propagation`]
///   keeps potentials for any evidence, sends again only the messages towards the roots that changed, and
///   makes a smaller tree where that pays.
/// - *Barren nodes*: a message that sums whole conditional tables out is one; the roots are chosen so that
///   this happens often.
/// - *Underflow*: messages are scaled by powers of two, which loses no digit. Where a product could be too
///   small for a number, the propagation starts again with logarithms: it is exact however much the evidence
///   contradicts itself.
///
/// Of several most probable states, [`MapEngine::most_probable`] takes the first cell of each clique from the
/// roots on, the same every time. The result never depends on the number of threads.
///
/// Memory: the possible cells of all cliques, 8 bytes each and 4 for each neighbour and block of cells, and
/// twice those of all separators. Time: O(cells × neighbours). What is over the budget is refused before it
/// is allocated.
///
/// ```
/// use posterior_inference::{Engine, JunctionTree, Targets};
/// use posterior_pgm::{BayesianNetwork, Evidence, Table, VarId, Variables};
///
/// let [rain, sprinkler, grass] = [0, 1, 2].map(VarId::new);
/// let variables = Variables::new(["rain", "sprinkler", "grass"].map(|name| (name, ["no", "yes"])))?;
/// let network = BayesianNetwork::new(
///     variables,
///     vec![
///         Table::new(vec![rain], vec![2], vec![0.8, 0.2])?,
///         Table::new(vec![rain, sprinkler], vec![2, 2], vec![0.6, 0.4, 0.99, 0.01])?,
///         Table::new(vec![rain, sprinkler, grass], vec![2, 2, 2], vec![1.0, 0.0, 0.1, 0.9, 0.2, 0.8, 0.01, 0.99])?,
///     ],
/// )?;
/// let engine = JunctionTree::default();
/// let plan = engine.plan(&network, &Targets::All)?;
/// let mut propagation = engine.prepare(&network, &plan)?;
/// propagation.set_evidence(&Evidence::none().with(grass, 1))?;
/// assert!((propagation.marginal(rain)?[1] - 0.3577).abs() < 1e-4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct JunctionTree {
    /// How much memory the tables may take.
    pub budget: Budget,
}

impl Default for JunctionTree {
    fn default() -> Self {
        Self { budget: Budget::available() }
    }
}

/// The tree of a model, and what it costs. It holds no table: a model with the same factors over the same
/// variables and other numbers may use it too.
#[derive(Debug, Clone, PartialEq)]
pub struct JunctionTreePlan {
    targets: Vec<VarId>,
    tree: Tree,
    structure: Structure,
    cards: Vec<usize>,
}

impl JunctionTree {
    /// The tree of a model some of whose variables are known: quickly, then with more effort if it is large.
    fn tree(&self, model: &dyn GraphicalModel, structure: &Structure) -> Result<Tree, Error> {
        let quick = SearchOptions {
            heuristics: vec![Heuristic::MinFill, Heuristic::MinWeight],
            restarts: 0,
            ..SearchOptions::default()
        };
        let mut tree = Tree::new(model, structure, &quick)?;
        for (enough, search) in [
            (
                LARGE,
                SearchOptions {
                    heuristics: vec![Heuristic::WeightedMinFill],
                    restarts: 0,
                    ..SearchOptions::default()
                },
            ),
            (HUGE, SearchOptions { restarts: 2, ..SearchOptions::default() }),
        ] {
            if tree.cost.operations > enough {
                let other = Tree::new(model, structure, &search)?;
                if other.cost.operations < tree.cost.operations {
                    tree = other;
                }
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

pub(crate) const NAME: &str = "junction tree";

/// So many operations are worth a longer search for a better tree.
const LARGE: u64 = 1_000_000;
const HUGE: u64 = 100_000_000;

impl Engine for JunctionTree {
    type Plan = JunctionTreePlan;

    fn plan(&self, model: &dyn GraphicalModel, targets: &Targets) -> Result<JunctionTreePlan, Error> {
        let targets = targets.resolve(model.variables())?;
        let structure = Structure::new(model, &single_states(model));
        let cards = model.variables().cards().to_vec();
        Ok(JunctionTreePlan { targets, tree: self.tree(model, &structure)?, structure, cards })
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
        let mut given = single_states(model);
        for (v, state) in evidence.states() {
            given[v.index()] = Some(state);
        }
        // What follows from zeros depends on the values, which may be others than those that were planned
        // for.
        let structure = Structure::new(model, &given);
        let tree =
            if structure == plan.structure { plan.tree.clone() } else { self.tree(model, &structure)? };
        Ok(Core::new(model, tree, &structure))
    }
}

impl JunctionTreePlan {
    /// That this is the model that the plan was made for, as far as its shape tells.
    fn check(&self, model: &dyn GraphicalModel) -> Result<(), Error> {
        let reason = if model.variables().cards() != self.cards {
            "it has other variables, or a variable has another number of states"
        } else if model.factors().len() != self.structure.scopes.len() {
            "it has another number of factors"
        } else if !self.structure.scopes.iter().zip(model.factors()).all(|(scope, f)| is_part(scope, f)) {
            "a factor has another scope"
        } else {
            return Ok(());
        };
        Err(Error::OtherModel { reason })
    }
}

fn is_part(scope: &[VarId], factor: &Table) -> bool {
    scope.iter().all(|&v| factor.axis(v).is_some())
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
    Ok(beliefs.finish(LnZ::Exact(ln_z), RunReport::exact(NAME, core.tree.cost)))
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
        let tables = core.factor_marginals(&scopes, model.variables().cards(), self.budget)?;
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
    let ln_value = ln_score(model, evidence, &states);
    let contradicts = |(v, state): (VarId, usize)| states[v.index()] != state;
    if ln_value == f64::NEG_INFINITY || evidence.states().any(contradicts) {
        return Err(Error::ImpossibleEvidence);
    }
    Ok(Explanation::new(states, ln_value, true))
}

/// That a joint table of these variables can be made.
fn check_scope(model: &dyn GraphicalModel, scope: &[VarId], budget: Budget) -> Result<(), Error> {
    let variables = model.variables();
    variables.check_distinct(scope, "a joint table")?;
    let size = cells(scope, variables.cards());
    let cost = Cost::new(size, size, size);
    if budget.allows(&cost) && size < u64::from(u32::MAX) {
        return Ok(());
    }
    Err(Error::TooLarge { cost, budget, alternatives: "ask for the joint of fewer variables" })
}
