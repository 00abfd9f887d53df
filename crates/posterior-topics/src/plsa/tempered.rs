//! Tempered EM: topics that predict words which were held out.

use posterior_inference::em::Problem;
use posterior_math::ParamError;

use super::fit::{finish, first_start};
use super::model::Plsa;
use super::options::PlsaOptions;
use super::problem::{MixedMembership, State};
use crate::checks::size;
use crate::factor_rows::dot;
use crate::term_matrix::TermMatrix;
use crate::{Corpus, Error, FittedTopics};

/// Options of the tempering of the E step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tempering {
    /// By what the exponent is multiplied from stage to stage, in (0, 1). Default 0.9.
    pub cooling: f64,
    /// Steps without a better score after which a stage ends. Default 3.
    pub patience: usize,
    /// The largest number of stages. Default 10.
    pub max_stages: usize,
}

impl Default for Tempering {
    fn default() -> Self {
        Self { cooling: 0.9, patience: 3, max_stages: 10 }
    }
}

/// One exponent of a tempered fit.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct TemperedStage {
    /// β in q(z) ∝ [p(z | d) p(w | z)]^β.
    pub exponent: f64,
    /// Steps of EM.
    pub iterations: usize,
    /// The best ln p per held-out token up to the end of this stage.
    pub held_out: f64,
}

/// The report of a tempered fit.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct TemperedReport {
    /// The stages. The last one, if there is more than one, did not raise the score any more, or was the last
    /// allowed.
    pub stages: Vec<TemperedStage>,
    /// The exponent at which the returned model was found.
    pub exponent: f64,
    /// ln p per held-out token of the returned model.
    pub held_out: f64,
}

/// Fits by tempered EM (Hofmann 2001), against over-fitting.
///
/// EM runs until it predicts `held_out`, other tokens of the same documents, no better; then the exponent of
/// the E step is lowered, so that topics become less certain of their tokens, and the run goes on from the
/// best parameters, until a stage brings nothing. The best parameters are returned. Held-out tokens of words
/// that `corpus` does not have are passed over, unless a prior makes them possible.
/// [`split_tokens`](crate::corpus::split_tokens) makes such parts.
///
/// # Errors
/// Options out of their range; other documents or words in `held_out` than in `corpus`, or no token there
/// that could be scored.
pub fn fit_tempered(
    corpus: &Corpus,
    held_out: &Corpus,
    options: &PlsaOptions,
    tempering: &Tempering,
) -> Result<FittedTopics<Plsa, TemperedReport>, Error> {
    options.check()?;
    if !(tempering.cooling > 0.0 && tempering.cooling < 1.0) {
        return Err(ParamError::new("Tempering", "cooling", tempering.cooling, "between 0 and 1").into());
    }
    size("held-out documents", corpus.documents(), held_out.documents())?;
    size("words of the held-out documents", corpus.vocabulary().len(), held_out.vocabulary().len())?;
    let (matrix, scored) = (TermMatrix::counts(corpus), TermMatrix::counts(held_out));
    let problem = MixedMembership::new(&matrix, options);
    let start = first_start(&problem, &matrix, options);
    let score = score(&start, &scored).ok_or_else(|| {
        Error::Corpus("no held-out token is of a word that the corpus has: nothing can be scored".to_owned())
    })?;
    let mut best = Best { state: start, score, exponent: 1.0 };
    let mut stages = Vec::new();
    let mut exponent = 1.0;
    for _ in 0..tempering.max_stages.max(1) {
        let before = best.score;
        let iterations = best.climb(&problem.tempered(exponent), &scored, exponent, options, tempering);
        stages.push(TemperedStage { exponent, iterations, held_out: best.score });
        if !(best.score > before) {
            break;
        }
        exponent *= tempering.cooling;
    }
    let report = TemperedReport { stages, exponent: best.exponent, held_out: best.score };
    Ok(finish(corpus, best.state, options, report))
}

/// The best parameters so far.
struct Best {
    state: State,
    score: f64,
    exponent: f64,
}

impl Best {
    /// Steps of EM from here until the score stays behind; how many.
    fn climb(
        &mut self,
        problem: &MixedMembership<'_>,
        scored: &TermMatrix,
        exponent: f64,
        options: &PlsaOptions,
        tempering: &Tempering,
    ) -> usize {
        let mut state = self.state.clone();
        let mut behind = 0;
        for iteration in 1..=options.max_iterations {
            let Ok(expected) = problem.e_step(&state);
            let Ok(next) = problem.m_step(&expected.statistics, &state);
            state = next;
            let found = score(&state, scored).unwrap_or(f64::NEG_INFINITY);
            let gain = found - self.score;
            if gain > 0.0 {
                *self = Self { state: state.clone(), score: found, exponent };
            }
            behind = if gain > options.tolerance * self.score.abs() { 0 } else { behind + 1 };
            if behind > tempering.patience {
                return iteration;
            }
        }
        options.max_iterations
    }
}

/// ln p(w | d) per token of words that some topic has.
fn score(state: &State, scored: &TermMatrix) -> Option<f64> {
    let (mut ln, mut tokens) = (0.0, 0.0);
    for d in 0..scored.documents() {
        let (words, counts) = scored.document(d);
        let theta = state.document_topic.row(d);
        for (&word, count) in words.iter().zip(counts) {
            let phi = state.word_topic.row(word as usize);
            if phi.as_flattened().iter().any(|&p| p > 0.0) {
                ln += count * dot(theta, phi).ln();
                tokens += count;
            }
        }
    }
    (tokens > 0.0).then(|| ln / tokens)
}
