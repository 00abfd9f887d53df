//! Tables learned from houses where all is seen, and from others where nobody sees the burglar.

use std::io::Write;

use posterior::dist::stream::stream;
use posterior::inference::em::EmOptions;
use posterior::inference::learning::fit_network;
use posterior::inference::{Engine, JunctionTree, Targets};
use posterior::math::iteration::Silent;
use posterior::pgm::{BayesianNetwork, CptPrior, Evidence, FamilyCounts, GraphicalModel, Records};
use posterior::report::{Figure, Page, Ribbon, ribbons};

use crate::Outcome;

/// How fast tables are learned from houses where all is seen, and from others where nobody sees the burglar.
pub(super) fn learning(out: &mut dyn Write, truth: &BayesianNetwork, page: &mut Page) -> Outcome<()> {
    // A rougher neighbourhood, or a million houses would be needed.
    let rough = CptPrior::Symmetric(0.5);
    let zeros = FamilyCounts::zeros_like(truth)?;
    let truth = zeros.posterior(&rough)?.draw(&mut stream(4, &[]))?;
    writeln!(
        out,
        "\nKL(truth, fitted) in nats of what can be seen, from so many houses of a rougher neighbourhood:"
    )?;
    writeln!(out, "{:>8} {:>14} {:>20}", "houses", "all is seen", "burglars are hidden")?;
    let mut lines = ["all is seen", "burglars are hidden"]
        .map(|name| Ribbon { name: name.to_owned(), ..Ribbon::default() });
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
        let errors = [error(&truth, &counted)?, error(&truth, &fitted.model)?];
        writeln!(out, "{houses:>8} {:>14.4} {:>20.4}", errors[0], errors[1])?;
        for (line, error) in lines.iter_mut().zip(errors) {
            line.line.push(((houses as f64).log10(), error.log10()));
        }
    }
    let picture = ribbons(("log10 of the houses", "log10 of the divergence in nats"), &lines, &[], None);
    let text = "How far what was fitted is from the truth in what can be seen, of a rougher neighbourhood: by counting where all is seen, and by EM where nobody \
         sees the burglar.";
    page.section(
        "Learning the tables",
        text,
        Figure::new(picture, "KL(truth, fitted) of earthquake, alarm and radio."),
    );
    Ok(())
}

/// Houses drawn from a network, some of whose variables nobody sees.
fn draw(network: &BayesianNetwork, houses: usize, hidden: &[&str]) -> Outcome<Records> {
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
fn error(truth: &BayesianNetwork, model: &BayesianNetwork) -> Outcome<f64> {
    let engine = JunctionTree::default();
    let mut total = 0.0;
    for [e, a, r] in (0..8).map(|code| [code & 1, code >> 1 & 1, code >> 2]) {
        let ids: Vec<_> = truth.variables().ids().collect();
        let house = Evidence::of([(ids[1], e), (ids[2], a), (ids[3], r)]);
        let ln_p = |network: &BayesianNetwork| -> Outcome<f64> {
            Ok(engine.query(network, &Targets::These(vec![]), &house)?.ln_z().value())
        };
        let ln_truth = ln_p(truth)?;
        total += ln_truth.exp() * (ln_truth - ln_p(model)?);
    }
    Ok(total)
}
