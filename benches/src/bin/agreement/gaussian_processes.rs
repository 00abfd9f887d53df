//! Routes to one posterior of a Gaussian process: dense, Markov, sparse, structured, iterative.

use std::error::Error;

use posterior::dist::stream::stream;
use posterior::gp::grid::{EqualStepsPosterior, GridPosterior};
use posterior::gp::iterative::{IterativeOptions, IterativePosterior};
use posterior::gp::kernel::ProcessOptions;
use posterior::gp::markov::{MarkovOptions, MarkovProcessPosterior};
use posterior::gp::sparse::{SparseApproximation, SparsePosterior, inducing_by_variance};
use posterior::gp::{GaussianProcess, GaussianProcessPosterior, Kernel, Noise};
use posterior::math::linalg::{DMatrix, DVector};
use posterior::math::optimize::LinearOptions;
use rand::RngExt;

use crate::row::{Comparison, Gaps, Row, Rows};

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;
type Data = (DMatrix<f64>, Vec<f64>, Vec<f64>);

pub(crate) fn rows() -> Rows {
    let mut rows = markov()?;
    rows.extend(sparse()?);
    rows.push(grid()?);
    rows.push(equal_steps()?);
    rows.push(iterative()?);
    rows.push(gradients()?);
    Ok(rows)
}

/// Kernels with a process of their own, and their names on the page.
fn markov_kernels() -> Outcome<Vec<(&'static str, Kernel)>> {
    let matern32 = Kernel::matern32(1.5)?;
    Ok(vec![
        ("Matérn 1/2", Kernel::matern12(0.7)?),
        ("Matérn 3/2", 2.0 * matern32.clone()),
        ("Matérn 5/2", Kernel::matern52(0.9)?),
        ("Matérn 7/2", 1.3 * Kernel::matern(3.5, 1.2)?),
        ("Wiener process", Kernel::wiener()),
        ("integrated Wiener process", 0.3 * Kernel::integrated_wiener()),
        ("constant + linear", Kernel::constant(2.0)? + 0.5 * Kernel::linear()),
        ("cosine x Matérn 3/2", Kernel::cosine(1.7)? * Kernel::matern32(3.0)?),
        (
            "periodic x Matérn 5/2 + Matérn 3/2",
            1.1 * Kernel::periodic(0.8, 1.3)? * Kernel::matern52(4.0)? + 0.2 * matern32.clone(),
        ),
        ("Matérn 3/2 x Matérn 1/2", matern32.clone() * Kernel::matern12(0.9)?),
        ("linear x Matérn 3/2", Kernel::linear() * matern32),
    ])
}

/// Times in no order with ties, outputs, and noise variances.
fn series(n: usize) -> Data {
    let mut rng = stream(9, &[n as u64]);
    let mut times: Vec<f64> = (0..n).map(|_| 6.0 * rng.random::<f64>()).collect();
    for i in 0..n / 4 {
        times[n - 1 - i] = times[2 * i];
    }
    let outputs = times.iter().map(|t| (2.0 * t).sin() + t + 0.5 * rng.random::<f64>()).collect();
    let variances = (0..n).map(|_| 0.05 + 0.2 * rng.random::<f64>()).collect();
    (DMatrix::from_vec(n, 1, times), outputs, variances)
}

fn markov() -> Outcome<Vec<Row>> {
    let (inputs, outputs, variances) = series(40);
    let noise = Noise::known_each(&variances)?.plus_variance(0.03)?;
    let places = DMatrix::from_column_slice(7, 1, &[0.0, inputs[3], 1.234, 5.0, 5.999, 8.0, 30.0]);
    // Harmonics up to rounding: what is left is the difference of the engines.
    let options = MarkovOptions {
        process: ProcessOptions { periodic_error: 1e-14, ..ProcessOptions::default() },
        ..MarkovOptions::default()
    };
    let mut rows = Vec::new();
    for (name, kernel) in markov_kernels()? {
        let prior = GaussianProcess::new(kernel);
        let dense = prior.condition(&inputs, &outputs, &noise)?;
        let filtered = MarkovProcessPosterior::new(&prior, (&inputs, &outputs), &noise, &options)?;
        let mut seen = Comparison::default();
        seen.see(filtered.ln_evidence(), dense.ln_evidence());
        let (found, expected) = (filtered.latent(&places)?, dense.latent(&places)?);
        seen.see_all(found.mean.as_slice(), expected.mean.as_slice());
        seen.see_all(found.variance.as_slice(), expected.variance.as_slice());
        rows.push(seen.exact(
            "evidence, means, variances",
            ["Markov: Kalman filter", "dense factor"],
            &format!("{name}; 40 times with ties, 7 places"),
            "1e-8 (`posterior-gp/markov.rs`)",
        ));
    }
    Ok(rows)
}

fn plane(n: usize) -> Data {
    let mut rng = stream(6, &[n as u64]);
    let inputs = DMatrix::from_fn(n, 2, |_, _| 4.0 * rng.random::<f64>() - 2.0);
    let outputs =
        (0..n).map(|i| (2.0 * inputs[(i, 0)]).sin() + inputs[(i, 1)] + 0.3 * rng.random::<f64>()).collect();
    let noise = (0..n).map(|_| 0.05 + 0.1 * rng.random::<f64>()).collect();
    (inputs, outputs, noise)
}

fn smooth() -> Outcome<Kernel> {
    Ok(1.5 * Kernel::rbf_ard(&[0.8, 1.4])? + 0.2 * Kernel::rbf(3.0)?)
}

fn dense((inputs, outputs, noise): &Data) -> Outcome<GaussianProcessPosterior> {
    Ok(GaussianProcess::new(smooth()?).condition(inputs, outputs, &Noise::known_each(noise)?)?)
}

fn sparse() -> Outcome<Vec<Row>> {
    let data = plane(60);
    let (inputs, outputs, noise) = &data;
    let (exact, places) = (dense(&data)?, plane(9).0);
    let expected = exact.latent(&places)?;
    let prior = GaussianProcess::new(smooth()?);
    let posterior = |inducing: &DMatrix<f64>, approximation| {
        SparsePosterior::new(&prior, (inputs, outputs), &Noise::known_each(noise)?, inducing, approximation)
    };
    let (mut all, mut bound) = (Comparison::default(), Gaps::default());
    for approximation in [SparseApproximation::Variational, SparseApproximation::Fitc] {
        let found = posterior(inputs, approximation)?;
        all.see(found.ln_evidence(), exact.ln_evidence());
        let prediction = found.latent(&places)?;
        all.see_all(prediction.mean.as_slice(), expected.mean.as_slice());
        all.see_all(prediction.variance.as_slice(), expected.variance.as_slice());
    }
    for count in [5, 10, 20, 40] {
        let inducing = inducing_by_variance(prior.kernel(), inputs, count);
        let found = posterior(&inducing, SparseApproximation::Variational)?;
        bound.see(found.ln_evidence(), exact.ln_evidence());
    }
    Ok(vec![
        all.exact(
            "evidence, means, variances",
            ["all inputs as inducing inputs", "dense factor"],
            "60 points of the plane, variational and FITC",
            "1e-9 (`posterior-gp/sparse.rs`)",
        ),
        bound.row(
            "evidence from below",
            ["5, 10, 20 and 40 inducing inputs", "dense factor"],
            "60 points of the plane",
            "bound (`posterior-gp/sparse.rs`)",
        ),
    ])
}

/// Three axes of 5, 4 and 3 points: as a grid, and as 60 points under the product of the kernels.
fn grid() -> Outcome<Row> {
    let mut rng = stream(2, &[]);
    let axes = [5, 4, 3].map(|n| DMatrix::from_fn(n, 1, |_, _| 4.0 * rng.random::<f64>() - 2.0));
    let kernels =
        [1.3 * Kernel::rbf(0.9)?, Kernel::matern32(0.7)?, Kernel::rbf(0.8)? + 0.4 * Kernel::rbf(3.0)?];
    let [first, second, third] = kernels.clone();
    let product = Kernel::custom("product of the axes", move |x: &[f64], y: &[f64]| {
        first.value(&x[..1], &y[..1]) * second.value(&x[1..2], &y[1..2]) * third.value(&x[2..], &y[2..])
    });
    let points = DMatrix::from_fn(60, 3, |row, axis| axes[axis][[row / 12, row / 3 % 4, row % 3][axis]]);
    let outputs = DVector::from_fn(60, |_, _| 4.0 * rng.random::<f64>() - 2.0);
    let places = DMatrix::from_fn(6, 3, |_, _| 4.0 * rng.random::<f64>() - 2.0);
    let structured = GridPosterior::new(&kernels, &axes, &outputs, 0.1)?;
    let dense =
        GaussianProcess::new(product).condition(&points, outputs.as_slice(), &Noise::variance(0.1)?)?;
    let mut seen = Comparison::default();
    seen.see(structured.ln_evidence(), dense.ln_evidence());
    let (found, expected) = (structured.latent(&places)?, dense.latent(&places)?);
    seen.see_all(found.mean.as_slice(), expected.mean.as_slice());
    seen.see_all(found.variance.as_slice(), expected.variance.as_slice());
    Ok(seen.exact(
        "evidence, means, variances",
        ["Kronecker product of three axes", "dense factor"],
        "a grid of 5 x 4 x 3 points",
        "1e-11 (`posterior-gp/grid.rs`)",
    ))
}

fn equal_steps() -> Outcome<Row> {
    let kernel = 1.2 * Kernel::rbf(0.6)? + 0.3 * Kernel::rbf(4.0)?;
    let mut rng = stream(3, &[]);
    let outputs = DVector::from_fn(70, |_, _| 4.0 * rng.random::<f64>() - 2.0);
    let inputs = DMatrix::from_fn(70, 1, |i, _| -3.0 + 0.25 * i as f64);
    let toeplitz = EqualStepsPosterior::new(&kernel, -3.0, 0.25, &outputs, 0.2)?;
    let dense =
        GaussianProcess::new(kernel).condition(&inputs, outputs.as_slice(), &Noise::variance(0.2)?)?;
    let places = DMatrix::from_column_slice(5, 1, &[-7.0, -3.0, 0.11, 9.9, 20.0]);
    let mut seen = Comparison::default();
    seen.see(toeplitz.ln_evidence(), dense.ln_evidence());
    let (found, expected) = (toeplitz.latent(&places)?, dense.latent(&places)?);
    seen.see_all(found.mean.as_slice(), expected.mean.as_slice());
    seen.see_all(found.variance.as_slice(), expected.variance.as_slice());
    Ok(seen.exact(
        "evidence, means, variances",
        ["Toeplitz matrix of equal steps", "dense factor"],
        "70 equal steps, a sum of two squared exponentials",
        "1e-11 (`posterior-gp/grid.rs`)",
    ))
}

fn iterative() -> Outcome<Row> {
    let data = plane(300);
    let (exact, places) = (dense(&data)?, plane(9).0);
    let linear = LinearOptions { relative: 1e-12, ..LinearOptions::default() };
    let options = IterativeOptions { linear, rank: 60, probes: 0, ..IterativeOptions::default() };
    let (inputs, outputs, noise) = &data;
    let prior = GaussianProcess::new(smooth()?);
    let found = IterativePosterior::new(&prior, (inputs, outputs), &Noise::known_each(noise)?, &options)?;
    let (found, expected) = (found.latent(&places)?, exact.latent(&places)?);
    let mut seen = Comparison::default();
    seen.see_all(found.mean.as_slice(), expected.mean.as_slice());
    seen.see_all(found.variance.as_slice(), expected.variance.as_slice());
    Ok(seen.numerical(
        "means and variances",
        ["conjugate gradients", "dense factor"],
        "300 points of the plane",
        "1e-9 (`posterior-gp/iterative.rs`)",
    ))
}

/// The gradient of the evidence against differences of five points.
fn gradients() -> Outcome<Row> {
    let (inputs, outputs, noise) = plane(40);
    let kernel = smooth()?;
    let noise = Noise::known_each(&noise)?;
    let evidence = |kernel: Kernel| -> Outcome<f64> {
        Ok(GaussianProcess::new(kernel).condition(&inputs, &outputs, &noise)?.ln_evidence())
    };
    let analytic = GaussianProcess::new(kernel.clone()).condition(&inputs, &outputs, &noise)?.gradient();
    let start = kernel.free_parameters();
    let mut seen = Comparison::default();
    for (i, &slope) in analytic.iter().take(start.len()).enumerate() {
        let at = |step: f64| -> Outcome<f64> {
            let mut free = start.clone();
            free[i] += step;
            evidence(kernel.with_free_parameters(&free)?)
        };
        let h = 1e-3;
        seen.see(slope, (8.0 * (at(h)? - at(-h)?) - at(2.0 * h)? + at(-2.0 * h)?) / (12.0 * h));
    }
    Ok(seen.numerical(
        "gradient of the evidence",
        ["dense factor", "differences of five points"],
        "40 points of the plane, five parameters",
        "1e-6 (`posterior-gp/hyperparameters.rs`)",
    ))
}
