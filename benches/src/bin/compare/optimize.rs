//! Bayesian optimisation side by side: how close our optimiser and those of Python, with their defaults, come
//! to the least values of standard functions.

use posterior::decision::optimization::{LnExpectedImprovement, Optimizer, OptimizerOptions, Space};
use posterior_benches::comparison::{Outcome, Settings, median, print_head, print_row};
use posterior_benches::least_values::{FUNCTIONS, LeastValue};
use posterior_benches::peers::Measurements;
use posterior_benches::timing::{cpu_seconds, on_one_thread};

/// Prints the table.
pub(super) fn compare(settings: &Settings) -> Outcome {
    let seeds = settings.size(20, 2);
    let peers = Measurements::run(settings, "optimizers.py", 1)?;
    println!(
        "the best of so many trials above the least value of the function, the median of {seeds} seeds; defaults everywhere\n"
    );
    let names: Vec<&str> = peers.peers.iter().map(String::as_str).collect();
    let own = ["trials", "posterior", "ms a trial"];
    print_head(&["function"], &[&own[..], &names[..]].concat());
    for function in &FUNCTIONS {
        let trials = settings.size(function.trials, 12);
        let (regret, seconds) = on_one_thread(|| ours(function, trials, seeds))?;
        let milliseconds = 1e3 * seconds / (trials as f64 * seeds as f64);
        let mut cells = vec![function.name.to_owned(), trials.to_string(), format!("{regret:.1e}")];
        cells.push(format!("{milliseconds:.0}"));
        let theirs = names.iter().map(|peer| peers.of(trials, peer, function.name));
        cells.extend(theirs.map(|own| own.map_or_else(|| "-".to_owned(), |own| format!("{own:.1e}"))));
        print_row(&cells);
    }
    Ok(())
}

/// The median regret, and the seconds of all seeds.
fn ours(function: &LeastValue, trials: usize, seeds: u64) -> Outcome<(f64, f64)> {
    let began = cpu_seconds();
    let mut regrets = Vec::new();
    for seed in 0..seeds {
        let options = OptimizerOptions { seed, ..OptimizerOptions::default() };
        let mut optimizer = Optimizer::new(Space::new(&function.axes())?, options)?;
        for _ in 0..trials {
            let point = optimizer.ask(&LnExpectedImprovement)?;
            optimizer.tell(&point, (function.value)(&point))?;
        }
        regrets.push(optimizer.best().map_or(f64::INFINITY, |(_, value)| value - function.least));
    }
    Ok((median(regrets), cpu_seconds() - began))
}
