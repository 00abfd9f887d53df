//! Fits of the parameters of kernel and likelihood.

use posterior_gp::Kernel;
use posterior_gp::classification::{
    FitOptions, Observations, SoftmaxObservations, fit_expectation_propagation, fit_laplace, fit_softmax,
};
use posterior_gp::likelihood::{Gaussian, Logistic, StudentT};
use posterior_math::iteration::{Silent, Step};
use rand::RngExt;
use rand_distr::StandardNormal;
use rand_pcg::Pcg64;
use std::ops::ControlFlow;

use super::{converged, line};

/// Labels of a function with the length scale 0.5, drawn.
fn drawn(n: usize) -> Observations<Logistic> {
    let mut rng = Pcg64::new(11, 7);
    let places: Vec<f64> = (0..n).map(|_| rng.random_range(-3.0..3.0)).collect();
    let labels: Vec<f64> = places
        .iter()
        .map(|x| {
            let p = posterior_math::log_space::logistic(3.0 * (2.0 * x).sin());
            if rng.random::<f64>() < p { 1.0 } else { -1.0 }
        })
        .collect();
    Observations::new(line(&places), &labels, Logistic).unwrap()
}

#[test]
fn climbs_to_a_point_without_slope() {
    let observations = drawn(60);
    let start = 1.0 * Kernel::rbf(2.0).unwrap();
    let mut seen = Vec::new();
    let mut observer = |step: &Step| {
        seen.push(step.objective);
        ControlFlow::Continue(())
    };
    let fitted = fit_laplace(&observations, &start, &FitOptions::default(), &mut observer).unwrap();
    assert!(fitted.report.converged());
    assert_eq!(fitted.report.trace[1..], seen);
    assert!(seen.is_sorted());
    assert!(fitted.model.ln_evidence() > converged(&observations, &start).ln_evidence() + 3.0);
    assert!(fitted.model.gradient().kernel.iter().all(|slope| slope.abs() < 1e-4));
    let length = fitted.model.kernel().parameters()[1].value;
    assert!((0.3..1.2).contains(&length), "{length}");

    let by_ep = fit_expectation_propagation(&observations, &start, &FitOptions::default(), &mut Silent).unwrap();
    assert!(by_ep.report.converged());
    let other = by_ep.model.kernel().parameters()[1].value;
    assert!((other / length - 1.0).abs() < 0.2, "{other} and {length}");
}

#[test]
fn the_noise_is_fitted_too() {
    let mut rng = Pcg64::new(2, 3);
    let places: Vec<f64> = (0..40).map(|i| f64::from(i) / 10.0).collect();
    let mut noisy = |sd: f64| -> Vec<f64> {
        places.iter().map(|x| x.sin() + sd * rng.sample::<f64, _>(StandardNormal)).collect()
    };
    let mut outputs = noisy(0.1);
    let kernel = Kernel::rbf(1.0).unwrap();
    let clean = Observations::new(line(&places), &outputs, Gaussian::variance(1.0).unwrap()).unwrap();
    let fitted = fit_laplace(&clean, &kernel, &FitOptions::default(), &mut Silent).unwrap();
    assert!(fitted.report.converged());
    let variance = posterior_gp::likelihood::Likelihood::parameters(fitted.model.observations().likelihood())[0].value;
    assert!((0.005..0.02).contains(&variance), "{variance}");

    // Three outliers: Student's law keeps its scale.
    for i in [5, 17, 30] {
        outputs[i] += 5.0;
    }
    let dirty = Observations::new(line(&places), &outputs, StudentT::new(4.0, 0.3).unwrap()).unwrap();
    let fitted = fit_laplace(&dirty, &kernel, &FitOptions::default(), &mut Silent).unwrap();
    let latent = fitted.model.latent(&line(&places)).unwrap();
    let worst = places.iter().zip(latent.mean.iter()).map(|(x, f)| (x.sin() - f).abs()).fold(0.0, f64::max);
    assert!(worst < 0.25, "{worst}");
}

#[test]
fn classes_share_a_kernel_or_have_their_own() {
    let places: Vec<f64> = (0..30).map(|i| f64::from(i) / 5.0 - 3.0).collect();
    let labels: Vec<usize> = places.iter().map(|x| if x.abs() < 1.0 { 0 } else { 1 + usize::from(*x > 0.0) }).collect();
    let observations = SoftmaxObservations::new(line(&places), &labels, 3).unwrap();
    let kernel = 1.0 * Kernel::rbf(1.0).unwrap();
    let search = posterior_math::optimize::LbfgsOptions::default().with_max_iterations(8);
    let options = FitOptions::default().with_search(search);
    let shared = fit_softmax(&observations, std::slice::from_ref(&kernel), &options, &mut Silent).unwrap();
    let own = fit_softmax(&observations, &vec![kernel; 3], &options, &mut Silent).unwrap();
    assert!(shared.report.trace.is_sorted() && own.report.trace.is_sorted());
    assert!(own.model.ln_evidence() > shared.report.trace[0]);
}

#[test]
fn wrong_questions_are_errors() {
    let two = 1.0 * Kernel::rbf_ard(&[1.0, 1.0]).unwrap();
    assert!(fit_laplace(&drawn(5), &two, &FitOptions::default(), &mut Silent).is_err());
}
