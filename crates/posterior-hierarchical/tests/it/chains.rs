//! Mixtures of the nested approximation against chains on the exact posterior.

use std::collections::BTreeMap;

use posterior_datasets::tables::SLEEP_STUDY;
use posterior_dist::stream::stream;
use posterior_dist::target::{FromGradFn, Target as _};
use posterior_hierarchical::{
    EmbeddedLaplace, ExactPosterior, FamilyResponse, FieldEffect, FormulaSettings, HierarchicalFormula,
    HierarchicalModel, HierarchicalOptions, NewRows, PlaceEffect as _,
};
use posterior_regression::formula::FormulaData;
use posterior_sampling::hamiltonian::Nuts;
use posterior_sampling::{Run, Start};

const GROUPS: usize = 10;
const EACH: usize = 4;

/// Counts with small means, so that the approximation has something to do.
fn counts() -> Vec<f64> {
    let table = [
        [1, 0, 2, 1],
        [3, 2, 4, 1],
        [0, 0, 0, 1],
        [2, 5, 3, 4],
        [1, 1, 0, 2],
        [0, 1, 1, 0],
        [6, 4, 7, 5],
        [1, 2, 2, 0],
        [0, 0, 1, 0],
        [2, 1, 3, 3],
    ];
    table.iter().flatten().map(|count| f64::from(*count)).collect()
}

fn column() -> Vec<f64> {
    (0..GROUPS * EACH).map(|row| (row % EACH) as f64 / 3.0 - 0.5).collect()
}

/// ln p of (ln σ, intercept, slope, z), with u = σ z; σ exponential with P(σ > 1) = 0.01.
fn exact(theta: &[f64], gradient: &mut [f64]) -> f64 {
    let (y, x, rate) = (counts(), column(), -(0.01_f64).ln());
    let sd = theta[0].exp();
    let mut ln = theta[0] - rate * sd;
    gradient.fill(0.0);
    gradient[0] = 1.0 - rate * sd;
    for g in 0..GROUPS {
        let z = theta[3 + g];
        ln -= 0.5 * z * z;
        gradient[3 + g] -= z;
        for row in g * EACH..(g + 1) * EACH {
            let eta = theta[1] + theta[2] * x[row] + sd * z;
            let slope = y[row] - eta.exp();
            ln += y[row] * eta - eta.exp();
            gradient[0] += slope * sd * z;
            gradient[1] += slope;
            gradient[2] += slope * x[row];
            gradient[3 + g] += slope * sd;
        }
    }
    ln
}

/// Means, standard deviations and quantiles within four standard errors of the chain and 3 % of a standard
/// deviation.
#[test]
fn marginals_are_those_of_a_chain() {
    let groups: Vec<usize> = (0..GROUPS * EACH).map(|row| row / EACH).collect();
    let model = HierarchicalModel::new(FamilyResponse::poisson(), &counts())
        .unwrap()
        .intercept()
        .unwrap()
        .column("x", &column())
        .unwrap()
        .effect(FieldEffect::groups("group", GROUPS).unwrap().at(&groups).unwrap())
        .unwrap();
    let fit = model.fit(&HierarchicalOptions::default()).unwrap();
    let target = FromGradFn::new(3 + GROUPS, exact);
    // The library's own exact posterior is the same, in another order, up to a constant.
    let own = ExactPosterior::new(&model).unwrap();
    let difference = |seed: f64| {
        let point: Vec<f64> = (0..3 + GROUPS).map(|j| 0.4 * (seed + 1.3 * j as f64).sin()).collect();
        let mut ours = vec![point[0]];
        ours.extend_from_slice(&point[3..]);
        ours.extend_from_slice(&point[1..3]);
        target.ln_density(&point).unwrap() - own.ln_density(&ours).unwrap()
    };
    assert!((difference(0.0) - difference(2.0)).abs() < 1e-11);
    let run = Run { seed: 8, draws: 10_000, ..Run::default() };
    let draws = run.sample(&target, &Nuts::default(), &Start::default()).unwrap().draws;
    let names = ["sd", "intercept", "x"].map(str::to_owned).into_iter();
    let names: Vec<String> = names.chain((0..GROUPS).map(|g| format!("u{g}"))).collect();
    let draws = draws
        .map(names, |theta, out| {
            out.copy_from_slice(theta);
            out[0] = theta[0].exp();
            out[3..].iter_mut().for_each(|u| *u *= theta[0].exp());
        })
        .unwrap();
    let mut own = Vec::new();
    let hyper = fit.hyperparameter("sd(group)").unwrap();
    own.push((hyper.mean(), hyper.sd(), [0.05, 0.5, 0.95].map(|p| hyper.quantile(p))));
    let marginals = [fit.fixed("intercept").unwrap(), fit.fixed("x").unwrap()];
    for marginal in marginals.iter().chain(&fit.effect("group").unwrap()) {
        own.push((marginal.mean(), marginal.sd(), [0.05, 0.5, 0.95].map(|p| marginal.quantile(p))));
    }
    for ((k, (mean, sd, quantiles)), row) in own.iter().enumerate().zip(&draws.summary().parameters) {
        let name = &row.name;
        let (exact, spread, mcse) =
            (*row.mean.as_ref().unwrap(), *row.sd.as_ref().unwrap(), *row.mcse.as_ref().unwrap());
        assert!((mean - exact).abs() < 4.0 * mcse + 0.03 * spread, "{name}: mean {mean} {exact} {spread}");
        assert!((sd / spread - 1.0).abs() < 0.05, "{name}: sd {sd} {spread}");
        let mut sorted = draws.parameter(k).concat();
        sorted.sort_by(f64::total_cmp);
        for (p, own) in [0.05, 0.5, 0.95].into_iter().zip(quantiles) {
            let theirs = sorted[(p * sorted.len() as f64) as usize];
            assert!((own - theirs).abs() < 0.08 * spread, "{name}: quantile {p} {own} {theirs} {spread}");
        }
    }
    // Draws of the approximation, and a contrast.
    let own = fit.draws(4000, &mut stream(5, &[])).unwrap();
    assert_eq!(own.names()[0], "sd(group)");
    let difference =
        &fit.predict(&NewRows::new(1).through("group", &[(0, 6, 1.0), (0, 8, -1.0)])).unwrap()[0];
    let [a, b] = [6, 8].map(|g| draws.named(&format!("u{g}")).unwrap().concat());
    let exact: f64 = a.iter().zip(&b).map(|(a, b)| a - b).sum::<f64>() / a.len() as f64;
    assert!((difference.mean() - exact).abs() < 0.05, "{} {exact}", difference.mean());
}

/// The fit of a model against a chain on its exact posterior, by names: means and standard deviations within
/// four standard errors of the chain and a part of the standard deviation.
pub(crate) fn compare(model: &HierarchicalModel, seed: u64, mean_tolerance: f64, sd_tolerance: f64) {
    let fit = model.fit(&HierarchicalOptions::default()).unwrap();
    let target = ExactPosterior::new(model).unwrap();
    let run = Run { seed, draws: 8_000, ..Run::default() };
    let draws = run.sample(&target, &target.sampler(), &Start::default()).unwrap().draws;
    let draws =
        draws.map(target.names(), |point, out| out.copy_from_slice(&target.values(point).unwrap())).unwrap();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for row in &draws.summary().parameters {
        let (exact, spread) = (*row.mean.as_ref().unwrap(), *row.sd.as_ref().unwrap());
        let name = row.name.as_str();
        let (mean, sd) = match name.split_once('[') {
            Some((effect, _)) => {
                let place = places.entry(effect.to_owned()).or_default();
                let own = fit.effect(effect).unwrap().swap_remove(*place);
                *place += 1;
                (own.mean(), own.sd())
            }
            None => fit.fixed(name).map_or_else(
                |_| {
                    let own = fit.hyperparameter(name).unwrap();
                    (own.mean(), own.sd())
                },
                |own| (own.mean(), own.sd()),
            ),
        };
        let error = 4.0 * row.mcse.as_ref().unwrap() / spread;
        let off = (mean - exact).abs() / spread;
        assert!(off < error + mean_tolerance, "{name}: mean {mean} {exact} ± {spread}");
        // The standard error of a standard deviation is 1 / √2 of that of the mean.
        let allowed = error * std::f64::consts::FRAC_1_SQRT_2 + sd_tolerance;
        assert!((sd / spread - 1.0).abs() < allowed, "{name}: sd {sd} {spread}");
    }
}

/// Days with rain in three years, month by month: successes of few trials along a random walk.
#[test]
fn proportions_along_a_walk() {
    let days = [0.0, 1.0, 1.0, 2.0, 3.0, 3.0, 2.0, 3.0, 1.0, 2.0, 0.0, 1.0, 1.0, 0.0, 2.0, 3.0];
    let proportions = days.map(|count: f64| count / 3.0);
    let months: Vec<usize> = (0..16).collect();
    let walk = FieldEffect::random_walk("month", 16).unwrap().at(&months).unwrap();
    let model = HierarchicalModel::new(FamilyResponse::binomial(), &proportions)
        .unwrap()
        .weights(&[3.0; 16])
        .unwrap()
        .intercept()
        .unwrap()
        .effect(walk)
        .unwrap();
    // With three trials in a month the curvature at the mode is too large: deviations are 7 % too small.
    compare(&model, 12, 0.05, 0.08);
}

/// Two hyperparameters: the size of negative binomial counts, and the spread of groups.
#[test]
fn overdispersed_counts_in_groups() {
    let y = [
        3.0, 0.0, 5.0, 9.0, 2.0, 1.0, 14.0, 7.0, 4.0, 0.0, 0.0, 2.0, 6.0, 11.0, 3.0, 8.0, 1.0, 1.0, 0.0, 4.0,
        21.0, 9.0, 13.0, 5.0, 2.0, 3.0, 7.0, 1.0, 0.0, 1.0, 1.0, 2.0,
    ];
    let groups: Vec<usize> = (0..32).map(|row| row / 4).collect();
    let model = HierarchicalModel::new(FamilyResponse::negative_binomial(), &y)
        .unwrap()
        .intercept()
        .unwrap()
        .effect(FieldEffect::groups("group", 8).unwrap().at(&groups).unwrap())
        .unwrap();
    // The size has a long tail, of which mean and deviation say little: quantiles are compared.
    let fit = model.fit(&HierarchicalOptions::default()).unwrap();
    let target = ExactPosterior::new(&model).unwrap();
    let run = Run { seed: 4, draws: 8_000, ..Run::default() };
    let draws = run.sample(&target, &Nuts::default(), &Start::default()).unwrap().draws;
    let draws =
        draws.map(target.names(), |point, out| out.copy_from_slice(&target.values(point).unwrap())).unwrap();
    // On the same lines by brute force: what is left is Laplace's approximation of the latent values.
    let embedded = EmbeddedLaplace::new(&model).unwrap();
    let points: Vec<[f64; 2]> = (0..120 * 100)
        .map(|k| [-3.0 + 0.15 * f64::from(k % 120), -7.0 + 0.085 * f64::from(k / 120)])
        .collect();
    let base = embedded.ln_density(&[1.0, -0.5]).unwrap();
    let grid: Vec<(f64, Vec<f64>)> = points
        .iter()
        .map(|theta| ((embedded.ln_density(theta).unwrap() - base).exp(), embedded.natural(theta)))
        .collect();
    let sum: f64 = grid.iter().map(|(weight, _)| weight).sum();
    for (place, name) in fit.hyperparameter_names().into_iter().enumerate() {
        let own = fit.hyperparameter(&name).unwrap();
        for p in [0.05, 0.25, 0.5, 0.75, 0.95] {
            let at = own.quantile(p);
            // Cells count by the part of them that is below.
            let (line, width) = (at.ln(), if place == 0 { 0.15 } else { 0.085 });
            let part = |t: f64| ((line - t) / width + 0.5).clamp(0.0, 1.0);
            let below: f64 = grid.iter().map(|(weight, natural)| weight * part(natural[place].ln())).sum();
            assert!((below / sum - p).abs() < 0.02, "{name}: {p} {} on the grid, at {at}", below / sum);
        }
    }
    for name in ["size", "sd(group)"] {
        let own = fit.hyperparameter(name).unwrap();
        let sample = draws.named(name).unwrap().concat();
        for p in [0.05, 0.25, 0.5, 0.75, 0.95] {
            let at = own.quantile(p);
            let below = sample.iter().filter(|x| **x < at).count() as f64 / sample.len() as f64;
            assert!((below - p).abs() < 0.03, "{name}: {p} {below} at {at}");
        }
    }
    let intercept = fit.fixed("intercept").unwrap();
    let sample = draws.named("intercept").unwrap().concat();
    for p in [0.05, 0.5, 0.95] {
        let at = intercept.quantile(p);
        let below = sample.iter().filter(|x| **x < at).count() as f64 / sample.len() as f64;
        assert!((below - p).abs() < 0.02, "intercept: {p} {below}");
    }
}

/// Four hyperparameters, on a lattice.
#[test]
fn lines_of_subjects() {
    let column = |place: usize| SLEEP_STUDY.rows().map(|row| row[place]).collect::<Vec<f64>>();
    let data = FormulaData::new(180)
        .with_numbers("days", column(1))
        .unwrap()
        .with_numbers("subject", column(2))
        .unwrap();
    let formula = "reaction ~ days + (days | subject)".parse().unwrap();
    let settings = FormulaSettings { scale: 56.0, ..FormulaSettings::default() };
    let learned = HierarchicalFormula::learn(&formula, &data, &[], &settings).unwrap();
    let model = learned.model(FamilyResponse::gaussian(56.0).unwrap(), &column(0), &data).unwrap();
    compare(&model, 2, 0.02, 0.05);
}
