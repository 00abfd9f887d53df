//! Voting among friends: four friends in a ring who like to vote alike, by every engine of inference.
//!
//! `cargo run --release -p posterior --example voting_among_friends`
//!
//! Prints the sixteen joint votes with their scores, what every engine says of one friend and of ln Z, what a vote that is known changes,
//! how wrong the approximate engines become when friends agree more and more, larger circles of friends, and the strength of friendship
//! learnt back from polls.

use std::error::Error;
use std::time::Instant;

use posterior::dist::stream::stream;
use posterior::inference::graph_cut::BinaryEnergy;
use posterior::inference::learning::{LogLinearOptions, fit_log_linear, fit_pseudo_likelihood};
use posterior::inference::{
    BeliefPropagation, Beliefs, Blocks, Engine, Enumeration, JunctionTree, LnZ, MapEngine, MeanField,
    Targets, TreeReweighted, VariableElimination,
};
use posterior::math::iteration::Silent;
use posterior::pgm::{
    Evidence, GraphicalModel, LogLinear, MarkovRandomField, Records, Table, VarId, Variables,
};
use posterior::sampling::network::{
    Gibbs, LikelihoodWeighting, SampledLearning, SimulatedAnnealing, fit_by_sampling,
};
use rand::RngExt;

const FRIENDS: [&str; 4] = ["Ann", "Bob", "Cem", "Dee"];

fn main() -> Result<(), Box<dyn Error>> {
    let model = friends(5.0, 10.0)?;
    scores(&model)?;
    engines(&model)?;
    best(&model)?;
    known_votes(&model)?;
    stronger_friendships()?;
    circles()?;
    polls()
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

/// The standard error of that, of engines that draw.
fn error_of_ann(beliefs: &Beliefs) -> Option<f64> {
    beliefs.standard_errors(VarId::new(0)).map(|errors| errors[1])
}

/// ` ± 0.0021`, or as much space.
fn plus_minus(error: Option<f64>) -> String {
    error.map_or_else(|| " ".repeat(9), |error| format!(" ± {error:.4}"))
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
        ("likelihood weighting", ask(&LikelihoodWeighting::default(), model, &none)?),
        ("Gibbs sampling", ask(&Gibbs::default(), model, &none)?),
    ];
    println!(
        "\n{:22} {:>16}{:9} {:>16}{:9}  {:11} {:>6}",
        "engine", "p(Ann votes 1)", "", "ln Z", "", "which is", "sweeps"
    );
    for (name, beliefs) in &rows {
        let (kind, error) = match beliefs.ln_z() {
            LnZ::Exact(_) => ("exact", None),
            LnZ::Lower(_) => ("too small", None),
            LnZ::Upper(_) => ("too large", None),
            LnZ::Estimate { standard_error, .. } => ("drawn", Some(standard_error)),
            LnZ::Unknown => ("not known", None),
            _ => ("approximate", None),
        };
        let ln_z = match beliefs.ln_z() {
            LnZ::Unknown => "-".to_owned(),
            known => format!("{:.12}", known.value()),
        };
        println!(
            "{name:22} {:16.12}{} {ln_z:>16}{}  {kind:11} {:6}",
            ann(beliefs),
            plus_minus(error_of_ann(beliefs)),
            plus_minus(error),
            beliefs.report().iterations
        );
    }
    if let Some(own) = &rows[8].1.report().sampling {
        println!(
            "\n{} draws of Gibbs sampling in {} chains are worth {:.0} independent ones: votes change together, or not at all.",
            own.draws, own.chains, own.effective_size
        );
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
        ("simulated annealing", SimulatedAnnealing::default().most_probable(model, &none)?),
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
    println!("{:24} {:>12} {:>12} {:>12} {:>12}", "known", "exact", "bp", "mean field", "Gibbs");
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
        let drawn = ask(&Gibbs::default(), model, evidence)?;
        let (p, error) = (ann(&drawn), plus_minus(error_of_ann(&drawn)));
        println!("{name:24} {exact:12.8} {loopy:12.8} {field:12.8} {p:12.8}{error}");
    }
    Ok(())
}

/// Agreement counts b for both votes, and Ann leans to 1 by a tenth: nobody knows better, but some are too sure.
fn stronger_friendships() -> Result<(), Box<dyn Error>> {
    println!(
        "\nFriends who agree count b, and Ann leans to 1 as 1.1 : 1. p(Ann votes 1), and the error of ln Z\n"
    );
    println!(
        "{:>6} {:>9} {:>9} {:>9} {:>9} {:>9}{:9}   {:>10} {:>10} {:>10}",
        "b", "exact", "bp", "trw", "field", "Gibbs", "", "bp", "trw", "field"
    );
    for b in [1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 6.0, 10.0, 20.0] {
        let model = friends(b, b)?;
        let lean = Evidence::none().with_likelihood(VarId::new(0), vec![1.0, 1.1]);
        let exact = ask(&Enumeration::default(), &model, &lean)?;
        let drawn = ask(&Gibbs::default(), &model, &lean)?;
        let others = [
            ask(&BeliefPropagation::default(), &model, &lean)?,
            ask(&TreeReweighted::default(), &model, &lean)?,
            ask(&MeanField::default(), &model, &lean)?,
        ];
        let p = others.each_ref().map(ann);
        let error = others.each_ref().map(|other| other.ln_z().value() - exact.ln_z().value());
        println!(
            "{b:6.1} {:9.6} {:9.6} {:9.6} {:9.6} {:9.6}{}   {:10.6} {:10.6} {:10.6}",
            ann(&exact),
            p[0],
            p[1],
            p[2],
            ann(&drawn),
            plus_minus(error_of_ann(&drawn)),
            error[0],
            error[1],
            error[2]
        );
    }
    println!("\nMean field breaks the symmetry: beyond b = e it takes one side, and is nearly sure of it.");
    Ok(())
}

/// Friends at random, of whom each knows about `known` others, and is a little for one side by nature.
fn circle(people: usize, known: f64, seed: u64) -> Result<MarkovRandomField, Box<dyn Error>> {
    let mut rng = stream(seed, &[people as u64]);
    let mut factors = Vec::new();
    for i in 0..people {
        let lean: f64 = rng.random_range(-0.5..0.5);
        factors.push(Table::new(vec![VarId::new(i)], vec![2], vec![1.0, lean.exp()])?);
        for j in 0..i {
            if rng.random::<f64>() < known / (people - 1) as f64 {
                let scope = vec![VarId::new(j), VarId::new(i)];
                factors.push(Table::new(scope, vec![2, 2], vec![2.5, 1.0, 1.0, 2.5])?);
            }
        }
    }
    Ok(MarkovRandomField::new(Variables::numbered(&vec![2; people])?, factors)?)
}

/// The largest error of a marginal, and that of the mean.
fn errors(own: &Beliefs, exact: &Beliefs, people: usize) -> (f64, f64) {
    let p = |beliefs: &Beliefs, i: usize| beliefs.marginal(VarId::new(i)).map_or(f64::NAN, |p| p[1]);
    let errors: Vec<f64> = (0..people).map(|i| (p(own, i) - p(exact, i)).abs()).collect();
    (errors.iter().copied().fold(0.0, f64::max), errors.iter().sum::<f64>() / people as f64)
}

fn circles() -> Result<(), Box<dyn Error>> {
    println!(
        "\nCircles of friends, each with about three, who agree as 2.5 : 1 and lean a little to one side by nature:\n\
         the largest (mean) error of p(vote 1) against the junction tree, and what Gibbs sampling thinks its own is\n"
    );
    println!(
        "{:>6} {:>17} {:>17} {:>17} {:>8}   {:>9} {:>9}",
        "people", "bp", "mean field", "Gibbs", "± about", "jt s", "Gibbs s"
    );
    for people in [10, 20, 40, 80] {
        let model = circle(people, 3.0, 1)?;
        let none = Evidence::none();
        let began = Instant::now();
        let exact = ask(&JunctionTree::default(), &model, &none)?;
        let of_tree = began.elapsed().as_secs_f64();
        let began = Instant::now();
        let drawn = ask(&Gibbs::default(), &model, &none)?;
        let of_chains = began.elapsed().as_secs_f64();
        let bp = errors(&ask(&BeliefPropagation::default(), &model, &none)?, &exact, people);
        let field = errors(&ask(&MeanField::default(), &model, &none)?, &exact, people);
        let gibbs = errors(&drawn, &exact, people);
        let bars = (0..people).filter_map(|i| drawn.standard_errors(VarId::new(i)).map(|own| own[1]));
        println!(
            "{people:6} {:8.4} ({:6.4}) {:8.4} ({:6.4}) {:8.4} ({:6.4}) {:8.4}   {of_tree:9.4} {of_chains:9.4}",
            bp.0,
            bp.1,
            field.0,
            field.1,
            gibbs.0,
            gibbs.1,
            bars.sum::<f64>() / people as f64
        );
    }
    Ok(())
}

/// One weight for each friendship where both vote 0, one where both vote 1: ln φ(0,0) and ln φ(1,1), the same for all four.
fn friendship() -> Result<LogLinear, Box<dyn Error>> {
    let both = |state: usize| {
        let vote = |votes: usize, i: usize| votes >> (3 - i) & 1;
        let agree = |votes: usize| {
            (0..4).filter(|&i| vote(votes, i) == state && vote(votes, (i + 1) % 4) == state).count()
        };
        let values = (0..16).map(|votes| agree(votes) as f64).collect();
        Table::new((0..4).map(VarId::new).collect(), vec![2; 4], values)
    };
    let variables = Variables::new(FRIENDS.map(|name| (name, ["0", "1"])))?;
    Ok(LogLinear::new(variables, vec![both(0)?, both(1)?], vec![0.0; 2])?)
}

/// Polls of the four, drawn from the sixteen scores.
fn poll(polls: usize) -> Result<Records, Box<dyn Error>> {
    let model = friends(5.0, 10.0)?;
    let votes = |number: usize| [number >> 3 & 1, number >> 2 & 1, number >> 1 & 1, number & 1];
    let scores: Vec<f64> = (0..16).map(|number| model.ln_score(&votes(number)).exp()).collect();
    let z: f64 = scores.iter().sum();
    let mut rng = stream(2, &[polls as u64]);
    let mut records = Records::new(model.variables().clone());
    for _ in 0..polls {
        let mut left = rng.random::<f64>() * z;
        let drawn = scores.iter().position(|score| {
            left -= score;
            left < 0.0
        });
        records.push(&votes(drawn.unwrap_or(15)).map(Some))?;
    }
    Ok(records)
}

fn polls() -> Result<(), Box<dyn Error>> {
    println!("\nHow much friendship counts, learnt back from polls: phi(0,0) = 5 and phi(1,1) = 10\n");
    println!(
        "{:>7} {:>21} {:>21} {:>21}",
        "polls", "maximum likelihood", "pseudo-likelihood", "persistent chains"
    );
    for number in [100, 1000, 10_000, 100_000] {
        let records = poll(number)?;
        let options = LogLinearOptions::default();
        let means = friendship()?.feature_means(&records)?;
        let fits = [
            fit_log_linear(&JunctionTree::default(), friendship()?, &means, &options, &mut Silent)?,
            fit_pseudo_likelihood(friendship()?, &records, &options, &mut Silent)?,
            fit_by_sampling(friendship()?, &records, &SampledLearning::default(), &mut Silent)?,
        ];
        print!("{number:7}");
        for fit in &fits {
            let phi = fit.model.weights().iter().map(|w| w.exp()).collect::<Vec<f64>>();
            print!(" {:10.3} {:10.3}", phi[0], phi[1]);
        }
        println!();
    }
    Ok(())
}
