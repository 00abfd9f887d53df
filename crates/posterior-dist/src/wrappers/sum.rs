//! The sum of two independent numbers by quadrature, whatever their distributions.

use posterior_math::quadrature::{Integral, QuadratureOptions, gauss_kronrod_pieces};

use crate::inversion::{from_end_to_end, invert_cdf, invert_sf};
use crate::moments::Shape;
use crate::prelude::*;

/// The probabilities of each tail at whose quantiles integrals are cut.
const TAILS: [f64; 14] =
    [0.5, 0.25, 0.1, 0.01, 1e-3, 1e-5, 1e-8, 1e-12, 1e-17, 1e-25, 1e-40, 1e-70, 1e-140, 1e-300];

/// The distribution of X + Y for independent X and Y with densities: by numerical convolution, where
/// [`convolution`](crate::convolution) has no closed form.
///
/// # Density
/// p(z) = ∫ p_X(z - y) p_Y(y) dy
///
/// # Moments
/// means and variances add up, and third and fourth cumulants do
///
/// # Numerics
/// Adaptive quadrature, cut at quantiles of both far into both tails, of integrands that are positive: the
/// relative error is about 1e-9 for smooth densities, in the far tails too, down to probabilities of 1e-280;
/// about 1e-7 where one has a pole at its end. [`Sum::density_with_error`] and [`Sum::tails_with_error`] say
/// what the quadrature estimates it to be. A density with poles or kinks inside (mixtures of very different
/// widths) may take more than the 21 000 evaluations, and then has the error that they say.
///
/// # Cost
/// One to four thousand densities of both for a density or a tail; some fifteen times that for a quantile.
///
/// # Example
/// ```
/// use posterior_dist::{Density, Sum, Uniform, Univariate};
///
/// let die = Uniform::new(0.0, 1.0)?;
/// let triangle = Sum::new(die, die);
/// assert!((triangle.cdf(0.5) - 0.125).abs() < 1e-12);
/// assert!((triangle.ln_pdf(&1.5).exp() - 0.5).abs() < 1e-12);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Sum<X, Y> {
    x: X,
    y: Y,
    /// Quantiles of both, in order.
    cuts: [Vec<f64>; 2],
}

fn cuts_of(distribution: &impl Univariate) -> Vec<f64> {
    let both = TAILS.into_iter().flat_map(|p| [distribution.quantile(p), distribution.upper_quantile(p)]);
    let mut cuts: Vec<f64> = both.filter(|x| x.is_finite()).collect();
    cuts.extend([0.0, 1.0].map(|p| distribution.quantile(p)));
    cuts.sort_by(f64::total_cmp);
    cuts.dedup();
    cuts
}

impl<X, Y> Sum<X, Y>
where
    X: Univariate + Density<Point = f64>,
    Y: Univariate + Density<Point = f64>,
{
    /// The distribution of the sum of a draw of each.
    pub fn new(x: X, y: Y) -> Self {
        let cuts = [cuts_of(&x), cuts_of(&y)];
        Self { x, y, cuts }
    }

    /// The distributions of both terms.
    pub const fn terms(&self) -> (&X, &Y) {
        (&self.x, &self.y)
    }

    /// The ends of the support.
    fn ends(&self) -> [f64; 2] {
        let [x, y] = &self.cuts;
        [x[0] + y[0], x[x.len() - 1] + y[y.len() - 1]]
    }

    /// ∫ f over all y at which z - y is among the numbers that X has.
    fn integral(&self, z: f64, f: impl Fn(f64) -> f64) -> Integral {
        let [x, y] = &self.cuts;
        let inside = |own: &f64| y[0] <= *own && *own <= y[y.len() - 1];
        let mut cuts: Vec<f64> = y.iter().copied().chain(x.iter().map(|x| z - x)).filter(inside).collect();
        cuts.sort_by(f64::total_cmp);
        cuts.dedup();
        gauss_kronrod_pieces(f, &cuts, &QuadratureOptions::default())
    }

    /// The density at z, and an estimate of its absolute error.
    pub fn density_with_error(&self, z: f64) -> (f64, f64) {
        let found = self.integral(z, |y| (self.x.ln_pdf(&(z - y)) + self.y.ln_pdf(&y)).exp());
        (found.value, found.error)
    }

    /// P(X + Y ≤ z) and P(X + Y > z), each with an estimate of its absolute error.
    pub fn tails_with_error(&self, z: f64) -> [(f64, f64); 2] {
        [self.integral(z, |y| self.lower(z, y)), self.integral(z, |y| self.upper(z, y))]
            .map(|found| (found.value, found.error))
    }

    fn lower(&self, z: f64, y: f64) -> f64 {
        (self.x.ln_cdf(z - y) + self.y.ln_pdf(&y)).exp()
    }

    fn upper(&self, z: f64, y: f64) -> f64 {
        (self.x.ln_sf(z - y) + self.y.ln_pdf(&y)).exp()
    }

    /// What a tail is beyond the ends, if z is.
    fn outside(&self, z: f64, [below, above]: [f64; 2]) -> Option<f64> {
        let [low, high] = self.ends();
        if z.is_nan() {
            Some(z)
        } else if z <= low {
            Some(below)
        } else {
            (z >= high).then_some(above)
        }
    }
}

impl<X, Y> Density for Sum<X, Y>
where
    X: Univariate + Density<Point = f64>,
    Y: Univariate + Density<Point = f64>,
{
    type Point = f64;

    fn ln_pdf(&self, &z: &f64) -> f64 {
        let [low, high] = self.ends();
        if z.is_nan() {
            z
        } else if z < low || z > high || z.is_infinite() {
            f64::NEG_INFINITY
        } else {
            self.density_with_error(z).0.ln()
        }
    }
}

impl<X, Y> Univariate for Sum<X, Y>
where
    X: Univariate + Density<Point = f64>,
    Y: Univariate + Density<Point = f64>,
{
    fn cdf(&self, z: f64) -> f64 {
        let inside = || self.integral(z, |y| self.lower(z, y)).value.min(1.0);
        self.outside(z, [0.0, 1.0]).unwrap_or_else(inside)
    }

    fn sf(&self, z: f64) -> f64 {
        let inside = || self.integral(z, |y| self.upper(z, y)).value.min(1.0);
        self.outside(z, [1.0, 0.0]).unwrap_or_else(inside)
    }

    fn quantile(&self, p: f64) -> f64 {
        // One of the terms is at most, or at least, its own quantile at half of what is left.
        let [low, high] = [0.5 * p, 0.5 + 0.5 * p].map(|p| self.x.quantile(p) + self.y.quantile(p));
        from_end_to_end(p, self.ends(), || invert_cdf(|z| self.cdf(z), p, low, high))
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        let [low, high] = self.ends();
        let around = [0.5 + 0.5 * q, 0.5 * q].map(|q| self.x.upper_quantile(q) + self.y.upper_quantile(q));
        from_end_to_end(q, [high, low], || invert_sf(|z| self.sf(z), q, around[0], around[1]))
    }

    fn ln_cdf(&self, z: f64) -> f64 {
        let upper = self.sf(z);
        if upper < 0.5 { (-upper).ln_1p() } else { self.cdf(z).ln() }
    }

    fn ln_sf(&self, z: f64) -> f64 {
        let lower = self.cdf(z);
        if lower < 0.5 { (-lower).ln_1p() } else { self.sf(z).ln() }
    }
}

impl<X: Moments, Y: Moments> Moments for Sum<X, Y> {
    fn mean(&self) -> Option<f64> {
        Some(self.x.mean()? + self.y.mean()?).filter(|own| !own.is_nan())
    }

    fn variance(&self) -> Option<f64> {
        Some(self.x.variance()? + self.y.variance()?)
    }
}

impl<X: Moments + Shape, Y: Moments + Shape> Sum<X, Y> {
    /// The third or fourth standardised cumulant: those of the terms by their parts of the variance.
    fn cumulant(&self, power: i32, of: [Option<f64>; 2]) -> Option<f64> {
        let parts = [self.x.variance()?, self.y.variance()?];
        let whole = parts[0] + parts[1];
        let mut sum = 0.0;
        for (part, own) in parts.into_iter().zip(of) {
            sum += own? * (part / whole).sqrt().powi(power);
        }
        Some(sum).filter(|own| !own.is_nan())
    }
}

impl<X: Moments + Shape, Y: Moments + Shape> Shape for Sum<X, Y> {
    fn skewness(&self) -> Option<f64> {
        self.cumulant(3, [self.x.skewness(), self.y.skewness()])
    }

    fn excess_kurtosis(&self) -> Option<f64> {
        self.cumulant(4, [self.x.excess_kurtosis(), self.y.excess_kurtosis()])
    }
}

impl<X: Distribution<f64>, Y: Distribution<f64>> Distribution<f64> for Sum<X, Y> {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        self.x.sample(rng) + self.y.sample(rng)
    }
}
