//! Simulation-based calibration: parameters from the prior are uniform in their posterior distributions.

use posterior_dist::stream::stream;
use posterior_dist::{Bernoulli, Binomial, Gamma, LogNormal, NegativeBinomial, Poisson};
use posterior_hierarchical::{
    FamilyResponse, FieldEffect, HierarchicalModel, HierarchicalOptions, HyperparameterPrior,
    PlaceEffect as _,
};
use posterior_sampling::calibration::Ranks;
use rand::Rng;
use rand_distr::{Distribution as _, StandardNormal};

pub(crate) const GROUPS: usize = 10;
pub(crate) const EACH: usize = 6;
const TRIALS: u64 = 6;
/// A right fit fails with this probability, for each quantity.
pub(crate) const LEVEL: f64 = 1e-6;
/// Intervals of equal probability in which truths are counted.
const CELLS: usize = 20;

pub(crate) const FAMILIES: [&str; 6] =
    ["gaussian", "bernoulli", "binomial", "poisson", "negative binomial", "gamma"];

/// Parameters from their priors, and a model of responses that are drawn at them. The last group has no rows.
pub(crate) struct Simulated {
    pub(crate) family: &'static str,
    pub(crate) model: HierarchicalModel,
    pub(crate) responses: Vec<f64>,
    pub(crate) intercept: f64,
    pub(crate) slope: f64,
    pub(crate) sd: f64,
    pub(crate) groups: Vec<f64>,
    /// The hyperparameter of the response, if it has one.
    pub(crate) own: Option<(&'static str, f64)>,
}

fn normal<R: Rng + ?Sized>(rng: &mut R, sd: f64) -> f64 {
    let z: f64 = StandardNormal.sample(rng);
    sd * z
}

fn sd_prior() -> Gamma {
    Gamma::shape_rate(4.0, 6.0).unwrap()
}

fn own_prior() -> LogNormal {
    LogNormal::new(0.7, 0.6).unwrap()
}

pub(crate) fn response(family: &str) -> FamilyResponse {
    let by = |response: FamilyResponse| response.with_prior(HyperparameterPrior::density(own_prior()));
    match family {
        "gaussian" => {
            let prior = HyperparameterPrior::density(sd_prior());
            FamilyResponse::gaussian(0.6).unwrap().with_prior(prior)
        }
        "poisson" => FamilyResponse::poisson(),
        "negative binomial" => by(FamilyResponse::negative_binomial()),
        "gamma" => by(FamilyResponse::gamma()),
        _ => FamilyResponse::binomial(),
    }
}

/// The weight of each row.
pub(crate) fn weight(family: &str) -> f64 {
    if family == "binomial" { TRIALS as f64 } else { 1.0 }
}

/// A response at a predictor.
pub(crate) fn draw<R: Rng + ?Sized>(family: &str, own: f64, eta: f64, rng: &mut R) -> f64 {
    let p = 1.0 / (1.0 + (-eta).exp());
    match family {
        "gaussian" => eta + normal(rng, own),
        "bernoulli" => f64::from(u8::from(Bernoulli::new(p).unwrap().sample(rng))),
        "binomial" => {
            let successes: u64 = Binomial::new(TRIALS, p).unwrap().sample(rng);
            successes as f64 / TRIALS as f64
        }
        "poisson" => Poisson::new(eta.exp()).unwrap().sample(rng) as f64,
        "negative binomial" => NegativeBinomial::mean_dispersion(eta.exp(), own).unwrap().sample(rng) as f64,
        _ => {
            let y: f64 = Gamma::shape_scale(own, eta.exp() / own).unwrap().sample(rng);
            y.max(1e-300)
        }
    }
}

pub(crate) fn simulated<R: Rng + ?Sized>(family: &'static str, rng: &mut R) -> Simulated {
    let own: Option<(&'static str, f64)> = match family {
        "gaussian" => Some(("sd", sd_prior().sample(rng))),
        "negative binomial" => Some(("size", own_prior().sample(rng))),
        "gamma" => Some(("shape", own_prior().sample(rng))),
        _ => None,
    };
    let (intercept, slope) = (normal(rng, 0.7), normal(rng, 0.8));
    let sd: f64 = sd_prior().sample(rng);
    let groups: Vec<f64> = (0..=GROUPS).map(|_| normal(rng, sd)).collect();
    let rows = GROUPS * EACH;
    let of_rows: Vec<usize> = (0..rows).map(|row| row / EACH).collect();
    let x: Vec<f64> = (0..rows).map(|_| normal(rng, 1.0)).collect();
    let at = own.map_or(1.0, |own| own.1);
    let y: Vec<f64> = x
        .iter()
        .zip(&of_rows)
        .map(|(x, &group)| draw(family, at, intercept + slope * x + groups[group], rng))
        .collect();
    let effect = FieldEffect::groups("group", GROUPS + 1)
        .unwrap()
        .at(&of_rows)
        .unwrap()
        .with_prior("sd(group)", HyperparameterPrior::density(sd_prior()))
        .unwrap();
    let model = HierarchicalModel::new(response(family), &y)
        .unwrap()
        .weights(&vec![weight(family); rows])
        .unwrap()
        .column_with_sd("intercept", &vec![1.0; rows], 0.7)
        .unwrap()
        .column_with_sd("x", &x, 0.8)
        .unwrap()
        .effect(effect)
        .unwrap();
    Simulated { family, model, responses: y, intercept, slope, sd, groups, own }
}

/// Where the truths are in their posterior distributions.
fn places(simulated: &Simulated) -> Vec<(&'static str, f64)> {
    let fit = simulated.model.fit(&HierarchicalOptions::default()).unwrap();
    let hyper = |name: &str, truth: f64| fit.hyperparameter(name).unwrap().cdf(truth);
    let mut places = vec![
        ("intercept", fit.fixed("intercept").unwrap().cdf(simulated.intercept)),
        ("slope", fit.fixed("x").unwrap().cdf(simulated.slope)),
        ("sd(group)", hyper("sd(group)", simulated.sd)),
        ("a group", fit.effect("group").unwrap()[0].cdf(simulated.groups[0])),
        ("a new group", fit.effect("group").unwrap()[GROUPS].cdf(simulated.groups[GROUPS])),
    ];
    places.extend(simulated.own.map(|(name, truth)| (name, hyper(name, truth))));
    places
}

fn uniform(simulations: usize, seed: u64) {
    let mut wrong = Vec::new();
    for (k, family) in FAMILIES.into_iter().enumerate() {
        let all: Vec<Vec<(&str, f64)>> = (0..simulations)
            .map(|simulation| places(&simulated(family, &mut stream(seed, &[k as u64, simulation as u64]))))
            .collect();
        for (quantity, (name, _)) in all[0].iter().enumerate() {
            let cell = |own: &Vec<(&str, f64)>| ((own[quantity].1 * CELLS as f64) as usize).min(CELLS - 1);
            let ranks = Ranks::new(*name, all.iter().map(cell).collect(), CELLS - 1).unwrap();
            println!(
                "{family}, {name}: mean {:.3}, p {:.4} by cells and {:.4} by the distribution function",
                ranks.mean(),
                ranks.chi_square_p_value(),
                ranks.ecdf_p_value()
            );
            if ranks.p_value() < LEVEL {
                wrong.push(format!("{family}, {name}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn truths_are_uniform_in_their_posteriors() {
    uniform(60, 31);
}

#[test]
#[ignore = "slow: minutes"]
fn truths_are_uniform_in_their_posteriors_in_many_simulations() {
    uniform(1000, 32);
}
