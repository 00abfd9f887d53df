//! Belief propagation: messages between factors and variables, exact on forests and approximate elsewhere.

mod domain;
mod explanation;
mod kernel;
mod network;
mod passing;
mod schedule;

use posterior_math::check::{self, ParamError};
use posterior_pgm::{
    Evidence, GraphicalModel, LogSumProduct, MaxProduct, MaxSum, SumProduct, Table, VarId, Variables,
};

pub(crate) use domain::Domain;
pub(crate) use network::Network;
pub(crate) use passing::{Failure, Passing};
pub(crate) use schedule::two_passes;

use crate::sliced::{Sliced, ln_score};
use crate::{
    Beliefs, Cost, Engine, Error, Explanation, FactorEngine, JointEngine, LnZ, MapEngine, QueryPlan,
    RunReport, Targets,
};

pub(crate) const NAME: &str = "belief propagation";

/// In which order the messages of a graph with loops are renewed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Schedule {
    /// Variable by variable, along a spanning forest, inwards and outwards in turn.
    #[default]
    Sequential,
    /// All messages at the same time.
    Flooding,
    /// Always the message that would change most (Elidan, McGraw and Koller 2006).
    Residual,
}

/// How much of the old message is kept in a new one.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[non_exhaustive]
pub enum Damping {
    /// Nothing.
    #[default]
    None,
    /// m = (1 - d) new + d old, 0 ≤ d < 1.
    Linear(f64),
    /// m = new^(1 - d) old^d, 0 ≤ d < 1.
    Geometric(f64),
}

/// Belief propagation (Pearl 1988; Kschischang, Frey and Loeliger 2001).
///
/// On a graph without loops two passes give all marginals and ln Z exactly, whatever the options. On others
/// messages are passed until they no longer change: ln Z is Bethe's approximation (Yedidia, Freeman and Weiss
/// 2005), and neither it nor the marginals have an error that one could bound. The report says whether it
/// converged.
///
/// What was seen is cut out first, which may cut loops. A pass takes O(cells of all factors × variables of
/// the largest factor), on forests O(cells of all factors). Zeros are allowed; where products could
/// underflow, messages are passed as logarithms instead.
///
/// As a [`MapEngine`] it passes maxima. Without loops the most probable state is exact, traced back from the
/// least variable of each component outwards, the lowest of equally good states first. With loops the best of
/// the states that the messages point at is returned, after changing single variables for the better; it is
/// optimal where no component has more than one loop, the messages converged and no variable hesitates (Weiss
/// and Freeman 2001). Its value is -∞ if no possible state was met.
///
/// As a [`JointEngine`] it knows joint posteriors of variables that share a factor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BeliefPropagation {
    /// The order of messages.
    pub schedule: Schedule,
    /// How much of the old messages is kept.
    pub damping: Damping,
    /// The largest change of a message, whose greatest entry is 1, that counts as none.
    pub tolerance: f64,
    /// How many times all messages are renewed at most.
    pub max_iterations: usize,
}

impl Default for BeliefPropagation {
    fn default() -> Self {
        Self { schedule: Schedule::default(), damping: Damping::None, tolerance: 1e-10, max_iterations: 1000 }
    }
}

/// What is read off the messages.
struct Answer {
    beliefs: Vec<(VarId, Vec<f64>)>,
    joints: Vec<Vec<f64>>,
    ln_z: f64,
    outcome: Option<schedule::Outcome>,
}

impl BeliefPropagation {
    fn check(&self) -> Result<(), ParamError> {
        check::non_negative("BeliefPropagation", "tolerance", self.tolerance)?;
        if let Damping::Linear(keep) | Damping::Geometric(keep) = self.damping {
            let valid = (0.0..1.0).contains(&keep);
            check::require(valid, "BeliefPropagation", "damping", keep, "at least 0 and below 1")?;
        }
        Ok(())
    }

    /// Beliefs about `targets` and the factors `joints`.
    fn answer(&self, net: &Network, targets: &[VarId], joints: &[usize]) -> Result<Answer, Error> {
        match self.answer_in::<SumProduct>(net, targets, joints) {
            Err(Failure::Underflow) => self.answer_in::<LogSumProduct>(net, targets, joints),
            other => other,
        }
        .map_err(|_| Error::ImpossibleEvidence)
    }

    fn answer_in<S: Domain>(
        &self,
        net: &Network,
        targets: &[VarId],
        joints: &[usize],
    ) -> Result<Answer, Failure> {
        let mut passing = Passing::<S>::new(net, if net.is_forest() { Damping::None } else { self.damping })?;
        let (ln_z, outcome) = if net.is_forest() {
            (two_passes(&mut passing)?, None)
        } else {
            let outcome = schedule::iterate(&mut passing, self, |_| {})?;
            (passing.bethe()?, Some(outcome))
        };
        let mut beliefs = Vec::with_capacity(targets.len());
        for &v in targets.iter().filter(|v| net.cards[v.index()] > 0) {
            let mut own = vec![0.0; net.cards[v.index()]];
            passing.belief(v.index(), &mut own)?;
            beliefs.push((v, own));
        }
        let joints = joints.iter().map(|&s| passing.factor_belief(s)).collect::<Result<_, Failure>>()?;
        Ok(Answer { beliefs, joints, ln_z, outcome })
    }
}

impl Engine for BeliefPropagation {
    type Plan = QueryPlan;

    fn plan(&self, model: &dyn GraphicalModel, targets: &Targets) -> Result<QueryPlan, Error> {
        self.check()?;
        QueryPlan::new(model, targets, cost(model))
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
        self.check()?;
        check_targets(model, &plan.targets)?;
        let sliced = Sliced::new(model, evidence)?;
        let answer = self.answer(&Network::new(&sliced), &plan.targets, &[])?;
        let mut own = answer.beliefs.iter().map(|(_, own)| &own[..]);
        let beliefs = sliced.beliefs(model, &plan.targets, |_| own.next().unwrap_or_default());
        let ln_z = answer.ln_z + sliced.ln_constant;
        Ok(match answer.outcome {
            None => beliefs.finish(LnZ::Exact(ln_z), RunReport::exact(NAME, plan.cost)),
            Some(outcome) => beliefs.finish(LnZ::Approximate(ln_z), report(plan.cost, &outcome)),
        })
    }
}

impl JointEngine for BeliefPropagation {
    fn joint(
        &self,
        model: &dyn GraphicalModel,
        _plan: &QueryPlan,
        evidence: &Evidence,
        variables: &[VarId],
    ) -> Result<Table, Error> {
        self.check()?;
        let all = model.variables();
        all.check_distinct(variables, "a joint table")?;
        let cards: Vec<usize> = variables.iter().map(|&v| all.card(v)).collect();
        let sliced = Sliced::new(model, evidence)?;
        let free: Vec<VarId> =
            variables.iter().copied().filter(|v| sliced.observed[v.index()].is_none()).collect();
        let net = Network::new(&sliced);
        let own = if let [v] = free[..] {
            let answer = self.answer(&net, &[v], &[])?;
            let own = answer.beliefs.into_iter().map(|(_, own)| own).collect::<Vec<_>>().concat();
            Table::new(vec![v], vec![all.card(v)], own)?
        } else if free.is_empty() {
            self.answer(&net, &[], &[])?;
            Table::scalar(1.0)
        } else {
            let s = (0..net.factor_count())
                .find(|&s| free.iter().all(|v| net.edge_variable[net.edges(s)].contains(&v.index())))
                .ok_or_else(|| no_joint(all, &free))?;
            let joint = self.answer(&net, &[], &[s])?.joints.concat();
            Table::new(net.scope(s), net.factor_cards(s).to_vec(), joint)?.marginal::<SumProduct>(&free)?
        };
        Ok(with_observed(&own, variables, &cards, &sliced.observed)?)
    }
}

impl FactorEngine for BeliefPropagation {
    fn factor_marginals(
        &self,
        model: &dyn GraphicalModel,
        _plan: &QueryPlan,
        evidence: &Evidence,
    ) -> Result<(Vec<Table>, LnZ), Error> {
        self.check()?;
        let sliced = Sliced::new(model, evidence)?;
        let net = Network::new(&sliced);
        let all: Vec<VarId> = model.variables().ids().collect();
        let factors: Vec<usize> = (0..net.factor_count()).collect();
        let Answer { beliefs, joints, ln_z, outcome } = self.answer(&net, &all, &factors)?;
        let mut own: Vec<Option<Table>> = vec![None; model.factors().len()];
        for (s, joint) in joints.into_iter().enumerate() {
            own[sliced.sources[s]] = Some(Table::new(net.scope(s), net.factor_cards(s).to_vec(), joint)?);
        }
        let mut tables = Vec::with_capacity(own.len());
        for (factor, own) in model.factors().iter().zip(own) {
            let of_variable = || {
                let free = factor.scope().iter().find(|v| sliced.observed[v.index()].is_none());
                let own = free.and_then(|&v| beliefs.binary_search_by_key(&v, |own| own.0).ok());
                own.map_or(Ok(Table::scalar(1.0)), |place| {
                    let (v, own) = &beliefs[place];
                    Table::new(vec![*v], vec![own.len()], own.clone())
                })
            };
            let own = own.map_or_else(of_variable, Ok)?;
            tables.push(with_observed(&own, factor.scope(), factor.cards(), &sliced.observed)?);
        }
        let ln_z = ln_z + sliced.ln_constant;
        Ok((tables, if outcome.is_none() { LnZ::Exact(ln_z) } else { LnZ::Approximate(ln_z) }))
    }
}

impl MapEngine for BeliefPropagation {
    fn most_probable(&self, model: &dyn GraphicalModel, evidence: &Evidence) -> Result<Explanation, Error> {
        self.check()?;
        let sliced = Sliced::new(model, evidence)?;
        let net = Network::new(&sliced);
        let best = match explanation::explain::<MaxProduct>(self, &net) {
            Err(Failure::Underflow) => explanation::explain::<MaxSum>(self, &net),
            other => other,
        };
        let mut best = best.map_err(|_| Error::ImpossibleEvidence)?;
        for (state, seen) in best.states.iter_mut().zip(&sliced.observed) {
            *state = seen.unwrap_or(*state);
        }
        best.ln_value = ln_score(model, evidence, &best.states);
        Ok(best)
    }
}

/// That the model has the targets of a plan.
pub(crate) fn check_targets(model: &dyn GraphicalModel, targets: &[VarId]) -> Result<(), Error> {
    if targets.iter().all(|v| v.index() < model.variables().len()) {
        return Ok(());
    }
    Err(Error::OtherModel { reason: "it has fewer variables" })
}

/// All tables once, and a message for each way of each edge.
pub(crate) fn cost(model: &dyn GraphicalModel) -> Cost {
    let (mut cells, mut messages, mut largest, mut operations) = (0, 0, 0, 0_u64);
    for factor in model.factors() {
        let own = factor.values().len() as u64;
        cells += own;
        largest = largest.max(own);
        messages += factor.cards().iter().map(|&card| card as u64).sum::<u64>();
        operations = operations.saturating_add(own.saturating_mul(factor.scope().len() as u64));
    }
    Cost::new(cells + 2 * messages, largest, operations)
}

fn report(cost: Cost, outcome: &schedule::Outcome) -> RunReport {
    let mut report =
        RunReport::iterative(NAME, cost, outcome.iterations, outcome.converged, outcome.residual);
    report.period = outcome.period;
    report
}

fn no_joint(variables: &Variables, asked: &[VarId]) -> Error {
    let names = asked.iter().map(|&v| variables.name(v).to_owned()).collect();
    Error::NoJoint { names, reason: "belief propagation knows joint posteriors of variables of one factor" }
}

/// The table over all `variables`, with all mass on the states that were seen.
fn with_observed(
    own: &Table,
    variables: &[VarId],
    cards: &[usize],
    observed: &[Option<usize>],
) -> Result<Table, posterior_pgm::Error> {
    let mut table = own.clone();
    for (&v, &card) in variables.iter().zip(cards) {
        if let Some(state) = observed[v.index()] {
            let point = (0..card).map(|other| if other == state { 1.0 } else { 0.0 }).collect();
            table = table.product::<SumProduct>(&Table::new(vec![v], vec![card], point)?)?;
        }
    }
    table.marginal::<SumProduct>(variables)
}
