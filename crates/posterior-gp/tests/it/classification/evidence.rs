//! Gradients of evidences against differences, in all parameters of kernel, likelihood and mean.

use posterior_gp::classification::{EvidenceGradient, ObservationModel};
use posterior_gp::kernel::KernelParameter;
use posterior_gp::likelihood::{
    BinomialLikelihood, GammaLikelihood, GaussianLikelihood, Likelihood, LogConcave, LogLinkGaussian,
    LogisticLikelihood, NegativeBinomialLikelihood, PoissonLikelihood, Probit, StudentTLikelihood, Trials,
};
use posterior_gp::{GaussianProcess, Kernel, Mean};
use posterior_math::optimize::gradient_check;

use super::{converged, line, propagated};

const PLACES: [f64; 5] = [-1.0, -0.4, 0.1, 0.15, 0.9];

fn kernel() -> Kernel {
    1.5 * Kernel::rbf(0.7).unwrap() + 0.3 * Kernel::rbf(3.0).unwrap()
}

/// The evidence and its gradient at a place of the free scales: kernel, likelihood, mean.
fn check<L: Likelihood>(
    outputs: &[L::Output],
    likelihood: &L,
    evidence: impl Fn(&ObservationModel<L>, &GaussianProcess) -> (f64, EvidenceGradient),
    tolerance: f64,
) {
    let of_kernel = kernel().parameters().len();
    let parameters = likelihood.parameters();
    let mut start = kernel().free_parameters();
    start.extend(parameters.iter().map(KernelParameter::free));
    start.extend([0.3, 0.2]);
    let objective = |free: &[f64], gradient: &mut [f64]| {
        let (of_kernel, rest) = free.split_at(of_kernel);
        let values: Vec<f64> = parameters.iter().zip(rest).map(|(p, &free)| p.scale.value(free)).collect();
        let likelihood = likelihood.with_parameters(&values).unwrap();
        let observations = ObservationModel::new(line(&PLACES), outputs, likelihood).unwrap();
        let mean = Mean::linear(rest[values.len()], &rest[values.len() + 1..]).unwrap();
        let prior = GaussianProcess::new(kernel().with_free_parameters(of_kernel).unwrap()).with_mean(mean);
        let (value, slopes) = evidence(&observations, &prior);
        let slopes = [slopes.kernel, slopes.likelihood, slopes.mean].concat();
        gradient.copy_from_slice(&slopes);
        value
    };
    let worst = gradient_check(objective, &start);
    assert!(worst.error <= tolerance, "{likelihood:?}: {worst:?}");
}

fn by_laplace<L: Likelihood>(outputs: &[L::Output], likelihood: &L) {
    check(
        outputs,
        likelihood,
        |observations, kernel| {
            let posterior = converged(observations, kernel);
            (posterior.ln_evidence(), posterior.gradient())
        },
        1e-9,
    );
}

fn by_propagation<L: LogConcave>(outputs: &[L::Output], likelihood: &L) {
    check(
        outputs,
        likelihood,
        |observations, kernel| {
            let posterior = propagated(observations, kernel);
            (posterior.ln_evidence(), posterior.gradient())
        },
        1e-8,
    );
}

#[test]
fn of_laplace() {
    by_laplace(&[1.0, -1.0, 1.0, 1.0, -1.0], &LogisticLikelihood);
    by_laplace(&[1.0, -1.0, 1.0, 1.0, -1.0], &Probit);
    by_laplace(&[0, 4, 1, 9, 2].map(Into::into), &PoissonLikelihood);
    by_laplace(&[0, 4, 1, 9, 2].map(Into::into), &NegativeBinomialLikelihood::size(1.3).unwrap());
    by_laplace(
        &[(0, 3), (2, 2), (1, 4), (5, 9), (0, 0)].map(|(k, n)| Trials::new(k, n).unwrap()),
        &BinomialLikelihood,
    );
    by_laplace(&[0.1, 4.0, 1.0, 2.5, 0.3], &GammaLikelihood::shape(1.7).unwrap());
    by_laplace(&[0.1, 4.0, 1.0, 2.5, 0.3], &LogLinkGaussian::variance(0.3).unwrap());
    by_laplace(&[0.1, 0.4, -1.0, 2.5, 0.3], &GaussianLikelihood::variance(0.3).unwrap());
    by_laplace(&[0.1, 0.4, -1.0, 0.5, 0.3], &StudentTLikelihood::new(3.0, 0.4).unwrap());
}

/// With an outlier, whose precision is negative.
#[test]
fn of_laplace_where_precisions_are_negative() {
    by_laplace(&[0.1, 0.4, 9.0, 0.5, 0.3], &StudentTLikelihood::new(3.0, 0.4).unwrap());
}

#[test]
fn of_expectation_propagation() {
    by_propagation(&[1.0, -1.0, 1.0, 1.0, -1.0], &Probit);
    by_propagation(&[1.0, -1.0, 1.0, 1.0, -1.0], &LogisticLikelihood);
    by_propagation(&[0.1, 0.4, -1.0, 2.5, 0.3], &GaussianLikelihood::variance(0.3).unwrap());
    by_propagation(&[0, 4, 1, 9, 2].map(Into::into), &NegativeBinomialLikelihood::size(1.3).unwrap());
}
