//! The Kullback-Leibler divergence between two distributions of the same family.

/// KL(p ‖ q) = E_p ln(p(X) / q(X)), in closed form.
///
/// # For a distribution of your own
/// ```
/// use posterior_dist::KlDivergence;
///
/// /// p(x) = a x^(a - 1) on [0, 1].
/// struct Power {
///     a: f64,
/// }
///
/// impl KlDivergence for Power {
///     fn kl_divergence(&self, other: &Self) -> f64 {
///         let excess = (other.a - self.a) / self.a;
///         excess - excess.ln_1p()
///     }
/// }
///
/// assert_eq!(Power { a: 2.0 }.kl_divergence(&Power { a: 2.0 }), 0.0);
/// ```
pub trait KlDivergence {
    /// The divergence from `self` (p, over which the mean is taken) to `other` (q), in nats.
    ///
    /// Non-negative up to rounding; +∞ where p has mass and q none, which includes distributions on spaces of
    /// different dimension.
    fn kl_divergence(&self, other: &Self) -> f64;
}
