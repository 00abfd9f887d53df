//! Likelihood weighting: importance sampling with the model itself.

use posterior_inference::{
    Beliefs, BeliefsBuilder, Budget, Cost, Engine, Error, FactorEngine, JointEngine, LnZ, Need, Relevant,
    RunReport, Targets, relevant,
};
use posterior_math::check::{self, ParamError};
use posterior_pgm::{Evidence, GraphicalModel, MarkovRandomField, Table, VarId};

use super::scope::{Scope, check_budget, check_joint, shares};
use super::sequential::{DrawsPlan, Sequence};
use super::tally::Tally;

/// Fewer effective draws than this say little.
const LEAST_EFFECTIVE: f64 = 400.0;
const ALTERNATIVES: &str = "draw more, or ask gibbs or an exact engine";

/// Likelihood weighting: independent joint states that agree with the evidence, parents drawn before
/// children, each weighted by how probable it makes the evidence.
///
/// What was seen of a variable, states and likelihoods, counts as early as it can: the last of the variables
/// that a factor of the evidence depends on is drawn with regard to it, which only lowers the variance of the
/// weights. Of a Bayesian network what the query does not need is left out. A field is drawn in an order that
/// completes its factors early, each variable from all its factors, of each given the variables before, as if
/// the factor were alone. ln Z is the logarithm of the mean weight, with its standard error; the mean weight
/// itself is unbiased.
///
/// Good for evidence near the roots, poor for much evidence at the leaves, where few draws carry all the
/// weight: the report has their effective number and warns. One draw is O(arrows); 8 bytes are kept of each.
///
/// # References
/// R. Fung and K.-C. Chang, Weighing and integrating evidence for stochastic simulation in Bayesian networks,
/// UAI 1989; R. Shachter and M. Peot, Simulation approaches to general probabilistic inference on belief
/// networks, UAI 1989.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LikelihoodWeighting {
    /// Draws.
    pub draws: usize,
    /// The seed.
    pub seed: u64,
    /// The memory that weights and joint tables may take.
    pub budget: Budget,
}

impl Default for LikelihoodWeighting {
    /// 100,000 draws, seed 0.
    fn default() -> Self {
        Self { draws: 100_000, seed: 0, budget: Budget::available() }
    }
}

/// A model with the evidence put in.
struct Prepared {
    part: Relevant,
    field: MarkovRandomField,
    sequence: Sequence,
}

impl LikelihoodWeighting {
    fn check(&self) -> Result<(), ParamError> {
        let draws = self.draws as f64;
        check::require(self.draws > 0, "LikelihoodWeighting", "draws", draws, "positive").map(drop)
    }

    fn prepare(
        &self,
        model: &dyn GraphicalModel,
        targets: &[VarId],
        evidence: &Evidence,
    ) -> Result<Prepared, Error> {
        self.check()?;
        check_budget(Cost::new(2 * self.draws as u64, 0, 0), self.budget)?;
        let part = relevant(model, targets, evidence, Need::PosteriorAndEvidence)?;
        let field = part.field(model, evidence)?;
        let sequence = match model.dag() {
            Some(dag) => {
                let order = dag.topological_order().iter().filter_map(|&v| Some(part.place(v)?.index()));
                let order: Vec<usize> = order.collect();
                Sequence::new(field.variables().cards(), field.factors(), &order)?
            }
            None => Sequence::of_field(&field)?,
        };
        Ok(Prepared { part, field, sequence })
    }

    fn draw(&self, prepared: &Prepared, scopes: &[Scope]) -> Result<Tally, Error> {
        let tally = Tally::of(scopes, prepared.field.variables().len(), (self.draws, self.seed), {
            |states, scratch, rng| prepared.sequence.draw(states, scratch, rng, |_, _| false)
        });
        tally.check(&prepared.field, ALTERNATIVES)?;
        Ok(tally)
    }

    fn tables(
        &self,
        model: &dyn GraphicalModel,
        targets: &[VarId],
        evidence: &Evidence,
        tables: &[&[VarId]],
    ) -> Result<(Vec<Table>, LnZ), Error> {
        let prepared = self.prepare(model, targets, evidence)?;
        let scope = |own: &&[VarId]| Scope::new(model, &prepared.part, evidence, own);
        let scopes = tables.iter().map(scope).collect::<Result<Vec<_>, _>>()?;
        let tally = self.draw(&prepared, &scopes)?;
        let values = (0..tables.len()).map(|i| tally.shares(i)).collect();
        Ok((shares(model, tables, values, |p| p)?, ln_z(&tally)))
    }
}

fn ln_z(tally: &Tally) -> LnZ {
    let (value, standard_error) = tally.ln_mean_weight();
    LnZ::Estimate { value, standard_error }
}

fn warnings(tally: &Tally) -> Vec<String> {
    let size = tally.effective_size();
    let few = (size < LEAST_EFFECTIVE).then(|| {
        format!(
            "{} weighted draws are worth only {size:.0} independent ones: draw more, or try gibbs",
            tally.draws
        )
    });
    few.into_iter().collect()
}

impl Engine for LikelihoodWeighting {
    type Plan = DrawsPlan;

    fn plan(&self, model: &dyn GraphicalModel, targets: &Targets) -> Result<DrawsPlan, Error> {
        self.check()?;
        let targets = targets.resolve(model.variables())?;
        let operations = (self.draws as u64).saturating_mul(model.variables().len() as u64);
        Ok(DrawsPlan { targets, cost: Cost::new(self.draws as u64, 0, operations) })
    }

    fn cost(&self, plan: &DrawsPlan) -> Cost {
        plan.cost
    }

    fn infer(
        &self,
        model: &dyn GraphicalModel,
        plan: &DrawsPlan,
        evidence: &Evidence,
    ) -> Result<Beliefs, Error> {
        let prepared = self.prepare(model, &plan.targets, evidence)?;
        let scope = |&v: &VarId| Scope::new(model, &prepared.part, evidence, &[v]);
        let scopes = plan.targets.iter().map(scope).collect::<Result<Vec<_>, _>>()?;
        let tally = self.draw(&prepared, &scopes)?;
        let mut beliefs = BeliefsBuilder::new(model.variables());
        tally.beliefs(&mut beliefs, &plan.targets, evidence);
        let report = RunReport::sampled("lw", plan.cost, tally.sampling(), warnings(&tally));
        Ok(beliefs.finish(ln_z(&tally), report))
    }
}

impl JointEngine for LikelihoodWeighting {
    fn joint(
        &self,
        model: &dyn GraphicalModel,
        plan: &DrawsPlan,
        evidence: &Evidence,
        variables: &[VarId],
    ) -> Result<Table, Error> {
        check_joint(model, variables, self.budget)?;
        let targets = [&plan.targets, variables].concat();
        Ok(self.tables(model, &targets, evidence, &[variables])?.0.swap_remove(0))
    }
}

impl FactorEngine for LikelihoodWeighting {
    fn factor_marginals(
        &self,
        model: &dyn GraphicalModel,
        plan: &DrawsPlan,
        evidence: &Evidence,
    ) -> Result<(Vec<Table>, LnZ), Error> {
        let scopes: Vec<&[VarId]> = model.factors().iter().map(Table::scope).collect();
        self.tables(model, &plan.targets, evidence, &scopes)
    }
}
