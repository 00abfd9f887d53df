//! Two ways down, and more and more words.

use std::io::Write;

use posterior::dist::stream::stream;
use posterior::math::iteration::Fitted;
use posterior::report::{Figure, Page, Ribbon, Section, ribbons};
use posterior::sequence::crf::{Averaging, ConditionalRandomField, CrfObjective, SgdLearner, SgdOptions};
use rand::seq::SliceRandom;

use super::reading::{Scores, Unit, read};
use super::writing::Word;
use super::{L2, SEED};
use crate::Outcome;

/// Passes of stochastic descent, and its first step.
const PASSES: usize = 30;
const FIRST_STEP: f64 = 0.02;
/// Objectives that are nearer to the least one are not drawn.
const NEAR: f64 = 1e-2;

/// The objective of the chain by pass over the words: `trace` is that of L-BFGS.
pub(super) fn two_ways(out: &mut dyn Write, train: &[Word], trace: &[f64], page: &mut Page) -> Outcome<()> {
    let least = trace.iter().copied().fold(f64::INFINITY, f64::min);
    let last = stochastic(train, Averaging::Last)?;
    let mean = stochastic(train, Averaging::Mean)?;
    writeln!(out, "\nobjective by pass: the least is {least:.3}, after {} steps of L-BFGS", trace.len() - 1)?;
    writeln!(out, "{:>6}{:>14}{:>14}{:>14}", "pass", "L-BFGS", "SGD, last", "SGD, mean")?;
    for pass in [0, 1, 2, 5, 10, 20, PASSES] {
        let at = |trace: &[f64]| trace.get(pass).map_or_else(String::new, |value| format!("{value:.2}"));
        writeln!(out, "{pass:>6}{:>14}{:>14}{:>14}", at(trace), at(&last), at(&mean))?;
    }
    let line = |(name, trace): (&str, &[f64])| {
        let points = trace.iter().enumerate().filter(|(_, value)| **value - least > NEAR);
        let line = points.map(|(pass, value)| (pass as f64, (value - least).log10()));
        Ribbon::line(name.to_owned(), line)
    };
    let lines =
        [("L-BFGS", trace), ("stochastic, last weights", &last[..]), ("stochastic, mean weights", &mean[..])];
    let picture = ribbons(
        ("pass over the words", "log10 of what is above the least objective"),
        &lines.map(line),
        &[],
        None,
    );
    let text = "A step of L-BFGS looks at all words before it moves, stochastic descent moves after each word: it is far down before the other has found its way, and \
                creeps from there on.";
    let caption = "The objective -Σ ln p(letters | ink) + l2 |w|² less its least value, in nats.";
    page.section("Two ways down", text, Figure::new(picture, caption));
    Ok(())
}

/// The objective at the start and after each pass of stochastic descent.
fn stochastic(train: &[Word], averaging: Averaging) -> Outcome<Vec<f64>> {
    let data = Unit::Word.data(train)?;
    let features = Unit::Word.features(&data)?;
    let mut objective = CrfObjective::new(&data, &features, L2)?;
    let mut at =
        |weights: &[f64]| L2 * weights.iter().map(|w| w * w).sum::<f64>() - objective.ln_likelihood(weights);
    let options = SgdOptions { l2: L2, averaging, ..SgdOptions::default() };
    let mut learner = SgdLearner::new(features.clone(), &options, FIRST_STEP, data.len())?;
    let mut trace = vec![at(&learner.weights())];
    let mut order: Vec<usize> = (0..data.len()).collect();
    for pass in 0..PASSES {
        if pass == 1 {
            learner.begin_mean();
        }
        order.shuffle(&mut stream(SEED, &[2, pass as u64]));
        for &word in &order {
            learner.learn(&data.sequences()[word], &data.labels()[word], 1.0)?;
        }
        trace.push(at(&learner.weights()));
    }
    Ok(trace)
}

/// A model of each unit, letters first.
pub(super) type Models = [Fitted<ConditionalRandomField>; 2];

/// Proportions of right letters and words, learned from more and more words; the models that have learned
/// from most.
pub(super) fn more_words(
    out: &mut dyn Write,
    (train, test): (&[Word], &[Word]),
    sizes: &[usize],
) -> Outcome<(Models, Section)> {
    writeln!(out, "\nwords fitted   letters %: alone   neighbours   words %: alone   neighbours")?;
    let mut lines: [Vec<(f64, f64)>; 4] = Default::default();
    let mut models = None;
    for &size in sizes {
        let words = &train[..size.min(train.len())];
        let learned = [Unit::Letter.learn(words)?, Unit::Word.learn(words)?];
        let [a, b] = [&learned[0].model, &learned[1].model];
        let [alone, joined] = [Scores::of(test, &read(a, test)?)?, Scores::of(test, &read(b, test)?)?];
        let ([a, c], [b, d]) = (alone.right(), joined.right());
        let right = [a, b, c, d].map(|proportion| 100.0 * proportion);
        let [a, b, c, d] = right;
        writeln!(out, "{size:>12}{a:>19.2}{b:>13.2}{c:>17.2}{d:>13.2}")?;
        for (line, right) in lines.iter_mut().zip(right) {
            line.push(((size as f64).log2(), right));
        }
        models = Some(learned);
    }
    let [a, b, c, d] = lines;
    let section = Section::new(
        "More words, fewer mistakes",
        "The chain has 728 weights more to learn, and is ahead from the first words on.",
        vec![figure("letters", [a, b]), figure("words", [c, d])],
    );
    Ok((models.ok_or("no size")?, section))
}

fn figure(what: &str, lines: [Vec<(f64, f64)>; 2]) -> Figure {
    let ribbon = |(line, name): (Vec<(f64, f64)>, &str)| Ribbon::line(name.to_owned(), line);
    let lines: Vec<Ribbon> = lines.into_iter().zip(["letters alone", "neighbours too"]).map(ribbon).collect();
    let upwards = format!("percent of {what} right");
    let picture = ribbons(("log2 of the words learned from", &upwards), &lines, &[], None);
    Figure::new(picture, format!("The {what} that are right, of the same held-out words."))
}
