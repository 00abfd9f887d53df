//! People who wear glasses: what one knows of a probability after 0, 1, 2, 5, 10, … observations.
//!
//! Six of ten people wear glasses, sixty of a hundred: the most likely proportion is the same, what one knows
//! of it is not. Prints the posterior as small multiples with its summaries and the evidence for a fair coin,
//! the two samples side by side, the effect of three priors, and the distribution of how many of the next ten
//! people wear glasses.

mod learning;
mod next;
mod twice;

use std::io::Write;

use posterior::dist::{Bernoulli, Beta, Conjugate, Density as _, Moments, Stats};
use posterior::math::ParamError;
use posterior::report::Page;

use crate::{Ending, Outcome, Sources};

/// Ten people, six with glasses; more people come in the same order again.
const PEOPLE: [bool; 10] = [true, false, true, true, false, true, false, true, true, false];

/// Tells the story.
///
/// # Errors
/// If `out` cannot be written.
pub fn tell(out: &mut dyn Write, _: &Sources) -> Outcome<Ending> {
    let uniform = Beta::new(1.0, 1.0)?;
    let mut page = Page::new("Conjugacy", "Six of ten is not sixty of a hundred");
    learning::learning(out, &uniform, &mut page)?;
    twice::side_by_side(out, &uniform, &mut page)?;
    twice::priors(out, &mut page)?;
    next::next_ten(out, &uniform, &mut page)?;
    "Ten people, six with glasses; more come in the same order again.".clone_into(&mut page.source);
    Ok(Ending::Completed(page))
}

/// The first n people.
fn first(n: usize) -> Result<Stats<Bernoulli>, ParamError> {
    let people: Vec<bool> = PEOPLE.iter().copied().cycle().take(n).collect();
    Stats::of((), &people)
}

/// ln of the odds of a fair coin against an unknown probability: positive if the coin explains the data
/// better.
fn ln_fair_against(prior: &Beta, people: &Stats<Bernoulli>) -> Result<f64, ParamError> {
    Ok(people.weight() * 0.5_f64.ln() - Bernoulli::ln_evidence(prior, people)?)
}

fn mean_and_sd(distribution: &Beta) -> (f64, f64) {
    (distribution.mean().unwrap_or(f64::NAN), distribution.variance().unwrap_or(f64::NAN).sqrt())
}

/// The points of the density, for a chart.
fn curve(distribution: &Beta) -> Vec<(f64, f64)> {
    let point = |i: i32| f64::from(i) / 200.0;
    (0..=200)
        .map(point)
        .map(|x| (x, distribution.ln_pdf(&x).exp()))
        .filter(|(_, density)| density.is_finite())
        .collect()
}
