//! Where Laplace's method is exact, or its numbers are known.

use posterior_math::iteration::Silent;
use posterior_math::linalg::{Cholesky, DMatrix, DVector};
use posterior_math::optimize::LbfgsOptions;
use posterior_regression::network::{
    Activation, Head, HessianKind, Joint, Network, NetworkData, NetworkFitOptions, NetworkHyperparameters,
    NetworkLaplace, NetworkOptimizer, fit,
};

use super::oracle::{assert_close, normals, observed, some_weights};

pub(super) const KINDS: [HessianKind; 5] = [
    HessianKind::Hessian,
    HessianKind::GaussNewton,
    HessianKind::Kronecker,
    HessianKind::Diagonal,
    HessianKind::LastLayer,
];

/// A mode with all digits.
pub(super) fn sharp_mode(joint: &Joint) -> Vec<f64> {
    let search = LbfgsOptions { gradient_tolerance: 1e-13, ..LbfgsOptions::default() };
    let options =
        NetworkFitOptions { method: NetworkOptimizer::Lbfgs(search), ..NetworkFitOptions::default() };
    fit(joint, &options, &mut Silent).unwrap().model.weights
}

/// The logistic regression of which all numbers are known: x = -2..2, y = 0, 0, 1, 0, 1, w ~ N(0, I).
pub(super) fn golden() -> Joint {
    let x = DMatrix::from_column_slice(5, 1, &[-2.0, -1.0, 0.0, 1.0, 2.0]);
    let observations = NetworkData::binary(x, &[false, false, true, false, true]).unwrap();
    let network = Network::new(1, &[], 1, Activation::Tanh).unwrap();
    Joint::new(network, observations, NetworkHyperparameters::new(1.0).unwrap()).unwrap()
}

#[test]
fn without_hidden_layers_it_is_logistic_regression() {
    let joint = golden();
    let w = sharp_mode(&joint);
    assert_close(&w, &[0.617421377040, -0.243748381959], 1e-11);
    for kind in [HessianKind::Hessian, HessianKind::GaussNewton, HessianKind::LastLayer] {
        let laplace = NetworkLaplace::new(&joint, &w, kind).unwrap();
        assert_close(&[laplace.ln_evidence()], &[-3.692762634879], 1e-12);
        let variances = laplace.standard_deviations().map(|deviation| deviation * deviation);
        assert_close(variances.as_slice(), &[0.352480399233, 0.490263666101], 1e-11);
        let between = laplace.covariance(&DMatrix::zeros(1, 1), &DMatrix::from_element(1, 1, 1.0)).unwrap();
        assert_close(between.as_slice(), &[0.490263666101 - 0.021564621694], 1e-11);
        let latent = laplace.latent(&DMatrix::from_element(1, 1, 1.5)).unwrap();
        assert_close(latent.mean().as_slice(), &[0.682383683601], 1e-11);
        assert_close(latent.variance().as_slice(), &[1.218650699294], 1e-11);
        // E σ(f) by mpmath.
        assert_close(latent.response().as_slice(), &[0.633682655933], 1e-11);
    }
}

/// Bayesian linear regression in function space: y ~ N(0, s² I + X Xᵀ / precision) for each output.
struct InFunctionSpace {
    ln_evidence: f64,
    mean: DMatrix<f64>,
    covariance: DMatrix<f64>,
}

fn in_function_space(
    observations: &NetworkData,
    new: &DMatrix<f64>,
    precision: f64,
    noise: f64,
) -> InFunctionSpace {
    let ones = |x: &DMatrix<f64>| x.clone().insert_column(x.ncols(), 1.0);
    let (x, new) = (ones(observations.inputs()), ones(new));
    let (n, y) = (x.nrows(), observations.targets());
    let gram = Cholesky::new(&(&x * x.transpose() / precision + DMatrix::identity(n, n) * noise)).unwrap();
    let cross = &new * x.transpose() / precision;
    let ln_density = |y: DVector<f64>| {
        -0.5 * (gram.quadratic_form(&y) + gram.ln_determinant() + n as f64 * std::f64::consts::TAU.ln())
    };
    InFunctionSpace {
        ln_evidence: y.column_iter().map(|y| ln_density(y.into_owned())).sum(),
        mean: &cross * gram.solve(y),
        covariance: &new * new.transpose() / precision - &cross * gram.solve(&cross.transpose()),
    }
}

#[test]
fn without_hidden_layers_and_with_gaussian_noise_it_is_linear_regression() {
    let (precision, noise) = (0.4, 0.3);
    let hyperparameters = NetworkHyperparameters::new(precision).unwrap().with_noise_variance(noise).unwrap();
    let observations = observed(Head::Gaussian, 25, 3, 2, 31);
    let new = normals(32, 4, 3);
    let expected = in_function_space(&observations, &new, precision, noise);
    let network = Network::new(3, &[], 2, Activation::Tanh).unwrap();
    let joint = Joint::new(network, observations, hyperparameters).unwrap();
    let w = sharp_mode(&joint);
    for kind in
        [HessianKind::Hessian, HessianKind::GaussNewton, HessianKind::Kronecker, HessianKind::LastLayer]
    {
        let laplace = NetworkLaplace::new(&joint, &w, kind).unwrap();
        assert_close(&[laplace.ln_evidence()], &[expected.ln_evidence], 1e-12);
        let latent = laplace.latent(&new).unwrap();
        assert_close(latent.mean().as_slice(), expected.mean.as_slice(), 1e-10);
        let variances = DMatrix::from_fn(4, 2, |i, _| expected.covariance[(i, i)]);
        assert_close(latent.variance().as_slice(), variances.as_slice(), 1e-12);
        // Outputs know nothing of each other.
        let mut blocks = DMatrix::zeros(8, 8);
        blocks.view_mut((0, 0), (4, 4)).copy_from(&expected.covariance);
        blocks.view_mut((4, 4), (4, 4)).copy_from(&expected.covariance);
        assert_close(laplace.covariance(&new, &new).unwrap().as_slice(), blocks.as_slice(), 1e-12);
        assert_close(
            &laplace.covariance(&new, &new).unwrap().as_slice()[..4],
            &expected.covariance.as_slice()[..4],
            1e-12,
        );
    }
    // The diagonal leaves out what is correlated: never more than the evidence (Hadamard's inequality).
    assert!(
        NetworkLaplace::new(&joint, &w, HessianKind::Diagonal).unwrap().ln_evidence() < expected.ln_evidence
    );
}

/// The chain rule of evidences: what the next observation adds is its predictive density.
#[test]
fn predictive_densities_add_up_to_the_evidence() {
    let all = observed(Head::Gaussian, 9, 2, 2, 5);
    let hyperparameters = NetworkHyperparameters::new(2.0).unwrap().with_noise_variance(0.5).unwrap();
    let mut sum = 0.0;
    let part = |from: usize, count: usize| {
        let rows = |matrix: &DMatrix<f64>| matrix.rows(from, count).into_owned();
        NetworkData::real(rows(all.inputs()), rows(all.targets())).unwrap()
    };
    for seen in 0..=all.len() {
        let network = Network::new(2, &[], 2, Activation::Tanh).unwrap();
        let joint = Joint::new(network, part(0, seen), hyperparameters.clone()).unwrap();
        let laplace = NetworkLaplace::new(&joint, &sharp_mode(&joint), HessianKind::GaussNewton).unwrap();
        assert!((laplace.ln_evidence() - sum).abs() < 1e-10);
        if seen < all.len() {
            let next = part(seen, 1);
            sum += laplace.latent(next.inputs()).unwrap().ln_predictive(&next).unwrap()[0];
        }
    }
}

#[test]
fn the_last_layer_alone_is_a_linear_model_in_what_was_learned() {
    for (head, outputs) in
        [(Head::Gaussian, 2), (Head::Bernoulli, 1), (Head::Categorical, 3), (Head::Poisson, 1)]
    {
        let network = Network::new(2, &[4], outputs, Activation::Tanh).unwrap();
        let observations = observed(head, 15, 2, outputs, 41);
        let w = some_weights(&network, 42);
        let features = |x: &DMatrix<f64>| {
            let hidden = network.layers()[0];
            DMatrix::from_fn(x.nrows(), 4, |i, unit| {
                let sum: f64 = (0..2).map(|input| w[hidden.weight(input, unit)] * x[(i, input)]).sum();
                (sum + w[hidden.bias(unit)]).tanh()
            })
        };
        let linear = {
            let x = features(observations.inputs());
            let targets = observations.targets();
            match head {
                Head::Gaussian => NetworkData::real(x, targets.clone()),
                Head::Bernoulli => {
                    NetworkData::binary(x, &targets.iter().map(|y| *y > 0.0).collect::<Vec<_>>())
                }
                Head::Categorical => {
                    let labels: Vec<usize> = targets.row_iter().map(|row| row.transpose().imax()).collect();
                    NetworkData::classes(x, &labels, outputs)
                }
                _ => NetworkData::counts(x, &targets.iter().map(|y| *y as u64).collect::<Vec<_>>()),
            }
            .unwrap()
        };
        let by_layer = NetworkHyperparameters::by_layer(&[7.0, 1.5]).unwrap();
        let alone = NetworkHyperparameters::new(1.5).unwrap();
        let joint = Joint::new(network.clone(), observations, by_layer).unwrap();
        let linear =
            Joint::new(Network::new(4, &[], outputs, Activation::Tanh).unwrap(), linear, alone).unwrap();
        let last = NetworkLaplace::new(&joint, &w, HessianKind::LastLayer).unwrap();
        let expected = NetworkLaplace::new(&linear, &w[last.uncertain()], HessianKind::Hessian).unwrap();
        assert_close(&[last.ln_evidence()], &[expected.ln_evidence()], 1e-12);
        let new = normals(43, 5, 2);
        let (found, expected) = (last.latent(&new).unwrap(), expected.latent(&features(&new)).unwrap());
        assert_close(found.mean().as_slice(), expected.mean().as_slice(), 1e-12);
        for i in 0..5 {
            assert_close(found.covariance(i).as_slice(), expected.covariance(i).as_slice(), 1e-11);
        }
    }
}

/// No hidden layer and one observation: a aᵀ ⊗ H is Gauss and Newton's matrix itself.
#[test]
fn kronecker_factors_are_exact_for_one_observation_of_one_layer() {
    for (head, outputs) in [(Head::Bernoulli, 1), (Head::Categorical, 3), (Head::Poisson, 1)] {
        let network = Network::new(2, &[], outputs, Activation::Tanh).unwrap();
        let joint =
            Joint::new(network, observed(head, 1, 2, outputs, 7), NetworkHyperparameters::new(0.5).unwrap())
                .unwrap();
        let w = sharp_mode(&joint);
        let [exact, kronecker] = [HessianKind::Hessian, HessianKind::Kronecker]
            .map(|kind| NetworkLaplace::new(&joint, &w, kind).unwrap());
        assert_close(&[kronecker.ln_evidence()], &[exact.ln_evidence()], 1e-13);
        let new = normals(8, 3, 2);
        let covariance = |laplace: &NetworkLaplace| laplace.covariance(&new, &new).unwrap();
        assert_close(covariance(&kronecker).as_slice(), covariance(&exact).as_slice(), 1e-13);
    }
}
