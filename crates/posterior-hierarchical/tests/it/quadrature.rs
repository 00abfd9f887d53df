//! Counts in groups, against integrals by brute force.

use posterior_dist::stream::stream;
use posterior_dist::target::Target as _;
use posterior_hierarchical::{
    EmbeddedLaplace, FamilyResponse, FieldEffect, HierarchicalModel, HierarchicalOptions, PlaceEffect as _,
};
use posterior_math::special::ln_factorial;

/// Counts of four groups.
const COUNTS: [[f64; 3]; 4] = [[2.0, 3.0, 1.0], [0.0, 1.0, 0.0], [5.0, 8.0, 6.0], [1.0, 2.0, 4.0]];
/// The standard deviation of the intercept.
const WIDE: f64 = 2.0;

fn model() -> HierarchicalModel {
    let y: Vec<f64> = COUNTS.iter().flatten().copied().collect();
    let groups: Vec<usize> = (0..12).map(|row| row / 3).collect();
    HierarchicalModel::new(FamilyResponse::poisson(), &y)
        .unwrap()
        .column_with_sd("intercept", &[1.0; 12], WIDE)
        .unwrap()
        .effect(FieldEffect::groups("group", 4).unwrap().at(&groups).unwrap())
        .unwrap()
}

/// The trapezoidal rule for a function that decays: exact to rounding with steps below a third of its width.
fn integral(low: f64, high: f64, points: usize, f: impl Fn(f64) -> f64) -> f64 {
    let step = (high - low) / points as f64;
    (0..=points).map(|i| step * f(low + step * i as f64)).sum()
}

fn normal(x: f64, sd: f64) -> f64 {
    (-0.5 * (x / sd).powi(2)).exp() / (sd * std::f64::consts::TAU.sqrt())
}

/// p(y | σ) for groups of standard deviation σ: a product of integrals, integrated over the intercept.
fn exact(sd: f64) -> f64 {
    let group = |counts: &[f64; 3], intercept: f64| {
        let ln =
            |eta: f64| -> f64 { counts.iter().map(|y| y * eta - eta.exp() - ln_factorial(*y as u64)).sum() };
        // Steps of a fifth of both widths, of the prior and of the likelihood.
        let points = (160.0 * sd).clamp(80.0, 800.0) as usize;
        integral(-8.0 * sd, 8.0 * sd, points, |u| ln(intercept + u).exp() * normal(u, sd))
    };
    let all = |intercept: f64| {
        COUNTS.iter().map(|counts| group(counts, intercept)).product::<f64>() * normal(intercept, WIDE)
    };
    integral(-6.0, 6.0, 150, all)
}

/// The error of Laplace's approximation, of all five latent values at once.
#[test]
fn laplace_is_close_to_the_integral() {
    let model = model();
    let target = EmbeddedLaplace::new(&model).unwrap();
    for (sd, error) in [(0.3, 0.008), (0.8, 0.03), (2.0, 0.065)] {
        let found = target.ln_likelihood(&[sd]).unwrap();
        let off = found - exact(sd).ln();
        assert!(off.abs() < error, "at {sd}: {off}");
    }
}

#[test]
fn one_hyperparameter_is_integrated_over() {
    let model = model();
    let options = HierarchicalOptions { second_order: false, ..HierarchicalOptions::default() };
    let fit = model.fit(&options).unwrap();
    let target = EmbeddedLaplace::new(&model).unwrap();
    // By the trapezoidal rule on the same density of ln σ.
    let grid: Vec<f64> = (0..=1200).map(|i| -10.0 + 0.01 * f64::from(i)).collect();
    let ln: Vec<f64> = grid.iter().map(|t| target.ln_density(&[*t]).unwrap()).collect();
    let best = ln.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let density: Vec<f64> = ln.iter().map(|ln| (ln - best).exp()).collect();
    let sum: f64 = density.iter().sum();
    let ln_integral = best + (0.01 * sum).ln();
    assert!(
        (fit.ln_marginal_likelihood() - ln_integral).abs() < 2e-3,
        "{} {ln_integral}",
        fit.ln_marginal_likelihood()
    );
    let mean: f64 = grid.iter().zip(&density).map(|(t, p)| t.exp() * p).sum::<f64>() / sum;
    let second: f64 = grid.iter().zip(&density).map(|(t, p)| (t.exp() - mean).powi(2) * p).sum::<f64>() / sum;
    let own = fit.hyperparameter("sd(group)").unwrap();
    assert!((own.mean() / mean - 1.0).abs() < 2e-3, "{} {mean}", own.mean());
    assert!((own.sd() / second.sqrt() - 1.0).abs() < 5e-3, "{} {}", own.sd(), second.sqrt());
    for p in [0.05, 0.5, 0.95] {
        let mut below = 0.0;
        let at = density.iter().position(|density| {
            below += density / sum;
            below >= p
        });
        let t = own.quantile(p).ln();
        assert!((t - grid[at.unwrap()]).abs() < 0.03, "{p}: {t} {}", grid[at.unwrap()]);
        assert!((own.cdf(own.quantile(p)) - p).abs() < 1e-12);
    }
}

/// The exact evidence, on the line of ln σ with its prior, and the mean of σ.
fn exact_integrals() -> [f64; 2] {
    let rate = -(0.01_f64).ln();
    let density = |t: f64| exact(t.exp()) * rate * (t - rate * t.exp()).exp();
    let evidence = integral(-7.0, 1.5, 60, density);
    [evidence.ln(), integral(-7.0, 1.5, 60, |t| t.exp() * density(t)) / evidence]
}

/// With terms of second order what Laplace's method is off by falls to a tenth and less.
#[test]
fn terms_of_second_order_are_what_laplace_lacks() {
    let model = model();
    let [evidence, mean] = exact_integrals();
    let off = |second_order: bool| {
        let fit = model.fit(&HierarchicalOptions { second_order, ..HierarchicalOptions::default() }).unwrap();
        assert_eq!(fit.has_second_order(), second_order);
        let sd = fit.hyperparameter("sd(group)").unwrap();
        [(fit.ln_marginal_likelihood() - evidence).abs(), (sd.mean() - mean).abs() / sd.sd()]
    };
    let ([first, first_mean], [second, second_mean]) = (off(false), off(true));
    println!("{first} {second} {first_mean} {second_mean}");
    assert!(first > 0.015 && second < 0.001, "{first} {second}");
    assert!(first_mean > 3.0 * second_mean && second_mean < 0.005, "{first_mean} {second_mean}");
}

#[test]
fn weights_of_draws_correct_the_evidence() {
    let model = model();
    let [exact, _] = exact_integrals();
    for (second_order, known) in [(false, 0.03), (true, 0.001)] {
        let fit = model.fit(&HierarchicalOptions { second_order, ..HierarchicalOptions::default() }).unwrap();
        let check = fit.check(20_000, &mut stream(3, &[])).unwrap();
        assert!(check.weights.is_reliable(), "{}", check.weights.shape);
        let corrected = fit.ln_marginal_likelihood() + check.ln_correction;
        assert!((corrected - exact).abs() < 0.006, "{corrected} {exact}");
        let off = fit.ln_marginal_likelihood() - exact;
        assert!(off.abs() < known, "{off}");
    }
}
