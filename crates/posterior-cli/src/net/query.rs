//! `posterior net query`: posteriors, given what was seen.

mod text;

use posterior::graph::VarId;
use posterior::inference::{Beliefs, LnZ};
use posterior::pgm::Finding;
use serde::Serialize;

use super::answer::{Answer, Question};
use super::artefacts::{self, Reported};
use super::engine::{AnyEngine, code};
use super::finding_input;
use super::network_input::Input;
use crate::args::NetQuery;
use crate::failure::Failure;
use crate::json::{Number, Pairs};
use crate::run::Run;

#[derive(Serialize)]
struct Output {
    engine: &'static str,
    exact: bool,
    reason: Option<String>,
    converged: bool,
    iterations: usize,
    residual: Option<f64>,
    ln_evidence: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ln_evidence_standard_error: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ln_evidence_bounds: Option<[Number; 2]>,
    ln_z: Number,
    #[serde(skip_serializing_if = "Option::is_none")]
    sampling: Option<Drawn>,
    evidence: Pairs<String>,
    likelihoods: Pairs<Pairs<f64>>,
    marginals: Pairs<Pairs<f64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    priors: Option<Pairs<Pairs<f64>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    standard_errors: Option<Pairs<Pairs<f64>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    joint: Option<Vec<Cell>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    influence: Vec<Moved>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    look_next: Vec<Next>,
    cost: Spent,
    warnings: Vec<String>,
}

#[derive(Serialize)]
struct Cell {
    states: Pairs<String>,
    p: f64,
}

#[derive(Serialize)]
struct Moved {
    variable: String,
    change: f64,
    without: Pairs<f64>,
}

#[derive(Serialize)]
struct Next {
    variable: String,
    information_nats: f64,
}

#[derive(Serialize)]
struct Drawn {
    draws: usize,
    kept: usize,
    chains: usize,
    effective_size: f64,
    r_hat: Option<Number>,
    tail_shape: Option<Number>,
}

#[derive(Serialize)]
struct Spent {
    bytes: u64,
    largest_table: u64,
    operations: u64,
}

/// Answers a query.
pub(super) fn run(args: &NetQuery) -> Result<(), Failure> {
    let common = &args.input.common;
    let mut run = Run::start(common)?;
    run.claim(args.out.as_deref(), artefacts::NAMES)?;
    let input = Input::read(&args.input.file)?;
    run.notes(&input.warnings());
    let engine = AnyEngine::new(args.engine, args.memory, common.seed).with_draws(args.draws)?;
    let mut targets = input.variables_of(&args.target)?;
    let mut met = std::collections::BTreeSet::new();
    targets.retain(|&v| met.insert(v));
    let question = Question {
        seen: finding_input::read(&input, &args.findings)?,
        targets,
        engine: &engine,
        is_for_picture: args.out.is_some(),
        wants_joint: args.joint,
    };
    let answer = question.answer(&input)?;
    let warnings = &answer.now.report().warnings;
    for warning in warnings {
        run.note(&format!("warning: {warning}"));
    }
    let report = answer.now.report();
    if !report.converged && warnings.is_empty() {
        run.note(&format!(
            "note: {} did not settle in {} rounds: these are its last numbers",
            code(report.engine),
            report.iterations
        ));
    }
    run.write("report.html", |folder| {
        artefacts::write(folder, &input, &Reported::Query { answer: &answer, named: !args.target.is_empty() })
    })?;
    run.print(|| output(&input, &answer), || text::of(&input, &answer, args))
}

fn output(input: &Input, answer: &Answer) -> Output {
    let (report, variables) = (answer.now.report(), input.variables());
    let by_state = |v: VarId, values: &[f64]| {
        Pairs(variables.states(v).iter().cloned().zip(values.iter().copied()).collect())
    };
    let all = |beliefs: &Beliefs, errors: bool| {
        let row = |&v: &VarId| {
            let values = if errors { beliefs.standard_errors(v) } else { beliefs.marginal(v) };
            Some((variables.name(v).to_owned(), by_state(v, values?)))
        };
        Pairs(answer.targets.iter().filter_map(row).collect())
    };
    let likelihoods = answer.evidence.iter().filter_map(|(v, finding)| match finding {
        Finding::Likelihood(likelihood) => Some((variables.name(v).to_owned(), by_state(v, likelihood))),
        _ => None,
    });
    let errors = all(&answer.now, true);
    Output {
        engine: code(report.engine),
        exact: matches!(answer.now.ln_z(), LnZ::Exact(_)),
        reason: report.reason.clone(),
        converged: report.converged,
        iterations: report.iterations,
        residual: report.residual,
        ln_evidence: answer.ln_evidence(input).map(Number),
        ln_evidence_standard_error: answer.ln_evidence_error(input).map(Number),
        ln_evidence_bounds: answer.ln_evidence_bounds(input).map(|own| own.map(Number)),
        ln_z: Number(answer.now.ln_z().value()),
        sampling: report.sampling.as_ref().map(|own| Drawn {
            draws: own.draws,
            kept: own.kept,
            chains: own.chains,
            effective_size: own.effective_size,
            r_hat: own.rhat.map(Number),
            tail_shape: own.tail_shape.map(Number),
        }),
        evidence: Pairs(answer.evidence.states().map(|(v, state)| input.named(v, state)).collect()),
        likelihoods: Pairs(likelihoods.collect()),
        marginals: all(&answer.now, false),
        priors: answer.before.as_ref().map(|before| all(before, false)),
        standard_errors: (!errors.0.is_empty()).then_some(errors),
        joint: answer.joint.as_ref().map(|_| joint(input, answer)),
        influence: answer
            .influences
            .iter()
            .map(|own| Moved {
                variable: variables.name(own.variable).to_owned(),
                change: own.change,
                without: by_state(answer.targets[0], &own.without),
            })
            .collect(),
        look_next: answer
            .next
            .iter()
            .map(|own| Next {
                variable: variables.name(own.variable).to_owned(),
                information_nats: own.information,
            })
            .collect(),
        cost: Spent {
            bytes: report.cost.bytes(),
            largest_table: report.cost.largest,
            operations: report.cost.operations,
        },
        warnings: input.warnings().into_iter().chain(report.warnings.iter().cloned()).collect(),
    }
}

/// The cells of the joint posterior, in the layout of the table.
fn joint(input: &Input, answer: &Answer) -> Vec<Cell> {
    joint_rows(input, answer)
        .into_iter()
        .map(|(states, p)| {
            let names = answer.targets.iter().map(|&v| input.variables().name(v).to_owned());
            Cell { states: Pairs(names.zip(states).collect()), p }
        })
        .collect()
}

/// The states of the targets, the last fastest, with their probability.
pub(super) fn joint_rows(input: &Input, answer: &Answer) -> Vec<(Vec<String>, f64)> {
    let Some(table) = &answer.joint else { return Vec::new() };
    let states_at = |index: usize| {
        let mut rest = index;
        let mut states = vec![String::new(); table.scope().len()];
        for (place, (&v, &card)) in table.scope().iter().zip(table.cards()).enumerate().rev() {
            states[place].clone_from(&input.variables().states(v)[rest % card]);
            rest /= card;
        }
        states
    };
    table.values().iter().enumerate().map(|(index, &p)| (states_at(index), p)).collect()
}
