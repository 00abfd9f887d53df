//! Before and after each piece of news.

use std::io::Write;

use posterior::inference::{Beliefs, Engine, JunctionTree, Targets};
use posterior::pgm::{BayesianNetwork, Evidence, GraphicalModel, Table, Variables};
use posterior::report::{Figure, Page, PageTable};

use super::drawing::{self, Node};
use crate::Outcome;
use crate::story::tell_table;

/// What one hears, in words, and the states that it tells of variables.
pub(super) type News<'a> = (&'a str, &'a [(&'a str, &'a str)]);

/// What is believed after some news.
pub(super) fn ask(network: &BayesianNetwork, seen: &[(&str, &str)]) -> Outcome<Beliefs> {
    let evidence = Evidence::named(network.variables(), seen.iter().copied())?;
    Ok(JunctionTree::default().query(network, &Targets::All, &evidence)?)
}

/// The probability of a state of a variable.
pub(super) fn proportion(
    network: &BayesianNetwork,
    beliefs: &Beliefs,
    name: &str,
    state: usize,
) -> Outcome<f64> {
    Ok(beliefs.marginal(network.variables().require(name)?).ok_or("a target")?[state])
}

pub(super) fn posteriors(out: &mut dyn Write, network: &BayesianNetwork, page: &mut Page) -> Outcome<()> {
    let news: [News<'_>; 4] = [
        ("nothing known", &[]),
        ("the alarm rings", &[("alarm", "yes")]),
        ("... the radio is silent", &[("alarm", "yes"), ("radio", "no")]),
        ("... the radio tells", &[("alarm", "yes"), ("radio", "yes")]),
    ];
    let mut table = PageTable::with_columns(&["", "p(burglar)", "p(earthquake)", "happens"]);
    let mut burglars = Vec::new();
    for (words, seen) in news {
        let beliefs = ask(network, seen)?;
        let (burglar, quake) =
            (proportion(network, &beliefs, "burglar", 1)?, proportion(network, &beliefs, "earthquake", 1)?);
        let often = format!("1 in {:.0}", (-beliefs.ln_z().value()).exp());
        table.rows.push(vec![words.to_owned(), format!("{burglar:.6}"), format!("{quake:.6}"), often]);
        burglars.push(burglar);
    }
    tell_table(out, page, "Explaining away", "", table)?;
    writeln!(
        out,
        "The radio explains the alarm away: the burglar is six times less likely than before it spoke."
    )?;
    page.standfirst.push(format!(
        "The alarm rings, and a burglar has the probability {:.4}. Then the radio tells of an earthquake, which alone can ring the alarm: {:.4}.",
        burglars[1], burglars[3]
    ));
    page.fact("p(burglar), the alarm rings", format!("{:.4}", burglars[1]));
    page.fact("… and the radio tells", format!("{:.4}", burglars[3]));
    page.lead = Some(Figure::new(
        picture(network)?,
        "Pale: when the alarm rings. Strong: when the radio has reported an earthquake, too. What is seen has a coloured edge.",
    ));
    Ok(())
}

/// The network, when the alarm rings and when the radio has spoken.
fn picture(network: &BayesianNetwork) -> Outcome<posterior::report::Picture> {
    let [before, after] =
        [ask(network, &[("alarm", "yes")])?, ask(network, &[("alarm", "yes"), ("radio", "yes")])?];
    let place = |name: &str| match name {
        "burglar" => (0.0, 0.0),
        "earthquake" => (1.0, 0.0),
        "alarm" => (0.5, 1.0),
        _ => (1.55, 1.0),
    };
    let mut nodes = Vec::new();
    for v in network.variables().ids() {
        let name = network.variables().name(v).to_owned();
        let (column, row) = place(&name);
        let proportions = [proportion(network, &before, &name, 1)?, proportion(network, &after, &name, 1)?];
        nodes.push(Node { seen: row > 0.0, name, column, row, proportions });
    }
    Ok(drawing::network("Burglar or earthquake", &nodes, &[(0, 2), (1, 2), (1, 3)]))
}

/// Pearl's alarm, with the numbers of Russell and Norvig: two neighbours promise to call when it rings.
pub(super) fn neighbours(out: &mut dyn Write, page: &mut Page) -> Outcome<()> {
    let names = ["burglar", "earthquake", "alarm", "John", "Mary"];
    let variables = Variables::new(names.map(|name| (name, ["no", "yes"])))?;
    let ids: Vec<_> = variables.ids().collect();
    let rows = |p: &[f64]| p.iter().flat_map(|p| [1.0 - p, *p]).collect::<Vec<f64>>();
    let network = BayesianNetwork::new(
        variables,
        vec![
            Table::new(vec![ids[0]], vec![2], rows(&[0.001]))?,
            Table::new(vec![ids[1]], vec![2], rows(&[0.002]))?,
            Table::new(ids[..3].to_vec(), vec![2; 3], rows(&[0.001, 0.29, 0.94, 0.95]))?,
            Table::new(vec![ids[2], ids[3]], vec![2; 2], rows(&[0.05, 0.9]))?,
            Table::new(vec![ids[2], ids[4]], vec![2; 2], rows(&[0.01, 0.7]))?,
        ],
    )?;
    let mut table = PageTable::with_columns(&["", "p(burglar)", "p(alarm)"]);
    let news: [News<'_>; 4] = [
        ("John calls", &[("John", "yes")]),
        ("Mary calls", &[("Mary", "yes")]),
        ("both call", &[("John", "yes"), ("Mary", "yes")]),
        ("... and the earth shakes", &[("John", "yes"), ("Mary", "yes"), ("earthquake", "yes")]),
    ];
    for (words, seen) in news {
        let beliefs = ask(&network, seen)?;
        let (burglar, alarm) =
            (proportion(&network, &beliefs, "burglar", 1)?, proportion(&network, &beliefs, "alarm", 1)?);
        table.rows.push(vec![words.to_owned(), format!("{burglar:.6}"), format!("{alarm:.6}")]);
    }
    let text = "Pearl's alarm: John calls falsely once in twenty days, Mary once in a hundred.";
    tell_table(out, page, "Two neighbours call", text, table)
}
