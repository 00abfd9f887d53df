//! How the methods compare on new points, against exact draws, and far away.

use std::io::Write;

use posterior::dist::target::FromFn;
use posterior::gp::classification::LatentMoments;
use posterior::gp::likelihood::{Likelihood, LogisticLikelihood};
use posterior::math::linalg::{DMatrix, DVector};
use posterior::regression::network::NetworkLaplace;
use posterior::sampling::metropolis::StepShape;
use posterior::sampling::slice::Elliptical;
use posterior::sampling::{Run, Start, Untuned};

use super::{Answers, FAR, POINTS, Points, SEED, network};
use crate::Outcome;

/// What one method says.
pub(super) struct Row {
    pub(super) name: &'static str,
    pub(super) ln_evidence: Option<f64>,
    pub(super) errors: f64,
    pub(super) ln_score: Option<f64>,
    /// Of the latent means at the points, in units of the exact standard deviation.
    pub(super) mean_error: Option<f64>,
    /// The ratio of standard deviations, in the mean.
    pub(super) sd_ratio: Option<f64>,
}

pub(super) const HEADINGS: [&str; 6] =
    ["method", "ln evidence", "errors", "ln score", "mean off by (sd)", "sd against exact"];

pub(super) fn compare(answers: &Answers, train: &Points, test: &Points) -> Outcome<Vec<Row>> {
    let exact = draws(answers, train)?;
    let approximate = |name, latent: &LatentMoments, at_points: &LatentMoments, ln_evidence| Row {
        name,
        ln_evidence: Some(ln_evidence),
        errors: error_rate(&latent.mean, &test.labels),
        ln_score: Some(mean(latent.ln_predictive(&LogisticLikelihood, &test.labels))),
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
        plugged_in(&answers.network, test)?,
        averaged(&answers.network, test)?,
    ])
}

/// What the trained network says of new points.
fn plugged_in(fitted: &NetworkLaplace, test: &Points) -> Outcome<Row> {
    let f = fitted.network().outputs_at(fitted.mode(), &test.x)?.column(0).into_owned();
    let scores = f.iter().zip(&test.labels).map(|(f, label)| -(-f * label).exp().ln_1p());
    Ok(Row {
        name: "network, trained",
        ln_evidence: None,
        errors: error_rate(&f, &test.labels),
        ln_score: Some(mean(scores)),
        mean_error: None,
        sd_ratio: None,
    })
}

/// What the average over networks says of new points.
fn averaged(fitted: &NetworkLaplace, test: &Points) -> Outcome<Row> {
    let latent = fitted.latent(&test.x)?;
    Ok(Row {
        name: "network, averaged",
        ln_evidence: Some(fitted.ln_evidence()),
        errors: error_rate(&latent.mean().column(0).into_owned(), &test.labels),
        ln_score: Some(mean(latent.ln_predictive(&network::observed(test)?)?)),
        mean_error: None,
        sd_ratio: None,
    })
}

/// Mean and standard deviation of the function at each point, by elliptical slice sampling of the exact
/// posterior.
fn draws(answers: &Answers, train: &Points) -> Outcome<Vec<(f64, f64)>> {
    let labels = train.labels.clone();
    let target = FromFn::new(POINTS, move |f: &[f64]| {
        labels.iter().zip(f).map(|(&label, &f)| LogisticLikelihood.ln_density(label, f)).sum::<f64>()
    });
    let mut gram = answers.laplace.prior().kernel().gram(&train.x);
    for i in 0..POINTS {
        // Points that are close together: the covariance has no factor without it.
        gram[(i, i)] *= 1.0 + 1e-8;
    }
    let sampler = Untuned(Elliptical::new(&[0.0; POINTS], StepShape::dense(&gram)?)?);
    let run = Run { warm_up: 2000, draws: 20_000, seed: SEED, ..Run::default() };
    let sampled = run.sample(&target, &sampler, &Start::default())?;
    let moments = |i| {
        let draws = sampled.draws.parameter(i).concat();
        let center = mean(draws.iter().copied());
        (center, mean(draws.iter().map(|f| (f - center).powi(2))).sqrt())
    };
    Ok((0..POINTS).map(moments).collect())
}

pub(super) fn mean(values: impl IntoIterator<Item = f64>) -> f64 {
    let (count, sum) = values.into_iter().fold((0.0, 0.0), |(count, sum), value| (count + 1.0, sum + value));
    sum / count
}

pub(super) fn error_rate(latent: &DVector<f64>, labels: &[f64]) -> f64 {
    mean(latent.iter().zip(labels).map(|(f, label)| f64::from(u8::from(f * label <= 0.0))))
}

/// The cells of a table.
pub(super) fn cells(row: &Row) -> Vec<String> {
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

pub(super) fn print_rows(out: &mut dyn Write, rows: &[Row]) -> Outcome<()> {
    let headings = HEADINGS.map(str::to_owned).to_vec();
    for cells in std::iter::once(headings).chain(rows.iter().map(cells)) {
        writeln!(
            out,
            "{:24} {:>12} {:>8} {:>9} {:>17} {:>17}",
            cells[0], cells[1], cells[2], cells[3], cells[4], cells[5]
        )?;
    }
    Ok(())
}

/// Far from all points nothing is known: what is plugged in goes there with the mean, what is averaged with
/// the variance.
pub(super) fn far_away(out: &mut dyn Write, answers: &Answers) -> Outcome<()> {
    writeln!(out, "\nFrom the clouds out to ({}, {}) and beyond: p(class 1)", FAR[0], FAR[1])?;
    writeln!(out, "{:>8} {:>21} {:>21}", "", "Gaussian process", "network")?;
    writeln!(
        out,
        "{:>8} {:>10} {:>10} {:>10} {:>10}",
        "proportion", "averaged", "plugged in", "averaged", "trained"
    )?;
    for proportion in [0.2, 0.4, 0.6, 0.8, 1.0, 5.0] {
        let at = DMatrix::from_row_slice(1, 2, &FAR.map(|x| proportion * x));
        let latent = answers.propagation.latent(&at)?;
        writeln!(
            out,
            "{proportion:8.1} {:10.3} {:10.3} {:10.3} {:10.3}",
            latent.mean_response(&LogisticLikelihood)[0],
            latent.plug_in_response(&LogisticLikelihood)[0],
            answers.network.latent(&at)?.response()[0],
            answers.network.plug_in_response(&at)?[0],
        )?;
    }
    Ok(())
}
