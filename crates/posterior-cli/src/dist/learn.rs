//! What data do to a distribution that is a prior.

use posterior::dist::text::{Call, Value};
use posterior::gaussian::text::{self, CONJUGATE_PAIRS, LearnError};
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

/// Updates the distribution that was given by the data that were given.
pub(super) fn learn(
    distribution: &str,
    prior: &Call,
    observed: &str,
    likelihood: Option<&str>,
) -> Result<Learning, Failure> {
    let points = text_input::values("--observe", observed)?;
    let call = likelihood.map(|likelihood| text_input::call("--likelihood", likelihood)).transpose()?;
    let learned = text::learn(prior, call.as_ref(), &points).map_err(|error| match &error {
        LearnError::Point(error) => text_input::failure("--observe", observed, error, 1),
        LearnError::Likelihood(error) => {
            text_input::failure("--likelihood", likelihood.unwrap_or_default(), error, 0)
        }
        LearnError::Prior(error) => {
            with_likelihoods(text_input::failure("distribution", distribution, error, 0), &prior.name)
        }
        _ => Failure::data(error.to_string()),
    })?;
    Ok(Learning {
        observations: points.len(),
        likelihood: learned.likelihood.to_string().trim_end_matches("()").to_owned(),
        posterior: described(&learned.posterior),
        predictive: described(&learned.predictive),
        ln_evidence: learned.ln_evidence.into(),
        evidence: learned.ln_evidence,
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
    /// The update in text: what was fitted, and the distribution of the next point.
    pub(super) fn text(&self) -> String {
        let head = [
            ("observations".to_owned(), format!("{} of {}", self.observations, self.likelihood)),
            ("ln evidence".to_owned(), rounded(self.evidence)),
        ];
        let distribution = |title: &str, distribution: &Described| {
            let mut rows = vec![(title.to_owned(), distribution.distribution.clone())];
            rows.extend(
                lines(&distribution.moments).into_iter().map(|(name, value)| (format!("  {name}"), value)),
            );
            text_table::pairs(&rows)
        };
        [
            text_table::pairs(&head),
            distribution("posterior", &self.posterior),
            distribution("predictive", &self.predictive),
        ]
        .join("\n")
    }
}
