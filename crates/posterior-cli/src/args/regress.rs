//! The grammar of `posterior regress`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::{Common, Format, LevelArgs, MissingRowsArgs, NewRowsArgs, TableArgs, ValidationArgs};

#[derive(Debug, Subcommand)]
pub(crate) enum RegressVerb {
    /// Fit a regression: coefficients with intervals, predictions, calibration
    Fit(Box<RegressFit>),
    /// Predict new rows by a fitted model; where they have the outcome, score the predictions
    Predict(Box<RegressPredict>),
}

/// What the outcome is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Family {
    /// A number with normal noise of unknown size
    Gaussian,
    /// One of two classes: 0 and 1, or any two labels
    Bernoulli,
    /// A count
    Poisson,
    /// A count that varies more than Poisson's
    NegativeBinomial,
    /// A positive number whose standard deviation is a proportion of its mean
    Gamma,
    /// A number with heavy tails, so that outliers count less
    Student,
    /// A positive number whose logarithm is normal
    LogNormal,
    /// A proportion strictly between 0 and 1
    Beta,
    /// A time to an event whose hazard rises or falls with time; --event says whether it was seen
    Weibull,
    /// A time to an event whose hazard does not change; --event says whether it was seen
    Exponential,
    /// A count of which some are zero for another reason
    ZeroInflatedPoisson,
    /// One of several classes in an order
    Ordinal,
    /// One of several classes
    Softmax,
    /// A number or a class, by a network with one hidden layer
    Mlp,
}

impl Family {
    /// Whether it is fitted by nested Laplace approximation with or without effects, which takes a formula.
    pub(crate) const fn takes_formula(self) -> bool {
        matches!(
            self,
            Self::Student
                | Self::LogNormal
                | Self::Beta
                | Self::Weibull
                | Self::Exponential
                | Self::ZeroInflatedPoisson
        )
    }
}

/// How the mean of an outcome depends on the predictor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Link {
    /// Log odds
    Logit,
    /// Quantiles of the normal distribution
    Probit,
    /// The complementary log-log: of what happens at a rate
    Cloglog,
    /// The logarithm
    Log,
}

/// How the posterior is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RegressEngine {
    /// A Gaussian at the most probable coefficients: fast, but rare classes and counts are predicted too
    /// often
    Laplace,
    /// In closed form: for the family gaussian
    Exact,
    /// By sampling, which gives no evidence
    Nuts,
    /// The most likely variances after coefficients were integrated out: for formulas with effects
    Reml,
    /// The most likely variances and coefficients: for formulas with effects
    Ml,
}

/// What is thought of the coefficients before the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RegressPrior {
    /// All of about the same size: ridge regression
    Normal,
    /// Laplace's distribution, of which the most probable coefficients are taken: many are 0
    Lasso,
    /// Between lasso and ridge regression
    ElasticNet,
    /// A scale for each coefficient by the evidence (automatic relevance determination): many are 0
    Ard,
    /// Most next to 0 and a few that are left alone, by Gibbs sampling
    Horseshoe,
}

/// The penalty of a lasso.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Penalty {
    Best,
    OneError,
    Given(f64),
}

impl std::str::FromStr for Penalty {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "best" => Ok(Self::Best),
            "one-se" => Ok(Self::OneError),
            _ => match text.parse() {
                Ok(own) if own > 0.0 && f64::is_finite(own) => Ok(Self::Given(own)),
                _ => Err("expected best, one-se or a positive number".to_owned()),
            },
        }
    }
}

/// Errors that do not trust the model's variances.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum RobustKind {
    Hc0,
    Hc1,
    Hc2,
    Hc3,
    Cluster(String),
}

impl std::str::FromStr for RobustKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match (text, text.strip_prefix("cluster:")) {
            ("hc0", _) => Ok(Self::Hc0),
            ("hc1", _) => Ok(Self::Hc1),
            ("hc2", _) => Ok(Self::Hc2),
            ("hc3", _) => Ok(Self::Hc3),
            (_, Some(column)) if !column.is_empty() => Ok(Self::Cluster(column.to_owned())),
            _ => Err("expected hc0, hc1, hc2, hc3 or cluster:COLUMN".to_owned()),
        }
    }
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior regress fit
  posterior regress fit data.csv --y price --x area,rooms --predict new.csv --out out
  posterior regress fit data.csv --y price --folds 10
  posterior regress fit spector.csv --y GRADE --family bernoulli --engine nuts
  posterior regress fit iris.csv --y species --family softmax --out out
  posterior regress fit claims.csv --y claims --family negative-binomial --offset ln_exposure
  posterior regress fit mcycle.csv --y accel --features spline:12 --out out
  posterior regress fit data.csv --formula \"log(price) ~ site*area + poly(age, 2)\" --out out
  posterior regress fit pupils.csv --formula \"score ~ hours + (1 | school) + rw1(year)\" --out out
  posterior regress fit kidney.csv --formula \"days ~ (1 | patient)\" --family weibull --event seen
  posterior regress fit classes.csv --y class --family mlp --hidden 20 --out out
  posterior regress fit data.csv --y price --prior lasso --out out
  posterior regress fit data.csv --y price --prior horseshoe
  posterior regress fit claims.csv --y claims --family poisson --effects --checks --errors hc3

Features of each column: raw, poly:D, fourier:M, rbf:M, spline:M, relu:M, step:M. Columns of words are coded by their levels;
the first level is the base. Rows with missing cells are left out (--na).

A formula says both outcome and terms: + - for terms, a:b for products, a*b for a + b + a:b, (a+b+c)^2, a/b, 0 + for no intercept, . for all
other columns; log(x), I(x^2), x > 3 and other arithmetic; poly(x, 3), bs(x, df = 6), ns(x, df = 4), s(x, k = 8), scale(x); factor(x),
C(g, sum), relevel(g, ref = \"b\"); offset(log(n)); chebyshev(x, 5), fourier(x, 3, period = 12), step(x, 4), relu(x, 8), sigmoid(x, 8),
rbf(x, 10), haar(x, 3).

Effects in a formula: (1 + x | g) for an intercept and a slope of each group, (x || g) without correlation, (1 | a/b); rw1(t), rw2(t),
ar1(t), seasonal(t, period = 12) over equal steps; smooth(x, k = 10) for a curve, te(x, z, k = 5) for a surface; car(area), bym2(area)
with --neighbours; matern(x), matern(lon, lat); measured(x, error) or measured(x, sd = 0.3) for a column with errors. They are integrated
over by nested Laplace approximation; new groups, times and places are predicted. --engine reml and ml have lme4's numbers. The families
student, log-normal, beta, weibull, exponential and zero-inflated-poisson are fitted in the same way, with and without effects.

Coefficients have the names that R gives them. New rows get the polynomials, knots and
levels of the fit.

Intervals have probability 0.95 or --level. For numbers and counts, `interval` (q025, q975 in predictions.csv) is for a new
outcome and `mean_interval` for the mean outcome; for two classes, `mean_interval` is for the probability of `positive_class`. The output names the parameters that intervals treat as known, and the approximation that makes the intervals
of mlp with classes too narrow.")]
pub(crate) struct RegressFit {
    /// A table with a header; also .gz; `-` is standard input
    /// [default: the embedded eruptions of Old Faithful]
    #[arg(value_name = "DATA")]
    pub(crate) data: Option<PathBuf>,
    /// Outcome and terms in R's notation, as in "y ~ a*b + poly(x, 3)": instead of --y, --x, --features and
    /// --categorical
    #[arg(long, value_name = "FORMULA", conflicts_with_all = ["y", "x", "features", "categorical"])]
    pub(crate) formula: Option<String>,
    /// The column of the outcome [default: the last column]
    #[arg(long, value_name = "COLUMN")]
    pub(crate) y: Option<String>,
    /// The columns of predictors, separated by commas [default: all others]
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub(crate) x: Vec<String>,
    /// Columns to treat as categories although they hold numbers or dates, separated by commas
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub(crate) categorical: Vec<String>,
    /// The column of the weights of rows: a row with weight 2 counts as two rows; for gaussian its noise has
    /// half the variance
    #[arg(long, value_name = "COLUMN")]
    pub(crate) weights: Option<String>,
    /// The column that is added to the predictor, as the logarithm of an exposure for counts
    #[arg(long, value_name = "COLUMN")]
    pub(crate) offset: Option<String>,
    /// The distribution of the outcome
    #[arg(long, value_enum, default_value = "gaussian")]
    pub(crate) family: Family,
    /// Of weibull and exponential, the column that is 1 where the event was seen, and 0 where it was still to
    /// come at the time of the outcome; such rows are not scored
    #[arg(long, value_name = "COLUMN")]
    pub(crate) event: Option<String>,
    /// For formulas with effects, another prior of a variance component by its name, as in
    /// "sd(school) ~ exponential(0.1)": exponential(RATE), gamma(SHAPE, RATE), beta(A, B), normal(MEAN, SD),
    /// half-normal(SD), half-student(DF, SD), log-normal(MEAN, SD) or flat; more than once for several
    #[arg(long = "effect-prior", value_name = "PRIOR")]
    pub(crate) effect_priors: Vec<String>,
    /// The link of the outcome's mean: logit, probit or cloglog for bernoulli, log for gamma,
    /// logit or probit for ordinal [default: logit, or log]
    #[arg(long, value_enum)]
    pub(crate) link: Option<Link>,
    /// The classes of an ordinal outcome in their order, separated by commas [default: numbers by size, words
    /// of a known scale such as low, medium, high by the scale, others by the alphabet]
    #[arg(long, value_name = "LEVELS", value_delimiter = ',')]
    pub(crate) levels: Vec<String>,
    /// The features of each numeric column
    #[arg(long, value_name = "FEATURES", default_value = "raw")]
    pub(crate) features: String,
    /// How the posterior is computed [default: exact for gaussian; laplace for mlp, and for softmax with more
    /// than 100 coefficients; else 8,000 weighted draws around the mode (called importance in the output), or
    /// nuts where their weights are unreliable, or laplace where 200 draws show that it is accurate]
    #[arg(long, value_enum)]
    pub(crate) engine: Option<RegressEngine>,
    /// The prior standard deviation of a coefficient, per standard deviation of its feature: for gaussian in
    /// standard deviations of the outcome, else on the scale of log odds or log counts [default: averaged
    /// over for gaussian, for softmax with more than two classes and for mlp with classes; estimated for mlp
    /// with numbers, where a given value starts the search; else 2.5]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(crate) prior_sd: Option<f64>,
    /// What is thought of the coefficients before the data; those of lasso and elastic-net are estimates
    /// without intervals
    #[arg(long, value_enum, default_value = "normal")]
    pub(crate) prior: RegressPrior,
    /// The penalty of a lasso, per standard deviation of a column: best (the least deviance of rows held out
    /// in ten folds), one-se (the largest within one standard error of it) or a number
    #[arg(long, value_name = "L", default_value = "best", allow_negative_numbers = true)]
    pub(crate) penalty: Penalty,
    /// The proportion of the penalty that is of absolute values; the rest is of squares
    #[arg(long, value_name = "A", default_value_t = 0.5)]
    pub(crate) mixing: f64,
    /// Average effects of each column on the mean outcome: slopes of numbers, contrasts of labels with the
    /// first one
    #[arg(long)]
    pub(crate) effects: bool,
    /// Posterior predictive checks: outcomes that the fit makes anew beside those that were seen
    #[arg(long)]
    pub(crate) checks: bool,
    /// Errors that do not trust the model's variances, beside those of maximum likelihood: hc0, hc1, hc2, hc3
    /// or cluster:COLUMN, for rows that go together
    #[arg(long, value_name = "KIND")]
    pub(crate) errors: Option<RobustKind>,
    /// For formulas with effects: run a chain on the exact posterior too, and print both
    #[arg(long)]
    pub(crate) verify: bool,
    /// A table of two columns whose rows are pairs of neighbours: the map of car and bym2 in a formula
    #[arg(long, value_name = "CSV")]
    pub(crate) neighbours: Option<PathBuf>,
    /// Number of units of the hidden layer
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) hidden: u16,
    /// A table of rows to predict, with the columns of predictors
    #[arg(long, value_name = "CSV")]
    pub(crate) predict: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) validation: ValidationArgs,
    #[command(flatten)]
    pub(crate) level: LevelArgs,
    /// Folder for report, pictures and tables
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) missing_rows: MissingRowsArgs,
    #[command(flatten)]
    pub(crate) table: TableArgs,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior regress predict out/model.json new.csv
  posterior regress predict out new.csv --out predicted --format json

predictions.csv has a row for each row of the table: its number, its name where the table has a column of names, the outcome where
it is there, and what is predicted. For numbers and counts, mean, sd and the quantiles q025 to q975 are of a new outcome, with its
noise; mean_of_function and sd_of_function are of the mean outcome. For classes, p_LEVEL is the probability of a class.

Scores are printed where the table has the column of the outcome: ln score is the mean logarithm of the probability (for numbers:
of the density) that the outcome had.")]
pub(crate) struct RegressPredict {
    #[command(flatten)]
    pub(crate) input: NewRowsArgs,
    #[command(flatten)]
    pub(crate) level: LevelArgs,
    #[command(flatten)]
    pub(crate) missing_rows: MissingRowsArgs,
}

impl RegressFit {
    /// Whether everything that is known of a row is written; text says less.
    pub(crate) fn writes_all(&self) -> bool {
        self.out.is_some() || self.common.format == Format::Json
    }

    /// Whether few columns that matter are asked for.
    pub(crate) fn is_sparse(&self) -> bool {
        self.prior != RegressPrior::Normal
            && !(self.prior == RegressPrior::Horseshoe && self.family == Family::Bernoulli)
    }
}
