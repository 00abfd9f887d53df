//! Responses that are not those of generalised linear models, against chains on the exact posterior.

use posterior_dist::Gamma;
use posterior_hierarchical::{
    BetaResponse, EmbeddedLaplace, ExactPosterior, FieldEffect, HierarchicalModel, HierarchicalOptions,
    HyperparameterPrior, OrdinalResponse, PlaceEffect as _, PlacedEffect, Response, StudentResponse,
    SurvivalResponse, ZeroInflatedResponse,
};
use posterior_sampling::hamiltonian::Nuts;
use posterior_sampling::{Run, Start};

use crate::response_oracles::{PROPORTIONS, ZERO_INFLATED};

/// Rows in ten groups.
const ROWS: usize = 60;

fn column(rows: usize) -> Vec<f64> {
    (0..rows).map(|row| (row as f64).cos()).collect()
}

fn groups(rows: usize) -> PlacedEffect {
    let groups: Vec<usize> = (0..rows).map(|row| 10 * row / rows).collect();
    FieldEffect::groups("group", 10).unwrap().at(&groups).unwrap()
}

fn model(response: impl Response + 'static, y: &[f64]) -> HierarchicalModel {
    HierarchicalModel::new(response, y)
        .unwrap()
        .intercept()
        .unwrap()
        .column("x", &column(y.len()))
        .unwrap()
        .effect(groups(y.len()))
        .unwrap()
}

const LEVELS: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];
/// Half normal distributions along the axes, which stand for three and more hyperparameters, are off by so
/// much.
const DESIGN: f64 = 0.07;

/// The share of a sample below the quantiles of a marginal.
fn below(sample: &[f64], quantile: impl Fn(f64) -> f64) -> [f64; 5] {
    LEVELS.map(|p| {
        let at = quantile(p);
        sample.iter().filter(|x| **x < at).count() as f64 / sample.len() as f64
    })
}

fn worst(below: [f64; 5]) -> f64 {
    LEVELS.iter().zip(below).map(|(p, below)| (p - below).abs()).fold(0.0, f64::max)
}

/// Probabilities below the quantiles of the fit, by a chain: all within `tolerance`. Three hyperparameters
/// are compared by a chain over them alone, with the latent values integrated out.
fn compare(model: &HierarchicalModel, seed: u64, tolerance: f64) {
    let fit = model.fit(&HierarchicalOptions::default()).unwrap();
    let target = ExactPosterior::new(model).unwrap();
    let run = Run { seed, draws: 2_000, ..Run::default() };
    let draws = run.sample(&target, &Nuts::default(), &Start::default()).unwrap().draws;
    let draws =
        draws.map(target.names(), |point, out| out.copy_from_slice(&target.values(point).unwrap())).unwrap();
    let embedded = EmbeddedLaplace::new(model).unwrap();
    let many = embedded.names().len() > 2;
    let own = run.sample(&embedded, &Nuts::default(), &Start::default()).unwrap().draws;
    let own = own.map(embedded.names(), |point, out| out.copy_from_slice(&embedded.natural(point))).unwrap();
    for name in target.names() {
        let sample = draws.named(&name).unwrap().concat();
        let shares = if let Some((_, rest)) = name.split_once("group[") {
            let place: usize = rest.trim_end_matches(']').parse().unwrap();
            let marginal = fit.effect("group").unwrap().swap_remove(place - 1);
            below(&sample, |p| marginal.quantile(p))
        } else if let Ok(marginal) = fit.fixed(&name) {
            below(&sample, |p| marginal.quantile(p))
        } else {
            let marginal = fit.hyperparameter(&name).unwrap();
            let shares = below(&sample, |p| marginal.quantile(p));
            if many {
                assert!(worst(shares) < DESIGN, "{name}: {shares:?}");
                let mut sorted = own.named(&name).unwrap().concat();
                sorted.sort_by(f64::total_cmp);
                below(&sample, |p| sorted[(p * sorted.len() as f64) as usize])
            } else {
                shares
            }
        };
        assert!(worst(shares) < tolerance, "{name}: {shares:?}");
    }
}

#[test]
fn proportions_in_groups() {
    compare(&model(BetaResponse::new(), &PROPORTIONS), 3, 0.03);
}

#[test]
fn counts_with_more_zeros() {
    compare(&model(ZeroInflatedResponse::poisson(), &ZERO_INFLATED), 4, 0.03);
}

/// Frailties of groups: times with a scale that the group moves, of which those above a limit are censored.
#[test]
fn times_with_frailties() {
    let y: Vec<f64> = (0..ROWS)
        .map(|row| {
            let u = (0.5 + row as f64 * 0.618_033_988_749_895).fract();
            let eta = 0.5 + 0.4 * (row as f64).cos() + 0.7 * (1.0 + 3.0 * (row / 6) as f64).sin();
            let time = eta.exp() * (-u.ln()).powf(1.0 / 1.4);
            if time < 2.0 { time } else { -2.0 }
        })
        .collect();
    let censored = y.iter().filter(|y| **y < 0.0).count();
    assert!(censored > 12 && censored < 24, "{censored}");
    compare(&model(SurvivalResponse::weibull(), &y), 5, 0.03);
}

#[test]
#[ignore = "slow"]
fn levels_in_groups() {
    let y: Vec<f64> = (0..2 * ROWS)
        .map(|row| {
            let u: f64 = (0.5 + row as f64 * 0.618_033_988_749_895).fract();
            let eta = 0.8 * (row as f64).cos() + 1.3 * (1.0 + 3.0 * (row / 12) as f64).sin();
            let latent = eta + (u / (1.0 - u)).ln();
            if latent < -0.7 {
                0.0
            } else if latent < 1.0 {
                1.0
            } else {
                2.0
            }
        })
        .collect();
    // A prior under which groups differ: at spreads near 0 the design for three hyperparameters is coarse.
    let prior = HyperparameterPrior::density(Gamma::shape_rate(4.0, 6.0).unwrap());
    let groups = groups(y.len()).with_prior("sd(group)", prior).unwrap();
    let model = HierarchicalModel::new(OrdinalResponse::new(3).unwrap(), &y).unwrap();
    compare(&model.column("x", &column(y.len())).unwrap().effect(groups).unwrap(), 6, 0.03);
}

/// Normal noise, with a large error in each ninth row. With few rows in a group it is not clear which of them
/// are outliers, and the approximation is further off.
#[test]
#[ignore = "slow"]
fn outliers_in_groups() {
    let y: Vec<f64> = (0..3 * ROWS)
        .map(|row| {
            let eta = 0.5 + 0.4 * (row as f64).cos() + (1.0 + 3.0 * (row / 18) as f64).sin();
            let noise = if row % 9 == 4 { 4.0 * (row as f64).sin() } else { 0.5 * (37.0 * row as f64).sin() };
            eta + noise
        })
        .collect();
    compare(&model(StudentResponse::new(0.5).unwrap(), &y), 7, 0.03);
}
