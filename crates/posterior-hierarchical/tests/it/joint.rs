//! Several kinds of responses in one model, copies of effects, covariates with errors, free values.

use posterior_dist::stream::stream;
use posterior_dist::target::{GradTarget as _, Target as _};
use posterior_dist::{Normal, Weibull};
use posterior_hierarchical::{
    EmbeddedLaplace, ExactPosterior, FamilyResponse, FieldEffect, FreeValues, HierarchicalModel,
    HierarchicalOptions, HyperparameterPrior, NewRows, PlaceEffect as _, SurvivalResponse,
};
use posterior_math::linalg::{Cholesky, DMatrix, DVector};
use posterior_math::optimize::gradient_check;
use posterior_math::special::{LN_TAU, ln_gamma};
use posterior_sampling::hamiltonian::Nuts;
use posterior_sampling::{Run, Start};
use rand::Rng;
use rand::RngExt as _;
use rand_distr::{Distribution as _, StandardNormal};

fn normals<R: Rng>(count: usize, sd: f64, rng: &mut R) -> Vec<f64> {
    (0..count).map(|_| -> f64 { StandardNormal.sample(rng) }).map(|z: f64| sd * z).collect()
}

/// A marker of patients over time, their numbers of visits, and the times at which they fall ill.
fn patients() -> HierarchicalModel {
    let mut rng = stream(4, &[]);
    let patients = 12;
    let u = normals(patients, 1.0, &mut rng);
    let patient: Vec<usize> = (0..3 * patients).map(|row| row / 3).collect();
    let noise = normals(patient.len(), 0.5, &mut rng);
    let marker: Vec<f64> = patient.iter().zip(noise).map(|(&i, noise)| 1.0 + u[i] + noise).collect();
    let visits: Vec<f64> = u.iter().map(|u| (4.0 * (0.5 * u).exp() * rng.random::<f64>()).floor()).collect();
    let times: Vec<f64> =
        u.iter().map(|u| -(1.0 - rng.random::<f64>()).ln() * (2.0 - 0.7 * u).exp()).collect();
    let seen: Vec<bool> = (0..patients).map(|i| i % 4 != 0).collect();
    let times = SurvivalResponse::responses(&times, &seen).unwrap();
    let each: Vec<(usize, usize, f64)> = (0..patients).map(|i| (i, i, 1.0)).collect();
    let ones = vec![1.0; patients];
    HierarchicalModel::new(FamilyResponse::gaussian(1.0).unwrap(), &marker)
        .unwrap()
        .intercept()
        .unwrap()
        .effect(FieldEffect::groups("patient", patients).unwrap().at(&patient).unwrap())
        .unwrap()
        .and("visits", FamilyResponse::poisson(), &visits)
        .unwrap()
        .column_of("visits", "visits", &ones)
        .unwrap()
        .copy_of("visits", "patient", "of visits", &each)
        .unwrap()
        .and("illness", SurvivalResponse::weibull(), &times)
        .unwrap()
        .column_of("illness", "illness", &ones)
        .unwrap()
        .copy_of("illness", "patient", "of illness", &each)
        .unwrap()
        .effect_of("illness", FieldEffect::groups("ward", 3).unwrap().at(&[0, 1, 2].repeat(4)).unwrap())
        .unwrap()
}

#[test]
fn gradients_are_those_of_differences() {
    let model = patients();
    let embedded = EmbeddedLaplace::new(&model).unwrap();
    let names = ["sd", "shape(illness)", "sd(patient)", "sd(ward)", "of visits", "of illness"];
    assert_eq!(embedded.names(), names);
    for theta in [[-0.4, 0.1, 0.2, -0.5, 0.6, -0.8], [0.3, 0.4, -0.7, 0.1, -0.3, 1.2]] {
        let worst = gradient_check(
            |theta: &[f64], gradient: &mut [f64]| embedded.ln_density_grad(theta, gradient).unwrap(),
            &theta,
        );
        assert!(worst.error < 1e-7, "{worst:?}");
    }
    let exact = ExactPosterior::new(&model).unwrap();
    let point: Vec<f64> = (0..exact.dim()).map(|k| 0.5 * (0.9 * k as f64).sin()).collect();
    let worst = gradient_check(
        |point: &[f64], gradient: &mut [f64]| exact.ln_density_grad(point, gradient).unwrap(),
        &point,
    );
    assert!(worst.error < 1e-7, "{worst:?}");
}

/// Parts that share nothing are models of their own.
#[test]
fn parts_without_a_common_effect_are_independent() {
    let (y, counts) = ([0.3, 1.2, -0.4, 0.9, 2.2, 1.7], [2.0, 0.0, 5.0, 3.0]);
    let one = || {
        HierarchicalModel::new(FamilyResponse::gaussian(1.0).unwrap(), &y)
            .unwrap()
            .intercept()
            .unwrap()
            .effect(FieldEffect::groups("a", 3).unwrap().at(&[0, 0, 1, 1, 2, 2]).unwrap())
            .unwrap()
    };
    let walk = || FieldEffect::random_walk("b", 4).unwrap().at(&[0, 1, 2, 3]).unwrap();
    let other = HierarchicalModel::new(FamilyResponse::poisson(), &counts)
        .unwrap()
        .column("rate", &[1.0; 4])
        .unwrap()
        .offset(&[0.1, 0.0, 0.2, 0.0])
        .unwrap()
        .effect(walk())
        .unwrap();
    let joint = one()
        .and("counts", FamilyResponse::poisson(), &counts)
        .unwrap()
        .column_of("counts", "rate", &[1.0; 4])
        .unwrap()
        .offset_of("counts", &[0.1, 0.0, 0.2, 0.0])
        .unwrap()
        .effect_of("counts", walk())
        .unwrap();
    let one = one();
    let [one, other, joint] = [&one, &other, &joint].map(|model| EmbeddedLaplace::new(model).unwrap());
    for natural in [[0.7, 0.4, 0.3], [1.3, 0.8, 1.1]] {
        let sum = one.ln_likelihood(&natural[..2]).unwrap() + other.ln_likelihood(&natural[2..]).unwrap();
        let together = joint.ln_likelihood(&natural).unwrap();
        assert!((sum - together).abs() < 1e-10, "{sum} {together}");
    }
}

/// A normal response on a covariate with normal errors: pairs have a normal distribution.
#[test]
fn covariates_with_errors_have_the_density_of_pairs() {
    let mut rng = stream(9, &[]);
    let truth = normals(15, 1.5, &mut rng);
    let errors: Vec<f64> = (0..15).map(|row| 0.3 + 0.05 * f64::from(row)).collect();
    let noise = normals(30, 1.0, &mut rng);
    let seen: Vec<f64> = (0..15).map(|row| 4.0 + truth[row] + errors[row] * noise[row]).collect();
    let y: Vec<f64> = (0..15).map(|row| 0.7 * truth[row] + 0.4 * noise[15 + row]).collect();
    let model = HierarchicalModel::new(FamilyResponse::gaussian(1.0).unwrap(), &y)
        .unwrap()
        .column_with_sd("intercept", &[1.0; 15], 3.0)
        .unwrap()
        .measured_column("x", &seen, &errors, 2.0)
        .unwrap();
    let target = EmbeddedLaplace::new(&model).unwrap();
    assert_eq!(target.names(), ["sd", "sd(x)", "coefficient(x)"]);
    let density = |sd: f64, spread: f64, slope: f64| {
        // (y, seen) = (a + slope x, x) with errors; x = α + spread z, α flat: a wide normal distribution, of
        // which the constant is taken away.
        let wide: f64 = 3e3;
        let covariance = DMatrix::from_fn(30, 30, |i, j| {
            let factor = |k: usize| if k < 15 { slope } else { 1.0 };
            let own = if i % 15 == j % 15 { spread * spread } else { 0.0 };
            let intercept = if i < 15 && j < 15 { 9.0 } else { 0.0 };
            let error = if i == j { if i < 15 { sd * sd } else { errors[i - 15].powi(2) } } else { 0.0 };
            factor(i) * factor(j) * (own + wide * wide) + intercept + error
        });
        let z = DVector::from_iterator(30, y.iter().chain(&seen).copied());
        let factor = Cholesky::decompose(covariance).unwrap();
        let square = z.dot(&factor.solve_vector(&z));
        -0.5 * (30.0 * LN_TAU + factor.ln_determinant() + square) + wide.ln() + 0.5 * LN_TAU
    };
    for [sd, spread, slope] in [[0.5, 1.4, 0.6], [0.3, 0.8, -1.1]] {
        let expected = density(sd, spread, slope);
        let own = target.ln_likelihood(&[sd, spread, slope]).unwrap();
        assert!((own - expected).abs() < 1e-5, "{own} {expected}");
    }
}

/// Whether the interval of a slope on a covariate with errors, a quarter of it missing, holds the truth; and
/// whether that of a missing value does.
fn held<R: Rng>(rng: &mut R) -> [bool; 3] {
    let rows = 60;
    let exponential = |rng: &mut R| -(1.0 - rng.random::<f64>()).ln();
    let (intercept, slope) = (normals(1, 1.0, rng)[0], normals(1, 1.0, rng)[0]);
    let spread = 1.0 + 0.5 * exponential(rng);
    let truth: Vec<f64> = normals(rows, spread, rng).into_iter().map(|x| 2.0 + x).collect();
    let noise = normals(2 * rows, 1.0, rng);
    let seen: Vec<f64> =
        (0..rows).map(|row| if row % 4 == 3 { f64::NAN } else { truth[row] + 0.8 * noise[row] }).collect();
    let sd = 0.7 * exponential(rng);
    let y: Vec<f64> = (0..rows).map(|row| intercept + slope * truth[row] + sd * noise[rows + row]).collect();
    // With a prior that is flat in ln σ, errors of x may explain everything.
    let prior = HyperparameterPrior::deviation_above(0.7, (-1.0_f64).exp()).unwrap();
    let model = HierarchicalModel::new(FamilyResponse::gaussian(1.0).unwrap().with_prior(prior), &y)
        .unwrap()
        .column_with_sd("intercept", &vec![1.0; rows], 1.0)
        .unwrap()
        .measured_column("x", &seen, &vec![0.8; rows], 1.0)
        .unwrap();
    let fit = model.fit(&HierarchicalOptions::default()).unwrap();
    let inside = |[low, high]: [f64; 2], truth: f64| low <= truth && truth <= high;
    [
        inside(fit.hyperparameter("coefficient(x)").unwrap().interval(0.9), slope),
        inside(fit.fixed("intercept").unwrap().interval(0.9), intercept),
        inside(fit.effect("x").unwrap()[3].interval(0.9), truth[3]),
    ]
}

fn covered(simulations: u64) {
    let mut counts = [0; 3];
    for simulation in 0..simulations {
        let held = held(&mut stream(31, &[simulation]));
        counts.iter_mut().zip(held).for_each(|(count, held)| *count += usize::from(held));
    }
    let error = (0.09 / simulations as f64).sqrt();
    for (what, count) in ["slope", "intercept", "missing value"].into_iter().zip(counts) {
        let share = count as f64 / simulations as f64;
        assert!((share - 0.9).abs() < 4.0 * error, "{what}: {share}");
    }
}

#[test]
fn intervals_on_covariates_with_errors_hold_what_they_promise() {
    covered(60);
}

#[test]
#[ignore = "slow"]
fn intervals_on_covariates_with_errors_hold_what_they_promise_in_many_simulations() {
    covered(1000);
}

/// A joint model against a chain on its exact posterior.
#[test]
fn joint_models_agree_with_chains() {
    let model = patients()
        .with_prior("of illness", HyperparameterPrior::density(Normal::mean_sd(0.0, 1.0).unwrap()))
        .unwrap();
    let fit = model.fit(&HierarchicalOptions::default()).unwrap();
    let target = ExactPosterior::new(&model).unwrap();
    let run = Run { seed: 5, draws: 2_000, ..Run::default() };
    let draws = run.sample(&target, &Nuts::default(), &Start::default()).unwrap().draws;
    let draws =
        draws.map(target.names(), |point, out| out.copy_from_slice(&target.values(point).unwrap())).unwrap();
    for row in draws.summary().parameters {
        let (mean, sd) = if let Ok(own) = fit.fixed(&row.name) {
            (own.mean(), own.sd())
        } else if let Ok(own) = fit.hyperparameter(&row.name) {
            (own.mean(), own.sd())
        } else {
            continue;
        };
        let error = 4.0 * row.mcse.unwrap() + 0.1 * sd;
        let off = mean - row.mean.unwrap();
        assert!(off.abs() < error, "{}: {mean} ± {sd}, off by {off}", row.name);
    }
}

/// New rows that see a copy are as rows of the data that are missing.
#[test]
fn new_rows_see_copies() {
    let fit_of = |visits: &[f64], places: &[(usize, usize, f64)]| {
        HierarchicalModel::new(FamilyResponse::gaussian(1.0).unwrap(), &[0.3, 1.2, -0.4, 0.9, 2.2, 1.7])
            .unwrap()
            .intercept()
            .unwrap()
            .effect(FieldEffect::groups("a", 3).unwrap().at(&[0, 0, 1, 1, 2, 2]).unwrap())
            .unwrap()
            .and("visits", FamilyResponse::poisson(), visits)
            .unwrap()
            .column_of("visits", "rate", &vec![1.0; visits.len()])
            .unwrap()
            .copy_of("visits", "a", "beta", places)
            .unwrap()
    };
    let places = [(0, 0, 1.0), (1, 1, 1.0), (2, 2, 1.0), (3, 1, 2.0)];
    let with_missing = fit_of(&[2.0, 1.0, 4.0, f64::NAN], &places);
    let model = fit_of(&[2.0, 1.0, 4.0], &places[..3]);
    let options = HierarchicalOptions::default();
    let [with_missing, fit] = [&with_missing, &model].map(|model| model.fit(&options).unwrap());
    let new = NewRows::new(1).column("rate", &[1.0]).copied("beta", &[(0, 1, 2.0)]);
    let (own, expected) = (&fit.predict(&new).unwrap()[0], &with_missing.predictors()[9]);
    assert!((own.mean() - expected.mean()).abs() < 1e-6, "{} {}", own.mean(), expected.mean());
    assert!((own.sd() / expected.sd() - 1.0).abs() < 1e-6);
    let mean = fit.response_mean_of("visits", own).unwrap();
    assert!((mean / own.expectation(f64::exp) - 1.0).abs() < 1e-9);
    assert!(fit.predict(&NewRows::new(1).copied("gamma", &[])).unwrap_err().to_string().contains("beta"));
}

/// Multinomial counts by Poisson's trick: coefficients are those of the multinomial likelihood.
#[test]
fn free_values_make_poisson_counts_multinomial() {
    // Two categories, so that it is a logistic regression: rows of (failures, successes).
    let counts = [[7.0, 2.0], [5.0, 5.0], [3.0, 9.0], [1.0, 6.0]];
    let x = [-1.0, 0.0, 1.0, 2.0];
    let y: Vec<f64> = counts.concat();
    let is = |values: [f64; 4]| values.into_iter().flat_map(|value| [0.0, value]).collect::<Vec<_>>();
    let poisson = HierarchicalModel::new(FamilyResponse::poisson(), &y)
        .unwrap()
        .column("success", &is([1.0; 4]))
        .unwrap()
        .column("x", &is(x))
        .unwrap()
        .effect(FreeValues::new("row", 4).unwrap().at(&[0, 0, 1, 1, 2, 2, 3, 3]).unwrap())
        .unwrap();
    let trials: Vec<f64> = counts.iter().map(|[a, b]| a + b).collect();
    let shares: Vec<f64> = counts.iter().map(|[a, b]| b / (a + b)).collect();
    let binomial = HierarchicalModel::new(FamilyResponse::binomial(), &shares)
        .unwrap()
        .weights(&trials)
        .unwrap()
        .intercept()
        .unwrap()
        .column("x", &x)
        .unwrap();
    let [one, other] = [&poisson, &binomial].map(|model| EmbeddedLaplace::new(model).unwrap());
    // Given their sum N, which is Poisson of a mean that is flat on the log scale, ∏ p is multinomial: the
    // integral over the mean is Γ(N) / N!; the Laplace integrals of both have the same errors of their own.
    let sums: f64 = trials.iter().map(|n| ln_gamma(*n) - ln_gamma(n + 1.0)).sum();
    let stirling: f64 = trials.iter().map(|n| (n - 0.5) * n.ln() - n + 0.5 * LN_TAU - ln_gamma(*n)).sum();
    let (own, expected) = (one.ln_likelihood(&[]).unwrap(), other.ln_likelihood(&[]).unwrap());
    assert!((own - (expected + sums + stirling)).abs() < 1e-9, "{own} {}", expected + sums + stirling);
    let options = HierarchicalOptions::default();
    let [one, other] = [&poisson, &binomial].map(|model| model.fit(&options).unwrap());
    let (own, expected) = (one.fixed("x").unwrap(), other.fixed("x").unwrap());
    assert!((own.sd() / expected.sd() - 1.0).abs() < 1e-9, "{} {}", own.sd(), expected.sd());
    assert!((own.mean() - expected.mean()).abs() < 0.1 * own.sd(), "{} {}", own.mean(), expected.mean());
}

#[test]
fn what_does_not_fit_is_refused() {
    let model = || {
        HierarchicalModel::new(FamilyResponse::poisson(), &[1.0, 2.0, 0.0])
            .unwrap()
            .effect(FieldEffect::groups("a", 3).unwrap().at(&[0, 1, 2]).unwrap())
            .unwrap()
    };
    let text =
        |result: Result<HierarchicalModel, posterior_hierarchical::Error>| result.unwrap_err().to_string();
    assert!(text(model().and("response", FamilyResponse::poisson(), &[1.0])).contains("named \"response\""));
    assert!(text(model().and("b", FamilyResponse::poisson(), &[-1.0])).contains("row 0"));
    assert!(text(model().column_of("b", "x", &[1.0])).contains("no part \"b\": it has response"));
    assert!(text(model().copy_of("response", "c", "f", &[])).contains("no effect \"c\": it has a"));
    assert!(model().copy_of("response", "a", "f", &[(0, 3, 1.0)]).is_err());
    assert!(
        text(model().with_prior("f", HyperparameterPrior::flat()))
            .contains("no hyperparameter \"f\": it has sd(a)")
    );
    assert!(text(model().measured_column("x", &[1.0, 2.0, 3.0], &[0.1, 0.0, 0.1], 1.0)).contains("errors"));
    assert!(model().measured_column("x", &[1.0, 1.0, 1.0], &[0.1; 3], 1.0).is_err());
    let twice = model().copy_of("response", "a", "f", &[(1, 1, 1.0)]).unwrap();
    let error = twice.fit(&HierarchicalOptions::default()).unwrap_err().to_string();
    assert!(error.contains("row 1 sees the same latent value twice"), "{error}");
    // A part and an effect whose hyperparameters have the same name.
    let noise = FamilyResponse::gaussian(1.0).unwrap();
    let same = model().and("a", noise, &[1.0, 2.0]).unwrap();
    let error = same.fit(&HierarchicalOptions::default()).unwrap_err().to_string();
    assert!(error.contains("named \"sd(a)\""), "{error}");
}

/// A level that is measured roughly, and times that depend on it: terms of second order raise ln p(y | θ)
/// along the ridge of association and shape by more than it falls. With them the density has no end.
#[test]
fn terms_that_are_no_correction_are_left_out() {
    let mut rng = stream(1, &[]);
    let patients = 200;
    let (spread, error) = (Normal::mean_sd(0.0, 1.0).unwrap(), Normal::mean_sd(0.0, 1.5).unwrap());
    let (mut marker, mut patient) = (vec![], vec![]);
    let (mut times, mut seen) = (vec![], vec![]);
    for i in 0..patients {
        let level = spread.sample(&mut rng);
        marker.extend(error.sample_iter(&mut rng).take(4).map(|error| level + error));
        patient.extend([i; 4]);
        let time = Weibull::new(1.5, (2.0 - 0.8 * level).exp()).unwrap().sample(&mut rng);
        times.push(time.min(12.0));
        seen.push(time < 12.0);
    }
    let each: Vec<(usize, usize, f64)> = (0..patients).map(|i| (i, i, 1.0)).collect();
    let model = HierarchicalModel::new(FamilyResponse::gaussian(1.0).unwrap(), &marker)
        .unwrap()
        .intercept()
        .unwrap()
        .effect(FieldEffect::groups("level", patients).unwrap().at(&patient).unwrap())
        .unwrap()
        .and("illness", SurvivalResponse::weibull(), &SurvivalResponse::responses(&times, &seen).unwrap())
        .unwrap()
        .column_of("illness", "ln time", &vec![1.0; patients])
        .unwrap()
        .copy_of("illness", "level", "association", &each)
        .unwrap();
    let fit = model.fit(&HierarchicalOptions::default()).unwrap();
    assert!(!fit.has_second_order());
    let association = fit.hyperparameter("association").unwrap();
    let [low, high] = association.interval(0.99);
    assert!(low < -0.8 && -0.8 < high, "{low} {high}");
}
