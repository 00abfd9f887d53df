//! Means over points that fill the cube more evenly than random ones.

use posterior_math::check::{self, ParamError};
use posterior_math::streaming::MeanVariance;

use super::{Estimate, Sobol, at_least, moments};

/// How many points, and how often.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuasiOptions {
    /// Points of a net: a power of two.
    pub points: usize,
    /// Nets, each scrambled for itself: their means give the standard error.
    pub replicates: usize,
}

impl Default for QuasiOptions {
    /// 16 nets of 1,024 points.
    fn default() -> Self {
        Self { points: 1024, replicates: 16 }
    }
}

/// The mean of a function over (0, 1)ⁿ, by scrambled Sobol points.
///
/// There is no bias. For functions of bounded variation the error falls about as 1/N, for smooth ones in few
/// dimensions as N^(-3/2), and for no function of finite variance slower than 1/√N. It pays while the
/// function depends on few coordinates at a time. More points make the mean better; more replicates make its
/// standard error better: the error is that of a mean of `replicates` numbers, and a little more than normal
/// for few of them.
///
/// ```
/// use posterior_sampling::estimate::{QuasiOptions, quasi_monte_carlo};
///
/// let product = |u: &[f64]| u.iter().map(|u| 2.0 * u).product();
/// let estimate = quasi_monte_carlo(5, product, &QuasiOptions::default(), 1)?;
/// assert!((estimate.value - 1.0).abs() < 4.0 * estimate.standard_error);
/// // As many independent draws: √((4/3)⁵ - 1) / √16384 = 0.014.
/// assert!(estimate.standard_error < 0.001);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
///
/// # Errors
/// A dimension of zero, or above [`Sobol::MAX_DIM`]; points that are no power of two up to 2³²; fewer than
/// two replicates; a value that is not finite, with the number of its point.
pub fn quasi_monte_carlo(
    dim: usize,
    mut function: impl FnMut(&[f64]) -> f64,
    options: &QuasiOptions,
    seed: u64,
) -> Result<Estimate, ParamError> {
    let QuasiOptions { points, replicates } = *options;
    let a_net = points.is_power_of_two() && points.ilog2() <= 32;
    check::require(a_net, "quasi_monte_carlo", "points", points as f64, "a power of two, 2³² at most")?;
    at_least(2, replicates, "quasi_monte_carlo", "replicates", "at least 2")?;
    let mut point = vec![0.0; Sobol::new(dim)?.dim()];
    let mut means = MeanVariance::new();
    for replicate in 0..replicates {
        let mut net = Sobol::scrambled(dim, seed_of(seed, replicate))?;
        let values = (0..points).map(|_| {
            net.next_point(&mut point);
            function(&point)
        });
        means.push(moments("quasi_monte_carlo", values)?.mean());
    }
    Ok(Estimate::of_independent(&means, points))
}

/// A seed of its own for each net.
fn seed_of(seed: u64, replicate: usize) -> u64 {
    use rand::RngExt;
    posterior_dist::stream::stream(seed, &[replicate as u64]).random()
}
