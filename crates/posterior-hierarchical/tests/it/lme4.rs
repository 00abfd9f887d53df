//! REML and ML of classic data: the numbers of R's lme4 1.1-31, with the optimizer bobyqa to its last digits.

use posterior_datasets::tables::SLEEP_STUDY;
use posterior_hierarchical::{
    CorrelatedGroups, FamilyResponse, FieldEffect, HierarchicalFit, HierarchicalModel, HierarchicalOptions,
    HyperEstimate, PlaceEffect as _, PlacedEffect,
};

fn options(estimate: HyperEstimate) -> HierarchicalOptions {
    HierarchicalOptions { estimate, ..HierarchicalOptions::default() }
}

/// Relative to the numbers of lme4.
#[track_caller]
fn assert_close(found: f64, expected: f64, tolerance: f64) {
    assert!((found / expected - 1.0).abs() < tolerance, "{found} is not {expected}");
}

fn hyper(fit: &HierarchicalFit<'_>, name: &str) -> f64 {
    fit.mode().into_iter().find(|(own, _)| own == name).unwrap().1
}

/// Yields of five samples of each of six batches of dyestuff.
const YIELD: [f64; 30] = [
    1545.0, 1440.0, 1440.0, 1520.0, 1580.0, 1540.0, 1555.0, 1490.0, 1560.0, 1495.0, 1595.0, 1550.0, 1605.0,
    1510.0, 1560.0, 1445.0, 1440.0, 1595.0, 1465.0, 1545.0, 1595.0, 1630.0, 1515.0, 1635.0, 1625.0, 1520.0,
    1455.0, 1450.0, 1480.0, 1445.0,
];

/// Diameters on 24 plates (rows of six) with six samples of penicillin.
const DIAMETER: [f64; 144] = [
    27.0, 23.0, 26.0, 23.0, 23.0, 21.0, 27.0, 23.0, 26.0, 23.0, 23.0, 21.0, 25.0, 21.0, 25.0, 24.0, 24.0,
    20.0, 26.0, 23.0, 25.0, 23.0, 23.0, 20.0, 25.0, 22.0, 26.0, 22.0, 23.0, 20.0, 24.0, 22.0, 25.0, 23.0,
    22.0, 19.0, 24.0, 20.0, 23.0, 21.0, 22.0, 19.0, 26.0, 22.0, 26.0, 24.0, 24.0, 21.0, 24.0, 21.0, 24.0,
    22.0, 22.0, 20.0, 24.0, 21.0, 24.0, 23.0, 22.0, 19.0, 26.0, 23.0, 26.0, 24.0, 24.0, 21.0, 25.0, 22.0,
    26.0, 24.0, 24.0, 20.0, 26.0, 24.0, 26.0, 24.0, 25.0, 22.0, 26.0, 23.0, 26.0, 23.0, 23.0, 20.0, 26.0,
    23.0, 25.0, 24.0, 24.0, 22.0, 25.0, 22.0, 25.0, 23.0, 23.0, 20.0, 25.0, 21.0, 24.0, 23.0, 23.0, 20.0,
    25.0, 22.0, 24.0, 23.0, 23.0, 19.0, 24.0, 21.0, 23.0, 21.0, 21.0, 19.0, 26.0, 23.0, 26.0, 24.0, 24.0,
    21.0, 25.0, 21.0, 24.0, 22.0, 22.0, 18.0, 25.0, 22.0, 25.0, 22.0, 22.0, 20.0, 24.0, 21.0, 24.0, 22.0,
    24.0, 19.0, 24.0, 21.0, 24.0, 22.0, 21.0, 18.0,
];

/// Strengths of pastes: two of each of three casks of ten batches (rows of six).
const STRENGTH: [f64; 60] = [
    62.8, 62.6, 60.1, 62.3, 62.7, 63.1, 60.0, 61.4, 57.5, 56.9, 61.1, 58.9, 58.7, 57.5, 63.9, 63.1, 65.4,
    63.7, 57.1, 56.4, 56.9, 58.6, 64.7, 64.5, 55.1, 55.1, 54.7, 54.2, 58.8, 57.5, 63.4, 64.9, 59.3, 58.1,
    60.5, 60.0, 62.5, 62.6, 61.0, 58.7, 56.9, 57.7, 59.2, 59.4, 65.2, 66.0, 64.8, 64.1, 54.8, 54.8, 64.0,
    64.0, 57.7, 56.8, 58.3, 59.3, 59.2, 59.2, 58.9, 56.6,
];

/// Herds, periods, cases and sizes of an infection of cattle.
const CATTLE: [(usize, usize, f64, f64); 56] = [
    (0, 0, 2.0, 14.0),
    (0, 1, 3.0, 12.0),
    (0, 2, 4.0, 9.0),
    (0, 3, 0.0, 5.0),
    (1, 0, 3.0, 22.0),
    (1, 1, 1.0, 18.0),
    (1, 2, 1.0, 21.0),
    (2, 0, 8.0, 22.0),
    (2, 1, 2.0, 16.0),
    (2, 2, 0.0, 16.0),
    (2, 3, 2.0, 20.0),
    (3, 0, 2.0, 10.0),
    (3, 1, 0.0, 10.0),
    (3, 2, 2.0, 9.0),
    (3, 3, 0.0, 6.0),
    (4, 0, 5.0, 18.0),
    (4, 1, 0.0, 25.0),
    (4, 2, 0.0, 24.0),
    (4, 3, 1.0, 4.0),
    (5, 0, 3.0, 17.0),
    (5, 1, 0.0, 17.0),
    (5, 2, 0.0, 18.0),
    (5, 3, 1.0, 20.0),
    (6, 0, 8.0, 16.0),
    (6, 1, 1.0, 10.0),
    (6, 2, 3.0, 9.0),
    (6, 3, 0.0, 5.0),
    (7, 0, 12.0, 34.0),
    (8, 0, 2.0, 9.0),
    (8, 1, 0.0, 6.0),
    (8, 2, 0.0, 8.0),
    (8, 3, 0.0, 6.0),
    (9, 0, 1.0, 22.0),
    (9, 1, 1.0, 22.0),
    (9, 2, 0.0, 18.0),
    (9, 3, 2.0, 22.0),
    (10, 0, 0.0, 25.0),
    (10, 1, 5.0, 27.0),
    (10, 2, 3.0, 22.0),
    (10, 3, 1.0, 22.0),
    (11, 0, 2.0, 10.0),
    (11, 1, 1.0, 8.0),
    (11, 2, 0.0, 6.0),
    (11, 3, 0.0, 5.0),
    (12, 0, 1.0, 21.0),
    (12, 1, 2.0, 24.0),
    (12, 2, 0.0, 19.0),
    (12, 3, 0.0, 23.0),
    (13, 0, 11.0, 19.0),
    (13, 1, 0.0, 2.0),
    (13, 2, 0.0, 3.0),
    (13, 3, 0.0, 2.0),
    (14, 0, 1.0, 19.0),
    (14, 1, 1.0, 15.0),
    (14, 2, 1.0, 15.0),
    (14, 3, 0.0, 15.0),
];

fn sleep(estimate: HyperEstimate, check: impl Fn(&HierarchicalFit<'_>)) {
    let reaction: Vec<f64> = SLEEP_STUDY.rows().map(|row| row[0]).collect();
    let days: Vec<f64> = SLEEP_STUDY.rows().map(|row| row[1]).collect();
    let subjects: Vec<usize> = (0..180).map(|row| row / 10).collect();
    let groups = CorrelatedGroups::new("subject", 18, ["intercept", "days"]).unwrap();
    let placed = groups.with_columns(&subjects, &[&[1.0; 180], &days]).unwrap();
    let placed = placed.starting_at("sd(subject: intercept)", 20.0).unwrap();
    let placed = placed.starting_at("sd(subject: days)", 5.0).unwrap();
    let model = HierarchicalModel::new(FamilyResponse::gaussian(50.0).unwrap(), &reaction)
        .unwrap()
        .intercept()
        .unwrap()
        .column("days", &days)
        .unwrap()
        .effect(placed)
        .unwrap();
    check(&model.fit(&options(estimate)).unwrap());
}

#[test]
fn sleep_study_by_reml() {
    sleep(HyperEstimate::RestrictedLikelihood, |fit| {
        assert_close(-2.0 * fit.ln_marginal_likelihood(), 1743.6282719585, 1e-12);
        assert_close(hyper(fit, "sd(subject: intercept)"), 24.7404476166998, 1e-6);
        assert_close(hyper(fit, "sd(subject: days)"), 5.9221332595791, 1e-6);
        assert_close(hyper(fit, "correlation(subject: intercept, days)"), 0.0655513428535, 1e-5);
        assert_close(hyper(fit, "sd"), 25.5918158926241, 1e-6);
        let [intercept, days] = ["intercept", "days"].map(|name| fit.fixed(name).unwrap());
        assert_close(intercept.mean(), 251.405104848486, 1e-10);
        assert_close(intercept.sd(), 6.82455577628, 1e-6);
        assert_close(days.mean(), 10.467285959596, 1e-10);
        assert_close(days.sd(), 1.54578893243, 1e-6);
    });
}

#[test]
fn sleep_study_by_ml() {
    sleep(HyperEstimate::Likelihood, |fit| {
        assert_close(-2.0 * fit.ln_marginal_likelihood(), 1751.9393444632, 1e-12);
        assert_close(hyper(fit, "sd(subject: intercept)"), 23.7805649757856, 1e-6);
        assert_close(hyper(fit, "sd(subject: days)"), 5.7168345798898, 1e-6);
        assert_close(hyper(fit, "correlation(subject: intercept, days)"), 0.0813199745871, 1e-5);
        assert_close(hyper(fit, "sd"), 25.5918158320228, 1e-6);
        assert_close(fit.fixed("intercept").unwrap().mean(), 251.405104848484, 1e-9);
        assert_close(fit.fixed("days").unwrap().mean(), 10.467285959596, 1e-9);
        let groups = fit.effect("subject").unwrap();
        let modes =
            [2.81568222228, 9.07553412033, -40.04848528405, -8.64406774193, -38.43315145598, -5.51337914805];
        for (own, expected) in groups.iter().zip(modes) {
            assert_close(own.mean(), expected, 1e-5);
        }
    });
}

fn batches(y: &[f64; 30]) -> HierarchicalModel {
    let batches: Vec<usize> = (0..30).map(|row| row / 5).collect();
    HierarchicalModel::new(FamilyResponse::gaussian(60.0).unwrap(), y)
        .unwrap()
        .intercept()
        .unwrap()
        .effect(
            FieldEffect::groups("batch", 6)
                .unwrap()
                .at(&batches)
                .unwrap()
                .starting_at("sd(batch)", 30.0)
                .unwrap(),
        )
        .unwrap()
}

#[test]
fn dyestuff() {
    let model = batches(&YIELD);
    let reml = model.fit(&options(HyperEstimate::RestrictedLikelihood)).unwrap();
    assert_close(-2.0 * reml.ln_marginal_likelihood(), 319.65427684226, 1e-12);
    assert_close(hyper(&reml, "sd(batch)"), 42.00059463, 1e-6);
    assert_close(hyper(&reml, "sd"), 49.5101000907, 1e-6);
    assert_close(reml.fixed("intercept").unwrap().mean(), 1527.5, 1e-12);
    assert_close(reml.fixed("intercept").unwrap().sd(), 19.3834119437, 1e-6);
    let ml = model.fit(&options(HyperEstimate::Likelihood)).unwrap();
    assert_close(-2.0 * ml.ln_marginal_likelihood(), 327.32705988114, 1e-12);
    assert_close(hyper(&ml, "sd(batch)"), 37.2603461564, 1e-6);
    assert_close(hyper(&ml, "sd"), 49.5100997868, 1e-6);
}

#[test]
fn penicillin_with_crossed_groups() {
    let plates: Vec<usize> = (0..144).map(|row| row / 6).collect();
    let samples: Vec<usize> = (0..144).map(|row| row % 6).collect();
    let model = HierarchicalModel::new(FamilyResponse::gaussian(1.0).unwrap(), &DIAMETER)
        .unwrap()
        .intercept()
        .unwrap()
        .effect(FieldEffect::groups("plate", 24).unwrap().at(&plates).unwrap())
        .unwrap()
        .effect(FieldEffect::groups("sample", 6).unwrap().at(&samples).unwrap())
        .unwrap();
    let reml = model.fit(&options(HyperEstimate::RestrictedLikelihood)).unwrap();
    assert_close(-2.0 * reml.ln_marginal_likelihood(), 330.86058899109, 1e-12);
    assert_close(hyper(&reml, "sd(plate)"), 0.8467043995, 1e-6);
    assert_close(hyper(&reml, "sd(sample)"), 1.931558700717, 1e-6);
    assert_close(hyper(&reml, "sd"), 0.549923126502, 1e-6);
    assert_close(reml.fixed("intercept").unwrap().sd(), 0.808573511696, 1e-6);
    let ml = model.fit(&options(HyperEstimate::Likelihood)).unwrap();
    assert_close(-2.0 * ml.ln_marginal_likelihood(), 332.1883486685, 1e-12);
    assert_close(hyper(&ml, "sd(plate)"), 0.845572201891, 1e-6);
    assert_close(hyper(&ml, "sd(sample)"), 1.770646447376, 1e-6);
    assert_close(hyper(&ml, "sd"), 0.549932192325, 1e-6);
}

#[test]
fn pastes_with_nested_groups() {
    let batches: Vec<usize> = (0..60).map(|row| row / 6).collect();
    let casks: Vec<usize> = (0..60).map(|row| row / 2).collect();
    let model = HierarchicalModel::new(FamilyResponse::gaussian(1.0).unwrap(), &STRENGTH)
        .unwrap()
        .intercept()
        .unwrap()
        .effect(FieldEffect::groups("cask", 30).unwrap().at(&casks).unwrap())
        .unwrap()
        .effect(FieldEffect::groups("batch", 10).unwrap().at(&batches).unwrap())
        .unwrap();
    let reml = model.fit(&options(HyperEstimate::RestrictedLikelihood)).unwrap();
    assert_close(-2.0 * reml.ln_marginal_likelihood(), 246.99074585349, 1e-12);
    assert_close(hyper(&reml, "sd(cask)"), 2.904077585127, 1e-6);
    assert_close(hyper(&reml, "sd(batch)"), 1.287365170186, 1e-5);
    assert_close(hyper(&reml, "sd"), 0.823407544345, 1e-6);
    let ml = model.fit(&options(HyperEstimate::Likelihood)).unwrap();
    assert_close(-2.0 * ml.ln_marginal_likelihood(), 247.99446586242, 1e-12);
    assert_close(hyper(&ml, "sd(cask)"), 2.9040776005, 1e-6);
    assert_close(hyper(&ml, "sd(batch)"), 1.095059610107, 1e-5);
}

pub(crate) fn herds() -> Vec<usize> {
    CATTLE.iter().map(|row| row.0).collect()
}

/// Proportions of cattle that fell ill, by four periods, with an effect of herds.
pub(crate) fn cattle(herd: PlacedEffect) -> HierarchicalModel {
    let proportions: Vec<f64> = CATTLE.iter().map(|(_, _, cases, size)| cases / size).collect();
    let sizes: Vec<f64> = CATTLE.iter().map(|row| row.3).collect();
    let mut model = HierarchicalModel::new(FamilyResponse::binomial(), &proportions)
        .unwrap()
        .weights(&sizes)
        .unwrap()
        .intercept()
        .unwrap();
    for period in 1..4 {
        let column: Vec<f64> = CATTLE.iter().map(|row| f64::from(u8::from(row.1 == period))).collect();
        model = model.column(format!("period{}", period + 1), &column).unwrap();
    }
    model.effect(herd).unwrap()
}

/// `glmer` at its maximum: Laplace's approximation with fixed effects among the parameters.
#[test]
fn infections_of_cattle() {
    let model = cattle(FieldEffect::groups("herd", 15).unwrap().at(&herds()).unwrap());
    let fit = model.fit(&options(HyperEstimate::Likelihood)).unwrap();
    assert_close(-2.0 * fit.ln_marginal_likelihood(), 184.05256374299, 1e-10);
    assert_close(hyper(&fit, "sd(herd)"), 0.642261385924, 1e-5);
    let expected = [
        ("intercept", -1.3985320591737, 0.232471763090),
        ("period2", -0.9923327941616, 0.306642105716),
        ("period3", -1.1286722331063, 0.326637381795),
        ("period4", -1.5803139390309, 0.427435736637),
    ];
    for (name, mean, sd) in expected {
        let own = fit.fixed(name).unwrap();
        assert_close(own.mean(), mean, 1e-5);
        // Second derivatives of glmer are by differences of the deviance.
        assert_close(own.sd(), sd, 2e-3);
    }
    let modes = [0.590019971670, -0.298897219434, 0.406255526560];
    for (own, mode) in fit.effect("herd").unwrap().iter().zip(modes) {
        assert_close(own.mean(), mode, 1e-4);
    }
}
