//! Precisions of the prior, and the variance of the noise, by the evidence.

use posterior_math::check::positive;
use posterior_math::iteration::{Fitted, Observer, Progress, Silent, Stop};
use posterior_math::optimize::LbfgsOptions;

use super::{Head, HessianKind, Joint, NetworkHyperparameters, NetworkLaplace, train_from};
use crate::Error;

/// How hyperparameters are tuned.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TuneOptions {
    /// How the mode is searched for again after each change; `None` leaves it where it is. L-BFGS by default,
    /// with at most 200 steps in each round.
    pub search: Option<LbfgsOptions>,
    /// The run converges when no hyperparameter changes by more than this proportion. 10⁻³ by default.
    pub tolerance: f64,
    /// The largest number of rounds. 50 by default.
    pub max_iterations: usize,
    /// No precision and no noise variance leaves this interval: [10⁻⁸, 10⁸] by default. A precision at its
    /// upper end switches a layer off.
    pub bounds: (f64, f64),
}

impl Default for TuneOptions {
    fn default() -> Self {
        let search =
            LbfgsOptions { gradient_tolerance: 1e-6, max_iterations: 200, ..LbfgsOptions::default() };
        Self { search: Some(search), tolerance: 1e-3, max_iterations: 50, bounds: (1e-8, 1e8) }
    }
}

/// Tunes the precisions of the prior, and the noise variance if there is one, by the evidence, from
/// parameters that were trained.
///
/// Rounds of MacKay's steps: precision = effective parameters / |w|², noise variance = squared residuals /
/// (numbers - effective parameters), then the mode again. A fixed point is a stationary point of Laplace's
/// evidence, but for the change of the curvature with the mode; for a linear network with Gaussian noise it
/// is one of the exact evidence. The objective is the logarithm of the evidence, which a step may lower; the
/// best round is returned.
///
/// With [`HessianKind::LastLayer`] only the precision of the last layer is tuned, from what this layer says.
///
/// # Errors
/// Those of [`NetworkLaplace::new`], and bounds that are not positive and in order.
///
/// # References
/// D. MacKay, Bayesian interpolation, Neural Computation 4, 1992; A. Immer et al., Scalable marginal
/// likelihood estimation for model selection in deep learning, ICML 2021.
pub fn tune(
    joint: Joint,
    weights: &[f64],
    kind: HessianKind,
    options: &TuneOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Fitted<NetworkLaplace>, Error> {
    let (low, high) = options.bounds;
    positive("TuneOptions", "bounds", low)?;
    positive("TuneOptions", "bounds", high - low)?;
    let mut joint = joint;
    let mut current = NetworkLaplace::new(&joint, weights, kind)?;
    let mut best = current.clone();
    let mut progress = Progress::new(current.ln_evidence(), options.max_iterations, observer);
    let stop = loop {
        if progress.exhausted() {
            break Stop::MaxIterations;
        }
        let (precisions, noise_variance) = current.fixed_point();
        let within = |value: f64| value.clamp(low, high);
        let precisions: Vec<f64> = precisions.into_iter().map(within).collect();
        let noise_variance = match current.head() {
            Head::Gaussian => within(noise_variance),
            _ => noise_variance,
        };
        let next = NetworkHyperparameters::by_layer(&precisions)?.with_noise_variance(noise_variance)?;
        let moved = change(current.hyperparameters(), &next);
        current = match &options.search {
            Some(search) => {
                joint = joint.with_hyperparameters(next)?;
                let mode = train_from(&joint, current.mode(), search, &mut Silent)?.model;
                NetworkLaplace::new(&joint, &mode.weights, kind)?
            }
            None => current.with_hyperparameters(next)?,
        };
        if current.ln_evidence() > best.ln_evidence() {
            best = current.clone();
        }
        if progress.stopped_after(current.ln_evidence()) {
            break Stop::Observer;
        }
        if moved <= options.tolerance {
            break Stop::Converged;
        }
    };
    Ok(Fitted { model: best, report: progress.finish(stop) })
}

/// The largest change of a logarithm.
fn change(before: &NetworkHyperparameters, after: &NetworkHyperparameters) -> f64 {
    let of = |hyperparameters: &NetworkHyperparameters| {
        let mut all = hyperparameters.precisions().to_vec();
        all.push(hyperparameters.noise_variance());
        all
    };
    of(before).iter().zip(of(after)).map(|(before, after)| (after / before).ln().abs()).fold(0.0, f64::max)
}
