//! `posterior mcmc convert`.

use posterior::model::StanData;
use posterior::table::{MemoryLimit, read_text};

use super::draws_input::Input;
use crate::args::McmcConvert;
use crate::atomic_file;
use crate::failure::Failure;
use crate::output_folder::never_an_input;

/// The data of the program, if they are named.
fn data(args: &McmcConvert) -> Result<StanData, Failure> {
    let Some(path) = &args.data else { return Ok(StanData::default()) };
    let (source, text) = read_text(path)?;
    StanData::from_json(&text).map_err(|error| Failure::data(format!("{source}: {error}")))
}

/// Runs the verb.
pub(crate) fn run(args: &McmcConvert) -> Result<(), Failure> {
    never_an_input(&args.to, &["to"])?;
    let ending = args.to.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    if !matches!(ending.as_str(), "nc" | "json" | "csv") {
        let message = format!("{}: no format ends like this: expected .nc, .json or .csv", args.to.display());
        return Err(Failure::Usage(message));
    }
    let has_groups = args.data.is_some() || args.ln_likelihood.is_some() || !args.predictive.is_empty();
    if ending == "csv" && has_groups {
        let message = "--ln-likelihood, --predictive and --data name groups of ArviZ: a table has none";
        return Err(Failure::Usage(message.to_owned()));
    }
    let Input { draws, source } = Input::read(&args.files, MemoryLimit::new(args.memory))?;
    let is_there = |name: &str| draws.names().iter().any(|own| own.split('[').next() == Some(name));
    let mut groups = draws.arviz();
    let ln_likelihood = args.ln_likelihood.as_deref().or_else(|| is_there("log_lik").then_some("log_lik"));
    let predictive = match args.predictive.as_slice() {
        [] if is_there("y_rep") => vec!["y_rep"],
        named => named.iter().map(String::as_str).collect(),
    };
    for name in ln_likelihood.iter().chain(&predictive) {
        if !is_there(name) {
            return Err(Failure::data(format!("{source}: no array {name:?}")));
        }
    }
    if let Some(name) = ln_likelihood {
        groups = groups.ln_likelihood(name);
    }
    for name in predictive {
        groups = groups.predictive(name);
    }
    let data = data(args)?;
    let lists = data.names().filter(|name| is_there(&format!("{name}_rep")));
    let observed: Vec<_> = lists.filter_map(|name| Some((name, data.numbers(name)?))).collect();
    if let (Some(path), true) = (&args.data, observed.is_empty()) {
        let message = format!("{}: no list NAME of which {source} has draws NAME_rep", path.display());
        return Err(Failure::data(message));
    }
    for (name, values) in observed {
        groups = groups.observed(name, &values);
    }
    atomic_file::write(&args.to, |out| match ending.as_str() {
        "nc" => groups.write_netcdf(out),
        "json" => groups.write_json(out),
        _ => draws.write_csv(out),
    })
}
