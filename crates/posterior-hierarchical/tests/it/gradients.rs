//! ln p(y | θ) has the gradient of its differences, for every effect and family.

use posterior_dist::stream::stream;
use posterior_dist::target::{GradTarget as _, Target as _};
use posterior_gaussian::FiniteElements;
use posterior_hierarchical::{
    Autoregression, Bym2, CorrelatedGroups, EmbeddedLaplace, FamilyResponse, FieldEffect, HierarchicalModel,
    MaternField, PlaceEffect as _, PlacedEffect,
};
use posterior_math::optimize::gradient_check;
use rand::RngExt as _;

pub(crate) const ROWS: usize = 60;

/// The neighbours of a ring of areas with a chord, and of a part of two.
pub(crate) fn map() -> Vec<Vec<usize>> {
    let mut map: Vec<Vec<usize>> = (0..8).map(|i| vec![(i + 7) % 8, (i + 1) % 8]).collect();
    map[0].push(4);
    map[4].push(0);
    map.push(vec![9]);
    map.push(vec![8]);
    map
}

pub(crate) fn indices(count: usize) -> Vec<usize> {
    (0..ROWS).map(|row| (7 * row + row / 11) % count).collect()
}

pub(crate) fn effects() -> Vec<(&'static str, PlacedEffect)> {
    let x: Vec<f64> = (0..ROWS).map(|row| (row as f64 * 0.7).sin()).collect();
    let ones = [1.0; ROWS];
    let pair = CorrelatedGroups::new("pair", 7, ["a", "b"]).unwrap();
    let square: Vec<f64> = x.iter().map(|x| x * x).collect();
    let triple = CorrelatedGroups::new("triple", 6, ["a", "b", "c"]).unwrap();
    let grid = FiniteElements::on_grid(&[4, 3], 1.0).unwrap();
    vec![
        ("groups", FieldEffect::groups("u", 9).unwrap().at(&indices(9)).unwrap()),
        ("walk", FieldEffect::random_walk("u", 12).unwrap().at(&indices(12)).unwrap()),
        ("second walk", FieldEffect::second_order_random_walk("u", 12).unwrap().at(&indices(12)).unwrap()),
        ("besag", FieldEffect::besag("u", &map()).unwrap().at(&indices(10)).unwrap()),
        ("matern", MaternField::new("u", &grid).unwrap().at(&indices(12)).unwrap()),
        ("autoregression", Autoregression::new("u", 12).unwrap().at(&indices(12)).unwrap()),
        ("bym2", Bym2::new("u", &map()).unwrap().at(&indices(10)).unwrap()),
        ("pair", pair.with_columns(&indices(7), &[&ones, &x]).unwrap()),
        ("triple", triple.with_columns(&indices(6), &[&ones, &x, &square]).unwrap()),
    ]
}

pub(crate) fn families() -> Vec<(&'static str, FamilyResponse, Vec<f64>)> {
    let mut rng = stream(11, &[]);
    let mut draws = |f: fn(f64) -> f64| -> Vec<f64> { (0..ROWS).map(|_| f(rng.random())).collect() };
    let counts = draws(|u| (6.0 * u * u).floor());
    vec![
        ("gaussian", FamilyResponse::gaussian(1.0).unwrap(), draws(|u| 3.0 * u - 1.0)),
        ("poisson", FamilyResponse::poisson(), counts.clone()),
        ("binomial", FamilyResponse::binomial(), draws(f64::round)),
        ("probit", FamilyResponse::probit(), draws(f64::round)),
        ("cloglog", FamilyResponse::complementary_log_log(), draws(f64::round)),
        ("negative binomial", FamilyResponse::negative_binomial(), counts),
        ("gamma", FamilyResponse::gamma(), draws(|u| 0.2 + 3.0 * u * u)),
    ]
}

pub(crate) fn model(family: FamilyResponse, y: &[f64], effect: PlacedEffect) -> HierarchicalModel {
    let weights: Vec<f64> = (0..ROWS).map(|row| 1.0 + f64::from(u8::from(row % 5 == 0))).collect();
    HierarchicalModel::new(family, y)
        .unwrap()
        .weights(&weights)
        .unwrap()
        .intercept()
        .unwrap()
        .column_with_sd("x", &(0..ROWS).map(|row| (row as f64).cos()).collect::<Vec<_>>(), 2.0)
        .unwrap()
        .effect(effect)
        .unwrap()
}

fn check(what: &str, family: FamilyResponse, y: &[f64], effect: PlacedEffect) {
    let model = model(family, y, effect);
    let target = EmbeddedLaplace::new(&model).unwrap();
    for offset in [-0.4, 0.3] {
        let theta: Vec<f64> = (0..target.dim()).map(|j| offset + 0.17 * j as f64).collect();
        let worst = gradient_check(
            |theta: &[f64], gradient: &mut [f64]| target.ln_density_grad(theta, gradient).unwrap(),
            &theta,
        );
        assert!(worst.error < 1e-7, "{what}: {worst:?}");
    }
}

#[test]
fn every_effect_with_counts_and_normal_responses() {
    for place in [0, 1] {
        for (name, effect) in effects() {
            let (family_name, family, y) = families().swap_remove(place);
            check(&format!("{family_name}, {name}"), family, &y, effect);
        }
    }
}

#[test]
fn every_family() {
    for (name, family, y) in families() {
        let effect = FieldEffect::random_walk("u", 12).unwrap().at(&indices(12)).unwrap();
        check(name, family, &y, effect);
    }
}
