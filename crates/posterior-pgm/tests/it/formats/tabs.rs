//! A format that a stranger adds, and what every format has to stand; the book walks through this file.

use std::fmt::Write as _;

use posterior_pgm::{BayesianNetwork, GraphicalModel, Table, VarId, Variables};
use proptest::prelude::*;

use super::round_trips::network;

/// Why a file was refused, and in which line.
#[derive(Debug, Clone, PartialEq)]
struct LineError {
    line: usize,
    message: String,
}

/// What stands in a line: its number from 1, its first word, and the others.
type Line<'a> = (usize, &'a str, Vec<&'a str>);

/// The network of a text.
///
/// # Errors
/// What is wrong first, and in which line.
fn read(text: &str) -> Result<BayesianNetwork, LineError> {
    let mut lines = Vec::new();
    for (i, line) in text.split('\n').enumerate().filter(|(_, line)| !line.is_empty()) {
        let mut words = line.split('\t');
        lines.push((i + 1, words.next().unwrap_or_default(), words.collect::<Vec<_>>()));
    }
    let variables = declared(&lines)?;
    let mut tables = Vec::new();
    let mut rest = lines.iter();
    while let Some((number, kind, words)) = rest.next() {
        match *kind {
            "variable" => {}
            "table" => tables.push(table(&variables, *number, words, rest.next())?),
            other => return Err(wrong(*number, format!("expected `variable` or `table`, found `{other}`"))),
        }
    }
    let end = lines.last().map_or(1, |line| line.0);
    BayesianNetwork::new(variables, tables).map_err(|error| wrong(end, error.to_string()))
}

fn wrong(line: usize, message: impl Into<String>) -> LineError {
    LineError { line, message: message.into() }
}

/// The variables of all lines that declare one.
fn declared(lines: &[Line<'_>]) -> Result<Variables, LineError> {
    let mut rows = Vec::new();
    for (number, _, words) in lines.iter().filter(|line| line.1 == "variable") {
        let (name, states) = words.split_first().ok_or_else(|| wrong(*number, "expected a name"))?;
        rows.push((*number, *name, states));
    }
    let of = |count: usize| {
        Variables::new(rows[..count].iter().map(|(_, name, states)| (*name, states.iter().copied())))
    };
    of(rows.len()).map_err(|error| {
        // Which line it was is asked only when something is wrong.
        let first = (1..=rows.len()).find(|&count| of(count).is_err());
        wrong(first.map_or(1, |count| rows[count - 1].0), error.to_string())
    })
}

/// The table of a line, whose numbers are in the next one.
fn table(
    variables: &Variables,
    number: usize,
    names: &[&str],
    next: Option<&Line<'_>>,
) -> Result<Table, LineError> {
    let ids: Result<Vec<VarId>, _> = names.iter().map(|name| variables.require(name)).collect();
    let scope = ids.map_err(|error| wrong(number, error.to_string()))?;
    let Some((number, "numbers", words)) = next else {
        return Err(wrong(number, "expected a line of `numbers` after this one"));
    };
    let mut values = Vec::with_capacity(words.len());
    for word in words {
        let value: f64 = word.parse().map_err(|_| wrong(*number, format!("`{word}` is not a number")))?;
        values.push(value);
    }
    let cards = scope.iter().map(|&v| variables.card(v)).collect();
    Table::new(scope, cards, values).map_err(|error| wrong(*number, error.to_string()))
}

/// The text of a network.
///
/// # Errors
/// The first name that the format cannot hold.
fn write(network: &BayesianNetwork) -> Result<String, String> {
    let variables = network.variables();
    let held = |name: &str| {
        if name.contains(['\t', '\n']) { Err(name.to_owned()) } else { Ok(()) }
    };
    let mut text = String::new();
    for v in variables.ids() {
        held(variables.name(v))?;
        let _ = write!(text, "variable\t{}", variables.name(v));
        for state in variables.states(v) {
            held(state)?;
            let _ = write!(text, "\t{state}");
        }
        text.push('\n');
    }
    for table in network.factors() {
        text.push_str("table");
        for &v in table.scope() {
            let _ = write!(text, "\t{}", variables.name(v));
        }
        text.push_str("\nnumbers");
        for value in table.values() {
            // The shortest digits that are read as the same bits.
            let _ = write!(text, "\t{value:e}");
        }
        text.push('\n');
    }
    Ok(text)
}

const RAIN: &str = "\
variable\train\tno\tyes
variable\tgrass\tdry\twet

table\train
numbers\t0.8\t0.2
table\train\tgrass
numbers\t0.9\t0.1\t0.05\t0.95
";

#[test]
fn a_file_is_read() {
    let network = read(RAIN).unwrap();
    let grass = network.variables().require("grass").unwrap();
    assert_eq!(network.cpt(grass).at(&[1, 0]), 0.05);
}

#[test]
fn each_mistake_is_reported_with_its_line() {
    let message = |from: &str, to: &str| read(&RAIN.replacen(from, to, 1)).unwrap_err();
    let output = |from, to, line, part: &str| {
        let error = message(from, to);
        assert!(error.line == line && error.message.contains(part), "{error:?}");
    };
    output("variable\tgrass", "variabel\tgrass", 2, "found `variabel`");
    output("rain\tgrass\n", "rain\tgras\n", 6, "gras");
    output("table\train\n", "tabel\train\n", 4, "found `tabel`");
    output("\tdry\twet", "\tdry\tdry", 2, "two states");
    output("variable\tgrass\tdry\twet", "variable", 2, "expected a name");
    output("numbers\t0.8\t0.2\n", "", 4, "expected a line of `numbers`");
    output("0.8", "0,8", 5, "`0,8` is not a number");
    output("0.8\t0.2", "0.8", 5, "");
    output("0.95", "0.85", 7, "");
    output("table\train\nnumbers\t0.8\t0.2\n", "", 5, "rain");
}

proptest! {
    #[test]
    fn what_is_written_is_read_as_the_same_bits(file in network()) {
        let network = file.network;
        match write(&network) {
            Ok(text) => prop_assert_eq!(read(&text), Ok(network)),
            Err(name) => prop_assert!(name.contains(['\t', '\n'])),
        }
    }

    #[test]
    fn no_text_makes_the_reader_panic(place in 0..RAIN.len(), gone in 0..6_usize, come in "[\\t\\na-z0-9.=-]{0,4}") {
        let end = (place + gone).min(RAIN.len());
        let _ = read(&format!("{}{come}{}", &RAIN[..place], &RAIN[end..]));
    }

    #[test]
    fn nor_does_any_text(text in any::<String>()) {
        let _ = read(&text);
    }
}
