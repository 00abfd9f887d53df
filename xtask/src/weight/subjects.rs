//! The rows of the table and their budgets.

use crate::cargo;

/// A build that is weighed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Subject {
    /// How the row is called.
    pub(super) row: String,
    pub(super) package: String,
    /// Of `cargo build` and `cargo tree`.
    pub(super) options: &'static [&'static str],
    /// Whether it is all of one of our crates, whose lines and items are counted.
    pub(super) whole: bool,
    pub(super) budget: Budget,
}

/// Upper bounds; what has none is not looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Budget {
    pub(super) packages: Option<u32>,
    /// CPU seconds of a clean release build.
    pub(super) seconds: Option<u32>,
    pub(super) lines: Option<u32>,
}

/// Lines of code of any crate.
const LINES: u32 = 14_000;

/// CPU seconds of a library that has no line in [`BUDGETS`].
const SECONDS: u32 = 75;

/// Packages, and the most CPU seconds of each with its default features.
const BUDGETS: &[(&str, Option<u32>)] = &[
    ("posterior-graph", Some(10)),
    ("posterior-pgm", Some(40)),
    ("posterior-inference", Some(40)),
    ("posterior-topics", Some(100)),
    // All areas at once: those that its features choose have their own rows.
    ("posterior", None),
    // Every library with data and pages: part of the program, whose row is below.
    ("posterior-stories", None),
    // Of `cargo run --release -- topics fit` in a clean clone.
    (PROGRAM, Some(300)),
];

/// Parts of crates, without default features: name, package, and the most packages and CPU seconds.
const PARTS: &[(&str, &str, u32, u32)] =
    &[("special functions", "posterior-math", 5, 10), ("scalar distributions", "posterior-dist", 20, 25)];

/// The package of the program.
const PROGRAM: &str = "posterior-cli";

/// A crate that many programs use: seconds are comparable between two machines as multiples of its own.
const SCALE: &str = "statrs";

/// Every row: the crate that gives the scale, then each published crate in the order of layers, before it the
/// part of it that stands alone.
pub(super) fn all() -> Result<Vec<Subject>, String> {
    let none = Budget { packages: None, seconds: None, lines: None };
    let scale = Subject {
        row: SCALE.to_owned(),
        package: SCALE.to_owned(),
        options: &[],
        whole: false,
        budget: none,
    };
    let mut subjects = vec![scale];
    for (_, package) in cargo::published()? {
        for &(row, _, packages, seconds) in PARTS.iter().filter(|part| part.1 == package) {
            let budget = Budget { packages: Some(packages), seconds: Some(seconds), lines: None };
            subjects.push(Subject {
                row: row.to_owned(),
                package: package.clone(),
                options: &["--no-default-features"],
                whole: false,
                budget,
            });
        }
        let listed = BUDGETS.iter().find(|budget| budget.0 == package);
        let seconds = listed.map_or(Some(SECONDS), |budget| budget.1);
        let budget = Budget { packages: None, seconds, lines: Some(LINES) };
        subjects.push(Subject { row: package.clone(), package, options: &[], whole: true, budget });
    }
    Ok(subjects)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_budget_is_that_of_a_published_crate() {
        let subjects = all().expect("the workspace is described");
        for name in BUDGETS.iter().map(|own| own.0).chain(PARTS.iter().map(|own| own.1)) {
            assert!(subjects.iter().any(|own| own.row == name), "{name}");
        }
        let special = subjects.iter().position(|own| own.row == "special functions");
        let math = subjects.iter().position(|own| own.row == "posterior-math");
        assert_eq!(special.map(|place| place + 1), math);
    }
}
