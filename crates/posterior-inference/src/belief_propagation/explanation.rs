//! The most probable state: traced back on a forest, pointed at by messages elsewhere.

use super::domain::Domain;
use super::network::{NONE, Network};
use super::passing::{Failure, Passing};
use super::{BeliefPropagation, Damping, schedule};
use crate::Explanation;

/// How much better than the next its best state is, for a variable that does not hesitate.
const MARGIN: f64 = 1e-6;

/// The best states of the free variables, 0 for the others. The value is left to the caller.
pub(super) fn explain<S: Domain>(options: &BeliefPropagation, net: &Network) -> Result<Explanation, Failure> {
    if net.is_forest() {
        let mut passing = Passing::<S>::new(net, Damping::None)?;
        net.order.iter().rev().try_for_each(|&v| passing.collect(v).map(drop))?;
        return Ok(Explanation::new(trace_back(&passing)?, 0.0, true));
    }
    let mut passing = Passing::<S>::new(net, options.damping)?;
    let (mut best, mut best_score) = (vec![0; net.cards.len()], (usize::MAX, f64::NEG_INFINITY));
    let mut hesitates = true;
    let outcome = schedule::iterate(&mut passing, options, |passing| {
        let Ok((states, unsure)) = pointed_at(passing) else { return };
        hesitates = unsure;
        let own = score(net, &states);
        if better(own, best_score) {
            (best, best_score) = (states, own);
        }
    })?;
    climb(net, &mut best);
    Ok(Explanation::new(best, 0.0, outcome.converged && net.loops == 1 && !hesitates))
}

/// Chooses from the roots outwards.
fn trace_back<S: Domain>(passing: &Passing<'_, S>) -> Result<Vec<usize>, Failure> {
    let net = passing.net;
    let mut states = vec![NONE; net.cards.len()];
    for &v in &net.order {
        if net.parent_edge[v] == NONE {
            let mut belief = vec![0.0; net.cards[v]];
            passing.belief(v, &mut belief)?;
            states[v] = argmax(&belief);
        }
        for &edge in net.edges_of(v).iter().filter(|&&edge| edge != net.parent_edge[v]) {
            let s = net.edge_factor[edge];
            let weights = passing.weighted(s);
            let cards = net.factor_cards(s);
            let axis = edge - net.edges(s).start;
            let inner: usize = cards[axis + 1..].iter().product();
            let agrees = |&(cell, _): &(usize, &f64)| cell / inner % cards[axis] == states[v];
            let mut best = (NONE, S::ZERO);
            for (cell, &weight) in weights.iter().enumerate().filter(agrees) {
                if best.0 == NONE || weight > best.1 {
                    best = (cell, weight);
                }
            }
            let mut rest = best.0;
            for other in net.edges(s).rev() {
                states[net.edge_variable[other]] = rest % net.edge_cards[other];
                rest /= net.edge_cards[other];
            }
        }
    }
    states.iter_mut().filter(|state| **state == NONE).for_each(|state| *state = 0);
    Ok(states)
}

/// The greatest belief of each variable, and whether one hesitates between two states.
fn pointed_at<S: Domain>(passing: &Passing<'_, S>) -> Result<(Vec<usize>, bool), Failure> {
    let net = passing.net;
    let (mut states, mut hesitates) = (vec![0; net.cards.len()], false);
    let mut belief = Vec::new();
    for &v in &net.order {
        belief.resize(net.cards[v], 0.0);
        passing.belief(v, &mut belief)?;
        states[v] = argmax(&belief);
        let greatest = belief[states[v]];
        hesitates |= belief.iter().filter(|&&p| p >= greatest * (1.0 - MARGIN)).count() > 1;
    }
    Ok((states, hesitates))
}

fn argmax(values: &[f64]) -> usize {
    (1..values.len()).fold(0, |best, i| if values[i] > values[best] { i } else { best })
}

/// How many factors are zero, and the sum of the logarithms of the others.
fn score(net: &Network, states: &[usize]) -> (usize, f64) {
    let mut total = (0, 0.0);
    for &v in &net.order {
        add(&mut total, net, net.locals[net.local(v).start + states[v]]);
    }
    for s in 0..net.factor_count() {
        add(&mut total, net, net.tables[net.table(s).start + cell(net, s, states)]);
    }
    total
}

fn add(total: &mut (usize, f64), net: &Network, value: f64) {
    let ln = if net.logarithms { value } else { value.ln() };
    if ln > f64::NEG_INFINITY {
        total.1 += ln;
    } else {
        total.0 += 1;
    }
}

/// The place of the states in the table of a factor.
fn cell(net: &Network, s: usize, states: &[usize]) -> usize {
    net.edges(s).fold(0, |cell, edge| cell * net.edge_cards[edge] + states[net.edge_variable[edge]])
}

fn better(own: (usize, f64), other: (usize, f64)) -> bool {
    own.0 < other.0 || (own.0 == other.0 && own.1 > other.1)
}

/// Changes one variable after another while that is for the better (Besag 1986).
fn climb(net: &Network, states: &mut [usize]) {
    let mut improved = true;
    while improved {
        improved = false;
        for &v in &net.order {
            let before = states[v];
            let mut best = (before, around(net, v, states));
            for state in (0..net.cards[v]).filter(|&state| state != before) {
                states[v] = state;
                let own = around(net, v, states);
                if better(own, (best.1.0, best.1.1 + 1e-12 * best.1.1.abs())) {
                    best = (state, own);
                    improved = true;
                }
            }
            states[v] = best.0;
        }
    }
}

/// The score of the factors that read a variable.
fn around(net: &Network, v: usize, states: &[usize]) -> (usize, f64) {
    let mut total = (0, 0.0);
    add(&mut total, net, net.locals[net.local(v).start + states[v]]);
    for &edge in net.edges_of(v) {
        let s = net.edge_factor[edge];
        add(&mut total, net, net.tables[net.table(s).start + cell(net, s, states)]);
    }
    total
}
