//! Voting among friends: four friends in a ring who like to vote alike, by every engine of inference.
//!
//! `cargo run --release -p posterior --example voting_among_friends`
//!
//! Prints the sixteen joint votes with their scores, what every engine says of one friend and of ln Z, what a vote that is known changes,
//! and how wrong the approximate engines become when friends agree more and more.

use std::error::Error;

use posterior::inference::graph_cut::BinaryEnergy;
use posterior::inference::{
    BeliefPropagation, Beliefs, Blocks, Engine, Enumeration, JunctionTree, LnZ, MapEngine, MeanField,
    Targets, TreeReweighted, VariableElimination,
};
use posterior::pgm::{Evidence, GraphicalModel, MarkovRandomField, Table, VarId, Variables};

const FRIENDS: [&str; 4] = ["Ann", "Bob", "Cem", "Dee"];

fn main() -> Result<(), Box<dyn Error>> {
    let model = friends(5.0, 10.0)?;
    scores(&model)?;
    engines(&model)?;
    best(&model)?;
    known_votes(&model)?;
    stronger_friendships()
}

/// Neighbours who both vote 0 count `zeros`, who both vote 1 `ones`, and who differ 1.
fn friends(zeros: f64, ones: f64) -> Result<MarkovRandomField, Box<dyn Error>> {
    let variables = Variables::new(FRIENDS.map(|name| (name, ["0", "1"])))?;
    let ids: Vec<VarId> = variables.ids().collect();
    let agree =
        |i: usize| Table::new(vec![ids[i], ids[(i + 1) % 4]], vec![2, 2], vec![zeros, 1.0, 1.0, ones]);
    Ok(MarkovRandomField::new(variables, (0..4).map(agree).collect::<Result<_, _>>()?)?)
}

fn scores(model: &MarkovRandomField) -> Result<(), Box<dyn Error>> {
    let z = ask(&Enumeration::default(), model, &Evidence::none())?.ln_z().value().exp();
    println!("All sixteen votes of {}: scores, which add up to Z = {z:.0}\n", FRIENDS.join(", "));
    for row in 0..4 {
        for column in 0..4 {
            let states = [row / 2, row % 2, column / 2, column % 2];
            let score = model.ln_score(&states).exp();
            print!(
                "  {}{}{}{} {score:6.0} ({:7.4} %)",
                states[0],
                states[1],
                states[2],
                states[3],
                100.0 * score / z
            );
        }
        println!();
    }
    Ok(())
}

fn ask<E: Engine>(
    engine: &E,
    model: &MarkovRandomField,
    evidence: &Evidence,
) -> Result<Beliefs, Box<dyn Error>> {
    Ok(engine.query(model, &Targets::All, evidence)?)
}

/// p(Ann votes 1).
fn ann(beliefs: &Beliefs) -> f64 {
    beliefs.marginal(VarId::new(0)).map_or(f64::NAN, |p| p[1])
}

fn engines(model: &MarkovRandomField) -> Result<(), Box<dyn Error>> {
    let none = Evidence::none();
    let rows = [
        ("enumeration", ask(&Enumeration::default(), model, &none)?),
        ("variable elimination", ask(&VariableElimination::default(), model, &none)?),
        ("junction tree", ask(&JunctionTree::default(), model, &none)?),
        ("belief propagation", ask(&BeliefPropagation::default(), model, &none)?),
        ("tree-reweighted", ask(&TreeReweighted::default(), model, &none)?),
        ("mean field", ask(&MeanField::default(), model, &none)?),
        ("mean field of trees", ask(&MeanField::default().with_blocks(Blocks::Trees), model, &none)?),
    ];
    println!("\n{:22} {:>16} {:>16}  {:11} {:>6}", "engine", "p(Ann votes 1)", "ln Z", "which is", "sweeps");
    for (name, beliefs) in &rows {
        let kind = match beliefs.ln_z() {
            LnZ::Exact(_) => "exact",
            LnZ::Lower(_) => "too small",
            LnZ::Upper(_) => "too large",
            _ => "approximate",
        };
        let (p, ln_z) = (ann(beliefs), beliefs.ln_z().value());
        println!("{name:22} {p:16.12} {ln_z:16.12}  {kind:11} {:6}", beliefs.report().iterations);
    }
    Ok(())
}

fn best(model: &MarkovRandomField) -> Result<(), Box<dyn Error>> {
    println!("\nThe most probable votes");
    let none = Evidence::none();
    let show = |name: &str, states: &[usize], ln_value: f64| {
        println!("{name:22} {states:?} with score {:.0}", ln_value.exp());
    };
    let rows = [
        ("enumeration", Enumeration::default().most_probable(model, &none)?),
        ("variable elimination", VariableElimination::default().most_probable(model, &none)?),
        ("junction tree", JunctionTree::default().most_probable(model, &none)?),
        ("belief propagation", BeliefPropagation::default().most_probable(model, &none)?),
    ];
    for (name, best) in &rows {
        show(name, &best.states, best.ln_value);
    }
    let mut energy = BinaryEnergy::pairwise(4)?;
    for factor in model.factors() {
        let [a, b] = [factor.scope()[0].index(), factor.scope()[1].index()];
        let values = factor.values();
        energy.add_pairwise(a, b, [-values[0].ln(), -values[1].ln(), -values[2].ln(), -values[3].ln()])?;
    }
    let cut = energy.minimize()?;
    let states: Vec<usize> = cut.labels.iter().map(|&label| usize::from(label)).collect();
    show("minimum cut", &states, -cut.energy);
    Ok(())
}

fn known_votes(model: &MarkovRandomField) -> Result<(), Box<dyn Error>> {
    println!(
        "\nWhat a vote that is known says of Ann: with one known the ring is a chain, and belief propagation exact\n"
    );
    println!("{:24} {:>12} {:>12} {:>12}", "known", "exact", "bp", "mean field");
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
    for (name, evidence) in &rows {
        let exact = ann(&ask(&Enumeration::default(), model, evidence)?);
        let loopy = ann(&ask(&BeliefPropagation::default(), model, evidence)?);
        let field = ann(&ask(&MeanField::default(), model, evidence)?);
        println!("{name:24} {exact:12.8} {loopy:12.8} {field:12.8}");
    }
    Ok(())
}

/// Agreement counts b for both votes, and Ann leans to 1 by a tenth: nobody knows better, but some are too sure.
fn stronger_friendships() -> Result<(), Box<dyn Error>> {
    println!(
        "\nFriends who agree count b, and Ann leans to 1 as 1.1 : 1. p(Ann votes 1), and the error of ln Z\n"
    );
    println!(
        "{:>6} {:>9} {:>9} {:>9} {:>9}   {:>10} {:>10} {:>10}",
        "b", "exact", "bp", "trw", "field", "bp", "trw", "field"
    );
    for b in [1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 6.0, 10.0, 20.0] {
        let model = friends(b, b)?;
        let lean = Evidence::none().with_likelihood(VarId::new(0), vec![1.0, 1.1]);
        let exact = ask(&Enumeration::default(), &model, &lean)?;
        let others = [
            ask(&BeliefPropagation::default(), &model, &lean)?,
            ask(&TreeReweighted::default(), &model, &lean)?,
            ask(&MeanField::default(), &model, &lean)?,
        ];
        let p = others.each_ref().map(ann);
        let error = others.each_ref().map(|other| other.ln_z().value() - exact.ln_z().value());
        println!(
            "{b:6.1} {:9.6} {:9.6} {:9.6} {:9.6}   {:10.6} {:10.6} {:10.6}",
            ann(&exact),
            p[0],
            p[1],
            p[2],
            error[0],
            error[1],
            error[2]
        );
    }
    println!("\nMean field breaks the symmetry: beyond b = e it takes one side, and is nearly sure of it.");
    Ok(())
}
