//! Two hidden states that know nothing of letters.

use std::io::Write;

use posterior::dist::stream::stream;
use posterior::inference::em::EmOptions;
use posterior::latent::mixture::MaximumLikelihood;
use posterior::math::iteration::Silent;
use posterior::math::linalg::DMatrix;
use posterior::report::{Figure, Interval, Page, Ribbon, heat_map, intervals, ribbons};
use posterior::sequence::baum_welch::{BaumWelch, BaumWelchOptions};
use posterior::sequence::cipher::Letters;
use posterior::sequence::emission::{CategoricalEmissions, Sequences};
use posterior::sequence::hmm::HiddenMarkovModel;
use rand::{Rng, RngExt};

use super::figure;
use crate::Outcome;

/// Starts of the learning.
const STARTS: u64 = 4;

/// Rows of random numbers around equal ones, with sum 1.
fn nearly_even(rows: usize, columns: usize, rng: &mut impl Rng) -> DMatrix<f64> {
    let mut matrix = DMatrix::from_fn(rows, columns, |_, _| 0.8 + 0.4 * rng.random::<f64>());
    for mut row in matrix.row_iter_mut() {
        let sum = row.sum();
        row /= sum;
    }
    matrix
}

type Hidden = HiddenMarkovModel<CategoricalEmissions>;

/// The best of several starts of EM, and the way of each.
fn learn(out: &mut dyn Write, letters: &Letters, symbols: &[usize]) -> Outcome<(Hidden, Vec<Ribbon>)> {
    let sequences = Sequences::one(symbols);
    let em = EmOptions { max_iterations: 120, tolerance: 1e-7, ..EmOptions::default() };
    let problem = BaumWelch::new(
        &sequences,
        MaximumLikelihood,
        BaumWelchOptions { em, ..BaumWelchOptions::default() },
    )?;
    writeln!(out, "two states for {} letters and spaces: ln p of a letter\n", symbols.len())?;
    writeln!(out, "{:>6}{:>8}{:>12}{:>12}{:>8}", "start", "steps", "first", "last", "falls")?;
    let (mut best, mut traces) = (None, Vec::new());
    for number in 0..STARTS {
        let rng = &mut stream(1, &[number]);
        let emissions = CategoricalEmissions::new(&nearly_even(2, letters.len(), rng))?;
        let start = HiddenMarkovModel::new(&[0.5, 0.5], &nearly_even(2, 2, rng), emissions)?;
        let fitted = problem.fit(start, &mut Silent)?;
        let trace: Vec<f64> = fitted.report.trace.iter().map(|value| value / symbols.len() as f64).collect();
        let (first, last) = (trace.first().copied(), trace.last().copied());
        let (Some(first), Some(last)) = (first, last) else { return Err("a fit without a step".into()) };
        writeln!(
            out,
            "{number:>6}{:>8}{first:>12.5}{last:>12.5}{:>8}",
            trace.len(),
            fitted.report.falls.len()
        )?;
        let line = trace.iter().enumerate().map(|(step, &value)| (step as f64, value));
        traces.push(Ribbon::line(format!("start {number}"), line));
        if best.as_ref().is_none_or(|(other, _)| last > *other) {
            best = Some((last, fitted.model.hmm));
        }
    }
    let (_, model) = best.ok_or("no start")?;
    Ok((model, traces))
}

pub(super) fn vowels_and_consonants(out: &mut dyn Write, text: &str, page: &mut Page) -> Outcome<()> {
    let letters = Letters::english();
    let symbols = letters.read(text);
    let (model, traces) = learn(out, &letters, &symbols)?;
    let emissions = model.emissions();
    let e = letters.index('e').ok_or("a language without e")?;
    let vowel = usize::from(emissions.probability(1, e) > emissions.probability(0, e));
    let name = |symbol: usize| match letters.characters()[symbol] {
        ' ' => "space".to_owned(),
        letter => letter.to_string(),
    };
    let both = |symbol| (emissions.probability(vowel, symbol), emissions.probability(1 - vowel, symbol));
    let mut order: Vec<usize> = (0..letters.len()).collect();
    order.sort_by(|&a, &b| (both(b).0 - both(b).1).total_cmp(&(both(a).0 - both(a).1)));
    let mut vowels = String::new();
    for (title, first) in [("vowels", true), ("consonants", false)] {
        let own = order.iter().filter(|&&symbol| (both(symbol).0 > both(symbol).1) == first);
        let own = own.map(|&symbol| name(symbol)).collect::<Vec<_>>().join(" ");
        writeln!(out, "{title:>12}: {own}")?;
        if first {
            vowels = own;
        }
    }
    let rows: Vec<Interval> = order
        .iter()
        .map(|&symbol| Interval {
            name: name(symbol),
            low: -both(symbol).1,
            middle: 0.0,
            high: both(symbol).0,
        })
        .collect();
    page.lead = Some(Figure::new(
        intervals("What two states show", &rows),
        "To the right the probability of each letter in one state, to the left in the other. Nobody said which letters are vowels.",
    ));
    let (there, back) = (model.transition()[(vowel, 1 - vowel)], model.transition()[(1 - vowel, vowel)]);
    page.fact("vowels, nobody said which", vowels);
    writeln!(out, "p(vowel to consonant) = {there:.3}, p(consonant to vowel) = {back:.3}")?;
    let states = ["vowel", "consonant"].map(str::to_owned);
    let columns: Vec<String> =
        states.iter().cloned().chain(order.iter().map(|&symbol| name(symbol))).collect();
    let mut values = Vec::new();
    for state in [vowel, 1 - vowel] {
        values.extend([vowel, 1 - vowel].map(|next| model.transition()[(state, next)]));
        values.extend(order.iter().map(|&symbol| emissions.probability(state, symbol)));
    }
    figure(
        page,
        "Steps and letters",
        format!(
            "After a vowel comes a consonant with probability {there:.2}, after a consonant a vowel with {back:.2}."
        ),
        Figure::new(
            heat_map("Steps and letters", ("state", "next state, then letter"), &states, &columns, &values),
            "The first two columns are the transition matrix, the others the emissions.",
        ),
    );
    let picture = ribbons(("step", "ln p of a letter"), &traces, &[], None);
    figure(page, "It never falls", "Four random starts of EM.", Figure::new(picture, ""));
    Ok(())
}
