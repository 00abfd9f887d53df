//! Fits by EM.

use posterior_dist::stream::stream;
use posterior_inference::best_of;
use posterior_inference::em::{Problem, expectation_maximization};
use posterior_math::iteration::{self, Observer};
use rand::Rng;

use super::model::Plsa;
use super::options::PlsaOptions;
use super::parameters::Parameters;
use super::problem::{MixedMembership, State};
use crate::checks::size;
use crate::distributions::{heaviest_first, random_columns, random_rows};
use crate::term_matrix::TermMatrix;
use crate::{Corpus, Error, FittedTopics};

/// Fits probabilistic latent semantic analysis by EM from random starts.
///
/// The trace of the report is ln L, p(d) included, plus the logarithm of the priors up to a constant. It
/// never falls. Topics are numbered by weight.
///
/// Cost: steps x 6 x distinct words of the documents x topics; what each token expects is never stored. The
/// result has the same bits on any number of threads.
///
/// # Errors
/// Options out of their range.
pub fn fit(
    corpus: &Corpus,
    options: &PlsaOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<FittedTopics<Plsa>, Error> {
    options.check()?;
    let matrix = TermMatrix::counts(corpus);
    let problem = MixedMembership::new(&matrix, options);
    let Ok(found) = best_of(options.starts, options.seed, |rng| {
        let start = random_start(&problem, &matrix, options.topics, rng);
        expectation_maximization(&problem, start, &options.em(), &mut *observer)
    });
    let iteration::Fitted { model, report } = found.best;
    Ok(finish(corpus, model, options, report))
}

/// Fits probabilistic latent semantic analysis by EM from given parameters, whose number of topics counts.
///
/// What is zero stays zero; where a prior forbids that, a step is taken before the trace begins. Topics keep
/// their order.
///
/// # Errors
/// Options out of their range, or parameters of another number of documents or words than the corpus.
pub fn fit_from(
    corpus: &Corpus,
    start: &Parameters,
    options: &PlsaOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<FittedTopics<Plsa>, Error> {
    options.check()?;
    size("documents of the start", corpus.documents(), start.document_topic.nrows())?;
    size("words of the start", corpus.vocabulary().len(), start.topic_word.ncols())?;
    let matrix = TermMatrix::counts(corpus);
    let problem = MixedMembership::new(&matrix, options);
    let mut state = State::of(start);
    if problem.ln_prior(&state) == f64::NEG_INFINITY {
        let Ok(expected) = problem.e_step(&state);
        let Ok(next) = problem.m_step(&expected.statistics, &state);
        state = next;
    }
    let Ok(iteration::Fitted { model, report }) =
        expectation_maximization(&problem, state, &options.em(), observer);
    Ok(Plsa::fitted(corpus, &model, options, report))
}

/// p(d) of the corpus, proportions uniform over the simplex, and topics that scatter about the words'
/// proportions.
pub(super) fn random_start<R: Rng + ?Sized>(
    problem: &MixedMembership<'_>,
    matrix: &TermMatrix,
    topics: usize,
    rng: &mut R,
) -> State {
    let all: f64 = problem.totals().iter().sum();
    let proportions: Vec<f64> =
        matrix.word_totals().iter().map(|total| total + problem.added_word()).collect();
    State {
        document_proportions: problem.totals().iter().map(|total| total / all).collect(),
        document_topic: random_rows(matrix.documents(), topics, rng),
        word_topic: random_columns(&proportions, topics, rng),
    }
}

/// The start of the first random fit.
pub(super) fn first_start(
    problem: &MixedMembership<'_>,
    matrix: &TermMatrix,
    options: &PlsaOptions,
) -> State {
    random_start(problem, matrix, options.topics, &mut stream(options.seed, &[0]))
}

/// The fitted model, topics by weight.
pub(super) fn finish<R>(
    corpus: &Corpus,
    state: State,
    options: &PlsaOptions,
    report: R,
) -> FittedTopics<Plsa, R> {
    let mut weights = vec![0.0; state.document_topic.columns()];
    for (d, &proportion) in state.document_proportions.iter().enumerate() {
        for (weight, p) in weights.iter_mut().zip(state.document_topic.numbers(d)) {
            *weight += proportion * p;
        }
    }
    let order = heaviest_first(&weights);
    let sorted = State {
        document_topic: state.document_topic.select_columns(&order),
        word_topic: state.word_topic.select_columns(&order),
        ..state
    };
    Plsa::fitted(corpus, &sorted, options, report)
}
