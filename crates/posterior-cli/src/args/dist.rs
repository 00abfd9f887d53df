//! The grammar of `posterior dist`.

use clap::{Args, Subcommand};

use super::{Common, Listing};

#[derive(Debug, Subcommand)]
pub(crate) enum DistVerb {
    /// Show a distribution: density, tails, quantiles, moments, draws, and its update by data as a prior
    Show(DistShow),
    /// List every distribution with its parameters and support, and the conjugate pairs
    #[command(after_help = "Example:\n  posterior dist list --format json")]
    List(Listing),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior dist show \"gamma(2, 3)\" --at 0.5,1 --quantile 0.05,0.95
  posterior dist show \"student_t(nu = 4, mu = 0, sigma = 1)\" --sample 5 --seed 7
  posterior dist show \"beta(1, 1)\" --observe 1,1,0,1
  posterior dist show \"normal(0, 2)\" --observe 3 --likelihood \"normal(sd = 1)\"
  posterior dist show \"dirichlet([1, 2, 3])\" --at \"[0.2, 0.3, 0.5]\" --observe 0,2,0")]
pub(crate) struct DistShow {
    /// The distribution: a name and its parameters, by place or by name (`posterior dist list` shows all)
    pub(crate) distribution: String,
    /// Points at which density and tails are evaluated; for a distribution of vectors, lists: "[0.2, 0.8]"
    #[arg(long, value_name = "X,..", allow_hyphen_values = true)]
    pub(crate) at: Option<String>,
    /// Probabilities of the quantiles
    #[arg(long, value_name = "P,..", allow_hyphen_values = true)]
    pub(crate) quantile: Option<String>,
    /// Number of draws
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) sample: Option<u32>,
    /// Observations that update the distribution, taken as a prior
    #[arg(long, value_name = "X,..", allow_hyphen_values = true)]
    pub(crate) observe: Option<String>,
    /// The distribution of the observations, with its known parameters [default: the first pair of the prior
    /// in `posterior dist list`]
    #[arg(long, value_name = "DISTRIBUTION", requires = "observe")]
    pub(crate) likelihood: Option<String>,
    #[command(flatten)]
    pub(crate) common: Common,
}
