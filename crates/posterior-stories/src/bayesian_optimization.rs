//! Where to look next for the least value of a costly function.
//!
//! Branin's function of two variables has three equal minima, 0.397887. Thirty trials are chosen one by one,
//! each where a Gaussian process of all trials so far expects to gain most; beside them as many random ones.
//! Prints the best value after each of them, and how the two get on over eleven seeds.

use std::io::Write;

use posterior::decision::optimization::{
    Axis, LnExpectedImprovement, Optimizer, OptimizerOptions, Space, ln_expected_improvement,
};
use posterior::dist::stream::stream;
use posterior::report::{BandPoint, Field, FieldDot, Figure, Page, Picture, Ribbon, Side, field, ribbons};
use rand::RngExt;

use crate::{Ending, Outcome, Sources};

const TRIALS: usize = 30;
const SEEDS: u64 = 11;
const LEAST: f64 = 0.397_887_357_729_738;
/// Trials before which the surface is drawn.
const SHOWN: [usize; 4] = [6, 10, 15, 25];
const CELLS: usize = 60;

/// Tells the story.
///
/// # Errors
/// If `out` cannot be written.
pub fn tell(out: &mut dyn Write, _: &Sources) -> Outcome<Ending> {
    let (mut chosen, mut random) = (Vec::new(), Vec::new());
    let mut surfaces = Vec::new();
    for seed in 0..SEEDS {
        let (trace, pictures) = search(seed, seed == 0)?;
        if seed == 0 {
            surfaces = pictures;
        }
        chosen.push(trace);
        random.push(at_random(seed));
    }
    writeln!(out, "how far the best value so far is from the least one: median of {SEEDS} seeds")?;
    writeln!(out, "{:>6}  {:>10}  {:>10}", "trials", "chosen", "random")?;
    for trial in (4..TRIALS).step_by(5) {
        let [chosen, random] = [median(&chosen, trial), median(&random, trial)];
        writeln!(out, "{:>6}  {chosen:>10.6}  {random:>10.6}", trial + 1)?;
    }
    Ok(Ending::Completed(page(&chosen, &random, surfaces)))
}

fn branin(x: f64, y: f64) -> f64 {
    let pi = std::f64::consts::PI;
    let bend = y - 5.1 / (4.0 * pi * pi) * x * x + 5.0 / pi * x - 6.0;
    bend * bend + 10.0 * (1.0 - 1.0 / (8.0 * pi)) * x.cos() + 10.0
}

fn space() -> Outcome<Space> {
    Ok(Space::new(&[Axis::Real { lower: -5.0, upper: 10.0 }, Axis::Real { lower: 0.0, upper: 15.0 }])?)
}

/// The gap after each trial, and the surfaces where they are wanted.
fn search(seed: u64, draw: bool) -> Outcome<(Vec<f64>, Vec<Figure>)> {
    let mut optimizer = Optimizer::new(space()?, OptimizerOptions { seed, ..OptimizerOptions::default() })?;
    let mut pictures = Vec::new();
    for trial in 0..TRIALS {
        let point = optimizer.ask(&LnExpectedImprovement)?;
        if draw && SHOWN.contains(&trial) {
            pictures.push(Figure::new(surface(&optimizer, &point)?, format!("Before trial {}", trial + 1)));
        }
        optimizer.tell(&point, branin(point[0], point[1]))?;
    }
    Ok((optimizer.trace().iter().map(|value| value - LEAST).collect(), pictures))
}

fn at_random(seed: u64) -> Vec<f64> {
    let mut rng = stream(seed, &[1]);
    let mut best = f64::INFINITY;
    let trial = |_| {
        let (x, y) = (rng.random_range(-5.0..10.0), rng.random_range(0.0..15.0));
        best = branin(x, y).min(best);
        best - LEAST
    };
    (0..TRIALS).map(trial).collect()
}

/// The logarithm of the expected improvement, the trials so far, and the next one.
fn surface(optimizer: &Optimizer, next: &[f64]) -> Outcome<Picture> {
    let place = |low: f64, cell: usize| low + 15.0 * (cell as f64 + 0.5) / CELLS as f64;
    let x: Vec<f64> = (0..CELLS).map(|cell| place(-5.0, cell)).collect();
    let y: Vec<f64> = (0..CELLS).map(|cell| place(0.0, cell)).collect();
    let points: Vec<Vec<f64>> = y.iter().flat_map(|&y| x.iter().map(move |&x| vec![x, y])).collect();
    let output = optimizer.surrogate()?.predict(&points)?;
    let best = optimizer.best().map_or(f64::INFINITY, |(_, value)| value);
    let gain = |(&mean, &variance): (&f64, &f64)| ln_expected_improvement(mean, variance.sqrt(), best);
    let values: Vec<f64> = output.mean.iter().zip(output.variance.iter()).map(gain).collect();
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let plane = Field { x, y, values, ends: (most - 20.0, most) };
    let mut dots: Vec<FieldDot> = optimizer
        .trials()
        .iter()
        .map(|own| FieldDot { at: (own.point[0], own.point[1]), radius: 2.5, side: Side::Low })
        .collect();
    dots.push(FieldDot { at: (next[0], next[1]), radius: 6.0, side: Side::High });
    Ok(field("ln expected improvement", ("x", "y"), &plane, &dots))
}

fn sorted(traces: &[Vec<f64>], trial: usize) -> Vec<f64> {
    let mut gaps: Vec<f64> = traces.iter().map(|trace| trace[trial]).collect();
    gaps.sort_by(f64::total_cmp);
    gaps
}

fn median(traces: &[Vec<f64>], trial: usize) -> f64 {
    sorted(traces, trial)[traces.len() / 2]
}

/// The median of log10 of the gap, between the second least and the second largest.
fn ribbon(name: &str, traces: &[Vec<f64>]) -> Ribbon {
    let trials = traces.first().map_or(0, Vec::len);
    let log = |value: f64| value.max(1e-8).log10();
    let line = |trial: usize| ((trial + 1) as f64, log(median(traces, trial)));
    let band = |trial: usize| {
        let gaps = sorted(traces, trial);
        BandPoint { x: (trial + 1) as f64, low: log(gaps[1]), high: log(gaps[gaps.len() - 2]) }
    };
    let bands = vec![(0..trials).map(band).collect()];
    Ribbon { name: name.to_owned(), line: (0..trials).map(line).collect(), bands }
}

fn page(chosen: &[Vec<f64>], random: &[Vec<f64>], surfaces: Vec<Figure>) -> Page {
    let mut page = Page::new("Bayesian optimisation", "Thirty trials, well chosen");
    page.standfirst.push(format!(
        "After {TRIALS} trials the median distance to the least value is {:.1e}; of random trials it is {:.2}.",
        median(chosen, TRIALS - 1),
        median(random, TRIALS - 1)
    ));
    let lines = [ribbon("expected improvement", chosen), ribbon("random", random)];
    page.lead = Some(Figure::new(
        ribbons(("trials", "log10 of the distance to the least value"), &lines, &[], None),
        "Lines: medians of eleven seeds; bands: all but the best and the worst of them.",
    ));
    let text = "The logarithm of the expected improvement, before four of the trials: high where the second colour is strong. Small dots: the trials so far; \
               large dot: the next one. It fills what is unknown, then closes in on the minima.";
    page.section("What a trial is worth", text, surfaces);
    page.facts = [
        ("least value", format!("{LEAST:.6}")),
        ("off after 30 chosen trials", format!("{:.1e}", median(chosen, TRIALS - 1))),
        ("off after 30 random ones", format!("{:.2}", median(random, TRIALS - 1))),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .to_vec();
    "Branin's function on [-5, 10] x [0, 15].".clone_into(&mut page.source);
    page
}
