//! `posterior hmm score`, `posterior hmm decode` and `posterior hmm sample`.

use posterior::dist::stream::stream;
use serde::Serialize;
use serde_json::{Value, json};

use super::answer::{Decoded, Scored, named};
use super::kind::{AnyModel, Stored};
use super::observations::{Observations, Terms};
use super::report::{write_paths, write_states};
use super::said::{Asked, Said};
use crate::args::{DecodingKind, Format, HmmColumns, HmmDecode, HmmInput, HmmSample, HmmScore};
use crate::failure::Failure;
use crate::output;
use crate::output_folder::write_csv;
use crate::run::Run;

/// Runs `score`.
pub(crate) fn score(args: &HmmScore) -> Result<(), Failure> {
    let run = Run::start(&args.common)?;
    let asked = Asked { decoding: DecodingKind::Viterbi, best: None };
    let (_, data, said) = said(&args.input, asked)?;
    let output = Scored {
        ln_likelihood: said.ln_likelihoods.iter().sum(),
        rows: data.len(),
        sequences: data.names.clone(),
        agreement: data.labels.as_ref().and_then(|labels| labels.agreement(&said.states)),
        ln_likelihoods: said.ln_likelihoods,
    };
    run.print(|| &output, || super::text::of_score(&data, &output))
}

/// Runs `decode`.
pub(crate) fn decode(args: &HmmDecode) -> Result<(), Failure> {
    let mut run = Run::start(&args.common)?;
    run.claim(args.out.as_deref(), &["states.csv", "paths.csv"])?;
    let asked = Asked { decoding: args.decode, best: args.best.map(|count| count as usize) };
    let (labels, data, said) = said(&args.input, asked)?;
    run.write("states.csv", |folder| {
        if let Some(best) = &said.best {
            write_paths(folder, &data, &labels, best)?;
        }
        write_states(folder, &data, &labels, (&said.states, &said.probabilities))
    })?;
    let output = Decoded {
        parameters_known: true,
        ln_likelihood: said.ln_likelihoods.iter().sum(),
        sequences: data.names.clone(),
        labels,
        agreement: data.labels.as_ref().and_then(|labels| labels.agreement(&said.states)),
        states: said.states,
        best: said.best,
    };
    run.print(|| &output, || super::text::of_decoding(&data, &output))
}

/// What states are called, and what the model in a file says of the observations in another.
fn said(input: &HmmInput, asked: Asked) -> Result<(Vec<String>, Observations, Said), Failure> {
    let columns = &input.columns;
    let stored = Stored::read(&input.model)?;
    let y = if columns.y.is_empty() { stored.columns.clone() } else { columns.y.clone() };
    if y.len() != stored.columns.len() {
        let wanted = stored.columns.len();
        return Err(Failure::Usage(format!("--y: the model has {wanted} columns, not {}", y.len())));
    }
    if columns.labels.is_some() && stored.labels.is_empty() {
        let message = "--labels: the states of the model are numbers, as it was fitted without labels";
        return Err(Failure::Usage(message.to_owned()));
    }
    if asked.best.is_some() && stored.model.lasts().is_some() {
        let message = "--best: the model is one of segments, of which the best path alone is found";
        return Err(Failure::Usage(message.to_owned()));
    }
    let columns = HmmColumns { y, sequence: columns.sequence.clone(), labels: columns.labels.clone() };
    let terms = Terms { symbols: &stored.symbols, states: &stored.labels };
    let kind = (stored.model.kind(), 1);
    let data = Observations::read(&input.data, &input.table, &columns, kind, Some(terms))?;
    let said = stored.model.says(&data, asked)?;
    Ok((stored.labels, data, said))
}

/// The answer of `hmm sample`.
#[derive(Debug, Serialize)]
struct Drawn {
    columns: Vec<String>,
    /// What states are called, where they are labels.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    labels: Vec<String>,
    states: Vec<usize>,
    /// The cells of each row.
    values: Vec<Vec<Value>>,
}

/// Runs `sample`.
pub(crate) fn sample(args: &HmmSample) -> Result<(), Failure> {
    let run = Run::start(&args.common)?;
    let stored = Stored::read(&args.model)?;
    let (length, mut rng) = (args.n as usize, stream(args.common.seed, &[]));
    let (states, values): (Vec<usize>, Vec<Vec<Value>>) = match &stored.model {
        AnyModel::Categorical(model) => {
            let (states, symbols) = model.simulate(length, &mut rng);
            (states, symbols.into_iter().map(|symbol| vec![json!(stored.symbols[symbol])]).collect())
        }
        AnyModel::Gaussian(model) => {
            let (states, rows) = model.simulate(length, &mut rng);
            let cells = |row: Vec<f64>| row.into_iter().map(|value| json!(value)).collect();
            (states, rows.into_iter().map(cells).collect())
        }
        AnyModel::Mixture(model) => {
            let (states, rows) = model.simulate(length, &mut rng);
            (states, rows.row_iter().map(|row| row.iter().map(|value| json!(value)).collect()).collect())
        }
        AnyModel::Poisson(model) => {
            let (states, counts) = model.simulate(length, &mut rng);
            (states, counts.into_iter().map(|count| vec![json!(count)]).collect())
        }
    };
    match args.common.format {
        // As CSV, which `hmm fit` reads.
        Format::Text => output::print_by(|out| {
            let header = std::iter::once("state").chain(stored.columns.iter().map(String::as_str));
            let cell = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let row = |(state, row): (&usize, &Vec<Value>)| {
                std::iter::once(named(&stored.labels, *state)).chain(row.iter().map(cell)).collect::<Vec<_>>()
            };
            write_csv(out, header, states.iter().zip(&values).map(row))
        }),
        Format::Json => {
            run.print_json(Drawn { columns: stored.columns, labels: stored.labels, states, values })
        }
    }
}
