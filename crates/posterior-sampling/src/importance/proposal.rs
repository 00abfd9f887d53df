//! Distributions that one can draw from.

use posterior_dist::target::{OnTheLine, Target, Unconstrained};
use posterior_dist::{Density, Univariate};
use posterior_math::bijection::Bijector;
use rand::Rng;
use rand::distr::Distribution;

/// A target that one can draw from, and whose density integrates to one: where importance sampling and
/// tempering begin.
///
/// Distributions of the library are such targets in the free coordinates of their support: [`OnTheLine`] of a
/// number, [`Unconstrained`] of a vector (with [`Elementwise`](posterior_math::bijection::Elementwise)
/// [`Identity`](posterior_math::bijection::Identity) for distributions on all of ℝⁿ).
///
/// ```
/// use posterior_dist::{stream::stream, target::Unconstrained};
/// use posterior_gaussian::Gaussian;
/// use posterior_math::bijection::{Elementwise, Identity};
/// use posterior_sampling::importance::NormalizedTarget;
///
/// let distribution = Unconstrained::new(Gaussian::standard(3), Elementwise::new(Identity, 3), 3)?;
/// let mut x = [0.0; 3];
/// distribution.draw(&mut stream(1, &[]), &mut x);
/// assert!(x.iter().all(|x| *x != 0.0));
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
pub trait NormalizedTarget: Target {
    /// Draws into `x`.
    ///
    /// # Panics
    /// May panic if `x` does not have n coordinates.
    fn draw<R: Rng + ?Sized>(&self, rng: &mut R, x: &mut [f64]);
}

impl<Q: NormalizedTarget + ?Sized> NormalizedTarget for &Q {
    fn draw<R: Rng + ?Sized>(&self, rng: &mut R, x: &mut [f64]) {
        (**self).draw(rng, x);
    }
}

impl<D> NormalizedTarget for OnTheLine<D>
where
    D: Univariate + Density<Point = f64> + Distribution<f64>,
{
    fn draw<R: Rng + ?Sized>(&self, rng: &mut R, x: &mut [f64]) {
        x[0] = self.unconstrain(self.distribution().sample(rng));
    }
}

impl<D, B> NormalizedTarget for Unconstrained<D, B>
where
    D: Density<Point = [f64]> + Distribution<Vec<f64>>,
    B: Bijector,
{
    fn draw<R: Rng + ?Sized>(&self, rng: &mut R, x: &mut [f64]) {
        self.bijection().inverse(&self.distribution().sample(rng), x);
    }
}
