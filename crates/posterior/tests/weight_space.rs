//! Weight space is function space: a Bayesian linear regression is a Gaussian process with the kernel φ(x)ᵀ S
//! φ(x').

#![cfg(all(feature = "gp", feature = "regression"))]

use posterior::gp::kernel::FeatureFunctions;
use posterior::gp::{GaussianProcess, Kernel, Noise};
use posterior::math::linalg::DMatrix;
use posterior::regression::features::Basis;
use posterior::regression::linear::{LinearData, PosteriorForm, WeightPrior, known_noise_by};

fn inputs(rows: usize) -> (DMatrix<f64>, Vec<f64>) {
    let inputs = DMatrix::from_fn(rows, 1, |i, _| ((i * i) as f64 * 0.71).sin() * 2.5);
    let outputs =
        inputs.iter().enumerate().map(|(i, x)| (1.3 * x).sin() + 0.3 * (i as f64 * 2.9).cos()).collect();
    (inputs, outputs)
}

#[track_caller]
fn close(a: f64, b: f64) {
    assert!((a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0), "{a} and {b}");
}

/// Predictions, covariances, the evidence and leave-one-out of both, for more rows than features and for
/// fewer, for independent and for correlated weights, in each form.
#[test]
fn a_regression_is_a_gaussian_process() {
    let centres = [-2.0, -1.2, -0.1, 0.4, 1.3, 2.2];
    let cases = [
        (Basis::bells(&centres, 0.8), FeatureFunctions::bells(&centres, 0.8)),
        (Basis::rectifiers(&centres), FeatureFunctions::rectifiers(&centres)),
        (Basis::sigmoids(&centres, 0.3), FeatureFunctions::sigmoids(&centres, 0.3)),
        (Basis::steps(&centres), FeatureFunctions::steps(&centres)),
        (Basis::fourier(6.0, 3), FeatureFunctions::fourier(6.0, 3)),
    ];
    let independent = DMatrix::identity(6, 6);
    let correlated = DMatrix::from_fn(6, 6, |i, j| 2.0 * (-0.5 * (i as f64 - j as f64).abs()).exp());
    for (basis, features) in cases {
        let (basis, features) = (basis.unwrap(), features.unwrap());
        for covariance in [&independent, &correlated] {
            for rows in [4, 30] {
                let (inputs, outputs) = inputs(rows);
                let noise = 0.09;
                let kernel = Kernel::features_with(features.clone(), covariance).unwrap();
                let process = GaussianProcess::new(kernel);
                let functions =
                    process.condition(&inputs, &outputs, &Noise::variance(noise).unwrap()).unwrap();
                let design = basis.values(inputs.as_slice()).unwrap();
                let data = LinearData::new(&design, &outputs).unwrap();
                let prior = WeightPrior::gaussian(&[0.0; 6], covariance).unwrap();
                let places = DMatrix::from_fn(9, 1, |i, _| f64::from(u32::try_from(i).unwrap()) * 0.6 - 2.4);
                let predicted = functions.latent(&places).unwrap();
                let joint = functions.covariance(&places).unwrap();
                let left = functions.leave_one_out();
                for form in [PosteriorForm::Precision, PosteriorForm::SquareRoot, PosteriorForm::Gain] {
                    let weights = known_noise_by(form, &data, &prior, noise).unwrap();
                    close(weights.ln_evidence().unwrap(), functions.ln_evidence());
                    let at = basis.values(places.as_slice()).unwrap();
                    let distribution = weights.latent(&at).unwrap();
                    for i in 0..9 {
                        close(distribution.mean[i], predicted.mean[i]);
                        close(distribution.variance[i], predicted.variance[i]);
                    }
                    let other = weights.joint_function(&at).unwrap();
                    for (a, b) in other.covariance().iter().zip(joint.iter()) {
                        close(*a, *b);
                    }
                    close(weights.leave_one_out(&data).unwrap().ln_score, left.ln_score);
                }
            }
        }
    }
}

/// The kernel x xᵀ: straight lines through the origin.
#[test]
fn the_linear_kernel_is_a_regression_on_the_inputs() {
    let (_, outputs) = inputs(12);
    let design = DMatrix::from_fn(12, 3, |i, k| ((i * 3 + k * 7) as f64 * 1.1).cos());
    let process = GaussianProcess::new(Kernel::linear_ard(&[1.0, 0.5, 2.0]).unwrap());
    let functions = process.condition(&design, &outputs, &Noise::variance(0.2).unwrap()).unwrap();
    let prior = WeightPrior::independent(&[0.0; 3], &[1.0, 0.5, 2.0]).unwrap();
    let data = LinearData::new(&design, &outputs).unwrap();
    let weights = known_noise_by(PosteriorForm::Precision, &data, &prior, 0.2).unwrap();
    close(weights.ln_evidence().unwrap(), functions.ln_evidence());
    let mean = functions.mean(&DMatrix::identity(3, 3)).unwrap();
    for k in 0..3 {
        close(weights.mean()[k], mean[k]);
    }
}
