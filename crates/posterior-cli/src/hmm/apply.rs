//! `posterior hmm score` and `posterior hmm decode`.

use std::path::Path;
use std::time::Instant;

use super::answer::{Decoded, Scored};
use super::artefacts::write_states;
use super::kind::{Said, Stored};
use super::observations::Observations;
use crate::args::{DecodingKind, Format, HmmColumns, HmmDecode, HmmScore, TableArgs};
use crate::failure::Failure;
use crate::output_folder::OutputFolder;
use crate::{output, threads};

/// Runs `score`.
pub(crate) fn score(args: &HmmScore) -> Result<(), Failure> {
    let start = Instant::now();
    threads::limit(&args.common)?;
    let (data, said) = said(&args.model, &args.data, &args.table, &args.columns, DecodingKind::Viterbi)?;
    let output = Scored {
        ln_likelihood: said.ln_likelihoods.iter().sum(),
        rows: data.len(),
        sequences: data.names.clone(),
        ln_likelihoods: said.ln_likelihoods,
        seed: args.common.seed,
        seconds: start.elapsed().as_secs_f64(),
    };
    match args.common.format {
        Format::Text => output::print(&super::text::of_score(&data, &output)),
        Format::Json => output::print_json(&output),
    }
}

/// Runs `decode`.
pub(crate) fn decode(args: &HmmDecode) -> Result<(), Failure> {
    let start = Instant::now();
    threads::limit(&args.common)?;
    let out = OutputFolder::claim(args.out.as_deref(), &["states.csv"])?;
    let (data, said) = said(&args.model, &args.data, &args.table, &args.columns, args.decode)?;
    if let Some(folder) = out {
        folder.put("states.csv", |out| write_states(out, &data, &said.states, &said.probabilities))?;
        folder.finish(args.common.quiet, "states.csv")?;
    }
    let output = Decoded {
        parameters_known: true,
        ln_likelihood: said.ln_likelihoods.iter().sum(),
        sequences: data.names.clone(),
        states: said.states,
        seed: args.common.seed,
        seconds: start.elapsed().as_secs_f64(),
    };
    match args.common.format {
        Format::Text => output::print(&super::text::of_decoding(&data, &output)),
        Format::Json => output::print_json(&output),
    }
}

/// What the model in a file says of the observations in another.
fn said(
    model: &Path,
    table: &Path,
    args: &TableArgs,
    columns: &HmmColumns,
    decoding: DecodingKind,
) -> Result<(Observations, Said), Failure> {
    let stored = Stored::read(model)?;
    let value = if columns.value.is_empty() { stored.columns.clone() } else { columns.value.clone() };
    if value.len() != stored.columns.len() {
        let wanted = stored.columns.len();
        return Err(Failure::Usage(format!("--value: the model has {wanted} columns, not {}", value.len())));
    }
    let columns = HmmColumns { value, sequence: columns.sequence.clone() };
    let data = Observations::read(table, args, &columns, stored.model.kind(), Some(&stored.symbols))?;
    let said = stored.model.says(&data, decoding)?;
    Ok((data, said))
}
