//! The kernels of Metropolis, Hastings and Gibbs, enumerated.

use posterior_sampling::Error;
use posterior_sampling::markov_chain::{NotErgodic, TransitionMatrix, gibbs_update, metropolis_hastings};

use super::circle;

const LN_P: [f64; 5] = [-1.0, 0.5, -3.0, 2.0, 0.0];

fn distribution(ln_p: &[f64]) -> Vec<f64> {
    let total: f64 = ln_p.iter().map(|ln_p| ln_p.exp()).sum();
    ln_p.iter().map(|ln_p| ln_p.exp() / total).collect()
}

#[test]
fn metropolis_and_hastings_are_in_detailed_balance_for_any_proposal() {
    for proposal in [circle(5, 0.5, 0.5), circle(5, 0.7, 0.1)] {
        let kernel = metropolis_hastings(&LN_P, &proposal).unwrap();
        assert!(kernel.detailed_balance_residual(&distribution(&LN_P)).unwrap() < 1e-16);
        kernel.check_ergodic().unwrap();
        let found = kernel.stationary().unwrap();
        assert!(found.iter().zip(distribution(&LN_P)).all(|(a, b)| (a - b).abs() < 1e-15));
    }
    // Without the ratio of the proposals, a lopsided proposal has another distribution.
    let wrong = TransitionMatrix::from_moves(5, |i| {
        let accept = |to: usize| (LN_P[to] - LN_P[i]).min(0.0).exp();
        let (on, back) = ((i + 1) % 5, (i + 4) % 5);
        [(on, 0.7 * accept(on)), (back, 0.1 * accept(back))]
    });
    assert!(wrong.unwrap().stationary_residual(&distribution(&LN_P)).unwrap() > 0.01);
    // One acceptance by hand: 0 → 1 goes up, 1 → 0 down by exp(-1.5).
    let kernel = metropolis_hastings(&LN_P, &circle(5, 0.5, 0.5)).unwrap();
    assert_eq!(kernel.probability(0, 1), 0.5);
    assert!((kernel.probability(1, 0) - 0.5 * (-1.5_f64).exp()).abs() < 1e-16);
}

#[test]
fn from_probability_zero_the_chain_leaves_and_never_returns() {
    let ln_p = [f64::NEG_INFINITY, 0.0, 0.0, f64::NEG_INFINITY, f64::NEG_INFINITY];
    let kernel = metropolis_hastings(&ln_p, &circle(5, 0.5, 0.5)).unwrap();
    assert_eq!(kernel.stationary().unwrap(), [0.0, 0.5, 0.5, 0.0, 0.0]);
    assert_eq!(
        (kernel.probability(0, 1), kernel.probability(0, 4), kernel.probability(0, 0)),
        (0.5, 0.5, 0.0)
    );
    assert!(metropolis_hastings(&[0.0, f64::NAN], &circle(2, 0.5, 0.5)).is_err());
    assert!(metropolis_hastings(&[0.0, f64::INFINITY], &circle(2, 0.5, 0.5)).is_err());
    assert!(matches!(metropolis_hastings(&[0.0], &circle(2, 0.5, 0.5)), Err(Error::Dimension { .. })));
}

#[test]
fn a_sweep_of_gibbs_leaves_the_distribution_alone_and_is_not_reversible() {
    let sizes = [2, 3, 2];
    let ln_p: Vec<f64> = (0..12).map(|i: i32| f64::from(i * 7 % 5) * 0.6 - f64::from(i % 3)).collect();
    let distribution = distribution(&ln_p);
    let updates: Vec<_> = (0..3).map(|i| gibbs_update(&ln_p, &sizes, i).unwrap()).collect();
    for update in &updates {
        assert!(update.detailed_balance_residual(&distribution).unwrap() < 1e-16);
        assert!(update.check_irreducible().is_err(), "one coordinate moves alone");
        // What is drawn anew does not depend on what was: twice is once.
        let twice = update.then(update).unwrap();
        assert!((twice.as_matrix() - update.as_matrix()).abs().max() < 1e-15);
    }
    let sweep = updates[0].then(&updates[1]).unwrap().then(&updates[2]).unwrap();
    sweep.check_ergodic().unwrap();
    assert!(sweep.stationary_residual(&distribution).unwrap() < 1e-16);
    assert!(sweep.detailed_balance_residual(&distribution).unwrap() > 1e-3);
    let random =
        TransitionMatrix::mixture(&updates.iter().map(|update| (1.0, update.clone())).collect::<Vec<_>>())
            .unwrap();
    assert!(random.detailed_balance_residual(&distribution).unwrap() < 1e-16);
    // One conditional by hand: x₁ given x₀ = 1 and x₂ = 0 is the states 6, 8 and 10.
    let odds: Vec<f64> = [6, 8, 10].iter().map(|&state: &usize| ln_p[state].exp()).collect();
    let expected = odds[1] / odds.iter().sum::<f64>();
    assert!((updates[1].probability(10, 8) - expected).abs() < 1e-15);
    assert_eq!(updates[1].probability(10, 9), 0.0);
}

#[test]
fn an_observed_parity_stops_gibbs() {
    // x₀ xor x₁ = 1 was observed: only 01 and 10 are possible, and no single coordinate may move.
    let never = f64::NEG_INFINITY;
    let ln_p = [never, 0.0, 0.0, never];
    let sweep = |ln_p: &[f64]| -> Result<TransitionMatrix, Error> {
        gibbs_update(ln_p, &[2, 2], 0)?.then(&gibbs_update(ln_p, &[2, 2], 1)?)
    };
    let chain = sweep(&ln_p).unwrap();
    assert!(matches!(chain.stationary(), Err(NotErgodic::Reducible { from: 1, to: 2 })));
    // With the other states almost impossible the chain is ergodic, and hopelessly slow.
    let chain = sweep(&[-20.0, 0.0, 0.0, -20.0]).unwrap();
    chain.check_ergodic().unwrap();
    // Each way over 00 and 11 is taken with probability exp(-20): λ₂ = 1 - 4 exp(-20).
    let exact = 2_f64.ln() / (4.0 * (-20_f64).exp());
    assert!((chain.mixing_time(0.25).unwrap() as f64 / exact - 1.0).abs() < 1e-6);
    // A conditional distribution that does not exist.
    let refused = gibbs_update(&[never, never, 0.0, 0.0], &[2, 2], 1).unwrap_err();
    assert_eq!(refused.to_string(), "gibbs_update: ln p given the rest of state[0] = -inf must be finite");
    assert!(gibbs_update(&ln_p, &[2, 2], 2).is_err());
    assert!(gibbs_update(&ln_p, &[2, 3], 0).is_err());
}
