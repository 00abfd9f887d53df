//! `posterior model generate`.

use posterior::sampling::Draws;
use posterior::table::{MemoryLimit, listed};

use super::input::Input;
use super::quantities::{bracketed, mapped};
use crate::args::ModelGenerate;
use crate::failure::{Failure, refused};
use crate::mcmc::diagnose;
use crate::mcmc::draws_input::Input as Chains;
use crate::run::Run;

/// Runs the verb.
pub(crate) fn run(args: &ModelGenerate) -> Result<(), Failure> {
    let common = &args.input.common;
    let mut run = Run::start(common)?;
    let input = Input::read(&args.input, &run)?;
    let posterior = &input.posterior;
    let program = args.input.given.program.display();
    let names = posterior.generated_names().map_err(refused)?;
    if names.is_empty() {
        return Err(Failure::data(format!("{program}: the program generates no quantities")));
    }
    let memory = MemoryLimit::new(args.input.given.table.memory);
    let read = match args.fitted_params.as_slice() {
        [one] => Chains::of_model(one, memory)?,
        many => Chains::read(many, memory)?,
    };
    let parameters = columns(&posterior.names(false, false).map_err(refused)?, &read)?;
    let files: Vec<String> = (1..=read.draws.chains()).map(|chain| format!("chain_{chain}.csv")).collect();
    run.claim(args.input.out.as_deref(), &files.iter().map(String::as_str).collect::<Vec<_>>())?;
    input.check_memory(&args.input, read.draws.chains() * read.draws.len(), 0)?;
    let values = |x: &[f64], number| {
        let own: Vec<f64> = parameters.iter().map(|&at| x[at]).collect();
        posterior.generate(&own, (common.seed, number))
    };
    let draws: Draws = run.during("generated quantities", || mapped(&read.draws, &names, 0, values))?;
    let level = args.level.level;
    let summary = draws.summary_of_level(level.probability()).map_err(refused)?;
    run.write("chain_1.csv", |folder| {
        for (chain, name) in files.iter().enumerate() {
            folder.put(name, |out| draws.cmdstan(chain).method("generate_quantities").write(out))?;
        }
        input.put_levels(folder)
    })?;
    run.print(|| diagnose::output(&summary, level), || diagnose::text(&summary))
}

/// The columns of the parameters, in the order of the program.
fn columns(names: &[String], read: &Chains) -> Result<Vec<usize>, Failure> {
    let (mut found, mut missing) = (vec![], vec![]);
    for name in names.iter().map(|name| bracketed(name)) {
        match read.draws.names().iter().position(|own| *own == name) {
            Some(at) => found.push(at),
            None => missing.push(name),
        }
    }
    if missing.is_empty() {
        return Ok(found);
    }
    let message = format!("{}: no column for the parameters {}", read.source, listed(&missing));
    Err(Failure::data(message).with_hint("the draws must be of the parameters of this program"))
}
