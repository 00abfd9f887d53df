//! The grammar of `posterior model write`.

use std::path::PathBuf;

use clap::Args;

use crate::args::{Common, Family, Link, MissingRowsArgs, TableArgs};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior model write pupils.csv --formula \"score ~ hours + (1 + hours | school)\"
  posterior model write pupils.csv --formula \"score ~ hours + (1 | school)\" --data-out out.json
  posterior model write claims.csv --formula \"claims ~ age\" --family poisson --prior-sd flat
  posterior model write pupils.csv --formula \"score ~ (1 | school)\" --prior \"sd(school) ~ flat\"

The model of `posterior regress fit` with the same formula, family and priors, as a program in Stan's language: its log density is the same up to a constant. Effects
of groups are non-centred; correlated ones have a Cholesky factor; curves, walks and maps are weighted sums of a basis, which is in the data. The coefficients beta
are in the order of the columns of X, which a comment names. `posterior model sample FILE.stan --data FILE.json` draws, with log_lik for `posterior model compare` and
y_rep for predictive checks. Families: gaussian, bernoulli, poisson, negative-binomial, gamma, student, log-normal, beta. Terms that are not written are named: ar1,
bym2, matern, te, measured.")]
pub(crate) struct ModelWrite {
    /// A table with a header; also .gz; `-` is standard input
    #[arg(value_name = "DATA")]
    pub(crate) data: PathBuf,
    /// Outcome and terms in R's notation, as of `posterior regress fit`
    #[arg(long, value_name = "FORMULA")]
    pub(crate) formula: String,
    /// The distribution of the outcome
    #[arg(long, value_enum, default_value = "gaussian")]
    pub(crate) family: Family,
    /// The link of the outcome's mean: logit, probit or cloglog for bernoulli [default: logit, or log]
    #[arg(long, value_enum)]
    pub(crate) link: Option<Link>,
    /// The column of the weights of rows
    #[arg(long, value_name = "COLUMN")]
    pub(crate) weights: Option<String>,
    /// The column that is added to the predictor, as the logarithm of an exposure for counts
    #[arg(long, value_name = "COLUMN")]
    pub(crate) offset: Option<String>,
    /// The prior standard deviation of a coefficient, per standard deviation of its column, in those of the
    /// outcome for numbers; or flat. The intercept is flat unless --prior says otherwise
    #[arg(long, value_name = "S|flat", default_value = "2.5", allow_negative_numbers = true)]
    pub(crate) prior_sd: String,
    /// Another prior, of a coefficient or of a variance component by its name, as in
    /// "sd(school) ~ exponential(0.1)": exponential(RATE), gamma(SHAPE, RATE), beta(A, B), normal(MEAN, SD),
    /// half-normal(SD), half-student(DF, SD), log-normal(MEAN, SD) or flat; again for more
    #[arg(long = "prior", value_name = "PRIOR")]
    pub(crate) priors: Vec<String>,
    /// A table of two columns whose rows are pairs of neighbours: the map of car in a formula
    #[arg(long, value_name = "CSV")]
    pub(crate) neighbours: Option<PathBuf>,
    /// File for the data of the program, as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) data_out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) missing_rows: MissingRowsArgs,
    #[command(flatten)]
    pub(crate) table: TableArgs,
    #[command(flatten)]
    pub(crate) common: Common,
}
