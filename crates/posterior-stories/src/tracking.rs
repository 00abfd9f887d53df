//! Where has it been? A walk seen through noise, with a stretch in which nothing was seen.
//!
//! Something moves in the plane with a velocity that wanders, and each second its position is measured,
//! badly, or not at all. Prints how far measurements, filter and smoother are from the truth; how the error
//! bars widen while nothing is seen, and close again; that a Gaussian process says the same, number by
//! number; what the filter's gain comes to; what EM learns of the noise; and the same walk seen by a radar,
//! which measures distance and direction, so that nothing is linear.

mod bands;
mod learning;
mod radar;
mod walk;

use std::io::Write;

use posterior::kalman::{FilterOptions, filter};
use posterior::report::Page;

use crate::{Ending, Outcome, Sources};
use walk::Walk;

const SECONDS: usize = 60;
const UNSEEN: std::ops::Range<usize> = 28..40;
/// How much the velocity wanders: the variance that it gains in a second.
const INTENSITY: f64 = 0.05;
const NOISE_SD: f64 = 1.5;
const START_VARIANCE: f64 = 100.0;
const SEED: u64 = 11;

/// Tells the story.
///
/// # Errors
/// If `out` cannot be written.
pub fn tell(out: &mut dyn Write, _: &Sources) -> Outcome<Ending> {
    let walk = walk::drawn()?;
    let filtered = filter(&walk.model, &walk.series, &FilterOptions::default())?;
    let smoothed = filtered.smooth(&walk.model)?;
    let mut page = Page::new("Tracking", "The walk, smoothed");
    bands::distances(out, &walk, &filtered, &smoothed, &mut page)?;
    bands::bands(out, &walk, &filtered, &smoothed, &mut page)?;
    learning::gaussian_process(out, &walk, &smoothed, &mut page)?;
    learning::gain(out, &walk, &filtered, &mut page)?;
    learning::learn(out, &walk, &mut page)?;
    radar::radar(out, &walk, &mut page)?;
    page.source = format!("Drawn from the model with seed {SEED}.");
    Ok(Ending::Completed(page))
}

/// The root of the mean squared distance from the truth, over the seconds in which something was seen, or in
/// which nothing was.
fn distance<'a>(walk: &Walk, of: impl Fn(usize) -> [f64; 2] + 'a, seen: &[usize]) -> f64 {
    let squares = seen.iter().map(|&t| {
        let [x, y] = of(t);
        (x - walk.truth[(t, 0)]).powi(2) + (y - walk.truth[(t, 2)]).powi(2)
    });
    (squares.sum::<f64>() / seen.len() as f64).sqrt()
}
