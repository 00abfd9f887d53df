//! Drawing by transformation: the quantile of a uniform number.

use posterior_dist::Univariate;
use rand::distr::Distribution;
use rand::{Rng, RngExt};

/// 2⁻⁵⁴.
const STEP: f64 = 1.0 / (1_u64 << 54) as f64;

/// Draws from a univariate distribution by its quantiles.
///
/// A random bit says from which end a probability in (0, 1/2] is counted, so that both tails reach to 2⁻⁵⁴
/// and no draw is an infinite quantile. One word of random bits for each draw. For a draw that rises with a
/// given number take the quantile itself: that is what antithetic, common and quasi-random numbers want. For
/// a distribution of which only the distribution function is known, [`posterior_dist::invert_cdf`] has the
/// quantile.
///
/// ```
/// use posterior_dist::{Exponential, stream::stream};
/// use posterior_sampling::estimate::{Inversion, monte_carlo};
///
/// let distribution = Exponential::new(2.0)?;
/// let mean = monte_carlo(&Inversion(&distribution), |&x: &f64| x, 10_000, &mut stream(1, &[]))?;
/// assert!((mean.value - 0.5).abs() < 3.0 * mean.standard_error);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Inversion<'a, L: ?Sized>(pub &'a L);

impl<L: Univariate + ?Sized> Distribution<f64> for Inversion<'_, L> {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        let bits: u64 = rng.random();
        let probability = ((bits >> 11) + 1) as f64 * STEP;
        if bits & 1 == 0 { self.0.quantile(probability) } else { self.0.upper_quantile(probability) }
    }
}
