//! Values, gradients, Jacobians and Hessians against a network written unit by unit, differentiated by the
//! tape.

use posterior_dist::target::{Differentiated, GradTarget, HessianTarget, Target};
use posterior_math::autodiff;
use posterior_math::linalg::DMatrix;
use posterior_regression::network::{Activation, Head, Joint, Network, NetworkHyperparameters};

use super::oracle::{Written, all_kinds, assert_close, normals, observed, outputs, some_weights};

#[test]
fn density_gradient_and_hessian_are_those_of_the_formula() {
    for (i, joint) in all_kinds().iter().enumerate() {
        let w = some_weights(joint.network(), i as u64);
        let n = w.len();
        let written = Differentiated(Written(joint));
        let (mut gradient, mut expected_gradient) = (vec![0.0; n], vec![0.0; n]);
        let (mut hessian, mut expected_hessian) = (DMatrix::zeros(n, n), DMatrix::zeros(n, n));
        let value = joint.ln_density_hessian(&w, &mut gradient, &mut hessian).unwrap();
        let expected = written.ln_density_hessian(&w, &mut expected_gradient, &mut expected_hessian).unwrap();
        assert_close(&[value, joint.ln_density(&w).unwrap()], &[expected; 2], 1e-14);
        assert_close(&gradient, &expected_gradient, 1e-13);
        assert_close(
            hessian.lower_triangle().as_slice(),
            expected_hessian.lower_triangle().as_slice(),
            1e-13,
        );
        assert_close(hessian.as_slice(), hessian.transpose().as_slice(), 1e-13);
    }
}

#[test]
fn blocks_of_rows_add_up() {
    let network = Network::new(3, &[5], 1, Activation::Tanh).unwrap();
    let observations = observed(Head::Bernoulli, 1300, 3, 1, 9);
    let joint = Joint::new(network, observations, NetworkHyperparameters::new(0.1).unwrap()).unwrap();
    let w = some_weights(joint.network(), 3);
    let (mut gradient, mut expected) = (vec![0.0; w.len()], vec![0.0; w.len()]);
    let value = joint.ln_density_grad(&w, &mut gradient).unwrap();
    let written = Differentiated(Written(&joint)).ln_density_grad(&w, &mut expected).unwrap();
    assert_close(&[value], &[written], 1e-13);
    assert_close(&gradient, &expected, 1e-12);
    let x = joint.observations().inputs();
    let f = joint.network().outputs_at(&w, x).unwrap();
    let expected: Vec<f64> = x
        .row_iter()
        .map(|x| outputs(joint.network(), &w, &x.iter().copied().collect::<Vec<_>>())[0])
        .collect();
    assert_close(f.as_slice(), &expected, 1e-14);
}

#[test]
fn jacobians_are_the_gradients_of_outputs() {
    for activation in [Activation::Tanh, Activation::Softplus] {
        let network = Network::new(3, &[4, 2], 2, activation).unwrap();
        let (w, x) = (some_weights(&network, 8), normals(4, 6, 3));
        let jacobians = network.jacobians_at(&w, &x).unwrap();
        for (output, jacobian) in jacobians.iter().enumerate() {
            for i in 0..x.nrows() {
                let row: Vec<f64> = x.row(i).iter().copied().collect();
                let mut expected = vec![0.0; w.len()];
                autodiff::gradient(|w| outputs(&network, w, &row)[output], &w, &mut expected);
                let found: Vec<f64> = jacobian.row(i).iter().copied().collect();
                assert_close(&found, &expected, 1e-14);
            }
        }
    }
}
