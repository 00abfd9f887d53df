//! Voting among friends: four friends in a ring who like to vote alike, by every engine of inference.
//!
//! Prints the sixteen joint votes with their scores, what every engine says of one friend and of ln Z, what a
//! vote that is known changes, how wrong the approximate engines become when friends agree more and more,
//! larger circles of friends, and the strength of friendship learned back from polls.

mod circles;
mod engines;
mod known;
mod polls;
mod strength;

use std::io::Write;

use posterior::inference::{Beliefs, Engine, Targets};
use posterior::pgm::{Evidence, MarkovRandomField, Table, VarId, Variables};
use posterior::report::Page;

use crate::{Ending, Outcome, Sources};

const FRIENDS: [&str; 4] = ["Ann", "Bob", "Cem", "Dee"];

/// Tells the story.
///
/// # Errors
/// If `out` cannot be written.
pub fn tell(out: &mut dyn Write, _: &Sources) -> Outcome<Ending> {
    let model = friends(5.0, 10.0)?;
    let mut page = Page::new("Markov random fields", "Four friends who like to vote alike");
    engines::scores(out, &model, &mut page)?;
    engines::engines(out, &model, &mut page)?;
    known::best(out, &model)?;
    known::known_votes(out, &model, &mut page)?;
    strength::stronger_friendships(out, &mut page)?;
    circles::circles(out, &mut page)?;
    polls::polls(out, &mut page)?;
    "Made up: neighbours in the ring who both vote 0 count 5, who both vote 1 count 10, and who differ 1."
        .clone_into(&mut page.source);
    Ok(Ending::Completed(page))
}

/// Neighbours who both vote 0 count `zeros`, who both vote 1 `ones`, and who differ 1.
fn friends(zeros: f64, ones: f64) -> Outcome<MarkovRandomField> {
    let variables = Variables::new(FRIENDS.map(|name| (name, ["0", "1"])))?;
    let ids: Vec<VarId> = variables.ids().collect();
    let agree =
        |i: usize| Table::new(vec![ids[i], ids[(i + 1) % 4]], vec![2, 2], vec![zeros, 1.0, 1.0, ones]);
    Ok(MarkovRandomField::new(variables, (0..4).map(agree).collect::<Result<_, _>>()?)?)
}

fn ask<E: Engine>(engine: &E, model: &MarkovRandomField, evidence: &Evidence) -> Outcome<Beliefs> {
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
