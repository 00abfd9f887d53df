//! Expectation propagation: worked numbers, exact cases, agreement.

use posterior_dist::Density;
use posterior_gp::classification::{ObservationModel, PropagationOptions, expectation_propagation};
use posterior_gp::likelihood::{
    GaussianLikelihood, Likelihood, LogisticLikelihood, PoissonLikelihood, Probit,
};
use posterior_gp::{GaussianProcess, Mean};
use posterior_math::iteration::Silent;
use posterior_math::linalg::{Cholesky, DMatrix, DVector};

use super::{all_close, close, converged, four_points, line, propagated, rbf, wide_rbf};

#[test]
fn worked_example() {
    let posterior = propagated(&four_points(), &wide_rbf());
    close(posterior.ln_evidence(), -2.687123881, 1e-9);
    all_close(posterior.mean().iter(), &[-1.56172538, -0.78552412, 0.82600242, 1.56217956], 1e-8);
    let latent = posterior.latent(&line(&[0.0, 2.0])).unwrap();
    all_close(latent.mean_response(&LogisticLikelihood).iter(), &[0.54361576, 0.65388594], 1e-8);
}

/// The truth of the same example, by a grid of 60⁴ nodes: propagation is nearer to it than Laplace's method
/// in everything.
#[test]
fn nearer_to_the_truth_than_laplace() {
    let (ep, laplace) = (propagated(&four_points(), &wide_rbf()), converged(&four_points(), &wide_rbf()));
    let at = line(&[0.0, 2.0]);
    let answers =
        |latent: posterior_gp::classification::LatentMoments| latent.mean_response(&LogisticLikelihood);
    let (by_ep, by_laplace) = (answers(ep.latent(&at).unwrap()), answers(laplace.latent(&at).unwrap()));
    let nearer = |ep: f64, laplace: f64, truth: f64, error: f64| {
        assert!((ep - truth).abs() < error && (ep - truth).abs() < 0.1 * (laplace - truth).abs());
    };
    nearer(ep.ln_evidence(), laplace.ln_evidence(), -2.6865952, 6e-4);
    nearer(by_ep[0], by_laplace[0], 0.5433041, 4e-4);
    nearer(by_ep[1], by_laplace[1], 0.6529858, 1e-3);
    for (i, truth) in [-1.5618965, -0.7854294, 0.8263048, 1.5625515].into_iter().enumerate() {
        nearer(ep.mean()[i], laplace.mode()[i], truth, 4e-4);
    }
}

#[test]
fn one_observation_is_exact() {
    for (label, mean) in [(1.0, 0.0), (-1.0, 0.4), (1.0, -3.0)] {
        let observations = ObservationModel::new(line(&[0.5]), &[label], LogisticLikelihood).unwrap();
        let prior = wide_rbf().with_mean(Mean::constant(mean).unwrap());
        let posterior = propagated(&observations, &prior);
        let exact = LogisticLikelihood.tilted(label, mean, 4.0);
        close(posterior.ln_evidence(), exact.ln_mass, 1e-12);
        close(posterior.mean()[0], exact.mean, 1e-11);
        close(posterior.variance()[0], exact.variance, 1e-10);
    }
    let observations = ObservationModel::new(line(&[0.0]), &[3.into()], PoissonLikelihood).unwrap();
    let posterior = propagated(&observations, &rbf(1.0, 1.0));
    close(posterior.ln_evidence(), -2.5165349937284787, 1e-12);
}

/// Two probits of one prior: an orthant of a Gaussian, whose probability is an arcsine. Propagation is not
/// exact here: it errs by 0.0025, Laplace's method by more.
#[test]
fn orthants() {
    let labels = [1.0, 1.0];
    let kernel = rbf(3.0, 1.0);
    let posterior = propagated(&ObservationModel::new(line(&[0.0, 0.8]), &labels, Probit).unwrap(), &kernel);
    let correlation = 3.0 * f64::exp(-0.32) / 4.0;
    let exact = 0.25 + correlation.asin() / std::f64::consts::TAU;
    close(posterior.ln_evidence(), exact.ln(), 3e-3);
}

#[test]
fn exact_on_gaussian_noise() {
    let noise = GaussianLikelihood::variance(0.2).unwrap();
    let observations = ObservationModel::new(line(&[-1.0, 0.0, 2.0]), &[0.5, 1.0, -0.3], noise).unwrap();
    let prior = wide_rbf().with_mean(Mean::constant(0.2).unwrap());
    let (ep, laplace) = (propagated(&observations, &prior), converged(&observations, &prior));
    close(ep.ln_evidence(), laplace.ln_evidence(), 1e-12);
    all_close(ep.mean().iter(), laplace.mode().iter(), 1e-12);
    let at = line(&[0.3, 5.0]);
    let (ep, laplace) = (ep.latent(&at).unwrap(), laplace.latent(&at).unwrap());
    all_close(ep.mean.iter(), laplace.mean.iter(), 1e-12);
    all_close(ep.variance.iter(), laplace.variance.iter(), 1e-12);
}

#[test]
fn damping_is_slower_and_ends_at_the_same_point() {
    let full =
        expectation_propagation(&four_points(), &wide_rbf(), &PropagationOptions::default(), &mut Silent)
            .unwrap();
    let options = PropagationOptions { damping: 0.5, ..PropagationOptions::default() };
    let damped = expectation_propagation(&four_points(), &wide_rbf(), &options, &mut Silent).unwrap();
    assert!(damped.report.converged() && damped.report.iterations() > full.report.iterations());
    close(damped.model.ln_evidence(), full.model.ln_evidence(), 1e-12);
    for damping in [0.0, -1.0, 1.5, f64::NAN] {
        let options = PropagationOptions { damping, ..PropagationOptions::default() };
        assert!(expectation_propagation(&four_points(), &wide_rbf(), &options, &mut Silent).is_err());
    }
}

#[test]
fn the_limit_is_reported() {
    let options = PropagationOptions { max_iterations: 1, ..PropagationOptions::default() };
    let fitted = expectation_propagation(&four_points(), &wide_rbf(), &options, &mut Silent).unwrap();
    assert!(!fitted.report.converged() && !fitted.model.converged());
    assert_eq!(fitted.report.iterations(), 1);
}

/// Large counts of at most three places, by the trapezoidal rule on a grid about the counts' own logarithms,
/// in units of a standard deviation of the posterior; masses of counts are those of the distribution's own
/// code. As (ln evidence, means, variances).
fn by_grid(counts: &[u64], places: &[f64], prior: &GaussianProcess) -> (f64, Vec<f64>, Vec<f64>) {
    let gram = prior.kernel().gram(&line(places));
    let prior_mean = prior.mean().values(&line(places));
    let gram = Cholesky::decompose(gram).unwrap();
    let n = counts.len();
    let data: DVector<f64> = DVector::from_iterator(n, counts.iter().map(|&count| (count as f64).ln()));
    let mut precision = gram.inverse();
    for (i, &count) in counts.iter().enumerate() {
        precision[(i, i)] += count as f64;
    }
    let precision = Cholesky::decompose(precision).unwrap();
    // Counts of half a million hold the function where they are: the prior moves it by a small part of a
    // standard deviation.
    let pull: DVector<f64> = -gram.solve_vector(&(&data - &prior_mean));
    let center = &data + precision.solve_vector(&pull);
    let covariance = precision.inverse();
    let root: DMatrix<f64> = Cholesky::decompose(covariance).unwrap().factor().clone();
    let (reach, step) = (24_usize, 0.35);
    let side = 2 * reach + 1;
    let constant = -0.5 * (n as f64 * std::f64::consts::TAU.ln() + gram.ln_determinant());
    let mut terms = Vec::with_capacity(side.pow(n as u32));
    for node in 0..side.pow(n as u32) {
        let z = DVector::from_fn(n, |i, _| step * ((node / side.pow(i as u32) % side) as f64 - reach as f64));
        let f = &center + &root * z;
        let deviation = &f - &prior_mean;
        let masses = counts
            .iter()
            .zip(f.iter())
            .map(|(count, f)| posterior_dist::Poisson::new(f.exp()).unwrap().ln_pdf(count));
        terms.push((masses.sum::<f64>() + constant - 0.5 * gram.quadratic_form(&deviation), f - &center));
    }
    let top = terms.iter().map(|(value, _)| *value).fold(f64::NEG_INFINITY, f64::max);
    let mass: f64 = terms.iter().map(|(value, _)| (value - top).exp()).sum();
    let average = |g: &dyn Fn(&DVector<f64>) -> f64| {
        terms.iter().map(|(value, f)| (value - top).exp() * g(f)).sum::<f64>() / mass
    };
    let means: Vec<f64> = (0..n).map(|i| average(&|f| f[i])).collect();
    let variances = (0..n).map(|i| average(&|f| (f[i] - means[i]).powi(2))).collect();
    let volume = n as f64 * f64::ln(step) + root.diagonal().map(f64::ln).sum();
    (top + mass.ln() + volume, means.iter().zip(center.iter()).map(|(mean, c)| mean + c).collect(), variances)
}

/// Half a million events and more: in a few sweeps, whether the prior is close, far, wide or strongly
/// correlated.
#[test]
fn counts_of_a_million_against_a_grid() {
    let cases: [&[u64]; 5] = [
        &[500_000],
        &[1_000_000],
        &[500_000, 503_000],
        &[1_000_000, 12_000_000],
        &[500_000, 700_000, 1_000_000],
    ];
    for counts in cases {
        for (variance, mean) in [(1.0, 0.0), (1.0, 13.1), (1e3, 0.0), (0.2, 12.0)] {
            let places = &[0.0, 0.8, 2.0][..counts.len()];
            let prior = rbf(variance, 1.0).with_mean(Mean::constant(mean).unwrap());
            let outputs: Vec<_> = counts.iter().map(|&count| count.into()).collect();
            let observations = ObservationModel::new(line(places), &outputs, PoissonLikelihood).unwrap();
            let options =
                PropagationOptions { tolerance: 1e-7, max_iterations: 8, ..PropagationOptions::default() };
            let fitted = expectation_propagation(&observations, &prior, &options, &mut Silent).unwrap();
            let context = format!("{counts:?}, variance {variance}, mean {mean}");
            assert!(fitted.report.converged() && fitted.model.converged(), "{context}: {:?}", fitted.report);
            let (ln_evidence, means, variances) = by_grid(counts, places, &prior);
            let found = &fitted.model;
            assert!(
                (found.ln_evidence() - ln_evidence).abs() < 1e-5,
                "{context}: {} is not {ln_evidence}",
                found.ln_evidence()
            );
            for i in 0..counts.len() {
                let off = (found.mean()[i] - means[i]) / variances[i].sqrt();
                assert!(off.abs() < 1e-4, "{context}: mean {i} is off by {off}");
                let ratio = found.variance()[i] / variances[i];
                assert!((ratio - 1.0).abs() < 1e-4, "{context}: variance {i} is off by {ratio}");
            }
        }
    }
}

/// The same at one place, where propagation is exact: mpmath 1.3, 30 digits, `quad` of the density in steps
/// of four standard deviations.
#[test]
fn one_count_of_a_million_against_a_table() {
    for (count, mean, variance, ln_evidence, posterior_mean, posterior_variance) in [
        (500000, 0.0, 1.0, -100.13932789486057, 13.122336132363088, 2.0000504906104813e-6),
        (1000000, 0.0, 1.0, -110.16851323747986, 13.815496242366106, 1.0000133156724638e-6),
        (1000000, 0.0, 1000.0, -18.283760890145436, 13.815510044148674, 1.0000005128156887e-6),
        (500000, 13.0, 0.01, -12.487294683415214, 13.122337909698222, 1.9996509952762102e-6),
    ] {
        let observations = ObservationModel::new(line(&[0.0]), &[count.into()], PoissonLikelihood).unwrap();
        let prior = rbf(variance, 1.0).with_mean(Mean::constant(mean).unwrap());
        let options = PropagationOptions { max_iterations: 4, ..PropagationOptions::default() };
        let fitted = expectation_propagation(&observations, &prior, &options, &mut Silent).unwrap();
        assert!(fitted.report.converged(), "{count} {mean} {variance}: {:?}", fitted.report);
        close(fitted.model.ln_evidence(), ln_evidence, 1e-9);
        close(fitted.model.mean()[0], posterior_mean, 1e-12);
        close(fitted.model.variance()[0] / posterior_variance, 1.0, 1e-10);
    }
}
