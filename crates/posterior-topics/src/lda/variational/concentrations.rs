//! Concentrations of the priors from expected logarithms, by Newton's method in O(dimension).

use posterior_dist::{ConcentrationOptions, Dirichlet, Symmetry};
use posterior_math::iteration::Silent;
use posterior_math::special::ln_multivariate_beta;

/// The bounds that concentrations are kept in: a topic without tokens may come back.
const BOUNDS: (f64, f64) = (1e-4, 1e4);

/// Newton's steps within a pass at most.
const STEPS: usize = 20;

/// A concentration of each topic under which expected logarithms are likelier, with the gain in ln p per
/// document.
///
/// `None` where the logarithms say nothing more.
pub(in crate::lda) fn improve_alpha(mean_ln: &[f64], alpha: &[f64]) -> Option<(Vec<f64>, f64)> {
    improve(mean_ln, alpha, Symmetry::Asymmetric)
}

/// A common concentration of all words under which their mean expected logarithm is likelier, with the gain
/// per topic.
pub(in crate::lda) fn improve_beta(words: usize, mean_ln: f64, beta: f64) -> Option<(f64, f64)> {
    let (improved, gain) = improve(&vec![mean_ln; words], &vec![beta; words], Symmetry::Symmetric)?;
    Some((improved[0], gain))
}

fn improve(mean_ln: &[f64], before: &[f64], symmetry: Symmetry) -> Option<(Vec<f64>, f64)> {
    let start = match symmetry {
        Symmetry::Symmetric => before[..1].to_vec(),
        Symmetry::Asymmetric => before.to_vec(),
    };
    let options = ConcentrationOptions {
        symmetry,
        start: Some(start),
        max_iterations: STEPS,
        ..ConcentrationOptions::default()
    };
    let fitted = Dirichlet::fit(mean_ln, &options, &mut Silent).ok()?;
    let improved: Vec<f64> =
        fitted.model.concentration().iter().map(|&a| a.clamp(BOUNDS.0, BOUNDS.1)).collect();
    let gain = ln_likelihood(&improved, mean_ln) - ln_likelihood(before, mean_ln);
    // The bounds may cut off what was gained.
    (gain > 0.0).then_some((improved, gain))
}

fn ln_likelihood(alpha: &[f64], mean_ln: &[f64]) -> f64 {
    let powers: f64 = alpha.iter().zip(mean_ln).map(|(a, mean)| a * mean).sum();
    powers - ln_multivariate_beta(alpha)
}
