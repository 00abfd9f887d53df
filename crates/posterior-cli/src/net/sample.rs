//! `posterior net sample`: records drawn from a network.

use posterior::graph::VarId;
use posterior::pgm::{GraphicalModel as _, Records};
use serde::Serialize;

use super::network_input::Input;
use crate::args::{Format, NetSample};
use crate::failure::Failure;
use crate::output;
use crate::output_folder::write_csv;
use crate::run::Run;

#[derive(Serialize)]
struct Output<'a> {
    variables: Vec<&'a str>,
    records: Vec<Vec<&'a str>>,
}

/// Draws records and prints them.
pub(super) fn run(args: &NetSample) -> Result<(), Failure> {
    let run = Run::start(&args.input.common)?;
    let input = Input::read(&args.input.file)?;
    let network = input.network()?;
    let common = &args.input.common;
    let hidden = input.variables_of(&args.hide)?;
    let shown: Vec<VarId> = network.variables().ids().filter(|v| !hidden.contains(v)).collect();
    let records = network
        .sample(args.n as usize, common.seed)
        .map_err(|error| Failure::data(format!("{}: {error}", input.source)))?;
    match common.format {
        Format::Text => output::print_by(|out| {
            let header = shown.iter().map(|&v| network.variables().name(v));
            write_csv(out, header, (0..records.len()).map(|record| names(&records, record, &shown)))
        }),
        Format::Json => run.print_json(Output {
            variables: shown.iter().map(|&v| network.variables().name(v)).collect(),
            records: (0..records.len()).map(|record| names(&records, record, &shown)).collect(),
        }),
    }
}

/// The names of the states of a record; none is missing in one that was drawn.
fn names<'a>(records: &'a Records, record: usize, shown: &[VarId]) -> Vec<&'a str> {
    let variables = records.variables();
    let name = |&v: &VarId| records.state(record, v).map_or("", |state| variables.states(v)[state].as_str());
    shown.iter().map(name).collect()
}
