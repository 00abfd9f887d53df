//! Counts whose logarithmic rate is the function.

use posterior_math::check::ParamError;
use posterior_math::special::ln_factorial;

use super::{Count, Likelihood, LogConcave, Tilted};

/// A count with mean e^f times its exposure: with counts in small cells, the log-Gaussian Cox process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Poisson;

impl Likelihood for Poisson {
    type Output = Count;

    /// Every [`Count`] can be.
    fn check(&self, _output: Count) -> Result<(), ParamError> {
        Ok(())
    }

    fn ln_density(&self, output: Count, latent: f64) -> f64 {
        let ln_mean = latent + output.exposure().ln();
        output.count() as f64 * ln_mean - ln_mean.exp() - ln_factorial(output.count())
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

impl LogConcave for Poisson {}
