//! Processes in continuous time: their distributions, their kernels, and regression by them.
#![expect(
    clippy::unwrap_used,
    clippy::cast_possible_wrap,
    reason = "a test fails by panicking; exponents are small"
)]

mod derivatives;
mod properties;
mod regression;

use posterior_kalman::continuous::Process;
use posterior_math::linalg::DMatrix;

/// Every kind of process, with its covariance function where it is exact, and the first time at which it is.
fn all() -> Vec<(&'static str, Process)> {
    let damped_wave = || Process::cosine(1.3).unwrap().times(Process::matern12(4.0).unwrap());
    let oscillator = || {
        let drift = DMatrix::from_row_slice(2, 2, &[0.0, 1.0, -4.0, -0.5]);
        Process::sde(&drift, &DMatrix::from_row_slice(2, 2, &[0.0, 0.0, 0.0, 2.0]), &[1.0, 0.2]).unwrap()
    };
    vec![
        ("constant", Process::constant()),
        ("linear", Process::linear()),
        ("wiener", Process::wiener()),
        ("integrated wiener", Process::integrated_wiener()),
        ("thrice integrated wiener", Process::repeatedly_integrated_wiener(3).unwrap()),
        ("matern12", Process::matern12(0.7).unwrap()),
        ("matern32", Process::matern32(1.5).unwrap()),
        ("matern52", Process::matern52(0.4).unwrap()),
        ("matern 7/2", Process::matern(3, 1.1).unwrap()),
        ("matern 15/2", Process::matern(7, 0.9).unwrap()),
        ("cosine", Process::cosine(0.8).unwrap()),
        ("periodic", Process::periodic(0.9, 1.7, 6).unwrap()),
        ("rbf", Process::rbf(0.6, 6).unwrap()),
        ("sde", oscillator()),
        ("scaled", Process::matern32(2.0).unwrap().scaled(3.5).unwrap()),
        (
            "sum",
            Process::wiener().scaled(0.3).unwrap().plus(Process::matern52(1.0).unwrap()).plus(oscillator()),
        ),
        ("product", damped_wave()),
        ("product with what is not stationary", Process::wiener().times(Process::matern32(0.5).unwrap())),
        (
            "decaying season and trend",
            Process::periodic(1.2, 1.0, 2)
                .unwrap()
                .times(Process::matern32(3.0).unwrap())
                .scaled(2.0)
                .unwrap()
                .plus(Process::integrated_wiener().plus(Process::constant()).times(damped_wave().fixed())),
        ),
    ]
}
