//! Kalman filters side by side: ours in both forms, and those of Python's libraries when a Python program is named, on three models
//! with 100,000 observations each.

use std::error::Error;
use std::hint::black_box;

use posterior::kalman::{FilterOptions, Form, SteadyState, filter, ln_likelihood};
use posterior_benches::peers::Measurements;
use posterior_benches::state_space::{SIZES, Workload};
use posterior_benches::timing::cpu_seconds;

const LENGTH: usize = 100_000;
const PASSES: usize = 5;
const TASKS: [&str; 3] = ["filter", "filter and smoother", "likelihood"];

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let python = std::env::args().nth(1);
    let peers = match &python {
        Some(program) => Measurements::run(program, "state_space.py", folder.path(), 1)?,
        None => Measurements::default(),
    };
    println!("microseconds of CPU an observation, one thread, the least of {PASSES} passes\n");
    println!("| states, observed | program | filter | filter and smoother | likelihood only | ln p |");
    println!("|---|---|--:|--:|--:|--:|");
    for size in SIZES {
        let workload = match &python {
            Some(_) => Workload::read(folder.path(), size)?,
            None => Workload::generate(size, LENGTH)?,
        };
        let label = format!("{}, {}", size.0, size.1);
        for (name, form) in [("covariance form", Form::Joseph), ("square roots", Form::SquareRoot)] {
            for (steady, options) in [
                ("", FilterOptions::default().with_form(form)),
                (
                    ", no steady state",
                    FilterOptions::default().with_form(form).with_steady_state(SteadyState::Ignore),
                ),
            ] {
                let (times, value) = ours(&workload, options)?;
                let cells = times.map(|time| format!("{time:.3}")).join(" | ");
                println!("| {label} | posterior, {name}{steady} | {cells} | {value:.5} |");
            }
        }
        for peer in &peers.peers {
            let cell =
                |what| peers.of(size.0, peer, what).map_or("-".to_owned(), |time| format!("{time:.3}"));
            let value = peers.of(size.0, peer, "ln_p").map_or("-".to_owned(), |value| format!("{value:.5}"));
            println!("| {label} | {peer} | {} | {value} |", TASKS.map(cell).join(" | "));
        }
    }
    Ok(())
}

/// Microseconds an observation for the three tasks, and the log-likelihood.
fn ours(workload: &Workload, options: FilterOptions) -> Result<([f64; 3], f64), posterior::kalman::Error> {
    let Workload { model, series } = workload;
    let value = ln_likelihood(model, series, &options)?;
    let filtering =
        microseconds(|| filter(model, series, &options).map(|filtered| filtered.ln_likelihood()))?;
    let both = microseconds(|| {
        filter(model, series, &options)?.smooth(model).map(|smoothed| smoothed.ln_likelihood())
    })?;
    let only = microseconds(|| ln_likelihood(model, series, &options))?;
    Ok(([filtering, both, only], value))
}

/// The least of several passes, each long enough for a clock of processor time that ticks every few milliseconds.
fn microseconds(
    call: impl Fn() -> Result<f64, posterior::kalman::Error>,
) -> Result<f64, posterior::kalman::Error> {
    let seconds = |calls: u32| -> Result<f64, posterior::kalman::Error> {
        let start = cpu_seconds();
        for _ in 0..calls {
            black_box(call()?);
        }
        Ok((cpu_seconds() - start) / f64::from(calls))
    };
    let calls = (0.2 / seconds(2)?.max(2e-3)).ceil() as u32;
    let mut least = f64::INFINITY;
    for _ in 0..PASSES {
        least = least.min(seconds(calls)?);
    }
    Ok(least / LENGTH as f64 * 1e6)
}
