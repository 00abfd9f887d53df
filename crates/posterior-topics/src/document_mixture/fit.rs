//! Fits by EM in its three styles.

use std::convert::Infallible;

use posterior_dist::stream::stream;
use posterior_inference::best_of;
use posterior_inference::em::{Hard, Problem, expectation_maximization, stochastic_em};
use posterior_math::iteration::{self, Observer};
use rand::Rng;

use super::model::DocumentMixture;
use super::options::{DocumentMixtureOptions, TopicAssignment};
use super::problem::{OneTopic, State};
use super::start;
use crate::checks::size;
use crate::distributions::heaviest_first;
use crate::term_matrix::TermMatrix;
use crate::{Corpus, Error, FittedTopics, TopicModel};

/// Fits a mixture of unigrams by EM from random starts.
///
/// `doc_topic` holds the probabilities of each document's topic. The trace is ln p(corpus), or with hard
/// assignments ln p(corpus, topics), plus the logarithm of the priors up to a constant; it never falls,
/// unless topics are sampled. Topics are numbered by their proportion of the tokens.
///
/// Cost: steps x 4 x distinct words of the documents x topics. The result has the same bits on any number of
/// threads.
///
/// # Errors
/// Options out of their range.
pub fn fit(
    corpus: &Corpus,
    options: &DocumentMixtureOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<FittedTopics<DocumentMixture>, Error> {
    options.check()?;
    let matrix = TermMatrix::counts(corpus);
    let Ok(found) = best_of(options.starts, options.seed, |rng| {
        let start = start::random(&matrix, options, rng);
        run(&matrix, start, options, rng, observer)
    });
    Ok(finish(corpus, &matrix, found.best, options))
}

/// Fits a mixture of unigrams by EM from a model, whose number of topics counts.
///
/// What is zero stays zero; where a prior forbids that, a step is taken before the trace begins.
///
/// # Errors
/// Options out of their range, or a model of another number of words than the corpus.
pub fn fit_from(
    corpus: &Corpus,
    start: &DocumentMixture,
    options: &DocumentMixtureOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<FittedTopics<DocumentMixture>, Error> {
    options.check()?;
    size("words of the start", corpus.vocabulary().len(), start.topics().vocabulary().len())?;
    let matrix = TermMatrix::counts(corpus);
    let mut rng = stream(options.seed, &[0]);
    let Ok(fitted) = run(&matrix, State::of(start), options, &mut rng, observer);
    Ok(finish(corpus, &matrix, fitted, options))
}

fn run<R: Rng + ?Sized>(
    matrix: &TermMatrix,
    mut start: State,
    options: &DocumentMixtureOptions,
    rng: &mut R,
    observer: &mut (impl Observer + ?Sized),
) -> Result<iteration::Fitted<State>, Infallible> {
    let problem = OneTopic::new(matrix, options);
    if problem.ln_prior(&start) == f64::NEG_INFINITY {
        start = problem.m_step(&problem.e_step(&start)?.statistics, &start)?;
    }
    match options.assignment {
        TopicAssignment::Soft => expectation_maximization(&problem, start, &options.em(), observer),
        TopicAssignment::Hard => expectation_maximization(&Hard(problem), start, &options.em(), observer),
        TopicAssignment::Sampled => stochastic_em(&problem, start, &options.em(), rng, observer),
    }
}

fn finish(
    corpus: &Corpus,
    matrix: &TermMatrix,
    fitted: iteration::Fitted<State>,
    options: &DocumentMixtureOptions,
) -> FittedTopics<DocumentMixture> {
    let iteration::Fitted { model: state, report } = fitted;
    let problem = OneTopic::new(matrix, options);
    let (proportions, _) = problem.responsibilities(&state);
    let model = state.model(corpus, &proportions);
    let order = heaviest_first(model.topics().weights());
    let sorted = State {
        ln_weights: order.iter().map(|&k| state.ln_weights[k]).collect(),
        ln_word_topic: state.ln_word_topic.select_columns(&order),
    };
    let proportions = proportions.select_columns(&order);
    FittedTopics { model: sorted.model(corpus, &proportions), doc_topic: proportions.to_matrix(), report }
}
