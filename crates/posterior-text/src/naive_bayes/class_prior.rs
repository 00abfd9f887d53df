//! How frequent the classes are.

use posterior_math::ParamError;
use posterior_math::check;
use serde::{Deserialize, Serialize};

/// The source of the probabilities of the classes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ClassPrior {
    /// (n + add)/(N + C add), of n documents of the class among N: with 0 the proportion of documents, where
    /// a class without one is impossible; with 1 the posterior mean under the uniform prior.
    Learned {
        /// Documents that each class is given before one is seen.
        add: f64,
    },
    /// All are equally frequent.
    Uniform,
    /// These probabilities.
    Given(Vec<f64>),
}

impl ClassPrior {
    /// How far a sum of given probabilities may be from 1.
    const ROUNDING: f64 = 1e-8;

    /// ln p of each class, of which so many documents were seen.
    pub(super) fn ln_probabilities(&self, documents: &[f64]) -> Result<Vec<f64>, ParamError> {
        const TYPE: &str = "ClassPrior";
        let classes = documents.len() as f64;
        match self {
            Self::Learned { add } => {
                let add = check::non_negative(TYPE, "add", *add)?;
                let all = documents.iter().sum::<f64>() + classes * add;
                check::require(all > 0.0, TYPE, "documents", all, "at least one, or add above 0")?;
                Ok(documents.iter().map(|n| ((n + add) / all).ln()).collect())
            }
            Self::Uniform => Ok(vec![-classes.ln(); documents.len()]),
            Self::Given(probabilities) => {
                let same = probabilities.len() == documents.len();
                check::require(same, TYPE, "length", probabilities.len() as f64, "one for each class")?;
                for (index, &p) in probabilities.iter().enumerate() {
                    check::probability(TYPE, "probability", p).map_err(|error| error.at(index))?;
                }
                let sum: f64 = probabilities.iter().sum();
                check::require((sum - 1.0).abs() <= Self::ROUNDING, TYPE, "sum", sum, "1")?;
                Ok(probabilities.iter().map(|p| p.ln()).collect())
            }
        }
    }
}
