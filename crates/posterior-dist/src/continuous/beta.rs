//! Beta distribution on (0, 1).

mod draw;

use std::f64::consts::TAU;

use posterior_math::log_space::x_ln_y;
use posterior_math::special::{
    beta_deviance, beta_p, beta_q, digamma_difference, inverse_beta_p, inverse_beta_q, ln_beta, ln_beta_p,
    ln_beta_q, poisson_deviance, stirling_remainder, stirling_remainder_derivative,
};

use crate::dirichlet::Dirichlet;
use crate::gamma_divergence::beyond_deviance;
use crate::grammar::parametric;
use crate::prelude::*;

/// From this size of both parameters on, large terms are combined by Stirling's formula.
const STIRLING_FROM: f64 = 10.0;

/// The distribution of a random probability; the conjugate prior of [`Bernoulli`](crate::Bernoulli) and
/// [`Binomial`](crate::Binomial), and the [`Dirichlet`] distribution of two coordinates.
///
/// # Density
/// p(x) = x^(α-1) (1 - x)^(β-1) / B(α, β)
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | α | `alpha` | positive | `shape1` (R), `a` (SciPy), `alpha` (Stan) |
/// | β | `beta` | positive, α + β finite | `shape2` (R), `b` (SciPy), `beta` (Stan) |
///
/// # Moments
/// With n = α + β: mean α/n, variance αβ/(n² (n + 1)), skewness 2 (β - α) √(n + 1)/((n + 2) √(αβ)),
/// E ln X = ψ(α) - ψ(n), mode (α - 1)/(n - 2) if no parameter is below 1,
/// entropy ln B(α, β) - (α - 1) ψ(α) - (β - 1) ψ(β) + (n - 2) ψ(n)
///
/// # Numerics
/// Where both parameters are at least 10 the density is Loader's saddle-point form, and entropy and
/// divergence have the large terms combined by hand. Next to one, f64 cannot tell x from its neighbours:
/// [`Beta::quantile_pair`], [`Beta::upper_quantile_pair`] and [`Beta::ln_pdf_pair`] speak of x and of 1 - x,
/// each with all digits. Draws are by Cheng's algorithms (`rand_distr`); for parameters below 0.1 by Jöhnk's,
/// and above 10⁸ by two gammas, in logarithms, so that α = β = 10⁻⁴ is no 0/0. [`Beta::sample_ln`] keeps the
/// logarithms of what is too small for f64.
///
/// # Example
/// ```
/// use posterior_dist::{Beta, Univariate};
///
/// // Six heads in ten tosses, after a uniform prior.
/// let distribution = Beta::new(7.0, 5.0)?;
/// assert!((distribution.sf(0.5) - 743.0 / 1024.0).abs() < 1e-15);
/// assert!((distribution.quantile(0.025) - 0.30790472).abs() < 1e-8);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
///
/// # References
/// R. C. H. Cheng, Generating beta variates with nonintegral shape parameters, CACM 21 (1978). M. D. Jöhnk,
/// Metrika 8 (1964). C. Loader, Fast and accurate computation of binomial probabilities, 2000.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(clippy::struct_field_names, reason = "the parameter β has the name of the distribution")]
pub struct Beta {
    alpha: f64,
    beta: f64,
    total: f64,
    /// -ln B(α, β), or for large parameters what is left of it beside the deviances.
    constant: f64,
    sampler: draw::Sampler,
}

impl Beta {
    /// The distribution with these α and β.
    ///
    /// # Errors
    /// If one of them is not positive and finite, or their sum overflows.
    pub fn new(alpha: f64, beta: f64) -> Result<Self, ParamError> {
        check::positive("Beta", "alpha", alpha)?;
        check::positive("Beta", "beta", beta)?;
        let total = check::positive("Beta", "alpha + beta", alpha + beta)?;
        let constant = if alpha.min(beta) < STIRLING_FROM {
            -ln_beta(alpha, beta)
        } else {
            let remainders = stirling_remainder(total) - stirling_remainder(alpha) - stirling_remainder(beta);
            0.5 * (alpha * (beta / total) / TAU).ln() + remainders
        };
        Ok(Self { alpha, beta, total, constant, sampler: draw::Sampler::new(alpha, beta) })
    }

    /// E ln X = ψ(α) - ψ(α + β).
    pub fn expected_ln(&self) -> f64 {
        -digamma_difference(self.alpha, self.beta)
    }

    /// E ln(1 - X) = ψ(β) - ψ(α + β).
    pub fn expected_ln_complement(&self) -> f64 {
        -digamma_difference(self.beta, self.alpha)
    }

    /// ln p at x, given `rest` = 1 - x, of which the smaller one is taken as exact.
    pub fn ln_pdf_pair(&self, x: f64, rest: f64) -> f64 {
        if x.is_nan() || rest.is_nan() {
            return f64::NAN;
        }
        if !(0.0..=1.0).contains(&x) || !(0.0..=1.0).contains(&rest) {
            return f64::NEG_INFINITY;
        }
        let (ln_x, ln_rest) = if x < 0.5 { (x.ln(), (-x).ln_1p()) } else { ((-rest).ln_1p(), rest.ln()) };
        if self.alpha.min(self.beta) < STIRLING_FROM {
            power(self.alpha - 1.0, ln_x) + power(self.beta - 1.0, ln_rest) + self.constant
        } else if x == 0.0 || rest == 0.0 {
            f64::NEG_INFINITY
        } else {
            self.constant - beta_deviance(self.alpha, self.beta, x, rest) - ln_x - ln_rest
        }
    }

    /// The quantile x at p, and 1 - x, both with all digits.
    pub fn quantile_pair(&self, p: f64) -> (f64, f64) {
        inverse_beta_p(self.alpha, self.beta, p)
    }

    /// The upper quantile x at q, and 1 - x, both with all digits.
    pub fn upper_quantile_pair(&self, q: f64) -> (f64, f64) {
        inverse_beta_q(self.alpha, self.beta, q)
    }

    /// (ln x, ln(1 - x)) of a draw x, which are finite where x or 1 - x itself is too small for f64.
    pub fn sample_ln<R: Rng + ?Sized>(&self, rng: &mut R) -> (f64, f64) {
        let [ln_x, ln_rest] = draw::ln_pair([self.alpha, self.beta], rng);
        (ln_x, ln_rest)
    }
}

/// exponent · `ln_base`, and zero for an exponent of zero.
fn power(exponent: f64, ln_base: f64) -> f64 {
    if exponent == 0.0 { 0.0 } else { exponent * ln_base }
}

parametric! { Beta, "beta", new:
    /// The first shape α.
    alpha: f64,
    /// The second shape β.
    beta: f64,
}

impl Density for Beta {
    type Point = f64;

    fn ln_pdf(&self, &x: &f64) -> f64 {
        self.ln_pdf_pair(x, 1.0 - x)
    }
}

impl PointGradient for Beta {
    fn point_gradient(&self, &x: &f64) -> f64 {
        let inside = x > 0.0 && x < 1.0;
        if inside { (self.alpha - 1.0) / x - (self.beta - 1.0) / (1.0 - x) } else { f64::NAN }
    }
}

impl ParameterGradient for Beta {
    type Gradient = [f64; 2];

    fn parameter_gradient(&self, &x: &f64) -> [f64; 2] {
        if x > 0.0 && x < 1.0 {
            [x.ln() - self.expected_ln(), (-x).ln_1p() - self.expected_ln_complement()]
        } else {
            [f64::NAN; 2]
        }
    }
}

impl Univariate for Beta {
    fn cdf(&self, x: f64) -> f64 {
        beta_p(self.alpha, self.beta, x.clamp(0.0, 1.0))
    }

    fn sf(&self, x: f64) -> f64 {
        beta_q(self.alpha, self.beta, x.clamp(0.0, 1.0))
    }

    fn quantile(&self, p: f64) -> f64 {
        self.quantile_pair(p).0
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        self.upper_quantile_pair(q).0
    }

    fn ln_cdf(&self, x: f64) -> f64 {
        ln_beta_p(self.alpha, self.beta, x.clamp(0.0, 1.0))
    }

    fn ln_sf(&self, x: f64) -> f64 {
        ln_beta_q(self.alpha, self.beta, x.clamp(0.0, 1.0))
    }
}

impl Moments for Beta {
    fn mean(&self) -> Option<f64> {
        Some(self.alpha / self.total)
    }

    fn variance(&self) -> Option<f64> {
        Some((self.alpha / self.total) * (self.beta / self.total) / (self.total + 1.0))
    }
}

impl Shape for Beta {
    fn skewness(&self) -> Option<f64> {
        let (a, b, n) = (self.alpha, self.beta, self.total);
        Some(2.0 * ((b - a) / (n + 2.0)) * (n + 1.0).sqrt() / a.sqrt() / b.sqrt())
    }

    fn excess_kurtosis(&self) -> Option<f64> {
        let (a, b, n) = (self.alpha, self.beta, self.total);
        let asymmetry = ((a - b) / a) * ((a - b) / b) * ((n + 1.0) / (n + 2.0));
        Some(6.0 * (asymmetry - 1.0) / (n + 3.0))
    }
}

impl Entropy for Beta {
    fn entropy(&self) -> f64 {
        let (a, b, n) = (self.alpha, self.beta, self.total);
        if a.min(b) <= 1.0 {
            return -self.constant
                + (a - 1.0) * digamma_difference(a, b)
                + (b - 1.0) * digamma_difference(b, a);
        }
        let beside = |x: f64, weight: f64| stirling_remainder(x) - weight * stirling_remainder_derivative(x);
        let remainders = beside(a, a - 1.0) + beside(b, b - 1.0) - beside(n, n - 2.0);
        0.5 * (TAU * (a / n) * (b / n) / n).ln() + 0.5 - 0.5 / a - 0.5 / b + n.recip() + remainders
    }
}

impl Mode for Beta {
    /// `None` if a parameter is below 1, where the density is unbounded, or both are 1, where it is constant.
    fn mode(&self) -> Option<f64> {
        let excess = (self.alpha - 1.0) + (self.beta - 1.0);
        let exists = self.alpha >= 1.0 && self.beta >= 1.0 && excess > 0.0;
        exists.then(|| (self.alpha - 1.0) / excess)
    }
}

impl KlDivergence for Beta {
    fn kl_divergence(&self, other: &Self) -> f64 {
        let ratio = other.total / self.total;
        let deviances = poisson_deviance(other.alpha, ratio * self.alpha)
            + poisson_deviance(other.beta, ratio * self.beta);
        let beyond = beyond_deviance(other.alpha, self.alpha) + beyond_deviance(other.beta, self.beta)
            - beyond_deviance(other.total, self.total);
        deviances + beyond
    }
}

impl ExponentialFamily for Beta {
    type Fixed = ();
    type Summary = Sums;

    fn fixed(&self) {}

    fn statistic_len((): &()) -> usize {
        2
    }

    fn check_point((): &(), &x: &f64) -> Result<(), ParamError> {
        check::open_probability("Beta", "point", x).map(drop)
    }

    /// The statistic (ln x, ln(1 - x)).
    fn add_statistic((): &(), &x: &f64, weight: f64, sum: &mut [f64]) {
        sum[0] += x_ln_y(weight, x);
        sum[1] += weight * (-x).ln_1p();
    }

    /// The log partition function ln B(w₁ + 1, w₂ + 1).
    fn ln_partition(natural: &Natural<Self>) -> f64 {
        ln_beta(natural.as_slice()[0] + 1.0, natural.as_slice()[1] + 1.0)
    }

    /// The natural parameters (α - 1, β - 1).
    fn natural(&self) -> Natural<Self> {
        Natural::of((), vec![self.alpha - 1.0, self.beta - 1.0])
    }

    fn from_natural(natural: &Natural<Self>) -> Result<Self, ParamError> {
        Self::new(natural.as_slice()[0] + 1.0, natural.as_slice()[1] + 1.0)
    }

    /// The expectation of the statistic (ψ(α) - ψ(α + β), ψ(β) - ψ(α + β)).
    fn expectation(&self) -> Expectation<Self> {
        Expectation::of((), vec![self.expected_ln(), self.expected_ln_complement()])
    }

    /// As for the [`Dirichlet`] distribution of two coordinates.
    fn from_expectation(expectation: &Expectation<Self>) -> Result<Self, ParamError> {
        let of_pair = Expectation::of(2, expectation.as_slice().to_vec());
        let distribution = Dirichlet::from_expectation(&of_pair)?;
        Self::new(distribution.concentration()[0], distribution.concentration()[1])
    }
}

#[cfg(feature = "linalg")]
impl FisherInformation for Beta {
    /// The Fisher information diag(ψ₁(α), ψ₁(β)) - ψ₁(α + β).
    fn fisher_information(&self) -> DMatrix<f64> {
        let (a, b) = (self.alpha, self.beta);
        let off = -posterior_math::special::trigamma(self.total);
        two_by_two(
            [
                posterior_math::special::trigamma_difference(a, b),
                posterior_math::special::trigamma_difference(b, a),
            ],
            off,
        )
    }
}

impl Distribution<f64> for Beta {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        self.sampler.draw([self.alpha, self.beta], rng)
    }
}
