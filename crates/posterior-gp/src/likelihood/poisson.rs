//! Counts whose logarithmic rate is the function.

use std::f64::consts::TAU;

use posterior_math::check::ParamError;
use posterior_math::special::{exp_excess, stirling_remainder};

use super::{Count, Likelihood, LogConcave, Tilted};

/// A count with mean e^f times its exposure: with counts in small cells, the log-Gaussian Cox process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PoissonLikelihood;

impl Likelihood for PoissonLikelihood {
    type Output = Count;

    /// Every [`Count`] can be.
    fn check(&self, _output: Count) -> Result<(), ParamError> {
        Ok(())
    }

    /// By the distance from the peak, whose value is small: of a million events all digits are right.
    fn ln_density(&self, output: Count, latent: f64) -> f64 {
        let (count, ln_mean) = (output.count() as f64, latent + output.exposure().ln());
        if output.count() == 0 {
            return -ln_mean.exp();
        }
        let at_peak = -0.5 * (TAU * count).ln() - stirling_remainder(count);
        at_peak - count * exp_excess(ln_mean - count.ln())
    }

    fn derivatives(&self, output: Count, latent: f64) -> [f64; 3] {
        let mean = (latent + output.exposure().ln()).exp();
        [output.count() as f64 - mean, -mean, -mean]
    }

    fn response(&self, latent: f64) -> f64 {
        latent.exp()
    }

    fn mean_response(&self, mean: f64, variance: f64) -> f64 {
        (mean + 0.5 * variance).exp()
    }

    fn tilted(&self, output: Count, mean: f64, variance: f64) -> Tilted {
        Tilted::by_trapezoid(self, output, mean, variance)
    }

    fn matched_gaussian(&self, output: Count) -> Option<(f64, f64)> {
        let count = output.count() as f64;
        (count > 0.0).then(|| ((count / output.exposure()).ln(), count.recip()))
    }
}

impl LogConcave for PoissonLikelihood {}
