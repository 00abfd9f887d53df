//! Fits of the parameters of kernel, mean function and likelihood.

use posterior_gp::classification::{
    LaplaceEvidence, ModeOptions, ObservationModel, PropagationEvidence, PropagationOptions, SoftmaxEvidence,
    SoftmaxObservations,
};
use posterior_gp::hyperparameters::{HyperparameterOptions, Learnable, fit};
use posterior_gp::likelihood::{GaussianLikelihood, Likelihood, LogisticLikelihood, StudentTLikelihood};
use posterior_gp::{Kernel, Mean};
use posterior_math::iteration::Silent;
use rand::RngExt;
use rand_distr::StandardNormal;
use rand_pcg::Pcg64;

use super::{converged, line, rbf};

/// Labels whose logit is 3 sin 2x.
fn drawn(n: usize) -> ObservationModel<LogisticLikelihood> {
    let mut rng = Pcg64::new(11, 7);
    let places: Vec<f64> = (0..n).map(|_| rng.random_range(-3.0..3.0)).collect();
    let labels: Vec<f64> = places
        .iter()
        .map(|x| {
            let p = posterior_math::log_space::logistic(3.0 * (2.0 * x).sin());
            if rng.random::<f64>() < p { 1.0 } else { -1.0 }
        })
        .collect();
    ObservationModel::new(line(&places), &labels, LogisticLikelihood).unwrap()
}

#[test]
fn climbs_to_a_point_without_slope() {
    let (observations, start) = (drawn(60), rbf(1.0, 2.0));
    let problem = LaplaceEvidence::new(start.clone(), observations.clone(), ModeOptions::default());
    let fitted = fit(&problem, &HyperparameterOptions::default(), &mut Silent).unwrap();
    assert!(fitted.report.search.converged());
    assert!(fitted.model.ln_evidence() > converged(&observations, &start).ln_evidence() + 3.0);
    assert!(
        fitted.model.gradient().kernel.iter().all(|slope| slope.abs() < 1e-2),
        "{:?}",
        fitted.model.gradient()
    );
    let length = fitted.model.prior().kernel().parameters()[1].value;
    assert!((0.3..1.2).contains(&length), "{length}");

    let problem = PropagationEvidence::new(start, observations, PropagationOptions::default());
    let by_ep = fit(&problem, &HyperparameterOptions::default(), &mut Silent).unwrap();
    assert!(by_ep.report.search.converged());
    let other = by_ep.model.prior().kernel().parameters()[1].value;
    assert!((other / length - 1.0).abs() < 0.2, "{other} and {length}");
}

#[test]
fn the_noise_is_fitted_too() {
    let mut rng = Pcg64::new(2, 3);
    let places: Vec<f64> = (0..40).map(|i| f64::from(i) / 10.0).collect();
    let mut outputs: Vec<f64> =
        places.iter().map(|x| x.sin() + 0.1 * rng.sample::<f64, _>(StandardNormal)).collect();
    let prior = rbf(1.0, 1.0).with_mean(Mean::constant(0.2).unwrap());
    let clean =
        ObservationModel::new(line(&places), &outputs, GaussianLikelihood::variance(1.0).unwrap()).unwrap();
    let problem = LaplaceEvidence::new(prior.clone(), clean, ModeOptions::default());
    let names: Vec<String> = problem.parameters().into_iter().map(|parameter| parameter.name).collect();
    assert_eq!(names, ["rbf.variance", "rbf.length_scale", "mean.constant", "gaussian.variance"]);
    let fitted = fit(&problem, &HyperparameterOptions::default(), &mut Silent).unwrap();
    assert!(fitted.report.search.converged());
    let variance = fitted.model.observations().likelihood().parameters()[0].value;
    assert!((0.005..0.02).contains(&variance), "{variance}");

    // Three outliers: Student's t distribution keeps its scale.
    for i in [5, 17, 30] {
        outputs[i] += 5.0;
    }
    let dirty =
        ObservationModel::new(line(&places), &outputs, StudentTLikelihood::new(4.0, 0.3).unwrap()).unwrap();
    let problem = LaplaceEvidence::new(prior, dirty, ModeOptions::default());
    let fitted = fit(&problem, &HyperparameterOptions::default(), &mut Silent).unwrap();
    let latent = fitted.model.latent(&line(&places)).unwrap();
    let worst = places.iter().zip(latent.mean.iter()).map(|(x, f)| (x.sin() - f).abs()).fold(0.0, f64::max);
    assert!(worst < 0.25, "{worst}");
}

#[test]
fn classes_share_a_kernel_or_have_their_own() {
    let places: Vec<f64> = (0..30).map(|i| f64::from(i) / 5.0 - 3.0).collect();
    let class = |x: &f64| if x.abs() < 1.0 { 0 } else { 1 + usize::from(*x > 0.0) };
    let labels: Vec<usize> = places.iter().map(class).collect();
    let observations = SoftmaxObservations::new(line(&places), &labels, 3).unwrap();
    let kernel = 1.0 * Kernel::rbf(1.0).unwrap();
    let search = posterior_math::optimize::LbfgsOptions {
        max_iterations: 8,
        ..posterior_math::optimize::LbfgsOptions::default()
    };
    let options = HyperparameterOptions { search, ..HyperparameterOptions::default() };
    let evidence = |kernels: Vec<Kernel>| {
        let problem = SoftmaxEvidence::new(kernels, observations.clone(), ModeOptions::default());
        let start: Vec<f64> =
            problem.parameters().iter().map(posterior_gp::kernel::KernelParameter::free).collect();
        let before = problem.model(&start).unwrap().1;
        (before, fit(&problem, &options, &mut Silent).unwrap().model.ln_evidence())
    };
    let (before, shared) = evidence(vec![kernel.clone()]);
    let (same, own) = evidence(vec![kernel; 3]);
    assert!((before - same).abs() < 1e-12);
    assert!(shared > before + 1.0 && own > before + 1.0, "{before}, {shared}, {own}");
}

#[test]
fn wrong_questions_are_errors() {
    let two = posterior_gp::GaussianProcess::new(1.0 * Kernel::rbf_ard(&[1.0, 1.0]).unwrap());
    let problem = LaplaceEvidence::new(two, drawn(5), ModeOptions::default());
    assert!(fit(&problem, &HyperparameterOptions::default(), &mut Silent).is_err());
    assert!(problem.model(&[0.0]).is_err());
}
