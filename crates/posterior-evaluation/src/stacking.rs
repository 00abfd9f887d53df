//! Weights of models whose predictions are averaged.

use posterior_math::check::{self, ParamError};

/// The mean score of an outcome is this close to the highest there is, in nats.
const GAP: f64 = 1e-9;

/// Steps at most: some tens are usual, more where models are all but alike.
const STEPS: usize = 10_000;

/// The weights of models, none negative and adding up to 1, with which the average of their predictive
/// densities has the highest logarithmic score, Σᵢ ln Σₖ wₖ pₖ(yᵢ): stacking.
///
/// `ln_scores` has a list for each model: ln p of each outcome, in an order that is common to all, by
/// predictions that have not seen it; -∞ where a model rules an outcome out. A model is weighted by what it
/// adds to the others: the second best may get none, and a poor one some, where it knows what the others do
/// not.
///
/// By EM, which ends where the mean score is within 1e-9 nats of the highest, or after 10,000 steps, each of
/// which takes a multiplication and a division for each model and outcome.
///
/// ```
/// use posterior_evaluation::stacking_weights;
///
/// // Five days of rain and dry weather: one model says one half, the other is sure, and right four times.
/// let [half, sure] = [vec![0.5_f64.ln(); 5], [0.9, 0.9, 0.9, 0.9, 0.1].map(f64::ln).to_vec()];
/// let weights = stacking_weights(&[half, sure])?;
/// assert!((weights[0] - 0.25).abs() < 1e-4 && (weights[1] - 0.75).abs() < 1e-4);
/// # Ok::<(), posterior_math::check::ParamError>(())
/// ```
///
/// # Errors
/// No model or no outcome, lists of different lengths, a score that is NaN or +∞, or an outcome that all
/// models rule out.
///
/// # References
/// Y. Yao, A. Vehtari, D. Simpson, A. Gelman, Using stacking to average Bayesian predictive distributions,
/// Bayesian Analysis 13, 2018.
pub fn stacking_weights(ln_scores: &[Vec<f64>]) -> Result<Vec<f64>, ParamError> {
    const NAME: &str = "stacking_weights";
    check::at_least_one(NAME, "models", ln_scores.len())?;
    let outcomes = check::at_least_one(NAME, "outcomes", ln_scores[0].len())?;
    for own in ln_scores {
        let same = own.len() == outcomes;
        check::require(same, NAME, "scores", own.len() as f64, "as many as those of the first model")?;
        for (index, &score) in own.iter().enumerate() {
            check::require(score < f64::INFINITY, NAME, "score", score, "a logarithm of a density")
                .map_err(|error| error.at(index))?;
        }
    }
    // Over the largest of each outcome, which changes no weight.
    let mut densities = Vec::with_capacity(ln_scores.len() * outcomes);
    for outcome in 0..outcomes {
        let most = ln_scores.iter().map(|own| own[outcome]).fold(f64::NEG_INFINITY, f64::max);
        check::require(most.is_finite(), NAME, "score", most, "finite for one model at least")
            .map_err(|error| error.at(outcome))?;
        densities.extend(ln_scores.iter().map(|own| (own[outcome] - most).exp()));
    }
    let models = ln_scores.len();
    let mut weights = vec![1.0 / models as f64; models];
    for _ in 0..STEPS {
        // The derivatives of the mean score by the weights: all are at most 1 at the highest.
        let mut gains = vec![0.0; models];
        for own in densities.chunks_exact(models) {
            let average: f64 = own.iter().zip(&weights).map(|(density, weight)| density * weight).sum();
            gains.iter_mut().zip(own).for_each(|(gain, density)| *gain += density / average);
        }
        for gain in &mut gains {
            *gain /= outcomes as f64;
        }
        if gains.iter().all(|gain| *gain <= 1.0 + GAP) {
            break;
        }
        weights.iter_mut().zip(&gains).for_each(|(weight, gain)| *weight *= gain);
        let sum: f64 = weights.iter().sum();
        for weight in &mut weights {
            *weight /= sum;
        }
    }
    Ok(weights)
}
