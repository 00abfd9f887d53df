//! The driver of a fit: sweeps, learning of the coefficients, pooling.

use posterior_dist::stream::stream;
use posterior_math::iteration::{Observer, Progress, Stop};
use posterior_math::linalg::DMatrix;
use posterior_math::{ParamError, check};

use super::chain::Chain;
use super::coefficients::{Coefficients, ln_topics};
use super::model::DirichletRegression;
use super::options::Options;
use crate::error::size;
use crate::lda::Lda;
use crate::{Corpus, Error, Fitted};

/// How a fit went.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct RegressionReport {
    /// Sweeps done.
    pub sweeps: usize,
    /// The joint log-likelihood along the way.
    pub trace: Vec<TracePoint>,
    /// Why the fit ended. A chain does not converge to a point, so that its usual end is
    /// [`Stop::MaxIterations`].
    pub stop: Stop,
}

/// One value of the joint log-likelihood.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct TracePoint {
    /// Sweeps done.
    pub sweep: usize,
    /// ln p(W, Z | coefficients, beta).
    pub ln_joint: f64,
}

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
/// use posterior_topics::dirichlet_regression::{Options, fit};
///
/// // Every other document is about the harbour, and a feature tells.
/// let words = ["ship", "tide", "wheel", "grain"].map(str::to_owned).to_vec();
/// let rows = (0..20).map(|d| if d % 2 == 0 { vec![(0, 9), (1, 8), (2, 1)] } else { vec![(2, 8), (3, 9)] });
/// let names = (0..20).map(|d| format!("letter {d}")).collect();
/// let corpus = Corpus::from_rows(words, names, rows.collect())?;
/// let features = DMatrix::from_fn(20, 1, |d, _| f64::from(d % 2 == 0));
///
/// let options = Options { topics: 2, iterations: 200, learn_every: 5, ..Options::default() };
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
    options: &Options,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Fitted<DirichletRegression, RegressionReport>, Error> {
    options.check()?;
    check_features(corpus, features)?;
    let mut rng = stream(options.seed, &[]);
    let mut chain = Chain::new(corpus, options.topics, options.beta, &mut rng);
    let mut coefficients = Coefficients::new(features, options);
    let mut alpha = coefficients.alpha();
    let mut pooled = Pooled::default();
    let ln_joint =
        |chain: &Chain, alpha: &DMatrix<f64>| chain.ln_words() + ln_topics(alpha, &chain.document_topic);
    let mut latest = ln_joint(&chain, &alpha);
    let mut trace = vec![TracePoint { sweep: 0, ln_joint: latest }];
    let mut progress = Progress::new(latest, options.iterations, observer);
    let stop = loop {
        if progress.exhausted() {
            break Stop::MaxIterations;
        }
        let sweep = progress.iterations() + 1;
        chain.sweep(&alpha, &mut rng);
        if options.learns_after(sweep) {
            coefficients.climb(&chain.document_topic);
            alpha = coefficients.alpha();
            check_concentrations(&alpha)?;
        }
        if options.pools_after(sweep) {
            pooled.push(&chain);
        }
        if sweep.is_multiple_of(options.trace_every) || sweep == options.iterations {
            latest = ln_joint(&chain, &alpha);
            trace.push(TracePoint { sweep, ln_joint: latest });
        }
        if progress.stopped_after(latest) {
            break Stop::Observer;
        }
    };
    let report = RegressionReport { sweeps: progress.iterations(), trace, stop };
    if pooled.states == 0.0 {
        pooled.push(&chain);
    }
    let (word_topic, document_topic) = pooled.means();
    let topics = options.topics;
    let doc_topic = DMatrix::from_fn(corpus.documents(), topics, |d, k| {
        let counts = &document_topic[d * topics..][..topics];
        (alpha[(d, k)] + counts[k]) / (alpha.row(d).sum() + counts.iter().sum::<f64>())
    });
    let average = alpha.column_iter().map(|column| column.mean()).collect();
    let lda = Lda::from_counts(corpus.vocabulary().to_vec(), average, options.beta, word_topic);
    let model = DirichletRegression { lda, coefficients: coefficients.lambda };
    Ok(Fitted { model, doc_topic, report })
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

/// Sums of counts over states.
#[derive(Default)]
struct Pooled {
    states: f64,
    word_topic: Vec<u64>,
    document_topic: Vec<u64>,
}

impl Pooled {
    fn push(&mut self, chain: &Chain) {
        self.states += 1.0;
        for (sums, counts) in
            [(&mut self.word_topic, &chain.word_topic), (&mut self.document_topic, &chain.document_topic)]
        {
            sums.resize(counts.len(), 0);
            for (sum, &count) in sums.iter_mut().zip(counts) {
                *sum += u64::from(count);
            }
        }
    }

    /// Words x topics and documents x topics, row by row.
    fn means(self) -> (Vec<f64>, Vec<f64>) {
        let mean = |sums: Vec<u64>| sums.into_iter().map(|sum| sum as f64 / self.states).collect();
        (mean(self.word_topic), mean(self.document_topic))
    }
}
