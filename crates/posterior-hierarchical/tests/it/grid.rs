//! Effects on grids, to be drawn: what rows of the data see of them, less its mean.

use posterior_hierarchical::{
    Error, FamilyResponse, FormulaSettings, HierarchicalFormula, HierarchicalOptions, HyperEstimate,
    LatentMarginal,
};
use posterior_regression::formula::FormulaData;

const SIDE: usize = 9;

/// The points of a grid, x fastest, in four groups.
fn data() -> (FormulaData, Vec<f64>) {
    let count = SIDE * SIDE;
    let x: Vec<f64> = (0..count).map(|i| (i % SIDE) as f64).collect();
    let z: Vec<f64> = (0..count).map(|i| 0.25 * (i / SIDE) as f64 + 3.0).collect();
    let g: Vec<String> = (0..count).map(|i| format!("g{}", i * i % 4)).collect();
    let noise = |i: usize| 0.6 * ((i * i * 29 + 7) % 101) as f64 / 101.0;
    let y = (0..count).map(|i| (0.7 * x[i]).sin() * (2.0 * z[i]).cos() + 0.3 * x[i] + noise(i)).collect();
    let data = FormulaData::new(count).with_numbers("x", x).unwrap().with_numbers("z", z).unwrap();
    (data.with_labels("g", &g).unwrap(), y)
}

fn learned(formula: &str, data: &FormulaData, y: &[f64]) -> HierarchicalFormula {
    let settings = FormulaSettings::of_numbers(y);
    HierarchicalFormula::learn(&formula.parse().unwrap(), data, &[], &settings).unwrap()
}

/// The largest difference between the predictors of a formula with one effect, less their mean or less the
/// intercept, and that effect on a grid whose points are those of the rows.
fn difference(effect: &str, axes: usize, estimate: HyperEstimate) -> f64 {
    let (data, y) = data();
    let learned = learned(&format!("y ~ {effect}"), &data, &y);
    let model = learned.model(FamilyResponse::gaussian(0.5).unwrap(), &y, &data).unwrap();
    let fit = model.fit(&HierarchicalOptions { estimate, ..HierarchicalOptions::default() }).unwrap();
    let grid = learned.grid(effect, &data, SIDE).unwrap().unwrap();
    assert_eq!((grid.names.len(), grid.axes.len(), grid.seen.len()), (axes, axes, axes));
    let found = fit.predict(&grid.rows).unwrap();
    for (own, mean) in found.iter().zip(fit.predicted_means(&grid.rows).unwrap()) {
        assert!((own.mean() - mean).abs() < 1e-12);
    }
    let rows = fit.predictors();
    let taken = if grid.lines.is_empty() {
        fit.fixed("(Intercept)").unwrap().mean()
    } else {
        rows.iter().map(LatentMarginal::mean).sum::<f64>() / rows.len() as f64
    };
    assert_eq!(found.len(), SIDE.pow(axes as u32));
    // Of a curve the first rows are at its points.
    let pairs = found.iter().zip(&rows);
    pairs.fold(0.0, |most, (own, row)| (own.mean() - (row.mean() - taken)).abs().max(most))
}

#[test]
fn at_the_rows_an_effect_is_what_they_see() {
    for (effect, axes) in [("te(x, z)", 2), ("smooth(x)", 1), ("rw2(x)", 1), ("matern(x, z)", 2)] {
        for estimate in [HyperEstimate::PosteriorMode, HyperEstimate::RestrictedLikelihood] {
            let most = difference(effect, axes, estimate);
            assert!(most < 1e-9, "{effect} {estimate:?}: {most}");
        }
    }
    let most = difference("te(x, z)", 2, HyperEstimate::Likelihood);
    assert!(most < 1e-9, "coefficients that are maximised over: {most}");
    let most = difference("smooth(x)", 1, HyperEstimate::Posterior);
    assert!(most < 1e-9, "{most}");
}

/// The mean is taken out with what is not known of it: at a point that sees the mean nothing is left.
#[test]
fn the_level_of_a_curve_is_not_part_of_it() {
    let (data, y) = data();
    let learned = learned("y ~ smooth(x)", &data, &y);
    let model = learned.model(FamilyResponse::gaussian(0.5).unwrap(), &y, &data).unwrap();
    let estimate = HyperEstimate::PosteriorMode;
    let fit = model.fit(&HierarchicalOptions { estimate, ..HierarchicalOptions::default() }).unwrap();
    let grid = learned.grid("smooth(x)", &data, 101).unwrap().unwrap();
    assert_eq!((grid.axes[0][0], grid.axes[0][100], grid.axes[0][50]), (0.0, 8.0, 4.0));
    // With the level of the intercept on top, a point of the curve is known less.
    let [curve, rows] = [fit.predict(&grid.rows).unwrap(), fit.predictors()].map(|all| all[0].sd());
    let intercept = 0.2 / (y.len() as f64).sqrt();
    assert!(curve < rows && rows < curve + 2.0 * intercept, "{curve} {rows}");
}

#[test]
fn effects_that_have_all_their_values_have_no_grid() {
    let (data, y) = data();
    let learned = learned("y ~ (x | g) + rw1(x) + ar1(z) + rw2(z)", &data, &y);
    for effect in ["g", "rw1(x)", "ar1(z)"] {
        assert_eq!(learned.grid(effect, &data, 20).unwrap(), None, "{effect}");
    }
    // At most so many of the times, which are themselves on the grid.
    let grid = learned.grid("rw2(z)", &data, 5).unwrap().unwrap();
    assert_eq!(grid.axes, [vec![3.0, 3.5, 4.0, 4.5, 5.0]]);
    assert_eq!(grid.lines, ["z"]);
    assert!(matches!(learned.grid("smooth(x)", &data, 20), Err(Error::Unknown { .. })));
}
