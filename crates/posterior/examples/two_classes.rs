//! Two classes in the plane: what a Gaussian process knows of them, and where a support vector machine looks.
//!
//! `cargo run --release -p posterior --example two_classes [-- --out DIR]`
//!
//! Points of two classes, drawn from four overlapping clouds. The parameters of the kernel are learnt from the evidence. Prints the
//! evidence and the error on new points of Laplace's method and expectation propagation, and both against draws of the exact posterior;
//! how certain each is far away; and how many points a support vector machine rests on. With `--out` it writes a page with maps of the
//! latent mean, its standard deviation, the averaged and the plugged-in probability, and the weights of both.

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
use posterior::gp::support_vectors::{Bias, Losses, SupportOptions, SupportVectors, support_vectors};
use posterior::gp::{GaussianProcess, Kernel};
use posterior::math::iteration::Silent;
use posterior::math::linalg::{DMatrix, DVector};
use posterior::report::{
    Body, Card, Column, Field, FieldDot, Figure, Page, Picture, Section, Side, Table, density, field,
};
use posterior::sampling::metropolis::Shape;
use posterior::sampling::slice::Elliptical;
use posterior::sampling::{Fixed, Run, Start};
use rand::RngExt;
use rand_distr::StandardNormal;

type Outcome<T> = Result<T, Box<dyn Error>>;

const SEED: u64 = 13;
const POINTS: usize = 120;
const NEW_POINTS: usize = 2000;
const CELLS: usize = 44;
/// The half-width of the maps: the points are within about 1.5.
const HALF: f64 = 3.0;
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
        std::fs::write(&file, page(&answers, &train, &rows)?.html())?;
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
    Ok(Answers { laplace, propagation: propagation.model, machine })
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
    println!("\nFrom the clouds out to ({}, {}): p(class 1)", FAR[0], FAR[1]);
    println!("{:>8} {:>10} {:>8} {:>10} {:>10}", "share", "f", "sd", "averaged", "plugged in");
    for share in [0.2, 0.4, 0.6, 0.8, 1.0] {
        let at = DMatrix::from_row_slice(1, 2, &FAR.map(|x| share * x));
        let latent = answers.propagation.latent(&at)?;
        println!(
            "{share:8.1} {:10.3} {:8.3} {:10.3} {:10.3}",
            latent.mean[0],
            latent.variance[0].sqrt(),
            latent.mean_response(&Logistic)[0],
            latent.plug_in_response(&Logistic)[0]
        );
    }
    Ok(())
}

/// The centres of the cells of a map.
fn centers(middle: f64) -> Vec<f64> {
    let place = |i: usize| middle + HALF * (2.0 * (i as f64 + 0.5) / CELLS as f64 - 1.0);
    (0..CELLS).map(place).collect()
}

/// A map of something, with all points on it.
fn map(name: &str, values: &DVector<f64>, ends: (f64, f64), dots: &[FieldDot]) -> Picture {
    let plane = Field { x: centers(0.0), y: centers(0.5), values: values.as_slice().to_vec(), ends };
    field(name, ("x₁", "x₂"), &plane, dots)
}

fn dots(train: &Points, radius: impl Fn(usize) -> f64) -> Vec<FieldDot> {
    let dot = |i: usize| FieldDot {
        at: (train.x[(i, 0)], train.x[(i, 1)]),
        radius: radius(i),
        side: if train.labels[i] > 0.0 { Side::High } else { Side::Low },
    };
    (0..POINTS).map(dot).collect()
}

fn page(answers: &Answers, train: &Points, rows: &[Row]) -> Outcome<Page> {
    let (x, y) = (centers(0.0), centers(0.5));
    let grid = DMatrix::from_fn(CELLS * CELLS, 2, |i, coordinate| [x[i % CELLS], y[i / CELLS]][coordinate]);
    let latent = answers.propagation.latent(&grid)?;
    let sd = latent.variance.map(f64::sqrt);
    let all = dots(train, |_| 2.0);
    let reach = latent.mean.amax();
    let mut page =
        Page::new("Gaussian processes", "Two classes, and what is known of them between and beyond");
    page.standfirst.push(format!(
        "{POINTS} points of two classes. A Gaussian process is certain inside of the clouds, and returns to one half where there are no \
         points: the average over all functions does so at once, the most likely function alone only further out."
    ));
    let averaged = map("Averaged probability", &latent.mean_response(&Logistic), (0.0, 1.0), &all);
    page.lead = Some(Figure::new(
        averaged,
        "The probability of the second class, averaged over the posterior of the function.",
    ));
    page.sections.push(Section {
        title: "The function".to_owned(),
        text: "Its posterior mean and standard deviation, and the probability that one gets by taking the mean for the function."
            .to_owned(),
        body: Body::Cards(vec![Card {
            title: "By expectation propagation".to_owned(),
            meta: format!("f ~ {}", answers.propagation.prior().kernel()),
            pictures: vec![
                map("Mean of f", &latent.mean, (-reach, reach), &all),
                map("Standard deviation of f", &sd, (-sd.amax(), sd.amax()), &all),
                map("Plugged-in probability", &latent.plug_in_response(&Logistic), (0.0, 1.0), &all),
            ],
        }]),
    });
    page.sections.push(weights(answers, train, &grid)?);
    page.sections.push(Section {
        title: "Against draws of the exact posterior".to_owned(),
        text: "Elliptical slice sampling is the reference: by how many of its standard deviations the means at the points are off, and how \
               wide the approximations are."
            .to_owned(),
        body: Body::Table(Table {
            columns: HEADINGS
                .iter()
                .enumerate()
                .map(|(i, heading)| if i == 0 { Column::Text((*heading).to_owned()) } else { Column::Number((*heading).to_owned()) })
                .collect(),
            rows: rows.iter().map(cells).collect(),
        }),
    });
    page.sections.push(losses());
    "cargo run --release -p posterior --example two_classes -- --out out".clone_into(&mut page.command);
    page.settings = [("seed", SEED), ("points", POINTS as u64)]
        .map(|(name, value)| (name.to_owned(), value.to_string()))
        .to_vec();
    Ok(page)
}

/// The weights of both: which points hold the function where it is.
fn weights(answers: &Answers, train: &Points, grid: &DMatrix<f64>) -> Outcome<Section> {
    let sized = |weights: &DVector<f64>| {
        let largest = weights.amax();
        dots(train, |i| 5.0 * (weights[i].abs() / largest).sqrt())
    };
    let decision = answers.machine.decision(grid)?;
    let of_gp = answers.laplace.latent(grid)?.mean;
    let (gp, machine) = (of_gp.amax(), decision.amax());
    let support = answers.machine.support().count();
    Ok(Section {
        title: "Weights".to_owned(),
        text: format!(
            "Both functions are sums of kernels at the points, with weights that are the slopes of the losses. The machine's are exactly zero for \
             all but {support} points; the process's are small there. A dot's area is the size of its weight."
        ),
        body: Body::Cards(vec![Card {
            title: "Which points matter".to_owned(),
            meta: String::new(),
            pictures: vec![
                map("Gaussian process: r", &of_gp, (-gp, gp), &sized(answers.laplace.weights())),
                map(
                    "Support vector machine: r",
                    &decision,
                    (-machine, machine),
                    &sized(answers.machine.weights()),
                ),
            ],
        }]),
    })
}

/// Three losses of the margin.
fn losses() -> Section {
    let at: Vec<Losses> = (0..=120).map(|i| Losses::at(f64::from(i) / 20.0 - 3.0)).collect();
    let curve = |loss: fn(&Losses) -> f64| at.iter().map(|l| (l.margin, loss(l))).collect::<Vec<_>>();
    let curves = [curve(|l| l.hinge), curve(|l| l.logistic), curve(|l| l.probit)];
    Section {
        title: "Losses".to_owned(),
        text: "The hinge is flat beyond the margin 1; minus the logarithms of the two likelihoods never are. The hinge is minus the logarithm of \
               no likelihood: the masses of both labels add up to 0.74 at f = 0, and to 1.14 at f = 1."
            .to_owned(),
        body: Body::Figure(Figure::new(density("losses", &curves), "Hinge, logistic and probit loss over the margin y f.")),
    }
}
