//! The fitted model: topics, and coefficients that say who speaks of them.

use posterior_math::linalg::{DMatrix, written};
use posterior_math::{ParamError, check};
use serde::{Deserialize, Serialize};

use crate::checkpoint::check_format;
use crate::corpus::Document;
use crate::lda::{self, Lda};
use crate::{TopicModel, Topics};

const FORMAT: &str = "posterior-dirichlet-regression-1";

/// A fitted Dirichlet-multinomial regression.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "File", into = "File")]
pub struct DirichletRegression {
    pub(super) lda: Lda,
    /// (1 + features) x topics.
    pub(super) coefficients: DMatrix<f64>,
}

impl DirichletRegression {
    /// The coefficients, (1 + features) x topics: the first row belongs to the constant one.
    pub fn coefficients(&self) -> &DMatrix<f64> {
        &self.coefficients
    }

    /// The topics as a latent Dirichlet allocation, with the average concentrations of all documents.
    pub fn lda(&self) -> &Lda {
        &self.lda
    }

    /// The Dirichlet concentrations of a document with these features.
    ///
    /// # Errors
    /// Another number of features, one that is not finite, or a concentration that is not positive and
    /// finite.
    pub fn prior(&self, features: &[f64]) -> Result<Vec<f64>, ParamError> {
        const TYPE: &str = "DirichletRegression";
        let (expected, found) = (self.coefficients.nrows() - 1, features.len());
        check::require(found == expected, TYPE, "number of features", found as f64, "that of the fit")?;
        for (index, &feature) in features.iter().enumerate() {
            check::finite(TYPE, "features", feature).map_err(|error| error.at(index))?;
        }
        let row = |k: usize| -> f64 {
            let products = features.iter().enumerate().map(|(j, x)| self.coefficients[(1 + j, k)] * x);
            self.coefficients[(0, k)] + products.sum::<f64>()
        };
        let concentration =
            |k: usize| check::positive(TYPE, "concentration", row(k).exp()).map_err(|error| error.at(k));
        (0..self.coefficients.ncols()).map(concentration).collect()
    }

    /// The topic proportions of a document of which features and words are known.
    ///
    /// # Errors
    /// As [`prior`](Self::prior).
    ///
    /// # Panics
    /// When a word id is outside the vocabulary.
    pub fn proportions_at(&self, document: Document<'_>, features: &[f64]) -> Result<Vec<f64>, ParamError> {
        Ok(lda::proportions(self.topics(), &self.prior(features)?, document))
    }

    /// ln p(scored | observed, features): as [`TopicModel::ln_predictive`], of a document whose features are
    /// known too.
    ///
    /// # Errors
    /// As [`prior`](Self::prior).
    ///
    /// # Panics
    /// When a word id is outside the vocabulary.
    pub fn ln_predictive_at(
        &self,
        observed: Document<'_>,
        scored: Document<'_>,
        features: &[f64],
    ) -> Result<f64, ParamError> {
        Ok(self.topics().ln_likelihood(scored, &self.proportions_at(observed, features)?))
    }
}

impl TopicModel for DirichletRegression {
    fn topics(&self) -> &Topics {
        self.lda.topics()
    }

    /// Without features: under the average concentrations of all documents.
    /// [`proportions_at`](DirichletRegression::proportions_at) knows more.
    fn proportions(&self, document: Document<'_>) -> Vec<f64> {
        self.lda.proportions(document)
    }
}

/// The file form of the model.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: String,
    lda: Lda,
    #[serde(with = "written")]
    coefficients: DMatrix<f64>,
}

impl From<DirichletRegression> for File {
    fn from(DirichletRegression { lda, coefficients }: DirichletRegression) -> Self {
        Self { format: FORMAT.to_owned(), lda, coefficients }
    }
}

impl TryFrom<File> for DirichletRegression {
    type Error = String;

    fn try_from(File { format, lda, coefficients }: File) -> Result<Self, String> {
        check_format(&format, FORMAT)?;
        if coefficients.nrows() == 0 || coefficients.ncols() != lda.topics().len() {
            return Err(
                "expected a row of coefficients for the constant, and a column for each topic".to_owned()
            );
        }
        if !coefficients.iter().all(|x| x.is_finite()) {
            return Err("coefficients must be finite".to_owned());
        }
        Ok(Self { lda, coefficients })
    }
}
