//! Logistic regression side by side: ours, and the solvers of scikit-learn when a Python program is named; on
//! one thread, by CPU time.

use nalgebra::DMatrix;
use posterior::math::iteration::Silent;
use posterior::regression::glm::{CoefficientPrior, Family, Glm, GlmData, GlmFitOptions};
use posterior_benches::clusters::read_rows;
use posterior_benches::comparison::{Outcome, Settings, figure, print_head, print_row, ratio};
use posterior_benches::peers::Measurements;
use posterior_benches::timing::{cpu_seconds, least, on_one_thread};
use rand::{RngExt, SeedableRng};
use rand_distr::{Distribution, StandardNormal};
use rand_pcg::Pcg64;

const COLUMNS: usize = 50;

/// Prints the tables.
pub(super) fn compare(settings: &Settings) -> Outcome {
    let rows = settings.size(1_000_000, 20_000);
    let peers = Measurements::run(settings, "regressions.py", 1)?;
    let (inputs, classes) = if let Some(folder) = peers.folder() {
        let inputs = read_rows(&folder.join("inputs.f64"), COLUMNS)?;
        let classes = read_rows(&folder.join("classes.f64"), 1)?;
        (inputs, classes.as_slice().to_vec())
    } else {
        generated(rows)
    };
    let design = inputs.insert_column(0, 1.0);
    println!(
        "logistic regression, {rows} rows x {COLUMNS} columns with an intercept, |w|^2 / 2; CPU seconds on one thread\n"
    );
    let figures = ["seconds", "ours / peer", "steps", "largest derivative for a row", "first weight"];
    print_head(&["program"], &figures);
    let own = on_one_thread(|| ours(&design, &classes))?;
    let line = |program: &str, [seconds, steps, gradient, weight]: [f64; 4], ratio: String| {
        let cells =
            [figure(seconds, 3), ratio, figure(steps, 0), format!("{gradient:.1e}"), figure(weight, 9)];
        print_row(&[&[program.to_owned()], &cells[..]].concat());
    };
    line("posterior", own, String::new());
    for peer in &peers.peers {
        let number = |what: &str| peers.of(rows, peer, what).unwrap_or(f64::NAN);
        let theirs = ["seconds", "iterations", "gradient", "first weight"].map(number);
        line(peer, theirs, ratio(own[0], theirs[0]));
    }
    Ok(())
}

/// Seconds, steps, the largest derivative for a row, and the first weight.
fn ours(design: &DMatrix<f64>, classes: &[f64]) -> Outcome<[f64; 4]> {
    let data = GlmData::new(design, classes)?;
    let prior = CoefficientPrior::shrinking(&data, 1.0)?;
    let model = Glm::new(Family::Logit, data)?.with_prior(prior)?;
    let fit = || Ok(model.fit(&GlmFitOptions::default(), &mut Silent)?);
    let _warm = fit()?;
    let (seconds, fitted) = least(2, cpu_seconds, fit)?;
    let w = &fitted.model.coefficients;
    let predictors = model.data().predictors(w);
    let residuals: Vec<f64> =
        predictors.iter().zip(classes).map(|(eta, class)| 1.0 / (1.0 + (-eta).exp()) - class).collect();
    let derivative = |j: usize| {
        let sum: f64 = design.column(j).iter().zip(&residuals).map(|(x, r)| x * r).sum();
        ((sum + if j == 0 { 0.0 } else { w[j] }) / classes.len() as f64).abs()
    };
    let largest = (0..design.ncols()).map(derivative).fold(0.0, f64::max);
    Ok([seconds, fitted.report.iterations() as f64, largest, w[1]])
}

/// Normal inputs, neighbours correlated, and classes of a logistic model.
fn generated(rows: usize) -> (DMatrix<f64>, Vec<f64>) {
    let mut rng = Pcg64::seed_from_u64(7);
    let mut inputs = DMatrix::from_fn(rows, COLUMNS, |_, _| StandardNormal.sample(&mut rng));
    for j in 1..COLUMNS {
        let before = inputs.column(j - 1) * 0.5;
        let mut column = inputs.column_mut(j);
        column += before;
    }
    let weights: Vec<f64> = (0..COLUMNS)
        .map(|_| {
            let z: f64 = StandardNormal.sample(&mut rng);
            0.4 * z
        })
        .collect();
    let predictors = &inputs * nalgebra::DVector::from_vec(weights);
    let class = |eta: &f64| f64::from(u8::from(rng.random::<f64>() < 1.0 / (1.0 + (0.5 - eta).exp())));
    let classes = predictors.iter().map(class).collect();
    (inputs, classes)
}
