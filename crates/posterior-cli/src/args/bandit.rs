//! The grammar of `posterior bandit`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{Common, TableArgs};

#[derive(Debug, Subcommand)]
pub(crate) enum BanditVerb {
    /// Which arm to play next, and why
    Advise(BanditAdvise),
    /// Simulate policies side by side: regret curves
    Simulate(BanditSimulate),
}

/// The policies, for both verbs.
const POLICIES: &str = "\
Policies: ucb1[:C], ucb1-tuned, ucb-v, kl-ucb, moss, bayes-ucb, thompson, ucb-sd:C (posterior mean plus C standard deviations),
ucb-sd-ln:C, gittins:DISCOUNT, epsilon-greedy:E, epsilon-decreasing:C:D, explore-then-commit:M, successive-elimination:DELTA,
exp3:GAMMA, exp3-ix:ETA, discounted-ucb:G, sliding-window-ucb:W. Priors are uniform.";

#[derive(Debug, Args)]
#[command(after_help = format!("\
Examples:
  posterior bandit advise plays.csv
  posterior bandit advise plays.csv --arm treatment --reward recovered --policy ucb1 --out out
  posterior bandit advise plays.csv --arms A,B,C --bounds 0:10 --format json

The table has one row per play, in order of time, with the arm and its reward. P(best) and the expected loss come from a Bernoulli
model where every reward is one of the two bounds, and else from a normal model with unknown means and variances.

{POLICIES}"))]
pub(crate) struct BanditAdvise {
    /// A table with a header and one row per play; also .gz; `-` is standard input
    #[arg(value_name = "HISTORY")]
    pub(crate) history: PathBuf,
    /// The column that names the arm [default: the first column]
    #[arg(long, value_name = "COLUMN")]
    pub(crate) arm: Option<String>,
    /// The column of the rewards [default: the last column]
    #[arg(long, value_name = "COLUMN")]
    pub(crate) reward: Option<String>,
    /// All arms, separated by commas, including arms that were never played; ties go to the first [default:
    /// the arms of the table, in order of number or name]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) arms: Vec<String>,
    /// The policy
    #[arg(long, value_name = "POLICY", default_value = "thompson")]
    pub(crate) policy: String,
    /// The smallest and the largest possible reward
    #[arg(long, value_name = "LOW:HIGH", default_value = "0:1", allow_hyphen_values = true)]
    pub(crate) bounds: String,
    /// Stopping is advised when the expected loss per play of a choice made now is at most this
    #[arg(long, value_name = "LOSS", default_value_t = 0.001, allow_negative_numbers = true)]
    pub(crate) threshold: f64,
    /// Folder for the report and a plot
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) table: TableArgs,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Args)]
#[command(after_help = format!("\
Examples:
  posterior bandit simulate --arms 0.9,0.6
  posterior bandit simulate --arms 0.9,0.8,0.5 --policy ucb1,kl-ucb,thompson \\
    --horizon 10000 --runs 500 --out out

Rewards are 1 with the probability of the arm, else 0. All policies meet the same random rewards.

{POLICIES}"))]
pub(crate) struct BanditSimulate {
    /// The success probability of each arm, separated by commas
    #[arg(long, value_name = "P,..", value_delimiter = ',', required = true)]
    pub(crate) arms: Vec<f64>,
    /// The policies, separated by commas; may be repeated
    #[arg(
        long,
        value_name = "POLICY,..",
        value_delimiter = ',',
        default_value = "ucb1,kl-ucb,thompson,ucb-sd:1"
    )]
    pub(crate) policy: Vec<String>,
    /// Number of plays in each game
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pub(crate) horizon: u64,
    /// Number of games for each policy
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(crate) runs: u64,
    /// Folder for the report, plots and the curves as CSV
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) common: Common,
}
