//! Estimates from draws, and chains that make them.

use posterior::dist::stream::stream;
use posterior::dist::target::FromGradFn;
use posterior::dist::{Density, Normal};
use posterior::math::linalg::DMatrix;
use posterior::sampling::estimate::marginal_density;
use posterior::sampling::hamiltonian::{Leapfrog, Metric, Phase};
use posterior::sampling::importance::ImportanceWeights;
use posterior::sampling::markov_chain::TransitionMatrix;
use posterior::sampling::metropolis::FiniteMetropolis;

use rand_distr::Distribution;

use crate::{close, differs};

/// Three states with a proposal that is not symmetric.
fn chain() -> ([f64; 3], DMatrix<f64>, TransitionMatrix) {
    let p = [0.2, 0.5, 0.3_f64];
    let proposal = DMatrix::from_row_slice(3, 3, &[0.2, 0.5, 0.3, 0.4, 0.1, 0.5, 0.3, 0.3, 0.4]);
    let kernel = FiniteMetropolis::new(&p.map(f64::ln), &proposal).unwrap().transition_matrix();
    (p, proposal, TransitionMatrix::new(kernel).unwrap())
}

/// A marginal density is the mean over draws, not their sum.
#[test]
fn erratum_09() {
    let draws: Vec<f64> = Normal::STANDARD.sample_iter(stream(9, &[])).take(4_000).collect();
    let ln_density = |y: &f64, x: &f64| -0.5 * ((y - x).powi(2) + std::f64::consts::TAU.ln());
    let found = marginal_density(&[0.4], &draws, ln_density).unwrap()[0];
    let right = Normal::mean_variance(0.0, 2.0).unwrap().ln_pdf(&0.4);
    assert!((found.ln_value - right).abs() < 5.0 * found.standard_error);
    differs(found.ln_value + 4_000.0_f64.ln(), right);
}

/// Weights p/q of normalised densities are divided by the number of draws, or by their own sum.
#[test]
fn erratum_11() {
    let (p, q, f) = ([0.2, 0.5, 0.3], [0.5, 0.25, 0.25], [1.0, -2.0, 4.0_f64]);
    // Draws in the very proportions of q.
    let draws = [0, 0, 1, 2];
    let ratios = draws.map(|x| p[x] / q[x]);
    let values = draws.map(|x| f[x]);
    let weights = ImportanceWeights::from_ln(ratios.map(f64::ln).to_vec()).unwrap();
    let right: f64 = p.iter().zip(f).map(|(p, f)| p * f).sum();
    close(weights.plain_mean(&values).unwrap().value, right, 14);
    close(weights.mean(&values).unwrap().value, right, 14);
    differs(ratios.iter().zip(values).map(|(ratio, value)| ratio * value).sum(), right);
}

/// Detailed balance: Σ p(x) T(x→x') = Σ p(x') T(x'→x) = p(x').
#[test]
fn erratum_12() {
    let (p, _, kernel) = chain();
    assert!(kernel.detailed_balance_residual(&p).unwrap() < 1e-15);
    for to in 0..3 {
        let sum = |term: &dyn Fn(usize) -> f64| (0..3).map(term).sum::<f64>();
        close(sum(&|x| p[x] * kernel.probability(x, to)), p[to], 15);
        close(sum(&|x| p[to] * kernel.probability(to, x)), p[to], 15);
    }
    let printed: f64 = (0..3).map(|x| p[1] * kernel.probability(x, 1)).sum();
    differs(printed, p[1]);
}

/// What is rejected stays: without that mass the kernel's rows do not sum to one.
#[test]
fn erratum_13() {
    let (p, proposal, kernel) = chain();
    let accept =
        |from: usize, to: usize| (p[to] * proposal[(to, from)] / (p[from] * proposal[(from, to)])).min(1.0);
    let printed = |from: usize, to: usize| proposal[(from, to)] * accept(from, to);
    for from in 0..3 {
        let rejected = 1.0 - (0..3).map(|to| printed(from, to)).sum::<f64>();
        for to in 0..3 {
            let atom = if from == to { rejected } else { 0.0 };
            close(kernel.probability(from, to), printed(from, to) + atom, 14);
        }
    }
    assert!((0..3).any(|from| (0..3).map(|to| printed(from, to)).sum::<f64>() < 0.95));
}

/// The leapfrog is reversible; the method of Runge and Kutta is not.
#[test]
fn erratum_14() {
    let slope = |x: f64| -x - x * x * x;
    let target = FromGradFn::new(1, |x: &[f64], gradient: &mut [f64]| {
        gradient[0] = slope(x[0]);
        -x[0] * x[0] / 2.0 - x[0].powi(4) / 4.0
    });
    let metric = Metric::unit();
    let flow = Leapfrog { metric: &metric, step_size: 0.4 };
    let start = Phase::new(&target, &metric, &[1.2], &[0.3]).unwrap();
    let end = flow.flow(&target, &start, 12).unwrap();
    let turned = Phase::new(&target, &metric, end.position(), &[-end.momentum()[0]]).unwrap();
    let back = flow.flow(&target, &turned, 12).unwrap();
    close(back.position()[0], 1.2, 12);
    close(back.momentum()[0], -0.3, 12);
    let runge_kutta = |mut x: f64, mut p: f64| {
        let h = 0.4;
        for _ in 0..12 {
            let k1 = (p, slope(x));
            let k2 = (p + h / 2.0 * k1.1, slope(x + h / 2.0 * k1.0));
            let k3 = (p + h / 2.0 * k2.1, slope(x + h / 2.0 * k2.0));
            let k4 = (p + h * k3.1, slope(x + h * k3.0));
            x += h / 6.0 * (k1.0 + 2.0 * k2.0 + 2.0 * k3.0 + k4.0);
            p += h / 6.0 * (k1.1 + 2.0 * k2.1 + 2.0 * k3.1 + k4.1);
        }
        (x, p)
    };
    let (x, p) = runge_kutta(1.2, 0.3);
    let (x, p) = runge_kutta(x, -p);
    assert!((x - 1.2).abs().max((p + 0.3).abs()) > 1e-3, "{x} {p}");
}

/// Draws of a chain stay dependent after any burn-in; leaving draws out makes the mean worse.
#[test]
fn erratum_62() {
    let kernel = TransitionMatrix::from_rows(&[[0.9, 0.1], [0.2, 0.8]]).unwrap();
    let f = [0.0, 1.0];
    close(kernel.autocorrelation(&f, 1).unwrap()[1], 0.7, 13);
    // Of the same steps: all of them, and every fifth.
    let all = kernel.asymptotic_variance(&f).unwrap();
    let fifth = 5.0 * kernel.power(5).asymptotic_variance(&f).unwrap();
    assert!(fifth > 1.05 * all, "{fifth} {all}");
}

/// Rows of T are the conditional distributions, so that p moves by Tᵀ; a finite chain forgets its start only
/// if it is irreducible and aperiodic.
#[test]
fn erratum_66() {
    let rows = [[0.9, 0.1], [0.4, 0.6]];
    let kernel = TransitionMatrix::from_rows(&rows).unwrap();
    let next = kernel.step(&[0.3, 0.7]).unwrap();
    close(next[0], 0.3 * 0.9 + 0.7 * 0.4, 15);
    close(next.iter().sum(), 1.0, 15);
    differs((rows[0][0] * 0.3 + rows[0][1] * 0.7) + (rows[1][0] * 0.3 + rows[1][1] * 0.7), 1.0);
    for bad in [[[0.0, 1.0], [1.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]]] {
        assert!(TransitionMatrix::from_rows(&bad).unwrap().check_ergodic().is_err());
    }
}
