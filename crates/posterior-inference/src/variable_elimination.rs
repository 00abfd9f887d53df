//! Variable elimination: one sum over what a query needs, for each target.

use posterior_pgm::{Evidence, GraphicalModel, Table, VarId};

use crate::elimination::{Program, Scaled, check, sum_product};
use crate::{
    Beliefs, BeliefsBuilder, Budget, Cost, Engine, Error, JointEngine, LnZ, Need, OrderChoice, QueryPlan,
    Relevant, RunReport, Targets, relevant,
};

/// Variable elimination (bucket elimination; Zhang and Poole 1994, Dechter 1999): the engine for few targets.
///
/// For each target, all that its posterior does not need is left out ([`relevant`]), and the rest is summed,
/// one variable after the other. O(∑ joint states of the tables that meet in a variable) for each target: for
/// all marginals of a model with n variables, a junction tree is about n / 2 times as fast.
///
/// ```
/// use posterior_inference::{Engine, Targets, VariableElimination};
/// use posterior_pgm::{BayesianNetwork, Evidence, Table, Variables};
///
/// let variables = Variables::new([("rain", ["no", "yes"]), ("grass", ["dry", "wet"])])?;
/// let [rain, grass] = [variables.require("rain")?, variables.require("grass")?];
/// let network = BayesianNetwork::new(
///     variables,
///     vec![
///         Table::new(vec![rain], vec![2], vec![0.8, 0.2])?,
///         Table::new(vec![rain, grass], vec![2, 2], vec![0.9, 0.1, 0.05, 0.95])?,
///     ],
/// )?;
/// let wet = Evidence::of([(grass, 1)]);
/// let beliefs = VariableElimination::default().query(&network, &Targets::These(vec![rain]), &wet)?;
/// assert!((beliefs.marginal(rain).unwrap()[1] - 19.0 / 27.0).abs() < 1e-15);
/// # Ok::<(), posterior_inference::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VariableElimination {
    /// In which order variables go.
    pub order: OrderChoice,
    /// The memory that the tables of a query may take.
    pub budget: Budget,
    /// Whether ln Z is wanted beside the posteriors: [`Need::Posterior`] if not.
    pub need: Need,
}

impl Default for VariableElimination {
    fn default() -> Self {
        Self { order: OrderChoice::default(), budget: Budget::available(), need: Need::default() }
    }
}

pub(crate) const NAME: &str = "variable elimination";

/// For so many targets elimination is planned, to estimate what all of them take.
const SAMPLE: usize = 4;

/// What is needed for some targets, and in which steps it is summed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sum {
    pub(crate) kept: Vec<VarId>,
    pub(crate) need: Need,
    part: Relevant,
    program: Program,
}

impl Sum {
    pub(crate) const fn cost(&self) -> Cost {
        self.program.cost()
    }

    pub(crate) const fn part(&self) -> &Relevant {
        &self.part
    }

    pub(crate) const fn program(&self) -> &Program {
        &self.program
    }

    /// The sum over all but what is kept, normalised, with ln of what it was divided by. The evidence is on
    /// the variables of the plan.
    pub(crate) fn run(&self, model: &dyn GraphicalModel, evidence: &Evidence) -> Result<(Table, f64), Error> {
        let sum: Scaled = sum_product(&self.program, &self.part.tables(model, evidence)?)?;
        sum.normalized().ok_or(Error::ImpossibleEvidence)
    }
}

impl VariableElimination {
    /// What a query costs, evidence and all, without making a table: tables that are held together, and
    /// operations of all targets.
    ///
    /// # Errors
    /// Targets that do not exist, or evidence that does not fit.
    pub fn estimate(
        &self,
        model: &dyn GraphicalModel,
        targets: &Targets,
        evidence: &Evidence,
    ) -> Result<Cost, Error> {
        let targets = targets.resolve(model.variables())?;
        let sums = self.sums(model, &targets, evidence)?;
        Ok(sums.iter().fold(Cost::default(), |cost, sum| cost.then(sum.cost())))
    }

    /// As [`estimate`](Self::estimate), from a sample of the targets if they are many.
    pub(crate) fn rough_estimate(
        &self,
        model: &dyn GraphicalModel,
        targets: &[VarId],
        evidence: &Evidence,
    ) -> Result<Cost, Error> {
        let step = targets.len().div_ceil(SAMPLE).max(1);
        let sample: Vec<VarId> = targets.iter().copied().step_by(step).collect();
        let rest = (targets.len() - sample.len()) as u64;
        let per_target = sample.len().max(1) as u64;
        let cost = self.estimate(model, &Targets::These(sample), evidence)?;
        let others = (cost.operations / per_target).saturating_mul(rest);
        Ok(Cost { operations: cost.operations.saturating_add(others), ..cost })
    }

    /// The sums for these targets, each alone, and for ln Z.
    pub(crate) fn sums(
        &self,
        model: &dyn GraphicalModel,
        targets: &[VarId],
        evidence: &Evidence,
    ) -> Result<Vec<Sum>, Error> {
        targets.iter().try_for_each(|&v| model.variables().check(v))?;
        evidence.check(model.variables())?;
        let free = targets.iter().filter(|&&v| evidence.state(v).is_none());
        let mut questions: Vec<_> = free.map(|v| (std::slice::from_ref(v), Need::Posterior)).collect();
        match (&mut questions[..], self.need) {
            (_, Need::Posterior) => {}
            ([only], _) => only.1 = Need::PosteriorAndEvidence,
            _ => questions.insert(0, (&[], Need::PosteriorAndEvidence)),
        }
        questions.into_iter().map(|(kept, need)| self.sum(model, kept, evidence, need)).collect()
    }

    fn sum(
        &self,
        model: &dyn GraphicalModel,
        kept: &[VarId],
        evidence: &Evidence,
        need: Need,
    ) -> Result<Sum, Error> {
        let part = relevant(model, kept, evidence, need)?;
        let kept: Vec<VarId> = kept.iter().copied().filter(|&v| part.place(v).is_some()).collect();
        let program = self.order.program(&part, &kept)?;
        Ok(Sum { kept, need, part, program })
    }
}

impl Engine for VariableElimination {
    type Plan = QueryPlan;

    /// Resolves the targets and estimates the cost without evidence, from a sample of the targets if they are
    /// many. What evidence does to the cost, [`infer`](Self::infer) works out, and refuses what is too large.
    fn plan(&self, model: &dyn GraphicalModel, targets: &Targets) -> Result<QueryPlan, Error> {
        let targets = targets.resolve(model.variables())?;
        let cost = self.rough_estimate(model, &targets, &Evidence::none())?;
        Ok(QueryPlan { targets, cost })
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
        let mut beliefs = BeliefsBuilder::new(model.variables());
        let mut cost = Cost::default();
        let mut ln_z = LnZ::Unknown;
        for sum in self.sums(model, &plan.targets, evidence)? {
            check(sum.cost(), self.budget)?;
            cost = cost.then(sum.cost());
            let (table, own_ln_z) = sum.run(model, evidence)?;
            if let [v] = *sum.kept {
                beliefs.marginal_mut(v).copy_from_slice(table.values());
            }
            if sum.need == Need::PosteriorAndEvidence {
                ln_z = LnZ::Exact(own_ln_z);
            }
        }
        for &v in &plan.targets {
            if let Some(state) = evidence.state(v) {
                beliefs.set_state(v, state);
            }
        }
        Ok(beliefs.finish(ln_z, RunReport::exact(NAME, cost)))
    }

    fn query(
        &self,
        model: &dyn GraphicalModel,
        targets: &Targets,
        evidence: &Evidence,
    ) -> Result<Beliefs, Error> {
        self.infer(model, &QueryPlan::new(model, targets, Cost::default())?, evidence)
    }
}

impl JointEngine for VariableElimination {
    /// Any set of variables: those of the plan don't matter.
    fn joint(
        &self,
        model: &dyn GraphicalModel,
        _plan: &QueryPlan,
        evidence: &Evidence,
        variables: &[VarId],
    ) -> Result<Table, Error> {
        model.variables().check_distinct(variables, "a joint table")?;
        let mut sorted = variables.to_vec();
        sorted.sort_unstable();
        let cards: Vec<usize> = variables.iter().map(|&v| model.variables().card(v)).collect();
        let cells = cards.iter().fold(1_u64, |cells, &card| cells.saturating_mul(card as u64));
        check(Cost::new(cells, cells, cells), self.budget)?;
        let need = if self.need == Need::Posterior { Need::Posterior } else { Need::PosteriorAndEvidence };
        let sum = self.sum(model, &sorted, evidence, need)?;
        check(sum.cost(), self.budget)?;
        let (table, _) = sum.run(model, evidence)?;
        let seen = variables.iter().zip(&cards).filter_map(|(&v, &card)| {
            let state = evidence.state(v)?;
            let values = (0..card).map(|own| f64::from(own == state)).collect();
            Some(Table::new(vec![v], vec![card], values))
        });
        let mut joint = table;
        for certain in seen {
            joint = joint.product::<posterior_pgm::SumProduct>(&certain?)?;
        }
        Ok(joint.marginal::<posterior_pgm::SumProduct>(variables)?)
    }
}
