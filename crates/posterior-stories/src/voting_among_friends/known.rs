//! The most probable votes, and what a known vote says of the others.

use std::io::Write;

use posterior::inference::graph_cut::BinaryEnergy;
use posterior::inference::{
    BeliefPropagation, Enumeration, JunctionTree, MapEngine, MeanField, VariableElimination,
};
use posterior::pgm::{Evidence, GraphicalModel, MarkovRandomField, VarId};
use posterior::report::{Page, PageTable};
use posterior::sampling::network::{NetworkGibbs, SimulatedAnnealing};

use super::{ann, ask, error_of_ann, plus_minus};
use crate::Outcome;
use crate::story::tell_table;

pub(super) fn best(out: &mut dyn Write, model: &MarkovRandomField) -> Outcome<()> {
    writeln!(out, "\nThe most probable votes")?;
    let none = Evidence::none();
    let rows = [
        ("enumeration", Enumeration::default().most_probable(model, &none)?),
        ("variable elimination", VariableElimination::default().most_probable(model, &none)?),
        ("junction tree", JunctionTree::default().most_probable(model, &none)?),
        ("belief propagation", BeliefPropagation::default().most_probable(model, &none)?),
        ("simulated annealing", SimulatedAnnealing::default().most_probable(model, &none)?),
    ];
    for (name, best) in &rows {
        writeln!(out, "{name:22} {:?} with score {:.0}", best.states, best.ln_value.exp())?;
    }
    let mut energy = BinaryEnergy::pairwise(4)?;
    for factor in model.factors() {
        let [a, b] = [factor.scope()[0].index(), factor.scope()[1].index()];
        let values = factor.values();
        energy.add_pairwise(a, b, [-values[0].ln(), -values[1].ln(), -values[2].ln(), -values[3].ln()])?;
    }
    let cut = energy.minimize()?;
    let states: Vec<usize> = cut.labels.iter().map(|&label| usize::from(label)).collect();
    writeln!(out, "{:22} {states:?} with score {:.0}", "minimum cut", (-cut.energy).exp())?;
    Ok(())
}

pub(super) fn known_votes(out: &mut dyn Write, model: &MarkovRandomField, page: &mut Page) -> Outcome<()> {
    let [bob, cem, dee] = [1, 2, 3].map(VarId::new);
    let rows = [
        ("nothing", Evidence::none()),
        ("Cem votes 1", Evidence::of([(cem, 1)])),
        ("Cem votes 0", Evidence::of([(cem, 0)])),
        ("Bob votes 0", Evidence::of([(bob, 0)])),
        ("Bob and Dee vote 0", Evidence::of([(bob, 0), (dee, 0)])),
        ("Bob 0, Dee 1", Evidence::of([(bob, 0), (dee, 1)])),
        ("Bob and Dee vote 1", Evidence::of([(bob, 1), (dee, 1)])),
    ];
    let mut table =
        PageTable::with_columns(&["known", "exact", "belief propagation", "mean field", "Gibbs sampling"]);
    for (name, evidence) in &rows {
        let exact = ann(&ask(&Enumeration::default(), model, evidence)?);
        let loopy = ann(&ask(&BeliefPropagation::default(), model, evidence)?);
        let field = ann(&ask(&MeanField::default(), model, evidence)?);
        let drawn = ask(&NetworkGibbs::default(), model, evidence)?;
        let (p, error) = (ann(&drawn), plus_minus(error_of_ann(&drawn)));
        let cells = [exact, loopy, field].map(|p| format!("{p:.8}"));
        let drawn = format!("{p:.4}{}", error.trim_end());
        table.rows.push([(*name).to_owned()].into_iter().chain(cells).chain([drawn]).collect());
    }
    let text = "The probability that Ann votes 1. With one vote known the ring is a chain, and belief propagation is exact; with both neighbours known nothing \
         else matters.";
    tell_table(out, page, "A vote that is known", text, table)
}
