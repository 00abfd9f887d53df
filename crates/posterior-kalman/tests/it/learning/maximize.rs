//! Maximum likelihood against published fits and closed forms; the posterior of parameters against its closed
//! form.

use posterior_datasets::series::NILE;
use posterior_dist::InverseGamma;
use posterior_dist::target::GradTarget;
use posterior_kalman::learning::{
    FittedParameters, MarginalTarget, MaximizeOptions, ModelFamily, Parameter, ParameterScale,
    ParametricModel, Status, fit,
};
use posterior_kalman::{Error, Initial, ObservationEquation, Series, StateSpace, TransitionEquation};
use posterior_math::iteration::{Fitted, Silent};
use posterior_math::linalg::DMatrix;
use posterior_math::optimize::gradient_check;
use posterior_sampling::hamiltonian::Nuts;
use posterior_sampling::{Run, Start};

fn scalar(value: f64) -> DMatrix<f64> {
    DMatrix::from_element(1, 1, value)
}

fn positive(name: &'static str, start: f64) -> Parameter {
    Parameter::new(name, ParameterScale::Positive, start).unwrap()
}

/// A level with a diffuse start.
fn local_level(start: f64) -> ModelFamily<impl Fn(&[f64]) -> Result<StateSpace, Error>> {
    ModelFamily::new(vec![positive("level", start), positive("noise", start)], |variances| {
        StateSpace::new(
            TransitionEquation::constant(&scalar(1.0), &scalar(variances[0]))?,
            ObservationEquation::constant(&scalar(1.0), &scalar(variances[1]))?,
            Initial::diffuse(1)?,
        )
    })
}

/// Independent numbers N(0, v).
fn white(start: f64) -> ModelFamily<impl Fn(&[f64]) -> Result<StateSpace, Error>> {
    ModelFamily::new(vec![positive("v", start)], |variances| {
        StateSpace::new(
            TransitionEquation::constant(&scalar(0.0), &scalar(0.0))?,
            ObservationEquation::constant(&scalar(1.0), &scalar(variances[0]))?,
            Initial::known(&[0.0], &scalar(0.0))?,
        )
    })
}

const NUMBERS: [f64; 8] = [0.3, -1.2, 0.7, 1.9, -0.4, 0.1, -2.2, 0.8];

fn by_default<M: ParametricModel>(likelihood: &MarginalTarget<'_, M>) -> Fitted<FittedParameters> {
    fit(likelihood, &MaximizeOptions::default(), &mut Silent).unwrap()
}

#[test]
fn the_nile_has_the_variances_of_durbin_and_koopman() {
    let (model, series) = (local_level(1000.0), [Series::univariate(NILE.values).unwrap()]);
    let fitted = by_default(&MarginalTarget::new(&model, &series).unwrap());
    assert!(fitted.report.converged());
    let value = |name| fitted.model.parameter(name).unwrap().value;
    // Sections 2.10 and 7.4: 15099 and 1469.1. ln L is -632.5456 where the diffuse observation is left out
    // with its ½ ln 2π.
    assert!((value("noise") - 15099.0).abs() < 1.0, "{}", value("noise"));
    assert!((value("level") - 1469.1).abs() < 0.2, "{}", value("level"));
    let ln_likelihood = -632.5456 - 0.5 * std::f64::consts::TAU.ln();
    assert!((fitted.model.ln_likelihood - ln_likelihood).abs() < 1e-4, "{}", fitted.model.ln_likelihood);
    assert_eq!(fitted.model.degrees_of_freedom(), 3);
    assert!((fitted.model.aic() - 2.0 * (3.0 - ln_likelihood)).abs() < 1e-3);
    assert!((fitted.model.bic() - (3.0 * 100_f64.ln() - 2.0 * ln_likelihood)).abs() < 1e-3);
}

#[test]
fn a_variance_has_its_closed_form_and_standard_error() {
    let (model, series) = (white(5.0), [Series::univariate(&NUMBERS).unwrap()]);
    let fitted = by_default(&MarginalTarget::new(&model, &series).unwrap());
    let squares: f64 = NUMBERS.iter().map(|y| y * y).sum();
    let expected = squares / 8.0;
    let v = fitted.model.parameter("v").unwrap();
    assert!((v.value - expected).abs() < 1e-7 * expected);
    // The information about ln v is n / 2.
    assert!((fitted.model.covariance.as_ref().unwrap()[(0, 0)] - 0.25).abs() < 1e-7);
    assert!((v.standard_error.unwrap() - 0.5 * expected).abs() < 1e-7);
    assert_eq!(v.status, Status::Inside);
    let trace = &fitted.report.trace;
    assert!(trace.windows(2).all(|pair| pair[1] >= pair[0]), "{trace:?}");
    assert_eq!(*trace.last().unwrap(), fitted.model.ln_likelihood);
}

#[test]
fn a_prior_moves_the_mode_to_that_of_the_conjugate_posterior() {
    let (model, series) = (white(1.0), [Series::univariate(&NUMBERS).unwrap()]);
    let (a, b) = (3.0, 4.0);
    let likelihood = MarginalTarget::new(&model, &series).unwrap();
    let likelihood = likelihood.with_prior("v", InverseGamma::new(a, b).unwrap()).unwrap();
    let fitted = by_default(&likelihood);
    let squares: f64 = NUMBERS.iter().map(|y| y * y).sum();
    let mode = (b + 0.5 * squares) / (a + 4.0 + 1.0);
    assert!((fitted.model.parameter("v").unwrap().value - mode).abs() < 1e-7 * mode);
    assert!(fitted.model.ln_prior < 0.0);
}

#[test]
fn draws_of_a_variance_have_the_mean_of_the_conjugate_posterior() {
    let (model, series) = (white(1.0), [Series::univariate(&NUMBERS).unwrap()]);
    let (a, b) = (3.0, 4.0);
    let likelihood = MarginalTarget::new(&model, &series).unwrap();
    let likelihood = likelihood.with_prior("v", InverseGamma::new(a, b).unwrap()).unwrap();
    let sampled =
        (Run { seed: 5, ..Run::default() }).sample(&likelihood, &Nuts::default(), &Start::default()).unwrap();
    let draws = sampled.draws.map(["v"], |x, v| v[0] = x[0].exp()).unwrap();
    let summary = draws.summary();
    let v = &summary.parameters[0];
    let squares: f64 = NUMBERS.iter().map(|y| y * y).sum();
    let mean = (b + 0.5 * squares) / (a + 4.0 - 1.0);
    let (found, error) = (*v.mean.as_ref().unwrap(), *v.mcse.as_ref().unwrap());
    // Four standard errors: a false alarm in 16,000 seeds.
    assert!((found - mean).abs() < 4.0 * error, "{found} {mean} {error}");
    assert!(error < 0.05 * mean);
}

#[test]
fn the_target_has_the_gradient_of_its_value() {
    let parameters = vec![
        positive("level", 0.5),
        Parameter::new("persistence", ParameterScale::within(-1.0, 1.0).unwrap(), 0.3).unwrap(),
        positive("noise", 2.0),
        Parameter::new("mean", ParameterScale::Real, 0.2).unwrap(),
    ];
    let model = ModelFamily::new(parameters, |x| {
        StateSpace::new(
            TransitionEquation::constant(&scalar(x[1]), &scalar(x[0]))?
                .with_offset(posterior_kalman::Matrices::constant(&scalar(x[3] * (1.0 - x[1]))))?,
            ObservationEquation::constant(&scalar(1.0), &scalar(x[2]))?,
            Initial::known(&[x[3]], &scalar(x[0] / (1.0 - x[1] * x[1])))?,
        )
    });
    let series = [Series::univariate(&NUMBERS).unwrap(), Series::univariate(&NUMBERS[3..]).unwrap()];
    let likelihood = MarginalTarget::new(&model, &series).unwrap();
    let likelihood = likelihood.with_prior("noise", InverseGamma::new(2.0, 1.0).unwrap()).unwrap();
    let likelihood = likelihood.with_fixed("level", 0.7).unwrap();
    let value = |x: &[f64], slope: &mut [f64]| likelihood.ln_density_grad(x, slope).unwrap();
    let check = gradient_check(value, &[0.4, -0.3, 0.6]);
    assert!(check.error < 1e-9, "{check:?}");
}

#[test]
fn a_variance_that_the_data_deny_is_at_the_boundary() {
    // Alternating numbers: a level that moved would make neighbours alike.
    let values: Vec<f64> = (0..40).map(|t| if t % 2 == 0 { 1.0 } else { -1.0 }).collect();
    let (model, series) = (local_level(1.0), [Series::univariate(&values).unwrap()]);
    let fitted = by_default(&MarginalTarget::new(&model, &series).unwrap());
    let level = fitted.model.parameter("level").unwrap();
    assert_eq!((level.status, level.standard_error), (Status::AtBoundary, None));
    let noise = fitted.model.parameter("noise").unwrap();
    assert_eq!(noise.status, Status::Inside);
    // What is left are 40 numbers of an unknown mean, which takes one.
    assert!((noise.value - 40.0 / 39.0).abs() < 1e-6, "{}", noise.value);
    let error = noise.standard_error.unwrap();
    assert!((error - noise.value * (2.0 / 39_f64).sqrt()).abs() < 1e-5, "{error}");
}

#[test]
fn several_starts_find_the_higher_of_two_maxima() {
    // v = (x² - 1)² + 0.1 x + 1: the likelihood of white noise falls with v from its square mean on, so x has
    // two maxima.
    let parameters = vec![Parameter::new("x", ParameterScale::Real, 1.0).unwrap()];
    let model = ModelFamily::new(parameters, |x| {
        let v = (x[0] * x[0] - 1.0).powi(2) + 0.1 * x[0] + 1.0;
        StateSpace::new(
            TransitionEquation::constant(&scalar(0.0), &scalar(0.0))?,
            ObservationEquation::constant(&scalar(1.0), &scalar(v))?,
            Initial::known(&[0.0], &scalar(0.0))?,
        )
    });
    let series = [Series::univariate(&[0.1; 10]).unwrap()];
    let likelihood = MarginalTarget::new(&model, &series).unwrap();
    let one = by_default(&likelihood);
    let options = MaximizeOptions { starts: 10, ..MaximizeOptions::default() };
    let many = fit(&likelihood, &options, &mut Silent).unwrap();
    assert!(one.model.free[0] > 0.9 && many.model.free[0] < -0.9);
    assert!(many.model.ln_likelihood > one.model.ln_likelihood);
    assert_eq!(fit(&likelihood, &options, &mut Silent).unwrap(), many);
}

#[test]
fn misuse_is_refused_by_name() {
    let (model, series) = (white(1.0), [Series::univariate(&NUMBERS).unwrap()]);
    let likelihood = || MarginalTarget::new(&model, &series).unwrap();
    let error = likelihood().with_fixed("w", 1.0).unwrap_err();
    assert_eq!(error.to_string(), "there is no parameter w: there are v");
    assert!(likelihood().with_fixed("v", -1.0).is_err());
    assert!(likelihood().with_fixed("v", f64::NAN).is_err());
    let twice = ModelFamily::new(vec![positive("v", 1.0), positive("v", 1.0)], |_| white(1.0).at(&[0.0]));
    assert!(MarginalTarget::new(&twice, &series).is_err());
    let wide = [Series::new(&DMatrix::zeros(3, 2)).unwrap()];
    assert!(MarginalTarget::new(&model, &wide).is_err());
}

#[test]
fn a_fixed_parameter_stays() {
    let (model, series) = (local_level(1.0), [Series::univariate(&NUMBERS).unwrap()]);
    let likelihood = MarginalTarget::new(&model, &series).unwrap().with_fixed("level", 0.5).unwrap();
    let fitted = by_default(&likelihood);
    let level = fitted.model.parameter("level").unwrap();
    assert_eq!((level.value, level.status, level.standard_error), (0.5, Status::Fixed, None));
    assert_eq!(fitted.model.free.len(), 1);
}
