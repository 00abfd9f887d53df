//! `cargo xtask weight [--crate NAME]... [--write] [--check]`: what each crate costs who adds it to a
//! program, beside its budget.
//!
//! Every row is a clean release build in an empty folder, so that all of them take the better part of an
//! hour.

mod measure;
mod page;
mod subjects;

use std::fs;

use self::measure::Weight;
use self::subjects::Subject;
use crate::table;
use crate::{Outcome, cargo};

/// The page that `--write` writes, from the root of the workspace.
const PAGE: &str = "docs/weight.md";

/// What the command line asks for.
#[derive(Debug, Default, PartialEq, Eq)]
struct Asked {
    /// Crates or names of rows; all if there is none.
    names: Vec<String>,
    write: bool,
    check: bool,
}

/// Measures, prints the table, and compares it with the budgets.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    let asked = asked(arguments)?;
    let subjects = chosen(subjects::all()?, &asked.names)?;
    let mut rows = Vec::new();
    for subject in subjects {
        eprintln!("weight: {}", subject.row);
        let weight = measure::weigh(&subject)?;
        rows.push((subject, weight));
    }
    let cells: Vec<Vec<String>> = std::iter::once(page::HEAD.map(str::to_owned).to_vec())
        .chain(rows.iter().map(|(subject, weight)| page::cells(subject, weight)))
        .collect();
    print!("{}", table::aligned(&cells, &page::SIDES));
    if asked.write {
        let path = cargo::root().join(PAGE);
        let before = fs::read_to_string(&path).unwrap_or_default();
        let names: Vec<String> = subjects::all()?.into_iter().map(|subject| subject.row).collect();
        let text = page::updated(&before, &names, &cells[1..]);
        fs::write(&path, text).map_err(|error| format!("{PAGE}: {error}"))?;
        println!("weight: wrote {PAGE}");
    }
    let above: Vec<String> = rows.iter().flat_map(|(subject, weight)| above(subject, weight)).collect();
    for line in &above {
        println!("above its budget: {line}");
    }
    match above.len() {
        0 => {
            println!("weight: {} rows are within their budgets", rows.len());
            Ok(())
        }
        n if asked.check => Err(format!("{n} budget(s) are exceeded")),
        _ => Ok(()),
    }
}

fn asked(arguments: &[String]) -> Result<Asked, String> {
    let usage = || "usage: cargo xtask weight [--crate NAME]... [--write] [--check]".to_owned();
    let mut asked = Asked::default();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--crate" => asked.names.push(words.next().ok_or_else(usage)?.clone()),
            "--write" => asked.write = true,
            "--check" => asked.check = true,
            _ => return Err(usage()),
        }
    }
    Ok(asked)
}

/// The subjects with one of these names; a crate chooses all of its rows.
fn chosen(subjects: Vec<Subject>, names: &[String]) -> Result<Vec<Subject>, String> {
    let named = |subject: &Subject, name: &str| subject.row == name || subject.package == name;
    if let Some(unknown) = names.iter().find(|name| !subjects.iter().any(|subject| named(subject, name))) {
        let rows: Vec<&str> = subjects.iter().map(|subject| subject.row.as_str()).collect();
        return Err(format!("no row {unknown:?}; there are {}", rows.join(", ")));
    }
    let chosen = |subject: &Subject| names.is_empty() || names.iter().any(|name| named(subject, name));
    Ok(subjects.into_iter().filter(chosen).collect())
}

/// The budgets that a row exceeds, a line each.
fn above(subject: &Subject, weight: &Weight) -> Vec<String> {
    let budget = &subject.budget;
    let figures = [
        ("packages", budget.packages.map(f64::from), Some(weight.packages as f64)),
        ("CPU seconds", budget.seconds.map(f64::from), Some(weight.seconds)),
        ("lines of code", budget.lines.map(f64::from), weight.lines.map(|lines| lines as f64)),
    ];
    let exceeded = figures.into_iter().filter_map(|(what, budget, is)| {
        let (budget, is) = (budget?, is?);
        (is > budget).then(|| format!("{}: {is:.0} {what}, at most {budget}", subject.row))
    });
    exceeded.collect()
}

#[cfg(test)]
mod tests {
    use super::subjects::Budget;
    use super::*;

    fn subject(row: &str, package: &str) -> Subject {
        let budget = Budget { packages: Some(5), seconds: Some(10), lines: Some(100) };
        Subject { row: row.to_owned(), package: package.to_owned(), options: &[], whole: true, budget }
    }

    #[test]
    fn budgets_are_upper_bounds() {
        let weight = |packages, seconds, lines| Weight { packages, seconds, lines, items: None };
        let own = subject("a", "a");
        assert_eq!(above(&own, &weight(5, 10.0, Some(100))), Vec::<String>::new());
        let all = above(&own, &weight(6, 12.4, Some(101)));
        assert_eq!(all[0], "a: 6 packages, at most 5");
        assert_eq!(all[1], "a: 12 CPU seconds, at most 10");
        assert_eq!(all.len(), 3);
        assert_eq!(above(&own, &weight(1, 1.0, None)).len(), 0);
    }

    #[test]
    fn a_crate_chooses_all_of_its_rows() {
        let rows = || vec![subject("special functions", "math"), subject("math", "math"), subject("b", "b")];
        let count = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
            chosen(rows(), &names).map(|rows| rows.len())
        };
        assert_eq!(count(&[]), Ok(3));
        assert_eq!(count(&["math"]), Ok(2));
        assert_eq!(count(&["special functions", "b"]), Ok(2));
        assert!(count(&["c"]).is_err_and(|message| message.contains("special functions, math, b")));
    }

    #[test]
    fn options_come_in_any_order() {
        let parsed = |line: &str| asked(&line.split(' ').map(str::to_owned).collect::<Vec<_>>());
        let expected = Asked { names: vec!["a".to_owned(), "b".to_owned()], write: true, check: true };
        assert_eq!(parsed("--crate a --check --write --crate b"), Ok(expected));
        assert!(parsed("--crate").is_err() && parsed("a").is_err());
    }
}
