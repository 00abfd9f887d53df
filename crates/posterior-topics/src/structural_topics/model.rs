//! The fitted model.

use std::borrow::Cow;

use posterior_math::linalg::{Cholesky, DMatrix, DVector, written};
use posterior_math::{ParamError, check};
use serde::{Deserialize, Serialize};

use super::log_concave::{Normal, TopicCounts, mode, proportions};
use super::options::TYPE;
use crate::checkpoint::check_format;
use crate::corpus::Document;
use crate::distributions::check_rows;
use crate::topics::require_word;
use crate::{TopicModel, Topics};

/// Rounds of EM over a new document at most, and the change of a proportion below which they end.
const ROUNDS: usize = 1000;
const TOLERANCE: f64 = 1e-9;

/// A fitted structural topic model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "File", into = "File")]
pub struct StructuralTopics {
    parts: Parts,
    coefficients: DMatrix<f64>,
    covariance: DMatrix<f64>,
    precision: DMatrix<f64>,
    /// A triangle for each draw of the covariance.
    pub(super) roots: Vec<DMatrix<f64>>,
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
    /// (1 + features) x (topics - 1), one draw below the other.
    pub(super) coefficient_draws: DMatrix<f64>,
    /// (topics - 1) x (topics - 1), one draw below the other.
    pub(super) covariance_draws: DMatrix<f64>,
}

impl StructuralTopics {
    /// Checks that all goes together.
    pub(super) fn new(parts: Parts) -> Result<Self, String> {
        let (topics, words) = parts.topics.topic_word().shape();
        let (rows, size) = (1 + parts.mean_features.len(), topics.saturating_sub(1));
        let draws = parts.coefficient_draws.nrows() / rows;
        let shapes = [parts.coefficient_draws.shape(), parts.covariance_draws.shape()];
        if topics < 2 || draws == 0 || shapes != [(draws * rows, size), (draws * size, size)] {
            return Err("draws have another shape than topics and features ask for".to_owned());
        }
        let levels = parts.phi.nrows();
        if parts.phi.ncols() != words || levels == 0 || !levels.is_multiple_of(topics) {
            return Err("expected a row of words for each topic of each level".to_owned());
        }
        check_rows(TYPE, "words of levels", &parts.phi).map_err(|error| error.to_string())?;
        let numbers = parts.mean_features.iter().chain(&parts.coefficient_draws);
        if !numbers.chain(&parts.covariance_draws).all(|x| x.is_finite()) {
            return Err("numbers must be finite".to_owned());
        }
        let coefficients = mean_of_draws(&parts.coefficient_draws, rows);
        mean_of(&coefficients, 0, &parts.mean_features).map_err(|error| error.to_string())?;
        let covariance = mean_of_draws(&parts.covariance_draws, size);
        let of_draw = |draw: usize| parts.covariance_draws.rows(draw * size, size).into_owned();
        let factors = (0..draws).map(|draw| Cholesky::decompose(of_draw(draw)));
        let factors: Result<Vec<Cholesky>, _> = factors.chain([Cholesky::new(&covariance)]).collect();
        let mut factors = factors.map_err(|_| "a covariance is not positive definite".to_owned())?;
        let precision = factors.pop().map_or_else(|| covariance.clone(), |factor| factor.inverse());
        Ok(Self {
            coefficients,
            covariance,
            precision,
            roots: factors.into_iter().map(Cholesky::into_factor).collect(),
            parts,
        })
    }

    /// The coefficients, (1 + features) x (topics - 1): of the logarithm of each topic's proportion to that
    /// of the last, their posterior means. The first row belongs to the constant.
    pub fn coefficients(&self) -> &DMatrix<f64> {
        &self.coefficients
    }

    /// The coefficients of the kept states of the chain, one matrix below the other.
    pub fn coefficient_draws(&self) -> &DMatrix<f64> {
        &self.parts.coefficient_draws
    }

    /// The covariance of a document's log-ratios around their regression: its posterior mean.
    pub fn covariance(&self) -> &DMatrix<f64> {
        &self.covariance
    }

    /// The covariances of the kept states of the chain, one matrix below the other.
    pub fn covariance_draws(&self) -> &DMatrix<f64> {
        &self.parts.covariance_draws
    }

    /// The averages of the features over the documents of the fit.
    pub fn mean_features(&self) -> &[f64] {
        &self.parts.mean_features
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
        check::require(level < self.levels(), TYPE, "level", level as f64, "one of the levels of the fit")?;
        let topics = self.parts.topics.len();
        Ok(self.parts.phi.rows(level * topics, topics).into_owned())
    }

    /// The topic proportions of a document of which words and features are known, and the level of its
    /// content covariate if there is one; without a level, its words are those of all levels. They are the
    /// most probable ones, the regression held at its posterior mean.
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
        Ok(self.read(document, &mean, &*self.words_at(level)?))
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
        let phi = self.words_at(level)?;
        let ln = |(&word, &count): (&u32, &u32)| {
            require_word(word, phi.ncols());
            let p: f64 = theta.iter().zip(&phi.column(word as usize)).map(|(theta, phi)| theta * phi).sum();
            f64::from(count) * p.ln()
        };
        Ok(scored.words.iter().zip(scored.counts).map(ln).sum())
    }

    /// Topics x words.
    fn words_at(&self, level: Option<usize>) -> Result<Cow<'_, DMatrix<f64>>, ParamError> {
        level.map_or(Ok(Cow::Borrowed(self.parts.topics.topic_word())), |level| {
            self.topic_word_at(level).map(Cow::Owned)
        })
    }

    /// The mean of log-ratios given features.
    pub(super) fn mean_at(&self, features: &[f64]) -> Result<Vec<f64>, ParamError> {
        let (expected, found) = (self.parts.mean_features.len(), features.len());
        check::require(found == expected, TYPE, "number of features", found as f64, "that of the fit")?;
        for (index, &feature) in features.iter().enumerate() {
            check::finite(TYPE, "features", feature).map_err(|error| error.at(index))?;
        }
        mean_of(&self.coefficients, 0, features)
    }

    /// The most probable proportions of a document with this mean of log-ratios, by EM over the topics of its
    /// tokens. Words that no topic has are passed over.
    #[track_caller]
    fn read(&self, document: Document<'_>, mean: &[f64], phi: &DMatrix<f64>) -> Vec<f64> {
        document.words.iter().for_each(|&word| require_word(word, phi.ncols()));
        let normal = Normal { mean, precision: &self.precision };
        let mut eta = DVector::from_column_slice(mean);
        let mut theta = proportions(mean);
        for _ in 0..ROUNDS {
            let mut expected = vec![0.0; theta.len()];
            for (&word, &count) in document.words.iter().zip(document.counts) {
                let column = phi.column(word as usize);
                let p: f64 = theta.iter().zip(&column).map(|(theta, phi)| theta * phi).sum();
                if p > 0.0 {
                    let scale = f64::from(count) / p;
                    let terms = expected.iter_mut().zip(&theta).zip(&column);
                    terms.for_each(|((n, theta), phi)| *n += scale * theta * phi);
                }
            }
            eta = mode(normal, &TopicCounts(&expected), eta).point;
            let next = proportions(eta.as_slice());
            let change = theta.iter().zip(&next).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            theta = next;
            if change < TOLERANCE {
                break;
            }
        }
        theta
    }
}

/// The mean of log-ratios by coefficients whose constant stands in a row.
///
/// # Errors
/// A mean that is not finite.
pub(super) fn mean_of(
    coefficients: &DMatrix<f64>,
    constant: usize,
    features: &[f64],
) -> Result<Vec<f64>, ParamError> {
    let of = |k: usize| {
        let products = features.iter().enumerate().map(|(j, x)| coefficients[(constant + 1 + j, k)] * x);
        check::finite(TYPE, "mean log-ratio", coefficients[(constant, k)] + products.sum::<f64>())
    };
    (0..coefficients.ncols()).map(of).collect()
}

/// The mean of matrices of so many rows that stand one below the other.
fn mean_of_draws(draws: &DMatrix<f64>, rows: usize) -> DMatrix<f64> {
    let count = draws.nrows() / rows;
    DMatrix::from_fn(rows, draws.ncols(), |i, k| {
        draws.column(k).iter().skip(i).step_by(rows).sum::<f64>() / count as f64
    })
}

impl TopicModel for StructuralTopics {
    fn topics(&self) -> &Topics {
        &self.parts.topics
    }

    /// With the average features of the fit, and the words of all levels.
    /// [`proportions_at`](StructuralTopics::proportions_at) knows more.
    #[track_caller]
    fn proportions(&self, document: Document<'_>) -> Vec<f64> {
        let mean = mean_of(&self.coefficients, 0, &self.parts.mean_features);
        let mean = mean.expect("invariant: the constructor has checked it");
        self.read(document, &mean, self.parts.topics.topic_word())
    }
}

/// The name of the file form.
const FORMAT: &str = "posterior-structural-topics-2";

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
    coefficient_draws: DMatrix<f64>,
    #[serde(with = "written")]
    covariance_draws: DMatrix<f64>,
}

impl From<StructuralTopics> for File {
    fn from(StructuralTopics { parts, .. }: StructuralTopics) -> Self {
        Self {
            format: FORMAT.to_owned(),
            topics: parts.topics,
            words_of_levels: parts.phi,
            mean_features: parts.mean_features,
            coefficient_draws: parts.coefficient_draws,
            covariance_draws: parts.covariance_draws,
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
            coefficient_draws: file.coefficient_draws,
            covariance_draws: file.covariance_draws,
        })
    }
}
