//! The fitted model.

use posterior_math::linalg::{DMatrix, written};
use posterior_math::{ParamError, check};
use serde::{Deserialize, Serialize};

use super::document::{Spread, Words, laplace, proportions};
use super::options::TYPE;
use crate::checkpoint::check_format;
use crate::corpus::Document;
use crate::{TopicModel, Topics};

/// A fitted structural topic model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "File", into = "File")]
pub struct StructuralTopics {
    pub(super) parts: Parts,
    pub(super) precision: DMatrix<f64>,
    pub(super) ln_determinant: f64,
}

/// What a model is made of.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Parts {
    /// Over all levels.
    pub(super) topics: Topics,
    /// (levels x topics) x words.
    pub(super) phi: DMatrix<f64>,
    /// Of the documents of the fit.
    pub(super) mean_features: Vec<f64>,
    /// (1 + features) x (topics - 1).
    pub(super) coefficients: DMatrix<f64>,
    /// Draws of the same, one below the other.
    pub(super) draws: DMatrix<f64>,
    pub(super) covariance: DMatrix<f64>,
}

impl StructuralTopics {
    /// Checks that all goes together.
    pub(super) fn new(parts: Parts) -> Result<Self, String> {
        let (topics, words) = parts.topics.topic_word().shape();
        let shape = (1 + parts.mean_features.len(), topics.saturating_sub(1));
        let draws = parts.draws.shape();
        if topics < 2 || parts.coefficients.shape() != shape || parts.covariance.shape() != (shape.1, shape.1)
        {
            return Err("coefficients and covariance have other shapes than topics and features".to_owned());
        }
        if draws.1 != shape.1 || draws.0 == 0 || !draws.0.is_multiple_of(shape.0) {
            return Err("draws have another shape than the coefficients".to_owned());
        }
        let levels = parts.phi.nrows();
        if parts.phi.ncols() != words || levels == 0 || !levels.is_multiple_of(topics) {
            return Err("expected a row of words for each topic of each level".to_owned());
        }
        let is_row = |row: f64| (row - 1.0).abs() < 1e-8;
        if parts.phi.iter().any(|p| !(0.0..=1.0).contains(p))
            || !parts.phi.row_iter().all(|row| is_row(row.sum()))
        {
            return Err("rows of words must be proportions".to_owned());
        }
        let numbers = parts.mean_features.iter().chain(&parts.coefficients).chain(&parts.draws);
        if !numbers.chain(&parts.covariance).all(|x| x.is_finite()) {
            return Err("numbers must be finite".to_owned());
        }
        let Some(Spread { precision, ln_determinant, .. }) = Spread::new(parts.covariance.clone()) else {
            return Err("the covariance is not positive definite".to_owned());
        };
        Ok(Self { parts, precision, ln_determinant })
    }

    /// The coefficients, (1 + features) x (topics - 1): of the logarithm of each topic's proportion to that
    /// of the last. The first row belongs to the constant.
    pub fn coefficients(&self) -> &DMatrix<f64> {
        &self.parts.coefficients
    }

    /// Draws of the coefficients over their posterior, one matrix below the other. The covariance and the
    /// topics are held fixed.
    pub fn coefficient_draws(&self) -> &DMatrix<f64> {
        &self.parts.draws
    }

    /// The averages of the features over the documents of the fit.
    pub fn mean_features(&self) -> &[f64] {
        &self.parts.mean_features
    }

    /// The covariance of a document's log-ratios around their regression.
    pub fn covariance(&self) -> &DMatrix<f64> {
        &self.parts.covariance
    }

    /// The number of levels of the content covariate; 1 without one.
    pub fn levels(&self) -> usize {
        self.parts.phi.nrows() / self.parts.topics.len()
    }

    /// The topics in the words of a level, topics x words; those of all levels are the model's topics.
    ///
    /// # Errors
    /// A level that the fit did not have.
    pub fn topic_word_at(&self, level: usize) -> Result<DMatrix<f64>, ParamError> {
        let first = self.first_row(level)?;
        Ok(self.parts.phi.rows(first, self.parts.topics.len()).into_owned())
    }

    /// The topic proportions of a document of which words and features are known, and the level of its
    /// content covariate if there is one; without a level, its words are those of all levels.
    ///
    /// # Errors
    /// Another number of features, one that is not finite, or a level that the fit did not have.
    ///
    /// # Panics
    /// When a word id is outside the vocabulary.
    #[track_caller]
    pub fn proportions_at(
        &self,
        document: Document<'_>,
        features: &[f64],
        level: Option<usize>,
    ) -> Result<Vec<f64>, ParamError> {
        let mean = self.mean_at(features)?;
        let topics = self.parts.topics.len();
        let words = match level {
            None => Words::new(document, self.parts.topics.topic_word(), 0, topics),
            Some(level) => Words::new(document, &self.parts.phi, self.first_row(level)? / topics, topics),
        };
        Ok(self.read(&words, document, &mean))
    }

    /// ln p(scored | observed, features): as [`TopicModel::ln_predictive`], of a document of which features
    /// and level are known too.
    ///
    /// # Errors
    /// As [`proportions_at`](Self::proportions_at).
    ///
    /// # Panics
    /// When a word id is outside the vocabulary.
    #[track_caller]
    pub fn ln_predictive_at(
        &self,
        observed: Document<'_>,
        scored: Document<'_>,
        features: &[f64],
        level: Option<usize>,
    ) -> Result<f64, ParamError> {
        let theta = self.proportions_at(observed, features, level)?;
        let Some(level) = level else { return Ok(self.topics().ln_likelihood(scored, &theta)) };
        let first = self.first_row(level)?;
        let mut ln = 0.0;
        for (&word, &count) in scored.words.iter().zip(scored.counts) {
            crate::topics::require_word(word, self.parts.phi.ncols());
            let p: f64 =
                theta.iter().enumerate().map(|(k, t)| t * self.parts.phi[(first + k, word as usize)]).sum();
            ln += f64::from(count) * p.ln();
        }
        Ok(ln)
    }

    fn first_row(&self, level: usize) -> Result<usize, ParamError> {
        check::require(level < self.levels(), TYPE, "level", level as f64, "one of the levels of the fit")?;
        Ok(level * self.parts.topics.len())
    }

    /// The mean of log-ratios given features.
    pub(super) fn mean_at(&self, features: &[f64]) -> Result<Vec<f64>, ParamError> {
        let (expected, found) = (self.parts.mean_features.len(), features.len());
        check::require(found == expected, TYPE, "number of features", found as f64, "that of the fit")?;
        for (index, &feature) in features.iter().enumerate() {
            check::finite(TYPE, "features", feature).map_err(|error| error.at(index))?;
        }
        let mean = mean_of(&self.parts.coefficients, 0, features);
        mean.iter().try_for_each(|&mean| check::finite(TYPE, "mean log-ratio", mean).map(|_| ()))?;
        Ok(mean)
    }

    #[track_caller]
    fn read(&self, words: &Words<'_>, document: Document<'_>, mean: &[f64]) -> Vec<f64> {
        let vocabulary = self.parts.phi.ncols();
        document.words.iter().for_each(|&word| crate::topics::require_word(word, vocabulary));
        let spread = Spread {
            covariance: self.parts.covariance.clone(),
            precision: self.precision.clone(),
            ln_determinant: self.ln_determinant,
        };
        proportions(laplace(words, mean, &spread, mean).mode.as_slice())
    }
}

/// The mean of log-ratios by coefficients whose constant stands in a row.
pub(super) fn mean_of(coefficients: &DMatrix<f64>, constant: usize, features: &[f64]) -> Vec<f64> {
    let of = |k: usize| {
        let products = features.iter().enumerate().map(|(j, x)| coefficients[(constant + 1 + j, k)] * x);
        coefficients[(constant, k)] + products.sum::<f64>()
    };
    (0..coefficients.ncols()).map(of).collect()
}

impl TopicModel for StructuralTopics {
    fn topics(&self) -> &Topics {
        &self.parts.topics
    }

    /// With the average features of the fit, and the words of all levels.
    /// [`proportions_at`](StructuralTopics::proportions_at) knows more.
    #[track_caller]
    fn proportions(&self, document: Document<'_>) -> Vec<f64> {
        let mean = mean_of(&self.parts.coefficients, 0, &self.parts.mean_features);
        let words = Words::new(document, self.parts.topics.topic_word(), 0, self.parts.topics.len());
        self.read(&words, document, &mean)
    }
}

/// The name of the file form.
const FORMAT: &str = "posterior-structural-topics-1";

/// The file form of the model.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: String,
    topics: Topics,
    /// (levels x topics) x words.
    #[serde(with = "written")]
    words_of_levels: DMatrix<f64>,
    mean_features: Vec<f64>,
    #[serde(with = "written")]
    coefficients: DMatrix<f64>,
    #[serde(with = "written")]
    coefficient_draws: DMatrix<f64>,
    #[serde(with = "written")]
    covariance: DMatrix<f64>,
}

impl From<StructuralTopics> for File {
    fn from(StructuralTopics { parts, .. }: StructuralTopics) -> Self {
        Self {
            format: FORMAT.to_owned(),
            topics: parts.topics,
            words_of_levels: parts.phi,
            mean_features: parts.mean_features,
            coefficients: parts.coefficients,
            coefficient_draws: parts.draws,
            covariance: parts.covariance,
        }
    }
}

impl TryFrom<File> for StructuralTopics {
    type Error = String;

    fn try_from(file: File) -> Result<Self, String> {
        check_format(&file.format, FORMAT)?;
        Self::new(Parts {
            topics: file.topics,
            phi: file.words_of_levels,
            mean_features: file.mean_features,
            coefficients: file.coefficients,
            draws: file.coefficient_draws,
            covariance: file.covariance,
        })
    }
}
