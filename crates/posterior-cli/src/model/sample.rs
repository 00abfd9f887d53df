//! `posterior model sample`.

use posterior::sampling::hamiltonian::Nuts;
use posterior::sampling::{Draws, Run as Chains};

use super::input::Input;
use super::quantities::constrained;
use crate::args::ModelSample;
use crate::failure::{Failure, refused};
use crate::mcmc::diagnose;
use crate::run::Run;

/// What the sampler says of each step.
pub(super) const STATISTICS: usize = 12;

/// Runs the verb.
pub(crate) fn run(args: &ModelSample) -> Result<(), Failure> {
    let common = &args.input.common;
    let mut run = Run::start(common)?;
    let input = Input::read(&args.input, &run)?;
    let posterior = &input.posterior;
    let chains = usize::from(args.chains.num_chains);
    let files: Vec<String> = (1..=chains).map(|chain| format!("chain_{chain}.csv")).collect();
    run.claim(args.input.out.as_deref(), &files.iter().map(String::as_str).collect::<Vec<_>>())?;
    let thin = args.thin as usize;
    let options = Chains {
        chains,
        warm_up: args.chains.num_warmup as usize,
        draws: (args.chains.num_samples as usize).div_ceil(thin),
        thin,
        seed: common.seed,
        keep_warm_up: args.save_warmup,
    };
    let steps = if args.save_warmup { options.warm_up / thin } else { 0 };
    input.check_memory(&args.input, chains * (options.draws + steps), STATISTICS)?;
    let start = input.start(&args.start.init, chains, common.seed)?;
    let max_depth = usize::from(args.max_depth);
    let nuts = Nuts { target_accept: args.chains.adapt_delta, max_depth, ..Nuts::default() };
    let sampled = run.during("sampling", || options.sample(posterior, &nuts, &start)).map_err(refused)?;
    let quantities = |free: &Draws, before| constrained(posterior, free, common.seed, before);
    let draws = run.during("generated quantities", || quantities(&sampled.draws, 0))?;
    let early = sampled.warm_up.as_ref().map(|steps| quantities(steps, chains * options.draws));
    let warm_up = early.transpose()?;
    let level = args.level.level;
    let summary =
        run.during("summing up", || draws.summary_of_level(level.probability())).map_err(refused)?;
    run.write("chain_1.csv", |folder| {
        for (chain, name) in files.iter().enumerate() {
            let file = draws.cmdstan(chain);
            let step_size = sampled.chains[chain].tuned.step_size();
            let file = warm_up.as_ref().map_or(file, |steps| file.warm_up(steps, step_size));
            folder.put(name, |out| file.write(out))?;
        }
        input.put_levels(folder)
    })?;
    run.print(|| diagnose::output(&summary, level), || diagnose::text(&summary))
}
