//! The distributions of columns.

use posterior_dist::{Density, NormalGamma, StudentT};
use posterior_math::ParamError;
use posterior_math::check;

use crate::naive_bayes::{ClassPrior, ClassWeights};

/// The distribution of a column, given the class.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
#[expect(clippy::large_enum_variant, reason = "a table has few columns")]
pub enum ColumnDistribution {
    /// A normal distribution with the mean and the variance of the class's values (maximum likelihood).
    Normal,
    /// A normal distribution of unknown mean and precision with this prior, both integrated out: the
    /// prediction is Student's t, wide where values are few. A class without a value keeps the prior.
    NormalPredictive(NormalGamma),
    /// Categories 0 to `levels` - 1, with smoothed proportions.
    Categorical {
        /// The number of categories.
        levels: usize,
    },
}

/// Options of a classifier of rows.
#[derive(Debug, Clone, PartialEq)]
pub struct TableOptions {
    /// The number that is added to the count of each category (default: 1).
    pub smoothing: f64,
    /// The number that is added to the variance of every [`ColumnDistribution::Normal`] (default: 10^-9):
    /// this proportion of the largest variance of those columns, all classes together.
    pub variance_proportion: f64,
    /// The probabilities of the classes (default: fitted, with one row added to each).
    pub prior: ClassPrior,
    /// How many rows each of a class counts as (default: one).
    pub weights: ClassWeights,
}

impl Default for TableOptions {
    fn default() -> Self {
        let prior = ClassPrior::Learned { add: 1.0 };
        Self { smoothing: 1.0, variance_proportion: 1e-9, prior, weights: ClassWeights::Equal }
    }
}

impl TableOptions {
    pub(super) fn check(&self) -> Result<(), ParamError> {
        check::non_negative("TableOptions", "smoothing", self.smoothing)?;
        check::non_negative("TableOptions", "variance_proportion", self.variance_proportion)?;
        Ok(())
    }
}

/// What is known of a column in a class.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum FeatureDistribution {
    /// Mean, precision and -ln(sd √2π).
    Normal {
        mean: f64,
        sd: f64,
        ln_height: f64,
    },
    StudentT(StudentT),
    /// ln of the proportions.
    Categorical(Vec<f64>),
}

impl FeatureDistribution {
    pub(super) fn normal(mean: f64, variance: f64) -> Self {
        let sd = variance.sqrt();
        Self::Normal { mean, sd, ln_height: -0.5 * (std::f64::consts::TAU.ln() + variance.ln()) }
    }

    /// ln p of a value, which is not missing.
    pub(super) fn ln(&self, value: f64) -> f64 {
        match self {
            Self::Normal { mean, sd, ln_height } => {
                let z = (value - mean) / sd;
                ln_height - 0.5 * z * z
            }
            Self::StudentT(distribution) => distribution.ln_pdf(&value),
            Self::Categorical(ln_proportions) => ln_proportions[value as usize],
        }
    }
}
