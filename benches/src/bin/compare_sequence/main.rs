//! Hidden Markov models and conditional random fields side by side: ours, and those of hmmlearn and CRFsuite
//! when a Python program is named; on one thread, by CPU time.

mod fields;
mod hidden_markov;

use std::error::Error;

use posterior_benches::comparison::{Settings, figure, ratio, row};
use posterior_benches::peers::Measurements;
use posterior_benches::timing::cpu_seconds;

type Failure = Box<dyn Error + Send + Sync>;

/// Runs of which the fastest counts.
const RUNS: usize = 3;

fn main() -> Result<(), Box<dyn Error>> {
    let settings = Settings::from_arguments();
    let folder = tempfile::tempdir()?;
    let peers = Measurements::run(&settings, "sequences.py", folder.path(), 1)?;
    let folder = settings.python.is_some().then(|| folder.path());
    // A thread is in one pool in its life.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build()?;
    hidden_markov::compare((&peers, &settings), folder, &pool)?;
    fields::compare((&peers, &settings), folder, &pool)
}

/// The fewest seconds of a clock, and what came out.
fn least<T>(clock: impl Fn() -> f64, mut f: impl FnMut() -> Result<T, Failure>) -> Result<(f64, T), Failure> {
    let (mut seconds, mut value) = (f64::INFINITY, None);
    for _ in 0..RUNS {
        let began = clock();
        value = Some(f()?);
        seconds = seconds.min(clock() - began);
    }
    Ok((seconds, value.ok_or("no run")?))
}

/// [`least`] of the CPU time of this thread.
fn least_cpu<T>(f: impl FnMut() -> Result<T, Failure>) -> Result<(f64, T), Failure> {
    least(cpu_seconds, f)
}

/// A line of a table: the seconds and the value of ours beside those of a peer, named `task` and
/// `task value`.
fn line(peers: &Measurements, peer: &str, size: usize, task: &str, (seconds, value): (f64, f64)) {
    let theirs = |name: &str| peers.of(size, peer, name);
    println!(
        "{}",
        row(&[
            task.to_owned(),
            size.to_string(),
            figure(seconds, 4),
            figure(theirs(task), 4),
            ratio(seconds, theirs(task)),
            figure(value, 5),
            figure(theirs(&format!("{task} value")), 5),
        ])
    );
}
