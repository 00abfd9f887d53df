//! The engine that looks at the query first.

use posterior_pgm::{Evidence, GraphicalModel, MarkovRandomField, Table, VarId};

use crate::{
    Assessment, BeliefPropagation, Beliefs, BeliefsBuilder, Budget, Cost, Engine, EngineCost, Error,
    Exactness, Explanation, FactorEngine, JoinGraph, JointEngine, JunctionTree, LnZ, MapEngine, Need,
    OrderChoice, Relevant, Targets, VariableElimination, belief_propagation, join_graph, junction_tree,
    relevant, variable_elimination,
};

/// What [`Auto`] does where no exact engine is within the budget.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fallback {
    /// Join-graph propagation, with bounds on ln Z: the answer says that it is an approximation.
    #[default]
    JoinGraph,
    /// Belief propagation, which takes less, and is further from the truth.
    BeliefPropagation,
    /// [`Error::TooLarge`].
    Refuse,
}

/// Chooses the engine: leaves out what the query does not need, works out what each engine would take, and
/// says in the report which one it took and why.
///
/// For few targets that is often elimination, for many a junction tree; join-graph propagation where both
/// take more memory than the budget, and belief propagation where that does too. Joint posteriors and most
/// probable states come from elimination, posteriors of factors from a junction tree.
///
/// ```
/// use posterior_inference::{Auto, Targets};
/// use posterior_pgm::{Evidence, MarkovRandomField, Table, VarId, Variables};
///
/// let [a, b, c] = [0, 1, 2].map(VarId::new);
/// let agree = |x, y| Table::new(vec![x, y], vec![2, 2], vec![5.0, 1.0, 1.0, 10.0]);
/// let model = MarkovRandomField::new(Variables::numbered(&[2; 3])?, vec![agree(a, b)?, agree(b, c)?])?;
/// let assessment = Auto::default().assess(&model, &Targets::These(vec![a]), &Evidence::of([(b, 1)]))?;
/// assert_eq!((assessment.choice, assessment.needed), (Some("variable elimination"), 2));
/// assert!(assessment.reason.starts_with("elimination: 2 variables to sum over, "));
/// # Ok::<(), posterior_inference::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Auto {
    /// The memory that the tables of a query may take.
    pub budget: Budget,
    /// What to do where no exact engine is within it.
    pub fallback: Fallback,
}

impl Default for Auto {
    fn default() -> Self {
        Self { budget: Budget::available(), fallback: Fallback::default() }
    }
}

/// The targets of a query, and what it takes if nothing is seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AutoPlan {
    targets: Vec<VarId>,
    assessment: Assessment,
}

impl AutoPlan {
    /// What each engine would take if nothing were seen.
    pub const fn assessment(&self) -> &Assessment {
        &self.assessment
    }
}

/// The part of the model that is needed, as a model.
struct Needed {
    part: Relevant,
    field: MarkovRandomField,
}

impl Auto {
    /// What each engine would take for this query, and which one is best.
    ///
    /// # Errors
    /// Targets that do not exist, or evidence that does not fit.
    pub fn assess(
        &self,
        model: &dyn GraphicalModel,
        targets: &Targets,
        evidence: &Evidence,
    ) -> Result<Assessment, Error> {
        let targets = targets.resolve(model.variables())?;
        Ok(self.look(model, &targets, evidence)?.0)
    }

    fn look(
        &self,
        model: &dyn GraphicalModel,
        targets: &[VarId],
        evidence: &Evidence,
    ) -> Result<(Assessment, Needed), Error> {
        let part = relevant(model, targets, evidence, Need::PosteriorAndEvidence)?;
        let field = part.field(model, evidence)?;
        let free: Vec<VarId> = targets.iter().copied().filter(|&v| evidence.state(v).is_none()).collect();
        let elimination = self.elimination().rough_estimate(model, &free, evidence)?;
        let mut assessment = Assessment {
            variables: model.variables().len(),
            observed: evidence.states().count(),
            targets: targets.len(),
            needed: part.variables().len(),
            budget: self.budget,
            candidates: self.candidates(elimination, &field)?,
            choice: None,
            reason: String::new(),
        };
        let approximations =
            assessment.candidates.iter().filter(|own| own.exactness == Exactness::Approximate);
        let fallback = approximations
            .filter(|own| self.fallback != Fallback::Refuse && self.budget.allows(&own.cost))
            .map(|own| own.engine)
            .next();
        assessment.choose(fallback);
        Ok((assessment, Needed { part, field }))
    }

    /// What each engine would take for the needed part: exact ones first, then the better approximation.
    fn candidates(&self, elimination: Cost, field: &MarkovRandomField) -> Result<Vec<EngineCost>, Error> {
        // A tree of nothing is not worth planting.
        let tree = if field.variables().is_empty() { elimination } else { cost_of(&self.tree(), field)? };
        let own = |engine, cost, exactness| EngineCost { engine, cost, exactness };
        let mut candidates = vec![
            own(variable_elimination::NAME, elimination, Exactness::Exact),
            own(junction_tree::NAME, tree, Exactness::Exact),
        ];
        // Its clusters are not worked out where an exact engine will do.
        let is_wide = !self.budget.allows(&elimination) && !self.budget.allows(&tree);
        if is_wide && self.fallback == Fallback::JoinGraph {
            let clusters = cost_of(&self.join_graph(), field)?;
            candidates.push(own(join_graph::NAME, clusters, Exactness::Approximate));
        }
        let messages = cost_of(&BeliefPropagation::default(), field)?;
        candidates.push(own(belief_propagation::NAME, messages, Exactness::Approximate));
        Ok(candidates)
    }

    fn elimination(&self) -> VariableElimination {
        VariableElimination { order: OrderChoice::default(), budget: self.budget, need: Need::default() }
    }

    fn tree(&self) -> JunctionTree {
        JunctionTree { budget: self.budget }
    }

    fn join_graph(&self) -> JoinGraph {
        JoinGraph { budget: self.budget, ..JoinGraph::default() }
    }
}

/// What an engine takes, even if it is too much.
fn cost_of<E: Engine>(engine: &E, model: &dyn GraphicalModel) -> Result<Cost, Error> {
    match engine.plan(model, &Targets::These(Vec::new())) {
        Ok(plan) => Ok(engine.cost(&plan)),
        Err(Error::TooLarge { cost, .. }) => Ok(cost),
        Err(error) => Err(error),
    }
}

impl Needed {
    /// The answer of an engine about the needed part, in ids of the model.
    fn ask<E: Engine>(
        &self,
        engine: &E,
        model: &dyn GraphicalModel,
        targets: &[VarId],
        evidence: &Evidence,
    ) -> Result<Beliefs, Error> {
        let places = targets.iter().filter_map(|&v| self.part.place(v)).collect();
        let own = engine.query(&self.field, &Targets::These(places), &Evidence::none())?;
        let mut beliefs = BeliefsBuilder::new(model.variables());
        for &v in targets {
            if let Some(state) = evidence.state(v) {
                beliefs.set_state(v, state);
            } else if let Some(marginal) = self.part.place(v).and_then(|place| own.marginal(place)) {
                beliefs.marginal_mut(v).copy_from_slice(marginal);
            }
        }
        Ok(beliefs.finish(own.ln_z(), own.report().clone()))
    }
}

impl Engine for Auto {
    type Plan = AutoPlan;

    /// Looks at the query as if nothing were seen. What evidence changes, [`infer`](Self::infer) finds out.
    fn plan(&self, model: &dyn GraphicalModel, targets: &Targets) -> Result<AutoPlan, Error> {
        let targets = targets.resolve(model.variables())?;
        let (assessment, _) = self.look(model, &targets, &Evidence::none())?;
        Ok(AutoPlan { targets, assessment })
    }

    fn cost(&self, plan: &AutoPlan) -> Cost {
        let choice = plan.assessment.choice.and_then(|engine| plan.assessment.candidate(engine));
        choice.or(plan.assessment.candidates.first()).map(|own| own.cost).unwrap_or_default()
    }

    fn infer(
        &self,
        model: &dyn GraphicalModel,
        plan: &AutoPlan,
        evidence: &Evidence,
    ) -> Result<Beliefs, Error> {
        self.answer(model, &plan.targets, evidence)
    }

    fn query(
        &self,
        model: &dyn GraphicalModel,
        targets: &Targets,
        evidence: &Evidence,
    ) -> Result<Beliefs, Error> {
        self.answer(model, &targets.resolve(model.variables())?, evidence)
    }
}

impl Auto {
    fn answer(
        &self,
        model: &dyn GraphicalModel,
        targets: &[VarId],
        evidence: &Evidence,
    ) -> Result<Beliefs, Error> {
        let (assessment, needed) = self.look(model, targets, evidence)?;
        let beliefs = match assessment.choice {
            Some(variable_elimination::NAME) => {
                self.elimination().query(model, &Targets::These(targets.to_vec()), evidence)?
            }
            Some(junction_tree::NAME) => needed.ask(&self.tree(), model, targets, evidence)?,
            Some(join_graph::NAME) => needed.ask(&self.join_graph(), model, targets, evidence)?,
            Some(_) => needed.ask(&BeliefPropagation::default(), model, targets, evidence)?,
            None => {
                let least = assessment.candidates.iter().filter(|own| own.exactness == Exactness::Exact);
                let cost = least.map(|own| own.cost).min_by_key(|cost| cost.cells).unwrap_or_default();
                let alternatives =
                    "ask about fewer variables, see more, or let join-graph propagation approximate";
                return Err(Error::TooLarge { cost, budget: self.budget, alternatives });
            }
        };
        Ok(beliefs.with_reason(assessment.reason))
    }
}

impl JointEngine for Auto {
    fn joint(
        &self,
        model: &dyn GraphicalModel,
        _plan: &AutoPlan,
        evidence: &Evidence,
        variables: &[VarId],
    ) -> Result<Table, Error> {
        let engine = self.elimination();
        let plan = engine.plan(model, &Targets::These(Vec::new()))?;
        engine.joint(model, &plan, evidence, variables)
    }
}

impl FactorEngine for Auto {
    fn factor_marginals(
        &self,
        model: &dyn GraphicalModel,
        _plan: &AutoPlan,
        evidence: &Evidence,
    ) -> Result<(Vec<Table>, LnZ), Error> {
        let engine = self.tree();
        engine.factor_marginals(model, &engine.plan(model, &Targets::All)?, evidence)
    }
}

impl MapEngine for Auto {
    fn most_probable(&self, model: &dyn GraphicalModel, evidence: &Evidence) -> Result<Explanation, Error> {
        self.elimination().most_probable(model, evidence)
    }
}
