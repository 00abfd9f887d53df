//! Programs in Stan's language have the density of the model that they were written of.
#![expect(clippy::panic, reason = "a test fails by panicking")]

use std::collections::BTreeMap;

use posterior_dist::target::Target as _;
use posterior_dist::{Exponential, Gamma, HalfNormal, HalfStudentT, LogNormal, Normal};
use posterior_hierarchical::{
    BetaResponse, ExactPosterior, FamilyResponse, FieldEffect, HierarchicalModel, HyperScale,
    HyperparameterPrior, LogNormalResponse, PlaceEffect as _, PlacedEffect, Response, StanProgram,
    StudentResponse, SurvivalResponse,
};
use posterior_math::linalg::{DMatrix, DVector};
use posterior_model::{StanModel, StanPosterior};

use crate::gradients::{ROWS, effects, families, indices, model};

/// Values of a program by their names.
fn named(posterior: &StanPosterior, x: &[f64]) -> BTreeMap<String, f64> {
    let names = posterior.names(true, false).unwrap();
    names.into_iter().zip(posterior.values(x, true, None).unwrap()).collect()
}

/// The values whose names begin so, in the order of their indices.
fn vector(values: &BTreeMap<String, f64>, name: &str, count: usize) -> Vec<f64> {
    (1..=count).map(|i| values[&format!("{name}.{i}")]).collect()
}

/// Groups of an effect with several coefficients.
fn groups(values: &BTreeMap<String, f64>, name: &str) -> usize {
    (1..=values.len()).take_while(|group| values.contains_key(&format!("u_{name}.{group}.1"))).count()
}

/// Natural values of the hyperparameters of the effect `name`, and ln |dv / dz| of its scaled values v by
/// what the program samples.
fn of_effect(values: &BTreeMap<String, f64>, name: &str, hyperparameters: usize) -> (Vec<f64>, f64) {
    if let Some(sd) = values.get(&format!("sd_{name}")) {
        return (vec![*sd], 0.0);
    }
    let width = if hyperparameters == 3 { 2 } else { 3 };
    let groups = groups(values, name);
    let l = |i: usize, j: usize| values[&format!("L_{name}.{i}.{j}")];
    let mut natural = vector(values, &format!("sd_{name}"), width);
    for i in 2..=width {
        let mut rest = 1.0_f64;
        for j in 1..i {
            natural.push(l(i, j) / rest.sqrt());
            rest -= l(i, j).powi(2);
        }
    }
    (natural, groups as f64 * (1..=width).map(|i| l(i, i).ln()).sum::<f64>())
}

/// The values of the effect that a program has, in the order of the model.
fn latent(values: &BTreeMap<String, f64>, name: &str, seen: &[usize]) -> Vec<f64> {
    let count = seen.iter().max().unwrap() + 1;
    if values.contains_key(&format!("f_{name}.1")) {
        let row = |place: usize| seen.iter().position(|own| *own == place).unwrap() + 1;
        return (0..count).map(|place| values[&format!("f_{name}.{}", row(place))]).collect();
    }
    if values.contains_key(&format!("u_{name}.1")) {
        return vector(values, &format!("u_{name}"), count);
    }
    let width = if values.contains_key(&format!("u_{name}.1.3")) { 3 } else { 2 };
    let each = |group: usize| (1..=width).map(move |j| (group, j));
    (1..=groups(values, name)).flat_map(each).map(|(g, j)| values[&format!("u_{name}.{g}.{j}")]).collect()
}

/// A coordinate of a point that does not repeat.
fn wave(k: usize, point: usize) -> f64 {
    0.6 * (1.3 * k as f64 + 2.1 * point as f64 + 0.4).sin()
}

/// Checks that the densities differ by a constant: of the program, and of the model at the same values.
fn same(what: &str, model: &HierarchicalModel, response: &[&str], name: &str, seen: &[usize]) {
    let program = StanProgram::of(model, &[], &[what]).unwrap_or_else(|error| panic!("{what}: {error}"));
    let parsed = StanModel::parse(&program.text).unwrap_or_else(|e| panic!("{what}: {e}\n{}", program.text));
    let posterior =
        parsed.with_data(&program.data).unwrap_or_else(|e| panic!("{what}: {e}\n{}", program.text));
    let exact = ExactPosterior::new(model).unwrap();
    let hyperparameters = model.hyperparameters();
    let (of_program, of_model) = (posterior.dim(), exact.dim());
    assert_eq!(of_program, of_model, "{what}\n{}", program.text);
    let mut differences = vec![];
    for point in 0..6 {
        let x: Vec<f64> = (0..of_program).map(|k| wave(k, point)).collect();
        let values = named(&posterior, &x);
        let (effect, mut ln) = of_effect(&values, name, hyperparameters.len() - response.len());
        let natural: Vec<f64> = response.iter().map(|own| values[*own]).chain(effect).collect();
        let theta: Vec<f64> =
            hyperparameters.iter().zip(&natural).map(|(own, x)| own.scale.unconstrained(*x)).collect();
        for ((own, t), natural) in hyperparameters.iter().zip(&theta).zip(&natural) {
            if own.scale == HyperScale::Correlation {
                ln += (-natural * natural).ln_1p() - own.scale.slope(*t).ln();
            }
        }
        let columns = values.keys().filter(|own| own.starts_with("beta.")).count();
        let wanted: Vec<f64> = [latent(&values, name, seen), vector(&values, "beta", columns)].concat();
        // The latent values are linear in their coordinates.
        let at = |free: &[f64]| {
            let all = exact.values(&[&theta[..], free].concat()).unwrap();
            DVector::from_vec(all[theta.len()..].to_vec())
        };
        let count = of_model - theta.len();
        let unit = |k: usize| (0..count).map(|i| f64::from(u8::from(i == k))).collect::<Vec<_>>();
        let linear: Vec<_> = (0..count).map(|k| at(&unit(k))).collect();
        let matrix = DMatrix::from_columns(&linear);
        let wanted = DVector::from_vec(wanted);
        let free = matrix.clone().svd(true, true).solve(&wanted, 1e-12).unwrap();
        assert!((&matrix * &free - &wanted).amax() < 1e-9, "{what}: other latent values\n{}", program.text);
        let point = [&theta[..], free.as_slice()].concat();
        differences.push(posterior.ln_density(&x).unwrap() - exact.ln_density(&point).unwrap() - ln);
    }
    for own in &differences {
        let off = (own - differences[0]).abs();
        assert!(off < 1e-9 * (1.0 + own.abs()), "{what}: {differences:?}\n{}", program.text);
    }
}

/// Where the rows see the effect of this name in the table of effects.
fn seen(what: &str) -> Vec<usize> {
    indices(match what {
        "groups" => 9,
        "besag" => 10,
        "pair" => 7,
        "triple" => 6,
        _ => 12,
    })
}

fn written(what: &str) -> &'static [&'static str] {
    match what {
        "gaussian" => &["sigma"],
        "negative binomial" => &["phi"],
        "gamma" => &["shape"],
        _ => &[],
    }
}

#[test]
fn every_effect_that_is_written() {
    let mut count = 0;
    for place in [0, 1] {
        for (name, effect) in effects() {
            if ["matern", "autoregression", "bym2"].contains(&name) {
                continue;
            }
            let (family, response, y) = families().swap_remove(place);
            let called = if ["pair", "triple"].contains(&name) { name } else { "u" };
            same(
                &format!("{family}, {name}"),
                &model(response, &y, effect),
                written(family),
                called,
                &seen(name),
            );
            count += 1;
        }
    }
    assert_eq!(count, 12);
}

#[test]
fn every_family_that_is_written() {
    for (name, response, y) in families() {
        let (_, effect) = effects().swap_remove(1);
        same(name, &model(response, &y, effect), written(name), "u", &seen("walk"));
    }
    let y: Vec<f64> = (0..ROWS).map(|row| 0.5 + 0.45 * (1.9 * row as f64).sin()).collect();
    let groups = || FieldEffect::groups("u", 9).unwrap().at(&indices(9)).unwrap();
    let student = StudentResponse::new(1.0).unwrap();
    same("student", &weighted(student, &y, groups()), &["sigma", "nu"], "u", &indices(9));
    let log_normal = LogNormalResponse::new(1.0).unwrap();
    same("log-normal", &weighted(log_normal, &y, groups()), &["sigma"], "u", &indices(9));
    same("beta", &weighted(BetaResponse::new(), &y, groups()), &["phi"], "u", &indices(9));
    let known = FamilyResponse::gaussian_with_sd(0.7).unwrap();
    same("known", &weighted(known, &y, groups()), &[], "u", &indices(9));
}

/// A model with weights, an offset, a slope of each group, a flat column and one that is not.
fn weighted(response: impl Response + 'static, y: &[f64], effect: PlacedEffect) -> HierarchicalModel {
    let own = |k: usize| (0..ROWS).map(|row| wave(row, k)).collect::<Vec<f64>>();
    let weights: Vec<f64> = (0..ROWS).map(|row| [1.0, 2.0, 0.5][row % 3]).collect();
    let model = HierarchicalModel::new(response, y).unwrap().weights(&weights).unwrap();
    let model = model.offset(&own(3)).unwrap().intercept().unwrap();
    model.column_with_sd("x", &own(4), 1.7).unwrap().effect(effect).unwrap()
}

#[test]
fn every_prior_that_is_written() {
    let priors = || {
        [
            HyperparameterPrior::density(Exponential::new(0.3).unwrap()),
            HyperparameterPrior::density(Gamma::shape_rate(2.0, 0.5).unwrap()),
            HyperparameterPrior::density(HalfNormal::new(0.7).unwrap()),
            HyperparameterPrior::density(HalfStudentT::new(4.0, 0.6).unwrap()),
            HyperparameterPrior::density(LogNormal::new(0.2, 0.8).unwrap()),
            HyperparameterPrior::flat(),
            HyperparameterPrior::reciprocal(),
            HyperparameterPrior::inverse_root_above(1.0, 0.2).unwrap(),
        ]
    };
    let factors: Vec<f64> = (0..ROWS).map(|row| wave(row, 5)).collect();
    for prior in priors() {
        let what = prior.to_string();
        let slopes = FieldEffect::groups("u", 9).unwrap().times(&indices(9), &factors).unwrap();
        let (_, response, y) = families().swap_remove(1);
        let model = model(response, &y, slopes).with_prior("sd(u)", prior).unwrap();
        same(&what, &model, &[], "u", &indices(9));
    }
    let (_, response, y) = families().swap_remove(1);
    let (_, pair) = effects().swap_remove(7);
    let correlation = HyperparameterPrior::density(Normal::mean_sd(0.0, 0.4).unwrap());
    let model = model(response, &y, pair).with_prior("correlation(pair: a, b)", correlation).unwrap();
    same("correlation", &model, &[], "pair", &indices(7));
}

#[test]
fn what_is_not_written_is_named() {
    let refused = |model: &HierarchicalModel| StanProgram::of(model, &[], &[]).unwrap_err().to_string();
    for (name, effect) in effects() {
        if ["matern", "autoregression", "bym2"].contains(&name) {
            let (_, response, y) = families().swap_remove(1);
            let message = refused(&model(response, &y, effect));
            assert_eq!(message, "the effect \"u\" is not written in Stan's language");
        }
    }
    let groups = || FieldEffect::groups("u", 9).unwrap().at(&indices(9)).unwrap();
    let y = vec![1.0; ROWS];
    let message = refused(&weighted(SurvivalResponse::weibull(), &y, groups()));
    assert!(message.contains("the response \"response\""), "{message}");
    let (_, triple) = effects().swap_remove(8);
    let (_, response, y) = families().swap_remove(1);
    let flat = HyperparameterPrior::flat();
    let own = model(response, &y, triple).with_prior("partial correlation(triple: a, c)", flat).unwrap();
    let message = refused(&own);
    assert!(message.contains("the prior flat of \"partial correlation(triple: a, c)\""), "{message}");
    let halves: Vec<f64> = (0..ROWS).map(|row| 0.5 * (row % 3) as f64).collect();
    let message = refused(&weighted(FamilyResponse::binomial(), &halves, groups()));
    assert!(message.contains("a whole number, to be written"), "{message}");
    let model = weighted(FamilyResponse::poisson(), &vec![2.0; ROWS], groups());
    let priors = [("z".to_owned(), HyperparameterPrior::flat())];
    let message = StanProgram::of(&model, &priors, &[]).unwrap_err().to_string();
    assert!(message.contains("no column \"z\""), "{message}");
    let priors = [("x".to_owned(), HyperparameterPrior::density(Normal::mean_sd(1.0, 3.0).unwrap()))];
    let program = StanProgram::of(&model, &priors, &[]).unwrap();
    assert!(program.text.contains("beta[2] ~ normal(1, 3); // x"), "{}", program.text);
}
