//! `posterior hmm score` and `posterior hmm decode`.

use std::path::Path;
use std::time::Instant;

use super::answer::{Decoded, Scored};
use super::artefacts::write_states;
use super::kind::{Said, Stored};
use super::observations::Observations;
use crate::args::{DecodingKind, Format, HmmColumns, HmmDecode, HmmScore, TableArgs};
use crate::failure::Failure;
use crate::{atomic_file, output, threads};

/// Runs `score`.
pub(crate) fn score(args: &HmmScore) -> Result<(), Failure> {
    let start = Instant::now();
    threads::limit(&args.common)?;
    let (data, said) = said(&args.model, &args.data, &args.table, &args.columns, DecodingKind::Viterbi)?;
    let told = Scored {
        ln_likelihood: said.ln_likelihoods.iter().sum(),
        rows: data.len(),
        sequences: data.names.clone(),
        ln_likelihoods: said.ln_likelihoods,
        seed: args.common.seed,
        seconds: start.elapsed().as_secs_f64(),
    };
    match args.common.format {
        Format::Text => output::print(&super::text::of_score(&data, &told)),
        Format::Json => output::print_json(&told),
    }
}

/// Runs `decode`.
pub(crate) fn decode(args: &HmmDecode) -> Result<(), Failure> {
    let start = Instant::now();
    threads::limit(&args.common)?;
    if let Some(folder) = &args.out {
        atomic_file::writable_folder(folder)?;
    }
    let (data, said) = said(&args.model, &args.data, &args.table, &args.columns, args.decode)?;
    if let Some(folder) = &args.out {
        let path = folder.join("states.csv");
        atomic_file::write(&path, |out| write_states(out, &data, &said.states, &said.probabilities))?;
        output::note(args.common.quiet, &format!("wrote {}", path.display()));
    }
    let told = Decoded {
        ln_likelihood: said.ln_likelihoods.iter().sum(),
        sequences: data.names.clone(),
        states: said.states,
        seed: args.common.seed,
        seconds: start.elapsed().as_secs_f64(),
    };
    match args.common.format {
        Format::Text => output::print(&super::text::of_decoding(&data, &told)),
        Format::Json => output::print_json(&told),
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
