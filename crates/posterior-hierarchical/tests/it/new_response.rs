//! Distributions of responses that are not known yet: moments, quantiles, and the fit's own mixture.

use posterior_dist::Gamma;
use posterior_hierarchical::{
    BetaResponse, FamilyResponse, FieldEffect, HierarchicalFit, HierarchicalModel, HierarchicalOptions,
    HyperparameterPrior, LatentMarginal, LogNormalResponse, NewResponse, NewRows, OrdinalResponse,
    PlaceEffect as _, Response, ResponseSupport, StudentResponse, SurvivalResponse, ZeroInflatedResponse,
};

/// A response with hyperparameters, a predictor and a weight.
type Case = (&'static str, Box<dyn Response>, Vec<f64>, f64, f64);

fn responses() -> Vec<Case> {
    vec![
        ("gaussian", Box::new(FamilyResponse::gaussian(1.0).unwrap()), vec![0.7], 0.4, 2.0),
        ("known", Box::new(FamilyResponse::gaussian_with_sd(0.3).unwrap()), vec![], 0.4, 1.0),
        ("poisson", Box::new(FamilyResponse::poisson()), vec![], 1.2, 1.0),
        ("binomial", Box::new(FamilyResponse::binomial()), vec![], 0.3, 7.0),
        ("probit", Box::new(FamilyResponse::probit()), vec![], 0.3, 5.0),
        ("cloglog", Box::new(FamilyResponse::complementary_log_log()), vec![], -0.3, 3.0),
        ("negative binomial", Box::new(FamilyResponse::negative_binomial()), vec![2.3], 0.8, 1.0),
        ("gamma", Box::new(FamilyResponse::gamma()), vec![3.1], 0.2, 1.0),
        ("student", Box::new(StudentResponse::new(1.0).unwrap()), vec![0.5, 6.0], -0.4, 2.0),
        ("zero inflated", Box::new(ZeroInflatedResponse::poisson()), vec![0.3], 1.1, 1.0),
        ("weibull", Box::new(SurvivalResponse::weibull()), vec![1.7], 0.5, 1.0),
        ("exponential", Box::new(SurvivalResponse::exponential()), vec![], 0.5, 1.0),
        ("beta", Box::new(BetaResponse::new()), vec![6.0], -0.5, 1.0),
        ("log-normal", Box::new(LogNormalResponse::new(1.0).unwrap()), vec![0.6], 0.3, 1.0),
        ("ordinal", Box::new(OrdinalResponse::new(4).unwrap()), vec![-1.0, 0.9, 1.4], 0.2, 1.0),
    ]
}

/// Mean and variance by the density itself.
fn moments(response: &dyn Response, parameters: &[f64], predictor: f64, weight: f64) -> [f64; 2] {
    let density = |y: f64| response.term(y, weight, predictor, parameters).ln_likelihood.exp();
    let points: Vec<(f64, f64)> = match response.support() {
        ResponseSupport::Counts => (0..400).map(|k| (f64::from(k), 1.0)).collect(),
        ResponseSupport::Levels(count) => (0..count).map(|k| (k as f64, 1.0)).collect(),
        ResponseSupport::Proportions => (0..=weight as u32).map(|k| (f64::from(k) / weight, 1.0)).collect(),
        // The trapezoidal rule along y = sinh t, y = e^t, y = 1 / (1 + e^-t).
        support => (-40_000..=40_000)
            .map(|k| {
                let t = f64::from(k) / 2000.0;
                match support {
                    ResponseSupport::Real => (t.sinh(), t.cosh() / 2000.0),
                    ResponseSupport::Positive => (t.exp(), t.exp() / 2000.0),
                    _ => {
                        let y = (1.0 + (-t).exp()).recip();
                        (y, y * (1.0 + t.exp()).recip() / 2000.0)
                    }
                }
            })
            .filter(|(y, _)| response.requirement(*y).is_none())
            .collect(),
    };
    let expect = |f: &dyn Fn(f64) -> f64| -> f64 {
        let terms = points.iter().map(|&(y, step)| (density(y), f(y), step));
        terms.filter(|term| term.0 > 0.0).map(|(density, f, step)| density * f * step).sum()
    };
    let total = expect(&|_| 1.0);
    assert!((total - 1.0).abs() < 1e-8, "{total}");
    let mean = expect(&|y| y);
    [mean, expect(&|y| (y - mean).powi(2))]
}

#[test]
fn variances_are_those_of_densities() {
    for (name, response, parameters, predictor, weight) in responses() {
        let [mean, variance] = moments(response.as_ref(), &parameters, predictor, weight);
        let own = response.variance(weight, predictor, &parameters);
        // The tail of Student's t beyond e^20 is missing.
        let tolerance = if name == "student" { 1e-6 } else { 1e-8 };
        assert!((own / variance - 1.0).abs() < tolerance, "{name}: {own} {variance}");
        assert!((response.mean(predictor, &parameters) - mean).abs() < tolerance, "{name}");
    }
    let student = StudentResponse::new(1.0).unwrap();
    assert_eq!(student.variance(1.0, 0.0, &[1.0, 2.0]), f64::INFINITY);
}

fn y(support: ResponseSupport) -> Vec<f64> {
    let wave = |row: usize| (1.9 * row as f64).sin();
    let one = |row: usize| match support {
        ResponseSupport::Real => 1.0 + wave(row),
        ResponseSupport::Positive => (0.4 + 0.7 * wave(row)).exp(),
        ResponseSupport::Unit => 0.5 + 0.4 * wave(row),
        ResponseSupport::Counts => (2.0 + 2.5 * wave(row)).floor().max(0.0),
        ResponseSupport::Levels(count) => (row % count) as f64,
        _ => f64::from(u8::from(wave(row) > 0.2)),
    };
    (0..30).map(one).collect()
}

fn model(response: impl Response + 'static) -> HierarchicalModel {
    let support = response.support();
    let groups: Vec<usize> = (0..30).map(|row| row / 6).collect();
    let model = HierarchicalModel::new(response, &y(support)).unwrap();
    let model =
        if matches!(support, ResponseSupport::Levels(_)) { model } else { model.intercept().unwrap() };
    model.effect(FieldEffect::groups("group", 5).unwrap().at(&groups).unwrap()).unwrap()
}

/// P(Y ≤ y) over all points of the fit.
fn probability(
    fit: &HierarchicalFit<'_>,
    response: &dyn Response,
    predictor: &LatentMarginal,
    y: f64,
) -> f64 {
    let own = response.hyperparameters().len();
    let parts = fit.points().into_iter().zip(predictor.components());
    parts
        .map(|((weight, natural), part)| {
            let (mut sum, mut total) = (0.0, 0.0);
            for k in -160..=160 {
                let z = f64::from(k) / 20.0;
                let density = (-0.5 * z * z).exp();
                total += density;
                sum += density * response.cumulative(y, 1.0, part.mean + part.sd * z, &natural[..own])[1];
            }
            weight * sum / total
        })
        .sum()
}

fn check<R: Response + Clone + 'static>(name: &str, response: &R) {
    let model = model(response.clone());
    let fit = model.fit(&HierarchicalOptions::default()).unwrap();
    for row in [0, 14, 29] {
        let predictor = &fit.predictors()[row];
        let new = fit.new_response(predictor).unwrap();
        let mean = fit.response_mean(predictor).unwrap();
        assert!((new.mean() - mean).abs() < 0.01 * mean.abs().max(1.0), "{name}: {} {mean}", new.mean());
        for p in [0.025, 0.3, 0.5, 0.9, 0.975] {
            let at = new.quantile(p);
            let whole = probability(&fit, response, predictor, at);
            assert!((new.cdf(at) - whole).abs() < 2e-3, "{name}: {} {whole}", new.cdf(at));
            match response.support() {
                ResponseSupport::Counts | ResponseSupport::Levels(_) | ResponseSupport::Proportions => {
                    assert!(new.cdf(at) >= p && (at == 0.0 || new.cdf(at - 1.0) < p), "{name}: {at}");
                    assert_eq!(new.cdf(at + 0.5), new.cdf(at));
                }
                _ => assert!((new.cdf(at) - p).abs() < 1e-12, "{name}: {} {p}", new.cdf(at)),
            }
        }
        ends(name, response.support(), &new);
        means(name, &fit, response, predictor, &new);
    }
}

/// Quantiles of the mean, over all points of the fit.
fn means(
    name: &str,
    fit: &HierarchicalFit<'_>,
    response: &dyn Response,
    predictor: &LatentMarginal,
    new: &NewResponse,
) {
    let own = response.hyperparameters().len();
    for p in [0.025, 0.5, 0.975] {
        let at = new.mean_quantile(p);
        let parts = fit.points().into_iter().zip(predictor.components());
        let below: f64 = parts
            .map(|((weight, natural), part)| {
                let mean = |z: f64| response.mean(part.mean + z * part.sd, &natural[..own]);
                let share: f64 = (-4000..4000)
                    .map(|k| (f64::from(k) + 0.5) / 500.0)
                    .fold(0.0, |sum, z| sum + if mean(z) <= at { (-0.5 * z * z).exp() } else { 0.0 });
                weight * share / 500.0 / std::f64::consts::TAU.sqrt()
            })
            .sum();
        assert!((below - p).abs() < 1e-3, "{name}: {below} {p}");
    }
    assert!(new.mean_sd() > 0.0 && new.mean_sd() <= new.sd());
    assert!(new.mean_quantile(1.5).is_nan());
}

/// Nothing is beyond the ends, and densities are those of the probabilities.
fn ends(name: &str, support: ResponseSupport, new: &NewResponse) {
    match support {
        ResponseSupport::Real => {
            assert_eq!([new.cdf(f64::NEG_INFINITY), new.cdf(f64::INFINITY)], [0.0, 1.0], "{name}");
        }
        ResponseSupport::Positive | ResponseSupport::Unit => {
            assert_eq!([new.cdf(-1.0), new.cdf(0.0), new.cdf(f64::INFINITY)], [0.0, 0.0, 1.0], "{name}");
            assert_eq!(new.ln_density(-1.0), f64::NEG_INFINITY, "{name}");
        }
        ResponseSupport::Levels(count) => assert_eq!(new.cdf(count as f64 - 1.0), 1.0, "{name}"),
        _ => assert_eq!([new.cdf(-0.5), new.ln_density(0.5)], [0.0, f64::NEG_INFINITY], "{name}"),
    }
    assert!(new.quantile(0.0).is_nan() && new.quantile(1.0).is_nan() && new.cdf(f64::NAN).is_nan());
    let at = new.quantile(0.6);
    let own = new.ln_density(at).exp();
    let expected = match support {
        ResponseSupport::Real | ResponseSupport::Positive | ResponseSupport::Unit => {
            let step = 1e-5 * new.sd().clamp(1e-3, 1.0);
            (new.cdf(at + step) - new.cdf(at - step)) / (2.0 * step)
        }
        _ => new.cdf(at) - new.cdf(at - 1.0),
    };
    assert!((own - expected).abs() < 1e-6 * own.max(1.0), "{name}: {own} {expected}");
}

#[test]
fn new_responses_are_mixtures_over_the_fit() {
    check("gaussian", &FamilyResponse::gaussian(1.0).unwrap());
    check("poisson", &FamilyResponse::poisson());
    check("binomial", &FamilyResponse::binomial());
    check("negative binomial", &FamilyResponse::negative_binomial());
    check("gamma", &FamilyResponse::gamma());
    check("student", &StudentResponse::new(1.0).unwrap());
    check("zero inflated", &ZeroInflatedResponse::poisson());
    check("weibull", &SurvivalResponse::weibull());
    check("beta", &BetaResponse::new());
    check("log-normal", &LogNormalResponse::new(1.0).unwrap());
    check("ordinal", &OrdinalResponse::new(4).unwrap());
}

/// A response with next to no noise beside a predictor that is hardly known, and one with as much as that.
#[test]
fn narrow_responses_are_no_staircases() {
    for shape in [20.0, 400.0, 4000.0, 1e6] {
        let prior = HyperparameterPrior::density(Gamma::shape_scale(1e6, shape * 1e-6).unwrap());
        let y: Vec<f64> = (0..30).map(|row| (2.0 * (1.9 * f64::from(row / 3)).sin()).exp()).collect();
        let groups: Vec<usize> = (0..30).map(|row| row / 3).collect();
        let model = HierarchicalModel::new(FamilyResponse::gamma().with_prior(prior), &y)
            .unwrap()
            .intercept()
            .unwrap()
            .effect(FieldEffect::groups("group", 11).unwrap().at(&groups).unwrap())
            .unwrap();
        let fit = model.fit(&HierarchicalOptions::default()).unwrap();
        // A new group.
        let rows = NewRows::new(1).column("intercept", &[1.0]).at("group", &[10]);
        let predictor = &fit.predict(&rows).unwrap()[0];
        let new = fit.new_response(predictor).unwrap();
        for p in [0.025, 0.2, 0.5, 0.9, 0.975] {
            let at = new.quantile(p);
            // Given the predictor the logarithm is normal, or nearly, of variance 1 / shape.
            let whole: f64 = (-400..=400)
                .map(|k| {
                    let z = f64::from(k) / 50.0;
                    let density = (-0.5 * z * z).exp() / 50.0 / std::f64::consts::TAU.sqrt();
                    density * predictor.cdf(at.ln() - z / shape.sqrt() + 0.5 / shape)
                })
                .sum();
            assert!((whole - p).abs() < 5e-3, "{shape}: {whole} {p}");
        }
        let at = new.quantile(0.7);
        let step = 1e-3 * at;
        let slope = (new.cdf(at + step) - new.cdf(at - step)) / (2.0 * step);
        let density = new.ln_density(at).exp();
        assert!((density / slope - 1.0).abs() < 1e-3, "{shape}: {density} {slope}");
    }
}

/// Proportions of several trials are steps of one over their number.
#[test]
fn proportions_of_trials() {
    let model = model(FamilyResponse::binomial());
    let fit = model.fit(&HierarchicalOptions::default()).unwrap();
    let new = fit.new_response(&fit.predictors()[0]).unwrap().with_weight(10.0);
    let median = new.quantile(0.5);
    assert!((10.0 * median).fract().abs() < 1e-12 || (10.0 * median).fract() > 1.0 - 1e-12, "{median}");
    assert!(new.cdf(median) >= 0.5 && new.cdf(median - 0.1) < 0.5);
    assert_eq!(new.cdf(1.0), 1.0);
    let one = fit.new_response(&fit.predictors()[0]).unwrap();
    assert!(new.sd() < one.sd());
}
