//! The answer to a query: posteriors before and after, what moved them, what to look at next.

use posterior::graph::VarId;
use posterior::inference::{
    Beliefs, Engine as _, Error, Impact, Influence, JeffreyOptions, LnZ, Targets, conflict, impact,
    influence, jeffrey,
};
use posterior::math::iteration::Silent;
use posterior::pgm::{Evidence, Finding, GraphicalModel as _, Table};

use super::engine::AnyEngine;
use super::finding_input::Seen;
use super::network_input::Input;
use crate::failure::Failure;

/// So many operations, about a second, may go into what moved an answer, and as many into what to look at
/// next.
const EXTRA_OPERATIONS: u64 = 300_000_000;

/// The answer to a query.
pub(super) struct Answer {
    /// What was seen, beliefs included.
    pub(super) evidence: Evidence,
    /// The variables asked about; all, if none was named.
    pub(super) targets: Vec<VarId>,
    pub(super) now: Beliefs,
    /// Before anything was seen; `None` if nothing was, or if that was too large to work out.
    pub(super) before: Option<Beliefs>,
    pub(super) joint: Option<Table>,
    /// Of the only named target.
    pub(super) influences: Vec<Influence>,
    pub(super) next: Vec<Impact>,
}

/// What to work out.
pub(super) struct Question<'a> {
    pub(super) seen: Seen,
    /// Empty for all variables.
    pub(super) targets: Vec<VarId>,
    pub(super) engine: &'a AnyEngine,
    /// Whether posteriors of all variables are wanted, for a picture.
    pub(super) is_for_picture: bool,
    pub(super) wants_joint: bool,
}

impl Question<'_> {
    pub(super) fn answer(self, input: &Input) -> Result<Answer, Failure> {
        let (engine, model) = (self.engine, input.model());
        let evidence = self.evidence(input)?;
        let failed = |error: Error| failed(input, engine, &evidence, &error);
        let asked = if self.targets.is_empty() || self.is_for_picture {
            Targets::All
        } else {
            Targets::These(self.targets.clone())
        };
        let now = engine.query(model, &asked, &evidence).map_err(failed)?;
        let before = if evidence.is_empty() {
            None
        } else {
            match engine.query(model, &asked, &Evidence::none()) {
                Err(error) if error.is_too_large() => None,
                answer => Some(answer.map_err(failed)?),
            }
        };
        let joint = self.joint(input, &evidence)?;
        let (mut influences, mut next) = (Vec::new(), Vec::new());
        // What moved an answer by less than its error is not worth telling.
        if let [target] = self.targets[..]
            && !engine.draws()
        {
            let free = evidence.state(target).is_none();
            let query = now.report().cost.operations.saturating_mul(now.report().iterations as u64).max(1);
            let fits = |queries: usize| query.saturating_mul(queries as u64) <= EXTRA_OPERATIONS;
            if free && evidence.len() > 1 && fits(evidence.len()) {
                influences = influence(engine, model, &evidence, target).map_err(failed)?;
            }
            let queries = (1 + model.variables().card(target))
                * if self.is_for_picture { 1 } else { model.variables().len() };
            if free && fits(queries) {
                next = impact(engine, model, &evidence, target, &Targets::All).map_err(failed)?;
            }
        }
        let targets = if self.targets.is_empty() { model.variables().ids().collect() } else { self.targets };
        Ok(Answer { evidence, targets, now, before, joint, influences, next })
    }

    /// What was seen, with the likelihoods that give beliefs.
    fn evidence(&self, input: &Input) -> Result<Evidence, Failure> {
        let Seen { evidence, beliefs } = &self.seen;
        if beliefs.is_empty() {
            return Ok(evidence.clone());
        }
        let options = JeffreyOptions::default();
        let found = jeffrey(self.engine, input.model(), evidence, beliefs, &options, &mut Silent)
            .map_err(|error| failed(input, self.engine, evidence, &error))?;
        found.report.require_converged().map_err(|_| {
            Failure::data(format!(
                "{}: the beliefs contradict each other: no evidence gives all of them",
                input.source
            ))
        })?;
        Ok(found.model)
    }

    fn joint(&self, input: &Input, evidence: &Evidence) -> Result<Option<Table>, Failure> {
        if !self.wants_joint {
            return Ok(None);
        }
        match self.engine.joint(input.model(), evidence, &self.targets) {
            None => {
                Err(Failure::Usage("--joint: join-graph and mean-field have no joint posteriors".to_owned()))
            }
            Some(joint) => joint.map(Some).map_err(|error| failed(input, self.engine, evidence, &error)),
        }
    }
}

impl Answer {
    /// ln p(evidence), however exact; `None` of a Markov random field whose constant is not known.
    pub(super) fn ln_evidence(&self, input: &Input) -> Option<f64> {
        if self.evidence.is_empty() {
            return Some(0.0);
        }
        let ln_z = Some(self.now.ln_z().value()).filter(|ln_z| !ln_z.is_nan())?;
        if input.model().dag().is_some() {
            return Some(ln_z);
        }
        Some(ln_z - self.before.as_ref()?.ln_z().value())
    }

    /// The standard error of that, where it was estimated from draws.
    pub(super) fn ln_evidence_error(&self, input: &Input) -> Option<f64> {
        let error = |beliefs: &Beliefs| match beliefs.ln_z() {
            LnZ::Estimate { standard_error, .. } => Some(standard_error),
            _ => None,
        };
        let now = error(&self.now).filter(|_| !self.evidence.is_empty())?;
        if input.model().dag().is_some() { Some(now) } else { Some(now.hypot(error(self.before.as_ref()?)?)) }
    }

    /// Numbers that it lies between, where both bounds are known.
    pub(super) fn ln_evidence_bounds(&self, input: &Input) -> Option<[f64; 2]> {
        let bounds = |beliefs: &Beliefs| match beliefs.ln_z() {
            LnZ::Between { lower, upper, .. } => Some([lower, upper]),
            LnZ::Exact(value) => Some([value; 2]),
            _ => None,
        };
        let is_exact = matches!(self.now.ln_z(), LnZ::Exact(_));
        let [lower, upper] = bounds(&self.now).filter(|_| !self.evidence.is_empty() && !is_exact)?;
        if input.model().dag().is_some() {
            return Some([lower, upper]);
        }
        let [least, most] = bounds(self.before.as_ref()?)?;
        Some([lower - most, upper - least])
    }

    /// The targets that were not seen, those that changed most first; all the same way round if nothing was
    /// seen.
    pub(super) fn by_change(&self) -> Vec<VarId> {
        let mut free: Vec<VarId> =
            self.targets.iter().copied().filter(|&v| self.evidence.state(v).is_none()).collect();
        if let Some(before) = &self.before {
            let change = |v: VarId| self.now.change_since(before, v).unwrap_or(0.0);
            free.sort_by(|&a, &b| change(b).total_cmp(&change(a)));
        }
        free
    }
}

/// Why a query was refused, and what may help.
pub(super) fn failed(input: &Input, engine: &AnyEngine, evidence: &Evidence, error: &Error) -> Failure {
    let failure = Failure::data(format!("{}: {error}", input.source));
    if error.is_too_large() {
        return failure.with_hint(
            "--engine join-graph approximates, more --evidence makes models smaller, --memory allows more",
        );
    }
    if !error.is_impossible_evidence() {
        return failure;
    }
    let Ok(culprits) = conflict(engine, input.model(), evidence) else { return failure };
    let output: Vec<String> = culprits.iter().map(|&v| finding(input, evidence, v)).collect();
    match &output[..] {
        [] => failure,
        [one] => failure.with_hint(format!("{one} is impossible by itself")),
        several => failure.with_hint(format!(
            "these findings cannot be true together: {}; leave any one out and the others can",
            several.join(", ")
        )),
    }
}

/// `V = state`, or the likelihoods of the states.
pub(super) fn finding(input: &Input, evidence: &Evidence, v: VarId) -> String {
    let variables = input.variables();
    let name = variables.name(v);
    match evidence.get(v) {
        Some(&Finding::State(state)) => format!("{name} = {}", variables.states(v)[state]),
        Some(Finding::Likelihood(likelihood)) => {
            let rows = variables.states(v).iter().zip(likelihood);
            let rows: Vec<String> =
                rows.map(|(state, l)| format!("{state}:{}", crate::output::significant(*l))).collect();
            format!("{name} ~ {}", rows.join(", "))
        }
        _ => name.to_owned(),
    }
}
