//! Data as the fit sees them: what they are expected to say of each component.

use posterior_dist::{Conjugate, ExponentialFamily, Stats};
use posterior_inference::variational::ConjugateFactor;
use posterior_math::linalg::DMatrix;

use crate::error::Error;

/// The factor q(z) of all assignments, as the other factors see it.
#[derive(Debug, Clone, PartialEq)]
pub struct Assigned<F: ExponentialFamily> {
    /// Σᵢ wᵢ q(zᵢ = k) T(xᵢ) of each component k, with the weights wᵢ of the data.
    pub statistics: Vec<Stats<F>>,
    /// H(q(z)) = -Σ wᵢ q(zᵢ = k) ln q(zᵢ = k), with that of missing values where there are some.
    pub entropy: f64,
    /// Σ wᵢ q(zᵢ = k) E ln p(xᵢ | w_k) with the components that q(z) was made with; NaN if it was not.
    pub expected_fit: f64,
}

impl<F: ExponentialFamily> Assigned<F> {
    /// N_k = Σᵢ wᵢ q(zᵢ = k).
    pub fn counts(&self) -> Vec<f64> {
        self.statistics.iter().map(Stats::weight).collect()
    }
}

/// Data whose assignments to components of a family `F` with priors `P` can be expected.
///
/// # Distributions
/// [`assign`](Self::assign) is [`given`](Self::given) of the responsibilities that it says in its
/// [`responsibilities`](Self::responsibilities), and neither depends on the number of threads.
pub trait Assignable<F: Conjugate<P>, P> {
    /// How many points there are.
    fn points(&self) -> usize;

    /// Whether every point is one of the family.
    ///
    /// # Errors
    /// With its index, if one is not.
    fn check(&self, fixed: &F::Fixed) -> Result<(), Error>;

    /// q(zᵢ = k) ∝ exp(E ln π_k + E ln p(xᵢ | w_k)).
    ///
    /// # Errors
    /// If no component can have had a point, as numbers left the range of f64.
    fn assign(&self, expected_ln: &[f64], components: &[ConjugateFactor<F, P>])
    -> Result<Assigned<F>, Error>;

    /// These q(zᵢ = k), a row for each point, with non-negative entries that sum to one.
    ///
    /// # Errors
    /// If the statistics leave the range of f64.
    fn given(&self, responsibilities: &DMatrix<f64>, fixed: &F::Fixed) -> Result<Assigned<F>, Error>;

    /// q(zᵢ = k) as a matrix, a row for each point.
    ///
    /// # Errors
    /// As for [`assign`](Self::assign).
    fn responsibilities(
        &self,
        expected_ln: &[f64],
        components: &[ConjugateFactor<F, P>],
    ) -> Result<DMatrix<f64>, Error>;

    /// The labels of a clustering into so many groups, to start from; `None` of points that have no
    /// distances, or are too few.
    fn clusters(&self, _count: usize, _seed: u64) -> Option<Vec<usize>> {
        None
    }
}
