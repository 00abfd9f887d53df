//! How many of the next ten people wear glasses.

use std::io::Write;

use posterior::dist::{Bernoulli, Beta, BetaBinomial, Binomial, Conjugate, Density, Moments};
use posterior::report::{Figure, Page, histogram};

use super::first;
use crate::Outcome;

pub(super) fn next_ten(out: &mut dyn Write, prior: &Beta, page: &mut Page) -> Outcome<()> {
    let posterior = Bernoulli::posterior(prior, &first(10)?)?;
    let predictive = BetaBinomial::new(10, posterior.alpha(), posterior.beta())?;
    let plugged_in = Binomial::new(10, 0.6)?;
    writeln!(out, "\nHow many of the next ten, after 6 of 10    predictive    if the proportion were 0.6")?;
    let (mut heights, mut line) = (Vec::new(), Vec::new());
    for k in 0..=10_u64 {
        let (p, q) = (predictive.ln_pdf(&k).exp(), plugged_in.ln_pdf(&k).exp());
        let bar = "█".repeat((100.0 * p).round() as usize);
        writeln!(out, "{k:4}  {bar:36} {p:12.6} {q:12.6}")?;
        heights.push(p);
        line.push((k as f64, q));
    }
    let sd = |variance: Option<f64>| variance.unwrap_or(f64::NAN).sqrt();
    let [wide, narrow] = [sd(predictive.variance()), sd(plugged_in.variance())];
    writeln!(out, "standard deviation {wide:.4}, if the proportion were known {narrow:.4}")?;
    let edges: Vec<f64> = (0..=11).map(|k| f64::from(k) - 0.5).collect();
    let text = format!(
        "The predictive distribution averages over what the proportion may be: its standard deviation is {wide:.2}, and {narrow:.2} if the proportion were \
             known to be 0.6."
    );
    page.section(
        "The next ten people",
        text,
        Figure::new(
            histogram("how many of the next ten wear glasses", &edges, &heights, &[line]),
            "Bars: after six of ten, averaged over the proportion. Line: with a proportion of 0.6.",
        ),
    );
    Ok(())
}
