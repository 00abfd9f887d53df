//! Several numbers of topics side by side.

use std::time::Instant;

use posterior::topics::coherence::diversity;
use posterior_report::{Figure, PageTable, Ribbon, Section, ribbons_marked};
use serde::Serialize;

use super::coherence::coherence;
use super::corpus_input::Input;
use super::documents::{HELD_OUT, Parts};
use super::held_out::{self, HeldOut};
use super::methods::{self, Outcome, Setup};
use crate::args::{SweepRule, TopicsFit, name};
use crate::failure::Failure;
use crate::output::{self, significant};
use crate::report::Coherence;
use crate::{json, text_table};

/// Words of a topic that are compared with those of others.
const WORDS: usize = 10;

const END_OF_RANGE: &str = " The largest number that was tried is kept: a larger one may be better.";

/// All numbers that were tried, and which is the best.
#[derive(Debug, Serialize)]
pub(crate) struct Sweep {
    /// How perplexities were estimated.
    estimator: String,
    /// The rule of the model that is kept.
    chosen_by: String,
    /// The number of topics that each rule says.
    best: Best,
    numbers: Vec<Number>,
    #[serde(skip)]
    chosen: usize,
}

#[derive(Debug, Serialize)]
struct Best {
    perplexity: usize,
    one_error: usize,
    coherence: Option<usize>,
}

/// One number of topics.
#[derive(Debug, Serialize)]
struct Number {
    topics: usize,
    held_out_perplexity: f64,
    /// ln p a held-out token.
    ln_per_token: f64,
    /// Over the documents; NaN of one of them.
    #[serde(serialize_with = "json::number")]
    standard_error: f64,
    /// How far below the best, a token.
    below_best: f64,
    #[serde(serialize_with = "json::number")]
    below_best_error: f64,
    #[serde(serialize_with = "json::number")]
    coherence: f64,
    diversity: f64,
    seconds: f64,
}

/// A fit of one number, and its scores.
struct Tried {
    outcome: Outcome,
    held_out: HeldOut,
    coherence: Coherence,
    seconds: f64,
}

/// Fits each number of topics, and keeps the one that the rule chooses.
pub(super) fn run(
    setups: &[Setup<'_>],
    input: &Input,
    parts: &Parts<'_>,
) -> Result<(Outcome, HeldOut, Sweep), Failure> {
    let Some(test) = &parts.test else {
        return Err(Failure::Usage("a range of --topics needs documents that are held out".to_owned()));
    };
    let mut all = Vec::with_capacity(setups.len());
    for setup in setups {
        let start = Instant::now();
        let outcome = methods::fit(setup, &parts.train)?;
        let estimator = setup.args.estimator.unwrap_or_default();
        let held_out = held_out::score(&outcome.model, &test.documents, estimator, setup.seed)?;
        let coherence =
            coherence(setup.args, outcome.model.topics(), &input.corpus, input.sequences.as_ref())?;
        let seconds = start.elapsed().as_secs_f64();
        output::note(
            setup.args.common.quiet,
            &format!(
                "{} topics: held-out perplexity {}, coherence {}",
                setup.topics,
                significant(held_out.perplexity()),
                significant(coherence.mean)
            ),
        );
        all.push(Tried { outcome, held_out, coherence, seconds });
    }
    choose(setups, all)
}

fn choose(setups: &[Setup<'_>], mut all: Vec<Tried>) -> Result<(Outcome, HeldOut, Sweep), Failure> {
    let scores: Vec<f64> = all.iter().map(|own| own.held_out.per_token().mean).collect();
    let Some(best) = largest(&scores) else {
        return Err(Failure::data("no number of topics has a held-out likelihood"));
    };
    let below: Vec<(f64, f64)> = all
        .iter()
        .map(|own| {
            let gap = all[best].held_out.above(&own.held_out)?;
            Ok((gap.mean, gap.standard_error))
        })
        .collect::<Result<_, Failure>>()?;
    let near = |&(gap, error): &(f64, f64)| gap <= error;
    let one_error = below.iter().position(near).map_or(best, |place| place.min(best));
    let coherent = largest(&all.iter().map(|own| own.coherence.mean).collect::<Vec<f64>>());
    let first = &setups[0];
    let chosen = match first.args.choose {
        SweepRule::Perplexity => best,
        SweepRule::OneError => one_error,
        SweepRule::Coherence => coherent.unwrap_or(best),
    };
    let number = |(place, own): (usize, &Tried)| Number {
        topics: setups[place].topics,
        held_out_perplexity: own.held_out.perplexity(),
        ln_per_token: own.held_out.per_token().mean,
        standard_error: own.held_out.per_token().standard_error,
        below_best: below[place].0,
        below_best_error: below[place].1,
        coherence: own.coherence.mean,
        diversity: diversity(own.outcome.model.topics(), WORDS),
        seconds: own.seconds,
    };
    let sweep = Sweep {
        estimator: first.args.estimator.unwrap_or_default().to_string(),
        chosen_by: name(first.args.choose),
        best: Best {
            perplexity: setups[best].topics,
            one_error: setups[one_error].topics,
            coherence: coherent.map(|place| setups[place].topics),
        },
        numbers: all.iter().enumerate().map(number).collect(),
        chosen,
    };
    let Tried { outcome, held_out, .. } = all.swap_remove(chosen);
    Ok((outcome, held_out, sweep))
}

/// The place of the largest number, the first of several; `None` where none is finite.
fn largest(numbers: &[f64]) -> Option<usize> {
    let finite = (0..numbers.len()).filter(|&place| numbers[place].is_finite());
    finite.reduce(|best, place| if numbers[place] > numbers[best] { place } else { best })
}

impl Sweep {
    /// Columns of `sweep.csv`.
    pub(super) const COLUMNS: [&'static str; 9] = [
        "topics",
        "held_out_perplexity",
        "ln_per_token",
        "standard_error",
        "below_best",
        "below_best_error",
        "coherence",
        "diversity",
        "seconds",
    ];

    /// Rows of `sweep.csv`.
    pub(super) fn rows(&self) -> impl Iterator<Item = [String; 9]> {
        self.numbers.iter().map(|own| {
            let numbers = [
                own.held_out_perplexity,
                own.ln_per_token,
                own.standard_error,
                own.below_best,
                own.below_best_error,
                own.coherence,
                own.diversity,
                own.seconds,
            ]
            .map(output::cell);
            let [a, b, c, d, e, f, g, h] = numbers;
            [own.topics.to_string(), a, b, c, d, e, f, g, h]
        })
    }

    fn table(&self) -> PageTable {
        let row = |own: &Number| {
            let cells = [
                own.held_out_perplexity,
                own.ln_per_token,
                own.below_best,
                own.below_best_error,
                own.coherence,
                own.diversity,
            ];
            let mut row = vec![own.topics.to_string()];
            row.extend(cells.into_iter().map(significant));
            row
        };
        let names =
            ["topics", "perplexity", "ln p per word", "below best", "its error", "coherence", "diversity"];
        PageTable::new(names, self.numbers.iter().map(row))
    }

    /// What each rule says, a line each.
    fn rules(&self) -> Vec<(String, String)> {
        let Best { perplexity, one_error, coherence } = &self.best;
        let all = [
            ("perplexity", "smallest perplexity", Some(*perplexity)),
            ("one-error", "fewest within one standard error", Some(*one_error)),
            ("coherence", "largest mean coherence", *coherence),
        ];
        let line = |(rule, text, number): (&str, &str, Option<usize>)| {
            let mark = if rule == self.chosen_by { " topics (kept)" } else { " topics" };
            Some((text.to_owned(), format!("{}{mark}", number?)))
        };
        all.into_iter().filter_map(line).collect()
    }

    /// The table on a terminal.
    pub(super) fn text(&self) -> String {
        format!(
            "{}\n{}estimator of the perplexity: {}\n",
            self.table().text(),
            text_table::pairs(&self.rules()),
            self.estimator
        )
    }

    /// What the page says of it.
    pub(super) fn section(&self, args: &TopicsFit, coherence: &Coherence) -> Vec<Section> {
        let x: Vec<f64> = self.numbers.iter().map(|own| (own.topics as f64).ln()).collect();
        let ticks: Vec<(f64, String)> =
            self.numbers.iter().zip(&x).map(|(own, &x)| (x, own.topics.to_string())).collect();
        let column = |of: fn(&Number) -> f64| self.numbers.iter().map(of).collect::<Vec<f64>>();
        let errors: Vec<f64> =
            column(|own| own.standard_error).iter().map(|e| if e.is_finite() { *e } else { 0.0 }).collect();
        let scores = Ribbon::around("", &x, &column(|own| own.ln_per_token), &errors, 1.0);
        let mark = Some(x[self.chosen]);
        let perplexity =
            ribbons_marked(("topics", "ln p of a held-out word"), &[scores], &[], mark, Some(&ticks));
        let known = x.iter().copied().zip(column(|own| own.coherence)).filter(|point| point.1.is_finite());
        let coherent =
            ribbons_marked(("topics", "mean coherence"), &[Ribbon::line("", known)], &[], mark, Some(&ticks));
        let rules: Vec<String> =
            self.rules().into_iter().map(|(rule, says)| format!("{rule}: {says}")).collect();
        let text = format!(
            "Each number of topics was fitted to the same documents and scored on the same held-out ones, {:.0} % of all. What the rules say: {}.{}",
            100.0 * args.held_out.unwrap_or(HELD_OUT),
            rules.join("; "),
            if self.chosen + 1 == self.numbers.len() { END_OF_RANGE } else { "" }
        );
        vec![
            Section::new(
                "How many topics",
                text,
                vec![
                    Figure::new(
                        perplexity,
                        format!(
                            "ln p of a held-out word ({}); the band is one standard error over documents, the upright line the number that is kept.",
                            self.estimator
                        ),
                    ),
                    Figure::new(
                        coherent,
                        format!(
                            "Mean {} coherence of the topics, of words in {}.",
                            coherence.measure,
                            coherence.places()
                        ),
                    ),
                ],
            ),
            Section::new("", "", self.table()),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_is_the_first_of_equals_and_never_nan() {
        assert_eq!(largest(&[f64::NAN, 1.0, 3.0, 3.0, f64::INFINITY]), Some(2));
        assert_eq!(largest(&[f64::NAN, f64::NEG_INFINITY]), None);
    }
}
