//! Responses: derivatives, sums and integrals, means, modes, refusals.

use posterior_dist::target::{GradTarget as _, Target as _};
use posterior_dist::{Binomial, Univariate as _};
use posterior_hierarchical::{
    BetaResponse, EmbeddedLaplace, Error, FamilyResponse, FieldEffect, HierarchicalModel,
    HierarchicalOptions, LogNormalResponse, OrdinalResponse, PlaceEffect as _, Response, StudentResponse,
    SurvivalResponse, ZeroInflatedResponse,
};
use posterior_math::optimize::gradient_check;

/// A response with hyperparameters and values of y to try.
struct Case {
    name: &'static str,
    response: Box<dyn Response>,
    parameters: Vec<f64>,
    y: Vec<f64>,
}

fn cases() -> Vec<Case> {
    let case = |name, response: Box<dyn Response>, parameters: &[f64], y: &[f64]| Case {
        name,
        response,
        parameters: parameters.to_vec(),
        y: y.to_vec(),
    };
    let times = [0.3, 2.0, -0.7, -5.0];
    vec![
        case("student", Box::new(StudentResponse::new(1.0).unwrap()), &[0.7, 3.5], &[-4.0, 0.1, 2.0]),
        case("student", Box::new(StudentResponse::new(1.0).unwrap()), &[1.3, 40.0], &[-4.0, 0.1, 2.0]),
        case("zero-inflated", Box::new(ZeroInflatedResponse::poisson()), &[0.3], &[0.0, 1.0, 7.0]),
        case("zero-inflated", Box::new(ZeroInflatedResponse::poisson()), &[0.9], &[0.0, 2.0]),
        case("weibull", Box::new(SurvivalResponse::weibull()), &[1.7], &times),
        case("weibull", Box::new(SurvivalResponse::weibull()), &[0.6], &times),
        case("exponential", Box::new(SurvivalResponse::exponential()), &[], &times),
        case("beta", Box::new(BetaResponse::new()), &[4.0], &[0.02, 0.5, 0.93]),
        case("beta", Box::new(BetaResponse::new()), &[0.8], &[0.02, 0.5, 0.93]),
        case("log-normal", Box::new(LogNormalResponse::new(1.0).unwrap()), &[0.6], &[0.2, 1.0, 9.0]),
        case("ordinal", Box::new(OrdinalResponse::new(4).unwrap()), &[-0.8, 0.5, 1.9], &[0.0, 1.0, 2.0, 3.0]),
        case("ordinal", Box::new(OrdinalResponse::new(2).unwrap()), &[0.4], &[0.0, 1.0]),
    ]
}

const PREDICTORS: [f64; 4] = [-1.9, -0.3, 0.4, 2.2];
const STEP: f64 = 5e-4;

/// The derivative at 0, to fourth order.
fn slope(f: impl Fn(f64) -> f64) -> f64 {
    (8.0 * (f(STEP) - f(-STEP)) - (f(2.0 * STEP) - f(-2.0 * STEP))) / (12.0 * STEP)
}

#[track_caller]
fn assert_close(found: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((found - expected).abs() < tolerance * expected.abs().max(1.0), "{what}: {found} {expected}");
}

#[test]
fn derivatives_are_those_of_differences() {
    for Case { name, response, parameters, y } in cases() {
        for y in y {
            for (predictor, weight) in PREDICTORS.into_iter().zip([1.0, 2.0, 0.5, 1.0]) {
                let what = format!("{name} {parameters:?}, {y} at {predictor}");
                let at = |off: f64| response.term(y, weight, predictor + off, &parameters);
                let term = at(0.0);
                assert_close(term.slope, slope(|off| at(off).ln_likelihood), 1e-9, &what);
                assert_close(-term.curvature, slope(|off| at(off).slope), 1e-9, &what);
                assert_close(-term.third, slope(|off| at(off).curvature), 1e-9, &what);
                for j in 0..parameters.len() {
                    let what = format!("{what} by {j}");
                    let at = |off: f64| {
                        let mut moved = parameters.clone();
                        moved[j] += off;
                        response.term(y, weight, predictor, &moved)
                    };
                    let slopes = response.term_slopes(y, weight, predictor, &parameters, j);
                    assert_close(slopes.ln_likelihood, slope(|off| at(off).ln_likelihood), 1e-8, &what);
                    assert_close(slopes.slope, slope(|off| at(off).slope), 1e-8, &what);
                    assert_close(slopes.curvature, slope(|off| at(off).curvature), 1e-8, &what);
                }
            }
        }
    }
}

/// ∫ f(y) p(y) dy, y by a number of the line on which p decays fast.
fn integral(case: &Case, predictor: f64, f: &dyn Fn(f64) -> f64) -> f64 {
    let step = 0.01;
    let part =
        |predictor: f64, ends: [i32; 2], path: &dyn Fn(f64) -> (f64, f64), f: &dyn Fn(f64) -> f64| -> f64 {
            // The middle of cells.
            let each = (ends[0]..ends[1]).map(|k| {
                let (y, slope) = path(step * (f64::from(k) + 0.5));
                let density = case.response.term(y, 1.0, predictor, &case.parameters).ln_likelihood.exp();
                if density > 0.0 { step * slope * density * f(y) } else { 0.0 }
            });
            each.sum()
        };
    match case.name {
        "student" => part(predictor, [-4000, 4000], &|u| (predictor + u.sinh(), u.cosh()), f),
        "beta" => {
            // p(y | η) = p(1 - y | -η), and 1 - y has more digits near 0.
            let path = |u: f64| ((1.0 + (-u).exp()).recip(), 1.0 / ((1.0 + (-u).exp()) * (1.0 + u.exp())));
            let ends = [-69_000, 0];
            part(predictor, ends, &path, f) + part(-predictor, ends, &path, &|y| f(1.0 - y))
        }
        _ => part(predictor, [-6000, 6000], &|u| (u.exp(), u.exp()), f),
    }
}

/// Densities integrate to the distribution function and to 1, and the mean is the mean.
#[test]
fn densities_integrate_to_the_distribution_function() {
    let continuous = ["student", "beta", "weibull", "exponential", "log-normal"];
    for case in cases().into_iter().filter(|case| continuous.contains(&case.name)) {
        let Case { name, response, parameters, y } = &case;
        for predictor in PREDICTORS {
            let what = format!("{name} {parameters:?} at {predictor}");
            let over = |f: &dyn Fn(f64) -> f64| integral(&case, predictor, f);
            assert_close(over(&|_| 1.0), 1.0, 1e-9, &what);
            assert_close(over(&|y| y), response.mean(predictor, parameters), 1e-8, &what);
            for &y in y {
                let [less, most] = response.cumulative(y, 1.0, predictor, parameters);
                // The cell of the end is cut.
                let end = if *name == "student" { y } else { y.abs() };
                let below = over(&|other| if other < end { 1.0 } else { 0.0 });
                assert_close(less, below, 0.01, &what);
                if *name != "student" && y < 0.0 {
                    let later = response.term(y, 1.0, predictor, parameters).ln_likelihood.exp();
                    assert_close(less + later, 1.0, 1e-14, &what);
                    assert_eq!(most, 1.0);
                } else {
                    assert_eq!(less, most);
                }
            }
        }
    }
}

/// One trial has a form of its own.
#[test]
fn one_trial_is_a_binomial_distribution() {
    for response in
        [FamilyResponse::binomial(), FamilyResponse::probit(), FamilyResponse::complementary_log_log()]
    {
        for predictor in PREDICTORS {
            let mean = response.mean(predictor, &[]);
            let binomial = Binomial::new(1, mean).unwrap();
            for y in [-1.0, 0.0, 1.0, 2.0] {
                let [less, most] = response.cumulative(y, 1.0, predictor, &[]);
                let below = if y > 0.0 { binomial.cdf(y - 1.0) } else { 0.0 };
                assert_close(less, below, 1e-14, &format!("{y} at {predictor}"));
                assert_close(most, binomial.cdf(y), 1e-14, &format!("{y} at {predictor}"));
            }
        }
    }
}

#[test]
fn probabilities_add_up_to_the_distribution_function() {
    for Case { name, response, parameters, .. } in cases() {
        if !["zero-inflated", "ordinal"].contains(&name) {
            continue;
        }
        for predictor in PREDICTORS {
            let what = format!("{name} {parameters:?} at {predictor}");
            let (mut sum, mut mean) = (0.0, 0.0);
            for y in (0..100).map(f64::from).take_while(|y| response.requirement(*y).is_none()) {
                let p = response.term(y, 1.0, predictor, &parameters).ln_likelihood.exp();
                let [less, most] = response.cumulative(y, 1.0, predictor, &parameters);
                assert_close(less, sum, 1e-13, &what);
                sum += p;
                mean += y * p;
                assert_close(most, sum, 1e-13, &what);
            }
            assert_close(sum, 1.0, 1e-13, &what);
            assert_close(mean, response.mean(predictor, &parameters), 1e-12, &what);
        }
    }
}

/// Far out there are no NaN and no infinite derivatives, where there is a density.
#[test]
fn terms_far_out_have_values() {
    for Case { name, response, parameters, y } in cases() {
        for y in y {
            for predictor in [-600.0, -60.0, 60.0, 600.0] {
                let term = response.term(y, 1.0, predictor, &parameters);
                let what = format!("{name} {parameters:?}, {y} at {predictor}: {term:?}");
                assert!(!term.ln_likelihood.is_nan() && term.ln_likelihood < f64::INFINITY, "{what}");
                if predictor.abs() < 100.0 {
                    assert!([term.slope, term.curvature, term.third].iter().all(|x| !x.is_nan()), "{what}");
                }
            }
        }
    }
}

const ROWS: usize = 60;

fn walk() -> posterior_hierarchical::PlacedEffect {
    let indices: Vec<usize> = (0..ROWS).map(|row| (7 * row + row / 11) % 12).collect();
    FieldEffect::random_walk("u", 12).unwrap().at(&indices).unwrap()
}

/// Uniform numbers that fill the interval evenly.
fn uniform(row: usize) -> f64 {
    (0.5 + row as f64 * 0.618_033_988_749_895).fract()
}

fn model(response: impl Response + 'static, y: impl Fn(f64) -> f64) -> HierarchicalModel {
    let y: Vec<f64> = (0..ROWS).map(|row| y(uniform(row))).collect();
    let weights: Vec<f64> = (0..ROWS).map(|row| 1.0 + f64::from(u8::from(row % 5 == 0))).collect();
    let x: Vec<f64> = (0..ROWS).map(|row| (row as f64).cos()).collect();
    HierarchicalModel::new(response, &y)
        .unwrap()
        .weights(&weights)
        .unwrap()
        .column_with_sd("x", &x, 2.0)
        .unwrap()
        .effect(walk())
        .unwrap()
}

/// ln p(y | θ) has the gradient of its differences.
#[test]
fn gradients_of_the_embedded_density() {
    let models = [
        ("student", model(StudentResponse::new(1.0).unwrap(), |u| (2.0 * u - 1.0) / (u * (1.0 - u)).sqrt())),
        ("zero-inflated", model(ZeroInflatedResponse::poisson(), |u| (12.0 * (u - 0.4)).floor().max(0.0))),
        (
            "weibull",
            model(SurvivalResponse::weibull(), |u| if u < 0.3 { -3.0 * u - 0.1 } else { 2.0 * u * u }),
        ),
        ("exponential", model(SurvivalResponse::exponential(), |u| if u < 0.3 { -3.0 * u } else { -u.ln() })),
        ("beta", model(BetaResponse::new(), |u| u.powi(3))),
        ("log-normal", model(LogNormalResponse::new(1.0).unwrap(), |u| 0.2 + 3.0 * u * u)),
        ("ordinal", model(OrdinalResponse::new(4).unwrap(), |u| (4.0 * u.sqrt()).floor())),
    ];
    for (name, model) in &models {
        let target = EmbeddedLaplace::new(model).unwrap();
        for offset in [-0.4, 0.3] {
            let theta: Vec<f64> = (0..target.dim()).map(|j| offset + 0.17 * j as f64).collect();
            let worst = gradient_check(
                |theta: &[f64], gradient: &mut [f64]| target.ln_density_grad(theta, gradient).unwrap(),
                &theta,
            );
            assert!(worst.error < 1e-7, "{name}: {worst:?}");
        }
    }
}

/// Two clusters, and a start between them where ln p bends upwards in every direction: the search goes to one
/// of them.
#[test]
fn a_mode_is_found_from_a_saddle() {
    let y = [-10.0, -10.1, -9.9, 10.0, 10.1, 9.9];
    let model = HierarchicalModel::new(StudentResponse::new(0.2).unwrap(), &y).unwrap().intercept().unwrap();
    let target = EmbeddedLaplace::new(&model).unwrap();
    // By brute force: the density has two equal modes, of which one is seen.
    let (scale, degrees): (f64, f64) = (0.3, 2.0);
    let response = StudentResponse::new(1.0).unwrap();
    let ln = |eta: f64| -> f64 {
        y.iter().map(|y| response.term(*y, 1.0, eta, &[scale, degrees]).ln_likelihood).sum()
    };
    let sum: f64 = (0..20_000).map(|k| 5e-4 * ln(5.0 + 5e-4 * f64::from(k)).exp()).sum();
    let own = target.ln_likelihood(&[scale, degrees]).unwrap();
    assert!((own - sum.ln()).abs() < 0.1, "{own} {}", sum.ln());
}

/// Four of twelve rows are far out. The numbers are those of the posterior by brute force: 801 intercepts,
/// 141 scales and 111 degrees of freedom, equally spaced, the latter two by their logarithms.
///
/// At scales below 0.1 the rows in the middle have modes of their own, of which Laplace's approximation sees
/// one: the lower tail of the scale is too light.
#[test]
fn outliers_are_left_aside() {
    let y = [0.2, -0.4, 0.1, 0.5, -0.2, 0.3, -0.1, 0.0, 80.0, -55.0, 62.0, 71.0];
    let model = HierarchicalModel::new(StudentResponse::new(0.3).unwrap(), &y).unwrap().intercept().unwrap();
    let fit = model.fit(&HierarchicalOptions::default()).unwrap();
    let intercept = fit.fixed("intercept").unwrap();
    assert_close(intercept.mean(), 0.0507, 0.02, "mean");
    assert_close(intercept.sd() / 0.1401, 1.0, 0.1, "standard deviation");
    for (name, median, high) in [("scale", 0.2227, 0.595), ("degrees_of_freedom", 0.3661, 0.6168)] {
        let own = fit.hyperparameter(name).unwrap();
        assert_close(own.quantile(0.5) / median, 1.0, 0.1, name);
        assert_close(own.quantile(0.95) / high, 1.0, 0.1, name);
    }
}

#[test]
fn refusals_say_what_a_response_must_be() {
    let refused = |response: Box<dyn Response>, y: f64| response.requirement(y).is_some();
    assert!(refused(Box::new(StudentResponse::new(1.0).unwrap()), f64::INFINITY));
    assert!(refused(Box::new(ZeroInflatedResponse::poisson()), 0.5));
    assert!(refused(Box::new(SurvivalResponse::weibull()), 0.0));
    assert!(refused(Box::new(BetaResponse::new()), 1.0));
    assert!(refused(Box::new(LogNormalResponse::new(1.0).unwrap()), 0.0));
    assert!(refused(Box::new(OrdinalResponse::new(3).unwrap()), 3.0));
    assert!(refused(Box::new(OrdinalResponse::new(3).unwrap()), -1.0));
    assert!(StudentResponse::new(0.0).is_err() && LogNormalResponse::new(-1.0).is_err());
    assert!(OrdinalResponse::new(1).is_err());
    assert!(SurvivalResponse::responses(&[1.0, 0.0], &[true, true]).is_err());
    assert!(SurvivalResponse::responses(&[1.0, 2.0], &[true]).is_err());
    // Censored times only: the longer the better.
    let model = HierarchicalModel::new(SurvivalResponse::exponential(), &[-1.0, -2.0, -3.0]).unwrap();
    let error = model.intercept().unwrap().fit(&HierarchicalOptions::default()).map(drop).unwrap_err();
    assert!(matches!(&error, Error::Separated { column, rows: 3 } if column == "intercept"), "{error}");
}
