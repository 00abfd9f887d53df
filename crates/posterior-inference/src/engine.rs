//! What an engine of inference is.

use posterior_pgm::{Evidence, GraphicalModel, Table, VarId, Variables};

use crate::{Beliefs, Cost, Error, Explanation, LnZ};

/// Which variables a query is about.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Targets {
    /// Every variable.
    #[default]
    All,
    /// These variables.
    These(Vec<VarId>),
}

impl Targets {
    /// The variables of these names.
    ///
    /// # Errors
    /// A name that does not exist.
    pub fn named<'a>(variables: &Variables, names: impl IntoIterator<Item = &'a str>) -> Result<Self, Error> {
        let these: Result<Vec<VarId>, _> = names.into_iter().map(|name| variables.require(name)).collect();
        Ok(Self::These(these?))
    }

    /// The targets, sorted, each once.
    ///
    /// # Errors
    /// A variable that does not exist.
    pub fn resolve(&self, variables: &Variables) -> Result<Vec<VarId>, Error> {
        match self {
            Self::All => Ok(variables.ids().collect()),
            Self::These(these) => {
                these.iter().try_for_each(|&v| variables.check(v))?;
                let mut sorted = these.clone();
                sorted.sort_unstable();
                sorted.dedup();
                Ok(sorted)
            }
        }
    }
}

/// The targets of a query and what it costs: all that most engines work out beforehand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryPlan {
    /// The targets, sorted, each once.
    pub targets: Vec<VarId>,
    /// What an answer costs.
    pub cost: Cost,
}

impl QueryPlan {
    /// The plan for these targets.
    ///
    /// # Errors
    /// A target that does not exist.
    pub fn new(model: &dyn GraphicalModel, targets: &Targets, cost: Cost) -> Result<Self, Error> {
        Ok(Self { targets: targets.resolve(model.variables())?, cost })
    }
}

/// An engine of inference: exact, approximate or random, all answer the same question.
///
/// Options are the engine's own fields; a [`Plan`](Self::Plan) is made once for a model and its targets and
/// reused for any evidence.
pub trait Engine {
    /// What is worked out once: structure, order, cost.
    type Plan;

    /// Works out how to answer, without making a table.
    ///
    /// # Errors
    /// Targets that do not exist; [`Error::TooLarge`] if the answer would take more memory than it may.
    fn plan(&self, model: &dyn GraphicalModel, targets: &Targets) -> Result<Self::Plan, Error>;

    /// What a plan costs.
    fn cost(&self, plan: &Self::Plan) -> Cost;

    /// The posterior marginals of the targets of the plan, given evidence. The model is the one that the plan
    /// was made for.
    ///
    /// # Errors
    /// Evidence that does not fit the model, or [`Error::ImpossibleEvidence`].
    fn infer(
        &self,
        model: &dyn GraphicalModel,
        plan: &Self::Plan,
        evidence: &Evidence,
    ) -> Result<Beliefs, Error>;

    /// Plan and answer in one step.
    ///
    /// # Errors
    /// As [`plan`](Self::plan) and [`infer`](Self::infer).
    fn query(
        &self,
        model: &dyn GraphicalModel,
        targets: &Targets,
        evidence: &Evidence,
    ) -> Result<Beliefs, Error> {
        self.infer(model, &self.plan(model, targets)?, evidence)
    }
}

/// An engine that also has posteriors of several variables together.
pub trait JointEngine: Engine {
    /// p(variables | evidence), as a table over them in this order. Observed variables have all mass on their
    /// state.
    ///
    /// # Errors
    /// As [`Engine::infer`]; variables that do not exist or come twice; a joint table that is too large.
    fn joint(
        &self,
        model: &dyn GraphicalModel,
        plan: &Self::Plan,
        evidence: &Evidence,
        variables: &[VarId],
    ) -> Result<Table, Error>;
}

/// An engine that has the posterior of the variables of each factor, which is what learning needs: expected
/// counts of families, expected features.
pub trait FactorEngine: Engine {
    /// For each factor of the model p(its variables | evidence), in the layout of the factor, and ln Z. The
    /// plan is for all variables. Observed variables have all mass on their state.
    ///
    /// # Errors
    /// As [`Engine::infer`].
    fn factor_marginals(
        &self,
        model: &dyn GraphicalModel,
        plan: &Self::Plan,
        evidence: &Evidence,
    ) -> Result<(Vec<Table>, LnZ), Error>;
}

/// An engine that has a most probable joint state of all variables.
pub trait MapEngine {
    /// The joint state of greatest probability that agrees with the evidence. Of several, which one is the
    /// engine's choice, the same every time.
    ///
    /// # Errors
    /// Evidence that does not fit the model, [`Error::ImpossibleEvidence`], [`Error::TooLarge`].
    fn most_probable(&self, model: &dyn GraphicalModel, evidence: &Evidence) -> Result<Explanation, Error>;
}
