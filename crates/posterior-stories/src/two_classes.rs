//! Two classes in the plane: what a Gaussian process and a network of neurons know of them, and where a support vector machine looks.
//!
//! `cargo run --release -p posterior --example two_classes [-- --out DIR]`
//!
//! Points of two classes, drawn from four overlapping clouds. The parameters of the kernel are learnt from the evidence. Prints the
//! evidence and the error on new points of Laplace's method and expectation propagation, and both against draws of the exact posterior;
//! how certain each is far away; and how many points a support vector machine rests on. A network of neurons is trained on the same
//! points, with the precision of its weights learnt from the evidence too: far away the trained network is certain, and the average over
//! networks is not. With `--out` it writes a page with maps of all of them.

mod network;
mod report;

use std::error::Error;
use std::path::PathBuf;

use posterior::dist::stream::stream;
use posterior::dist::target::FromFn;
use posterior::gp::classification::{
    ExpectationPropagation, Laplace, LaplaceEvidence, Latent, ModeOptions, Observations, PropagationOptions,
    expectation_propagation,
};
use posterior::gp::hyperparameters::{FitOptions, fit};
use posterior::gp::likelihood::{Likelihood, Logistic};
use posterior::gp::support_vectors::{Bias, SupportOptions, SupportVectors, support_vectors};
use posterior::gp::{GaussianProcess, Kernel};
use posterior::math::iteration::Silent;
use posterior::math::linalg::{DMatrix, DVector};
use posterior::sampling::metropolis::Shape;
use posterior::sampling::slice::Elliptical;
use posterior::sampling::{Fixed, Run, Start};
use rand::RngExt;
use rand_distr::StandardNormal;

type Outcome<T> = Result<T, Box<dyn Error>>;

const SEED: u64 = 13;
const POINTS: usize = 120;
const NEW_POINTS: usize = 2000;
/// Far from all points.
const FAR: [f64; 2] = [5.0, 5.0];

/// Points with their classes.
struct Points {
    x: DMatrix<f64>,
    labels: Vec<f64>,
}

/// All that was computed of the training points.
struct Answers {
    laplace: Laplace<Logistic>,
    propagation: ExpectationPropagation<Logistic>,
    machine: SupportVectors,
    network: posterior::regression::network::Laplace,
}

fn main() -> Outcome<()> {
    let out = out_folder()?;
    let (train, test) = (clouds(POINTS, 0), clouds(NEW_POINTS, 1));
    let answers = learn(&train)?;
    let rows = compare(&answers, &train, &test)?;
    print_rows(&rows);
    let support = answers.machine.support().count();
    println!("\nThe support vector machine rests on {support} of {POINTS} points.");
    far_away(&answers)?;
    if let Some(folder) = out {
        std::fs::create_dir_all(&folder)?;
        let file = folder.join("report.html");
        std::fs::write(&file, report::page(&answers, &train, &rows)?.html())?;
        println!("\nThe pictures: {}", file.display());
    }
    Ok(())
}

/// The folder after `--out`.
fn out_folder() -> Outcome<Option<PathBuf>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.as_slice() {
        [] => Ok(None),
        [option, folder] if option == "--out" => Ok(Some(PathBuf::from(folder))),
        _ => Err("usage: two_classes [--out DIR]".into()),
    }
}

/// Two clouds for each class, side by side: B. D. Ripley's shape of an example that no line separates.
fn clouds(count: usize, part: u64) -> Points {
    let centers = [[-0.9, 0.1], [0.5, 0.2], [-0.3, 0.8], [0.8, 0.9]];
    let mut rng = stream(SEED, &[part]);
    let mut x = DMatrix::zeros(count, 2);
    let mut labels = Vec::with_capacity(count);
    for i in 0..count {
        let center = centers[i % 4];
        for (coordinate, middle) in center.into_iter().enumerate() {
            x[(i, coordinate)] = middle + 0.28 * rng.sample::<f64, _>(StandardNormal);
        }
        labels.push(if i % 4 < 2 { -1.0 } else { 1.0 });
    }
    Points { x, labels }
}

fn learn(train: &Points) -> Outcome<Answers> {
    let observations = Observations::new(train.x.clone(), &train.labels, Logistic)?;
    let start = GaussianProcess::new(4.0 * Kernel::rbf(1.0)?);
    let problem = LaplaceEvidence::new(start, observations.clone(), ModeOptions::default());
    let fitted = fit(&problem, &FitOptions::default(), &mut Silent)?;
    let laplace = fitted.model;
    let prior = laplace.prior().clone();
    println!("Learnt from {POINTS} points: f ~ {}\n", prior.kernel());
    let options = PropagationOptions::default();
    let propagation = expectation_propagation(&observations, &prior, &options, &mut Silent)?;
    propagation.report.require_converged()?;
    let (options, kernel) = (SupportOptions::default(), prior.kernel());
    let machine =
        support_vectors(&train.x, &train.labels, kernel, 1.0, Bias::Free, &options, &mut Silent)?.model;
    Ok(Answers { laplace, propagation: propagation.model, machine, network: network::learn(train)? })
}

/// What one method says.
struct Row {
    name: &'static str,
    ln_evidence: Option<f64>,
    errors: f64,
    ln_score: Option<f64>,
    /// Of the latent means at the points, in units of the exact standard deviation.
    mean_error: Option<f64>,
    /// The ratio of standard deviations, in the mean.
    sd_ratio: Option<f64>,
}

fn compare(answers: &Answers, train: &Points, test: &Points) -> Outcome<Vec<Row>> {
    let exact = draws(answers, train)?;
    let approximate = |name, latent: &Latent, at_points: &Latent, ln_evidence| Row {
        name,
        ln_evidence: Some(ln_evidence),
        errors: error_rate(&latent.mean, &test.labels),
        ln_score: Some(mean(latent.ln_predictive(&Logistic, &test.labels))),
        mean_error: Some(mean((0..POINTS).map(|i| (at_points.mean[i] - exact[i].0).abs() / exact[i].1))),
        sd_ratio: Some(mean((0..POINTS).map(|i| at_points.variance[i].sqrt() / exact[i].1))),
    };
    let (laplace, propagation) = (&answers.laplace, &answers.propagation);
    Ok(vec![
        approximate("Laplace", &laplace.latent(&test.x)?, &laplace.latent(&train.x)?, laplace.ln_evidence()),
        approximate(
            "expectation propagation",
            &propagation.latent(&test.x)?,
            &propagation.latent(&train.x)?,
            propagation.ln_evidence(),
        ),
        Row {
            name: "support vector machine",
            ln_evidence: None,
            errors: error_rate(&answers.machine.decision(&test.x)?, &test.labels),
            ln_score: None,
            mean_error: None,
            sd_ratio: None,
        },
        network::plugged_in(&answers.network, test)?,
        network::averaged(&answers.network, test)?,
    ])
}

/// Mean and standard deviation of the function at each point, by elliptical slice sampling of the exact posterior.
fn draws(answers: &Answers, train: &Points) -> Outcome<Vec<(f64, f64)>> {
    let labels = train.labels.clone();
    let target = FromFn::new(POINTS, move |f: &[f64]| {
        labels.iter().zip(f).map(|(&label, &f)| Logistic.ln_density(label, f)).sum::<f64>()
    });
    let mut gram = answers.laplace.prior().kernel().gram(&train.x);
    for i in 0..POINTS {
        // Points that are close together: the covariance has no factor without it.
        gram[(i, i)] *= 1.0 + 1e-8;
    }
    let sampler = Fixed(Elliptical::new(&[0.0; POINTS], Shape::dense(&gram)?)?);
    let run = Run::default().with_warm_up(2000).with_draws(20_000).with_seed(SEED);
    let sampled = run.sample(&target, &sampler, &Start::default())?;
    let moments = |i| {
        let draws = sampled.draws.parameter(i).concat();
        let center = mean(draws.iter().copied());
        (center, mean(draws.iter().map(|f| (f - center).powi(2))).sqrt())
    };
    Ok((0..POINTS).map(moments).collect())
}

fn mean(values: impl IntoIterator<Item = f64>) -> f64 {
    let (count, sum) = values.into_iter().fold((0.0, 0.0), |(count, sum), value| (count + 1.0, sum + value));
    sum / count
}

fn error_rate(latent: &DVector<f64>, labels: &[f64]) -> f64 {
    mean(latent.iter().zip(labels).map(|(f, label)| f64::from(u8::from(f * label <= 0.0))))
}

/// The cells of a table.
fn cells(row: &Row) -> Vec<String> {
    let number =
        |value: Option<f64>, digits| value.map_or("-".to_owned(), |value| format!("{value:.digits$}"));
    vec![
        row.name.to_owned(),
        number(row.ln_evidence, 3),
        format!("{:.1} %", 100.0 * row.errors),
        number(row.ln_score, 4),
        number(row.mean_error, 3),
        number(row.sd_ratio, 3),
    ]
}

const HEADINGS: [&str; 6] =
    ["method", "ln evidence", "errors", "ln score", "mean off by (sd)", "sd against exact"];

fn print_rows(rows: &[Row]) {
    let line = |cells: &[String]| {
        println!(
            "{:24} {:>12} {:>8} {:>9} {:>17} {:>17}",
            cells[0], cells[1], cells[2], cells[3], cells[4], cells[5]
        );
    };
    line(&HEADINGS.map(str::to_owned));
    for row in rows {
        line(&cells(row));
    }
}

/// Far from all points nothing is known: what is plugged in goes there with the mean, what is averaged with the variance.
fn far_away(answers: &Answers) -> Outcome<()> {
    println!("\nFrom the clouds out to ({}, {}) and beyond: p(class 1)", FAR[0], FAR[1]);
    println!("{:>8} {:>21} {:>21}", "", "Gaussian process", "network");
    println!("{:>8} {:>10} {:>10} {:>10} {:>10}", "share", "averaged", "plugged in", "averaged", "trained");
    for share in [0.2, 0.4, 0.6, 0.8, 1.0, 5.0] {
        let at = DMatrix::from_row_slice(1, 2, &FAR.map(|x| share * x));
        let latent = answers.propagation.latent(&at)?;
        println!(
            "{share:8.1} {:10.3} {:10.3} {:10.3} {:10.3}",
            latent.mean_response(&Logistic)[0],
            latent.plug_in_response(&Logistic)[0],
            answers.network.latent(&at)?.response()[0],
            answers.network.plug_in_response(&at)?[0],
        );
    }
    Ok(())
}
