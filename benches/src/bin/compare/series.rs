//! Kalman filters side by side: ours in both forms, and those of Python's libraries when a Python program is
//! named, on three models with 100,000 observations each.

use std::hint::black_box;

use posterior::kalman::{CovarianceForm, FilterOptions, SteadyState, filter, ln_likelihood};
use posterior_benches::comparison::{Outcome, Settings, figure, print_head, print_row, ratio};
use posterior_benches::peers::Measurements;
use posterior_benches::state_space::{SIZES, Workload};
use posterior_benches::timing::{cpu_seconds, least};

const PASSES: usize = 5;
const TASKS: [&str; 3] = ["filter", "filter and smoother", "likelihood"];

/// Prints the tables.
pub(super) fn compare(settings: &Settings) -> Outcome {
    let length = settings.size(100_000, 2_000);
    let peers = Measurements::run(settings, "state_space.py", 1)?;
    println!(
        "microseconds of CPU an observation, {length} observations, one thread, the least of {PASSES} passes; o / p: ours in covariance form / peer, \
         with all covariances where the peer has them\n"
    );
    let figures = ["filter", "o / p", "filter and smoother", "o / p", "likelihood only", "o / p", "ln p"];
    print_head(&["states, observed", "program"], &figures);
    for size in SIZES {
        let workload = match peers.folder() {
            Some(folder) => Workload::read(folder, size)?,
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
                print_row(&[&label, &format!("posterior, {name}{steady}"), &cells, &figure(value, 5)]);
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
            print_row(&cells);
        }
    }
    Ok(())
}

/// Microseconds an observation for the three tasks, and the log-likelihood.
fn ours(workload: &Workload, options: FilterOptions) -> Outcome<([f64; 3], f64)> {
    let Workload { model, series } = workload;
    let value = ln_likelihood(model, series, &options)?;
    let length = series.len();
    let filtering = microseconds(length, || Ok(filter(model, series, &options)?.ln_likelihood()))?;
    let both = microseconds(length, || Ok(filter(model, series, &options)?.smooth(model)?.ln_likelihood()))?;
    let only = microseconds(length, || Ok(ln_likelihood(model, series, &options)?))?;
    Ok(([filtering, both, only], value))
}

/// The least of several passes, each long enough for a clock of processor time that ticks every few
/// milliseconds.
fn microseconds(length: usize, call: impl Fn() -> Outcome<f64>) -> Outcome<f64> {
    let pass = |calls: u32| (0..calls).try_for_each(|_| call().map(black_box).map(drop));
    let (two, ()) = least(1, cpu_seconds, || pass(2))?;
    let calls = (0.2 / (two / 2.0).max(2e-3)).ceil() as u32;
    let (seconds, ()) = least(PASSES, cpu_seconds, || pass(calls))?;
    Ok(seconds / f64::from(calls) / length as f64 * 1e6)
}
