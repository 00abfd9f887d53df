//! What fits have in common.

/// The proportion of ln p by which the last step may still raise it: some 10⁻⁸ nats a row.
pub(super) const TOLERANCE: f64 = 1e-8;

/// A fit, but for the model.
pub(super) struct Learned {
    pub(super) trace: Vec<f64>,
    pub(super) converged: bool,
    pub(super) warnings: Vec<String>,
}

impl Learned {
    /// A fit that has ended, with what else is to be said of it.
    pub(super) fn new((converged, trace): (bool, Vec<f64>), mut warnings: Vec<String>) -> Self {
        if !converged {
            warnings.push("the fit did not converge: allow more with --iterations".to_owned());
        }
        Self { trace, converged, warnings }
    }
}
