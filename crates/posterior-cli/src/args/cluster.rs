//! The grammar of `posterior cluster`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, Subcommand, ValueEnum};

use super::{Common, MissingCellsArgs, NewRowsArgs, TableArgs};

#[derive(Debug, Subcommand)]
pub(crate) enum ClusterVerb {
    /// Find groups of rows by k-means, Gaussian mixtures, or mixtures with an unknown number of components
    Fit(Box<ClusterFit>),
    /// Assign new rows to the groups of a fit
    Assign(Box<ClusterAssign>),
}

/// How groups are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ClusterMethod {
    /// k-means
    Kmeans,
    /// A Gaussian mixture by maximum likelihood (EM)
    Gmm,
    /// A Gaussian mixture at the most probable parameters under a weak prior
    MapGmm,
    /// A Gaussian mixture by variational Bayes: components that the data do not need stay empty
    VbGmm,
    /// A Gaussian mixture by Gibbs sampling
    GibbsGmm,
    /// A Dirichlet-process mixture by Gibbs sampling: the number of components is inferred
    Dp,
}

/// The shape of the components.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CovarianceShape {
    /// A full covariance matrix for each component
    Full,
    /// One full covariance matrix for all components
    Tied,
    /// A diagonal covariance matrix for each component
    #[value(alias = "diagonal")]
    Diag,
    /// One variance for each component
    Spherical,
}

/// One number of components, or a range of which the best is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) least: usize,
    pub(crate) most: usize,
}

impl FromStr for Counts {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (least, most) = text.split_once(':').unwrap_or((text, text));
        match (least.parse(), most.parse()) {
            (Ok(least), Ok(most)) if (1..=most).contains(&least) && most <= 1000 => Ok(Self { least, most }),
            _ => Err("expected a number from 1 to 1000, or a range such as 1:8".to_owned()),
        }
    }
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior cluster fit
  posterior cluster fit --k 1:6 --out out
  posterior cluster fit iris.csv --label species --method gmm --k 3 --covariance tied --out out
  posterior cluster fit wine.csv --label target --scale --method vb-gmm --k 10
  posterior cluster fit wine.csv --label target --scale --method map-gmm --covariance diag
  posterior cluster fit galaxies.csv --method dp --iterations 2000 --format json")]
pub(crate) struct ClusterFit {
    /// A table with a header; also .gz; `-` is standard input
    /// [default: the embedded eruptions of Old Faithful]
    #[arg(value_name = "DATA")]
    pub(crate) data: Option<PathBuf>,
    /// The columns to use, separated by commas [default: all numeric columns except --label]
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub(crate) x: Vec<String>,
    /// A column with known groups: not used by the fit, and compared with its groups
    #[arg(long, value_name = "COLUMN")]
    pub(crate) label: Option<String>,
    /// The method
    #[arg(long, value_enum, default_value = "gmm")]
    pub(crate) method: ClusterMethod,
    /// Number of components, or a range A:B from which the best is chosen by BIC, the lower bound or the
    /// silhouette [default: 3; at most 10 for vb-gmm; inferred for dp]
    #[arg(long, value_name = "K")]
    pub(crate) k: Option<Counts>,
    /// The covariance matrices of the components
    #[arg(long, value_enum, default_value = "full")]
    pub(crate) covariance: CovarianceShape,
    /// Number of starts, of which the best is kept; of gmm and map-gmm that after ten steps
    #[arg(long, value_name = "R", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) restarts: u16,
    /// Divide each column by its standard deviation first
    #[arg(long)]
    pub(crate) scale: bool,
    /// Maximum number of steps of a fit; number of sweeps of a sampler, the first third as warm-up [default:
    /// 500; 6000 for gibbs-gmm and dp]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) iterations: Option<u32>,
    /// Concentration of the Dirichlet prior of the weights (vb-gmm, gibbs-gmm) or of the Dirichlet process
    /// (dp) [default: 1/K, 1, and inferred]
    #[arg(long, value_name = "A")]
    pub(crate) alpha: Option<f64>,
    /// Folder for report, pictures and tables
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) missing: MissingCellsArgs,
    #[command(flatten)]
    pub(crate) table: TableArgs,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior cluster assign out/model.json new.csv
  posterior cluster assign out new.csv --label species --out assigned

predictions.csv has a row for each row of the table: its number, its name where the table has a column of names, its known group,
the group that is most probable, the probability of each group, and the logarithm of its density, which is low for rows unlike
all that were fitted. For k-means it has the distance to the nearest centre instead. Rows with missing values are assigned by the
values that they have, except by k-means.")]
pub(crate) struct ClusterAssign {
    #[command(flatten)]
    pub(crate) input: NewRowsArgs,
    #[command(flatten)]
    pub(crate) missing: MissingCellsArgs,
    /// A column with known groups, compared with those assigned
    #[arg(long, value_name = "COLUMN")]
    pub(crate) label: Option<String>,
}
