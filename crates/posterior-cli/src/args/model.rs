//! The grammar of `posterior model`.

mod write;

pub(crate) use write::ModelWrite;

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use serde::Serialize;

use super::validation::proportion;
use super::{Common, Format, LevelArgs, McmcCompare, TableArgs};

#[derive(Debug, Subcommand)]
pub(crate) enum ModelVerb {
    /// Find what is wrong with a program: all errors at once, each with its place
    Check(ModelCheck),
    /// Say what a program's density is made of: priors, distributions given the others, mixtures, funnels
    Explain(ModelExplain),
    /// Print a program in one form, with its comments
    Fmt(ModelFmt),
    /// Write a regression by a formula as a program in Stan's language, and its data
    Write(Box<ModelWrite>),
    /// Draw from the posterior of a program with its data, by the No-U-Turn sampler
    Sample(ModelSample),
    /// Find the mode of the posterior of a program, and standard errors
    Optimize(ModelOptimize),
    /// Draw from a Gaussian at the mode, weighted, and judge it
    Laplace(ModelLaplace),
    /// Draw from Gaussians along climbs to the mode, weighted, and judge them
    Pathfinder(ModelPathfinder),
    /// Draw from the Gaussian that is closest to the posterior, weighted, and judge it
    Variational(ModelVariational),
    /// Compute generated quantities of the draws of another run
    Generate(ModelGenerate),
    /// Climb from the mode over Gaussians to Markov chains, and say which is enough
    Ladder(ModelLadder),
    /// Check program and sampler on data that the program simulates: simulation-based calibration
    Calibrate(ModelCalibrate),
    /// Programs by how well they predict what they have not seen, of the draws of their runs
    #[command(after_help = "\
Examples:
  posterior model compare runs/pooled runs/apart
  posterior model compare runs/pooled runs/apart --format json

A model is the folder of a run, of `posterior model sample --out` or `posterior model generate --out`, or a file of draws. The programs generate log_lik, ln p of
each observation, the same observations in the same order. This is `posterior mcmc compare` for them: leave-one-out cross-validation by Pareto-smoothed
importance sampling, and weights by stacking.")]
    Compare(McmcCompare),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior model check schools.stan
  posterior model check old.stan --current
  posterior model check schools.stan --format json

A program in Stan's modelling language. Its parameters, data and quantities are listed with their types, and what may be meant otherwise is said; nothing is
run. Files of #include are looked for beside the program.")]
pub(crate) struct ModelCheck {
    /// The program; `-` is standard input
    #[arg(value_name = "PROGRAM")]
    pub(crate) program: PathBuf,
    /// Old syntax, such as <- and int x[N], is an error, as for Stan's compiler since version 2.33
    #[arg(long)]
    pub(crate) current: bool,
    /// What is printed
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior model fmt schools.stan
  posterior model fmt schools.stan --write

Old syntax is written as it is today. A program that includes files is refused.")]
pub(crate) struct ModelFmt {
    /// The program; `-` is standard input
    #[arg(value_name = "PROGRAM")]
    pub(crate) program: PathBuf,
    /// Put the printed form in the place of the file
    #[arg(long)]
    pub(crate) write: bool,
}

/// A program and its data.
#[derive(Debug, Args)]
pub(crate) struct ModelData {
    /// The program; `-` is standard input
    #[arg(value_name = "PROGRAM")]
    pub(crate) program: PathBuf,
    /// The data: JSON; a dump of R (.R, .rdump); or a table (.csv, .tsv), each column an array by its name,
    /// and N the number of rows; also .gz [default: none, for a program without data]
    #[arg(long, value_name = "DATA")]
    pub(crate) data: Option<PathBuf>,
    /// More data: a variable and its value as JSON, such as K=3 or prior=[0,2.5]; again for more
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,
    #[command(flatten)]
    pub(crate) table: TableArgs,
}

/// A program, its data, and where the answer is written.
#[derive(Debug, Args)]
pub(crate) struct ModelInput {
    #[command(flatten)]
    pub(crate) given: ModelData,
    /// Folder for the files of the answer
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior model explain schools.stan
  posterior model explain schools.stan --data schools.json
  posterior model explain means.stan --data scores.csv --set prior_sd=10 --format json

The program is read, not run. For each parameter: its type, the statements that are its prior, whether it has none, what else depends on it, and its distribution
given all others where that is known: Gaussian, if each statement is normal with a mean affine in it and a scale free of it, or that of a conjugate pair. Parameters
that are Gaussian together, mixtures that are summed out by hand, centred parameterisations that make funnels, and old syntax are listed. With data: sizes, too.
Variables are taken as a whole, and what is claimed holds for all data; what is not claimed may hold nevertheless.")]
pub(crate) struct ModelExplain {
    #[command(flatten)]
    pub(crate) given: ModelData,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// Where the work starts.
#[derive(Debug, Args)]
pub(crate) struct StartArgs {
    /// Where chains and searches start: a number r for unconstrained coordinates uniform in [-r, r], or a
    /// file of JSON with values of parameters by name, the others uniform in [-2, 2]
    #[arg(long, value_name = "R|FILE", default_value = "2", allow_negative_numbers = true)]
    pub(crate) init: String,
}

/// How long chains are.
#[derive(Debug, Args)]
pub(crate) struct ChainArgs {
    /// Draws of each chain after the warm-up
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) num_samples: u32,
    /// Steps of each chain in which step size and metric are tuned
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(crate) num_warmup: u32,
    /// Chains
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) num_chains: u16,
    /// The acceptance rate that the step size is tuned for: nearer to 1 where divergences are reported
    #[arg(long, value_name = "RATE", default_value_t = 0.8, value_parser = proportion)]
    pub(crate) adapt_delta: f64,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior model sample schools.stan --data schools.json
  posterior model sample schools.stan --data schools.json --adapt-delta 0.95 --out draws
  posterior model sample means.stan --data scores.csv --set prior_sd=10
  posterior model sample schools.stan --data schools.json --init 0.1 --save-warmup --out draws
  posterior model sample schools.stan --data schools.json --evidence
  posterior model sample schools.stan --data schools.json --marginalize auto
  posterior model sample schools.stan --data schools.json --metric dense
  posterior model sample schools.stan --data schools.json --checkpoint chains.ckpt --out draws

Data are one JSON object with a member for each variable of the data block, as for CmdStan; what `dump` of R writes; or a table, whose columns that the data
block has are arrays, words in them integers from 1, and N is the number of rows. The printed table has parameters, transformed parameters and generated
quantities. With --out, each chain is a file chain_1.csv, chain_2.csv, ... as CmdStan writes it, and report.html has the figures, the chains of the parameters that mix
worst, these against each other with the divergences, and where the program generates y_rep and log_lik, replicated beside observed data and leave-one-out
cross-validation; `posterior mcmc convert` makes files of ArviZ. An interrupted run with --checkpoint goes on with --resume, to the same draws.
`posterior model explain` says what --marginalize auto can integrate out. lp__ is then the density of what is left.
The evidences of two programs for the same data, both with all their priors, compare the programs: their difference is the logarithm of the Bayes factor. All
constants count, those of `~` as well.")]
pub(crate) struct ModelSample {
    #[command(flatten)]
    pub(crate) input: ModelInput,
    #[command(flatten)]
    pub(crate) chains: ChainArgs,
    /// The most doublings of a trajectory
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u8).range(1..=30))]
    pub(crate) max_depth: u8,
    /// What the momentum is scaled by, tuned in the warm-up
    #[arg(long, value_enum, default_value_t = SamplerMetric::Diag)]
    pub(crate) metric: SamplerMetric,
    /// One of so many draws is kept
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) thin: u32,
    /// The steps of the warm-up are in the files, too
    #[arg(long)]
    pub(crate) save_warmup: bool,
    /// ln of the evidence, too: the integral of likelihood times prior, by a bridge from the draws to a
    /// normal distribution
    #[arg(long)]
    pub(crate) evidence: bool,
    /// What is integrated out and drawn given the rest: chains have fewer dimensions then, and no funnel
    #[arg(long, value_enum, default_value_t = Marginalize::None)]
    pub(crate) marginalize: Marginalize,
    #[command(flatten)]
    pub(crate) saving: SavingArgs,
    #[command(flatten)]
    pub(crate) start: StartArgs,
    #[command(flatten)]
    pub(crate) level: LevelArgs,
}

/// Chains that are saved, and go on.
#[derive(Debug, Args)]
pub(crate) struct SavingArgs {
    /// File to which the chains are written at intervals, and on interruption
    #[arg(long, value_name = "FILE")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// Minimum time between two checkpoints
    #[arg(long, value_name = "SECONDS", default_value_t = 30, requires = "checkpoint")]
    pub(crate) checkpoint_every: u32,
    /// Continue from a checkpoint of the same command: the draws are the same as without an interruption
    #[arg(long, value_name = "FILE")]
    pub(crate) resume: Option<PathBuf>,
}

/// What the momentum of a trajectory is scaled by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum SamplerMetric {
    /// Nothing: coordinates have one scale
    #[value(alias = "unit_e")]
    Unit,
    /// A variance for each coordinate
    #[value(alias = "diag_e")]
    Diag,
    /// All covariances: for up to some hundred coordinates that are strongly correlated
    #[value(alias = "dense_e")]
    Dense,
    /// A variance for each coordinate, and the few directions whose variance differs from that by more than a
    /// factor of two
    LowRank,
}

/// Parameters that are integrated out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Marginalize {
    /// Nothing
    None,
    /// Exactly, parameters that are normal given the others and the data, where there are some
    Auto,
    /// By Laplace's method, parameters whose prior is normal given the others, whatever the likelihood; k-hat
    /// says whether that can be used
    Laplace,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior model optimize schools.stan --data schools.json
  posterior model optimize schools.stan --data schools.json --jacobian --standard-errors --out mode

Without --jacobian, the density of the parameters as they are declared is maximal: the posterior mode, or the maximum of the likelihood where there is no
prior. With it, that of the unconstrained coordinates, where --standard-errors and `posterior model laplace` are the better approximations.")]
pub(crate) struct ModelOptimize {
    #[command(flatten)]
    pub(crate) input: ModelInput,
    /// The density of the unconstrained coordinates is maximal, with the Jacobian of the constraints
    #[arg(long)]
    pub(crate) jacobian: bool,
    /// Standard errors of parameters and transformed parameters, from the second derivatives at the mode
    #[arg(long)]
    pub(crate) standard_errors: bool,
    /// The most steps of L-BFGS
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) iter: u32,
    /// Steps that L-BFGS remembers
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) history_size: u16,
    #[command(flatten)]
    pub(crate) start: StartArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior model laplace schools.stan --data schools.json
  posterior model laplace schools.stan --data schools.json --num-draws 4000 --out draws

A Gaussian at the mode of the unconstrained coordinates: four times as many of its draws are weighted by the posterior, and drawn again. k-hat says whether
they can be used: whether the posterior has the tails of this Gaussian. It cannot see what no draw has reached: `posterior model ladder` looks whether chains
do. With --out, the draws are laplace.csv with the columns of CmdStan.")]
pub(crate) struct ModelLaplace {
    #[command(flatten)]
    pub(crate) input: ModelInput,
    /// Draws that are taken of the weighted ones
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(10..))]
    pub(crate) num_draws: u32,
    #[command(flatten)]
    pub(crate) start: StartArgs,
    #[command(flatten)]
    pub(crate) level: LevelArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior model pathfinder schools.stan --data schools.json
  posterior model pathfinder schools.stan --data schools.json --num-paths 8 --out draws

Along several climbs to a mode the Gaussian with the highest bound is kept; draws of all are weighted by the posterior, and drawn again: a first answer for
the price of a few hundred gradients. k-hat says whether it can be used, but cannot see what no draw has reached: `posterior model ladder` looks whether
chains do. With --out, the draws are pathfinder.csv as CmdStan writes it.")]
pub(crate) struct ModelPathfinder {
    #[command(flatten)]
    pub(crate) input: ModelInput,
    /// Paths, each from a start of its own
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) num_paths: u16,
    /// Draws of each path that are weighted
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(10..))]
    pub(crate) num_draws: u32,
    /// Draws that are taken of the weighted ones
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(10..))]
    pub(crate) num_psis_draws: u32,
    /// Draws for the bound of each step
    #[arg(long, value_name = "N", default_value_t = 25, value_parser = clap::value_parser!(u32).range(2..))]
    pub(crate) num_elbo_draws: u32,
    /// Steps that an inverse Hessian is made of
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) history_size: u16,
    /// The most steps of a path
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_lbfgs_iters: u32,
    #[command(flatten)]
    pub(crate) start: StartArgs,
    #[command(flatten)]
    pub(crate) level: LevelArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior model variational schools.stan --data schools.json
  posterior model variational schools.stan --data schools.json --algorithm fullrank --out draws

The Gaussian q of the unconstrained coordinates with the least KL(q | posterior) is found by natural gradients (ADVI). Four times as many of its draws are
weighted by the posterior, and drawn again. k-hat says whether they can be used; a Gaussian without correlations is too narrow as a rule, and `posterior model
ladder` looks whether chains reach more. The bound is below ln of the evidence. With --out, the draws are variational.csv with the columns of CmdStan.")]
pub(crate) struct ModelVariational {
    #[command(flatten)]
    pub(crate) input: ModelInput,
    /// Which Gaussians
    #[arg(long, value_enum, default_value_t = VariationalAlgorithm::Meanfield)]
    pub(crate) algorithm: VariationalAlgorithm,
    /// The most steps
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) iter: u32,
    /// Gradients of a step; as they come in pairs, an odd number is the next even one
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(2..))]
    pub(crate) grad_samples: u32,
    /// Draws for the bound of the answer
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(100..))]
    pub(crate) elbo_samples: u32,
    /// The search has ended when steps of half the length change means and deviations by less, in standard
    /// deviations
    #[arg(long, value_name = "SD", default_value_t = 0.02, value_parser = clap::value_parser!(f64))]
    pub(crate) tolerance: f64,
    /// Draws that are taken of the weighted ones
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(10..))]
    pub(crate) output_samples: u32,
    #[command(flatten)]
    pub(crate) start: StartArgs,
    #[command(flatten)]
    pub(crate) level: LevelArgs,
}

/// Which Gaussians a variational fit looks among.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum VariationalAlgorithm {
    /// Without correlations
    Meanfield,
    /// All
    Fullrank,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior model generate predict.stan --data schools.json --fitted-params draws
  posterior model generate predict.stan --data schools.json --fitted-params draws --out more

The block of generated quantities is run for each draw of another run: of files as CmdStan writes them, or of the folder of a run with --out. The program
may be another one, whose parameters are among the columns of the draws. With --out, each chain is a file chain_1.csv, chain_2.csv, ...")]
pub(crate) struct ModelGenerate {
    #[command(flatten)]
    pub(crate) input: ModelInput,
    /// Draws: files of CmdStan, tables of `posterior mcmc convert`, or one folder of them
    #[arg(long, value_name = "DRAWS", required = true, num_args = 1..)]
    pub(crate) fitted_params: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) level: LevelArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior model ladder schools.stan --data schools.json
  posterior model ladder schools.stan --data schools.json --out ladder --format json

The mode, the Gaussian there (laplace), the best Gaussians along climbs (pathfinder), chains of what is left where parameters with normal priors are integrated
out (nested laplace) and Markov chains of all (nuts): what each costs in gradients, its k-hat, how far its means are from those of the chains, and whether it
can be used: k-hat must be small, and the means near. With --out, means and standard deviations of all are ladder.csv.")]
pub(crate) struct ModelLadder {
    #[command(flatten)]
    pub(crate) input: ModelInput,
    /// Draws of laplace and of pathfinder, and of each path
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(10..))]
    pub(crate) num_draws: u32,
    #[command(flatten)]
    pub(crate) chains: ChainArgs,
    #[command(flatten)]
    pub(crate) start: StartArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior model calibrate calibrated.stan --set N=10
  posterior model calibrate calibrated.stan --set N=10 --simulations 500 --out out

The program draws its parameters from the prior, and its data from these, in the block of transformed data, by functions as normal_rng; its parameters block and
model are fitted to them; and its generated quantities compare: an array of integers lt_sim, 1 where the parameter is smaller than the simulated one (as in
Stan's guide), or ranks_, 1 where it is larger (as for sbc of rstan). Over many simulations, the ranks of the simulated parameters among the draws are uniform if
both are one model and the sampler is right. With --out: report.html with histograms and bands of the ranks, and ranks.csv.")]
pub(crate) struct ModelCalibrate {
    #[command(flatten)]
    pub(crate) input: ModelInput,
    /// Simulations: with n, errors are seen that move the distribution of the ranks by 2 / sqrt(n)
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(20..))]
    pub(crate) simulations: u32,
    /// Draws of each posterior, nearly independent, among which the simulated parameter has its rank
    #[arg(long, value_name = "N", default_value_t = 99, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) num_draws: u32,
    /// Draws of each chain after the warm-up; it is made longer, up to 32 times, where they are too
    /// dependent, and simulations in which they still are, are counted
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) num_samples: u32,
    /// Steps of each chain in which step size and metric are tuned
    #[arg(long, value_name = "N", default_value_t = 500)]
    pub(crate) num_warmup: u32,
    /// The acceptance rate that the step size is tuned for: nearer to 1 where divergences are reported
    #[arg(long, value_name = "RATE", default_value_t = 0.8, value_parser = proportion)]
    pub(crate) adapt_delta: f64,
}
