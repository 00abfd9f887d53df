//! Enumeration: the sum over all joint states, the oracle of every other engine.

use posterior_math::log_space::ln_sum_exp;
use posterior_pgm::{Evidence, GraphicalModel, Table, VarId, Variables};

use crate::sliced::ln_score;
use crate::{
    Beliefs, BeliefsBuilder, Cost, Engine, Error, Explanation, FactorEngine, JointEngine, LnZ, MapEngine,
    QueryPlan, RunReport, Targets,
};

/// How many joint states are visited at most.
const LARGEST: u64 = 1 << 24;

/// The sum over all joint states, up to 2²⁴ of them. O(joint states × factors).
///
/// It shares nothing with the other engines but the tables and the score of a joint state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Enumeration;

impl Enumeration {
    /// Calls `visit` with every joint state that agrees with the evidence and its ln score, the last variable
    /// fastest.
    fn visit(
        model: &dyn GraphicalModel,
        evidence: &Evidence,
        mut visit: impl FnMut(&[usize], f64),
    ) -> Result<(), Error> {
        let variables = model.variables();
        evidence.check(variables)?;
        let mut states: Vec<usize> = variables.ids().map(|v| evidence.state(v).unwrap_or(0)).collect();
        loop {
            visit(&states, ln_score(model, evidence, &states));
            let mut advanced = false;
            for v in variables.ids().rev().filter(|&v| evidence.state(v).is_none()) {
                states[v.index()] += 1;
                if states[v.index()] < variables.card(v) {
                    advanced = true;
                    break;
                }
                states[v.index()] = 0;
            }
            if !advanced {
                return Ok(());
            }
        }
    }

    fn ln_z(model: &dyn GraphicalModel, evidence: &Evidence) -> Result<f64, Error> {
        let mut scores = Vec::new();
        Self::visit(model, evidence, |_, score| scores.push(score))?;
        let ln_z = ln_sum_exp(&scores);
        if ln_z == f64::NEG_INFINITY { Err(Error::ImpossibleEvidence) } else { Ok(ln_z) }
    }

    fn check_size(variables: &Variables) -> Result<Cost, Error> {
        let states =
            variables.cards().iter().fold(1_u64, |product, &card| product.saturating_mul(card as u64));
        let cost = Cost::new(states, states, states);
        if states <= LARGEST {
            return Ok(cost);
        }
        Err(Error::TooLarge {
            cost,
            budget: crate::Budget::bytes(LARGEST * 8),
            alternatives: "enumeration is for small models: use a junction tree",
        })
    }
}

impl Engine for Enumeration {
    type Plan = QueryPlan;

    fn plan(&self, model: &dyn GraphicalModel, targets: &Targets) -> Result<QueryPlan, Error> {
        QueryPlan::new(model, targets, Self::check_size(model.variables())?)
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
        Self::check_size(model.variables())?;
        plan.targets.iter().try_for_each(|&v| model.variables().check(v))?;
        let ln_z = Self::ln_z(model, evidence)?;
        let mut beliefs = BeliefsBuilder::new(model.variables());
        for &v in &plan.targets {
            beliefs.marginal_mut(v).fill(0.0);
        }
        Self::visit(model, evidence, |states, score| {
            for &v in &plan.targets {
                beliefs.marginal_mut(v)[states[v.index()]] += (score - ln_z).exp();
            }
        })?;
        Ok(beliefs.finish(LnZ::Exact(ln_z), RunReport::exact("enumeration", plan.cost)))
    }
}

impl JointEngine for Enumeration {
    fn joint(
        &self,
        model: &dyn GraphicalModel,
        _plan: &QueryPlan,
        evidence: &Evidence,
        variables: &[VarId],
    ) -> Result<Table, Error> {
        let all = model.variables();
        Self::check_size(all)?;
        all.check_distinct(variables, "a joint table")?;
        let cards: Vec<usize> = variables.iter().map(|&v| all.card(v)).collect();
        let mut values = vec![0.0; cards.iter().product()];
        let ln_z = Self::ln_z(model, evidence)?;
        Self::visit(model, evidence, |states, score| {
            let place = variables.iter().fold(0, |place, &v| place * all.card(v) + states[v.index()]);
            values[place] += (score - ln_z).exp();
        })?;
        Table::new(variables.to_vec(), cards, values)?.normalized().ok_or(Error::ImpossibleEvidence)
    }
}

impl FactorEngine for Enumeration {
    fn factor_marginals(
        &self,
        model: &dyn GraphicalModel,
        plan: &QueryPlan,
        evidence: &Evidence,
    ) -> Result<(Vec<Table>, LnZ), Error> {
        let joint = |factor: &Table| self.joint(model, plan, evidence, factor.scope());
        let tables = model.factors().iter().map(joint).collect::<Result<_, _>>()?;
        Ok((tables, LnZ::Exact(Self::ln_z(model, evidence)?)))
    }
}

impl MapEngine for Enumeration {
    fn most_probable(&self, model: &dyn GraphicalModel, evidence: &Evidence) -> Result<Explanation, Error> {
        Self::check_size(model.variables())?;
        let mut best = Explanation::new(Vec::new(), f64::NEG_INFINITY, true);
        Self::visit(model, evidence, |states, score| {
            if score > best.ln_value {
                best.ln_value = score;
                best.states = states.to_vec();
            }
        })?;
        if best.ln_value == f64::NEG_INFINITY {
            return Err(Error::ImpossibleEvidence);
        }
        Ok(best)
    }
}
