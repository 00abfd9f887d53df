//! Densities, and univariate distributions.

/// A distribution that can say how probable a point is.
///
/// The density is with respect to the natural measure of the sample space: counting for discrete
/// distributions, where it is a probability, and Lebesgue for continuous ones. Drawing is `Distribution` of
/// the crate `rand`.
///
/// # For a distribution of your own
/// ```
/// use posterior_dist::Density;
///
/// /// p(x) = 2x on [0, 1].
/// struct Wedge;
///
/// impl Density for Wedge {
///     type Point = f64;
///
///     fn ln_pdf(&self, &x: &f64) -> f64 {
///         if x.is_nan() || (0.0..=1.0).contains(&x) { (2.0 * x).ln() } else { f64::NEG_INFINITY }
///     }
/// }
///
/// assert_eq!(Wedge.ln_pdf(&0.5), 0.0);
/// assert_eq!(Wedge.ln_pdf(&2.0), f64::NEG_INFINITY);
/// ```
pub trait Density {
    /// A point of the sample space: `f64`, `bool`, `[f64]`, `[u64]`, …
    type Point: ?Sized;

    /// The natural logarithm of the density at `x`: -∞ outside the support (a vector of another length
    /// included), and NaN only if `x` holds a NaN.
    fn ln_pdf(&self, x: &Self::Point) -> f64;
}

/// A univariate distribution: its distribution function, both tails, and their inverses.
///
/// A discrete distribution is on the real line by its numbers: `false` and `true` are 0 and 1, category k is
/// k. Both tails are required because neither is one minus the other where it is small.
///
/// # For a distribution of your own
/// All six are asked for, because none is a good default of another: 1 - cdf has no digits in the upper tail.
/// ```
/// use posterior_dist::Univariate;
/// # struct Wedge;
///
/// /// p(x) = 2x on [0, 1].
/// impl Univariate for Wedge {
///     fn cdf(&self, x: f64) -> f64 {
///         let x = x.clamp(0.0, 1.0);
///         x * x
///     }
///
///     fn sf(&self, x: f64) -> f64 {
///         let x = x.clamp(0.0, 1.0);
///         (1.0 - x) * (1.0 + x)
///     }
///
///     fn quantile(&self, p: f64) -> f64 {
///         if (0.0..=1.0).contains(&p) { p.sqrt() } else { f64::NAN }
///     }
///
///     fn upper_quantile(&self, q: f64) -> f64 {
///         if (0.0..=1.0).contains(&q) { (1.0 - q).sqrt() } else { f64::NAN }
///     }
///
///     fn ln_cdf(&self, x: f64) -> f64 {
///         2.0 * x.clamp(0.0, 1.0).ln()
///     }
///
///     fn ln_sf(&self, x: f64) -> f64 {
///         let x = x.clamp(0.0, 1.0);
///         (-x).ln_1p() + x.ln_1p()
///     }
/// }
///
/// assert_eq!(Wedge.quantile(Wedge.cdf(0.25)), 0.25);
/// ```
/// In tests, `posterior_testkit::consistency::univariate` holds it to the distributions.
pub trait Univariate {
    /// P(X ≤ x); NaN for NaN.
    fn cdf(&self, x: f64) -> f64;

    /// P(X > x), the survival function, with full relative precision; NaN for NaN.
    fn sf(&self, x: f64) -> f64;

    /// The least x of the support with `cdf(x)` ≥ p; the ends of the support at 0 and 1, NaN for p outside
    /// [0, 1].
    fn quantile(&self, p: f64) -> f64;

    /// The least x of the support with `sf(x)` ≤ q; the ends of the support at 1 and 0, NaN for q outside [0,
    /// 1].
    fn upper_quantile(&self, q: f64) -> f64;

    /// ln P(X ≤ x).
    fn ln_cdf(&self, x: f64) -> f64;

    /// ln P(X > x).
    fn ln_sf(&self, x: f64) -> f64;
}

/// P(a < X ≤ b), by the tail in which the ends are farther apart; 0 unless a is below b.
pub(crate) fn probability_between(distribution: &impl Univariate, a: f64, b: f64) -> f64 {
    if b <= a {
        0.0
    } else if distribution.cdf(a) < 0.5 {
        distribution.cdf(b) - distribution.cdf(a)
    } else {
        distribution.sf(a) - distribution.sf(b)
    }
}
