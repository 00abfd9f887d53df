//! `posterior sequence score`.

use posterior::text::ngram::{Boundaries, LanguageModel as _, LanguageScore};
use serde::Serialize;

use super::language_model::{Stored, names, plural, sequences};
use super::{language_model, read};
use crate::args::{SequenceScore, Unit, name};
use crate::failure::Failure;
use crate::output::{grouped, significant};
use crate::run::Run;

/// How well a model predicts a text.
#[derive(Debug, Serialize)]
struct Output {
    unit: String,
    order: usize,
    vocabulary: usize,
    sequences: usize,
    /// What was predicted: all symbols, and the ends where they are marked.
    tokens: u64,
    /// Symbols that are not in the vocabulary.
    unknown: u64,
    #[serde(serialize_with = "crate::json::number")]
    ln_probability: f64,
    #[serde(serialize_with = "crate::json::number")]
    bits_per_token: f64,
    #[serde(serialize_with = "crate::json::number")]
    perplexity: f64,
    /// Without the predictions of what is not in the vocabulary.
    #[serde(serialize_with = "crate::json::number")]
    perplexity_of_known: f64,
}

/// Runs the verb.
pub(crate) fn run(args: &SequenceScore) -> Result<(), Failure> {
    let run = Run::start(&args.common)?;
    let (_, stored) = language_model::read(&args.model, args.unit)?;
    let (source, text) = read(&args.text)?;
    let score = score(&stored, &text).map_err(|error| Failure::data(format!("{source}: {error}")))?;
    let output = Output {
        unit: name(stored.unit),
        order: stored.model.order(),
        vocabulary: stored.names.len(),
        sequences: score.sequences,
        tokens: score.tokens,
        unknown: score.unknown,
        ln_probability: score.ln_probability(),
        bits_per_token: score.bits_per_token(),
        perplexity: score.perplexity(),
        perplexity_of_known: score.perplexity_of_known(),
    };
    run.print(|| &output, || describe(&source, stored.unit, &output))
}

/// A text under a model: line by line, if it knows beginnings and ends.
fn score(stored: &Stored<'_>, text: &str) -> Result<LanguageScore, posterior::text::Error> {
    let lines = stored.model.vocabulary().boundaries() == Boundaries::Marked;
    let numbers = |line: &&str| -> Vec<Option<usize>> {
        names(stored.unit, line).map(|name| stored.names.get(&name)).collect()
    };
    let all: Vec<Vec<Option<usize>>> = sequences(lines, text).iter().map(numbers).collect();
    stored.model.score_with_gaps(&all)
}

fn describe(source: &str, unit: Unit, output: &Output) -> String {
    let kind = plural(unit);
    let mut facts = vec![
        (kind.to_owned(), grouped(output.tokens)),
        (format!("{kind} that the model does not know"), grouped(output.unknown)),
        ("bits each".to_owned(), significant(output.bits_per_token)),
        ("perplexity".to_owned(), significant(output.perplexity)),
    ];
    if output.unknown > 0 {
        facts.push((
            "perplexity without what it does not know".to_owned(),
            significant(output.perplexity_of_known),
        ));
    }
    format!("{source}\n{}", crate::text_table::pairs(&facts))
}
