//! A distribution of numbers some of which have probabilities, while the others have a density.

use posterior_math::log_space::LnSumExp;
use rand::RngExt;

use crate::inversion::from_end_to_end;
use crate::moments::weighted;
use crate::prelude::*;
use crate::wrappers::Truncated;
use crate::wrappers::mixed_moments::MixedMoments;

/// The distribution of a number that is one of some atoms with their probabilities, and otherwise drawn from
/// a distribution with a density: rain that is zero on dry days, measurements that end at a limit.
///
/// # Density
/// With respect to lengths and to counting the atoms, together: P(x) at an atom, (1 - Σ P) p(x) elsewhere. A
/// likelihood of such densities compares distributions that have the same atoms.
///
/// # Parameters
/// | symbol | here | range |
/// |---|---|---|
/// | x_i | `atoms` | different, finite |
/// | P(x_i) | their probabilities | [0, 1], with a sum of at most 1 |
/// | p | `distribution` | has a density |
///
/// # Moments
/// mean Σ P x + (1 - Σ P) E X, the variance in the same way; entropy with respect to that measure: -Σ P ln P
/// less R ln R plus R h, for R = 1 - Σ P and the entropy h of the density
///
/// # Numerics
/// Both tails are sums of positive terms, each with its digits; quantiles are those of the density between
/// atoms, and at an atom wherever its step is. The probability that is left is given, not a difference.
///
/// # Example
/// ```
/// use posterior_dist::{Density, Exponential, Normal, Univariate, WithAtoms};
///
/// // Dry on six days of ten.
/// let rain = WithAtoms::hurdle(0.6, Exponential::new(0.2)?)?;
/// assert_eq!((rain.cdf(0.0), rain.quantile(0.5)), (0.6, 0.0));
/// assert!((rain.ln_pdf(&0.0).exp() - 0.6).abs() < 1e-15);
///
/// // A scale that shows no less than -1 and no more than 2.
/// let shown = WithAtoms::censored(Normal::mean_sd(0.0, 1.0)?, -1.0, 2.0)?;
/// assert!((shown.ln_pdf(&2.0).exp() - 0.022_750_131_948_179_2).abs() < 1e-16);
/// assert_eq!(shown.quantile(0.99), 2.0);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct WithAtoms<D> {
    /// In order, each with its probability.
    atoms: Vec<(f64, f64)>,
    rest: f64,
    distribution: D,
}

/// How far the sum of probabilities may be from 1 by rounding.
const ROUNDING: f64 = 1e-12;

impl<D> WithAtoms<D> {
    /// Atoms with their probabilities, and `distribution` with what they leave.
    ///
    /// # Errors
    /// If an atom is not finite or there twice, a probability is not in [0, 1], or they are more than 1.
    pub fn new(atoms: &[(f64, f64)], distribution: D) -> Result<Self, ParamError> {
        let sum: f64 = atoms.iter().map(|own| own.1).sum();
        check::require(!(sum > 1.0 + ROUNDING), "WithAtoms", "sum of the probabilities", sum, "at most 1")?;
        let rest = (1.0 - sum).max(0.0);
        Self::with_rest(atoms.to_vec(), rest, distribution)
    }

    /// Zero with probability `zero`, else a draw of `distribution`, which has a density: a hurdle model, or a
    /// continuous distribution with additional zeros.
    ///
    /// # Errors
    /// If the probability is not in [0, 1].
    pub fn hurdle(zero: f64, distribution: D) -> Result<Self, ParamError> {
        Self::new(&[(0.0, zero)], distribution)
    }

    fn with_rest(mut atoms: Vec<(f64, f64)>, rest: f64, distribution: D) -> Result<Self, ParamError> {
        for (index, &(atom, p)) in atoms.iter().enumerate() {
            check::finite("WithAtoms", "atoms", atom).map_err(|error| error.at(index))?;
            check::probability("WithAtoms", "probabilities", p).map_err(|error| error.at(index))?;
        }
        // -0 is 0.
        for own in &mut atoms {
            own.0 += 0.0;
        }
        atoms.sort_by(|a, b| a.0.total_cmp(&b.0));
        if let Some(twice) = atoms.windows(2).find(|own| own[0].0 == own[1].0) {
            return Err(ParamError::new("WithAtoms", "atoms", twice[0].0, "there once"));
        }
        Ok(Self { atoms, rest, distribution })
    }

    /// The atoms in order, with their probabilities.
    pub fn atoms(&self) -> &[(f64, f64)] {
        &self.atoms
    }

    /// The probability of a number that is none of them.
    pub const fn rest(&self) -> f64 {
        self.rest
    }

    /// The distribution of the others.
    pub const fn distribution(&self) -> &D {
        &self.distribution
    }

    /// The probability of an atom at x.
    fn atom(&self, x: f64) -> Option<f64> {
        let found = self.atoms.binary_search_by(|own| own.0.total_cmp(&(x + 0.0)));
        found.ok().map(|index| self.atoms[index].1)
    }

    /// The probabilities of all atoms up to x, and of those above.
    fn split(&self, x: f64) -> [f64; 2] {
        let (low, high) = self.atoms.split_at(self.atoms.partition_point(|own| own.0 <= x));
        [low, high].map(|part| part.iter().map(|own| own.1).sum())
    }
}

impl<D: Univariate + Density<Point = f64>> WithAtoms<Truncated<D>> {
    /// The distribution of X that is shown as `low` where it is less, and as `high` where it is more, for X
    /// with a density. An end may be infinite.
    ///
    /// # Errors
    /// If `low` is not below `high`, both are infinite, or X is never between them.
    pub fn censored(distribution: D, low: f64, high: f64) -> Result<Self, ParamError> {
        let has_end = low.is_finite() || high.is_finite();
        check::require(has_end, "WithAtoms", "low", low, "finite, or high")?;
        let tails = [(low, distribution.cdf(low)), (high, distribution.sf(high))];
        let atoms = tails.into_iter().filter(|own| own.0.is_finite()).collect();
        let truncated = Truncated::new(distribution, low, high)?;
        let rest = truncated.ln_mass().exp();
        Self::with_rest(atoms, rest, truncated)
    }

    /// Mean and variance, by integrals: those of [`Truncated::mean_and_variance_by_quadrature`].
    pub fn mean_and_variance_by_quadrature(&self) -> Option<(f64, f64)> {
        let (mean, variance) = self.distribution.mean_and_variance_by_quadrature()?;
        let own_mean = self.mixed_mean(mean)?;
        Some((own_mean, self.mixed_variance(mean, variance, own_mean)?))
    }
}

impl<D> WithAtoms<D> {
    fn mixed_mean(&self, mean: f64) -> Option<f64> {
        let atoms = self.atoms.iter().map(|&(x, p)| (p, x));
        let rest = (self.rest > 0.0).then_some((self.rest, mean));
        f64::mixed_mean(&atoms.chain(rest).collect::<Vec<_>>())
    }

    fn mixed_variance(&self, mean: f64, variance: f64, own_mean: f64) -> Option<f64> {
        let atoms = self.atoms.iter().map(|&(x, p)| (p, x, 0.0));
        let rest = (self.rest > 0.0).then_some((self.rest, mean, variance));
        f64::mixed_variance(&atoms.chain(rest).collect::<Vec<_>>(), &own_mean)
    }
}

impl<D: Density<Point = f64>> Density for WithAtoms<D> {
    type Point = f64;

    fn ln_pdf(&self, x: &f64) -> f64 {
        match self.atom(*x) {
            Some(p) => p.ln(),
            None if x.is_nan() => *x,
            None if self.rest == 0.0 => f64::NEG_INFINITY,
            None => self.rest.ln() + self.distribution.ln_pdf(x),
        }
    }
}

/// A tail of the density, and its inverse.
struct Tail<F, G> {
    at: F,
    inverse: G,
}

impl<D: Univariate> WithAtoms<D> {
    /// Where a tail has grown to `goal`, going by the atoms from the end at which it is 0: at the first atom
    /// whose step reaches the goal, or before it. A level is enough for the goal if `is_enough(goal, level)`.
    fn search(
        &self,
        goal: f64,
        atoms: impl Iterator<Item = (f64, f64)>,
        tail: &Tail<impl Fn(f64) -> f64, impl Fn(f64) -> f64>,
        is_enough: fn(f64, f64) -> bool,
    ) -> f64 {
        let inside = |passed: f64| (tail.inverse)(((goal - passed) / self.rest).clamp(0.0, 1.0));
        let (mut passed, mut last) = (0.0, f64::NAN);
        for (atom, p) in atoms.filter(|own| own.1 > 0.0) {
            let before = passed + weighted(self.rest, (tail.at)(atom));
            if self.rest > 0.0 && is_enough(goal, before) {
                return inside(passed);
            }
            if is_enough(goal, before + p) {
                return atom;
            }
            passed += p;
            last = atom;
        }
        if self.rest > 0.0 { inside(passed) } else { last }
    }
}

impl<D: Univariate> Univariate for WithAtoms<D> {
    fn cdf(&self, x: f64) -> f64 {
        if x.is_nan() {
            return x;
        }
        (self.split(x)[0] + weighted(self.rest, self.distribution.cdf(x))).min(1.0)
    }

    fn sf(&self, x: f64) -> f64 {
        if x.is_nan() {
            return x;
        }
        (self.split(x)[1] + weighted(self.rest, self.distribution.sf(x))).min(1.0)
    }

    fn quantile(&self, p: f64) -> f64 {
        let own = &self.distribution;
        let tail = Tail { at: |x| own.cdf(x), inverse: |p| own.quantile(p) };
        let atoms = self.atoms.iter().copied();
        from_end_to_end(p, self.ends(), || self.search(p, atoms, &tail, |goal, level| goal <= level))
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        let [low, high] = self.ends();
        let own = &self.distribution;
        let tail = Tail { at: |x| own.sf(x), inverse: |q| own.upper_quantile(q) };
        let atoms = self.atoms.iter().rev().copied();
        from_end_to_end(q, [high, low], || self.search(q, atoms, &tail, |goal, level| goal < level))
    }

    fn ln_cdf(&self, x: f64) -> f64 {
        let upper = self.sf(x);
        if upper < 0.5 {
            return (-upper).ln_1p();
        }
        if x.is_nan() { x } else { ln_sum(self.split(x)[0], self.rest, self.distribution.ln_cdf(x)) }
    }

    fn ln_sf(&self, x: f64) -> f64 {
        let lower = self.cdf(x);
        if lower < 0.5 {
            return (-lower).ln_1p();
        }
        if x.is_nan() { x } else { ln_sum(self.split(x)[1], self.rest, self.distribution.ln_sf(x)) }
    }
}

/// ln(atoms + rest · e^ln_tail).
fn ln_sum(atoms: f64, rest: f64, ln_tail: f64) -> f64 {
    let rest = if rest > 0.0 { rest.ln() + ln_tail } else { f64::NEG_INFINITY };
    [atoms.ln(), rest].into_iter().collect::<LnSumExp>().value()
}

impl<D: Univariate> WithAtoms<D> {
    /// The ends of the support.
    fn ends(&self) -> [f64; 2] {
        let mut all = self.atoms.iter().filter(|own| own.1 > 0.0).map(|own| own.0);
        let (first, last) = (all.next(), all.next_back());
        let last = last.or(first);
        let inside =
            (self.rest > 0.0).then(|| [self.distribution.quantile(0.0), self.distribution.quantile(1.0)]);
        let low = first.into_iter().chain(inside.map(|own| own[0])).fold(f64::INFINITY, f64::min);
        let high = last.into_iter().chain(inside.map(|own| own[1])).fold(f64::NEG_INFINITY, f64::max);
        [low, high]
    }
}

impl<D: Moments> Moments for WithAtoms<D> {
    fn mean(&self) -> Option<f64> {
        let mean = if self.rest > 0.0 { self.distribution.mean()? } else { 0.0 };
        self.mixed_mean(mean)
    }

    fn variance(&self) -> Option<f64> {
        let parts = |own: &D| Some((own.mean()?, own.variance()?));
        let (mean, variance) = if self.rest > 0.0 { parts(&self.distribution)? } else { (0.0, 0.0) };
        self.mixed_variance(mean, variance, self.mean()?)
    }
}

impl<D: Entropy> Entropy for WithAtoms<D> {
    fn entropy(&self) -> f64 {
        let term = |p: f64| weighted(p, p.ln());
        let atoms: f64 = self.atoms.iter().map(|own| term(own.1)).sum();
        let rest =
            if self.rest > 0.0 { self.rest * self.distribution.entropy() - term(self.rest) } else { 0.0 };
        rest - atoms
    }
}

impl<D: Distribution<f64>> Distribution<f64> for WithAtoms<D> {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        let mut left: f64 = rng.random();
        if left < self.rest {
            return self.distribution.sample(rng);
        }
        left -= self.rest;
        for &(atom, p) in self.atoms.iter().filter(|own| own.1 > 0.0) {
            if left < p {
                return atom;
            }
            left -= p;
        }
        // What rounding left over.
        match self.atoms.iter().rev().find(|own| own.1 > 0.0) {
            Some(last) => last.0,
            None => self.distribution.sample(rng),
        }
    }
}
