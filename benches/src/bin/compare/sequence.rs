//! Hidden Markov models and conditional random fields side by side: ours, and those of hmmlearn and CRFsuite
//! when a Python program is named; on one thread, by CPU time.

mod fields;
mod hidden_markov;

use posterior_benches::comparison::{Outcome, Settings, figure, print_row, ratio};
use posterior_benches::peers::Measurements;

/// Runs of which the fastest counts.
const RUNS: usize = 3;

/// Prints the tables.
pub(super) fn compare(settings: &Settings) -> Outcome {
    let peers = Measurements::run(settings, "sequences.py", 1)?;
    hidden_markov::compare(&peers, settings)?;
    fields::compare(&peers, settings)
}

/// A line of a table: the seconds and the value of ours beside those of a peer, named `task` and
/// `task value`.
fn line(peers: &Measurements, peer: &str, size: usize, task: &str, (seconds, value): (f64, f64)) {
    let theirs = |name: &str| peers.of(size, peer, name);
    print_row(&[
        task.to_owned(),
        size.to_string(),
        figure(seconds, 4),
        figure(theirs(task), 4),
        ratio(seconds, theirs(task)),
        figure(value, 5),
        figure(theirs(&format!("{task} value")), 5),
    ]);
}
