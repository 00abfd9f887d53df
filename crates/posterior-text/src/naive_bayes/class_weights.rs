//! How much a document of each class counts.

use posterior_math::ParamError;
use posterior_math::check;
use serde::{Deserialize, Serialize};

/// How many documents (of a table: rows) each of a class counts as: where some classes are too rare in the
/// data, or mistakes in them cost more. The probabilities are then those among documents in these
/// proportions.
///
/// ```
/// use posterior_text::naive_bayes::ClassWeights;
///
/// assert_eq!(ClassWeights::Balanced.factors(&[30.0, 10.0])?, [2.0 / 3.0, 2.0]);
/// # Ok::<(), posterior_text::math::ParamError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ClassWeights {
    /// One each.
    #[default]
    Equal,
    /// N/(C n) each, of n documents of the class among N: all classes together count the same, and all
    /// documents N. A class without a document has weight 1.
    Balanced,
    /// These, one for each class.
    Given(Vec<f64>),
}

impl ClassWeights {
    /// The weight of a document of each class, of which so many were seen.
    ///
    /// # Errors
    /// Another number of weights than of classes, or one that is not positive and finite, with its index.
    pub fn factors(&self, documents: &[f64]) -> Result<Vec<f64>, ParamError> {
        const TYPE: &str = "ClassWeights";
        match self {
            Self::Equal => Ok(vec![1.0; documents.len()]),
            Self::Balanced => {
                let share = documents.iter().sum::<f64>() / documents.len() as f64;
                Ok(documents.iter().map(|&n| if n > 0.0 { share / n } else { 1.0 }).collect())
            }
            Self::Given(weights) => {
                let same = weights.len() == documents.len();
                check::require(same, TYPE, "length", weights.len() as f64, "one for each class")?;
                check::each(weights, |weight| check::positive(TYPE, "weight", weight))?;
                Ok(weights.clone())
            }
        }
    }
}
