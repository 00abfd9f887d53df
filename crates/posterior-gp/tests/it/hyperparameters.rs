//! Fits of hyperparameters.

use std::ops::ControlFlow;

use posterior_dist::target::{GradTarget, Target};
use posterior_dist::{Gamma, HalfNormal, LogNormal};
use posterior_gp::hyperparameters::{
    AtLimit, HyperparameterOptions, HyperparameterTarget, Learnable, Prior, Regression, compare, curvature,
    fit, refine,
};
use posterior_gp::kernel::KernelParameter;
use posterior_gp::{Error, GaussianProcess, Kernel, Mean, Noise};
use posterior_math::iteration::{Silent, Step, Stop};
use posterior_math::linalg::DMatrix;
use posterior_sampling::hamiltonian::Nuts;
use posterior_sampling::{Run, Start};
use rand::RngExt;
use rand_distr::StandardNormal;
use rand_pcg::Pcg64;

/// Draws of a process with length 1 and amplitude 2 at 60 places, with noise of standard deviation 0.2.
fn draws() -> (DMatrix<f64>, Vec<f64>) {
    let x = DMatrix::from_fn(60, 1, |i, _| 0.2 * i as f64);
    let mut rng = Pcg64::new(3, 3);
    let f = GaussianProcess::new(4.0 * Kernel::rbf(1.0).unwrap()).sample(&x, &mut rng).unwrap();
    let y = f.iter().map(|f| f + 0.2 * rng.sample::<f64, _>(StandardNormal)).collect();
    (x, y)
}

fn problem() -> Regression {
    let (x, y) = draws();
    let prior = GaussianProcess::new(1.0 * Kernel::rbf(0.5).unwrap());
    Regression::new(prior, Noise::variance(0.5).unwrap(), &x, &y).unwrap()
}

fn value<'a>(report: impl IntoIterator<Item = &'a (String, f64)>, name: &str) -> f64 {
    report.into_iter().find(|(other, _)| other == name).unwrap().1
}

fn values(fitted: &[posterior_gp::hyperparameters::FittedParameter]) -> Vec<(String, f64)> {
    fitted.iter().map(|parameter| (parameter.name.clone(), parameter.value)).collect()
}

#[test]
fn a_fit_finds_the_parameters_that_made_the_data() {
    let mut seen = Vec::new();
    let mut observer = |step: &Step| {
        seen.push(step.objective);
        ControlFlow::Continue(())
    };
    let fitted = fit(&problem(), &HyperparameterOptions::default(), &mut observer).unwrap();
    let report = &fitted.report;
    assert!(report.search.converged());
    assert_eq!(seen, report.search.trace[1..]);
    assert!(seen.windows(2).all(|pair| pair[1] >= pair[0]));
    assert_eq!(report.at_limits().count(), 0);
    let found = values(&report.parameters);
    assert!((0.7..1.4).contains(&value(&found, "rbf.length_scale")));
    assert!((0.02..0.08).contains(&value(&found, "noise.variance")));
    assert_eq!(fitted.model.ln_evidence(), report.ln_evidence);
    assert!(fitted.model.gradient().iter().all(|slope| slope.abs() < 1e-3));
    // More probable than the truth, and not by much: half a unit for each parameter.
    let (x, y) = draws();
    let truth = GaussianProcess::new(4.0 * Kernel::rbf(1.0).unwrap());
    let truth = truth.condition(&x, &y, &Noise::known(0.04).unwrap()).unwrap().ln_evidence();
    assert!((0.0..8.0).contains(&(report.ln_evidence - truth)), "{} {truth}", report.ln_evidence);
}

#[test]
fn standard_errors_cover_the_truth() {
    let problem = problem();
    let fitted = fit(&problem, &HyperparameterOptions::default(), &mut Silent).unwrap();
    let free: Vec<f64> = fitted.report.parameters.iter().map(|parameter| parameter.free).collect();
    let curvature = curvature(&problem, &free).unwrap();
    assert!(curvature.flat_directions.is_empty());
    // Four standard errors about ln of what made the data.
    for (parameter, error) in fitted.report.parameters.iter().zip(&curvature.standard_errors) {
        let truth: f64 = match parameter.name.as_str() {
            "rbf.length_scale" => 1.0,
            "noise.variance" => 0.04,
            _ => 4.0,
        };
        let error = error.unwrap();
        assert!((0.02..1.0).contains(&error));
        assert!((parameter.free - truth.ln()).abs() < 4.0 * error, "{}", parameter.name);
    }
}

#[test]
fn a_noise_variance_alone_has_its_closed_form() {
    // White data: the best variance is the mean square, with standard error √(2/n) of its logarithm.
    let x = DMatrix::from_fn(50, 1, |i, _| i as f64);
    let y: Vec<f64> = (0..50).map(|i| (1.3 * f64::from(i) * f64::from(i)).sin()).collect();
    let prior = GaussianProcess::new((1e-9 * Kernel::rbf(1.0).unwrap()).fixed());
    let problem = Regression::new(prior, Noise::variance(10.0).unwrap(), &x, &y).unwrap();
    let fitted = fit(&problem, &HyperparameterOptions::default(), &mut Silent).unwrap();
    let square = y.iter().map(|y| y * y).sum::<f64>() / 50.0;
    assert!((fitted.model.noise().learned().unwrap() / square - 1.0).abs() < 1e-5);
    let curvature = curvature(&problem, &[square.ln()]).unwrap();
    assert!((curvature.standard_errors[0].unwrap() - 0.2).abs() < 1e-5);
}

#[test]
fn a_mean_is_learned_in_any_units() {
    // A line and noise: least squares, whatever the units.
    for unit in [1e-6, 1.0, 1e6] {
        let x = DMatrix::from_fn(30, 1, |i, _| 100.0 + i as f64);
        let y: Vec<f64> =
            (0..30).map(|i| unit * (5.0 - 0.3 * f64::from(i) + (2.0 * f64::from(i)).sin())).collect();
        let kernel = (1e-12 * unit * unit * Kernel::rbf(1.0).unwrap()).fixed();
        let prior = GaussianProcess::new(kernel).with_mean(Mean::linear(0.0, &[0.0]).unwrap());
        let problem = Regression::new(prior, Noise::variance(unit * unit).unwrap(), &x, &y).unwrap();
        let fitted = fit(&problem, &HyperparameterOptions::default(), &mut Silent).unwrap();
        let design = DMatrix::from_fn(30, 2, |i, j| if j == 0 { 1.0 } else { x[i] });
        let normal = (design.transpose() * &design).try_inverse().unwrap() * design.transpose();
        let squares = normal * posterior_math::linalg::DVector::from_vec(y);
        let found = values(&fitted.report.parameters);
        assert!((value(&found, "mean.slope[0]") / squares[1] - 1.0).abs() < 1e-3, "{unit}");
    }
}

#[test]
fn restarts_find_the_better_of_two_peaks() {
    // From a long length the noise explains everything: a local peak.
    let (x, y) = draws();
    let prior = GaussianProcess::new(1.0 * Kernel::rbf(1e4).unwrap());
    let problem = Regression::new(prior, Noise::variance(4.0).unwrap(), &x, &y).unwrap();
    let alone = fit(&problem, &HyperparameterOptions::default(), &mut Silent).unwrap();
    let options = HyperparameterOptions { restarts: 5, seed: 9, ..HyperparameterOptions::default() };
    let several = fit(&problem, &options, &mut Silent).unwrap();
    assert_eq!(several.report.starts.len(), 6);
    assert!(several.report.ln_evidence > alone.report.ln_evidence + 10.0);
    assert!(several.report.chosen > 0);
    let again = fit(&problem, &options, &mut Silent).unwrap();
    assert_eq!(several, again);
    let other = fit(&problem, &HyperparameterOptions { seed: 10, ..options }, &mut Silent).unwrap();
    assert_ne!(several.report.starts[1].start, other.report.starts[1].start);
}

#[test]
fn limits_hold_and_are_reported() {
    let options = HyperparameterOptions::default().with_limits("rbf.length_scale", 0.1, 0.4).with_limits(
        "noise.variance",
        1e-8,
        100.0,
    );
    let fitted = fit(&problem(), &options, &mut Silent).unwrap();
    let limited: Vec<_> = fitted.report.at_limits().collect();
    assert_eq!(limited.len(), 1);
    assert_eq!((limited[0].name.as_str(), limited[0].limit), ("rbf.length_scale", Some(AtLimit::Upper)));
    assert!(limited[0].value <= 0.4 && limited[0].value > 0.38);
    assert!(fitted.report.to_string().contains("at its upper limit"));
    for (lower, upper) in [(1.0, 0.5), (0.0, 1.0), (-1.0, 1.0), (f64::NAN, 1.0), (1.0, f64::INFINITY)] {
        let options = HyperparameterOptions::default().with_limits("rbf.length_scale", lower, upper);
        assert!(matches!(fit(&problem(), &options, &mut Silent), Err(Error::Parameter(_))));
    }
}

#[test]
fn priors_pull() {
    let plain = fit(&problem(), &HyperparameterOptions::default(), &mut Silent).unwrap().report;
    let narrow = Prior::distribution(LogNormal::new(0.3_f64.ln(), 0.01).unwrap());
    let options = HyperparameterOptions::default().with_prior("rbf.length_scale", narrow.clone());
    let fitted = fit(&problem(), &options, &mut Silent).unwrap();
    let length = value(&values(&fitted.report.parameters), "rbf.length_scale");
    assert!((length - 0.3).abs() < 0.03, "{length}");
    assert!(fitted.report.ln_evidence < plain.ln_evidence);
    assert_eq!(fitted.report.ln_prior, narrow.ln_density(length).0);
    let total = fitted.report.ln_evidence + fitted.report.ln_prior;
    assert!((fitted.report.search.trace.last().unwrap() - total).abs() < 1e-9 * total.abs());
    let unknown = HyperparameterOptions::default().with_prior("rbf.size", narrow);
    let message = fit(&problem(), &unknown, &mut Silent).unwrap_err().to_string();
    assert!(message.contains("rbf.size") && message.contains("rbf.length_scale"), "{message}");
}

#[test]
fn what_data_do_not_say_is_reported_as_flat() {
    // Far apart, inputs say nothing about the length.
    let x = DMatrix::from_fn(8, 1, |i, _| 100.0 * i as f64);
    let y = [0.3, -1.2, 0.7, 0.1, 1.5, -0.6, -0.4, 0.9];
    let prior = GaussianProcess::new(1.0 * Kernel::rbf(1.0).unwrap());
    let problem = Regression::new(prior, Noise::known(0.01).unwrap(), &x, &y).unwrap();
    let fitted = fit(&problem, &HyperparameterOptions::default(), &mut Silent).unwrap();
    let free: Vec<f64> = fitted.report.parameters.iter().map(|parameter| parameter.free).collect();
    let curvature = curvature(&problem, &free).unwrap();
    assert_eq!(curvature.flat_directions.len(), 1);
    let place = |name: &str| fitted.report.parameters.iter().position(|p| p.name.contains(name)).unwrap();
    assert_eq!(curvature.standard_errors[place("length_scale")], None);
    assert!(curvature.standard_errors[1 - place("length_scale")].is_some());
}

#[test]
fn kernels_are_compared_by_their_evidence() {
    let (x, y) = draws();
    let priors = [
        GaussianProcess::new(Kernel::linear() + Kernel::constant(1.0).unwrap()),
        GaussianProcess::new(1.0 * Kernel::rbf(0.5).unwrap()),
        GaussianProcess::new(1.0 * Kernel::matern12(0.5).unwrap()),
    ];
    let order =
        compare(&priors, &Noise::variance(0.5).unwrap(), &x, &y, &HyperparameterOptions::default()).unwrap();
    let places: Vec<usize> = order.iter().map(|comparison| comparison.place).collect();
    assert_eq!(places, [1, 2, 0]);
    assert_eq!(order[0].behind, 0.0);
    assert!(order[1].behind > 3.0 && order[2].behind > order[1].behind);
    assert!(order[0].bic < order[1].bic);
}

#[test]
fn an_observer_stops_a_fit() {
    let mut observer = |step: &Step| {
        if step.iteration >= 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let fitted = fit(
        &problem(),
        &HyperparameterOptions { restarts: 3, ..HyperparameterOptions::default() },
        &mut observer,
    )
    .unwrap();
    assert_eq!(fitted.report.search.stop, Stop::Observer);
    assert_eq!((fitted.report.search.iterations(), fitted.report.starts.len()), (2, 1));
}

#[test]
fn nothing_to_learn_is_no_error() {
    let (x, y) = draws();
    let prior = GaussianProcess::new(Kernel::rbf(1.0).unwrap().fixed());
    let problem = Regression::new(prior, Noise::known(0.1).unwrap(), &x, &y).unwrap();
    let fitted = fit(
        &problem,
        &HyperparameterOptions { restarts: 3, ..HyperparameterOptions::default() },
        &mut Silent,
    )
    .unwrap();
    assert!(fitted.report.parameters.is_empty() && fitted.report.search.converged());
    assert!(fitted.report.ln_evidence.is_finite());
}

fn with_priors() -> HyperparameterOptions {
    HyperparameterOptions::default()
        .with_prior("rbf.length_scale", Prior::distribution(Gamma::shape_rate(2.0, 1.0).unwrap()))
        .with_prior("rbf.variance", Prior::distribution(HalfNormal::new(5.0).unwrap()))
        .with_prior("noise.variance", Prior::distribution(HalfNormal::new(1.0).unwrap()))
}

#[test]
fn the_target_of_samplers_has_the_gradient_of_its_density() {
    let problem = problem();
    let names: Vec<String> = problem.parameters().into_iter().map(|parameter| parameter.name).collect();
    assert!(names.contains(&"rbf.variance".to_owned()), "{names:?}");
    let free: Vec<f64> = problem.parameters().iter().map(KernelParameter::free).collect();
    let target = HyperparameterTarget::new(problem, &with_priors()).unwrap();
    let mut gradient = vec![0.0; 3];
    let density = target.ln_density_grad(&free, &mut gradient).unwrap();
    assert_eq!(density, target.ln_density(&free).unwrap());
    for j in 0..3 {
        let at = |step: f64| {
            let mut moved = free.clone();
            moved[j] += step;
            target.ln_density(&moved).unwrap()
        };
        let difference = (at(1e-5) - at(-1e-5)) / 2e-5;
        assert!((gradient[j] - difference).abs() < 1e-7 * difference.abs().max(1.0), "{j}");
    }
    let short = HyperparameterTarget::new(target.problem().clone(), &HyperparameterOptions::default());
    assert!(matches!(short, Err(Error::NoPrior { .. })));
    assert!(target.ln_density(&[1e4, 0.0, 0.0]).is_err());
}

#[test]
fn sampled_parameters_have_the_moments_of_the_posterior() {
    // Two parameters, so that a grid tells.
    let (x, y) = draws();
    let (x, y) = (x.rows(0, 12).into_owned(), &y[..12]);
    let prior = GaussianProcess::new(4.0 * Kernel::rbf(1.0).unwrap().fixed());
    let problem = Regression::new(prior, Noise::variance(0.04).unwrap(), &x, y).unwrap();
    let options = HyperparameterOptions::default()
        .with_prior("rbf.variance", Prior::distribution(HalfNormal::new(5.0).unwrap()))
        .with_prior("noise.variance", Prior::distribution(HalfNormal::new(0.5).unwrap()));
    let target = HyperparameterTarget::new(problem, &options).unwrap();
    assert_eq!(target.names(), ["rbf.variance", "noise.variance"]);
    let (mut total, mut sums) = (0.0, [0.0; 4]);
    for i in 0..120 {
        for j in 0..120 {
            let free = [-4.0 + 0.07 * f64::from(i), -8.5 + 0.08 * f64::from(j)];
            let weight = target.ln_density(&free).unwrap().exp();
            total += weight;
            for (k, value) in free.iter().enumerate() {
                sums[k] += weight * value;
                sums[2 + k] += weight * value * value;
            }
        }
    }
    let run = Run { seed: 5, chains: 2, draws: 1000, ..Run::default() };
    let sampled = run.sample(&target, &Nuts::default(), &Start::default()).unwrap();
    for (k, parameter) in sampled.draws.summary().parameters.iter().enumerate() {
        let mean = sums[k] / total;
        let sd = (sums[2 + k] / total - mean * mean).sqrt();
        // Five standard errors: a false alarm in 10⁵ seeds.
        let error = *parameter.mcse.as_ref().unwrap();
        assert!((parameter.mean.as_ref().unwrap() - mean).abs() < 5.0 * error, "{} {mean}", parameter.name);
        assert!((parameter.sd.as_ref().unwrap() / sd - 1.0).abs() < 0.15);
    }
}

#[test]
fn newtons_steps_end_at_the_peak() {
    let problem = problem();
    let start: Vec<f64> = problem.parameters().iter().map(KernelParameter::free).collect();
    let few = HyperparameterOptions {
        search: posterior_math::optimize::LbfgsOptions {
            max_iterations: 3,
            ..posterior_math::optimize::LbfgsOptions::default()
        },
        ..HyperparameterOptions::default()
    };
    let rough: Vec<f64> =
        fit(&problem, &few, &mut Silent).unwrap().report.parameters.iter().map(|own| own.free).collect();
    let refined = refine(&problem, &rough).unwrap();
    let best = fit(&problem, &HyperparameterOptions::default(), &mut Silent).unwrap().report;
    assert!(refined.converged() && refined.steps > 0, "{refined:?}");
    assert!(
        (refined.ln_evidence - best.ln_evidence).abs() < 1e-4,
        "{} {}",
        refined.ln_evidence,
        best.ln_evidence
    );
    let mut gradient = vec![0.0; start.len()];
    problem.ln_evidence(&refined.free, &mut gradient).unwrap();
    assert!(gradient.iter().all(|slope| slope.abs() < 0.1), "{gradient:?}");
    // What remains is the height of the peak above, as far as the curvature tells.
    let near: Vec<f64> = refined.free.iter().map(|free| free + 0.01).collect();
    let below = problem.ln_evidence(&near, &mut gradient).unwrap();
    let hessian = curvature(&problem, &near).unwrap().hessian;
    let slope = posterior_math::linalg::DVector::from_vec(gradient);
    let gain = 0.5 * slope.dot(&(-hessian).lu().solve(&slope).unwrap());
    assert!((refined.ln_evidence - below - gain).abs() < 0.05 * gain, "{gain}");
}

#[test]
fn a_curvature_needs_a_place_of_all_parameters() {
    for count in [0, 2, 4] {
        let refused = curvature(&problem(), &vec![0.0; count]).unwrap_err();
        assert_eq!(refused.to_string(), format!("free parameters: expected 3, found {count}"));
    }
}
