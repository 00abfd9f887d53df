//! The Kullback-Leibler divergence between two laws of the same family.

/// KL(p ‖ q) = E_p ln(p(X) / q(X)), in closed form.
pub trait KlDivergence {
    /// The divergence from `self` (p, over which the mean is taken) to `other` (q), in nats.
    ///
    /// Non-negative up to rounding; +∞ where p has mass and q none, which includes laws on spaces of different
    /// dimension.
    fn kl_divergence(&self, other: &Self) -> f64;
}
