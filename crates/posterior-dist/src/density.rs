//! Densities, and laws on the real line.

/// A law that can say how probable a point is.
///
/// The density is with respect to the natural measure of the sample space: counting for discrete laws, where it is a
/// probability, and Lebesgue for continuous ones. Drawing is `Distribution` of the crate `rand`.
pub trait Density {
    /// A point of the sample space: `f64`, `bool`, `[f64]`, `[u64]`, …
    type Point: ?Sized;

    /// The natural logarithm of the density at `x`: -∞ outside the support (a vector of another length included), and
    /// NaN only if `x` holds a NaN.
    fn ln_pdf(&self, x: &Self::Point) -> f64;
}

/// A law on the real line: its distribution function, both tails, and their inverses.
///
/// A discrete law is on the real line by its numbers: `false` and `true` are 0 and 1, category k is k. Both tails are
/// required because neither is one minus the other where it is small.
pub trait Univariate: Density {
    /// P(X ≤ x); NaN for NaN.
    fn cdf(&self, x: f64) -> f64;

    /// P(X > x), the survival function, with full relative precision; NaN for NaN.
    fn sf(&self, x: f64) -> f64;

    /// The least x of the support with `cdf(x)` ≥ p; the ends of the support at 0 and 1, NaN for p outside [0, 1].
    fn quantile(&self, p: f64) -> f64;

    /// The least x of the support with `sf(x)` ≤ q; the ends of the support at 1 and 0, NaN for q outside [0, 1].
    fn upper_quantile(&self, q: f64) -> f64;

    /// ln P(X ≤ x).
    fn ln_cdf(&self, x: f64) -> f64;

    /// ln P(X > x).
    fn ln_sf(&self, x: f64) -> f64;
}
