//! Hyperparameters by the evidence.

use std::ops::ControlFlow;

use posterior_math::iteration::{Silent, Step, Stop};
use posterior_math::linalg::{Cholesky, DMatrix};
use posterior_math::optimize::LbfgsOptions;
use posterior_regression::network::{
    Activation, Head, HessianKind, Joint, Network, NetworkData, NetworkFitOptions, NetworkHyperparameters,
    TuneOptions, fit, tune,
};

use super::exact::sharp_mode;
use super::oracle::{normals, observed};
use super::training::moons;

fn linear_joint() -> (Joint, NetworkData) {
    let x = normals(51, 40, 3);
    let noise = normals(52, 40, 1);
    let y = DMatrix::from_fn(40, 1, |i, _| 1.5 * x[(i, 0)] - 0.7 * x[(i, 1)] + 0.4 * noise[i]);
    let observations = NetworkData::real(x, y).unwrap();
    let network = Network::new(3, &[], 1, Activation::Tanh).unwrap();
    let joint = Joint::new(network, observations.clone(), NetworkHyperparameters::new(1.0).unwrap()).unwrap();
    (joint, observations)
}

/// ln N(y; 0, s² I + X Xᵀ / precision).
fn ln_evidence(observations: &NetworkData, precision: f64, noise_variance: f64) -> f64 {
    let x = observations.inputs().clone().insert_column(3, 1.0);
    let n = x.nrows();
    let gram = &x * x.transpose() / precision + DMatrix::identity(n, n) * noise_variance;
    let factor = Cholesky::new(&gram).unwrap();
    let y = observations.targets().column(0).into_owned();
    -0.5 * (factor.quadratic_form(&y) + factor.ln_determinant() + n as f64 * std::f64::consts::TAU.ln())
}

#[test]
fn of_a_linear_network_the_exact_evidence_is_climbed_to_its_top() {
    let (joint, observations) = linear_joint();
    let start = sharp_mode(&joint);
    let search = LbfgsOptions { gradient_tolerance: 1e-12, ..LbfgsOptions::default() };
    let options =
        TuneOptions { tolerance: 1e-10, max_iterations: 500, search: Some(search), ..TuneOptions::default() };
    for kind in [HessianKind::Hessian, HessianKind::GaussNewton, HessianKind::Kronecker] {
        let fitted = tune(joint.clone(), &start, kind, &options, &mut Silent).unwrap();
        assert!(fitted.report.converged());
        let found = fitted.model.hyperparameters();
        let (precision, noise_variance) = (found.precisions()[0], found.noise_variance());
        let top = ln_evidence(&observations, precision, noise_variance);
        assert!((fitted.model.ln_evidence() - top).abs() < 1e-8);
        assert!(fitted.model.evidence_gradient().iter().all(|slope| slope.abs() < 1e-6));
        // Differences of the exact evidence: the slope is zero up to the rounding of 1e-14 over the step.
        let step = 1e-4_f64;
        for (a, b) in [(step, 0.0), (0.0, step)] {
            let [above, below] = [1.0, -1.0].map(|sign| {
                ln_evidence(&observations, precision * (sign * a).exp(), noise_variance * (sign * b).exp())
            });
            assert!(((above - below) / (2.0 * step)).abs() < 1e-6);
            assert!(above < top && below < top);
        }
        assert!((0.08..0.3).contains(&noise_variance));
    }
}

#[test]
fn layers_have_precisions_of_their_own() {
    let network = Network::new(2, &[6], 1, Activation::Tanh).unwrap();
    let joint =
        Joint::new(network, moons(100), NetworkHyperparameters::by_layer(&[1.0, 1.0]).unwrap()).unwrap();
    let mode = fit(&joint, &NetworkFitOptions::default(), &mut Silent).unwrap().model;
    let before = {
        let options = TuneOptions { max_iterations: 0, ..TuneOptions::default() };
        tune(joint.clone(), &mode.weights, HessianKind::GaussNewton, &options, &mut Silent).unwrap()
    };
    assert_eq!(before.report.stop, Stop::MaxIterations);
    let after =
        tune(joint.clone(), &mode.weights, HessianKind::GaussNewton, &TuneOptions::default(), &mut Silent)
            .unwrap();
    assert!(after.model.ln_evidence() > before.model.ln_evidence() + 1.0);
    let best = after.report.trace.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    assert_eq!(after.model.ln_evidence(), best);
    let [first, last] = after.model.hyperparameters().precisions() else { unreachable!() };
    assert!(first / last > 1.2 || last / first > 1.2);

    let last_only =
        tune(joint, &mode.weights, HessianKind::LastLayer, &TuneOptions::default(), &mut Silent).unwrap();
    assert_eq!(last_only.model.hyperparameters().precisions()[0], 1.0);
    assert_ne!(last_only.model.hyperparameters().precisions()[1], 1.0);
}

#[test]
fn without_a_search_the_weights_stay() {
    let network = Network::new(2, &[6], 1, Activation::Tanh).unwrap();
    let joint = Joint::new(network, moons(100), NetworkHyperparameters::new(1.0).unwrap()).unwrap();
    let mode = fit(&joint, &NetworkFitOptions::default(), &mut Silent).unwrap().model;
    let options =
        TuneOptions { search: None, tolerance: 1e-9, max_iterations: 1000, ..TuneOptions::default() };
    let fitted = tune(joint, &mode.weights, HessianKind::Kronecker, &options, &mut Silent).unwrap();
    assert_eq!(fitted.model.mode(), mode.weights);
    assert!(fitted.report.converged());
    assert!(fitted.model.evidence_gradient()[0].abs() < 1e-6);
}

/// A sine wave of one and a half periods: one unit is too few, and what many units cost is paid by the
/// evidence.
#[test]
fn the_evidence_knows_how_many_units_are_needed() {
    let x = DMatrix::from_fn(60, 1, |i, _| f64::from(i as u32) / 10.0 - 3.0);
    let noise = normals(61, 60, 1);
    let y = DMatrix::from_fn(60, 1, |i, _| (1.6 * x[i]).sin() + 0.1 * noise[i]);
    let observations = NetworkData::real(x, y).unwrap();
    let evidence = |width: usize| {
        let network = Network::new(1, &[width], 1, Activation::Tanh).unwrap();
        let hyperparameters =
            NetworkHyperparameters::by_layer(&[0.1, 0.1]).unwrap().with_noise_variance(0.05).unwrap();
        let joint = Joint::new(network, observations.clone(), hyperparameters).unwrap();
        let mode = fit(&joint, &NetworkFitOptions { starts: 4, ..NetworkFitOptions::default() }, &mut Silent)
            .unwrap()
            .model;
        let options = TuneOptions::default();
        tune(joint, &mode.weights, HessianKind::GaussNewton, &options, &mut Silent).unwrap().model
    };
    let [one, four, many] = [1, 4, 24].map(evidence);
    assert!(four.ln_evidence() > one.ln_evidence() + 20.0);
    assert!(four.ln_evidence() > many.ln_evidence() - 1.0, "{} {}", four.ln_evidence(), many.ln_evidence());
    assert!((0.005..0.02).contains(&four.hyperparameters().noise_variance()));
    let effective: f64 = many.effective_parameters().iter().sum();
    assert!(effective < 25.0, "{effective} of 73");
}

#[test]
fn bounds_observers_and_misuse() {
    let (joint, _) = linear_joint();
    let w = sharp_mode(&joint);
    for bounds in [(0.0, 1.0), (2.0, 1.0), (f64::NAN, 1.0), (1.0, f64::INFINITY)] {
        let options = TuneOptions { bounds, ..TuneOptions::default() };
        assert!(tune(joint.clone(), &w, HessianKind::Diagonal, &options, &mut Silent).is_err());
    }
    let options = TuneOptions { bounds: (0.5, 0.6), ..TuneOptions::default() };
    let fitted = tune(joint.clone(), &w, HessianKind::GaussNewton, &options, &mut Silent).unwrap();
    assert!(
        (0.5..=0.6).contains(&fitted.model.hyperparameters().noise_variance())
            || fitted.report.trace.len() == 1
    );
    let mut stop = |_: &Step| ControlFlow::Break(());
    let fitted = tune(joint, &w, HessianKind::GaussNewton, &TuneOptions::default(), &mut stop).unwrap();
    assert_eq!(fitted.report.stop, Stop::Observer);

    // Nothing was seen: nothing is tuned away from the bounds.
    let network = Network::new(2, &[2], 1, Activation::Tanh).unwrap();
    let none = observed(Head::Gaussian, 0, 2, 1, 1);
    let joint = Joint::new(network, none, NetworkHyperparameters::new(3.0).unwrap()).unwrap();
    let fitted =
        tune(joint, &[0.0; 9], HessianKind::GaussNewton, &TuneOptions::default(), &mut Silent).unwrap();
    assert!(fitted.model.ln_evidence().abs() < 1e-9);
    assert_eq!(fitted.model.hyperparameters().noise_variance(), 1.0);
}
