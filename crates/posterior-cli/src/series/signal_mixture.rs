//! What weighted draws of a signal say of it, and of a value that is seen of it.

use posterior::dist::{invert_cdf, least_count};
use posterior::kalman::non_gaussian::SignalLikelihood;
use posterior::math::log_space::ln_sum_exp;

use super::mixture::Figures;
use crate::level::Level;

/// Draws that stand for all: as many parts of the same probability, each by a draw in it.
const PARTS: usize = 200;

/// A draw of the signal at one time: θ, its weight, and the place of its likelihood.
pub(super) type SignalDraw = (f64, f64, usize);

/// The distribution of a value: a mixture over draws of the signal.
#[derive(Debug, Clone)]
pub(super) struct SignalMixture {
    /// θ and the place of the likelihood, all with the same weight.
    parts: Vec<(f64, usize)>,
    likelihoods: Vec<SignalLikelihood>,
    time: usize,
    mean: f64,
    variance: f64,
}

impl SignalMixture {
    /// Of draws at a time that rise in θ, whose weights add up to one.
    pub(super) fn new(draws: &[SignalDraw], likelihoods: &[SignalLikelihood], time: usize) -> Self {
        // In the middle of each part.
        let (mut parts, mut sum, mut next) = (Vec::with_capacity(PARTS), 0.0, 0);
        for (place, &(theta, weight, own)) in draws.iter().enumerate() {
            sum += weight;
            let is_last = place + 1 == draws.len();
            while next < PARTS && (is_last || (next as f64 + 0.5) / PARTS as f64 <= sum) {
                parts.push((theta, own));
                next += 1;
            }
        }
        let of = |of: &dyn Fn(&SignalDraw) -> f64| draws.iter().map(|own| own.1 * of(own)).sum::<f64>();
        let expected = |own: &SignalDraw| likelihoods[own.2].mean(time, own.0);
        let mean = of(&expected);
        let within = of(&|own| likelihoods[own.2].variance(time, own.0));
        let variance = within + of(&|own| (expected(own) - mean).powi(2));
        Self { parts, likelihoods: likelihoods.to_vec(), time, mean, variance }
    }

    pub(super) fn figures(&self, level: Level) -> Figures {
        let [band, half] = [level, Level::HALF].map(|own| own.interval(|p| self.quantile(p)));
        let (mean, variance) = (self.mean, self.variance);
        Figures { mean, variance, level, band, half, q50: self.quantile(0.5) }
    }

    fn cdf(&self, y: f64) -> f64 {
        let of = |&(theta, own): &(f64, usize)| self.likelihoods[own].cdf(self.time, y, theta);
        self.parts.iter().map(of).sum::<f64>() / self.parts.len() as f64
    }

    /// Of counts the least one up to which there is so much probability.
    pub(super) fn quantile(&self, p: f64) -> f64 {
        if self.is_count() {
            return least_count(self.mean.floor(), [0.0, f64::INFINITY], |y| self.cdf(y) >= p);
        }
        invert_cdf(|y| self.cdf(y), p, f64::NEG_INFINITY, f64::INFINITY)
    }

    fn is_count(&self) -> bool {
        self.likelihoods.iter().all(SignalLikelihood::is_count)
    }

    pub(super) fn ln_pdf(&self, y: f64) -> f64 {
        if self.is_count() && !(y >= 0.0 && y.fract() == 0.0) {
            return f64::NEG_INFINITY;
        }
        let of = |&(theta, own): &(f64, usize)| self.likelihoods[own].ln_density(self.time, y, theta);
        let terms: Vec<f64> = self.parts.iter().map(of).collect();
        ln_sum_exp(&terms) - (self.parts.len() as f64).ln()
    }
}

/// The signal at a time in units of the values: the mean of one. The draws rise in θ, and their weights add
/// up to one.
pub(super) fn signal_figures(
    draws: &[SignalDraw],
    likelihoods: &[SignalLikelihood],
    time: usize,
    level: Level,
) -> Figures {
    let expected = |&(theta, _, own): &SignalDraw| likelihoods[own].mean(time, theta);
    let mean = draws.iter().map(|own| own.1 * expected(own)).sum::<f64>();
    let variance = draws.iter().map(|own| own.1 * (expected(own) - mean).powi(2)).sum::<f64>();
    let middle = |draw: usize, before: f64| before + 0.5 * draws[draw].1;
    let quantile = |p: f64| {
        let (mut before, mut last) = (0.0, None);
        for (draw, own) in draws.iter().enumerate() {
            let at = middle(draw, before);
            if at >= p {
                // Between the middles of two neighbours.
                let Some((last_at, last_value)) = last else { return expected(own) };
                let part: f64 = if at > last_at { (p - last_at) / (at - last_at) } else { 1.0 };
                return last_value + part * (expected(own) - last_value);
            }
            before += own.1;
            last = Some((at, expected(own)));
        }
        last.map_or(f64::NAN, |(_, value)| value)
    };
    let [band, half] = [level, Level::HALF].map(|own| own.interval(quantile));
    Figures { mean, variance, level, band, half, q50: quantile(0.5) }
}

#[cfg(test)]
mod tests {
    use posterior::dist::{Density as _, Gamma, NegativeBinomial, Univariate as _};

    use super::*;

    /// A rate with a gamma distribution makes counts negative binomial: of quantiles of the rate, by their
    /// cumulative probabilities.
    #[test]
    fn gamma_rates_make_negative_binomial_counts() {
        let rate = Gamma::shape_rate(3.0, 0.5).unwrap();
        let draws: Vec<SignalDraw> =
            (0..4000).map(|k| (rate.quantile((f64::from(k) + 0.5) / 4000.0).ln(), 1.0 / 4000.0, 0)).collect();
        let counts = NegativeBinomial::new(3.0, 0.5 / 1.5).unwrap();
        let own = SignalMixture::new(&draws, &[SignalLikelihood::Poisson], 0);
        let found = own.figures(Level::default());
        assert!((found.mean - 6.0).abs() < 1e-2 && (found.variance - 18.0).abs() < 0.1, "{found:?}");
        for p in [0.025, 0.25, 0.5, 0.75, 0.9, 0.975] {
            assert_eq!(own.quantile(p), counts.quantile(p), "{p}");
        }
        for y in [0.0, 2.0, 6.0, 15.0] {
            let expected = counts.ln_pdf(&(y as u64));
            assert!((own.ln_pdf(y) - expected).abs() < 0.01, "{y}: {} {expected}", own.ln_pdf(y));
        }
        assert_eq!(own.ln_pdf(1.5), f64::NEG_INFINITY);
        let signal = signal_figures(&draws, &[SignalLikelihood::Poisson], 0, Level::default());
        for (end, p) in signal.band.iter().zip([0.025, 0.975]) {
            assert!((end / rate.quantile(p) - 1.0).abs() < 1e-3, "{p}");
        }
    }
}
