//! The k-th smallest of n independent draws.

use posterior_math::special::{beta_pq, ln_beta, ln_beta_p, ln_beta_q};

use crate::continuous::Beta;
use crate::coordinate::Coordinate;
use crate::fixed_quadrature::integrate_up_to;
use crate::inversion::from_end_to_end;
use crate::prelude::*;

/// The distribution of X₍ₖ₎, the k-th smallest of n independent draws of a distribution, of numbers or of
/// counts.
///
/// # Density
/// p(x) = F(x)^(k - 1) (1 - F(x))^(n - k) p_X(x) / B(k, n - k + 1); of counts the probability that the
/// uniform one lies between F(x - 1) and F(x)
///
/// # Parameters
/// | symbol | here | range |
/// |---|---|---|
/// | k | `rank` | 1 (the least) to n |
/// | n | `draws` | at least 1 |
///
/// # Moments
/// not in closed form
///
/// # Numerics
/// F(X₍ₖ₎) has a beta distribution with k and n - k + 1, whose tails at F(x) these are: both with the digits
/// of both tails of X, and by their logarithms where F(x) is beyond the range of f64.
///
/// # Example
/// ```
/// use posterior_dist::{Exponential, OrderStatistic, Univariate};
///
/// // The first of five lamps to fail does so at five times the rate.
/// let first = OrderStatistic::new(Exponential::new(0.1)?, 1, 5)?;
/// assert!((first.sf(3.0) - (-1.5_f64).exp()).abs() < 1e-15);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
///
/// # References
/// H. David, H. Nagaraja, Order Statistics, 2003, section 2.1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OrderStatistic<D> {
    distribution: D,
    rank: u64,
    draws: u64,
}

/// A logarithm below which a probability is not a normal number of f64.
const LEAST: f64 = -700.0;

/// A probability over that below it, up to which the difference of two distribution functions is an integral.
const NARROW: f64 = 0.1;

/// What rounding may do to a quantile of a beta distribution, as a part of it.
const ROUNDING: f64 = 1e-14;

impl<D> OrderStatistic<D> {
    /// The `rank`-th smallest, from 1 on, of so many draws of `distribution`.
    ///
    /// # Errors
    /// If the rank is not from 1 to the number of draws.
    pub fn new(distribution: D, rank: u64, draws: u64) -> Result<Self, ParamError> {
        let fits = (1..=draws).contains(&rank);
        check::require(fits, "OrderStatistic", "rank", rank as f64, "from 1 to the number of draws")?;
        Ok(Self { distribution, rank, draws })
    }

    /// The distribution of one draw.
    pub const fn distribution(&self) -> &D {
        &self.distribution
    }

    /// The rank k.
    pub const fn rank(&self) -> u64 {
        self.rank
    }

    /// The number of draws n.
    pub const fn draws(&self) -> u64 {
        self.draws
    }

    /// k and n - k + 1.
    const fn shapes(&self) -> [f64; 2] {
        [self.rank as f64, (self.draws - self.rank + 1) as f64]
    }

    /// The distribution of F(X₍ₖ₎), and that of 1 - F(X₍ₖ₎).
    fn uniform(&self) -> [Beta; 2] {
        let [a, b] = self.shapes();
        [[a, b], [b, a]].map(|[a, b]| Beta::new(a, b).expect("invariant: positive numbers"))
    }
}

impl<D: Univariate> OrderStatistic<D> {
    /// The quantile at p, or the upper one at q, of which the `complement` is the difference from 1: of the
    /// numbers that rounding leaves, which are more than one at a step, the first that reaches.
    fn at(&self, [p, q]: [f64; 2], complement: f64, reaches: impl Fn(f64) -> bool) -> f64 {
        let [below, above] = self.uniform();
        let u = if p <= q { below.quantile(p) } else { below.upper_quantile(q) };
        let v = if p <= q { above.upper_quantile(p) } else { above.quantile(q) };
        let beside = |part: f64| {
            if u <= 0.5 {
                self.distribution.quantile((1.0 + part) * u)
            } else {
                self.distribution.upper_quantile((1.0 - part) * v)
            }
        };
        let rounding = ROUNDING + f64::EPSILON / complement;
        let mut near = [-rounding, 0.0].into_iter().map(beside);
        near.find(|x| reaches(*x)).unwrap_or_else(|| beside(rounding))
    }
}

impl<D: Univariate + Density<Point: Coordinate + Copy>> Density for OrderStatistic<D> {
    type Point = D::Point;

    fn ln_pdf(&self, x: &D::Point) -> f64 {
        let ln_pdf = self.distribution.ln_pdf(x);
        if ln_pdf.is_nan() || ln_pdf == f64::NEG_INFINITY {
            return ln_pdf;
        }
        let [a, b] = self.shapes();
        let (at, own) = (x.coordinate(), &self.distribution);
        let power = |exponent: f64, ln: f64| if exponent == 0.0 { 0.0 } else { exponent * ln };
        if !D::Point::DISCRETE {
            return power(a - 1.0, own.ln_cdf(at)) + power(b - 1.0, own.ln_sf(at)) + ln_pdf - ln_beta(a, b);
        }
        // The uniform number is between two steps; counted from the end that is nearer.
        let mass = ln_pdf.exp();
        let (cdf, above) = (own.cdf(at), own.sf(at));
        let (end, a, b) = if cdf <= 0.5 { (cdf, a, b) } else { (above + mass, b, a) };
        if mass < NARROW * end {
            let ln_at = |u: f64| power(a - 1.0, u.ln()) + power(b - 1.0, (-u).ln_1p());
            let top = ln_at(end).max(ln_at(end - mass));
            return integrate_up_to(end, mass, |u| (ln_at(u) - top).exp()).ln() + top - ln_beta(a, b);
        }
        let lower = (end - mass).max(0.0);
        let [up_to, below] = [end, lower].map(|u| beta_pq(a, b, u, 1.0 - u));
        if up_to.0 <= 0.5 { (up_to.0 - below.0).ln() } else { (below.1 - up_to.1).ln() }
    }
}

impl<D: PointGradient<Point = f64> + Univariate> PointGradient for OrderStatistic<D> {
    fn point_gradient(&self, x: &f64) -> f64 {
        let [a, b] = self.shapes();
        let (own, ln_pdf) = (&self.distribution, self.distribution.ln_pdf(x));
        let part =
            |count: f64, ln_tail: f64| if count == 0.0 { 0.0 } else { count * (ln_pdf - ln_tail).exp() };
        own.point_gradient(x) + part(a - 1.0, own.ln_cdf(*x)) - part(b - 1.0, own.ln_sf(*x))
    }
}

impl<D: Univariate> Univariate for OrderStatistic<D> {
    fn cdf(&self, x: f64) -> f64 {
        let [a, b] = self.shapes();
        beta_pq(a, b, self.distribution.cdf(x), self.distribution.sf(x)).0
    }

    fn sf(&self, x: f64) -> f64 {
        let [a, b] = self.shapes();
        beta_pq(a, b, self.distribution.cdf(x), self.distribution.sf(x)).1
    }

    fn quantile(&self, p: f64) -> f64 {
        let ends = [0.0, 1.0].map(|end| self.distribution.quantile(end));
        from_end_to_end(p, ends, || self.at([p, 1.0 - p], 1.0 - p, |x| self.cdf(x) >= p))
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        let ends = [0.0, 1.0].map(|end| self.distribution.upper_quantile(end));
        from_end_to_end(q, ends, || self.at([1.0 - q, q], 1.0 - q, |x| self.sf(x) <= q))
    }

    fn ln_cdf(&self, x: f64) -> f64 {
        let [a, b] = self.shapes();
        ln_tail([a, b], [self.distribution.ln_cdf(x), self.distribution.ln_sf(x)])
    }

    fn ln_sf(&self, x: f64) -> f64 {
        let [a, b] = self.shapes();
        ln_tail([b, a], [self.distribution.ln_sf(x), self.distribution.ln_cdf(x)])
    }
}

/// ln I_u(a, b) by the logarithms of u and 1 - u.
fn ln_tail([a, b]: [f64; 2], [ln_u, ln_v]: [f64; 2]) -> f64 {
    if ln_u.is_nan() {
        ln_u
    } else if ln_u < LEAST {
        // The first term, beside which the next is as nothing.
        a * ln_u - a.ln() - ln_beta(a, b)
    } else if ln_u <= ln_v {
        ln_beta_p(a, b, ln_u.exp())
    } else {
        ln_beta_q(b, a, ln_v.exp())
    }
}

impl<D: Univariate> Distribution<f64> for OrderStatistic<D> {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        let [below, above] = self.uniform();
        // The smaller of both tails is the one with digits.
        if self.rank <= self.draws / 2 {
            self.distribution.quantile(below.sample(rng))
        } else {
            self.distribution.upper_quantile(above.sample(rng))
        }
    }
}
