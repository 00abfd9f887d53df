//! Kalman filters side by side: ours in both forms, and those of Python's libraries when a Python program is
//! named, on three models with 100,000 observations each.

use std::error::Error;
use std::hint::black_box;

use posterior::kalman::{CovarianceForm, FilterOptions, SteadyState, filter, ln_likelihood};
use posterior_benches::comparison::{Settings, figure, head, ratio, row};
use posterior_benches::peers::Measurements;
use posterior_benches::state_space::{SIZES, Workload};
use posterior_benches::timing::cpu_seconds;

const PASSES: usize = 5;
const TASKS: [&str; 3] = ["filter", "filter and smoother", "likelihood"];

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let settings = Settings::from_arguments();
    let length = settings.size(100_000, 2_000);
    let peers = Measurements::run(&settings, "state_space.py", folder.path(), 1)?;
    println!(
        "microseconds of CPU an observation, {length} observations, one thread, the least of {PASSES} passes; o / p: ours in covariance form / peer, \
         with all covariances where the peer has them\n"
    );
    let figures = ["filter", "o / p", "filter and smoother", "o / p", "likelihood only", "o / p", "ln p"];
    println!("{}", head(&["states, observed", "program"], &figures));
    for size in SIZES {
        let workload = match &settings.python {
            Some(_) => Workload::read(folder.path(), size)?,
            None => Workload::generate(size, length)?,
        };
        let mut reference = Vec::new();
        let label = format!("{}, {}", size.0, size.1);
        for (name, form) in
            [("covariance form", CovarianceForm::Joseph), ("square roots", CovarianceForm::SquareRoot)]
        {
            for (steady, options) in [
                ("", FilterOptions { form, ..FilterOptions::default() }),
                (
                    ", no steady state",
                    FilterOptions { form, steady_state: SteadyState::Ignore, ..FilterOptions::default() },
                ),
            ] {
                let (times, value) = ours(&workload, options)?;
                let cells = times.map(|time| format!("{} | ", figure(time, 3))).join(" | ");
                println!(
                    "{}",
                    row(&[&label, &format!("posterior, {name}{steady}"), &cells, &figure(value, 5)])
                );
                reference.push(times);
            }
        }
        for peer in &peers.peers {
            // Only statsmodels sees that covariances no longer change.
            let ours = reference[usize::from(peer != "statsmodels")];
            let mut cells = vec![label.clone(), peer.clone()];
            for (task, ours) in TASKS.into_iter().zip(ours) {
                let theirs = peers.of(size.0, peer, task);
                cells.extend([figure(theirs, 3), ratio(ours, theirs)]);
            }
            cells.push(figure(peers.of(size.0, peer, "ln_p"), 5));
            println!("{}", row(&cells));
        }
    }
    Ok(())
}

/// Microseconds an observation for the three tasks, and the log-likelihood.
fn ours(workload: &Workload, options: FilterOptions) -> Result<([f64; 3], f64), posterior::kalman::Error> {
    let Workload { model, series } = workload;
    let value = ln_likelihood(model, series, &options)?;
    let length = series.len();
    let filtering =
        microseconds(length, || filter(model, series, &options).map(|filtered| filtered.ln_likelihood()))?;
    let both = microseconds(length, || {
        filter(model, series, &options)?.smooth(model).map(|smoothed| smoothed.ln_likelihood())
    })?;
    let only = microseconds(length, || ln_likelihood(model, series, &options))?;
    Ok(([filtering, both, only], value))
}

/// The least of several passes, each long enough for a clock of processor time that ticks every few
/// milliseconds.
fn microseconds(
    length: usize,
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
    Ok(least / length as f64 * 1e6)
}
