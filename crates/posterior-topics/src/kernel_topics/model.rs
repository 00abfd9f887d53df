//! The fitted model: topics, and a prior of proportions for whatever is known of a document.

use posterior_gp::GaussianProcessPosterior;
use posterior_math::linalg::DMatrix;

use super::bands::{BandOptions, of_curves};
use super::covariates::Covariates;
use super::curves::{Curves, Effect};
use super::refused;
use crate::corpus::Document;
use crate::lda::{self, Lda};
use crate::{Error, TopicModel, Topics, TrendBands};

/// A fitted kernel topic model.
#[derive(Debug, Clone, PartialEq)]
pub struct KernelTopics {
    pub(super) lda: Lda,
    pub(super) covariates: Covariates,
    /// Documents x topics.
    pub(super) alpha: DMatrix<f64>,
    pub(super) curves: Curves,
    pub(super) concentrations: Concentrations,
}

/// How concentrations at other places follow.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Concentrations {
    /// From the curves, over the bridge.
    LaplaceBridge,
    /// From their own curves of `ln alpha`, one a topic.
    Gradient(Vec<GaussianProcessPosterior>),
}

impl KernelTopics {
    /// The covariates of the documents.
    pub fn covariates(&self) -> &Covariates {
        &self.covariates
    }

    /// The Dirichlet concentrations of each document that the model was fitted to: documents x topics.
    pub fn alpha(&self) -> &DMatrix<f64> {
        &self.alpha
    }

    /// The curves of the topics given the documents, with their length scales.
    pub fn curves(&self) -> &Curves {
        &self.curves
    }

    /// The topics as a latent Dirichlet allocation, with the average concentrations of all documents.
    pub fn lda(&self) -> &Lda {
        &self.lda
    }

    /// The Dirichlet concentrations of a document at a place of [`Covariates::place`].
    ///
    /// # Errors
    /// Another number of coordinates, one that is not finite, or a concentration that is not.
    pub fn prior(&self, place: &[f64]) -> Result<Vec<f64>, Error> {
        let place = DMatrix::from_row_slice(1, place.len(), place);
        match &self.concentrations {
            Concentrations::LaplaceBridge => Ok(self.curves.concentrations(&place)?.swap_remove(0)),
            Concentrations::Gradient(topics) => {
                let alpha =
                    |topic: &GaussianProcessPosterior| Ok(topic.mean(&place).map_err(refused)?[0].exp());
                topics.iter().map(alpha).collect()
            }
        }
    }

    /// The topic proportions of a document of which place and words are known.
    ///
    /// # Errors
    /// As [`prior`](Self::prior).
    ///
    /// # Panics
    /// When a word id is outside the vocabulary.
    pub fn proportions_at(&self, document: Document<'_>, place: &[f64]) -> Result<Vec<f64>, Error> {
        Ok(lda::proportions(self.topics(), &self.prior(place)?, document))
    }

    /// ln p(scored | observed, place): as [`TopicModel::ln_predictive`], of a document whose place is known
    /// too. With nothing observed, it is what the place alone predicts.
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
        place: &[f64],
    ) -> Result<f64, Error> {
        Ok(self.topics().ln_likelihood(scored, &self.proportions_at(observed, place)?))
    }

    /// The proportion of each topic at `times` with its band, offsets of labels left out: as
    /// [`bands`](super::bands), whose options for kernels play no part here.
    ///
    /// # Errors
    /// Times that are not increasing and finite, or an option out of its range.
    pub fn bands(&self, times: &[f64], options: &BandOptions) -> Result<TrendBands, Error> {
        of_curves(&self.curves, times, options)
    }

    /// The offset of each label of a kind, topic by topic.
    ///
    /// # Errors
    /// If there is no such kind.
    pub fn effects(&self, kind: usize) -> Result<Vec<Vec<Effect>>, Error> {
        self.curves.effects(&self.covariates, kind)
    }
}

impl TopicModel for KernelTopics {
    fn topics(&self) -> &Topics {
        self.lda.topics()
    }

    /// Without a place: under the average concentrations of all documents.
    /// [`proportions_at`](KernelTopics::proportions_at) knows more.
    fn proportions(&self, document: Document<'_>) -> Vec<f64> {
        self.lda.proportions(document)
    }
}
