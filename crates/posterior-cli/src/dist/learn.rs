//! What data do to a law that is a prior.

use posterior::dist::text::{self, CONJUGATE_PAIRS, Call, LearnError, Value};
use serde::Serialize;

use super::describe::{Described, described, lines, rounded};
use super::text_input;
use crate::failure::Failure;
use crate::text_table;

/// A conjugate update in JSON.
#[derive(Debug, Serialize)]
pub(super) struct Learning {
    observations: usize,
    likelihood: String,
    posterior: Described,
    predictive: Described,
    ln_evidence: Value,
    #[serde(skip)]
    evidence: f64,
}

/// Updates the law that was given by the data that were given.
pub(super) fn learn(
    law: &str,
    prior: &Call,
    observed: &str,
    likelihood: Option<&str>,
) -> Result<Learning, Failure> {
    let points = text_input::values("--observe", observed)?;
    let call = likelihood.map(|likelihood| text_input::call("--likelihood", likelihood)).transpose()?;
    let learnt = text::learn(prior, call.as_ref(), &points).map_err(|error| match &error {
        LearnError::Point(error) => text_input::failure("--observe", observed, error, 1),
        LearnError::Likelihood(error) => {
            text_input::failure("--likelihood", likelihood.unwrap_or_default(), error, 0)
        }
        LearnError::Prior(error) => with_likelihoods(text_input::failure("law", law, error, 0), &prior.name),
        _ => Failure::data(error.to_string()),
    })?;
    Ok(Learning {
        observations: points.len(),
        likelihood: learnt.likelihood.to_string().trim_end_matches("()").to_owned(),
        posterior: described(&learnt.posterior),
        predictive: described(&learnt.predictive),
        ln_evidence: learnt.ln_evidence.into(),
        evidence: learnt.ln_evidence,
    })
}

/// What may help: another prior, or a likelihood.
fn with_likelihoods(failure: Failure, prior: &str) -> Failure {
    let pairs = CONJUGATE_PAIRS.iter().filter(|pair| pair.prior == prior);
    if let Some(pair) = pairs.into_iter().find(|pair| !pair.fixed.is_empty()) {
        return failure
            .with_hint(format!("say what is known: --likelihood \"{} = ..)\"", opened(&pair.signature())));
    }
    let mut priors: Vec<&str> = CONJUGATE_PAIRS.iter().map(|pair| pair.prior).collect();
    priors.dedup();
    failure.with_hint(format!("--observe updates one of: {}", priors.join(", ")))
}

/// A signature without its closing bracket.
fn opened(signature: &str) -> &str {
    signature.trim_end_matches(')')
}

impl Learning {
    /// The update in text: what was learnt, and the law of the next point.
    pub(super) fn text(&self) -> String {
        let head = [
            ("observations".to_owned(), format!("{} of {}", self.observations, self.likelihood)),
            ("ln evidence".to_owned(), rounded(self.evidence)),
        ];
        let law = |title: &str, law: &Described| {
            let mut rows = vec![(title.to_owned(), law.law.clone())];
            rows.extend(lines(&law.moments).into_iter().map(|(name, value)| (format!("  {name}"), value)));
            text_table::pairs(&rows)
        };
        [text_table::pairs(&head), law("posterior", &self.posterior), law("predictive", &self.predictive)]
            .join("\n")
    }
}
