//! Nested Laplace approximations beside long chains of Stan, by R's rstanarm 2.21.3.

use posterior_dist::Exponential;
use posterior_hierarchical::{
    FamilyResponse, FieldEffect, HierarchicalFit, HierarchicalModel, HierarchicalOptions,
    HyperparameterPrior, PlaceEffect as _, PlacedEffect,
};

use crate::lme4::{cattle, herds};

/// What the chain says of a quantity: its mean, with the standard error of that, its standard deviation, and
/// quantiles at 0.05 and 0.95.
type Chain = (&'static str, [f64; 5]);

/// Groups whose standard deviation has the prior of rstanarm: exponential with mean 1.
fn groups(name: &str, count: usize, rows: &[usize]) -> PlacedEffect {
    let prior = HyperparameterPrior::density(Exponential::new(1.0).unwrap());
    let effect = FieldEffect::groups(name, count).unwrap().at(rows).unwrap();
    effect.with_prior(&format!("sd({name})"), prior).unwrap()
}

/// Means within four standard errors of the chain and a part of a standard deviation, standard deviations
/// within a part of themselves.
fn agrees(fit: &HierarchicalFit<'_>, chain: &[Chain], mean_tolerance: f64, sd_tolerance: f64) {
    for (name, [mean, error, sd, low, high]) in chain {
        let own = if name.starts_with("sd(") {
            let own = fit.hyperparameter(name).unwrap();
            [own.mean(), own.sd(), own.quantile(0.05), own.quantile(0.95)]
        } else {
            let own = fit.fixed(name).unwrap();
            [own.mean(), own.sd(), own.quantile(0.05), own.quantile(0.95)]
        };
        assert!((own[0] - mean).abs() < 4.0 * error + mean_tolerance * sd, "{name}: {} {mean}", own[0]);
        assert!((own[1] / sd - 1.0).abs() < sd_tolerance, "{name}: {} {sd}", own[1]);
        for (own, end) in own[2..].iter().zip([low, high]) {
            // The error of such a quantile of normal draws is 2.1 times that of their mean.
            let allowed = 4.0 * 2.1 * error + (mean_tolerance + 0.04) * sd;
            assert!((own - end).abs() < allowed, "{name}: {own} {end}");
        }
    }
}

/// `stan_glmer(cbind(incidence, size - incidence) ~ period + (1 | herd), family = binomial)`, 40,000 draws.
#[test]
fn infections_of_cattle() {
    let model = cattle(groups("herd", 15, &herds()));
    let fit = model.fit(&HierarchicalOptions::default()).unwrap();
    agrees(
        &fit,
        &[
            ("intercept", [-1.410_80, 0.001_72, 0.254_90, -1.833_84, -1.009_59]),
            ("period2", [-1.003_12, 0.001_33, 0.312_23, -1.527_45, -0.506_05]),
            ("period3", [-1.146_42, 0.001_43, 0.330_19, -1.701_56, -0.616_40]),
            ("period4", [-1.628_74, 0.001_96, 0.441_69, -2.384_92, -0.941_73]),
            ("sd(herd)", [0.720_91, 0.001_62, 0.210_75, 0.423_87, 1.100_28]),
        ],
        0.02,
        0.05,
    );
}

/// Seizures of 59 patients in four periods each (P. F. Thall, S. C. Vail, Biometrics 46, 1990).
const SEIZURES: [f64; 236] = [
    5.0, 3.0, 3.0, 3.0, 3.0, 5.0, 3.0, 3.0, 2.0, 4.0, 0.0, 5.0, 4.0, 4.0, 1.0, 4.0, 7.0, 18.0, 9.0, 21.0,
    5.0, 2.0, 8.0, 7.0, 6.0, 4.0, 0.0, 2.0, 40.0, 20.0, 21.0, 12.0, 5.0, 6.0, 6.0, 5.0, 14.0, 13.0, 6.0, 0.0,
    26.0, 12.0, 6.0, 22.0, 12.0, 6.0, 8.0, 4.0, 4.0, 4.0, 6.0, 2.0, 7.0, 9.0, 12.0, 14.0, 16.0, 24.0, 10.0,
    9.0, 11.0, 0.0, 0.0, 5.0, 0.0, 0.0, 3.0, 3.0, 37.0, 29.0, 28.0, 29.0, 3.0, 5.0, 2.0, 5.0, 3.0, 0.0, 6.0,
    7.0, 3.0, 4.0, 3.0, 4.0, 3.0, 4.0, 3.0, 4.0, 2.0, 3.0, 3.0, 5.0, 8.0, 12.0, 2.0, 8.0, 18.0, 24.0, 76.0,
    25.0, 2.0, 1.0, 2.0, 1.0, 3.0, 1.0, 4.0, 2.0, 13.0, 15.0, 13.0, 12.0, 11.0, 14.0, 9.0, 8.0, 8.0, 7.0,
    9.0, 4.0, 0.0, 4.0, 3.0, 0.0, 3.0, 6.0, 1.0, 3.0, 2.0, 6.0, 7.0, 4.0, 4.0, 3.0, 1.0, 3.0, 22.0, 17.0,
    19.0, 16.0, 5.0, 4.0, 7.0, 4.0, 2.0, 4.0, 0.0, 4.0, 3.0, 7.0, 7.0, 7.0, 4.0, 18.0, 2.0, 5.0, 2.0, 1.0,
    1.0, 0.0, 0.0, 2.0, 4.0, 0.0, 5.0, 4.0, 0.0, 3.0, 11.0, 14.0, 25.0, 15.0, 10.0, 5.0, 3.0, 8.0, 19.0, 7.0,
    6.0, 7.0, 1.0, 1.0, 2.0, 3.0, 6.0, 10.0, 8.0, 8.0, 2.0, 1.0, 0.0, 0.0, 102.0, 65.0, 72.0, 63.0, 4.0, 3.0,
    2.0, 4.0, 8.0, 6.0, 5.0, 7.0, 1.0, 3.0, 1.0, 5.0, 18.0, 11.0, 28.0, 13.0, 6.0, 3.0, 4.0, 0.0, 3.0, 5.0,
    4.0, 3.0, 1.0, 23.0, 19.0, 8.0, 2.0, 3.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 4.0, 3.0, 2.0,
];
/// Seizures in the eight weeks before, and the ages.
const BEFORE: [f64; 59] = [
    11.0, 11.0, 6.0, 8.0, 66.0, 27.0, 12.0, 52.0, 23.0, 10.0, 52.0, 33.0, 18.0, 42.0, 87.0, 50.0, 18.0,
    111.0, 18.0, 20.0, 12.0, 9.0, 17.0, 28.0, 55.0, 9.0, 10.0, 47.0, 76.0, 38.0, 19.0, 10.0, 19.0, 24.0,
    31.0, 14.0, 11.0, 67.0, 41.0, 7.0, 22.0, 13.0, 46.0, 36.0, 38.0, 7.0, 36.0, 11.0, 151.0, 22.0, 41.0,
    32.0, 56.0, 24.0, 16.0, 22.0, 25.0, 13.0, 12.0,
];
const AGE: [f64; 59] = [
    31.0, 30.0, 25.0, 36.0, 22.0, 29.0, 31.0, 42.0, 37.0, 28.0, 36.0, 24.0, 23.0, 36.0, 26.0, 26.0, 28.0,
    31.0, 32.0, 21.0, 29.0, 21.0, 32.0, 25.0, 30.0, 40.0, 19.0, 22.0, 18.0, 32.0, 20.0, 30.0, 18.0, 24.0,
    30.0, 35.0, 27.0, 20.0, 22.0, 28.0, 23.0, 40.0, 33.0, 21.0, 35.0, 25.0, 26.0, 25.0, 22.0, 32.0, 25.0,
    35.0, 21.0, 41.0, 32.0, 26.0, 21.0, 36.0, 37.0,
];
/// The first patient with the drug.
const TREATED: usize = 28;

fn centred(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let values: Vec<f64> = values.collect();
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    values.into_iter().map(|value| value - mean).collect()
}

/// `stan_glmer(y ~ lb * t + la + V4 + (1 | subject) + (1 | row), family = poisson)`, 30,000 draws; `lb` and
/// `la` are centred logarithms of a quarter of the seizures before, and of the age. With a latent value for
/// each count Laplace's method takes the deviation of rows for 1 % smaller than it is.
#[test]
fn seizures_of_epileptics() {
    let patients: Vec<usize> = (0..236).map(|row| row / 4).collect();
    let (before, age) =
        (centred(BEFORE.iter().map(|count| (count / 4.0).ln())), centred(AGE.iter().map(|age| age.ln())));
    let column = |of: &dyn Fn(usize) -> f64| patients.iter().map(|&patient| of(patient)).collect::<Vec<_>>();
    let treated = |patient: usize| f64::from(u8::from(patient >= TREATED));
    let fourth: Vec<f64> = (0..236).map(|row| f64::from(u8::from(row % 4 == 3))).collect();
    let rows: Vec<usize> = (0..236).collect();
    let model = HierarchicalModel::new(FamilyResponse::poisson(), &SEIZURES)
        .unwrap()
        .intercept()
        .unwrap()
        .column("before", &column(&|i| before[i]))
        .unwrap()
        .column("treated", &column(&treated))
        .unwrap()
        .column("before, treated", &column(&|i| before[i] * treated(i)))
        .unwrap()
        .column("age", &column(&|i| age[i]))
        .unwrap()
        .column("fourth", &fourth)
        .unwrap()
        .effect(groups("patient", 59, &patients))
        .unwrap()
        .effect(groups("row", 236, &rows))
        .unwrap();
    let fit = model.fit(&HierarchicalOptions::default()).unwrap();
    agrees(
        &fit,
        &[
            ("intercept", [1.765_95, 0.000_93, 0.113_99, 1.576_98, 1.950_43]),
            ("before", [0.879_57, 0.001_17, 0.139_75, 0.649_70, 1.106_07]),
            ("treated", [-0.336_19, 0.001_27, 0.156_86, -0.594_98, -0.082_83]),
            ("before, treated", [0.351_15, 0.001_75, 0.216_07, -0.004_07, 0.708_26]),
            ("age", [0.480_15, 0.002_85, 0.370_67, -0.126_07, 1.088_37]),
            ("fourth", [-0.101_94, 0.000_50, 0.087_88, -0.246_10, 0.042_05]),
            ("sd(patient)", [0.503_29, 0.000_63, 0.070_93, 0.395_07, 0.626_72]),
            ("sd(row)", [0.366_03, 0.000_40, 0.043_95, 0.296_28, 0.440_60]),
        ],
        0.09,
        0.03,
    );
}
