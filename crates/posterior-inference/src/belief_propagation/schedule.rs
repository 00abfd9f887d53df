//! In which order messages are renewed, and when that ends.

use std::collections::BTreeSet;

use super::domain::Domain;
use super::passing::{Failure, Passing};
use super::{BeliefPropagation, Schedule};

/// How many sweeps are looked back for a repetition.
const LONGEST_PERIOD: usize = 8;

/// How passing ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Outcome {
    pub(crate) iterations: usize,
    pub(crate) converged: bool,
    pub(crate) residual: f64,
    pub(crate) period: Option<usize>,
}

/// On a forest: inwards, and outwards again. Returns ln Z.
pub(crate) fn two_passes<S: Domain>(passing: &mut Passing<'_, S>) -> Result<f64, Failure> {
    let net = passing.net;
    let ln_z = net.order.iter().rev().map(|&v| passing.collect(v)).sum::<Result<f64, Failure>>()?;
    net.order.iter().try_for_each(|&v| passing.distribute(v))?;
    Ok(ln_z)
}

/// On any graph: until no message changes by more than the tolerance. `each` sees the messages after each
/// sweep.
pub(crate) fn iterate<S: Domain>(
    passing: &mut Passing<'_, S>,
    options: &BeliefPropagation,
    mut each: impl FnMut(&Passing<'_, S>),
) -> Result<Outcome, Failure> {
    let mut outcome = Outcome { iterations: 0, converged: false, residual: f64::INFINITY, period: None };
    if options.schedule == Schedule::Residual {
        return by_residual(passing, options, outcome, each);
    }
    let mut fresh = passing.to_variable.clone();
    while outcome.iterations < options.max_iterations {
        outcome.residual = sweep(passing, options.schedule, outcome.iterations, &mut fresh)?;
        outcome.iterations += 1;
        each(passing);
        if outcome.residual <= options.tolerance {
            outcome.converged = true;
            return Ok(outcome);
        }
    }
    if outcome.iterations == 0 {
        return Ok(outcome);
    }
    let before = passing.to_variable.clone();
    let enough = (1e-3 * outcome.residual).max(options.tolerance);
    for period in 1..=LONGEST_PERIOD {
        sweep(passing, options.schedule, outcome.iterations + period - 1, &mut fresh)?;
        let differs = |(a, b): (&f64, &f64)| (S::to_linear(*a) - S::to_linear(*b)).abs() > enough;
        if period > 1 && !passing.to_variable.iter().zip(&before).any(differs) {
            outcome.period = Some(period);
            break;
        }
    }
    Ok(outcome)
}

/// Renews every message once. Returns the greatest change.
fn sweep<S: Domain>(
    passing: &mut Passing<'_, S>,
    schedule: Schedule,
    number: usize,
    fresh: &mut Vec<f64>,
) -> Result<f64, Failure> {
    let net = passing.net;
    let mut greatest = 0.0_f64;
    if schedule == Schedule::Flooding {
        for s in 0..net.factor_count() {
            greatest = greatest.max(passing.compute_all(s, &mut fresh[net.messages(s)])?);
        }
        passing.accept_all(fresh);
        net.order.iter().try_for_each(|&v| passing.fan_out(v))?;
        return Ok(greatest);
    }
    for place in 0..net.order.len() {
        let v = net.order[if number.is_multiple_of(2) { net.order.len() - 1 - place } else { place }];
        for &edge in net.edges_of(v) {
            greatest = greatest.max(passing.send(edge)?.change);
        }
        passing.fan_out(v)?;
    }
    Ok(greatest)
}

/// The message that would change most comes first (Elidan, McGraw and Koller 2006).
fn by_residual<S: Domain>(
    passing: &mut Passing<'_, S>,
    options: &BeliefPropagation,
    mut outcome: Outcome,
    mut each: impl FnMut(&Passing<'_, S>),
) -> Result<Outcome, Failure> {
    let net = passing.net;
    let mut queue = Queue { waiting: BTreeSet::new(), changes: vec![0.0; net.edge_count()] };
    let mut fresh = passing.to_variable.clone();
    for edge in 0..net.edge_count() {
        let change = passing.compute(edge, &mut fresh[net.message(edge)])?.change;
        queue.set(edge, change);
    }
    let mut updates = 0_usize;
    while let Some(edge) = queue.greatest() {
        outcome.residual = queue.changes[edge];
        if outcome.residual <= options.tolerance {
            outcome.converged = true;
            break;
        }
        if outcome.iterations == options.max_iterations {
            break;
        }
        passing.accept(edge, &fresh[net.message(edge)]);
        let v = net.edge_variable[edge];
        passing.fan_out(v)?;
        let change = passing.compute(edge, &mut fresh[net.message(edge)])?.change;
        queue.set(edge, change);
        for &heard in net.edges_of(v).iter().filter(|&&heard| heard != edge) {
            for other in net.edges(net.edge_factor[heard]).filter(|&other| other != heard) {
                let change = passing.compute(other, &mut fresh[net.message(other)])?.change;
                queue.set(other, change);
            }
        }
        updates += 1;
        if updates.is_multiple_of(net.edge_count()) {
            outcome.iterations += 1;
            each(passing);
        }
    }
    each(passing);
    outcome.iterations += usize::from(!updates.is_multiple_of(net.edge_count().max(1)));
    Ok(outcome)
}

/// Edges by the change of their messages. Numbers of at least 0 are in the order of their bits.
struct Queue {
    waiting: BTreeSet<(u64, usize)>,
    changes: Vec<f64>,
}

impl Queue {
    fn set(&mut self, edge: usize, change: f64) {
        self.waiting.remove(&(self.changes[edge].to_bits(), edge));
        self.changes[edge] = change;
        self.waiting.insert((change.to_bits(), edge));
    }

    fn greatest(&self) -> Option<usize> {
        self.waiting.last().map(|&(_, edge)| edge)
    }
}
