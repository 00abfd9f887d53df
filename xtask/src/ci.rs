//! `cargo xtask ci`: every check of a change, in order of cost, stopping at the first failure.
//!
//! What takes minutes and rarely fails (tests that are marked as slow, each crate compiled alone with its
//! tests) waits for `--slow`, which the weekly job runs.

mod examples;
mod scope;
mod skipped;
mod slow;

use std::time::{Duration, Instant};

use self::scope::Scope;
#[cfg(test)]
pub(crate) use self::skipped::note;
use crate::table::{self, Side};
use crate::{Outcome, api, cargo, docs, features, layers, light_tests, tidy, toolbox};

/// One check: its name, when it is of use, and what it does.
struct Step {
    name: &'static str,
    when: fn(&Scope) -> bool,
    run: fn(&Asked) -> Outcome,
}

/// What the command line asks for.
#[derive(Debug)]
struct Asked {
    scope: Scope,
    slow: bool,
}

/// The step that runs the tests.
const TEST: &str = "test";

/// Packages that are a program only, and have no examples in their documentation.
const WITHOUT_LIBRARY: [&str; 2] = ["posterior-cli", "xtask"];

/// All checks, the quick ones first.
const STEPS: &[Step] = &[
    Step { name: "format", when: always, run: |_| cargo::run(&["fmt", "--all", "--check"]) },
    Step { name: "layers", when: always, run: |_| layers::run(&[]) },
    Step { name: "tidy", when: always, run: |_| tidy::run(&[]) },
    Step { name: "api", when: always, run: |_| api::run(&["--check".to_owned()]) },
    Step { name: "toolbox", when: always, run: |_| toolbox::run(&[]) },
    Step {
        name: "clippy",
        when: compiles,
        run: |asked| {
            let rest = ["--all-targets", "--all-features", "--", "-D", "warnings"];
            on(&["clippy"], &asked.scope.options(&[]), &rest, &[])
        },
    },
    Step { name: "features", when: whole, run: |asked| features::check(asked.slow) },
    Step { name: TEST, when: compiles, run: test },
    Step { name: "examples", when: compiles, run: examples::run },
    Step {
        name: "docs",
        when: |scope| !scope.options(&docs::WITHOUT).is_empty(),
        run: |asked| docs::build(&asked.scope.options(&docs::WITHOUT)),
    },
];

fn always(_: &Scope) -> bool {
    true
}

fn compiles(scope: &Scope) -> bool {
    !scope.options(&[]).is_empty()
}

fn whole(scope: &Scope) -> bool {
    *scope == Scope::Workspace
}

/// A command of cargo on the packages that the options choose.
fn on(before: &[&str], options: &[String], after: &[&str], variables: &[(&str, &str)]) -> Outcome {
    let arguments =
        before.iter().copied().chain(options.iter().map(String::as_str)).chain(after.iter().copied());
    cargo::run_with(&arguments.collect::<Vec<_>>(), variables)
}

/// Runs the tests, all of them even where one fails, and counts those that lack their data. Examples are not
/// linked: clippy has compiled them.
fn test(asked: &Asked) -> Outcome {
    let file = skipped::file()?;
    skipped::clear(&file)?;
    let path = file.to_str().ok_or("the folder of build products is not Unicode")?;
    let (name, wrapper) = light_tests::variable()?;
    let (options, variables) = (asked.scope.options(&[]), [(skipped::VARIABLE, path), (name, &wrapper)]);
    on(&["test"], &options, &["--all-features", "--tests", "--no-fail-fast"], &variables)?;
    let slow = slow::names(&asked.scope)?;
    if asked.slow && !slow.is_empty() {
        let names: Vec<&str> = slow.iter().map(String::as_str).collect();
        let ignored = ["--all-features", "--tests", "--", "--ignored"];
        on(&["test"], &options, &[&ignored[..], &names].concat(), &variables)?;
    }
    if asked.scope.options(&WITHOUT_LIBRARY).is_empty() {
        return Ok(());
    }
    // Of all packages: without the programs their libraries would have other features, and be compiled again.
    on(&["test", "--doc"], &options, &["--all-features"], &variables)
}

/// Runs all checks, or those of some packages.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    let (slow, others): (Vec<String>, Vec<String>) =
        arguments.iter().cloned().partition(|argument| argument == "--slow");
    let asked = Asked { scope: scope::parse(&others)?, slow: !slow.is_empty() };
    println!("ci: {}", asked.scope.shown());
    let steps: Vec<&Step> = STEPS.iter().filter(|step| (step.when)(&asked.scope)).collect();
    let (times, outcome) = run_steps(&steps, &asked);
    print!("\n{}", summary(&steps, &times, outcome.is_ok()));
    if steps.iter().take(times.len()).any(|step| step.name == TEST) {
        let skipped = skipped::read(&skipped::file()?);
        print!("{}{}", skipped::summary(&skipped), toolbox::without_data(&skipped::functions(&skipped))?);
        if !asked.slow {
            print!("{}", slow::summary(&slow::names(&asked.scope)?));
        }
    }
    outcome
}

/// The wall time of each step that ran, and how the last of them ended.
fn run_steps(steps: &[&Step], asked: &Asked) -> (Vec<Duration>, Outcome) {
    let mut times = Vec::new();
    for step in steps {
        println!("\n== {}", step.name);
        let start = Instant::now();
        let outcome = (step.run)(asked);
        times.push(start.elapsed());
        println!("== {}: {}", step.name, seconds(start.elapsed()));
        if let Err(message) = outcome {
            return (times, Err(format!("{}: {message}", step.name)));
        }
    }
    (times, Ok(()))
}

/// The table of steps and times, and one closing line.
fn summary(steps: &[&Step], times: &[Duration], passed: bool) -> String {
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

    const PASSES: &Step = &Step { name: "passes", when: always, run: |_| Ok(()) };
    const WORKSPACE: &Asked = &Asked { scope: Scope::Workspace, slow: false };
    const FAILS: &Step = &Step { name: "fails", when: always, run: |_| Err("broken".to_owned()) };

    #[test]
    fn the_first_failure_stops_the_run_and_names_its_step() {
        let steps = [PASSES, FAILS, PASSES];
        let (times, outcome) = run_steps(&steps, WORKSPACE);
        assert_eq!(times.len(), 2);
        assert_eq!(outcome, Err("fails: broken".to_owned()));
        let text = summary(&steps, &[Duration::from_secs(1), Duration::from_millis(500)], false);
        let expected = "  passes  ok       1.0 s\n  fails   FAILED   0.5 s\n  passes  not run\n\
                        ci: FAILED at step 2 of 3 after 1.5 s\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_run_without_failure_ends_with_one_line_that_says_so() {
        let (times, outcome) = run_steps(&[PASSES], WORKSPACE);
        assert_eq!(outcome, Ok(()));
        assert_eq!(times.len(), 1);
        let text = summary(&[PASSES], &[Duration::from_secs(2)], true);
        assert_eq!(text, "  passes  ok  2.0 s\nci: all 1 steps passed in 2.0 s\n");
    }

    #[test]
    fn steps_that_have_nothing_to_do_are_left_out() {
        let names = |scope: &Scope| {
            STEPS.iter().filter(|step| (step.when)(scope)).map(|step| step.name).collect::<Vec<_>>()
        };
        let packages = |names: &[&str]| Scope::Packages(names.iter().map(|&name| name.to_owned()).collect());
        assert_eq!(names(&Scope::Workspace).len(), STEPS.len());
        assert_eq!(names(&packages(&[])), ["format", "layers", "tidy", "api", "toolbox"]);
        let of_one = ["format", "layers", "tidy", "api", "toolbox", "clippy", "test", "examples", "docs"];
        assert_eq!(names(&packages(&["posterior-graph"])), of_one);
        let of_the_binary = ["format", "layers", "tidy", "api", "toolbox", "clippy", "test", "examples"];
        assert_eq!(names(&packages(&["posterior-cli"])), of_the_binary);
    }
}
