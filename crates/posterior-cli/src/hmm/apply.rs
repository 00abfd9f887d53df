//! `posterior hmm score`, `posterior hmm decode` and `posterior hmm sample`.

use posterior::dist::stream::stream;
use serde::Serialize;
use serde_json::{Value, json};

use super::answer::{Decoded, Scored};
use super::kind::{AnyModel, Said, Stored};
use super::observations::Observations;
use super::report::write_states;
use crate::args::{DecodingKind, Format, HmmColumns, HmmDecode, HmmInput, HmmSample, HmmScore};
use crate::failure::Failure;
use crate::output;
use crate::output_folder::write_csv;
use crate::run::Run;

/// Runs `score`.
pub(crate) fn score(args: &HmmScore) -> Result<(), Failure> {
    let run = Run::start(&args.common)?;
    let (data, said) = said(&args.input, DecodingKind::Viterbi)?;
    let output = Scored {
        ln_likelihood: said.ln_likelihoods.iter().sum(),
        rows: data.len(),
        sequences: data.names.clone(),
        ln_likelihoods: said.ln_likelihoods,
    };
    run.print(|| &output, || super::text::of_score(&data, &output))
}

/// Runs `decode`.
pub(crate) fn decode(args: &HmmDecode) -> Result<(), Failure> {
    let mut run = Run::start(&args.common)?;
    run.claim(args.out.as_deref(), &["states.csv"])?;
    let (data, said) = said(&args.input, args.decode)?;
    run.write("states.csv", |folder| write_states(folder, &data, &said.states, &said.probabilities))?;
    let output = Decoded {
        parameters_known: true,
        ln_likelihood: said.ln_likelihoods.iter().sum(),
        sequences: data.names.clone(),
        states: said.states,
    };
    run.print(|| &output, || super::text::of_decoding(&data, &output))
}

/// What the model in a file says of the observations in another.
fn said(input: &HmmInput, decoding: DecodingKind) -> Result<(Observations, Said), Failure> {
    let columns = &input.columns;
    let stored = Stored::read(&input.model)?;
    let value = if columns.y.is_empty() { stored.columns.clone() } else { columns.y.clone() };
    if value.len() != stored.columns.len() {
        let wanted = stored.columns.len();
        return Err(Failure::Usage(format!("--y: the model has {wanted} columns, not {}", value.len())));
    }
    let columns = HmmColumns { y: value, sequence: columns.sequence.clone() };
    let data =
        Observations::read(&input.data, &input.table, &columns, stored.model.kind(), Some(&stored.symbols))?;
    let said = stored.model.says(&data, decoding)?;
    Ok((data, said))
}

/// The answer of `hmm sample`.
#[derive(Debug, Serialize)]
struct Drawn {
    columns: Vec<String>,
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
                std::iter::once(state.to_string()).chain(row.iter().map(cell)).collect::<Vec<_>>()
            };
            write_csv(out, header, states.iter().zip(&values).map(row))
        }),
        Format::Json => run.print_json(Drawn { columns: stored.columns, states, values }),
    }
}
