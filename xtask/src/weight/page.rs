//! The table as text, and the page of documentation.

use super::measure::Weight;
use super::subjects::{Budget, Subject};
use crate::compare;
use crate::table::Side;

/// Names of the columns.
pub(super) const HEAD: [&str; 6] = ["", "packages", "CPU s", "lines", "public items", "at most"];

/// Numbers to the right.
pub(super) const SIDES: [Side; 6] =
    [Side::Left, Side::Right, Side::Right, Side::Right, Side::Right, Side::Left];

/// What stands above the table.
const INTRODUCTION: &str = "# Weight

What a program that adds one of the crates waits for: the packages that are compiled, itself included, the CPU seconds (user and system) of a clean
release build with default features, the lines of code in its `src`, and its public items. \"Special functions\" and \"scalar distributions\" are
`posterior-math` and `posterior-dist` without default features, `posterior-cli` is what `cargo run --release -- topics fit` builds, and the last
column is the budget. The first row is a crate of others that many programs use: machines differ by a factor of two, so compare seconds as
multiples of its own.

`cargo xtask weight --write` writes this page; `--crate NAME` measures one crate, and `--check` fails where a row is above its budget.
";

/// A row of the table.
pub(super) fn cells(subject: &Subject, weight: &Weight) -> Vec<String> {
    let count = |count: Option<usize>| count.map_or_else(String::new, |count| count.to_string());
    vec![
        subject.row.clone(),
        weight.packages.to_string(),
        format!("{:.0}", weight.seconds),
        count(weight.lines),
        count(weight.items),
        budget(&subject.budget),
    ]
}

fn budget(budget: &Budget) -> String {
    let parts = [
        budget.packages.map(|packages| format!("{packages} packages")),
        budget.seconds.map(|seconds| format!("{seconds} s")),
        budget.lines.map(|lines| format!("{lines} lines")),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// The page with these rows in the order of `names`; rows that were not measured stay as they were.
pub(super) fn updated(before: &str, names: &[String], rows: &[Vec<String>]) -> String {
    let row = |name: &String| {
        let measured = rows.iter().find(|row| row.first() == Some(name)).map(|row| line(row));
        measured.or_else(|| {
            let start = format!("| {name} |");
            before.lines().find(|line| line.starts_with(&start)).map(|line| format!("{line}\n"))
        })
    };
    let body: String = names.iter().filter_map(row).collect();
    let head = line(&HEAD.map(str::to_owned));
    let machine = compare::processor_and_compiler();
    format!("{INTRODUCTION}\n{head}|---|--:|--:|--:|--:|---|\n{body}\nMeasured on: {machine}.\n")
}

fn line(cells: &[String]) -> String {
    format!("| {} |\n", cells.join(" | "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(cells: &[&str]) -> Vec<String> {
        cells.iter().map(|&cell| cell.to_owned()).collect()
    }

    #[test]
    fn rows_that_were_not_measured_stay() {
        let names = row(&["a", "b", "c"]);
        let first = updated("", &names, &[row(&["a", "1"]), row(&["b", "2"])]);
        assert!(first.contains("| a | 1 |\n| b | 2 |\n\n"), "{first}");
        let second = updated(&first, &names, &[row(&["c", "4"]), row(&["a", "3"])]);
        assert!(second.contains("| a | 3 |\n| b | 2 |\n| c | 4 |\n\n"), "{second}");
    }

    #[test]
    fn a_budget_names_what_it_bounds() {
        let own = Budget { packages: Some(5), seconds: Some(10), lines: None };
        assert_eq!(budget(&own), "5 packages, 10 s");
        assert_eq!(budget(&Budget { packages: None, seconds: None, lines: Some(2) }), "2 lines");
    }
}
