//! Integrals over two and more hyperparameters, against fine grids.

use posterior_dist::stream::stream;
use posterior_dist::target::Target as _;
use posterior_hierarchical::{
    EmbeddedLaplace, FamilyResponse, FieldEffect, HierarchicalModel, HierarchicalOptions, HyperPoints,
    PlaceEffect as _,
};

const Y: [f64; 48] = [
    2.0, 1.0, 4.0, 3.0, 0.0, 1.0, 5.0, 7.0, 3.0, 2.0, 2.0, 1.0, 0.0, 3.0, 1.0, 2.0, 6.0, 9.0, 4.0, 8.0, 1.0,
    0.0, 1.0, 2.0, 3.0, 5.0, 2.0, 4.0, 10.0, 6.0, 7.0, 5.0, 1.0, 2.0, 0.0, 1.0, 4.0, 3.0, 6.0, 2.0, 0.0, 0.0,
    1.0, 1.0, 8.0, 5.0, 3.0, 4.0,
];

fn model(effects: usize) -> HierarchicalModel {
    let row = |f: fn(usize) -> usize| -> Vec<usize> { (0..48).map(f).collect() };
    let mut model = HierarchicalModel::new(FamilyResponse::poisson(), &Y)
        .unwrap()
        .intercept()
        .unwrap()
        .effect(FieldEffect::groups("a", 12).unwrap().at(&row(|row| row / 4)).unwrap())
        .unwrap()
        .effect(FieldEffect::random_walk("b", 8).unwrap().at(&row(|row| row % 8)).unwrap())
        .unwrap();
    if effects == 3 {
        model = model
            .effect(FieldEffect::groups("c", 6).unwrap().at(&row(|row| (5 * row + 1) % 6)).unwrap())
            .unwrap();
    }
    model
}

/// ln ∫ and the mean and standard deviation of each natural value, on a grid of the lines.
fn grid(target: &EmbeddedLaplace<'_>, low: f64, high: f64, points: usize) -> (f64, Vec<[f64; 2]>) {
    let n = target.dim();
    let step = (high - low) / (points - 1) as f64;
    let (mut sum, mut first, mut second) = (0.0, vec![0.0; n], vec![0.0; n]);
    let base = target.ln_density(&vec![-0.7; n]).unwrap();
    for index in 0..points.pow(n as u32) {
        let theta: Vec<f64> =
            (0..n).map(|j| low + step * (index / points.pow(j as u32) % points) as f64).collect();
        let p = (target.ln_density(&theta).unwrap() - base).exp();
        sum += p;
        for (j, value) in target.natural(&theta).into_iter().enumerate() {
            first[j] += p * value;
            second[j] += p * value * value;
        }
    }
    let moments = first.iter().zip(&second).map(|(first, second)| {
        let mean = first / sum;
        [mean, (second / sum - mean * mean).sqrt()]
    });
    (base + sum.ln() + n as f64 * step.ln(), moments.collect())
}

fn check(effects: usize, by: HyperPoints, points: usize, tolerances: [f64; 3]) {
    let model = model(effects);
    // The grid has the density by Laplace's method alone.
    let options = HierarchicalOptions { points: by, second_order: false, ..HierarchicalOptions::default() };
    let fit = model.fit(&options).unwrap();
    let target = EmbeddedLaplace::new(&model).unwrap();
    let (ln_integral, moments) = grid(&target, -7.0, 1.2, points);
    let off = fit.ln_marginal_likelihood() - ln_integral;
    assert!(off.abs() < tolerances[0], "evidence off by {off}");
    for (name, [mean, sd]) in target.names().into_iter().zip(moments) {
        let own = fit.hyperparameter(&name).unwrap();
        let (own_mean, own_sd) = (own.mean(), own.sd());
        assert!((own_mean - mean).abs() < tolerances[1] * sd, "{name}: mean {own_mean} {mean} ± {sd}");
        assert!((own_sd / sd - 1.0).abs() < tolerances[2], "{name}: sd {own_sd} {sd}");
        // The density and the probabilities are those of one distribution.
        let (low, high) = (own.quantile(0.3), own.quantile(0.6));
        let middle = own.pdf(0.5 * (low + high)) * (high - low);
        assert!((middle - 0.3).abs() < 0.02, "{name}: {middle}");
    }
}

#[test]
fn two_hyperparameters_on_a_lattice() {
    check(2, HyperPoints::Automatic, 60, [0.01, 0.03, 0.03]);
}

/// A central composite design has 15 points for three hyperparameters; it is coarse.
#[test]
fn three_hyperparameters_by_a_design() {
    check(3, HyperPoints::Design, 18, [0.3, 0.25, 0.25]);
}

#[test]
fn three_hyperparameters_on_a_lattice() {
    check(3, HyperPoints::Automatic, 22, [0.02, 0.03, 0.03]);
}

/// Against draws of the approximation.
#[test]
fn parts_of_the_variance_are_those_of_draws() {
    let groups: Vec<usize> = (0..40).map(|row| row / 5).collect();
    let x: Vec<f64> = (0..40).map(|row| f64::from(row % 5)).collect();
    let y: Vec<f64> =
        (0_u16..40).zip(&x).map(|(row, x)| 1.5 * (0.7 * f64::from(row * row)).sin() + 0.3 * x).collect();
    let model = HierarchicalModel::new(FamilyResponse::gaussian(1.0).unwrap(), &y)
        .unwrap()
        .intercept()
        .unwrap()
        .column("x", &x)
        .unwrap()
        .effect(FieldEffect::groups("g", 8).unwrap().at(&groups).unwrap())
        .unwrap();
    let fit = model.fit(&HierarchicalOptions::default()).unwrap();
    let parts = fit.variances_of_parts().unwrap();
    let draws = fit.draws(20_000, &mut stream(3, &[])).unwrap();
    let of = |name: &str| draws.named(name).unwrap().concat();
    let slope = of("x");
    let fixed = slope.iter().map(|slope| 2.0 * slope * slope).sum::<f64>() / slope.len() as f64;
    let values: Vec<Vec<f64>> = (1..=8).map(|g| of(&format!("g[{g}]"))).collect();
    let variance = |draw: usize| {
        let mean = values.iter().map(|own| own[draw]).sum::<f64>() / 8.0;
        values.iter().map(|own| (own[draw] - mean).powi(2)).sum::<f64>() / 8.0
    };
    let group = (0..slope.len()).map(variance).sum::<f64>() / slope.len() as f64;
    assert_eq!((parts[0].0.as_str(), parts[1].0.as_str()), ("fixed effects", "g"));
    assert!((parts[0].1 / fixed - 1.0).abs() < 0.05, "{} {fixed}", parts[0].1);
    assert!((parts[1].1 / group - 1.0).abs() < 0.05, "{} {group}", parts[1].1);
}
