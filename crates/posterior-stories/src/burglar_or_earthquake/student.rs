//! A student's grade: how difficult was the course, and how clever is the student?

use std::io::Write;

use posterior::pgm::{BayesianNetwork, Table, Variables};
use posterior::report::{Figure, Page, PageTable, Picture};

use super::drawing::{self, Node};
use super::posteriors::News;
use super::posteriors::{ask, proportion};
use crate::Outcome;
use crate::story::tell_table;

/// Koller and Friedman (2009), figure 3.4: difficulty and intelligence make the grade, intelligence the test,
/// the grade the letter.
fn network() -> Outcome<BayesianNetwork> {
    let variables = Variables::new([
        ("difficult", vec!["no", "yes"]),
        ("intelligent", vec!["no", "yes"]),
        ("grade", vec!["A", "B", "C"]),
        ("SAT", vec!["low", "high"]),
        ("letter", vec!["weak", "strong"]),
    ])?;
    let ids: Vec<_> = variables.ids().collect();
    let (d, i, g, s, l) = (ids[0], ids[1], ids[2], ids[3], ids[4]);
    let grades = vec![0.3, 0.4, 0.3, 0.05, 0.25, 0.7, 0.9, 0.08, 0.02, 0.5, 0.3, 0.2];
    let tables = vec![
        Table::new(vec![d], vec![2], vec![0.6, 0.4])?,
        Table::new(vec![i], vec![2], vec![0.7, 0.3])?,
        Table::new(vec![i, d, g], vec![2, 2, 3], grades)?,
        Table::new(vec![i, s], vec![2, 2], vec![0.95, 0.05, 0.2, 0.8])?,
        Table::new(vec![g, l], vec![3, 2], vec![0.1, 0.9, 0.4, 0.6, 0.99, 0.01])?,
    ];
    Ok(BayesianNetwork::new(variables, tables)?)
}

pub(super) fn student(out: &mut dyn Write, page: &mut Page) -> Outcome<()> {
    let network = network()?;
    let news: [News<'_>; 6] = [
        ("nothing known", &[]),
        ("a weak letter", &[("letter", "weak")]),
        ("grade C", &[("grade", "C")]),
        ("grade C, a high SAT", &[("grade", "C"), ("SAT", "high")]),
        ("grade C, a difficult course", &[("grade", "C"), ("difficult", "yes")]),
        ("grade C, intelligent", &[("grade", "C"), ("intelligent", "yes")]),
    ];
    let names = ["", "p(intelligent)", "p(difficult)", "p(strong letter)"];
    let mut table = PageTable::with_columns(&names);
    for (words, seen) in news {
        let beliefs = ask(&network, seen)?;
        let p = ["intelligent", "difficult", "letter"].map(|name| proportion(&network, &beliefs, name, 1));
        let [i, d, l] = p;
        let cells = [i?, d?, l?].map(|p| format!("{p:.6}"));
        table.rows.push([words.to_owned()].into_iter().chain(cells).collect());
    }
    let id = |name| network.graph().names().require(name);
    let apart = |given: &'static [&'static str]| -> Outcome<String> {
        let known = given.iter().map(|name| id(name)).collect::<Result<Vec<_>, _>>()?;
        let answer = network.graph().separation(&[id("grade")?], &[id("SAT")?], &known)?;
        Ok(answer.path().map_or_else(|| "independent".to_owned(), |path| format!("dependent by {path}")))
    };
    let (plain, given) = (apart(&[])?, apart(&["intelligent"])?);
    writeln!(out, "  grade and SAT are {plain}; knowing the intelligence, {given}")?;
    writeln!(out, "  47 numbers in the joint table, 15 in the network")?;
    let text = format!(
        "A bad grade speaks against the student, a good test against the course instead. Grade and SAT are {plain}; knowing the intelligence, {given}. \
             The joint table has 47 free numbers, the network 15."
    );
    tell_table(out, page, "A student", text, table)?;
    page.section(
        "The network of the student",
        "",
        Figure::new(
            picture(&network)?,
            "Pale: before anything is known. Strong: with the grade C and a high SAT.",
        ),
    );
    Ok(())
}

fn picture(network: &BayesianNetwork) -> Outcome<Picture> {
    let (before, after) = (ask(network, &[])?, ask(network, &[("grade", "C"), ("SAT", "high")])?);
    let places = [
        ("difficult", 1, (0.0, 0.0), "difficult"),
        ("intelligent", 1, (1.0, 0.0), "intelligent"),
        ("grade", 2, (0.5, 1.0), "grade C"),
        ("SAT", 1, (1.55, 1.0), "SAT high"),
        ("letter", 1, (0.5, 2.0), "letter strong"),
    ];
    let node = |&(variable, state, (column, row), name): &(&str, usize, (f64, f64), &str)| {
        let proportions =
            [proportion(network, &before, variable, state)?, proportion(network, &after, variable, state)?];
        Ok(Node { name: name.to_owned(), column, row, proportions, seen: row == 1.0 })
    };
    let nodes = places.iter().map(node).collect::<Outcome<Vec<Node>>>()?;
    Ok(drawing::network("A student", &nodes, &[(0, 2), (1, 2), (1, 3), (2, 4)]))
}
