//! Markov processes against dense matrices.

use posterior_gp::Kernel;
use posterior_gp::kernel::ProcessOptions;

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
    let options = ProcessOptions::default().with_rbf_states(8);
    let process = Kernel::rbf(2.0).unwrap().process(&options).unwrap();
    let error = process.approximation_error(10.0);
    assert!(error < 2e-4 && (process.kernel(0.0, 2.0) - (-0.5_f64).exp()).abs() <= error);
}
