//! The engine that the user chose.

use posterior::graph::VarId;
use posterior::inference::{
    Auto, BeliefPropagation, Beliefs, Budget, Cost, Engine, Error, Fallback, JoinGraph, JointEngine,
    JunctionTree, MeanField, Targets, VariableElimination,
};
use posterior::pgm::{Evidence, GraphicalModel, Table};
use posterior::sampling::network::{ForwardSampling, NetworkGibbs};

use crate::args;
use crate::failure::Failure;

/// Fewer draws of a chain have no standard error.
const LEAST: usize = 12;

/// An engine of inference.
#[derive(Debug)]
pub(super) enum AnyEngine {
    Auto(Auto),
    JunctionTree(JunctionTree),
    Elimination(VariableElimination),
    BeliefPropagation(BeliefPropagation),
    JoinGraph(JoinGraph),
    MeanField(MeanField),
    Forward(ForwardSampling),
    Gibbs(NetworkGibbs),
}

impl AnyEngine {
    pub(super) fn new(choice: args::Engine, budget: Option<u64>, seed: u64) -> Self {
        let budget = budget.map_or_else(Budget::available, Budget::bytes);
        match choice {
            args::Engine::Auto => Self::Auto(Auto { budget, fallback: Fallback::Refuse, ..Auto::default() }),
            args::Engine::Jt => Self::JunctionTree(JunctionTree { budget, ..JunctionTree::default() }),
            args::Engine::Ve => {
                Self::Elimination(VariableElimination { budget, ..VariableElimination::default() })
            }
            args::Engine::Bp => Self::BeliefPropagation(BeliefPropagation::default()),
            args::Engine::JoinGraph => Self::JoinGraph(JoinGraph { budget, ..JoinGraph::default() }),
            args::Engine::MeanField => {
                Self::MeanField(MeanField { restarts: 4, seed, ..MeanField::default() })
            }
            args::Engine::Lw => Self::Forward(ForwardSampling { seed, budget, ..ForwardSampling::default() }),
            args::Engine::Gibbs => Self::Gibbs(NetworkGibbs { seed, budget, ..NetworkGibbs::default() }),
            args::Engine::Rejection => {
                Self::Forward(ForwardSampling { seed, budget, ..ForwardSampling::logic_sampling() })
            }
        }
    }

    /// With so many draws, in all chains together.
    pub(super) fn with_draws(self, draws: Option<u64>) -> Result<Self, Failure> {
        let Some(draws) = draws else { return Ok(self) };
        let draws = usize::try_from(draws).unwrap_or(usize::MAX);
        match self {
            Self::Forward(engine) => Ok(Self::Forward(ForwardSampling { draws, ..engine })),
            Self::Gibbs(engine) => {
                let own = draws.div_ceil(engine.chains);
                if own < LEAST {
                    return Err(Failure::Usage(format!(
                        "--draws {draws} is too few for gibbs: give at least {}",
                        LEAST * engine.chains
                    )));
                }
                Ok(Self::Gibbs(NetworkGibbs { draws: own, ..engine }))
            }
            own => Ok(own),
        }
    }

    /// Whether its answers are random.
    pub(super) const fn draws(&self) -> bool {
        matches!(self, Self::Forward(_) | Self::Gibbs(_))
    }

    /// p(variables | evidence); `None` of an engine that has no joint posteriors.
    pub(super) fn joint(
        &self,
        model: &dyn GraphicalModel,
        evidence: &Evidence,
        variables: &[VarId],
    ) -> Option<Result<Table, Error>> {
        match self {
            Self::Auto(engine) => Some(joint(engine, model, evidence, variables)),
            Self::JunctionTree(engine) => Some(joint(engine, model, evidence, variables)),
            Self::Elimination(engine) => Some(joint(engine, model, evidence, variables)),
            Self::BeliefPropagation(engine) => Some(joint(engine, model, evidence, variables)),
            Self::Forward(engine) => Some(joint(engine, model, evidence, variables)),
            Self::Gibbs(engine) => Some(joint(engine, model, evidence, variables)),
            Self::JoinGraph(_) | Self::MeanField(_) => None,
        }
    }
}

/// What the command line calls the engine of a report.
pub(super) fn code(engine: &'static str) -> &'static str {
    match engine {
        "junction tree" => "jt",
        "variable elimination" => "ve",
        "belief propagation" => "bp",
        "join-graph propagation" => "join-graph",
        "mean field" => "mean-field",
        "likelihood weighting" => "lw",
        "Gibbs sampling" => "gibbs",
        "logic sampling" => "rejection",
        other => other,
    }
}

fn joint<E: JointEngine>(
    engine: &E,
    model: &dyn GraphicalModel,
    evidence: &Evidence,
    variables: &[VarId],
) -> Result<Table, Error> {
    let plan = engine.plan(model, &Targets::These(variables.to_vec()))?;
    engine.joint(model, &plan, evidence, variables)
}

impl Engine for AnyEngine {
    /// What engines work out beforehand, they work out again for each evidence: that makes it smaller.
    type Plan = Targets;

    fn plan(&self, model: &dyn GraphicalModel, targets: &Targets) -> Result<Targets, Error> {
        targets.resolve(model.variables())?;
        Ok(targets.clone())
    }

    /// Unknown before the evidence is: the report of an answer has it.
    fn cost(&self, _: &Targets) -> Cost {
        Cost::default()
    }

    fn infer(
        &self,
        model: &dyn GraphicalModel,
        targets: &Targets,
        evidence: &Evidence,
    ) -> Result<Beliefs, Error> {
        match self {
            Self::Auto(engine) => engine.query(model, targets, evidence),
            Self::JunctionTree(engine) => engine.query(model, targets, evidence),
            Self::Elimination(engine) => engine.query(model, targets, evidence),
            Self::BeliefPropagation(engine) => engine.query(model, targets, evidence),
            Self::JoinGraph(engine) => engine.query(model, targets, evidence),
            Self::MeanField(engine) => engine.query(model, targets, evidence),
            Self::Forward(engine) => engine.query(model, targets, evidence),
            Self::Gibbs(engine) => engine.query(model, targets, evidence),
        }
    }
}
