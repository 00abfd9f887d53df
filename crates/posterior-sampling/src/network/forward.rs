//! Forward sampling: independent joint states, parents drawn before children.

use posterior_inference::{
    Beliefs, BeliefsBuilder, Budget, Cost, Engine, Error, FactorEngine, JointEngine, LnZ, Need, QueryPlan,
    Relevant, RunReport, Targets, relevant,
};
use posterior_math::check;
use posterior_pgm::{Evidence, Finding, GraphicalModel, MarkovRandomField, Table, VarId};
use rand::RngExt;

use super::scope::{Scope, check_budget, check_joint, tables};
use super::sequential::Sequence;
use super::tally::Tally;

/// Fewer draws than this, kept or effective, say little.
const LEAST: usize = 400;

/// What becomes of draws that disagree with the evidence.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum EvidenceRule {
    /// Likelihood weighting: draws agree with the evidence, and each is weighted by how probable it makes it.
    ///
    /// What was seen of a variable, states and likelihoods, counts as early as it can: the last of the
    /// variables that a factor of the evidence depends on is drawn with regard to it, which only lowers the
    /// variance of the weights. The mean weight, an estimate of Z, is unbiased. A field is drawn in an order
    /// that completes its factors early, each variable from all its factors, of each given the variables
    /// before, as if the factor were alone.
    ///
    /// Good for evidence near the roots, poor for much evidence at the leaves, where few draws carry all the
    /// weight: the report has their effective number and warns. 8 bytes are kept of each draw.
    #[default]
    Weight,
    /// Logic sampling, for Bayesian networks alone: draws that disagree are refused, as soon as they do.
    ///
    /// One in 1 / p(evidence) draws is kept, so that it is for evidence that is not rare; the proportion that
    /// is kept estimates p(evidence). Of a likelihood of states one draw in max l / l(state) is kept.
    Refuse,
}

/// Independent joint states of a model, parents drawn before children (ancestral sampling), by which the
/// evidence is either [weighted or obeyed](EvidenceRule).
///
/// Of a Bayesian network what the query does not need is not drawn. ln Z is an estimate with its standard
/// error. One draw is O(arrows).
///
/// # References
/// R. Fung and K.-C. Chang, Weighing and integrating evidence for stochastic simulation in Bayesian networks,
/// UAI 1989; R. Shachter and M. Peot, Simulation approaches to general probabilistic inference on belief
/// networks, UAI 1989; M. Henrion, Propagating uncertainty in Bayesian networks by probabilistic logic
/// sampling, UAI 1986.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ForwardSampling {
    /// What becomes of draws that disagree with the evidence.
    pub evidence: EvidenceRule,
    /// Draws, the refused ones among them.
    pub draws: usize,
    /// The seed.
    pub seed: u64,
    /// The memory that weights and joint tables may take.
    pub budget: Budget,
}

impl Default for ForwardSampling {
    /// 100,000 weighted draws, seed 0.
    fn default() -> Self {
        Self { evidence: EvidenceRule::Weight, draws: 100_000, seed: 0, budget: Budget::available() }
    }
}

impl ForwardSampling {
    /// Logic sampling: 100,000 draws of which those that disagree with the evidence are refused, seed 0.
    #[must_use]
    pub fn logic_sampling() -> Self {
        Self { evidence: EvidenceRule::Refuse, ..Self::default() }
    }

    fn check(&self, model: &dyn GraphicalModel) -> Result<(), Error> {
        check::require(self.draws > 0, "ForwardSampling", "draws", self.draws as f64, "positive")?;
        if self.evidence == EvidenceRule::Refuse && model.dag().is_none() {
            return Err(Error::NotDirected { engine: self.name() });
        }
        Ok(())
    }

    const fn name(&self) -> &'static str {
        match self.evidence {
            EvidenceRule::Weight => "likelihood weighting",
            EvidenceRule::Refuse => "logic sampling",
        }
    }

    /// The draws, counted in these scopes, and ln Z.
    fn draw(
        &self,
        model: &dyn GraphicalModel,
        targets: &[VarId],
        evidence: &Evidence,
        scopes: &[&[VarId]],
    ) -> Result<(Tally, LnZ), Error> {
        self.check(model)?;
        check_budget(Cost::new(2 * self.draws as u64, 0, 0), self.budget)?;
        let (tally, ln_scale) = match self.evidence {
            EvidenceRule::Weight => (self.weight(model, targets, evidence, scopes)?, 0.0),
            EvidenceRule::Refuse => self.refuse(model, targets, evidence, scopes)?,
        };
        let (value, standard_error) = tally.ln_mean_weight();
        Ok((tally, LnZ::Estimate { value: value + ln_scale, standard_error }))
    }

    fn weight(
        &self,
        model: &dyn GraphicalModel,
        targets: &[VarId],
        evidence: &Evidence,
        scopes: &[&[VarId]],
    ) -> Result<Tally, Error> {
        let part = relevant(model, targets, evidence, Need::PosteriorAndEvidence)?;
        let field = part.field(model, evidence)?;
        let sequence = sequence(model, &part, &field)?;
        let scopes = Scope::all(model, &part, evidence, scopes)?;
        let tally =
            Tally::of(&scopes, field.variables().len(), (self.draws, self.seed), |states, scratch, rng| {
                sequence.draw(states, scratch, rng, |_, _| false)
            });
        tally.check(&field, "draw more, or ask Gibbs sampling or an exact engine")?;
        Ok(tally)
    }

    /// The kept draws, and the logarithm of what the likelihoods were divided by.
    fn refuse(
        &self,
        model: &dyn GraphicalModel,
        targets: &[VarId],
        evidence: &Evidence,
        scopes: &[&[VarId]],
    ) -> Result<(Tally, f64), Error> {
        evidence.check(model.variables())?;
        let seen = evidence.iter().map(|(v, _)| v);
        let needed: Vec<VarId> = targets.iter().copied().chain(seen).collect();
        let part = relevant(model, &needed, &Evidence::none(), Need::PosteriorAndEvidence)?;
        let field = part.field(model, &Evidence::none())?;
        let sequence = sequence(model, &part, &field)?;
        let n = field.variables().len();
        let mut observed = vec![None; n];
        // Kept with a probability that depends on the state.
        let mut uncertain: Vec<(usize, Vec<f64>)> = Vec::new();
        let mut ln_scale = 0.0;
        for (v, finding) in evidence.iter() {
            let Some(place) = part.place(v) else { continue };
            match finding {
                &Finding::State(state) => observed[place.index()] = Some(state),
                Finding::Likelihood(l) => {
                    let greatest = l.iter().copied().fold(0.0, f64::max);
                    ln_scale += greatest.ln();
                    uncertain.push((place.index(), l.iter().map(|l| l / greatest).collect()));
                }
                _ => {}
            }
        }
        uncertain.sort_unstable_by_key(|own| own.0);
        let scopes = Scope::all(model, &part, evidence, scopes)?;
        let refused = |v: usize, state: usize| observed[v].is_some_and(|own| own != state);
        let tally = Tally::of(&scopes, n, (self.draws, self.seed), |states, scratch, rng| {
            if sequence.draw(states, scratch, rng, refused) == f64::NEG_INFINITY {
                return f64::NEG_INFINITY;
            }
            let kept = uncertain
                .iter()
                .all(|(v, proportions)| rng.random::<f64>() < proportions[states[*v] as usize]);
            if kept { 0.0 } else { f64::NEG_INFINITY }
        });
        if tally.kept == 0 {
            let part = relevant(model, targets, evidence, Need::PosteriorAndEvidence)?;
            let alternatives = "draw more, or weight draws instead of refusing them";
            tally.check(&part.field(model, evidence)?, alternatives)?;
        }
        Ok((tally, ln_scale))
    }

    fn warning(&self, tally: &Tally) -> Option<String> {
        let (draws, size) = (tally.draws, tally.effective_size());
        match self.evidence {
            EvidenceRule::Weight => (size < LEAST as f64).then(|| {
                format!(
                    "{draws} weighted draws are worth only {size:.0} independent ones: draw more, or try Gibbs \
                     sampling"
                )
            }),
            EvidenceRule::Refuse => (tally.kept < LEAST.min(draws)).then(|| {
                format!(
                    "only {} of {draws} draws agree with the evidence: draw more, or try likelihood weighting",
                    tally.kept
                )
            }),
        }
    }

    fn tables(
        &self,
        model: &dyn GraphicalModel,
        targets: &[VarId],
        evidence: &Evidence,
        scopes: &[&[VarId]],
    ) -> Result<(Vec<Table>, LnZ), Error> {
        let (tally, ln_z) = self.draw(model, targets, evidence, scopes)?;
        let values = (0..scopes.len()).map(|i| tally.proportions(i)).collect();
        Ok((tables(model, scopes, values)?, ln_z))
    }
}

/// How to draw the needed part of a model: in the order of its arrows, if it has any.
fn sequence(
    model: &dyn GraphicalModel,
    part: &Relevant,
    field: &MarkovRandomField,
) -> Result<Sequence, Error> {
    let Some(dag) = model.dag() else { return Sequence::of_field(field) };
    let order = dag.topological_order().iter().filter_map(|&v| Some(part.place(v)?.index()));
    Sequence::new(field.variables().cards(), field.factors(), &order.collect::<Vec<_>>())
}

impl Engine for ForwardSampling {
    type Plan = QueryPlan;

    fn plan(&self, model: &dyn GraphicalModel, targets: &Targets) -> Result<QueryPlan, Error> {
        self.check(model)?;
        let operations = (self.draws as u64).saturating_mul(model.variables().len() as u64);
        QueryPlan::new(model, targets, Cost::new(self.draws as u64, 0, operations))
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
        let scopes: Vec<&[VarId]> = plan.targets.iter().map(std::slice::from_ref).collect();
        let (tally, ln_z) = self.draw(model, &plan.targets, evidence, &scopes)?;
        let mut beliefs = BeliefsBuilder::new(model.variables());
        tally.beliefs(&mut beliefs, &plan.targets, evidence);
        let warnings = self.warning(&tally).into_iter().collect();
        Ok(beliefs.finish(ln_z, RunReport::sampled(self.name(), plan.cost, tally.sampling(), warnings)))
    }
}

impl JointEngine for ForwardSampling {
    fn joint(
        &self,
        model: &dyn GraphicalModel,
        plan: &QueryPlan,
        evidence: &Evidence,
        variables: &[VarId],
    ) -> Result<Table, Error> {
        check_joint(model, variables, self.budget)?;
        let targets = [&plan.targets, variables].concat();
        Ok(self.tables(model, &targets, evidence, &[variables])?.0.swap_remove(0))
    }
}

impl FactorEngine for ForwardSampling {
    fn factor_marginals(
        &self,
        model: &dyn GraphicalModel,
        plan: &QueryPlan,
        evidence: &Evidence,
    ) -> Result<(Vec<Table>, LnZ), Error> {
        let scopes: Vec<&[VarId]> = model.factors().iter().map(Table::scope).collect();
        self.tables(model, &plan.targets, evidence, &scopes)
    }
}
