//! `posterior model sample`.

use posterior::dist::target::Target as _;
use posterior::model::{StanModel, StanPosterior};
use posterior::sampling::hamiltonian::Nuts;
use posterior::sampling::{Draws, Run as Chains, Start};
use posterior::stan::{Dialect, Program};
use posterior::table::{MemoryLimit, read_text};

use serde::de::IgnoredAny;

use crate::args::ModelSample;
use crate::failure::{Failure, refused};
use crate::mcmc::diagnose;
use crate::run::Run;

/// What the sampler says of each step.
const STATISTICS: usize = 12;

/// Runs the verb.
pub(crate) fn run(args: &ModelSample) -> Result<(), Failure> {
    let mut run = Run::start(&args.common)?;
    let posterior = posterior(args)?;
    let chains = usize::from(args.num_chains);
    let files: Vec<String> = (1..=chains).map(|chain| format!("chain_{chain}.csv")).collect();
    run.claim(args.out.as_deref(), &files.iter().map(String::as_str).collect::<Vec<_>>())?;
    let thin = args.thin as usize;
    let options = Chains {
        chains,
        warm_up: args.num_warmup as usize,
        draws: (args.num_samples as usize).div_ceil(thin),
        thin,
        seed: args.common.seed,
    };
    let quantities = posterior.dim() + 2 * posterior.names(true, true).map_err(refused)?.len() + STATISTICS;
    MemoryLimit::new(args.memory).check(
        &format!("{}: the draws take", args.program.display()),
        (chains * options.draws) as u64 * 8 * quantities as u64,
        "take fewer draws or chains",
    )?;
    let max_depth = usize::from(args.max_depth);
    let nuts = Nuts { target_accept: args.adapt_delta, max_depth, ..Nuts::default() };
    let sampled = run.during("sampling", || options.sample(&posterior, &nuts, &Start::default()));
    let free = sampled.map_err(refused)?.draws;
    let draws = run.during("generated quantities", || constrained(&posterior, &free, args.common.seed))?;
    let level = args.level.level;
    let summary =
        run.during("summing up", || draws.summary_of_level(level.probability())).map_err(refused)?;
    run.write("chain_1.csv", |folder| {
        for (chain, name) in files.iter().enumerate() {
            folder.put(name, |out| draws.write_cmdstan(chain, out))?;
        }
        Ok(())
    })?;
    run.print(|| diagnose::output(&summary, level), || diagnose::text(&summary))
}

fn posterior(args: &ModelSample) -> Result<StanPosterior, Failure> {
    let (name, text) = read_text(&args.program)?;
    let folder = args.program.parent().map(std::path::Path::to_owned).unwrap_or_default();
    let find = |included: &str| std::fs::read_to_string(folder.join(included)).ok();
    let typed = Program::parse_with(&name, &text, Dialect::Any, find)
        .and_then(|program| program.check())
        .map_err(|findings| super::failure(&findings))?;
    let data = match &args.data {
        Some(path) => {
            let (source, data) = read_text(path)?;
            serde_json::from_str::<IgnoredAny>(&data)
                .map_err(|error| Failure::data(format!("{source}: expected one object of JSON: {error}")))?;
            data
        }
        None => String::new(),
    };
    let model = StanModel::new(&typed);
    model
        .with_data_and_seed(&data, args.common.seed)
        .map_err(|error| Failure::data(format!("{name}: {error}")))
}

/// Draws of all quantities, by the names of the program: `theta[2]`.
fn constrained(posterior: &StanPosterior, free: &Draws, seed: u64) -> Result<Draws, Failure> {
    let names = posterior.names(true, true).map_err(refused)?;
    let mut place = 0;
    let mut fault = None;
    let draws = free.map(names.iter().map(|name| bracketed(name)), |x, row| {
        place += 1;
        match posterior.values(x, true, Some((seed, place))) {
            Ok(values) => row.copy_from_slice(&values),
            Err(error) => {
                row.fill(f64::NAN);
                fault.get_or_insert(error);
            }
        }
    });
    match fault {
        Some(error) => Err(refused(error)),
        None => draws.map_err(refused),
    }
}

/// `Sigma.1.2` as `Sigma[1,2]`.
fn bracketed(name: &str) -> String {
    match name.split_once('.') {
        Some((stem, indices)) => format!("{stem}[{}]", indices.replace('.', ",")),
        None => name.to_owned(),
    }
}
