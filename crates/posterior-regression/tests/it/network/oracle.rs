//! A network written unit by unit over any kind of number: what the fast passes are compared with.

use posterior_dist::stream::stream;
use posterior_dist::target::Formula;
use posterior_math::autodiff::Real;
use posterior_math::linalg::DMatrix;
use posterior_regression::network::{Activation, Head, Joint, Network, NetworkData, NetworkHyperparameters};
use rand::RngExt;
use rand_distr::StandardNormal;

/// What goes into each layer at one input, and the outputs at the end, unit by unit.
pub(super) fn values<R: Real>(network: &Network, w: &[R], x: &[f64]) -> Vec<Vec<R>> {
    let mut all: Vec<Vec<R>> = vec![x.iter().map(|&x| R::constant(x)).collect()];
    let last = network.layers().len() - 1;
    for (index, layer) in network.layers().iter().enumerate() {
        let inputs = &all[index];
        let sums = (0..layer.units()).map(|unit| {
            let products =
                inputs.iter().enumerate().map(|(input, &value)| w[layer.weight(input, unit)] * value);
            products.fold(w[layer.bias(unit)], |sum, product| sum + product)
        });
        let next =
            sums.map(|sum| if index < last { activate(network.activation(), sum) } else { sum }).collect();
        all.push(next);
    }
    all
}

/// The outputs of a network at one input.
pub(super) fn outputs<R: Real>(network: &Network, w: &[R], x: &[f64]) -> Vec<R> {
    values(network, w, x).pop().unwrap()
}

fn activate<R: Real>(activation: Activation, z: R) -> R {
    match activation {
        Activation::Tanh => z.tanh(),
        Activation::Rectifier if z.value() > 0.0 => z,
        Activation::Rectifier => R::constant(0.0),
        Activation::Sigmoid => z.logistic(),
        Activation::Softplus => z.ln_1p_exp(),
        _ => z,
    }
}

/// ln p(y, w | x), term by term.
pub(super) struct Written<'a>(pub(super) &'a Joint);

impl Formula for Written<'_> {
    fn dim(&self) -> usize {
        self.0.network().parameters()
    }

    fn ln_density<R: Real>(&self, w: &[R]) -> R {
        let (network, observations) = (self.0.network(), self.0.observations());
        let hyperparameters = self.0.hyperparameters();
        let mut sum = R::constant(0.0);
        for (index, layer) in network.layers().iter().enumerate() {
            let precisions = hyperparameters.precisions();
            let precision = precisions[index.min(precisions.len() - 1)];
            for at in layer.range() {
                sum += normal(w[at], precision.recip());
            }
        }
        for i in 0..observations.len() {
            let x: Vec<f64> = observations.inputs().row(i).iter().copied().collect();
            let y: Vec<f64> = observations.targets().row(i).iter().copied().collect();
            sum += ln_likelihood(
                observations.head(),
                &outputs(network, w, &x),
                &y,
                hyperparameters.noise_variance(),
            );
        }
        sum
    }
}

fn normal<R: Real>(deviation: R, variance: f64) -> R {
    -deviation * deviation / (2.0 * variance) - 0.5 * (std::f64::consts::TAU * variance).ln()
}

fn ln_likelihood<R: Real>(head: Head, f: &[R], y: &[f64], noise_variance: f64) -> R {
    match head {
        Head::Gaussian => f.iter().zip(y).map(|(&f, &y)| normal(f - y, noise_variance)).sum(),
        Head::Bernoulli => f[0] * y[0] - f[0].ln_1p_exp(),
        Head::Categorical => {
            let seen: R = f.iter().zip(y).map(|(&f, &y)| f * y).sum();
            let all: R = f.iter().map(|f| f.exp()).sum();
            seen - all.ln()
        }
        _ => f[0] * y[0] - f[0].exp() - posterior_math::special::ln_gamma(y[0] + 1.0),
    }
}

pub(super) fn normals(seed: u64, rows: usize, columns: usize) -> DMatrix<f64> {
    let mut rng = stream(seed, &[]);
    DMatrix::from_fn(rows, columns, |_, _| rng.sample(StandardNormal))
}

/// Observations of this kind at random inputs.
pub(super) fn observed(head: Head, rows: usize, inputs: usize, outputs: usize, seed: u64) -> NetworkData {
    let (x, mut rng) = (normals(seed, rows, inputs), stream(seed, &[1]));
    match head {
        Head::Gaussian => NetworkData::real(x, normals(seed + 1, rows, outputs)),
        Head::Bernoulli => NetworkData::binary(x, &(0..rows).map(|_| rng.random()).collect::<Vec<bool>>()),
        Head::Categorical => {
            let labels: Vec<usize> = (0..rows).map(|_| rng.random_range(0..outputs)).collect();
            NetworkData::classes(x, &labels, outputs)
        }
        _ => NetworkData::counts(x, &(0..rows).map(|_| rng.random_range(0..5)).collect::<Vec<u64>>()),
    }
    .unwrap()
}

/// A network of each activation and each head, with seven observations.
pub(super) fn all_kinds() -> Vec<Joint> {
    let heads = [(Head::Gaussian, 2), (Head::Bernoulli, 1), (Head::Categorical, 3), (Head::Poisson, 1)];
    let activations = [
        Activation::Tanh,
        Activation::Rectifier,
        Activation::Sigmoid,
        Activation::Softplus,
        Activation::Linear,
    ];
    let mut all = Vec::new();
    for (head, outputs) in heads {
        for activation in activations {
            for (hidden, precisions) in [(&[4, 3][..], &[0.5, 2.0, 1.5][..]), (&[], &[0.7])] {
                let network = Network::new(2, hidden, outputs, activation).unwrap();
                let hyperparameters =
                    NetworkHyperparameters::by_layer(precisions).unwrap().with_noise_variance(0.3).unwrap();
                all.push(Joint::new(network, observed(head, 7, 2, outputs, 5), hyperparameters).unwrap());
            }
        }
    }
    all
}

/// Parameters of about the size of those of a trained network.
pub(super) fn some_weights(network: &Network, seed: u64) -> Vec<f64> {
    normals(seed, network.parameters(), 1).as_slice().iter().map(|w| 0.7 * w).collect()
}

/// Whether the numbers agree up to a proportion of the largest.
#[track_caller]
pub(super) fn assert_close(found: &[f64], expected: &[f64], proportion: f64) {
    assert_eq!(found.len(), expected.len());
    let scale = expected.iter().fold(0.0_f64, |scale, number| scale.max(number.abs()));
    for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!((found - expected).abs() <= proportion * scale, "{i}: {found} instead of {expected}");
    }
}
