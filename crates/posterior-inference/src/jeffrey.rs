//! Jeffrey's rule: evidence that says how probable states are now.

use posterior_math::check;
use posterior_math::iteration::{Fitted, Observer, Progress, Stop};
use posterior_pgm::{Evidence, Finding, GraphicalModel, VarId};

use crate::{Engine, Error, Targets};

/// When [`jeffrey`] stops.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JeffreyOptions {
    /// The largest difference between a posterior and what was wanted, absolute.
    pub tolerance: f64,
    /// How often all variables are gone through at most.
    pub max_iterations: usize,
}

impl Default for JeffreyOptions {
    fn default() -> Self {
        Self { tolerance: 1e-12, max_iterations: 1000 }
    }
}

/// A belief: how probable each state of a variable is now.
pub type Belief = (VarId, Vec<f64>);

/// The evidence under which each variable of `beliefs` has exactly the given posterior: "after the talk, I am
/// 70 % sure of rain" (Jeffrey 1965; soft evidence, in contrast to virtual evidence, which says what was seen
/// and leaves the posterior to the model).
///
/// With one belief q, it is the likelihood q(x) / p(x | evidence). With several, these are applied in turn
/// until all hold (iterative proportional fitting, Deming and Stephan 1940): of all distributions in which
/// they hold, the result is the one that is nearest to p(· | evidence) (Csiszár 1975). The objective is the
/// largest difference that is left. One query of the engine for each belief and round.
///
/// # Errors
/// A belief that is no distribution over the states of its variable, about a variable that was seen or has
/// two; a belief in a state of probability 0; a tolerance that is negative or NaN; and what the engine says.
/// Beliefs that contradict each other do not converge.
pub fn jeffrey<E: Engine>(
    engine: &E,
    model: &dyn GraphicalModel,
    evidence: &Evidence,
    beliefs: &[Belief],
    options: &JeffreyOptions,
    observer: &mut impl Observer,
) -> Result<Fitted<Evidence>, Error> {
    check::non_negative("JeffreyOptions", "tolerance", options.tolerance)?;
    check_beliefs(model, evidence, beliefs)?;
    let targets = Targets::These(beliefs.iter().map(|(v, _)| *v).collect());
    let plan = engine.plan(model, &targets)?;
    let mut adjusted = evidence.clone();
    let begin = difference(&engine.infer(model, &plan, &adjusted)?, beliefs);
    let mut progress = Progress::new(begin, options.max_iterations, observer);
    let mut stop = Stop::MaxIterations;
    while !progress.exhausted() {
        for (v, wanted) in beliefs {
            let posterior = engine.infer(model, &plan, &adjusted)?;
            let own = posterior.marginal(*v).unwrap_or_default();
            let likelihood = correction(model, *v, &adjusted, own, wanted)?;
            adjusted.insert(*v, Finding::Likelihood(likelihood));
        }
        let objective = difference(&engine.infer(model, &plan, &adjusted)?, beliefs);
        let stopped = progress.stopped_after(objective);
        if objective <= options.tolerance {
            stop = Stop::Converged;
            break;
        }
        if stopped {
            stop = Stop::Observer;
            break;
        }
    }
    Ok(Fitted { model: adjusted, report: progress.finish(stop) })
}

fn check_beliefs(model: &dyn GraphicalModel, evidence: &Evidence, beliefs: &[Belief]) -> Result<(), Error> {
    let variables = model.variables();
    evidence.check(variables)?;
    for (place, (v, wanted)) in beliefs.iter().enumerate() {
        variables.check(*v)?;
        let refuse = |reason: &str| {
            let name = variables.name(*v).to_owned();
            Err(posterior_pgm::Error::Evidence { name, reason: reason.to_owned() }.into())
        };
        if evidence.state(*v).is_some() {
            return refuse("its state was seen, so there is nothing to believe");
        }
        if beliefs[..place].iter().any(|(other, _)| other == v) {
            return refuse("it has two beliefs");
        }
        let total: f64 = wanted.iter().sum();
        let proper = wanted.len() == variables.card(*v) && wanted.iter().all(|&q| q >= 0.0);
        if !(proper && (total - 1.0).abs() <= 1e-9) {
            return refuse("a belief has a probability for each state, which add up to 1");
        }
    }
    Ok(())
}

/// The likelihoods, the largest being 1, that turn `posterior` into `wanted`, on top of those that are there.
fn correction(
    model: &dyn GraphicalModel,
    v: VarId,
    evidence: &Evidence,
    posterior: &[f64],
    wanted: &[f64],
) -> Result<Vec<f64>, Error> {
    let before = match evidence.get(v) {
        Some(Finding::Likelihood(likelihood)) => likelihood.clone(),
        _ => vec![1.0; wanted.len()],
    };
    let mut likelihood = Vec::with_capacity(wanted.len());
    for (state, ((&p, &q), old)) in posterior.iter().zip(wanted).zip(before).enumerate() {
        if p == 0.0 && q > 0.0 {
            let name = model.variables().name(v).to_owned();
            let state = model.variables().states(v)[state].clone();
            return Err(Error::ImpossibleBelief { name, state });
        }
        likelihood.push(if q == 0.0 { f64::NEG_INFINITY } else { old.ln() + (q.ln() - p.ln()) });
    }
    let largest = likelihood.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    Ok(likelihood.iter().map(|value| (value - largest).exp()).collect())
}

/// The largest difference between the posteriors and what is wanted.
fn difference(posteriors: &crate::Beliefs, beliefs: &[Belief]) -> f64 {
    let of = |(v, wanted): &Belief| {
        let own = posteriors.marginal(*v).unwrap_or_default();
        own.iter().zip(wanted).map(|(p, q)| (p - q).abs()).fold(0.0, f64::max)
    };
    beliefs.iter().map(of).fold(0.0, f64::max)
}
