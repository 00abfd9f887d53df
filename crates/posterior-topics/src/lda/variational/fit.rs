//! The driver of a fit.

use std::borrow::Cow;
use std::convert::Infallible;

use posterior_inference::variational::{AscentOptions, CoordinateAscent, coordinate_ascent};
use posterior_math::iteration::Observer;

use super::LdaVariationalOptions;
use super::posterior::VariationalBayes;
use crate::lda::{Hyperparameters, Lda, concentration};
use crate::{Corpus, Error, FittedTopics};

/// Fits latent Dirichlet allocation by variational Bayes: coordinate ascent on a lower bound of ln p(W).
///
/// A step of the report is a pass over the corpus, its objective the bound, which never falls. Topics come by
/// weight, unless the prior tells them apart. The result depends on the seed and not on the number of
/// threads.
///
/// Cost of a pass: steps of a document x pairs of documents and distinct words x topics, and as many numbers
/// as documents, words and topics need: (2 documents + 3 words) x topics.
///
/// # Errors
/// Options out of range, a model to start from that does not fit the corpus, or 2^32 pairs of documents and
/// distinct words.
pub fn fit(
    corpus: &Corpus,
    options: &LdaVariationalOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<FittedTopics<Lda>, Error> {
    let pool = concentration::thread_pool(options.threads)?;
    let factors = Factors { corpus, pool, hyperparameters: options.hyperparameters };
    let start = factors.start(options)?;
    let ascent = AscentOptions {
        tolerance: options.tolerance,
        max_iterations: options.max_iterations,
        ..AscentOptions::default()
    };
    let Ok(run) = coordinate_ascent(&factors, start, &ascent, observer);
    let (model, doc_topic) = run.model.estimates();
    Ok(FittedTopics { model, doc_topic, report: run.report })
}

/// The factors of the approximate posterior in the order of their updates.
struct Factors<'a> {
    corpus: &'a Corpus,
    pool: rayon::ThreadPool,
    hyperparameters: Hyperparameters,
}

impl<'a> Factors<'a> {
    fn start(&self, options: &LdaVariationalOptions) -> Result<VariationalBayes<'a>, Error> {
        self.pool.install(|| VariationalBayes::new(self.corpus, options))
    }
}

impl<'a> CoordinateAscent for Factors<'a> {
    type State = VariationalBayes<'a>;
    type Error = Infallible;

    fn factors(&self) -> usize {
        match self.hyperparameters {
            Hyperparameters::Fixed => 2,
            Hyperparameters::Optimized => 3,
        }
    }

    fn factor_name(&self, factor: usize) -> Cow<'static, str> {
        Cow::Borrowed(["topics", "documents", "concentrations"][factor])
    }

    fn update(&self, state: &mut Self::State, factor: usize) -> Result<(), Infallible> {
        self.pool.install(|| match factor {
            0 => state.update_topics(),
            1 => state.update_documents(),
            _ => state.update_concentrations(),
        });
        Ok(())
    }

    fn elbo(&self, state: &Self::State) -> Result<f64, Infallible> {
        Ok(state.bound())
    }
}
