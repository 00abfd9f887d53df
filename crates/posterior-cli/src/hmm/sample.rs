//! `posterior hmm sample`.

use posterior::dist::stream::stream;
use serde::Serialize;
use serde_json::{Value, json};

use super::kind::{AnyModel, Stored};
use crate::args::{Format, HmmSample};
use crate::failure::Failure;
use crate::output;
use crate::run::Run;

/// The answer of `hmm sample`.
#[derive(Debug, Serialize)]
struct Drawn {
    columns: Vec<String>,
    states: Vec<usize>,
    /// The cells of each row.
    values: Vec<Vec<Value>>,
}

/// Runs the verb.
pub(crate) fn run(args: &HmmSample) -> Result<(), Failure> {
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
        Format::Text => output::print(&csv_of(&stored.columns, &states, &values)?),
        Format::Json => run.print_json(Drawn { columns: stored.columns, states, values }),
    }
}

/// Rows as CSV, which `hmm fit` reads.
fn csv_of(columns: &[String], states: &[usize], values: &[Vec<Value>]) -> Result<String, Failure> {
    let wrong = |error: csv::Error| Failure::data(error.to_string());
    let mut csv = csv::Writer::from_writer(Vec::new());
    csv.write_record(std::iter::once("state").chain(columns.iter().map(String::as_str))).map_err(wrong)?;
    let cell = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    for (state, row) in states.iter().zip(values) {
        csv.write_record(std::iter::once(state.to_string()).chain(row.iter().map(cell))).map_err(wrong)?;
    }
    let bytes = csv.into_inner().map_err(|error| Failure::data(error.to_string()))?;
    String::from_utf8(bytes).map_err(|error| Failure::data(error.to_string()))
}
