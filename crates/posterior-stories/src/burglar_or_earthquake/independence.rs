//! What depends on what, and along which path.

use std::io::Write;

use posterior::graph::Dag;
use posterior::report::Page;

use crate::Outcome;

pub(super) fn independence(out: &mut dyn Write, graph: &Dag, page: &mut Page) -> Outcome<()> {
    writeln!(
        out,
        "Four variables: 15 numbers in the joint table, 8 in the network. Does a burglar have to do with the radio?"
    )?;
    let id = |name| graph.names().require(name);
    let mut items = Vec::new();
    for given in [vec![], vec!["alarm"], vec!["alarm", "earthquake"]] {
        let known = given.iter().map(|name| id(name)).collect::<Result<Vec<_>, _>>()?;
        let answer = graph.separation(&[id("burglar")?], &[id("radio")?], &known)?;
        let words = answer.path().map_or_else(|| "no".to_owned(), |path| format!("yes: {path}"));
        let known = if given.is_empty() { "nothing".to_owned() } else { given.join(" and ") };
        writeln!(out, "  {:30} {words}", format!("knowing {known}"))?;
        items.push(format!("Knowing {known}: {words}"));
    }
    let text = "Four variables: 15 numbers in the joint table, 8 in the network. What is separated in the graph is independent, whatever the numbers; a path that \
         is open is named.";
    page.section("Does a burglar have to do with the radio?", text, items);
    Ok(())
}
