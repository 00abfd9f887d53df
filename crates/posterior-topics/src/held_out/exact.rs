//! The likelihood without chance, where it can be had.

use super::HeldOutEstimate;
use super::estimate::check_inputs;
use super::tokens::Tokens;
use crate::{Corpus, Error, Topics};

/// `ln p(w)` of each document by dynamic programming.
///
/// What the prior says of the next topic depends on the counts of topics so far, not on which token has
/// which. The sum over assignments is therefore one over counts, `(N + 1)^(K - 1)` of them at most: for two
/// topics and any document, or for short documents and a few topics.
///
/// # Errors
/// Other than one positive concentration a topic, another vocabulary than the topics', or a document with
/// more than `most_states` counts.
pub fn exact(
    topics: &Topics,
    alpha: &[f64],
    corpus: &Corpus,
    most_states: usize,
) -> Result<HeldOutEstimate, Error> {
    check_inputs(topics, alpha, corpus)?;
    let mut ln_likelihood = Vec::with_capacity(corpus.documents());
    for (d, document) in corpus.iter().enumerate() {
        let states = u32::try_from(topics.len() - 1)
            .ok()
            .and_then(|free| usize::try_from(document.tokens() + 1).ok()?.checked_pow(free))
            .filter(|&states| states <= most_states)
            .ok_or_else(|| {
                let (name, tokens) = (&corpus.names()[d], document.tokens());
                let error = format!(
                    "document {name}: {tokens} tokens and {} topics need more than {most_states} states",
                    topics.len()
                );
                Error::Corpus(error).with_hint("left_to_right estimates the likelihood of any document")
            })?;
        let tokens = Tokens::new(topics, alpha, document);
        ln_likelihood.push(if tokens.impossible() { f64::NEG_INFINITY } else { sum(&tokens, states) });
    }
    let standard_errors = vec![0.0; ln_likelihood.len()];
    Ok(HeldOutEstimate { ln_likelihood, standard_errors, tokens: corpus.tokens() })
}

/// ln of the sum over all counts.
///
/// A state is the counts of all topics but the last, as digits in base N + 1; the last topic has the rest.
fn sum(tokens: &Tokens<'_>, states: usize) -> f64 {
    let base = tokens.len() + 1;
    let last = tokens.topics() - 1;
    let places: Vec<usize> =
        (0..last).scan(1, |place, _| Some(std::mem::replace(place, *place * base))).collect();
    let mut mass = vec![0.0; states];
    mass[0] = 1.0;
    let mut ln_sum = tokens.ln_scale();
    for n in 0..tokens.len() {
        let factors = tokens.factors(n);
        let urn = |k: usize, count: usize| factors[k] * (count as f64 + tokens.alpha[k]);
        let mut total = 0.0;
        // From above, so that what a state takes from is still that of the token before.
        for state in (0..states).rev() {
            let counts = places.iter().map(|place| state / place % base);
            let assigned: usize = counts.clone().sum();
            if assigned > n + 1 {
                continue;
            }
            let mut next = if assigned <= n { mass[state] * urn(last, n - assigned) } else { 0.0 };
            for (k, (count, place)) in counts.zip(&places).enumerate().filter(|(_, (count, _))| *count > 0) {
                next += mass[state - place] * urn(k, count - 1);
            }
            mass[state] = next;
            total += next;
        }
        ln_sum += (total / (tokens.alpha_sum + n as f64)).ln();
        for entry in &mut mass {
            *entry /= total;
        }
    }
    ln_sum
}
