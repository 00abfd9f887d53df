//! Forward sampling, and rejection of what disagrees with the evidence.

use posterior_inference::{
    Beliefs, BeliefsBuilder, Budget, Cost, Engine, Error, JointEngine, LnZ, Need, RunReport, Targets,
    relevant,
};
use posterior_math::check::{self, ParamError};
use posterior_pgm::{Evidence, Finding, GraphicalModel, Table, VarId};
use rand::RngExt;

use super::scope::{Scope, check_budget, check_joint, shares};
use super::sequential::{DrawsPlan, Sequence};
use super::tally::Tally;

/// Fewer kept draws than this say little.
const LEAST_KEPT: usize = 400;
const ALTERNATIVES: &str = "draw more, or weigh draws instead of refusing them (lw)";

/// Logic sampling: joint states drawn from a Bayesian network, parents before children (forward or ancestral
/// sampling); those that disagree with the evidence are refused, as soon as they do.
///
/// One in 1 / p(evidence) draws is kept, so that it is for evidence that is not rare; the share that is kept
/// estimates p(evidence). Of a likelihood of states one draw in a share of l(state) / max l is kept. What the
/// query does not need is not drawn. For Bayesian networks only. One draw is O(arrows).
///
/// # References
/// M. Henrion, Propagating uncertainty in Bayesian networks by probabilistic logic sampling, UAI 1986.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogicSampling {
    /// Draws, the refused ones among them.
    pub draws: usize,
    /// The seed.
    pub seed: u64,
    /// The memory that joint tables may take.
    pub budget: Budget,
}

impl Default for LogicSampling {
    /// 100,000 draws, seed 0.
    fn default() -> Self {
        Self { draws: 100_000, seed: 0, budget: Budget::available() }
    }
}

/// What a draw must agree with, for each variable of the part that is drawn.
#[derive(Clone)]
enum Wanted {
    Any,
    State(usize),
    /// Kept with this probability.
    Shares(Vec<f64>),
}

impl LogicSampling {
    fn check(&self) -> Result<(), ParamError> {
        let draws = self.draws as f64;
        check::require(self.draws > 0, "LogicSampling", "draws", draws, "positive").map(drop)
    }

    /// The kept draws, counted in these scopes, and the logarithm of what the likelihoods were divided by.
    fn draw(
        &self,
        model: &dyn GraphicalModel,
        targets: &[VarId],
        evidence: &Evidence,
        scopes: &[&[VarId]],
    ) -> Result<(Tally, f64), Error> {
        self.check()?;
        check_budget(Cost::new(2 * self.draws as u64, 0, 0), self.budget)?;
        evidence.check(model.variables())?;
        let Some(dag) = model.dag() else { return Err(Error::NotDirected { engine: "rejection" }) };
        let seen = evidence.iter().map(|(v, _)| v);
        let needed: Vec<VarId> = targets.iter().copied().chain(seen).collect();
        let part = relevant(model, &needed, &Evidence::none(), Need::PosteriorAndEvidence)?;
        let order: Vec<usize> =
            dag.topological_order().iter().filter_map(|&v| Some(part.place(v)?.index())).collect();
        let field = part.field(model, &Evidence::none())?;
        let sequence = Sequence::new(field.variables().cards(), field.factors(), &order)?;
        let n = field.variables().len();
        let mut wanted = vec![Wanted::Any; n];
        let mut ln_scale = 0.0;
        for (v, place) in evidence.iter().filter_map(|(v, _)| Some((v, part.place(v)?))) {
            wanted[place.index()] = match evidence.get(v) {
                Some(&Finding::State(state)) => Wanted::State(state),
                Some(Finding::Likelihood(l)) => {
                    let greatest = l.iter().copied().fold(0.0, f64::max);
                    ln_scale += greatest.ln();
                    Wanted::Shares(l.iter().map(|l| l / greatest).collect())
                }
                _ => Wanted::Any,
            };
        }
        let scopes = scopes.iter().map(|own| Scope::new(model, &part, evidence, own));
        let scopes = scopes.collect::<Result<Vec<_>, _>>()?;
        let uncertain: Vec<(usize, &[f64])> = wanted
            .iter()
            .enumerate()
            .filter_map(
                |(v, own)| if let Wanted::Shares(shares) = own { Some((v, &shares[..])) } else { None },
            )
            .collect();
        let refuse = |v: usize, state: usize| matches!(wanted[v], Wanted::State(own) if own != state);
        let tally = Tally::of(&scopes, n, (self.draws, self.seed), |states, scratch, rng| {
            if sequence.draw(states, scratch, rng, refuse) == f64::NEG_INFINITY {
                return f64::NEG_INFINITY;
            }
            let kept = uncertain.iter().all(|(v, shares)| rng.random::<f64>() < shares[states[*v] as usize]);
            if kept { 0.0 } else { f64::NEG_INFINITY }
        });
        if tally.kept == 0 {
            let part = relevant(model, targets, evidence, Need::PosteriorAndEvidence)?;
            tally.check(&part.field(model, evidence)?, ALTERNATIVES)?;
        }
        Ok((tally, ln_scale))
    }
}

impl Engine for LogicSampling {
    type Plan = DrawsPlan;

    fn plan(&self, model: &dyn GraphicalModel, targets: &Targets) -> Result<DrawsPlan, Error> {
        self.check()?;
        if model.dag().is_none() {
            return Err(Error::NotDirected { engine: "rejection" });
        }
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
        let scopes: Vec<&[VarId]> = plan.targets.iter().map(std::slice::from_ref).collect();
        let (tally, ln_scale) = self.draw(model, &plan.targets, evidence, &scopes)?;
        let mut beliefs = BeliefsBuilder::new(model.variables());
        tally.beliefs(&mut beliefs, &plan.targets, evidence);
        let few = (tally.kept < LEAST_KEPT.min(self.draws)).then(|| {
            format!(
                "only {} of {} draws agree with the evidence: draw more, or try lw",
                tally.kept, tally.draws
            )
        });
        let (value, standard_error) = tally.ln_mean_weight();
        let ln_z = LnZ::Estimate { value: value + ln_scale, standard_error };
        let warnings = few.into_iter().collect();
        Ok(beliefs.finish(ln_z, RunReport::sampled("rejection", plan.cost, tally.sampling(), warnings)))
    }
}

impl JointEngine for LogicSampling {
    fn joint(
        &self,
        model: &dyn GraphicalModel,
        plan: &DrawsPlan,
        evidence: &Evidence,
        variables: &[VarId],
    ) -> Result<Table, Error> {
        check_joint(model, variables, self.budget)?;
        let targets = [&plan.targets, variables].concat();
        let (tally, _) = self.draw(model, &targets, evidence, &[variables])?;
        Ok(shares(model, &[variables], vec![tally.shares(0)], |p| p)?.swap_remove(0))
    }
}
