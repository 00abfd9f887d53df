//! The driver of a fit.

use posterior_math::ParamError;
use posterior_math::iteration::{Observer, Progress, Report, Silent, Stop};
use posterior_math::linalg::DMatrix;

use super::blocks::Storage;
use super::kernel::Mode;
use super::state::State;
use super::{LdaCollapsedVariationalOptions, Precision};
use crate::lanes::{Lane, without_padding};
use crate::lda::start::{Setting, VariationalStart};
use crate::lda::{Hyperparameters, Lda, concentration, sorted};
use crate::{Corpus, Error, FittedTopics};

/// Fits latent Dirichlet allocation by collapsed variational Bayes, of zeroth or second order.
///
/// A step of the report is a pass over the corpus. Its objective is the sum of ln p(token | all other tokens)
/// as the pass meets the tokens, an approximation: it climbs as a rule, but nothing promises it, and falls
/// are not noted. Topics come by weight, unless the prior tells them apart. The result depends on the seed
/// and the groups, and not on the number of threads: blocks of documents and words are gone through side by
/// side, and only the totals of topics are brought together between them.
///
/// Cost of a pass: pairs of documents and distinct words x topics; about ten times as much for the second
/// order. Memory: four bytes (or eight) for each pair and topic.
///
/// # Errors
/// Options out of range, or a model to start from that does not fit the corpus.
pub fn fit(
    corpus: &Corpus,
    options: &LdaCollapsedVariationalOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<FittedTopics<Lda>, Error> {
    options.check()?;
    match options.precision {
        Precision::Single => fit_with::<f32, _>(corpus, options, observer),
        Precision::Double => fit_with::<f64, _>(corpus, options, observer),
    }
}

/// Expected counts of words (rows) in topics (padded) that a fit begins with.
pub(in crate::lda) fn start_counts(
    start: &VariationalStart,
    corpus: &Corpus,
    setting: &Setting<'_>,
) -> Result<Vec<Lane>, Error> {
    let &VariationalStart::Collapsed(passes) = start else { return start.counts(corpus, setting) };
    if passes == 0 {
        return Err(ParamError::new("Lda", "collapsed", 0.0, "at least 1").into());
    }
    let options = LdaCollapsedVariationalOptions {
        topics: setting.alpha.len(),
        max_iterations: passes,
        tolerance: 0.0,
        alpha: setting.alpha.to_vec().into(),
        beta: setting.beta,
        word_weights: setting.word_weights.clone(),
        start: VariationalStart::Noise,
        seed: setting.seed,
        threads: setting.threads,
        ..LdaCollapsedVariationalOptions::default()
    };
    options.check()?;
    let (state, _) = run::<f32, _>(corpus, &options, &mut Silent)?;
    let mut counts = state.word_counts();
    for n in counts.as_flattened_mut() {
        *n = n.max(0.0);
    }
    Ok(counts)
}

fn fit_with<S: Storage, O: Observer + ?Sized>(
    corpus: &Corpus,
    options: &LdaCollapsedVariationalOptions,
    observer: &mut O,
) -> Result<FittedTopics<Lda>, Error> {
    let (state, report) = run::<S, O>(corpus, options, observer)?;
    let (model, doc_topic) = estimates(corpus, &state);
    Ok(FittedTopics { model, doc_topic, report })
}

fn run<S: Storage, O: Observer + ?Sized>(
    corpus: &Corpus,
    options: &LdaCollapsedVariationalOptions,
    observer: &mut O,
) -> Result<(State<S>, Report), Error> {
    let pool = concentration::thread_pool(options.threads)?;
    let alpha = options.alpha.of_topics(options.topics)?;
    let setting = Setting {
        alpha: &alpha,
        beta: options.beta,
        word_weights: &options.word_weights,
        seed: options.seed,
        threads: options.threads,
    };
    let mut state = pool.install(|| {
        let counts = start_counts(&options.start, corpus, &setting)?;
        State::<S>::new(corpus, options, &alpha, &counts)
    })?;
    let mut objective = pool.install(|| state.sweep(Mode::Look));
    let mut progress = Progress::new(objective, options.max_iterations, observer);
    let stop = loop {
        if progress.exhausted() {
            break Stop::MaxIterations;
        }
        let next = pool.install(|| {
            if options.hyperparameters == Hyperparameters::Optimized {
                state.improve_concentrations();
            }
            state.sweep(Mode::Update)
        });
        let change = (next - std::mem::replace(&mut objective, next)).abs();
        if progress.stopped_after(next) {
            break Stop::Observer;
        }
        if change <= options.tolerance * next.abs() {
            break Stop::Converged;
        }
    };
    Ok((state, progress.finish(stop)))
}

fn estimates<S: Storage>(corpus: &Corpus, state: &State<S>) -> (Lda, DMatrix<f64>) {
    let (alpha, topics) = (state.alpha(), state.alpha().len());
    let whole = |rows: Vec<f64>| rows.into_iter().map(|n| n.max(0.0)).collect::<Vec<f64>>();
    let counts = whole(without_padding(&state.word_counts(), topics));
    let documents = whole(without_padding(&state.document_counts(), topics));
    let gamma = DMatrix::from_fn(corpus.documents(), topics, |d, k| documents[d * topics + k] + alpha[k]);
    sorted::by_weight(corpus.vocabulary(), (alpha, state.concentrations()), &counts, &gamma)
}
