//! Two components, step by step, from a start that is wrong.

use std::io::Write;

use posterior::inference::em::EmOptions;
use posterior::latent::Observations;
use posterior::latent::gaussian_mixture::{
    Covariances, GaussianMixture, GaussianMixtureOptions, GaussianMixtureProblem,
};
use posterior::latent::k_means::{self, CentreStart, KMeansOptions};
use posterior::math::iteration::Silent;
use posterior::math::linalg::DMatrix;
use posterior::report::{Figure, Page};

use super::{curve, picture};
use crate::Outcome;

/// EM steps after which the picture is drawn.
const SHOWN: [usize; 6] = [0, 1, 3, 6, 10, 100];

/// A start that is wrong on purpose: both centres among the long eruptions.
fn start() -> DMatrix<f64> {
    DMatrix::from_row_slice(2, 2, &[4.0, 90.0, 4.5, 70.0])
}

pub(super) fn centres(out: &mut dyn Write, eruptions: &Observations, page: &mut Page) -> Outcome<()> {
    let options = KMeansOptions { start: CentreStart::Centres(start()), ..KMeansOptions::new(2) };
    let found = k_means::fit(eruptions, &options, 0, &mut Silent)?;
    writeln!(out, "k-means: the sum of squared distances after each half step, which never rises")?;
    let trace: Vec<String> = found.half_steps.iter().map(|value| format!("{value:.0}")).collect();
    writeln!(out, "  {}", trace.join(" "))?;
    let line = found.half_steps.iter().enumerate().map(|(step, &value)| (step as f64 / 2.0, value)).collect();
    let text = "k-means from the same wrong start: each half step moves the rows to their nearest centre, or the centres to the mean of their rows.";
    page.section(
        "Two centres",
        text,
        Figure::new(
            curve(("step", "sum of squared distances"), vec![(String::new(), line)]),
            "It never rises.",
        ),
    );
    Ok(())
}

pub(super) fn proportions(out: &mut dyn Write, eruptions: &Observations, page: &mut Page) -> Outcome<()> {
    let covariance = DMatrix::from_row_slice(2, 2, &[1.0, 0.0, 0.0, 150.0]);
    let first = GaussianMixture::new(&[0.5, 0.5], &start(), Covariances::Full(vec![covariance; 2]))?;
    let mut pictures = Vec::new();
    let mut trace = Vec::new();
    for steps in SHOWN {
        let mixture = if steps == 0 {
            first.clone()
        } else {
            let em = EmOptions { max_iterations: steps, ..EmOptions::default() };
            let problem = GaussianMixtureProblem::new(
                eruptions,
                GaussianMixtureOptions { em, ..GaussianMixtureOptions::default() },
            )?;
            let fitted = problem.fit(first.clone(), &mut Silent)?;
            trace.clone_from(&fitted.report.trace);
            fitted.model.mixture
        };
        pictures.push(picture(&mixture, eruptions, &format!("After {steps} steps"))?);
    }
    writeln!(out, "\nEM: the logarithm of the likelihood after each step, which never falls")?;
    let shown: Vec<String> = trace.iter().map(|value| format!("{value:.2}")).collect();
    writeln!(out, "  {}", shown.join(" "))?;
    if let (Some(first), Some(last)) = (trace.first(), trace.last()) {
        page.facts.push(("ln likelihood after one step of EM".to_owned(), format!("{first:.2}")));
        page.facts.push(("at the end".to_owned(), format!("{last:.2}")));
    }
    if let Some(last) = pictures.pop() {
        page.lead = Some(Figure::new(
            last,
            "Each eruption in the colour of its component, and two standard deviations of each.",
        ));
    }
    let text = "Both components begin among the long eruptions. Every step of EM raises the likelihood; the fit above is where it ends.";
    page.section(
        "From a wrong start",
        text,
        pictures.into_iter().map(|own| Figure::new(own, "")).collect::<Vec<_>>(),
    );
    let line = trace.iter().enumerate().map(|(step, &value)| (step as f64, value)).collect();
    page.section(
        "It never falls",
        "ln p of the data after each step.",
        Figure::new(curve(("step", "ln likelihood"), vec![(String::new(), line)]), ""),
    );
    Ok(())
}
