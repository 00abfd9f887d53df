//! `cargo xtask toolbox`: `docs/toolbox.md` names public items and tests that there are, and says of each row
//! that is not whole what it lacks.

mod known;
mod page;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use self::known::{Known, Test};
use self::page::{Page, Row};
use crate::{Outcome, cargo, no_arguments};

/// The page, from the root of the workspace.
const PAGE: &str = "docs/toolbox.md";

/// The state of a row that lacks nothing.
const WHOLE: &str = "whole";

/// The start of the state of a row that is not there for a reason that it gives.
const REFUSED: &str = "refused: ";

/// Checks the page, and prints a line for every finding.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    no_arguments("toolbox", arguments)?;
    let page = page::parse(&read()?);
    let findings = check(&page, &known::read()?);
    for (line, message) in &findings {
        println!("{PAGE}:{line}: {message}");
    }
    if !findings.is_empty() {
        return Err(format!("{PAGE} has {} finding(s)", findings.len()));
    }
    println!("toolbox: {}", counted(&page.rows));
    Ok(())
}

/// How many rows there are, and which of them lack something.
fn counted(rows: &[Row]) -> String {
    let whole = rows.iter().filter(|row| row.state == WHOLE).count();
    let lacks = |row: &&Row| row.state != WHOLE && !row.state.starts_with(REFUSED);
    let lacking: Vec<&str> = rows.iter().filter(lacks).map(|row| row.id.as_str()).collect();
    let mut text = format!("{whole} of {} rows are whole", rows.len());
    if !lacking.is_empty() {
        text.push_str("; not whole: ");
        text.push_str(&lacking.join(", "));
    }
    text
}

fn read() -> Result<String, String> {
    fs::read_to_string(cargo::root().join(PAGE)).map_err(|error| format!("{PAGE}: {error}"))
}

/// What is wrong with a page, by line.
fn check(page: &Page, known: &Known) -> Vec<(usize, String)> {
    let misshapen = page.misshapen.iter().map(|&line| (line, "a row has five cells".to_owned()));
    let mut findings: Vec<(usize, String)> = misshapen.collect();
    let mut first: BTreeMap<&str, &Row> = BTreeMap::new();
    for row in &page.rows {
        let mut add = |message: String| findings.push((row.line, format!("{}: {message}", row.id)));
        if let Some(other) = first.get(&*row.id) {
            add(format!("stands in line {} already", other.line));
        }
        first.entry(&row.id).or_insert(row);
        for item in row.items.iter().filter(|&item| !known.items.contains(item)) {
            add(format!("docs/api has no {item}"));
        }
        for (home, name) in &row.tests {
            wrong_test(home, name, &known.tests).into_iter().for_each(&mut add);
        }
        if row.state == WHOLE && row.tests.is_empty() {
            add("no test shows that it is whole".to_owned());
        }
        let noted = page.notes.iter().any(|note| note.id == row.id && note.section == row.section);
        let explained = noted || row.state.starts_with(REFUSED);
        match (row.state == WHOLE, explained) {
            (false, false) => add(format!("no line `- {}: ..` below the table says what it lacks", row.id)),
            (true, true) => {
                add("is whole, and a line below the table says that it lacks something".to_owned());
            }
            _ => {}
        }
    }
    for note in page.notes.iter().filter(|note| !first.contains_key(&*note.id)) {
        findings.push((note.line, format!("{}: there is no such row", note.id)));
    }
    findings.sort();
    findings
}

/// Why a name is not that of one test that runs.
fn wrong_test(home: &str, name: &str, tests: &[Test]) -> Option<String> {
    let found: Vec<&Test> = tests.iter().filter(|test| test.home == home && test.is(name)).collect();
    match *found {
        [] => Some(format!("{home:?} has no test {name}")),
        [test] => test.ignored.then(|| format!("the test {name} is ignored, and not as slow")),
        [one, other, ..] => Some(format!("{name} may be {} or {}", one.path, other.path)),
    }
}

/// One line about the rows some of whose tests were skipped for want of data; `skipped` are their names.
pub(crate) fn without_data(skipped: &BTreeSet<&str>) -> Result<String, String> {
    Ok(lacking_data(&page::parse(&read()?).rows, &known::read()?.tests, skipped))
}

fn lacking_data(rows: &[Row], tests: &[Test], skipped: &BTreeSet<&str>) -> String {
    let was_skipped = |home: &str, name: &str| {
        let own = tests.iter().find(|test| test.home == home && test.is(name));
        own.is_some_and(|test| skipped.iter().any(|skipped| test.is(skipped)))
    };
    let of = |row: &Row| {
        let names: Vec<&str> = row
            .tests
            .iter()
            .filter(|(home, name)| was_skipped(home, name))
            .map(|(_, name)| &**name)
            .collect();
        (!names.is_empty()).then(|| format!("{} ({})", row.id, names.join(", ")))
    };
    let rows: Vec<String> = rows.iter().filter_map(of).collect();
    let rows = if rows.is_empty() { "none".to_owned() } else { rows.join(", ") };
    format!("rows of {PAGE} with tests that were skipped: {rows}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known() -> Known {
        let test = |path: &str, ignored| Test { home: "m".to_owned(), path: path.to_owned(), ignored };
        Known {
            items: BTreeSet::from(["m::a".to_owned()]),
            tests: vec![test("x::works", false), test("y::works", false), test("x::prints", true)],
        }
    }

    fn findings(rows: &str) -> Vec<String> {
        let shown = |(line, message)| format!("{line}: {message}");
        check(&page::parse(rows), &known()).into_iter().map(shown).collect()
    }

    #[test]
    fn a_row_that_is_in_order_has_no_finding() {
        assert!(findings("| A-1 | sums | `m::a` | m: `x::works` | whole |\n").is_empty());
        assert!(findings("| A-1 | sums | | | half |\n\n- A-1: the other half.\n").is_empty());
        assert!(findings("| A-1 | sums | | | refused: nobody asks |\n").is_empty());
    }

    #[test]
    fn each_mistake_is_found_with_its_line() {
        let page = "| A-1 | sums | `m::b` | m: `works`, `x::prints`, `z`; n: `works` | whole |\n\
                    | A-1 | sums | | | half |\n| A-2 | | | | whole |\n| A-3 | |\n\
                    # B\n- A-1: too far down.\n- A-9: nothing.\n";
        let expected = [
            "1: A-1: \"m\" has no test z",
            "1: A-1: \"n\" has no test works",
            "1: A-1: docs/api has no m::b",
            "1: A-1: the test x::prints is ignored, and not as slow",
            "1: A-1: works may be x::works or y::works",
            "2: A-1: no line `- A-1: ..` below the table says what it lacks",
            "2: A-1: stands in line 1 already",
            "3: A-2: no test shows that it is whole",
            "4: a row has five cells",
            "7: A-9: there is no such row",
        ];
        assert_eq!(findings(page), expected);
        let whole = "| A-1 | sums | | m: `x::works` | whole |\n- A-1: a note.\n";
        assert_eq!(
            findings(whole),
            ["1: A-1: is whole, and a line below the table says that it lacks something"]
        );
    }

    #[test]
    fn rows_are_counted_and_named_where_data_were_missing() {
        let rows =
            page::parse("| A-1 | | | m: `x::works` | whole |\n| A-2 | | | m: `x::prints` | half |\n").rows;
        assert_eq!(counted(&rows), "1 of 2 rows are whole; not whole: A-2");
        let skipped =
            |names: &[&'static str]| lacking_data(&rows, &known().tests, &names.iter().copied().collect());
        assert_eq!(
            skipped(&["x::works", "ring"]),
            "rows of docs/toolbox.md with tests that were skipped: A-1 (x::works)\n"
        );
        assert_eq!(skipped(&[]), "rows of docs/toolbox.md with tests that were skipped: none\n");
    }
}
