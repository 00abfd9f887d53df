//! The fitted model.

use std::borrow::Cow;

use posterior_math::linalg::{Cholesky, DMatrix, multiply, written};
use posterior_math::{ParamError, check};
use serde::{Deserialize, Serialize};

use super::document::{DocumentWords, proportions};
use super::options::TYPE;
use super::regression::{FeatureUnits, Regression};
use crate::checkpoint::check_format;
use crate::corpus::Document;
use crate::distributions::check_rows;
use crate::topics::require_word;
use crate::{TopicModel, Topics};

/// A fitted structural topic model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "File", into = "File")]
pub struct StructuralTopics {
    parts: Parts,
    /// The triangle of the covariance of coefficients.
    root: Cholesky,
}

/// What a model is made of.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Parts {
    /// Over all levels.
    pub(super) topics: Topics,
    /// (levels x topics) x words.
    pub(super) phi: DMatrix<f64>,
    pub(super) units: FeatureUnits,
    /// Of a constant and features in these units.
    pub(super) regression: Regression,
    /// Of the coefficients, topic after topic.
    pub(super) coefficient_covariance: DMatrix<f64>,
    /// Of what is known of the covariance of log-ratios.
    pub(super) degrees_of_freedom: f64,
    /// Of fits in which documents counted as often as random weights said.
    pub(super) replicates: Vec<Regression>,
}

impl StructuralTopics {
    /// Checks that all goes together.
    pub(super) fn new(parts: Parts) -> Result<Self, String> {
        let (topics, words) = parts.topics.topic_word().shape();
        let (rows, size) = (1 + parts.units.means.len(), topics.saturating_sub(1));
        let regression = &parts.regression;
        let shapes = [&regression.gamma, &regression.covariance, &parts.coefficient_covariance];
        let expected = [(rows, size), (size, size), (rows * size, rows * size)];
        if topics < 2 || shapes.map(DMatrix::shape) != expected || parts.units.scales.len() != rows - 1 {
            return Err("the regression has another shape than topics and features ask for".to_owned());
        }
        let of_replicates = |own: &Regression| (own.gamma.shape(), own.covariance.shape());
        let alike = parts.replicates.iter().all(|own| of_replicates(own) == of_replicates(regression));
        if !alike || parts.replicates.len() == 1 {
            return Err("expected no replicate or several, each of the shape of the regression".to_owned());
        }
        let levels = parts.phi.nrows();
        if parts.phi.ncols() != words || levels == 0 || !levels.is_multiple_of(topics) {
            return Err("expected a row of words for each topic of each level".to_owned());
        }
        check_rows(TYPE, "words of levels", &parts.phi).map_err(|error| error.to_string())?;
        let of_replicates = parts.replicates.iter().flat_map(|own| own.gamma.iter());
        let numbers = parts.units.means.iter().chain(&regression.gamma).chain(of_replicates);
        let positive = parts.units.scales.iter().all(|&scale| scale > 0.0 && scale.is_finite());
        // An inverse Wishart distribution has at least as many.
        let free = parts.degrees_of_freedom.is_finite() && parts.degrees_of_freedom > size as f64 - 1.0;
        if !positive || !free || !numbers.into_iter().all(|x| x.is_finite()) {
            return Err("numbers must be finite, scales and degrees of freedom positive".to_owned());
        }
        let root = Cholesky::new(&parts.coefficient_covariance)
            .map_err(|_| "the covariance of coefficients is not positive definite".to_owned())?;
        Ok(Self { parts, root })
    }

    /// The coefficients, (1 + features) x (topics - 1): of the logarithm of each topic's proportion to that
    /// of the last. The first row belongs to the constant.
    pub fn coefficients(&self) -> DMatrix<f64> {
        self.parts.units.undone(&self.parts.regression.gamma)
    }

    /// The covariance of a document's log-ratios around their regression.
    pub fn covariance(&self) -> &DMatrix<f64> {
        &self.parts.regression.covariance
    }

    /// Correlations of topics between documents with the same features, topics x topics: of the logarithms
    /// of proportions less their mean over topics. Topics that go together have positive ones; of two topics
    /// alone the correlation is -1, and of K topics of independent weights -1 / (K - 1).
    pub fn topic_correlations(&self) -> DMatrix<f64> {
        let topics = self.parts.topics.len();
        // Log-ratios to the last topic, whose own is zero, less their mean.
        let centred =
            DMatrix::from_fn(topics, topics - 1, |k, j| f64::from(u8::from(k == j)) - 1.0 / topics as f64);
        let all = multiply(&multiply(&centred, self.covariance()), &centred.transpose());
        DMatrix::from_fn(topics, topics, |k, l| all[(k, l)] / (all[(k, k)] * all[(l, l)]).sqrt())
    }

    /// The averages of the features over the documents of the fit.
    pub fn mean_features(&self) -> &[f64] {
        &self.parts.units.means
    }

    /// The number of levels of the content covariate; 1 without one.
    pub fn levels(&self) -> usize {
        self.parts.phi.nrows() / self.parts.topics.len()
    }

    /// The topics in the words of a level, with the weights that they have over all levels.
    ///
    /// # Errors
    /// A level that the fit did not have.
    pub fn topics_at(&self, level: usize) -> Result<Topics, crate::Error> {
        let all = &self.parts.topics;
        let (vocabulary, weights) = (all.vocabulary().to_vec(), all.weights().to_vec());
        Topics::new(vocabulary, self.of_level(level)?, weights, all.word_proportions().to_vec())
    }

    /// The topic proportions of a document of which words and features are known, and the level of its
    /// content covariate if there is one; without a level, its words are those of all levels. They are those
    /// of its most probable log-ratios.
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
        let row = self.parts.units.row(features)?;
        Ok(self.read(document, &row, &*self.words_at(level)?))
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

    pub(super) fn parts(&self) -> &Parts {
        &self.parts
    }

    pub(super) fn root(&self) -> &Cholesky {
        &self.root
    }

    /// Topics x words.
    fn words_at(&self, level: Option<usize>) -> Result<Cow<'_, DMatrix<f64>>, ParamError> {
        level.map_or(Ok(Cow::Borrowed(self.parts.topics.topic_word())), |level| {
            self.of_level(level).map(Cow::Owned)
        })
    }

    fn of_level(&self, level: usize) -> Result<DMatrix<f64>, ParamError> {
        check::require(level < self.levels(), TYPE, "level", level as f64, "one of the levels of the fit")?;
        let topics = self.parts.topics.len();
        Ok(self.parts.phi.rows(level * topics, topics).into_owned())
    }

    /// The most probable proportions of a document with this row of features.
    #[track_caller]
    fn read(&self, document: Document<'_>, row: &[f64], phi: &DMatrix<f64>) -> Vec<f64> {
        document.words.iter().for_each(|&word| require_word(word, phi.ncols()));
        let topics = phi.nrows();
        let words =
            document.words.iter().zip(document.counts).map(|(&word, &count)| {
                (f64::from(count), &phi.as_slice()[word as usize * topics..][..topics])
            });
        let mean = mean_of(&self.parts.regression.gamma, row);
        let own = DocumentWords::new(words, &mean, &self.parts.regression.precision);
        proportions(own.mode(&mean).point.as_slice())
    }
}

/// The mean of log-ratios of a document with this row of features.
pub(super) fn mean_of(gamma: &DMatrix<f64>, row: &[f64]) -> Vec<f64> {
    gamma.column_iter().map(|column| column.iter().zip(row).map(|(own, x)| own * x).sum()).collect()
}

impl TopicModel for StructuralTopics {
    fn topics(&self) -> &Topics {
        &self.parts.topics
    }

    /// With the average features of the fit, and the words of all levels.
    /// [`proportions_at`](StructuralTopics::proportions_at) knows more.
    #[track_caller]
    fn proportions(&self, document: Document<'_>) -> Vec<f64> {
        let mut row = vec![0.0; self.parts.regression.gamma.nrows()];
        row[0] = 1.0;
        self.read(document, &row, self.parts.topics.topic_word())
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
    features: FeatureUnits,
    #[serde(with = "written")]
    coefficients: DMatrix<f64>,
    #[serde(with = "written")]
    coefficient_covariance: DMatrix<f64>,
    #[serde(with = "written")]
    covariance: DMatrix<f64>,
    degrees_of_freedom: f64,
    /// Files of fits without replicates have none.
    #[serde(default)]
    replicates: Vec<Replicate>,
}

/// The file form of a regression.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Replicate {
    #[serde(with = "written")]
    coefficients: DMatrix<f64>,
    #[serde(with = "written")]
    covariance: DMatrix<f64>,
}

impl From<StructuralTopics> for File {
    fn from(StructuralTopics { parts, .. }: StructuralTopics) -> Self {
        let replicate = |own: Regression| Replicate { coefficients: own.gamma, covariance: own.covariance };
        Self {
            format: FORMAT.to_owned(),
            topics: parts.topics,
            words_of_levels: parts.phi,
            features: parts.units,
            coefficients: parts.regression.gamma,
            coefficient_covariance: parts.coefficient_covariance,
            covariance: parts.regression.covariance,
            degrees_of_freedom: parts.degrees_of_freedom,
            replicates: parts.replicates.into_iter().map(replicate).collect(),
        }
    }
}

impl TryFrom<File> for StructuralTopics {
    type Error = String;

    fn try_from(file: File) -> Result<Self, String> {
        check_format(&file.format, FORMAT)?;
        let read = |coefficients, covariance| {
            Regression::new(coefficients, covariance).map_err(|error| error.to_string())
        };
        let regression = read(file.coefficients, file.covariance)?;
        let replicates = file.replicates.into_iter().map(|own| read(own.coefficients, own.covariance));
        let replicates = replicates.collect::<Result<Vec<_>, _>>()?;
        Self::new(Parts {
            topics: file.topics,
            phi: file.words_of_levels,
            units: file.features,
            regression,
            coefficient_covariance: file.coefficient_covariance,
            degrees_of_freedom: file.degrees_of_freedom,
            replicates,
        })
    }
}
