//! How well a fitted model predicts documents that it has not seen.

use std::borrow::Cow;

use posterior::sampling::tempering::TemperatureSchedule;
use posterior::topics::corpus::{WordSequences, split_tokens};
use posterior::topics::held_out::{
    Annealed, Chib, HeldOutEstimate, LeftToRight, PerToken, annealed, chib, exact, left_to_right, per_token,
};
use posterior::topics::{Corpus, Topics};
use serde::Serialize;

use super::documents::Documents;
use super::fitted_model::FittedModel;
use crate::args::{EstimatorChoice, EstimatorKind, Model, TopicsFit, name};
use crate::failure::Failure;
use crate::json;

/// The most counts that are summed over for one document.
const MOST_STATES: usize = 1_000_000;
/// The power by which temperatures come nearer to the prior.
const POWER: f64 = 2.0;

/// How held-out documents were scored.
#[derive(Debug, Serialize)]
pub(super) struct HeldOutScore {
    pub(super) estimator: String,
    /// ln p a scored token, and its standard error over documents.
    pub(super) ln_per_token: f64,
    #[serde(serialize_with = "json::number")]
    pub(super) standard_error: f64,
    /// That of the estimator, where chance is in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) monte_carlo_error: Option<f64>,
}

/// The score of each held-out document.
#[derive(Debug, Clone)]
pub(super) struct HeldOut {
    estimator: EstimatorChoice,
    /// ln p of the tokens that are scored.
    ln: Vec<f64>,
    tokens: Vec<u64>,
    per_token: PerToken,
    /// The Monte Carlo standard error of the mean, where chance is in it.
    chance: Option<f64>,
}

impl HeldOut {
    fn new(
        estimator: EstimatorChoice,
        ln: Vec<f64>,
        tokens: Vec<u64>,
        chance: Option<f64>,
    ) -> Result<Self, Failure> {
        let per_token = per_token(&ln, &tokens)?;
        Ok(Self { estimator, ln, tokens, per_token, chance })
    }

    pub(super) fn perplexity(&self) -> f64 {
        (-self.per_token.mean).exp()
    }

    /// ln p a token, with its standard error over documents.
    pub(super) fn per_token(&self) -> PerToken {
        self.per_token
    }

    /// As the answer has it.
    pub(super) fn answer(&self) -> HeldOutScore {
        HeldOutScore {
            estimator: self.estimator.to_string(),
            ln_per_token: self.per_token.mean,
            standard_error: self.per_token.standard_error,
            monte_carlo_error: self.chance,
        }
    }

    /// By how much this is better a token, and the standard error of that over the documents.
    pub(super) fn above(&self, other: &Self) -> Result<PerToken, Failure> {
        let differences: Vec<f64> = self.ln.iter().zip(&other.ln).map(|(own, other)| own - other).collect();
        Ok(per_token(&differences, &self.tokens)?)
    }
}

/// Refuses an estimator that the model has no prior for, or that nothing is held out for.
pub(super) fn check(args: &TopicsFit, held_out: bool) -> Result<(), Failure> {
    let Some(estimator) = args.estimator else { return Ok(()) };
    if !held_out {
        let message = "--estimator: a run without --held-out has no use for it; it is for runs with --held-out, and for those with \
                       a range of --topics";
        return Err(Failure::Usage(message.to_owned()));
    }
    let with_prior =
        matches!(args.model, Model::Lda | Model::Hdp | Model::KernelLda | Model::Dmr | Model::PitmanYor);
    if estimator.kind == EstimatorKind::Completion || with_prior {
        return Ok(());
    }
    let model = name(args.model);
    Err(Failure::Usage(format!(
        "--estimator: --model {model} has no Dirichlet prior of the proportions of a document; completion is for every model"
    )))
}

/// Scores held-out documents.
pub(super) fn score(
    model: &FittedModel,
    test: &Documents<'_>,
    estimator: EstimatorChoice,
    seed: u64,
) -> Result<HeldOut, Failure> {
    if estimator.kind == EstimatorKind::Completion {
        return completion(model, test, seed);
    }
    let tokens: Vec<u64> = test.corpus.iter().map(|document| document.tokens()).collect();
    let found = if let (FittedModel::Regression(regression), Some(features)) = (model, &test.features) {
        // Each document has a prior of its own.
        let mut all = HeldOutSums::default();
        for (d, &count) in tokens.iter().enumerate() {
            // There is nothing to score, and no corpus of it.
            if count == 0 {
                all.push(0.0, 0.0);
                continue;
            }
            let own: Vec<f64> = features.row(d).iter().copied().collect();
            let alpha = regression.model.prior(&own).map_err(crate::failure::refused)?;
            let one = test.corpus.select(&[d])?;
            let found = estimate(model.topics(), &alpha, &one, estimator, seed.wrapping_add(d as u64))?;
            all.push(found.total(), found.total_standard_error());
        }
        all
    } else {
        let alpha = model.alpha().unwrap_or_default();
        let found = estimate(model.topics(), &alpha, &test.corpus, estimator, seed)?;
        HeldOutSums { ln: found.ln_likelihood, errors: found.standard_errors }
    };
    let error = found.errors.iter().map(|error| error * error).sum::<f64>().sqrt();
    let chance = error / tokens.iter().sum::<u64>() as f64;
    let random = estimator.kind != EstimatorKind::Exact;
    HeldOut::new(estimator, found.ln, tokens, random.then_some(chance))
}

#[derive(Default)]
struct HeldOutSums {
    ln: Vec<f64>,
    errors: Vec<f64>,
}

impl HeldOutSums {
    fn push(&mut self, ln: f64, error: f64) {
        self.ln.push(ln);
        self.errors.push(error);
    }
}

fn estimate(
    topics: &Topics,
    alpha: &[f64],
    corpus: &Corpus,
    EstimatorChoice { kind, size }: EstimatorChoice,
    seed: u64,
) -> Result<HeldOutEstimate, Failure> {
    Ok(match kind {
        EstimatorKind::LeftToRight => {
            let options = LeftToRight { particles: size, seed, ..LeftToRight::default() };
            left_to_right(topics, alpha, corpus, &options)?
        }
        EstimatorKind::Chib => chib(topics, alpha, corpus, &Chib { length: size, seed, ..Chib::default() })?,
        EstimatorKind::Annealed => {
            let schedule = TemperatureSchedule::power(size, POWER).map_err(crate::failure::refused)?;
            annealed(topics, alpha, corpus, &Annealed { seed, ..Annealed::new(schedule) })?
        }
        EstimatorKind::Exact | EstimatorKind::Completion => exact(topics, alpha, corpus, MOST_STATES)?,
    })
}

/// One half of each document by the proportions of the other: at random, of models of order the second half.
fn completion(model: &FittedModel, test: &Documents<'_>, seed: u64) -> Result<HeldOut, Failure> {
    let (observed, scored) = if matches!(model, FittedModel::Bigram(_)) {
        let all = test.in_order("a model of pairs of words")?;
        let half = |own: WordSequences| -> Result<Documents<'static>, Failure> {
            let corpus = own.corpus()?;
            Ok(Documents { sequences: Some(own), ..Documents::of_words(Cow::Owned(corpus)) })
        };
        let [observed, scored] = all.halves();
        (half(observed)?, half(scored)?)
    } else {
        let halves = split_tokens(&test.corpus, seed)?;
        let of = |corpus| Documents {
            features: test.features.clone(),
            covariates: test.covariates.clone(),
            times: test.times.clone(),
            ..Documents::of_words(Cow::Owned(corpus))
        };
        (of(halves.observed), of(halves.scored))
    };
    let ln = model.ln_predictive(&observed, &scored)?;
    let tokens = scored.corpus.iter().map(|document| document.tokens()).collect();
    HeldOut::new(EstimatorChoice::default(), ln, tokens, None)
}
