//! Intervals hold what they promise, for responses that are not those of generalised linear models.

use posterior_dist::stream::stream;
use posterior_dist::{Beta, Exponential, Gamma, LogNormal, Normal, Poisson, StudentT, Weibull};
use posterior_hierarchical::{
    BetaResponse, FieldEffect, HierarchicalModel, HierarchicalOptions, HyperparameterPrior,
    LogNormalResponse, OrdinalResponse, PlaceEffect as _, Response, StudentResponse, SurvivalResponse,
    ZeroInflatedResponse,
};
use rand::Rng;
use rand::RngExt as _;
use rand_distr::{Distribution as _, StandardNormal};

const GROUPS: usize = 12;
const EACH: usize = 6;
const LEVEL: f64 = 0.9;

/// The model of some responses.
type Build = Box<dyn FnOnce(&[f64]) -> HierarchicalModel>;

/// Draws a response at a predictor.
type Draw<R> = Box<dyn Fn(f64, &mut R) -> f64>;

/// A response with hyperparameters from their priors, by their names.
struct Drawn<R> {
    response: Build,
    own: Vec<(&'static str, f64)>,
    draw: Draw<R>,
    with_intercept: bool,
}

fn drawn<R>(
    response: impl Response + 'static,
    own: Vec<(&'static str, f64)>,
    draw: impl Fn(f64, &mut R) -> f64 + 'static,
) -> Drawn<R> {
    let build = |y: &[f64]| HierarchicalModel::new(response, y).unwrap();
    Drawn { response: Box::new(build), own, draw: Box::new(draw), with_intercept: true }
}

fn normal<R: Rng + ?Sized>(rng: &mut R, sd: f64) -> f64 {
    let z: f64 = StandardNormal.sample(rng);
    sd * z
}

fn sd_prior() -> Gamma {
    Gamma::shape_rate(4.0, 6.0).unwrap()
}

fn simulated<R: Rng>(family: &str, rng: &mut R) -> Drawn<R> {
    let spread = HyperparameterPrior::density(sd_prior());
    match family {
        "student" => {
            let prior = Gamma::shape_rate(2.0, 0.1).unwrap();
            let (scale, degrees) = (sd_prior().sample(rng), prior.sample(rng));
            let response =
                StudentResponse::new(0.6).unwrap().with_priors(spread, HyperparameterPrior::density(prior));
            drawn(
                response,
                vec![("scale", scale), ("degrees_of_freedom", degrees)],
                move |eta, rng: &mut R| StudentT::new(degrees, eta, scale).unwrap().sample(rng),
            )
        }
        "zero-inflated" => {
            let zeros: f64 = rng.random();
            drawn(ZeroInflatedResponse::poisson(), vec![("zeros", zeros)], move |eta, rng: &mut R| {
                if rng.random::<f64>() < zeros {
                    0.0
                } else {
                    Poisson::new((1.0 + eta).exp()).unwrap().sample(rng) as f64
                }
            })
        }
        "weibull" => {
            let shape = LogNormal::new(0.0, 1.0).unwrap().sample(rng);
            drawn(SurvivalResponse::weibull(), vec![("shape", shape)], move |eta, rng: &mut R| {
                let time: f64 = Weibull::new(shape, eta.exp()).unwrap().sample(rng);
                let time = time.max(1e-300);
                if time < 1.5 { time } else { -1.5 }
            })
        }
        "exponential" => drawn(SurvivalResponse::exponential(), Vec::new(), |eta, rng: &mut R| {
            let time: f64 = Exponential::new((-eta).exp()).unwrap().sample(rng);
            if time < 1.5 { time } else { -1.5 }
        }),
        "beta" => {
            let precision = Gamma::shape_rate(3.0, 0.3).unwrap();
            let prior = HyperparameterPrior::density(precision);
            let precision = precision.sample(rng);
            drawn(
                BetaResponse::new().with_prior(prior),
                vec![("precision", precision)],
                move |eta, rng: &mut R| {
                    let mean = 1.0 / (1.0 + (-eta).exp());
                    let y: f64 = Beta::new(mean * precision, (1.0 - mean) * precision).unwrap().sample(rng);
                    y.clamp(1e-12, 1.0 - 1e-12)
                },
            )
        }
        "log-normal" => {
            let sd = sd_prior().sample(rng);
            let response = LogNormalResponse::new(0.6).unwrap().with_prior(spread);
            drawn(response, vec![("sd", sd)], move |eta, rng: &mut R| {
                LogNormal::new(eta, sd).unwrap().sample(rng)
            })
        }
        _ => {
            let (first, gap) = (Normal::mean_sd(-1.0, 0.7).unwrap(), Gamma::shape_rate(4.0, 2.0).unwrap());
            let priors = (HyperparameterPrior::density(first), HyperparameterPrior::density(gap));
            let (low, width): (f64, f64) = (first.sample(rng), gap.sample(rng));
            let response = OrdinalResponse::new(3).unwrap().with_priors(priors.0, priors.1);
            let own = vec![("threshold", low), ("gap[1]", width)];
            let drawn = drawn(response, own, move |eta, rng: &mut R| {
                let u: f64 = rng.random();
                let latent = eta + (u / (1.0 - u)).ln();
                f64::from(u8::from(latent > low) + u8::from(latent > low + width))
            });
            Drawn { with_intercept: false, ..drawn }
        }
    }
}

/// Whether the intervals hold the truth: of the slope, the spread of groups, a group, and what the response
/// has of its own.
fn held<R: Rng>(family: &str, rng: &mut R) -> Option<Vec<(&'static str, bool)>> {
    let own = simulated(family, rng);
    let (intercept, slope) = (if own.with_intercept { normal(rng, 0.7) } else { 0.0 }, normal(rng, 1.0));
    let sd: f64 = sd_prior().sample(rng);
    let groups: Vec<usize> = (0..GROUPS * EACH).map(|row| row / EACH).collect();
    let u: Vec<f64> = (0..GROUPS).map(|_| normal(rng, sd)).collect();
    let x: Vec<f64> = groups.iter().map(|_| normal(rng, 1.0)).collect();
    let y: Vec<f64> =
        x.iter().zip(&groups).map(|(x, &group)| (own.draw)(intercept + slope * x + u[group], rng)).collect();
    let mut model = (own.response)(&y);
    if own.with_intercept {
        model = model.column_with_sd("intercept", &vec![1.0; y.len()], 0.7).unwrap();
    }
    if family == "zero-inflated" {
        model = model.offset(&vec![1.0; y.len()]).unwrap();
    }
    let effect = FieldEffect::groups("group", GROUPS)
        .unwrap()
        .at(&groups)
        .unwrap()
        .with_prior("sd(group)", HyperparameterPrior::density(sd_prior()))
        .unwrap();
    let model = model.column_with_sd("x", &x, 1.0).unwrap().effect(effect).unwrap();
    let fit =
        model.fit(&HierarchicalOptions::default()).inspect_err(|error| println!("{family}: {error}")).ok()?;
    let inside = |[low, high]: [f64; 2], truth: f64| low <= truth && truth <= high;
    let hyper = |name: &str, truth: f64| inside(fit.hyperparameter(name).unwrap().interval(LEVEL), truth);
    let mut all = vec![
        ("slope", inside(fit.fixed("x").unwrap().interval(LEVEL), slope)),
        ("sd(group)", hyper("sd(group)", sd)),
        ("group", inside(fit.effect("group").unwrap()[0].interval(LEVEL), u[0])),
    ];
    all.extend(own.own.iter().map(|&(name, truth)| (name, hyper(name, truth))));
    if let ("ordinal", [(_, low), (_, width)]) = (family, own.own.as_slice()) {
        let eta = slope * x[0] + u[0];
        let below = |end: f64| (1.0 + (eta - end).exp()).recip();
        let next = fit.new_response(&fit.predictors()[0]).unwrap();
        let ends = next.probability_quantiles(1.0, [0.5 * (1.0 - LEVEL), 0.5 * (1.0 + LEVEL)]);
        all.push(("probability", inside(ends, below(low + width) - below(*low))));
    }
    Some(all)
}

const FAMILIES: [&str; 7] =
    ["student", "zero-inflated", "weibull", "exponential", "beta", "log-normal", "ordinal"];

/// Within four standard errors of so many simulations.
fn covered(simulations: usize, seed: u64) {
    for (k, family) in FAMILIES.into_iter().enumerate() {
        let (mut counts, mut fitted): (Vec<(&str, usize)>, usize) = (Vec::new(), 0);
        for simulation in 0..simulations {
            let Some(held) = held(family, &mut stream(seed, &[k as u64, simulation as u64])) else {
                continue;
            };
            fitted += 1;
            counts.resize(held.len(), ("", 0));
            for ((name, count), (own, held)) in counts.iter_mut().zip(held) {
                *name = own;
                *count += usize::from(held);
            }
        }
        let shares: Vec<(&str, f64)> =
            counts.into_iter().map(|(name, count)| (name, count as f64 / fitted as f64)).collect();
        println!("{family}: {shares:?} of {fitted}");
        // Where ln p(y | η) is not concave, the search for the hyperparameters may not end, which is an
        // error: of zero-inflated counts in 4 of 200 sets.
        let refused = match family {
            "student" => simulations.div_ceil(100),
            "zero-inflated" => simulations.div_ceil(40),
            _ => 0,
        };
        assert!(simulations - fitted <= refused, "{family}: {fitted}");
        let error = (LEVEL * (1.0 - LEVEL) / fitted as f64).sqrt();
        for (name, share) in shares {
            assert!((share - LEVEL).abs() < 4.0 * error, "{family}, {name}: {share} of {simulations}");
        }
    }
}

#[test]
fn intervals_hold_what_they_promise() {
    covered(60, 1);
}

#[test]
#[ignore = "slow"]
fn intervals_hold_what_they_promise_in_many_simulations() {
    covered(200, 2);
}
