//! Conjugate priors: what data do to a prior, in closed form.

mod beta;
#[cfg(feature = "linalg")]
mod canonical;
mod dirichlet;
mod gamma;
mod normal;
mod prior_density;
mod product_of_priors;

#[cfg(feature = "linalg")]
pub use canonical::CanonicalPrior;
pub use prior_density::PriorDensity;

use crate::prelude::*;

/// A likelihood whose parameters have the conjugate prior `Prior`.
///
/// One likelihood may have several (the variance of a normal distribution, or its precision), and one prior
/// serves several likelihoods. The functions speak of the likelihood, hence
/// `Categorical::posterior(&prior, &stats)`.
///
/// # For a pair of your own
/// A Laplace-smoothed coin: the uniform prior with counts as its whole state.
/// ```
/// use posterior_dist::{Bernoulli, Beta, Conjugate, ExpectedDensity, Stats};
/// use posterior_math::ParamError;
/// use rand::Rng;
///
/// /// The uniform prior, and what was seen since.
/// #[derive(Debug, Clone, PartialEq)]
/// struct Seen {
///     heads: f64,
///     tails: f64,
/// }
///
/// impl Seen {
///     fn beta(&self) -> Result<Beta, ParamError> {
///         Beta::new(self.heads + 1.0, self.tails + 1.0)
///     }
/// }
///
/// /// The prior is a type of its own here; a likelihood of your own with a prior of this crate works the same way.
/// impl Conjugate<Seen> for Bernoulli {
///     type Predictive = Bernoulli;
///
///     fn posterior(prior: &Seen, stats: &Stats<Self>) -> Result<Seen, ParamError> {
///         let heads = stats.sum()[0];
///         Ok(Seen { heads: prior.heads + heads, tails: prior.tails + stats.weight() - heads })
///     }
///
///     fn predictive(prior: &Seen, fixed: &()) -> Result<Bernoulli, ParamError> {
///         <Self as Conjugate<Beta>>::predictive(&prior.beta()?, fixed)
///     }
///
///     fn ln_evidence(prior: &Seen, stats: &Stats<Self>) -> Result<f64, ParamError> {
///         <Self as Conjugate<Beta>>::ln_evidence(&prior.beta()?, stats)
///     }
///
///     fn expected_density(prior: &Seen, fixed: &()) -> Result<ExpectedDensity<Self>, ParamError> {
///         <Self as Conjugate<Beta>>::expected_density(&prior.beta()?, fixed)
///     }
///
///     fn most_probable(prior: &Seen, fixed: &()) -> Result<Option<Self>, ParamError> {
///         <Self as Conjugate<Beta>>::most_probable(&prior.beta()?, fixed)
///     }
///
///     fn draw<R: Rng + ?Sized>(prior: &Seen, fixed: &(), rng: &mut R) -> Result<Self, ParamError> {
///         <Self as Conjugate<Beta>>::draw(&prior.beta()?, fixed, rng)
///     }
/// }
///
/// let data = Stats::<Bernoulli>::of((), &[true, true, false])?;
/// let after = Bernoulli::posterior(&Seen { heads: 0.0, tails: 0.0 }, &data)?;
/// assert_eq!(Bernoulli::predictive(&after, &())?.probability(), 0.6);
/// # Ok::<(), ParamError>(())
/// ```
///
/// # Distributions
/// Checked by `posterior_testkit::consistency`: updating with one part of the data after the other is
/// updating with all of them, in any order; the evidence of a sequence is the product of its predictive
/// probabilities.
pub trait Conjugate<Prior>: ExponentialFamily {
    /// The distribution of the next point, the parameters integrated out: a value, made once and used for
    /// many points.
    type Predictive: Density<Point = Self::Point>;

    /// The prior updated by data.
    ///
    /// # Errors
    /// If what the data hold fixed does not fit the prior, for example another dimension.
    fn posterior(prior: &Prior, stats: &Stats<Self>) -> Result<Prior, ParamError>;

    /// The distribution of the next point under `prior`.
    ///
    /// # Errors
    /// If what is fixed does not fit the prior.
    fn predictive(prior: &Prior, fixed: &Self::Fixed) -> Result<Self::Predictive, ParamError>;

    /// ln p(data) = ln ∫ Π p(xᵢ | w) p(w) dw, of the points in their order.
    ///
    /// # Errors
    /// As for [`posterior`](Self::posterior).
    fn ln_evidence(prior: &Prior, stats: &Stats<Self>) -> Result<f64, ParamError>;

    /// E ln p(x | w) over the prior, as a function of x: what variational fits need.
    ///
    /// # Errors
    /// If what is fixed does not fit the prior.
    fn expected_density(prior: &Prior, fixed: &Self::Fixed) -> Result<ExpectedDensity<Self>, ParamError>;

    /// The distribution at the most probable parameters, in the parametrisation of the prior; `None` if the
    /// prior has no mode.
    ///
    /// # Errors
    /// If what is fixed does not fit the prior.
    fn most_probable(prior: &Prior, fixed: &Self::Fixed) -> Result<Option<Self>, ParamError>;

    /// A distribution with parameters drawn from the prior.
    ///
    /// # Errors
    /// If what is fixed does not fit the prior, or the draw is beyond the range of f64.
    fn draw<R: Rng + ?Sized>(prior: &Prior, fixed: &Self::Fixed, rng: &mut R) -> Result<Self, ParamError>;
}

/// E ln p(x | w) = ln h(x) + ⟨E w, T(x)⟩ - E ln Z(w), the parameters w being random.
#[derive(Debug, Clone, PartialEq)]
pub struct ExpectedDensity<F: ExponentialFamily> {
    natural: Natural<F>,
    ln_partition: f64,
}

impl<F: ExponentialFamily> ExpectedDensity<F> {
    /// From E w and E ln Z(w).
    pub const fn new(natural: Natural<F>, ln_partition: f64) -> Self {
        Self { natural, ln_partition }
    }

    /// The expected natural parameters E w.
    pub const fn natural(&self) -> &Natural<F> {
        &self.natural
    }

    /// E ln Z(w), at least ln Z(E w).
    pub const fn ln_partition(&self) -> f64 {
        self.ln_partition
    }

    /// E ln p(x | w); -∞ for what is no point of the sample space.
    pub fn ln_pdf(&self, x: &F::Point) -> f64 {
        let fixed = self.natural.fixed();
        if F::check_point(fixed, x).is_err() {
            return f64::NEG_INFINITY;
        }
        let mut statistic = vec![0.0; F::statistic_len(fixed)];
        F::add_statistic(fixed, x, 1.0, &mut statistic);
        F::ln_base(fixed, x) + self.natural.inner(&statistic) - self.ln_partition
    }

    /// Σ wᵢ E ln p(xᵢ | w) over data.
    pub fn ln_likelihood(&self, stats: &Stats<F>) -> f64 {
        stats.ln_base() + self.natural.inner(&stats.total()) - stats.weight() * self.ln_partition
    }
}
