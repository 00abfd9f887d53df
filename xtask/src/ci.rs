//! `cargo xtask ci`: every check of a change, in order of cost, stopping at the first failure.

use std::time::{Duration, Instant};

use crate::table::{self, Side};
use crate::{Outcome, cargo, docs, features, layers, no_arguments, smoke, tidy};

/// One check: its name and what it does.
struct Step {
    name: &'static str,
    run: fn() -> Outcome,
}

/// All checks, the quick ones first.
const STEPS: &[Step] = &[
    Step { name: "format", run: || cargo::run(&["fmt", "--all", "--check"]) },
    Step { name: "layers", run: || layers::run(&[]) },
    Step { name: "tidy", run: || tidy::run(&[]) },
    Step {
        name: "clippy",
        run: || {
            cargo::run(&["clippy", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"])
        },
    },
    Step { name: "features", run: features::check },
    Step { name: "test", run: || cargo::run(&["test", "--workspace", "--all-features"]) },
    Step { name: "docs", run: docs::build },
    Step { name: "smoke", run: smoke::run_tested },
];

/// Runs all checks.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    no_arguments("ci", arguments)?;
    let (times, outcome) = run_steps(STEPS);
    print!("\n{}", summary(STEPS, &times, outcome.is_ok()));
    outcome
}

/// The wall time of each step that ran, and how the last of them ended.
fn run_steps(steps: &[Step]) -> (Vec<Duration>, Outcome) {
    let mut times = Vec::new();
    for step in steps {
        println!("\n== {}", step.name);
        let start = Instant::now();
        let outcome = (step.run)();
        times.push(start.elapsed());
        println!("== {}: {}", step.name, seconds(start.elapsed()));
        if let Err(message) = outcome {
            return (times, Err(format!("{}: {message}", step.name)));
        }
    }
    (times, Ok(()))
}

/// The table of steps and times, and one closing line.
fn summary(steps: &[Step], times: &[Duration], passed: bool) -> String {
    let rows: Vec<Vec<String>> = steps
        .iter()
        .enumerate()
        .map(|(i, step)| {
            let verdict = match times.len() {
                ran if i >= ran => "not run",
                ran if i + 1 == ran && !passed => "FAILED",
                _ => "ok",
            };
            let time = times.get(i).map_or_else(String::new, |&time| seconds(time));
            vec![step.name.to_owned(), verdict.to_owned(), time]
        })
        .collect();
    let table = table::aligned(&rows, &[Side::Left, Side::Left, Side::Right]);
    let total = seconds(times.iter().sum());
    let closing = if passed {
        format!("ci: all {} steps passed in {total}", steps.len())
    } else {
        format!("ci: FAILED at step {} of {} after {total}", times.len(), steps.len())
    };
    format!("{table}{closing}\n")
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PASSES: Step = Step { name: "passes", run: || Ok(()) };
    const FAILS: Step = Step { name: "fails", run: || Err("broken".to_owned()) };

    #[test]
    fn the_first_failure_stops_the_run_and_names_its_step() {
        let steps = [PASSES, FAILS, PASSES];
        let (times, outcome) = run_steps(&steps);
        assert_eq!(times.len(), 2);
        assert_eq!(outcome, Err("fails: broken".to_owned()));
        let text = summary(&steps, &[Duration::from_secs(1), Duration::from_millis(500)], false);
        let expected = "  passes  ok       1.0 s\n  fails   FAILED   0.5 s\n  passes  not run\n\
                        ci: FAILED at step 2 of 3 after 1.5 s\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_run_without_failure_ends_with_one_line_that_says_so() {
        let (times, outcome) = run_steps(&[PASSES]);
        assert_eq!(outcome, Ok(()));
        assert_eq!(times.len(), 1);
        let text = summary(&[PASSES], &[Duration::from_secs(2)], true);
        assert_eq!(text, "  passes  ok  2.0 s\nci: all 1 steps passed in 2.0 s\n");
    }
}
