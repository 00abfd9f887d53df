//! Dirichlet distribution on the probability simplex.

mod fit;
mod large;

use posterior_math::iteration::Silent;
use posterior_math::log_space::{ln_softmax_in_place, x_ln_y};
use posterior_math::special::{digamma_difference, ln_multivariate_beta, ln_pochhammer};
use rand::RngExt;

use crate::concentration::ConcentrationOptions;
use crate::gamma_variate::{PLAIN_FROM, PLAIN_TO, sample_gamma, sample_ln_gamma};
use crate::prelude::*;

/// How far from one the sum of a point's coordinates may be.
const SUM_TOLERANCE: f64 = 1e-9;

/// The distribution of K random probabilities; the conjugate prior of [`Categorical`](crate::Categorical).
///
/// # Density
/// p(t) = 1 / B(α) · Π t_k^(α_k - 1),  B(α) = Π Γ(α_k) / Γ(α₀),  α₀ = Σ α_k
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | α | `concentration` | α_k > 0, α₀ finite | `alpha` (SciPy, Stan, R's MCMCpack) |
///
/// # Moments
/// mean a = α / α₀, covariance (δ_kl a_k - a_k a_l) / (α₀ + 1), E ln t_k = ψ(α_k) - ψ(α₀),
/// entropy ln B(α) + (α₀ - K) ψ(α₀) - Σ (α_k - 1) ψ(α_k), mode (α_k - 1) / (α₀ - K) if no α_k is below 1
///
/// # Numerics
/// A point is in the support if its coordinates are not negative and sum to one within 1e-9. Draws are
/// normalised gammas in log space, so that α = 10⁻⁴, whose gammas underflow, still gives points;
/// [`Dirichlet::sample_ln`] keeps the logarithms of coordinates that are too small for f64.
///
/// # Example
/// ```
/// use posterior_dist::{Dirichlet, Entropy};
///
/// let distribution = Dirichlet::new(&[1.0, 2.0, 3.0])?;
/// assert!((distribution.entropy() - -1.2443445622221003).abs() < 1e-14);
/// assert!((distribution.expected_ln()[2] - -0.7833333333333333).abs() < 1e-15);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
///
/// # References
/// T. Minka, Estimating a Dirichlet distribution, 2000. L. Devroye, Non-uniform random variate generation,
/// 1986, XI.4.
#[derive(Debug, Clone, PartialEq)]
pub struct Dirichlet {
    concentration: Vec<f64>,
    total: f64,
    ln_norm: f64,
}

impl Dirichlet {
    /// The distribution with these α.
    ///
    /// # Errors
    /// If there are none, one is not positive and finite, or their sum overflows.
    pub fn new(concentration: &[f64]) -> Result<Self, ParamError> {
        check::require(!concentration.is_empty(), "Dirichlet", "dimension", 0.0, "positive")?;
        check::each(concentration, |a| check::positive("Dirichlet", "concentration", a))?;
        let total = check::positive("Dirichlet", "sum of the concentration", concentration.iter().sum())?;
        Ok(Self {
            concentration: concentration.to_vec(),
            total,
            ln_norm: ln_multivariate_beta(concentration),
        })
    }

    /// The distribution with α_k = `concentration` for all of `dimension` coordinates.
    ///
    /// # Errors
    /// If the dimension is zero, or `concentration` is not positive and finite.
    pub fn symmetric(dimension: usize, concentration: f64) -> Result<Self, ParamError> {
        Self::new(&vec![concentration; dimension])
    }

    /// The concentration α, one number for each coordinate.
    pub fn concentration(&self) -> &[f64] {
        &self.concentration
    }

    /// The sum α₀ = Σ α_k.
    pub const fn total(&self) -> f64 {
        self.total
    }

    /// ln B(α).
    pub const fn ln_norm(&self) -> f64 {
        self.ln_norm
    }

    /// E ln t_k = ψ(α_k) - ψ(α₀).
    pub fn expected_ln(&self) -> Vec<f64> {
        (0..self.concentration.len())
            .map(|k| -digamma_difference(self.concentration[k], self.rest(k)))
            .collect()
    }

    /// α₀ - α_k, added up where the difference would cancel.
    pub(crate) fn rest(&self, k: usize) -> f64 {
        if self.concentration[k] < 0.5 * self.total {
            self.total - self.concentration[k]
        } else {
            self.concentration[..k].iter().chain(&self.concentration[k + 1..]).sum()
        }
    }

    /// ln ∫ Π t_k^(n_k) p(t) dt = ln B(α + n) - ln B(α): the log-probability of a *sequence* of categories
    /// with these counts, in any order. A vector of counts has a coefficient more: [`DirichletMultinomial`].
    ///
    /// # Panics
    /// If there are not K counts.
    ///
    /// [`DirichletMultinomial`]: crate::DirichletMultinomial
    #[track_caller]
    pub fn ln_sequence_evidence(&self, counts: &[u64]) -> f64 {
        assert!(
            counts.len() == self.concentration.len(),
            "{} counts for {} categories",
            counts.len(),
            self.concentration.len()
        );
        let cells: f64 =
            self.concentration.iter().zip(counts).map(|(&a, &n)| ln_pochhammer(a, n as f64)).sum();
        cells - ln_pochhammer(self.total, counts.iter().map(|&n| n as f64).sum())
    }

    /// The logarithms of a draw's coordinates, which are finite where the coordinate itself is too small for
    /// f64.
    pub fn sample_ln<R: Rng + ?Sized>(&self, rng: &mut R) -> Vec<f64> {
        let mut ln_point: Vec<f64> = self.concentration.iter().map(|&a| sample_ln_gamma(a, rng)).collect();
        if ln_point.iter().all(|&x| x == f64::NEG_INFINITY) {
            // α below 1e-300: beyond any precision, all mass is in one corner, which is k with probability
            // α_k / α₀.
            let mut target = rng.random::<f64>() * self.total;
            let corner = self.concentration.iter().position(|&a| {
                target -= a;
                target < 0.0
            });
            ln_point[corner.unwrap_or(self.concentration.len() - 1)] = 0.0;
        }
        ln_softmax_in_place(&mut ln_point);
        ln_point
    }
}

impl Density for Dirichlet {
    type Point = [f64];

    fn ln_pdf(&self, t: &[f64]) -> f64 {
        if t.iter().any(|x| x.is_nan()) {
            return f64::NAN;
        }
        let on_simplex = t.len() == self.concentration.len()
            && t.iter().all(|&x| x >= 0.0)
            && (t.iter().sum::<f64>() - 1.0).abs() <= SUM_TOLERANCE;
        if on_simplex && large::RANGE.contains(&self.total) {
            return large::ln_pdf(&self.concentration, self.total, t);
        }
        let (mut ln_product, mut pole) = (0.0, false);
        for (&x, &a) in t.iter().zip(&self.concentration) {
            if !on_simplex || (x == 0.0 && a > 1.0) {
                return f64::NEG_INFINITY;
            }
            pole |= x == 0.0 && a < 1.0;
            if a != 1.0 {
                ln_product += x_ln_y(a - 1.0, x);
            }
        }
        if pole {
            // Whatever the other factors are, which may have left f64.
            return f64::INFINITY;
        }
        if on_simplex { ln_product - self.ln_norm } else { f64::NEG_INFINITY }
    }
}

impl PointGradient for Dirichlet {
    /// (α - 1) / t, in all coordinates as if they were free.
    fn point_gradient(&self, t: &[f64]) -> Vec<f64> {
        if self.ln_pdf(t) == f64::NEG_INFINITY {
            return vec![f64::NAN; t.len()];
        }
        let slope = |(&x, &a): (&f64, &f64)| if a == 1.0 { 0.0 } else { (a - 1.0) / x };
        t.iter().zip(&self.concentration).map(slope).collect()
    }
}

#[cfg(feature = "linalg")]
impl Moments<Vec<f64>, DMatrix<f64>> for Dirichlet {
    fn mean(&self) -> Option<Vec<f64>> {
        Some(self.concentration.iter().map(|a| a / self.total).collect())
    }

    fn variance(&self) -> Option<DMatrix<f64>> {
        let (dimension, total) = (self.concentration.len(), self.total);
        let mean = |k: usize| self.concentration[k] / total;
        let entry = |k: usize, l: usize| {
            let product = if k == l { mean(k) * (self.rest(k) / total) } else { -mean(k) * mean(l) };
            product / (total + 1.0)
        };
        Some(DMatrix::from_fn(dimension, dimension, entry))
    }
}

impl Entropy for Dirichlet {
    fn entropy(&self) -> f64 {
        if large::RANGE.contains(&self.total) {
            return large::entropy(&self.concentration, self.total, &self.expected_ln());
        }
        let terms =
            self.concentration.iter().zip(self.expected_ln()).map(|(a, expected_ln)| (a - 1.0) * expected_ln);
        self.ln_norm - terms.sum::<f64>()
    }
}

impl Mode for Dirichlet {
    /// `None` if an α_k is below 1, where the density is unbounded, or all are 1, where it is constant.
    fn mode(&self) -> Option<Vec<f64>> {
        let excess: f64 = self.concentration.iter().map(|a| a - 1.0).sum();
        if self.concentration.len() == 1 {
            return Some(vec![1.0]);
        }
        if self.concentration.iter().any(|&a| a < 1.0) || !(excess > 0.0) {
            return None;
        }
        Some(self.concentration.iter().map(|a| (a - 1.0) / excess).collect())
    }
}

impl KlDivergence for Dirichlet {
    fn kl_divergence(&self, other: &Self) -> f64 {
        if self.concentration.len() != other.concentration.len() {
            return f64::INFINITY;
        }
        if large::RANGE.contains(&self.total.min(other.total))
            && self.total.max(other.total) <= *large::RANGE.end()
        {
            return large::kl_divergence(
                [&self.concentration, &other.concentration],
                [self.total, other.total],
            );
        }
        let differences = self.concentration.iter().zip(&other.concentration).map(|(a, b)| a - b);
        let terms =
            differences.zip(self.expected_ln()).map(|(difference, expected_ln)| difference * expected_ln);
        other.ln_norm - self.ln_norm + terms.sum::<f64>()
    }
}

impl ExponentialFamily for Dirichlet {
    /// The dimension.
    type Fixed = usize;
    type Summary = Sums;

    fn fixed(&self) -> usize {
        self.concentration.len()
    }

    fn statistic_len(&dimension: &usize) -> usize {
        dimension
    }

    fn check_point(&dimension: &usize, t: &[f64]) -> Result<(), ParamError> {
        let length = t.len();
        check::require(length == dimension, "Dirichlet", "length", length as f64, "the dimension")?;
        check::each(t, |x| check::probability("Dirichlet", "point", x))?;
        let sum: f64 = t.iter().sum();
        check::require((sum - 1.0).abs() <= SUM_TOLERANCE, "Dirichlet", "sum of the point", sum, "1")
            .map(drop)
    }

    /// The statistic ln t.
    fn add_statistic(_: &usize, t: &[f64], weight: f64, sum: &mut [f64]) {
        for (total, &x) in sum.iter_mut().zip(t) {
            *total += x_ln_y(weight, x);
        }
    }

    /// The log partition function ln B(w + 1).
    fn ln_partition(natural: &Natural<Self>) -> f64 {
        let alpha: Vec<f64> = natural.as_slice().iter().map(|w| w + 1.0).collect();
        ln_multivariate_beta(&alpha)
    }

    /// The natural parameters α - 1.
    fn natural(&self) -> Natural<Self> {
        Natural::of(self.concentration.len(), self.concentration.iter().map(|a| a - 1.0).collect())
    }

    fn from_natural(natural: &Natural<Self>) -> Result<Self, ParamError> {
        let alpha: Vec<f64> = natural.as_slice().iter().map(|w| w + 1.0).collect();
        Self::new(&alpha)
    }

    /// The expectation E ln t of the statistic.
    fn expectation(&self) -> Expectation<Self> {
        Expectation::of(self.concentration.len(), self.expected_ln())
    }

    /// By [`Dirichlet::fit`] with the default options. It is an error if that does not converge.
    fn from_expectation(expectation: &Expectation<Self>) -> Result<Self, ParamError> {
        let options = ConcentrationOptions::default();
        let fitted = Self::fit(expectation.as_slice(), &options, &mut Silent)?;
        let steps = fitted.report.iterations() as f64;
        check::require(
            fitted.report.converged(),
            "Dirichlet",
            "steps of the fit",
            steps,
            "enough to converge",
        )?;
        Ok(fitted.model)
    }
}

#[cfg(feature = "linalg")]
impl FisherInformation for Dirichlet {
    /// The Fisher information diag(ψ₁(α)) - ψ₁(Σ α).
    fn fisher_information(&self) -> DMatrix<f64> {
        let shared = posterior_math::special::trigamma(self.total);
        let entry = |k: usize, l: usize| {
            if k == l { posterior_math::special::trigamma(self.concentration[k]) - shared } else { -shared }
        };
        DMatrix::from_fn(self.concentration.len(), self.concentration.len(), entry)
    }
}

impl Distribution<Vec<f64>> for Dirichlet {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> Vec<f64> {
        if self.total > PLAIN_TO || self.concentration.iter().any(|&a| a < PLAIN_FROM) {
            return self.sample_ln(rng).into_iter().map(f64::exp).collect();
        }
        let mut point: Vec<f64> = self.concentration.iter().map(|&a| sample_gamma(a, rng)).collect();
        let sum: f64 = point.iter().sum();
        for x in &mut point {
            *x /= sum;
        }
        point
    }
}
