//! Burglar or earthquake? Explaining away, with the numbers before and after each piece of evidence, and what can be learnt from
//! houses whose burglars were not seen.
//!
//! `cargo run --release -p posterior --example burglar_or_earthquake`

use std::error::Error;

use posterior::dist::stream::stream;
use posterior::graph::Dag;
use posterior::inference::em::EmOptions;
use posterior::inference::learning::fit_network;
use posterior::inference::{Engine, JunctionTree, Targets};
use posterior::math::iteration::Silent;
use posterior::pgm::{
    BayesianNetwork, CptPrior, Evidence, FamilyCounts, GraphicalModel, Records, Table, Variables,
};

fn main() -> Result<(), Box<dyn Error>> {
    let network = burglary()?;
    independence(network.graph())?;
    posteriors(&network)?;
    learning(&network)
}

/// MacKay (2003), section 21.1: an alarm that is a noisy or of burglar, earthquake and chance; the radio tells of every earthquake.
fn burglary() -> Result<BayesianNetwork, Box<dyn Error>> {
    let names = ["burglar", "earthquake", "alarm", "radio"];
    let variables = Variables::new(names.map(|name| (name, ["no", "yes"])))?;
    let ids: Vec<_> = variables.ids().collect();
    let (b, e, a, r) = (ids[0], ids[1], ids[2], ids[3]);
    let alarm = [0.001, 0.01099, 0.99001, 0.9901099].iter().flat_map(|p| [1.0 - p, *p]).collect();
    let tables = vec![
        Table::new(vec![b], vec![2], vec![0.999, 0.001])?,
        Table::new(vec![e], vec![2], vec![0.999, 0.001])?,
        Table::new(vec![b, e, a], vec![2, 2, 2], alarm)?,
        Table::new(vec![e, r], vec![2, 2], vec![1.0, 0.0, 0.0, 1.0])?,
    ];
    Ok(BayesianNetwork::new(variables, tables)?)
}

fn independence(graph: &Dag) -> Result<(), Box<dyn Error>> {
    let id = |name| graph.names().require(name);
    println!(
        "Four variables: 15 numbers in the joint table, 8 in the network. Does a burglar have to do with the radio?"
    );
    for given in [vec![], vec!["alarm"], vec!["alarm", "earthquake"]] {
        let known = given.iter().map(|name| id(name)).collect::<Result<Vec<_>, _>>()?;
        let answer = graph.separation(&[id("burglar")?], &[id("radio")?], &known)?;
        let words = answer.path().map_or_else(|| "no".to_owned(), |path| format!("yes: {path}"));
        let known = if given.is_empty() { "nothing".to_owned() } else { given.join(" and ") };
        println!("  {:30} {words}", format!("knowing {known}"));
    }
    Ok(())
}

fn posteriors(network: &BayesianNetwork) -> Result<(), Box<dyn Error>> {
    let engine = JunctionTree::default();
    let plan = engine.plan(network, &Targets::All)?;
    println!("\n{:28} {:>12} {:>12} {:>14}", "", "p(burglar)", "p(quake)", "happens");
    let news = [
        ("nothing known", vec![]),
        ("the alarm rings", vec![("alarm", "yes")]),
        ("... the radio is silent", vec![("alarm", "yes"), ("radio", "no")]),
        ("... the radio tells", vec![("alarm", "yes"), ("radio", "yes")]),
    ];
    for (words, seen) in news {
        let evidence = Evidence::named(network.variables(), seen.iter().copied())?;
        let beliefs = engine.infer(network, &plan, &evidence)?;
        let yes = |name: &str| -> Result<f64, Box<dyn Error>> {
            Ok(beliefs.marginal(network.variables().require(name)?).ok_or("a target")?[1])
        };
        let evidence = beliefs.ln_z().value().exp();
        println!(
            "{words:28} {:>12.6} {:>12.6} {:>14}",
            yes("burglar")?,
            yes("earthquake")?,
            format!("1 in {:.0}", 1.0 / evidence)
        );
    }
    println!("The radio explains the alarm away: the burglar is six times less likely than before it spoke.");
    Ok(())
}

/// How fast tables are learnt from houses where all is seen, and from others where nobody sees the burglar.
fn learning(truth: &BayesianNetwork) -> Result<(), Box<dyn Error>> {
    // A rougher neighbourhood, or a million houses would be needed.
    let rough = CptPrior::Symmetric(0.5);
    let zeros = FamilyCounts::zeros_like(truth)?;
    let truth = zeros.posterior(&rough)?.draw(&mut stream(4, &[]))?;
    println!(
        "\nKL(truth, learnt) in nats of what can be seen, from so many houses of a rougher neighbourhood:"
    );
    println!("{:>8} {:>14} {:>20}", "houses", "all is seen", "burglars are hidden");
    for houses in [20, 100, 500, 2500] {
        let seen = draw(&truth, houses, &[])?;
        let hidden = draw(&truth, houses, &["burglar"])?;
        let counts = FamilyCounts::zeros_like(&truth).and_then(|mut counts| {
            counts.add_records(&seen)?;
            Ok(counts)
        })?;
        let counted = counts.posterior(&CptPrior::Symmetric(1.0))?.mean()?;
        // The burglar's table is known; what he does to the alarm is not.
        let start = zeros.posterior(&CptPrior::Symmetric(2.0))?.draw(&mut stream(5, &[]))?;
        let fitted =
            fit_network(&JunctionTree::default(), start, &hidden, 1.0, &EmOptions::default(), &mut Silent)?;
        println!("{houses:>8} {:>14.4} {:>20.4}", error(&truth, &counted)?, error(&truth, &fitted.model)?);
    }
    Ok(())
}

/// Houses drawn from a network, some of whose variables nobody sees.
fn draw(network: &BayesianNetwork, houses: usize, hidden: &[&str]) -> Result<Records, Box<dyn Error>> {
    let mut rng = stream(houses as u64, &[]);
    let engine = JunctionTree::default();
    let mut tree = engine.prepare(network, &engine.plan(network, &Targets::All)?)?;
    let mut records = Records::new(network.variables().clone());
    for _ in 0..houses {
        let states = tree.draw(&mut rng)?;
        let seen = |v| !hidden.contains(&network.variables().name(v));
        let record = network.variables().ids().map(|v| Some(states[v.index()]).filter(|_| seen(v)));
        records.push(&record.collect::<Vec<_>>())?;
    }
    Ok(records)
}

/// KL(truth ‖ model) of what can be seen: earthquake, alarm and radio.
fn error(truth: &BayesianNetwork, model: &BayesianNetwork) -> Result<f64, Box<dyn Error>> {
    let engine = JunctionTree::default();
    let mut total = 0.0;
    for [e, a, r] in (0..8).map(|code| [code & 1, code >> 1 & 1, code >> 2]) {
        let ids: Vec<_> = truth.variables().ids().collect();
        let house = Evidence::of([(ids[1], e), (ids[2], a), (ids[3], r)]);
        let ln_p = |network: &BayesianNetwork| -> Result<f64, Box<dyn Error>> {
            Ok(engine.query(network, &Targets::These(vec![]), &house)?.ln_z().value())
        };
        let ln_truth = ln_p(truth)?;
        total += ln_truth.exp() * (ln_truth - ln_p(model)?);
    }
    Ok(total)
}
