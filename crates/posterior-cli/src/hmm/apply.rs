//! `posterior hmm score` and `posterior hmm decode`.

use super::answer::{Decoded, Scored};
use super::kind::{Said, Stored};
use super::observations::Observations;
use super::report::write_states;
use crate::args::{DecodingKind, HmmColumns, HmmDecode, HmmInput, HmmScore};
use crate::failure::Failure;
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
