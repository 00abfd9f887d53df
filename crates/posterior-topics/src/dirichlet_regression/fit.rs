//! The driver of a fit: sweeps, learning of the coefficients, pooling.

use posterior_dist::stream::stream;
use posterior_math::iteration::Observer;
use posterior_math::linalg::DMatrix;
use posterior_math::{ParamError, check};
use rand::RngExt;
use rand_pcg::Pcg64;

use super::coefficients::{Coefficients, ln_topics};
use super::model::DirichletRegression;
use super::options::DirichletRegressionOptions;
use crate::chain::{Chain, Run, SweepReport};
use crate::checks::size;
use crate::lda::Lda;
use crate::lda::gibbs::PooledCounts;
use crate::token_topics::TokenTopics;
use crate::{Corpus, Error, FittedTopics};

/// Fits Dirichlet-multinomial regression: sweeps of collapsed Gibbs sampling, and between them the mode of
/// the coefficients given the topics of all tokens, by L-BFGS. `features` is documents x features; a constant
/// is added.
///
/// The observer sees the latest joint log-likelihood after each sweep; when it stops the fit, estimates are
/// of what was pooled so far or, if nothing was, of the last state.
///
/// Features should be of size one: the prior holds all coefficients to the same variance.
///
/// Cost: sweeps x tokens x topics, on one thread.
///
/// ```
/// use posterior_math::iteration::Silent;
/// use posterior_math::linalg::DMatrix;
/// use posterior_topics::Corpus;
/// use posterior_topics::dirichlet_regression::{DirichletRegressionOptions, fit};
///
/// // Every other document is about the harbour, and a feature tells.
/// let words = ["ship", "tide", "wheel", "grain"].map(str::to_owned).to_vec();
/// let rows = (0..20).map(|d| if d % 2 == 0 { vec![(0, 9), (1, 8), (2, 1)] } else { vec![(2, 8), (3, 9)] });
/// let names = (0..20).map(|d| format!("letter {d}")).collect();
/// let corpus = Corpus::from_rows(words, names, rows.collect())?;
/// let features = DMatrix::from_fn(20, 1, |d, _| f64::from(d % 2 == 0));
///
/// let options = DirichletRegressionOptions { topics: 2, iterations: 200, learn_every: 5, ..DirichletRegressionOptions::default() };
/// let model = fit(&corpus, &features, &options, &mut Silent)?.model;
/// let (harbour, mill) = (model.prior(&[1.0])?, model.prior(&[0.0])?);
/// let ships = usize::from(harbour[1] > harbour[0]);
/// assert!(harbour[ships] > harbour[1 - ships] && mill[ships] < mill[1 - ships]);
/// # Ok::<(), posterior_topics::Error>(())
/// ```
///
/// # Errors
/// Options out of range, another number of rows than of documents, a feature that is not finite, or
/// coefficients by which a concentration leaves the range of f64.
pub fn fit(
    corpus: &Corpus,
    features: &DMatrix<f64>,
    options: &DirichletRegressionOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<FittedTopics<DirichletRegression, SweepReport>, Error> {
    options.check()?;
    check_features(corpus, features)?;
    let mut rng = stream(options.seed, &[]);
    let gibbs =
        TokenTopics::new(corpus, options.topics, options.beta, |_| rng.random_range(0..options.topics));
    let coefficients = Coefficients::new(features, options);
    let alpha = coefficients.alpha();
    let chain = RegressionChain {
        corpus,
        options,
        rng,
        gibbs,
        coefficients,
        alpha,
        pooled: PooledCounts::new(corpus, options.topics),
    };
    let mut run = Run::new(chain, options.schedule());
    run.note();
    let (mut chain, report) = run.finish(None, observer)?;
    if chain.pooled.states() == 0 {
        chain.pool();
    }
    let RegressionChain { coefficients, alpha, pooled, .. } = chain;
    let document_topic = pooled.mean_document_topic();
    let topics = options.topics;
    let doc_topic = DMatrix::from_fn(corpus.documents(), topics, |d, k| {
        let counts = &document_topic[d * topics..][..topics];
        (alpha[(d, k)] + counts[k]) / (alpha.row(d).sum() + counts.iter().sum::<f64>())
    });
    let average = alpha.column_iter().map(|column| column.mean()).collect();
    let lda = Lda::from_counts(corpus.vocabulary().to_vec(), average, options.beta, pooled.mean_word_topic());
    let model = DirichletRegression { lda, coefficients: coefficients.lambda };
    Ok(FittedTopics { model, doc_topic, report })
}

/// The chain with its coefficients, and the sums of its states.
struct RegressionChain<'a> {
    corpus: &'a Corpus,
    options: &'a DirichletRegressionOptions,
    rng: Pcg64,
    gibbs: TokenTopics,
    coefficients: Coefficients,
    /// Documents x topics.
    alpha: DMatrix<f64>,
    pooled: PooledCounts,
}

impl Chain for RegressionChain<'_> {
    type State = ();

    fn corpus(&self) -> &Corpus {
        self.corpus
    }

    fn sweep(&mut self, _: usize) {
        let all = 0..self.options.topics;
        for d in 0..self.corpus.documents() {
            let alpha: Vec<f64> = self.alpha.row(d).iter().copied().collect();
            self.gibbs.sweep_document(d, &all, &alpha, &mut (), &mut self.rng);
        }
    }

    fn fit_parameters(&mut self, iteration: usize) -> Result<(), Error> {
        if self.options.learns_after(iteration) {
            self.coefficients.climb(&self.gibbs.document_topic);
            self.alpha = self.coefficients.alpha();
            check_concentrations(&self.alpha)?;
        }
        Ok(())
    }

    fn ln_joint(&self) -> f64 {
        self.gibbs.ln_words() + ln_topics(&self.alpha, &self.gibbs.document_topic)
    }

    fn state(&self) {}

    fn pool(&mut self) {
        self.pooled.add_tables(&self.gibbs.document_topic, &self.gibbs.word_topic);
    }
}

fn check_features(corpus: &Corpus, features: &DMatrix<f64>) -> Result<(), Error> {
    size("features of documents", corpus.documents(), features.nrows())?;
    for &feature in features {
        check::finite("DirichletRegression", "features", feature)?;
    }
    Ok(())
}

fn check_concentrations(alpha: &DMatrix<f64>) -> Result<(), ParamError> {
    alpha.iter().try_for_each(|&a| check::positive("DirichletRegression", "concentration", a).map(|_| ()))
}
