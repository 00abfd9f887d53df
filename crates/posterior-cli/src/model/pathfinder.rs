//! `posterior model pathfinder`.

use crate::output::significant;
use posterior::sampling::variational::{PathReport, Pathfinder};
use serde::Serialize;

use super::approximation;
use super::input::Input;
use super::quantities::constrained;
use crate::args::ModelPathfinder;
use crate::failure::{Failure, refused};
use crate::json::Number;
use crate::run::Run;

const FILE: &str = "pathfinder.csv";

#[derive(Serialize)]
struct Paths {
    paths: Vec<Path>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Path {
    Found { steps: usize, gradients: usize, stop: String, best: usize, elbo: Number, elbo_se: Number },
    Nothing { error: String },
}

/// Runs the verb.
pub(crate) fn run(args: &ModelPathfinder) -> Result<(), Failure> {
    let common = &args.input.common;
    let mut run = Run::start(common)?;
    let input = Input::read(&args.input, &run)?;
    let posterior = &input.posterior;
    run.claim(args.input.out.as_deref(), &[FILE])?;
    let paths = usize::from(args.num_paths);
    let pathfinder = Pathfinder {
        paths,
        path_draws: args.num_draws as usize,
        elbo_draws: args.num_elbo_draws as usize,
        draws: args.num_psis_draws as usize,
        memory: usize::from(args.history_size),
        max_iterations: args.max_lbfgs_iters as usize,
        ..Pathfinder::default()
    };
    input.check_memory(&args.input, paths * pathfinder.path_draws + pathfinder.draws, 3)?;
    let start = input.start(&args.start.init, paths, common.seed)?;
    let fit = run.during("paths", || pathfinder.fit(posterior, &start, common.seed)).map_err(refused)?;
    let draws = run.during("generated quantities", || constrained(posterior, &fit.draws, common.seed, 0))?;
    let level = args.level.level;
    let mut summary = draws.summary_of_level(level.probability()).map_err(refused)?;
    approximation::without_chains(&mut summary);
    run.write(FILE, |folder| {
        folder.put(FILE, |out| draws.cmdstan(0).method("pathfinder").write(out))?;
        input.put_levels(folder)
    })?;
    let all: Vec<Path> = fit.paths.iter().map(path).collect();
    let lines: String = all.iter().enumerate().map(|(number, path)| line(number + 1, path)).collect();
    run.print(
        || approximation::output(&summary, level, &fit.smoothed, Paths { paths: all }),
        || lines + &approximation::text(&summary, &fit.smoothed),
    )
}

fn path(path: &Result<PathReport, posterior::sampling::Error>) -> Path {
    match path {
        Ok(own) => Path::Found {
            steps: own.steps,
            gradients: own.gradients,
            stop: format!("{:?}", own.stop),
            best: own.best,
            elbo: Number(own.elbo.value),
            elbo_se: Number(own.elbo.standard_error),
        },
        Err(error) => Path::Nothing { error: error.to_string() },
    }
}

fn line(number: usize, path: &Path) -> String {
    match path {
        Path::Found { steps, gradients, best, elbo, .. } => format!(
            "path {number}: step {best} of {steps} is best, bound {}, {gradients} gradients\n",
            significant(elbo.0)
        ),
        Path::Nothing { error } => format!("path {number}: nothing was found: {error}\n"),
    }
}
