//! Most probable parameters.

use std::ops::ControlFlow;

use posterior_dist::target::{GradTarget, Target};
use posterior_math::iteration::{Silent, Step, Stop};
use posterior_math::linalg::{Cholesky, DMatrix, DVector};
use posterior_math::optimize::{LbfgsOptions, StochasticOptions};
use posterior_regression::network::{
    Activation, Head, Joint, Network, NetworkData, NetworkFitOptions, NetworkHyperparameters,
    NetworkOptimizer, fit, train_from,
};

use super::oracle::{assert_close, normals, observed};

/// Two half circles, one inside of the other.
pub(super) fn moons(count: usize) -> NetworkData {
    let noise = normals(11, count, 2);
    let labels: Vec<bool> = (0..count).map(|i| i % 2 == 1).collect();
    let x = DMatrix::from_fn(count, 2, |i, coordinate| {
        let (sin, cos) = (std::f64::consts::PI * (i / 2) as f64 / (count / 2) as f64).sin_cos();
        let place = if labels[i] { [1.0 - cos, 0.5 - sin] } else { [cos, sin] };
        place[coordinate] + 0.15 * noise[(i, coordinate)]
    });
    NetworkData::binary(x, &labels).unwrap()
}

/// L2 regularisation by hand: min |y - X w|²/(2 s²) + λ |w|²/2 is ridge regression.
#[test]
fn a_linear_network_learns_ridge_regression() {
    let observations = observed(Head::Gaussian, 40, 3, 2, 21);
    let (precision, variance) = (0.8, 0.25);
    let x = observations.inputs().clone().insert_column(3, 1.0);
    let normal = x.transpose() * &x / variance + DMatrix::identity(4, 4) * precision;
    let ridge = Cholesky::new(&normal).unwrap().solve(&(x.transpose() * observations.targets() / variance));
    let network = Network::new(3, &[], 2, Activation::Tanh).unwrap();
    let hyperparameters =
        NetworkHyperparameters::new(precision).unwrap().with_noise_variance(variance).unwrap();
    let joint = Joint::new(network, observations, hyperparameters).unwrap();
    let search = LbfgsOptions { gradient_tolerance: 1e-12, ..LbfgsOptions::default() };
    let options =
        NetworkFitOptions { method: NetworkOptimizer::Lbfgs(search), ..NetworkFitOptions::default() };
    let fitted = fit(&joint, &options, &mut Silent).unwrap();
    assert_close(&fitted.model.weights, ridge.as_slice(), 1e-11);
    let ln_joint = joint.ln_density(ridge.as_slice()).unwrap();
    assert_close(&[fitted.model.ln_joint], &[ln_joint], 1e-13);
}

#[test]
fn adam_and_lbfgs_end_at_one_mode_of_a_convex_problem() {
    let observations = observed(Head::Categorical, 90, 2, 3, 2);
    let network = Network::new(2, &[], 3, Activation::Tanh).unwrap();
    let joint = Joint::new(network, observations, NetworkHyperparameters::new(1.0).unwrap()).unwrap();
    let exact = fit(&joint, &NetworkFitOptions::default(), &mut Silent).unwrap();
    let NetworkOptimizer::Stochastic { steps, batch, polish } = NetworkOptimizer::adam(16, 0.05, 2000) else {
        unreachable!()
    };
    let rough =
        NetworkOptimizer::Stochastic { steps, batch, polish: LbfgsOptions { max_iterations: 0, ..polish } };
    let fitted =
        fit(&joint, &NetworkFitOptions { method: rough, ..NetworkFitOptions::default() }, &mut Silent)
            .unwrap();
    assert!(fitted.model.ln_joint <= exact.model.ln_joint);
    // The steps fall to zero: what is left is the noise of the last of them, far below the half a unit that
    // one standard deviation is.
    let gap = exact.model.ln_joint - fitted.model.ln_joint;
    assert!(gap < 1e-2, "{gap}");
    assert_eq!(fitted.report.trace.len(), 2002);
    let polished = NetworkOptimizer::adam(16, 0.05, 50);
    let fitted =
        fit(&joint, &NetworkFitOptions { method: polished, ..NetworkFitOptions::default() }, &mut Silent)
            .unwrap();
    assert!(fitted.report.converged());
    assert_close(&fitted.model.weights, &exact.model.weights, 1e-5);
}

#[test]
fn moons_are_reported_apart_and_starts_do_not_depend_on_their_number() {
    let network = Network::new(2, &[10, 10], 1, Activation::Tanh).unwrap();
    let joint = Joint::new(network, moons(200), NetworkHyperparameters::new(0.1).unwrap()).unwrap();
    let options = NetworkFitOptions { seed: 3, ..NetworkFitOptions::default() };
    let one = fit(&joint, &options, &mut Silent).unwrap();
    let three = fit(&joint, &NetworkFitOptions { starts: 3, ..options }, &mut Silent).unwrap();
    assert_eq!(one.model.starts[0], three.model.starts[0]);
    assert_eq!(Some(three.model.ln_joint), three.model.starts.iter().copied().flatten().reduce(f64::max));
    let mut gradient = vec![0.0; joint.dim()];
    joint.ln_density_grad(&three.model.weights, &mut gradient).unwrap();
    assert_close(&[three.model.gradient_norm], &[DVector::from_vec(gradient).amax()], 1e-9);
    let f = joint.network().outputs_at(&three.model.weights, joint.observations().inputs()).unwrap();
    let wrong =
        f.iter().zip(joint.observations().targets().iter()).filter(|(f, y)| (**f > 0.0) != (**y > 0.5));
    assert!(wrong.count() <= 4);
}

#[test]
fn observers_stop_a_search() {
    let network = Network::new(2, &[5], 1, Activation::Rectifier).unwrap();
    let joint = Joint::new(network, moons(60), NetworkHyperparameters::new(0.1).unwrap()).unwrap();
    let mut seen = Vec::new();
    let mut observer = |step: &Step| {
        seen.push(step.objective);
        if step.iteration == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let fitted = fit(&joint, &NetworkFitOptions::default(), &mut observer).unwrap();
    assert_eq!(fitted.report.stop, Stop::Observer);
    assert_eq!(fitted.report.trace[1..], seen);
    assert!(seen.windows(2).all(|pair| pair[0] < pair[1]));
}

#[test]
fn a_search_without_data_goes_to_the_prior() {
    let network = Network::new(2, &[3], 1, Activation::Tanh).unwrap();
    let none = NetworkData::binary(DMatrix::zeros(0, 2), &[]).unwrap();
    let joint = Joint::new(network, none, NetworkHyperparameters::new(2.0).unwrap()).unwrap();
    for method in [NetworkFitOptions::default().method, NetworkOptimizer::adam(4, 0.1, 300)] {
        let options = NetworkFitOptions { method, ..NetworkFitOptions::default() };
        let fitted = fit(&joint, &options, &mut Silent).unwrap();
        assert!(fitted.model.weights.iter().all(|w| w.abs() < 1e-5));
    }
}

#[test]
fn batches_of_nothing_and_starts_without_a_density_are_refused() {
    let network = Network::new(1, &[], 1, Activation::Tanh).unwrap();
    let x = DMatrix::from_element(2, 1, 1e200);
    let joint = Joint::new(
        network,
        NetworkData::counts(x, &[1, 2]).unwrap(),
        NetworkHyperparameters::new(1.0).unwrap(),
    )
    .unwrap();
    assert!(train_from(&joint, &[1e200, 0.0], &LbfgsOptions::default(), &mut Silent).is_err());
    assert!(train_from(&joint, &[1.0], &LbfgsOptions::default(), &mut Silent).is_err());
    assert!(train_from(&joint, &[f64::NAN, 0.0], &LbfgsOptions::default(), &mut Silent).is_err());
    let steps = StochasticOptions::default();
    let method = NetworkOptimizer::Stochastic { steps, batch: 0, polish: LbfgsOptions::default() };
    let refused =
        fit(&joint, &NetworkFitOptions { method, ..NetworkFitOptions::default() }, &mut Silent).unwrap_err();
    assert!(refused.to_string().contains("at least one"));
}
