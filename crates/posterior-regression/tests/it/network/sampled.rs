//! Laplace's predictions beside draws of the exact posterior.

use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_math::log_space::logistic;
use posterior_regression::network::{
    Activation, HessianKind, Joint, Network, NetworkFitOptions, NetworkHyperparameters, NetworkLaplace, fit,
};
use posterior_sampling::hamiltonian::Nuts;
use posterior_sampling::{Run, Start};

use super::exact::{golden, sharp_mode};
use super::training::moons;

/// E[σ(f)] at each row of `x` over draws.
fn sampled(joint: &Joint, x: &DMatrix<f64>) -> Vec<f64> {
    let run = Run { warm_up: 500, draws: 1500, seed: 3, ..Run::default() };
    let draws = run.sample(joint, &Nuts::default(), &Start::default()).unwrap().draws;
    let parameters: Vec<Vec<f64>> =
        (0..joint.network().parameters()).map(|at| draws.parameter(at).concat()).collect();
    let count = parameters[0].len();
    let mut sums = vec![0.0; x.nrows()];
    for draw in 0..count {
        let w: Vec<f64> = parameters.iter().map(|values| values[draw]).collect();
        let f = joint.network().outputs_at(&w, x).unwrap();
        for (sum, f) in sums.iter_mut().zip(f.iter()) {
            *sum += logistic(*f) / count as f64;
        }
    }
    sums
}

/// Six thousand draws of a posterior of two parameters: the standard error of a mean probability is some
/// 0.004. Laplace's error is of the order 0.01.
#[test]
fn logistic_regression_is_near_its_exact_predictions() {
    let joint = golden();
    let x = DMatrix::from_column_slice(4, 1, &[-3.0, 0.0, 1.5, 5.0]);
    let exact = sampled(&joint, &x);
    let laplace = NetworkLaplace::new(&joint, &sharp_mode(&joint), HessianKind::GaussNewton).unwrap();
    let found = laplace.latent(&x).unwrap().response();
    for (found, exact) in found.iter().zip(&exact) {
        assert!((found - exact).abs() < 0.03, "{found} {exact}");
    }
}

/// What the linearised average knows and the trained network does not: its predictions are nearer to those of
/// the exact posterior, above all away from the data. Kronecker's factors leave out what layers have in
/// common, and with it part of the gain.
#[test]
fn averaging_is_nearer_to_the_posterior_than_the_mode() {
    let network = Network::new(2, &[4], 1, Activation::Tanh).unwrap();
    let joint = Joint::new(network, moons(40), NetworkHyperparameters::new(0.5).unwrap()).unwrap();
    let x = DMatrix::from_fn(49, 2, |i, c| [f64::from(i as u32 % 7) - 2.5, f64::from(i as u32 / 7) - 2.5][c]);
    let exact = sampled(&joint, &x);
    let mode = fit(&joint, &NetworkFitOptions { starts: 5, ..NetworkFitOptions::default() }, &mut Silent)
        .unwrap()
        .model;
    let off = |p: &DMatrix<f64>| p.iter().zip(&exact).map(|(p, exact)| (p - exact).abs()).sum::<f64>() / 49.0;
    let plugged_in = {
        let laplace = NetworkLaplace::new(&joint, &mode.weights, HessianKind::Diagonal).unwrap();
        off(&laplace.plug_in_response(&x).unwrap())
    };
    let by_kind = [HessianKind::GaussNewton, HessianKind::Kronecker].map(|kind| {
        let laplace = NetworkLaplace::new(&joint, &mode.weights, kind).unwrap();
        off(&laplace.latent(&x).unwrap().response())
    });
    assert!(by_kind[0] < 0.65 * plugged_in, "{by_kind:?} against {plugged_in}");
    assert!(by_kind[1] < 0.85 * plugged_in, "{by_kind:?} against {plugged_in}");
}
