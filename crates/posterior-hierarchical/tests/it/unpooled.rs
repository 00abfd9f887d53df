//! Values of effects by their own rows.

use posterior_hierarchical::{
    CorrelatedGroups, FamilyResponse, FieldEffect, HierarchicalModel, HierarchicalOptions, HyperEstimate,
    PlaceEffect as _,
};

const GROUPS: [usize; 12] = [0, 0, 0, 1, 1, 2, 2, 2, 2, 4, 4, 4];
const X: [f64; 12] = [0.3, 1.0, 2.0, 0.5, 1.5, 0.1, 0.9, 1.7, 2.2, 0.4, 1.1, 1.9];
const Y: [f64; 12] = [1.0, 3.0, 2.0, 0.0, 1.0, 4.0, 6.0, 5.0, 9.0, 2.0, 1.0, 2.0];

fn options() -> HierarchicalOptions {
    HierarchicalOptions { estimate: HyperEstimate::RestrictedLikelihood, ..HierarchicalOptions::default() }
}

/// Of normal responses the mean of what nothing else explains, and the regression of it on the column.
#[test]
fn of_normal_responses_they_are_means_and_regressions() {
    let placed = FieldEffect::groups("g", 5).unwrap().at(&GROUPS).unwrap();
    let model = HierarchicalModel::new(FamilyResponse::gaussian(1.0).unwrap(), &Y).unwrap();
    let model = model.intercept().unwrap().column("x", &X).unwrap().effect(placed).unwrap();
    let fit = model.fit(&options()).unwrap();
    let [level, slope] = ["intercept", "x"].map(|name| fit.fixed(name).unwrap().mean());
    let alone = fit.unpooled("g").unwrap();
    let pooled = fit.effect("g").unwrap();
    for group in [0, 1, 2, 4] {
        let rows: Vec<usize> = (0..12).filter(|&row| GROUPS[row] == group).collect();
        let mean = rows.iter().map(|&row| Y[row] - level - slope * X[row]).sum::<f64>() / rows.len() as f64;
        assert!((alone[group] - mean).abs() < 1e-9, "{} {mean}", alone[group]);
        let share = pooled[group].mean() / mean;
        assert!(share > 0.0 && share < 1.0, "{share}");
    }
    assert!(alone[3].is_nan());
    assert!(fit.unpooled("h").is_err());

    let rows = CorrelatedGroups::new("g", 5, ["1", "x"]).unwrap();
    let entries = GROUPS
        .iter()
        .zip(X)
        .enumerate()
        .flat_map(|(row, (group, x))| [(row, 2 * group, 1.0), (row, 2 * group + 1, x)]);
    let seen =
        posterior_math::sparse::SparseMatrix::from_triplets(12, 10, entries.collect::<Vec<_>>()).unwrap();
    let model = HierarchicalModel::new(FamilyResponse::gaussian(1.0).unwrap(), &Y).unwrap();
    let model = model.intercept().unwrap().effect(rows.through(seen).unwrap()).unwrap();
    let fit =
        model.fit(&HierarchicalOptions { estimate: HyperEstimate::PosteriorMode, ..options() }).unwrap();
    let (alone, pooled) = (fit.unpooled("g").unwrap(), fit.effect("g").unwrap());
    let rest = |row: usize| Y[row] - fit.fixed("intercept").unwrap().mean() - pooled[4].mean();
    let rows = 5..9;
    let slope = rows.clone().map(|row| X[row] * rest(row)).sum::<f64>()
        / rows.map(|row| X[row] * X[row]).sum::<f64>();
    assert!((alone[5] - slope).abs() < 1e-9, "{} {slope}", alone[5]);
}

/// Of counts it is one step towards the logarithm of the ratio, which is near where little was pooled.
#[test]
fn of_counts_they_are_a_step_to_the_ratios() {
    let counts: Vec<f64> = Y.iter().map(|y| 10.0 * y).collect();
    let placed = FieldEffect::groups("g", 5).unwrap().at(&GROUPS).unwrap();
    let model = HierarchicalModel::new(FamilyResponse::poisson(), &counts).unwrap();
    let model = model.intercept().unwrap().effect(placed).unwrap();
    let fit = model.fit(&HierarchicalOptions { estimate: HyperEstimate::Likelihood, ..options() }).unwrap();
    let level = fit.fixed("intercept").unwrap().mean();
    let (alone, pooled) = (fit.unpooled("g").unwrap(), fit.effect("g").unwrap());
    for group in [0, 1, 2, 4] {
        let rows: Vec<usize> = (0..12).filter(|&row| GROUPS[row] == group).collect();
        let mean = rows.iter().map(|&row| counts[row]).sum::<f64>() / rows.len() as f64;
        let mode = pooled[group].mean();
        let step = mode + mean / (level + mode).exp() - 1.0;
        assert!((alone[group] - step).abs() < 1e-9, "{} {step}", alone[group]);
        let ratio = mean.ln() - level;
        assert!(
            (alone[group] - ratio).abs() < 0.6 * (mode - ratio).powi(2) + 1e-9,
            "{} {ratio}",
            alone[group]
        );
    }
}
