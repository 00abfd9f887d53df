//! Larger circles of friends.

use std::io::Write;
use std::time::Instant;

use posterior::dist::stream::stream;
use posterior::inference::{BeliefPropagation, Beliefs, JunctionTree, MeanField};
use posterior::pgm::{Evidence, MarkovRandomField, Table, VarId, Variables};
use posterior::report::{Page, PageTable};
use posterior::sampling::network::NetworkGibbs;
use rand::RngExt;

use super::ask;
use crate::Outcome;
use crate::story::tell_table;

/// Friends at random, of whom each knows about `known` others, and is a little for one side by nature.
fn circle(people: usize, known: f64, seed: u64) -> Outcome<MarkovRandomField> {
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

pub(super) fn circles(out: &mut dyn Write, page: &mut Page) -> Outcome<()> {
    let names = [
        "people",
        "belief propagation",
        "mean field",
        "Gibbs sampling",
        "what it thinks",
        "junction tree s",
        "Gibbs s",
    ];
    let mut table = PageTable::with_columns(&names);
    for people in [10, 20, 40, 80] {
        let model = circle(people, 3.0, 1)?;
        let none = Evidence::none();
        let began = Instant::now();
        let exact = ask(&JunctionTree::default(), &model, &none)?;
        let of_tree = began.elapsed().as_secs_f64();
        let began = Instant::now();
        let drawn = ask(&NetworkGibbs::default(), &model, &none)?;
        let of_chains = began.elapsed().as_secs_f64();
        let bp = errors(&ask(&BeliefPropagation::default(), &model, &none)?, &exact, people);
        let field = errors(&ask(&MeanField::default(), &model, &none)?, &exact, people);
        let gibbs = errors(&drawn, &exact, people);
        let bars = (0..people).filter_map(|i| drawn.standard_errors(VarId::new(i)).map(|own| own[1]));
        let thought = bars.sum::<f64>() / people as f64;
        let cells = [bp, field, gibbs].map(|(largest, mean)| format!("{largest:.4} ({mean:.4})"));
        let others = [format!("± {thought:.4}"), format!("{of_tree:.4}"), format!("{of_chains:.4}")];
        table.rows.push([people.to_string()].into_iter().chain(cells).chain(others).collect());
    }
    let text = "Friends at random, each with about three others: the largest error of a probability against the junction tree, and the mean one.";
    tell_table(out, page, "Larger circles", text, table)
}
