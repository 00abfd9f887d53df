//! The factor of parameters that have a conjugate prior.

use posterior_dist::{Conjugate, ExpectedDensity, ExponentialFamily, KlDivergence, Stats};
use posterior_math::check::ParamError;

use crate::additive::blend;

/// The factor q(w) of the parameters of a likelihood `F`, whose prior is a `P`: the prior, updated by
/// expected statistics.
///
/// Expected statistics come in ([`update`](Self::update)): in natural parameters, q(w) is the prior's (α, ν)
/// plus (Σ E T(x), Σ E 1). The expected log-density of a point goes out ([`expected`](Self::expected)): what
/// the hidden variables are known about w.
///
/// ```
/// use posterior_dist::{Categorical, Dirichlet, Stats};
/// use posterior_inference::variational::ConjugateFactor;
///
/// let mut factor = ConjugateFactor::<Categorical, _>::new(Dirichlet::new(&[1.0, 1.0])?, 2)?;
/// // A point that is 0 with probability 0.7.
/// let mut expected = Stats::new(2);
/// expected.push_weighted(&0, 0.7)?;
/// expected.push_weighted(&1, 0.3)?;
/// factor.update(expected)?;
/// assert_eq!(factor.posterior().concentration(), [1.7, 1.3]);
/// assert!(factor.expected().ln_pdf(&0) > factor.expected().ln_pdf(&1));
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ConjugateFactor<F: ExponentialFamily, P> {
    prior: P,
    statistics: Stats<F>,
    posterior: P,
    expected: ExpectedDensity<F>,
}

impl<F: Conjugate<P>, P> ConjugateFactor<F, P> {
    /// The factor of a prior without any data; `fixed` is what the likelihood holds fixed.
    ///
    /// # Errors
    /// If what is fixed does not fit the prior.
    pub fn new(prior: P, fixed: F::Fixed) -> Result<Self, ParamError> {
        let statistics = Stats::new(fixed);
        let posterior = F::posterior(&prior, &statistics)?;
        let expected = F::expected_density(&posterior, statistics.fixed())?;
        Ok(Self { prior, statistics, posterior, expected })
    }

    /// The prior p(w).
    pub const fn prior(&self) -> &P {
        &self.prior
    }

    /// The expected statistics that q(w) holds.
    pub const fn statistics(&self) -> &Stats<F> {
        &self.statistics
    }

    /// The factor q(w) of the approximation.
    pub const fn posterior(&self) -> &P {
        &self.posterior
    }

    /// E ln p(x | w) over q(w).
    pub const fn expected(&self) -> &ExpectedDensity<F> {
        &self.expected
    }

    /// Makes q(w) the posterior of these expected statistics of all data: a coordinate update.
    ///
    /// # Errors
    /// If they do not fit the prior; the factor stays as it was.
    pub fn update(&mut self, statistics: Stats<F>) -> Result<(), ParamError> {
        let posterior = F::posterior(&self.prior, &statistics)?;
        self.expected = F::expected_density(&posterior, statistics.fixed())?;
        (self.posterior, self.statistics) = (posterior, statistics);
        Ok(())
    }

    /// Moves q(w) by `rate` towards the posterior of these statistics: a step along the natural gradient, in
    /// which all natural parameters become (1 - rate) times the old plus rate times the new.
    ///
    /// # Errors
    /// If the rate is not in [0, 1] or the statistics do not fit; the factor stays as it was.
    pub fn step(&mut self, rate: f64, statistics: Stats<F>) -> Result<(), ParamError> {
        let mut moved = self.statistics.clone();
        blend(&mut moved, statistics, rate)?;
        self.update(moved)
    }
}

impl<F: Conjugate<P>, P: KlDivergence> ConjugateFactor<F, P> {
    /// The part of the bound that is about w: E ln p(data | w) - KL(q(w) ‖ p(w)), with the expected
    /// statistics of the data under the factors of the hidden variables.
    pub fn bound(&self, statistics: &Stats<F>) -> f64 {
        self.expected.ln_likelihood(statistics) - self.posterior.kl_divergence(&self.prior)
    }
}
