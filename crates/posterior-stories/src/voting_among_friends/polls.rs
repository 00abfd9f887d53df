//! The strength of friendship, learned back from polls.

use std::io::Write;

use posterior::dist::choose;
use posterior::dist::stream::stream;
use posterior::inference::JunctionTree;
use posterior::inference::learning::{LogLinearOptions, fit_log_linear, fit_pseudo_likelihood};
use posterior::math::iteration::Silent;
use posterior::pgm::{GraphicalModel, LogLinear, Records, Table, VarId, Variables};
use posterior::report::{Page, PageTable};
use posterior::sampling::network::{SampledLearning, fit_by_sampling};
use rand::RngExt;

use super::{FRIENDS, friends};
use crate::Outcome;
use crate::story::tell_table;

/// One weight for each friendship where both vote 0, one where both vote 1: ln φ(0,0) and ln φ(1,1), the same
/// for all four.
fn friendship() -> Outcome<LogLinear> {
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
fn poll(polls: usize) -> Outcome<Records> {
    let model = friends(5.0, 10.0)?;
    let votes = |number: usize| [number >> 3 & 1, number >> 2 & 1, number >> 1 & 1, number & 1];
    let scores: Vec<f64> = (0..16).map(|number| model.ln_score(&votes(number)).exp()).collect();
    let z: f64 = scores.iter().sum();
    let mut rng = stream(2, &[polls as u64]);
    let mut records = Records::new(model.variables().clone());
    for _ in 0..polls {
        let drawn = choose(&scores, rng.random::<f64>() * z).ok_or("no vote has a score")?;
        records.push(&votes(drawn).map(Some))?;
    }
    Ok(records)
}

pub(super) fn polls(out: &mut dyn Write, page: &mut Page) -> Outcome<()> {
    let ways = ["maximum likelihood", "pseudo-likelihood", "persistent chains"];
    let mut table = PageTable::with_columns(&[&["polls"][..], &ways].concat());
    for number in [100, 1000, 10_000, 100_000] {
        let records = poll(number)?;
        let options = LogLinearOptions::default();
        let means = friendship()?.feature_means(&records)?;
        let fits = [
            fit_log_linear(&JunctionTree::default(), friendship()?, &means, &options, &mut Silent)?,
            fit_pseudo_likelihood(friendship()?, &records, &options, &mut Silent)?,
            fit_by_sampling(friendship()?, &records, &SampledLearning::default(), &mut Silent)?,
        ];
        let mut cells = vec![number.to_string()];
        for fit in &fits {
            let phi = fit.model.weights().iter().map(|w| w.exp()).collect::<Vec<f64>>();
            cells.push(format!("{:.3} and {:.3}", phi[0], phi[1]));
        }
        table.rows.push(cells);
    }
    let text =
        "How much it counts that both vote 0, and that both vote 1: 5 and 10, estimated from so many polls.";
    tell_table(out, page, "Learned back from polls", text, table)
}
