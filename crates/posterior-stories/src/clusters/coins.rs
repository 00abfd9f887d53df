//! A bag of washed coins.

use std::io::Write;

use posterior::dist::{Binomial, Mixture};
use posterior::inference::em::EmOptions;
use posterior::latent::mixture::{MaximumLikelihood, MixtureProblem};
use posterior::latent::variational::Points;
use posterior::math::iteration::Silent;
use posterior::report::{Figure, Page};

use super::curve;
use crate::Outcome;

/// Heads in three tosses of each of five coins, of two kinds that look the same.
const HEADS: [u64; 5] = [3, 1, 1, 2, 1];

pub(super) fn coins(out: &mut dyn Write, page: &mut Page) -> Outcome<()> {
    let points = Points::new(&HEADS);
    let problem = MixtureProblem::<Binomial, _, _>::new(&points, 3, MaximumLikelihood)?;
    writeln!(out, "\nA bag of washed coins: where EM ends")?;
    writeln!(out, "  {:>22}  {:>10}  {:>8}  {:>8}", "start", "ln L", "heads", "heads")?;
    let mut lines = Vec::new();
    for (proportion, first, second) in [(0.5, 0.6, 0.4), (0.5, 0.55, 0.5), (0.3, 0.8, 0.5), (0.2, 0.95, 0.4)]
    {
        let start = Mixture::from_weights(
            &[proportion, 1.0 - proportion],
            vec![Binomial::new(3, first)?, Binomial::new(3, second)?],
        )?;
        let options = EmOptions { tolerance: 0.0, max_iterations: 60, ..EmOptions::default() };
        let fitted = problem.fit(start, &options, &mut Silent)?;
        let ends = fitted.model.mixture.components();
        let last = fitted.report.trace.last().copied().unwrap_or(f64::NAN);
        let name = format!("{proportion}, {first}, {second}");
        writeln!(
            out,
            "  {name:>22}  {last:>10.5}  {:>8.4}  {:>8.4}",
            ends[0].probability(),
            ends[1].probability()
        )?;
        let line =
            fitted.report.trace.iter().enumerate().map(|(step, &value)| (step as f64, value)).collect();
        lines.push((name, line));
    }
    writeln!(
        out,
        "  8/15 twice is the saddle of two equal coins; the top is on the boundary, where one kind always shows heads"
    )?;
    let text = "Five coins of two kinds, washed. Starts that treat both kinds nearly alike creep into a saddle, two equal coins, and stay; the top has \
               one kind that always shows heads. That the likelihood never falls does not mean that it gets to the top.";
    page.section(
        "Never falls, and yet",
        text,
        Figure::new(
            curve(("step", "ln likelihood"), lines),
            "Proportion and chances of heads where each line begins.",
        ),
    );
    Ok(())
}
