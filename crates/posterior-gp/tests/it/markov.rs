//! Markov processes against dense matrices.

use posterior_dist::stream::stream;
use posterior_gp::kernel::ProcessOptions;
use posterior_gp::markov::{MarkovOptions, MarkovProcessPosterior};
use posterior_gp::{GaussianProcess, GaussianProcessPosterior, Kernel, Mean, Noise};
use posterior_kalman::{CovarianceForm, FilterOptions};
use posterior_math::linalg::DMatrix;
use proptest::prelude::*;
use rand::RngExt;

/// Kernels with a process of their own, for times from 0 on.
fn markov_kernels() -> Vec<Kernel> {
    let matern32 = || Kernel::matern32(1.5).unwrap();
    vec![
        Kernel::matern12(0.7).unwrap(),
        2.0 * matern32(),
        Kernel::matern52(0.9).unwrap(),
        1.3 * Kernel::matern(3.5, 1.2).unwrap(),
        Kernel::wiener(),
        0.3 * Kernel::integrated_wiener(),
        Kernel::constant(2.0).unwrap() + 0.5 * Kernel::linear(),
        Kernel::linear_ard(&[0.6]).unwrap() + Kernel::matern12(2.0).unwrap(),
        Kernel::cosine(1.7).unwrap() * Kernel::matern32(3.0).unwrap(),
        1.1 * Kernel::periodic(0.8, 1.3).unwrap() * Kernel::matern52(4.0).unwrap() + 0.2 * matern32(),
        (2.0 * matern32()).fixed() + Kernel::matern12(0.4).unwrap(),
        matern32() * Kernel::matern12(0.9).unwrap() * Kernel::constant(1.5).unwrap(),
        Kernel::linear() * matern32(),
    ]
}

#[test]
fn a_process_has_the_covariance_and_the_parameters_of_its_kernel() {
    let options = ProcessOptions::default();
    for kernel in markov_kernels() {
        let process = kernel.process(&options).unwrap();
        let values: Vec<f64> = kernel.parameters().iter().map(|parameter| parameter.value).collect();
        let states: Vec<f64> = process.parameters().iter().map(|parameter| parameter.value).collect();
        assert_eq!(values, states, "{kernel}");
        for (s, t) in [(0.0, 0.0), (0.3, 0.3), (0.1, 2.4), (1.7, 1.8), (3.0, 0.2)] {
            let (expected, found) = (kernel.value(&[s], &[t]), process.kernel(s, t));
            assert!((found - expected).abs() < 3e-9 * (1.0 + expected.abs()), "{kernel}: {found} {expected}");
        }
    }
}

#[test]
fn what_is_not_markov_is_refused_with_the_reason() {
    let refusal = |kernel: Kernel| kernel.process(&ProcessOptions::default()).unwrap_err().to_string();
    let message = refusal(Kernel::matern32(1.0).unwrap() + 0.5 * Kernel::rbf(2.0).unwrap());
    assert!(message.starts_with("rbf(2) is not Markov: its functions are too smooth"), "{message}");
    assert!(refusal(Kernel::matern(1.7, 1.0).unwrap()).contains("no process with finitely many states"));
    assert!(refusal(Kernel::white()).contains("put its variance into the noise"));
    // By permission of the user, with its error.
    let options = ProcessOptions { rbf_states: 8, ..ProcessOptions::default() };
    let process = Kernel::rbf(2.0).unwrap().process(&options).unwrap();
    let error = process.approximation_error(10.0);
    assert!(error < 2e-4 && (process.kernel(0.0, 2.0) - (-0.5_f64).exp()).abs() <= error);
}

/// Times in no order with ties, outputs, and variances.
fn data(n: usize) -> (DMatrix<f64>, Vec<f64>, Vec<f64>) {
    let mut rng = stream(9, &[n as u64]);
    let mut times: Vec<f64> = (0..n).map(|_| 6.0 * rng.random::<f64>()).collect();
    for i in 0..n / 4 {
        times[n - 1 - i] = times[2 * i];
    }
    let outputs = times.iter().map(|t| (2.0 * t).sin() + t + 0.5 * rng.random::<f64>()).collect();
    let variances = (0..n).map(|_| 0.05 + 0.2 * rng.random::<f64>()).collect();
    (DMatrix::from_vec(n, 1, times), outputs, variances)
}

fn both(
    prior: &GaussianProcess,
    (inputs, outputs): (&DMatrix<f64>, &[f64]),
    noise: &Noise,
    options: &MarkovOptions,
) -> (GaussianProcessPosterior, MarkovProcessPosterior) {
    let dense = prior.condition(inputs, outputs, noise).unwrap();
    (dense, MarkovProcessPosterior::new(prior, (inputs, outputs), noise, options).unwrap())
}

/// Harmonics up to rounding: what is left of the difference is that of the engines.
fn exact_options() -> MarkovOptions {
    MarkovOptions {
        process: ProcessOptions { periodic_error: 1e-14, ..ProcessOptions::default() },
        ..MarkovOptions::default()
    }
}

#[test]
fn markov_posteriors_are_those_of_dense_matrices() {
    let (inputs, outputs, variances) = data(40);
    let heteroscedastic = Noise::known_each(&variances).unwrap().plus_variance(0.03).unwrap();
    // Before, between, on and after the observations.
    let places = [0.0, inputs[3], 1.234, 5.0, 5.999, 8.0, 30.0];
    let places = DMatrix::from_column_slice(7, 1, &places);
    let joseph = MarkovOptions {
        filter: FilterOptions { form: CovarianceForm::Joseph, ..FilterOptions::default() },
        ..exact_options()
    };
    for kernel in markov_kernels() {
        for noise in [&heteroscedastic, &Noise::variance(0.2).unwrap()] {
            for options in [&exact_options(), &joseph] {
                let prior = GaussianProcess::new(kernel.clone());
                let (dense, markov) = both(&prior, (&inputs, &outputs), noise, options);
                let evidence = dense.ln_evidence();
                let difference = markov.ln_evidence() - evidence;
                assert!(difference.abs() < 1e-8 * (1.0 + evidence.abs()), "{kernel}: {difference}");
                let (expected, found) = (dense.latent(&places).unwrap(), markov.latent(&places).unwrap());
                for i in 0..7 {
                    let scale = 1.0 + kernel.value(&[places[i]], &[places[i]]);
                    let mean = (expected.mean[i] - found.mean[i]).abs();
                    let variance = (expected.variance[i] - found.variance[i]).abs();
                    assert!(
                        mean.max(variance) < 1e-8 * scale,
                        "{kernel} at {}: {mean} {variance}",
                        places[i]
                    );
                }
            }
        }
    }
}

#[test]
fn components_are_those_of_dense_matrices() {
    let (inputs, outputs, _) = data(30);
    let noise = Noise::variance(0.1).unwrap();
    let kernel = Kernel::matern32(1.0).unwrap()
        + 0.5 * Kernel::periodic(1.0, 0.9).unwrap()
        + Kernel::linear()
        + Kernel::constant(3.0).unwrap();
    let mean = Mean::constant(0.7).unwrap();
    let prior = GaussianProcess::new(kernel).with_mean(mean);
    let (dense, markov) = both(&prior, (&inputs, &outputs), &noise, &exact_options());
    let places = DMatrix::from_column_slice(3, 1, &[0.1, 2.5, 7.7]);
    let found = markov.latent_components(&places).unwrap();
    assert_eq!(found.len(), 4);
    for (found, component) in found.iter().zip(dense.components()) {
        let expected = component.latent(&places).unwrap();
        assert!((&found.mean - expected.mean).amax() < 1e-8);
        assert!((&found.variance - expected.variance).amax() < 1e-8);
    }
    let sum = found.iter().fold(prior.mean().values(&places), |sum, part| sum + &part.mean);
    assert!((sum - markov.latent(&places).unwrap().mean).amax() < 1e-10);
}

#[test]
fn gradients_are_those_of_dense_matrices() {
    let (inputs, outputs, variances) = data(30);
    let regular = DMatrix::from_fn(30, 1, |i, _| 0.25 * i as f64);
    let learned = Noise::variance(0.2).unwrap();
    let both_noises = Noise::known_each(&variances).unwrap().plus_variance(0.1).unwrap();
    for kernel in markov_kernels() {
        let prior = GaussianProcess::new(kernel.clone()).with_mean(Mean::linear(0.2, &[0.5]).unwrap());
        for (inputs, noise) in [(&inputs, &learned), (&regular, &learned), (&inputs, &both_noises)] {
            let (dense, markov) = both(&prior, (inputs, &outputs), noise, &exact_options());
            let (expected, found) = (dense.gradient(), markov.gradient().unwrap());
            assert_eq!((found.len(), markov.parameters()), (expected.len(), dense.parameters()));
            for (i, (expected, found)) in expected.iter().zip(&found).enumerate() {
                let difference = (expected - found).abs();
                let name = &dense.parameters()[i].name;
                assert!(difference < 1e-7 * (1.0 + expected.abs()), "{kernel} {name}: {found} {expected}");
            }
        }
    }
}

#[test]
fn the_worked_example_of_a_wiener_process() {
    let prior = GaussianProcess::new(Kernel::wiener());
    let inputs = DMatrix::from_column_slice(3, 1, &[1.0, 2.0, 4.0]);
    let data = (&inputs, &[0.5, 1.2, 0.3][..]);
    let noise = Noise::variance(0.25).unwrap();
    let posterior = MarkovProcessPosterior::new(&prior, data, &noise, &MarkovOptions::default()).unwrap();
    assert!((posterior.ln_evidence() - -3.9424958410509623).abs() < 1e-12);
    let prediction = posterior.latent(&inputs).unwrap();
    let means = [0.499649122807018, 0.997894736842105, 0.377543859649123];
    let variances = [0.171929824561404, 0.189473684210526, 0.224561403508772];
    for i in 0..3 {
        assert!((prediction.mean[i] - means[i]).abs() < 1e-12);
        assert!((prediction.variance[i] - variances[i]).abs() < 1e-12);
    }
    // Before its origin there is no such process.
    assert!(posterior.latent(&DMatrix::from_element(1, 1, -1.0)).is_err());
}

#[test]
fn an_approximation_is_as_good_as_it_says() {
    let (inputs, outputs, _) = data(25);
    let prior = GaussianProcess::new(Kernel::rbf(1.0).unwrap());
    let noise = Noise::variance(0.2).unwrap();
    let places = DMatrix::from_column_slice(2, 1, &[2.2, 4.4]);
    for (states, bound) in [(6, 0.1), (12, 1e-3)] {
        let options = MarkovOptions {
            process: ProcessOptions { rbf_states: states, ..ProcessOptions::default() },
            ..MarkovOptions::default()
        };
        let (dense, markov) = both(&prior, (&inputs, &outputs), &noise, &options);
        assert!(markov.approximation_error() > 0.0 && markov.approximation_error() < 3e-3);
        let difference = dense.latent(&places).unwrap().mean - markov.latent(&places).unwrap().mean;
        assert!(difference.amax() < bound, "{states}: {difference}");
    }
    let (_, exact) = both(
        &GaussianProcess::new(Kernel::matern32(1.0).unwrap()),
        (&inputs, &outputs),
        &noise,
        &MarkovOptions::default(),
    );
    assert_eq!(exact.approximation_error(), 0.0);
}

#[test]
fn edges_and_refusals() {
    let prior = GaussianProcess::new(2.0 * Kernel::matern32(1.0).unwrap());
    let noise = Noise::variance(0.1).unwrap();
    let at = |n: usize| DMatrix::from_fn(n, 1, |i, _| i as f64);
    let posterior = |inputs: &DMatrix<f64>, outputs: &[f64], noise: &Noise| {
        MarkovProcessPosterior::new(&prior, (inputs, outputs), noise, &MarkovOptions::default())
    };
    let empty = posterior(&at(0), &[], &noise).unwrap();
    let prediction = empty.latent(&at(2)).unwrap();
    assert_eq!(empty.ln_evidence(), 0.0);
    assert!((prediction.variance[1] - 2.0).abs() < 1e-14 && prediction.mean[1] == 0.0);
    assert_eq!(empty.gradient().unwrap(), [0.0; 3]);
    assert_eq!(empty.latent(&at(0)).unwrap().mean.len(), 0);
    let one = posterior(&at(1), &[1.0], &noise).unwrap();
    assert!((one.latent(&at(1)).unwrap().mean[0] - 2.0 / 2.1).abs() < 1e-14);
    // Without noise it interpolates; two exact observations of one time are refused.
    let exact = posterior(&at(3), &[1.0, -1.0, 0.5], &Noise::none()).unwrap();
    assert!((exact.latent(&at(3)).unwrap().mean[1] + 1.0).abs() < 1e-12);
    assert!(posterior(&DMatrix::zeros(2, 1), &[1.0, 1.5], &Noise::none()).is_err());
    let refusal = posterior(&DMatrix::zeros(2, 2), &[1.0, 1.0], &noise).unwrap_err();
    assert_eq!(refusal.to_string(), "coordinates of inputs of a Markov process: expected 1, found 2");
    let refusal = posterior(&at(2), &[1.0, f64::NAN], &noise).unwrap_err();
    assert_eq!(refusal.to_string(), "output of row 1 is NaN: it must be finite");
}

/// Expressions with at most nine states, with parameters between 0.3 and 3.
fn any_kernel() -> impl Strategy<Value = Kernel> {
    let number = || 0.3..3.0_f64;
    let leaf = prop_oneof![
        number().prop_map(|l| Kernel::matern12(l).unwrap()),
        number().prop_map(|l| Kernel::matern32(l).unwrap()),
        number().prop_map(|l| Kernel::matern52(l).unwrap()),
        number().prop_map(|p| Kernel::cosine(p).unwrap()),
        number().prop_map(|v| Kernel::constant(v).unwrap()),
        Just(Kernel::linear()),
        Just(Kernel::wiener()),
        Just(Kernel::integrated_wiener()),
    ];
    (leaf.clone(), leaf.clone(), leaf, number(), 0..4_u8).prop_map(|(a, b, c, v, shape)| match shape {
        0 => v * a + b + c,
        1 => v * (a * b) + c,
        2 => v * a * (b + c),
        _ => v * a + b,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn any_expression_is_its_dense_matrix(
        kernel in any_kernel(),
        times in prop::collection::vec((0..40_u8).prop_map(|t| 0.1 * f64::from(t)), 1..15),
        seed in 0..1000_u64,
    ) {
        let mut rng = stream(seed, &[]);
        let outputs: Vec<f64> = times.iter().map(|_| 2.0 * rng.random::<f64>() - 1.0).collect();
        let variances: Vec<f64> = times.iter().map(|_| 0.05 + rng.random::<f64>()).collect();
        let inputs = DMatrix::from_vec(times.len(), 1, times);
        let noise = Noise::known_each(&variances).unwrap();
        let prior = GaussianProcess::new(kernel);
        let (dense, markov) = both(&prior, (&inputs, &outputs), &noise, &exact_options());
        let evidence = dense.ln_evidence();
        prop_assert!((markov.ln_evidence() - evidence).abs() < 1e-8 * (1.0 + evidence.abs()));
        let places = DMatrix::from_column_slice(4, 1, &[0.0, 1.05, 2.2, 6.0]);
        let (expected, found) = (dense.latent(&places).unwrap(), markov.latent(&places).unwrap());
        for i in 0..4 {
            let scale = 1.0 + prior.kernel().value(&[places[i]], &[places[i]]);
            prop_assert!((expected.mean[i] - found.mean[i]).abs() < 1e-8 * scale);
            prop_assert!((expected.variance[i] - found.variance[i]).abs() < 1e-8 * scale);
        }
        let (expected, found) = (dense.gradient(), markov.gradient().unwrap());
        for (expected, found) in expected.iter().zip(&found) {
            prop_assert!((expected - found).abs() < 1e-7 * (1.0 + expected.abs()));
        }
    }
}
