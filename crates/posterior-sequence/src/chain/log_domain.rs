//! Messages as logarithms: slow, and right for scores of any size.

use posterior_math::log_space::{ln_sum_exp, softmax_in_place};

use super::{Chain, Marginals};

/// ln Z.
pub(super) fn ln_z(chain: &Chain<'_>) -> f64 {
    match chain.length() {
        0 => 0.0,
        length => ln_sum_exp(&forward(chain)[(length - 1) * chain.states()..]),
    }
}

/// The probabilities of states at each position.
pub(super) fn marginals(chain: &Chain<'_>) -> Marginals {
    if chain.length() == 0 {
        return Marginals { ln_z: 0.0, nodes: Vec::new() };
    }
    let states = chain.states();
    let mut nodes = forward(chain);
    let ln_z = ln_sum_exp(&nodes[nodes.len() - states..]);
    if ln_z == f64::NEG_INFINITY {
        nodes.fill(0.0);
        return Marginals { ln_z, nodes };
    }
    for (node, beta) in nodes.iter_mut().zip(backward(chain)) {
        *node += beta;
    }
    for node in nodes.chunks_exact_mut(states) {
        softmax_in_place(node);
    }
    Marginals { ln_z, nodes }
}

/// ln α_t(j): the sum over all paths that reach j at t, with the score of its node.
fn forward(chain: &Chain<'_>) -> Vec<f64> {
    let states = chain.states();
    let mut alpha = Vec::with_capacity(chain.length() * states);
    let mut terms = vec![0.0; states];
    for t in 0..chain.length() {
        for (j, &node) in chain.node(t).iter().enumerate() {
            let reached = if t == 0 {
                chain.ln_initial[j]
            } else {
                let before = &alpha[(t - 1) * states..][..states];
                for (i, (term, alpha)) in terms.iter_mut().zip(before).enumerate() {
                    *term = alpha + chain.edge_row(t - 1, i)[j];
                }
                ln_sum_exp(&terms)
            };
            alpha.push(reached + node);
        }
    }
    alpha
}

/// ln β_t(i): the sum over all ways to go on from i at t, without the score of its node.
fn backward(chain: &Chain<'_>) -> Vec<f64> {
    let states = chain.states();
    let mut beta = vec![0.0; chain.length() * states];
    let mut terms = vec![0.0; states];
    for t in (0..chain.length().saturating_sub(1)).rev() {
        let (before, after) = beta.split_at_mut((t + 1) * states);
        for (i, beta) in before[t * states..].iter_mut().enumerate() {
            let steps = chain.edge_row(t, i).iter().zip(chain.node(t + 1)).zip(&after[..states]);
            for (term, ((edge, node), beta)) in terms.iter_mut().zip(steps) {
                *term = edge + node + beta;
            }
            *beta = ln_sum_exp(&terms);
        }
    }
    beta
}
