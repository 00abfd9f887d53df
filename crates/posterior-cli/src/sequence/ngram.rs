//! `posterior sequence ngram`.

use std::borrow::Cow;
use std::fmt::Write as _;

use posterior::dist::stream::stream;
use posterior::text::Error;
use posterior::text::alphabet::{Alphabet, UNKNOWN};
use posterior::text::ngram::{
    Boundaries, LanguageModel, NGramCounts, NGramModel, NGramOptions, NgramVocabulary, Smoothing,
};
use serde::Serialize;

use super::language_model::{Stored, names, put, sequences};
use super::{check_proportion, read};
use crate::args::{NgramSmoothing, SequenceNgram, Unit, name};
use crate::failure::Failure;
use crate::output::{grouped, percent, significant};
use crate::run::Run;
use crate::text_table;

/// How many of the next symbols are shown.
const TOP: usize = 10;

/// What a run tells.
#[derive(Serialize)]
struct Output {
    unit: String,
    order: usize,
    smoothing: String,
    tokens: u64,
    vocabulary: usize,
    /// Different n-grams of 1, 2, … symbols.
    ngrams: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    held_out: Option<HeldOut>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<Vec<Next>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sample: Option<String>,
}

#[derive(Serialize)]
struct HeldOut {
    tokens: u64,
    unknown: u64,
    #[serde(serialize_with = "crate::json::number")]
    bits_per_token: f64,
    #[serde(serialize_with = "crate::json::number")]
    perplexity: f64,
}

#[derive(Serialize)]
struct Next {
    symbol: String,
    probability: f64,
}

/// Runs the verb.
pub(crate) fn run(args: &SequenceNgram) -> Result<(), Failure> {
    let mut run = Run::start(&args.common)?;
    let proportion = check_proportion(args.held_out)?;
    let (source, text) = read(&args.text)?;
    let refused = |error: Error| Failure::data(format!("{source}: {error}"));
    run.claim(args.out.as_deref(), &["model.json", "model.arpa"])?;
    let minimum = args.min_count.unwrap_or(if args.unit == Unit::Char { 1 } else { 2 });
    // The text is gone through again instead of kept as names, which take fifty times its memory.
    let lines = sequences(args.lines, &text);
    let count = if args.lines { lines.len() } else { names(args.unit, &text).count() };
    let kept = ((1.0 - proportion) * count as f64).round() as usize;
    if kept == 0 {
        return Err(Failure::data(format!("{source}: expected more text than is held out")));
    }
    let (train, test) = lines.split_at(if args.lines { kept } else { 1 });
    let symbols = if args.lines { usize::MAX } else { kept };
    let all = || train.iter().flat_map(|line| names(args.unit, line)).take(symbols);
    let mut alphabet = Alphabet::frequent(all(), minimum);
    let unknown = alphabet.insert(UNKNOWN);
    let order = args.order.map_or(if args.unit == Unit::Char { 5 } else { 3 }, usize::from);
    let boundaries = if args.lines { Boundaries::Marked } else { Boundaries::Open };
    let vocabulary = NgramVocabulary::new(alphabet.len())
        .and_then(|own| own.with_boundaries(boundaries).with_unknown(unknown))
        .map_err(refused)?;
    let numbers = |line: &str| alphabet.encode_or(names(args.unit, line), unknown);
    let counts = if args.lines {
        let train: Vec<Vec<usize>> = train.iter().map(|line| numbers(line)).collect();
        NGramCounts::of(&train, vocabulary, order)
    } else {
        let symbols = all().map(|name| alphabet.get(&name).unwrap_or(unknown));
        NGramCounts::of_stream(symbols, vocabulary, order)
    }
    .map_err(refused)?;
    let model = NGramModel::fit(&counts, &NGramOptions::new(smoothing(args.smoothing))).map_err(refused)?;
    let test: Vec<Vec<usize>> = if args.lines {
        test.iter().map(|line| numbers(line)).collect()
    } else {
        let rest = alphabet.encode_or(names(args.unit, &text).skip(kept), unknown);
        if rest.is_empty() { Vec::new() } else { vec![rest] }
    };
    let output = Output {
        unit: name(args.unit),
        order: counts.order(),
        smoothing: name(args.smoothing),
        tokens: counts.tokens(),
        vocabulary: alphabet.len(),
        ngrams: (1..=counts.order()).map(|length| counts.distinct(length)).collect(),
        held_out: held_out(&model, &test).map_err(refused)?,
        next: next(args, &model, &alphabet, unknown).map_err(refused)?,
        sample: sample(args, &model, &alphabet).map_err(refused)?,
    };
    let stored = Stored { unit: args.unit, names: Cow::Owned(alphabet), model: Cow::Owned(model) };
    let mut note = None;
    run.write("model.json", |folder| {
        note = put(folder, &stored)?;
        Ok(())
    })?;
    if let Some(note) = &note {
        run.note(note);
    }
    run.print(|| &output, || describe(&source, args, &output))
}

fn held_out(model: &NGramModel, test: &[Vec<usize>]) -> Result<Option<HeldOut>, Error> {
    if test.is_empty() {
        return Ok(None);
    }
    let score = model.score(test)?;
    Ok(Some(HeldOut {
        tokens: score.tokens,
        unknown: score.unknown,
        bits_per_token: score.bits_per_token(),
        perplexity: score.perplexity(),
    }))
}

fn next(
    args: &SequenceNgram,
    model: &NGramModel,
    alphabet: &Alphabet,
    unknown: usize,
) -> Result<Option<Vec<Next>>, Error> {
    let Some(context) = &args.predict else { return Ok(None) };
    let context = alphabet.encode_or(names(args.unit, context), unknown);
    let top = model.top(&context, TOP)?;
    let named = top.into_iter().filter_map(|(symbol, probability)| {
        alphabet.name(symbol).map(|name| Next { symbol: name.to_owned(), probability })
    });
    Ok(Some(named.collect()))
}

fn sample(args: &SequenceNgram, model: &NGramModel, alphabet: &Alphabet) -> Result<Option<String>, Error> {
    if args.sample == 0 {
        return Ok(None);
    }
    let drawn = model.sample(args.sample, &mut stream(args.common.seed, &[]));
    let separator = if args.unit == Unit::Char { "" } else { " " };
    alphabet.decode(&drawn, separator).map(Some)
}

const fn smoothing(asked: NgramSmoothing) -> Smoothing {
    match asked {
        NgramSmoothing::Ml => Smoothing::MaximumLikelihood,
        NgramSmoothing::AddOne => Smoothing::AddK { k: 1.0 },
        NgramSmoothing::Dirichlet => Smoothing::Dirichlet { concentration: 5.0 },
        NgramSmoothing::GoodTuring => Smoothing::GoodTuring { threshold: 5 },
        NgramSmoothing::WittenBell => Smoothing::WittenBell,
        NgramSmoothing::Absolute => Smoothing::AbsoluteDiscounting { discount: None },
        NgramSmoothing::Kn => Smoothing::KneserNey { discount: None },
        NgramSmoothing::Mkn => Smoothing::ModifiedKneserNey,
    }
}

fn describe(source: &str, args: &SequenceNgram, output: &Output) -> String {
    let kind = super::language_model::plural(args.unit);
    let mut text = format!(
        "{source}: {} {kind} counted, {} different; n-grams of up to {}, {}\n",
        grouped(output.tokens),
        grouped(output.vocabulary as u64),
        output.order,
        output.smoothing
    );
    // Writing to a string cannot fail.
    if let Some(held_out) = &output.held_out {
        let _ = writeln!(
            text,
            "held out: {} {kind}, {} unknown; {} bits each, perplexity {}",
            grouped(held_out.tokens),
            grouped(held_out.unknown),
            significant(held_out.bits_per_token),
            significant(held_out.perplexity)
        );
    }
    let rows = output.ngrams.iter().enumerate();
    let rows = rows.map(|(length, &number)| vec![(length + 1).to_string(), grouped(number as u64)]).collect();
    text += &text_table::aligned(&["n", "different n-grams"], rows);
    if let Some(next) = &output.next {
        let rows =
            next.iter().map(|next| vec![format!("{:?}", next.symbol), percent(next.probability)]).collect();
        text.push('\n');
        text += &text_table::aligned(&["next", "probability"], rows);
    }
    if let Some(sample) = &output.sample {
        let _ = writeln!(text, "\n{sample}");
    }
    text
}
