//! Conditioning: exact answers with little memory.

use posterior_pgm::{Evidence, Finding, GraphicalModel, VarId};

use crate::variable_elimination::Sum;
use crate::{
    Beliefs, BeliefsBuilder, Budget, Cost, Engine, Error, LnZ, Need, OrderChoice, RunReport, Targets,
    VariableElimination,
};

/// Cutset conditioning (Pearl 1988, section 4.3; Dechter 2003): variables are set to each of their joint
/// states in turn, so that what is left is easy; the answers are weighted with the probability of the joint
/// state.
///
/// Variables are put into the cutset one by one until no table that elimination makes is larger than
/// [`largest`](Self::largest). O(joint states of the cutset) eliminations for each target: it pays with time
/// for what other engines pay with memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conditioning {
    /// How many numbers the largest table may have; without, as many as the largest factor of the model.
    pub largest: Option<u64>,
    /// How many multiplications and additions a query may take.
    pub operations: u64,
    /// In which order variables go.
    pub order: OrderChoice,
}

impl Default for Conditioning {
    fn default() -> Self {
        Self { largest: None, operations: 1_000_000_000_000, order: OrderChoice::default() }
    }
}

/// The targets of a query, and what it costs if nothing is seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConditioningPlan {
    targets: Vec<VarId>,
    cutset: Vec<VarId>,
    cost: Cost,
}

impl ConditioningPlan {
    /// The variables that are set to each of their joint states in turn, if nothing is seen.
    pub fn cutset(&self) -> &[VarId] {
        &self.cutset
    }
}

impl Conditioning {
    fn work_out(
        &self,
        model: &dyn GraphicalModel,
        targets: &[VarId],
        evidence: &Evidence,
    ) -> Result<Work, Error> {
        let factors = model.factors().iter().map(|factor| factor.values().len() as u64);
        let limit = self.largest.unwrap_or_else(|| factors.max().unwrap_or(1)).max(1);
        let (order, need) = (self.order.clone(), Need::PosteriorAndEvidence);
        let engine = VariableElimination { order, budget: Budget::bytes(u64::MAX), need };
        let mut work = Work { cutset: Vec::new(), sums: Vec::new(), cost: Cost::default() };
        let mut within = evidence.clone();
        loop {
            work.sums = engine.sums(model, targets, &within)?;
            let Some(large) = work.sums.iter().find(|sum| sum.cost().largest > limit) else { break };
            let next = most_entangled(large, model.variables().cards(), limit);
            work.cutset.push(next);
            within.insert(next, Finding::State(0));
        }
        let cards = work.cutset.iter().map(|&v| model.variables().card(v) as u64);
        let states = cards.fold(1_u64, u64::saturating_mul);
        let once = work.sums.iter().fold(Cost::default(), |cost, sum| cost.then(sum.cost()));
        work.cost = Cost { operations: once.operations.saturating_mul(states), ..once };
        Ok(work)
    }
}

/// The cutset, and what is summed for each of its joint states.
struct Work {
    cutset: Vec<VarId>,
    sums: Vec<Sum>,
    cost: Cost,
}

/// The variable that is in the most tables that are too large; of these one with the most states, with the
/// least id.
fn most_entangled(sum: &Sum, cards: &[usize], limit: u64) -> VarId {
    let mut counts = vec![0_usize; cards.len()];
    for step in sum.program().steps() {
        let cells = step.scope.iter().fold(1_u64, |cells, v| cells.saturating_mul(cards[v.index()] as u64));
        if cells > limit {
            for v in &step.scope {
                counts[v.index()] += 1;
            }
        }
    }
    for v in &sum.kept {
        counts[v.index()] += 1;
    }
    let worth =
        |v: &VarId| (cards[v.index()] > 1, counts[v.index()], cards[v.index()], std::cmp::Reverse(*v));
    sum.part()
        .variables()
        .iter()
        .copied()
        .max_by_key(worth)
        .expect("invariant: a table that is too large has variables")
}

/// Sums of nonnegative numbers times e^`ln_scale`.
struct Mixture {
    beliefs: BeliefsBuilder,
    total: f64,
    ln_scale: f64,
}

impl Mixture {
    /// The factor for what has this logarithmic weight, after what is there was scaled down if that is
    /// needed.
    fn weight(&mut self, ln_weight: f64, targets: &[VarId]) -> f64 {
        if ln_weight > self.ln_scale {
            let factor = (self.ln_scale - ln_weight).exp();
            self.total *= factor;
            for &v in targets {
                for value in self.beliefs.marginal_mut(v) {
                    *value *= factor;
                }
            }
            self.ln_scale = ln_weight;
        }
        (ln_weight - self.ln_scale).exp()
    }
}

impl Engine for Conditioning {
    type Plan = ConditioningPlan;

    /// Resolves the targets and chooses a cutset for the case that nothing is seen. For other cases,
    /// [`infer`](Self::infer) does.
    fn plan(&self, model: &dyn GraphicalModel, targets: &Targets) -> Result<ConditioningPlan, Error> {
        let targets = targets.resolve(model.variables())?;
        let Work { cutset, cost, .. } = self.work_out(model, &targets, &Evidence::none())?;
        Ok(ConditioningPlan { targets, cutset, cost })
    }

    fn cost(&self, plan: &ConditioningPlan) -> Cost {
        plan.cost
    }

    fn infer(
        &self,
        model: &dyn GraphicalModel,
        plan: &ConditioningPlan,
        evidence: &Evidence,
    ) -> Result<Beliefs, Error> {
        let targets = plan.targets.as_slice();
        let work = self.work_out(model, targets, evidence)?;
        if work.cost.operations > self.operations {
            return Err(Error::TooLong { operations: work.cost.operations, limit: self.operations });
        }
        let mut beliefs = BeliefsBuilder::new(model.variables());
        for &v in targets {
            beliefs.marginal_mut(v).fill(0.0);
        }
        let mut mixture = Mixture { beliefs, total: 0.0, ln_scale: f64::NEG_INFINITY };
        let mut states = vec![0; work.cutset.len()];
        loop {
            work.add_case(model, targets, evidence, &states, &mut mixture)?;
            if !advance(&mut states, &work.cutset, model) {
                break;
            }
        }
        let Mixture { mut beliefs, total, ln_scale } = mixture;
        if total == 0.0 {
            return Err(Error::ImpossibleEvidence);
        }
        for &v in targets {
            for value in beliefs.marginal_mut(v) {
                *value /= total;
            }
        }
        Ok(beliefs.finish(LnZ::Exact(total.ln() + ln_scale), RunReport::exact("conditioning", work.cost)))
    }
}

impl Work {
    /// Adds what follows if the cutset is in these states.
    fn add_case(
        &self,
        model: &dyn GraphicalModel,
        targets: &[VarId],
        evidence: &Evidence,
        states: &[usize],
        mixture: &mut Mixture,
    ) -> Result<(), Error> {
        let mut within = evidence.clone();
        let mut ln_weight = 0.0;
        for (&v, &state) in self.cutset.iter().zip(states) {
            if let Some(Finding::Likelihood(likelihood)) = evidence.get(v) {
                ln_weight += likelihood[state].ln();
            }
            within.insert(v, Finding::State(state));
        }
        if ln_weight == f64::NEG_INFINITY {
            return Ok(());
        }
        let mut weight = None;
        for sum in &self.sums {
            let (table, ln_z) = match sum.run(model, &within) {
                Err(Error::ImpossibleEvidence) => return Ok(()),
                other => other?,
            };
            // The first sum is that of ln Z.
            let weight = *weight.get_or_insert_with(|| mixture.weight(ln_weight + ln_z, targets));
            if let [v] = *sum.kept {
                for (value, p) in mixture.beliefs.marginal_mut(v).iter_mut().zip(table.values()) {
                    *value += weight * p;
                }
            }
        }
        let weight = weight.expect("invariant: there is a sum for ln Z");
        mixture.total += weight;
        for &v in targets {
            if let Some(state) = within.state(v) {
                mixture.beliefs.marginal_mut(v)[state] += weight;
            }
        }
        Ok(())
    }
}

/// The next joint state, the last variable fastest; false after the last one.
fn advance(states: &mut [usize], variables: &[VarId], model: &dyn GraphicalModel) -> bool {
    for (state, &v) in states.iter_mut().zip(variables).rev() {
        *state += 1;
        if *state < model.variables().card(v) {
            return true;
        }
        *state = 0;
    }
    false
}
