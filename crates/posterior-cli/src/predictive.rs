//! The distribution of a new outcome, and its figures.

use posterior::dist::{
    Density as _, Gamma, Mixture, Moments as _, NegativeBinomial, Normal, StudentT, Univariate as _,
};
use posterior::hierarchical::NewResponse;
use posterior::math::log_space::ln_sum_exp;
use posterior::regression::glm::{CountMixture, Predictor};
use posterior::regression::linear::StudentMixture;
use serde::{Serialize, Serializer};

use crate::json::Pairs;
use crate::level::Level;
use crate::output::cell;
use crate::rate_counts;

/// The distribution of a new number or count.
#[derive(Debug, Clone)]
pub(crate) enum Predictive {
    Student(StudentMixture),
    Normal(Normal),
    Normals(Mixture<Normal>),
    Students(Mixture<StudentT>),
    Gammas(Mixture<Gamma>),
    Counts(Mixture<NegativeBinomial>),
    /// Of a formula with effects.
    Response(NewResponse),
    Count(CountMixture),
    /// A count whose rate has a logarithm with this mean and variance.
    LogRate(Predictor),
    /// The same with several, of these weights.
    LogRates(Vec<(f64, Predictor)>),
}

impl Predictive {
    /// A normal distribution, at a point if the variance is zero.
    pub(crate) fn normal(mean: f64, variance: f64) -> Result<Self, posterior::math::ParamError> {
        Normal::mean_sd(mean, variance.sqrt().max(f64::MIN_POSITIVE)).map(Self::Normal)
    }

    /// Positive numbers of these means, with weights, and of a variance that is `dispersion` times the square
    /// of the mean.
    pub(crate) fn gamma(means: &[(f64, f64)], dispersion: f64) -> Result<Self, posterior::math::ParamError> {
        let component = |(mean, _): &(f64, f64)| {
            // A mean beyond range is the largest or the least that there is.
            let scale = (mean * dispersion).clamp(f64::MIN_POSITIVE, f64::MAX);
            Gamma::shape_scale(dispersion.recip(), scale)
        };
        let components = means.iter().map(component).collect::<Result<Vec<_>, _>>()?;
        let weights: Vec<f64> = means.iter().map(|(_, weight)| *weight).collect();
        Ok(Self::Gammas(Mixture::from_weights(&weights, components)?))
    }

    pub(crate) fn quantile(&self, p: f64) -> f64 {
        match self {
            Self::Student(own) => own.quantile(p),
            Self::Normal(own) => own.quantile(p),
            Self::Normals(own) => own.quantile(p),
            Self::Students(own) => own.quantile(p),
            Self::Gammas(own) => own.quantile(p),
            Self::Counts(own) => {
                rate_counts::least(p, own.mean().unwrap_or(0.0).floor(), |count| own.cdf(count))
            }
            Self::Count(own) => own.quantile(p),
            Self::Response(own) => own.quantile(p),
            Self::LogRate(own) => rate_counts::quantile(p, own.mean, own.variance),
            Self::LogRates(all) => rate_counts::mixture_quantile(p, all),
        }
    }

    fn sd(&self) -> f64 {
        match self {
            Self::Student(own) => own.sd(),
            Self::Normal(own) => own.sd(),
            Self::Normals(own) => own.variance().map_or(f64::NAN, f64::sqrt),
            Self::Students(own) => own.variance().map_or(f64::NAN, f64::sqrt),
            Self::Gammas(own) => own.variance().map_or(f64::NAN, f64::sqrt),
            Self::Counts(own) => own.variance().map_or(f64::NAN, f64::sqrt),
            Self::Count(own) => own.sd(),
            Self::Response(own) => own.sd(),
            Self::LogRate(own) => {
                let rate = (own.mean + 0.5 * own.variance).exp();
                (rate + rate * rate * own.variance.exp_m1()).sqrt()
            }
            Self::LogRates(all) => {
                let (rate, variance) = moments_of_rate(all);
                (rate + variance).sqrt()
            }
        }
    }

    /// ln of the density of a number, or of the probability of a count.
    pub(crate) fn ln_density(&self, outcome: f64) -> f64 {
        match self {
            Self::Student(own) => own.ln_pdf(outcome),
            Self::Normal(own) => own.ln_pdf(&outcome),
            Self::Normals(own) => own.ln_pdf(&outcome),
            Self::Students(own) => own.ln_pdf(&outcome),
            Self::Gammas(own) if outcome > 0.0 => own.ln_pdf(&outcome),
            Self::Counts(own) if outcome >= 0.0 && outcome.fract() == 0.0 => own.ln_pdf(&(outcome as u64)),
            Self::Gammas(_) | Self::Counts(_) => f64::NEG_INFINITY,
            Self::Count(own) => own.ln_pmf(outcome),
            Self::Response(own) => own.ln_density(outcome),
            Self::LogRate(own) => CountMixture::of_predictor(own).ln_pmf(outcome),
            Self::LogRates(all) => {
                let one = |(weight, own): &(f64, Predictor)| {
                    weight.ln() + CountMixture::of_predictor(own).ln_pmf(outcome)
                };
                ln_sum_exp(&all.iter().map(one).collect::<Vec<_>>())
            }
        }
    }
}

/// Mean and variance of a rate whose logarithm is one of several normal variables, with weights.
pub(crate) fn moments_of_rate(all: &[(f64, Predictor)]) -> (f64, f64) {
    let rate = |own: &Predictor| (own.mean + 0.5 * own.variance).exp();
    let mean = all.iter().map(|(weight, own)| weight * rate(own)).sum::<f64>();
    let variance = all.iter().map(|(weight, own)| {
        weight * (rate(own).powi(2) * own.variance.exp_m1() + (rate(own) - mean).powi(2))
    });
    (mean, variance.sum())
}

/// A new number or count in figures.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NewOutcome {
    sd: f64,
    pub(crate) level: Level,
    /// Where it is with the probability of the level.
    pub(crate) interval: [f64; 2],
    /// The quantiles at 25, 50 and 75 %.
    pub(crate) quartiles: [f64; 3],
}

impl Serialize for NewOutcome {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Pairs(Self::names(self.level).into_iter().zip(self.numbers()).collect()).serialize(serializer)
    }
}

impl NewOutcome {
    pub(crate) fn of(predictive: &Predictive, level: Level) -> Self {
        let quantile = |p| predictive.quantile(p);
        let quartiles = [0.25, 0.5, 0.75].map(quantile);
        Self { sd: predictive.sd(), level, interval: level.interval(quantile), quartiles }
    }

    /// The names of its standard deviation and quantiles: sd, q025, q25, q50, q75, q975.
    fn names(level: Level) -> [String; 6] {
        let [low, high] = level.names();
        let [sd, q25, q50, q75] = ["sd", "q25", "q50", "q75"].map(str::to_owned);
        [sd, low, q25, q50, q75, high]
    }

    /// The same in numbers.
    fn numbers(&self) -> [f64; 6] {
        let ([low, high], [q25, q50, q75]) = (self.interval, self.quartiles);
        [self.sd, low, q25, q50, q75, high]
    }

    /// The columns of a file of predictions, where outcomes are numbers or counts.
    pub(crate) fn columns(level: Level) -> impl Iterator<Item = String> {
        let [mean, function, sd] = ["mean", "mean_of_function", "sd_of_function"].map(str::to_owned);
        std::iter::once(mean).chain(Self::names(level)).chain([function, sd])
    }

    /// The cells of those columns: empty where a number is not known.
    pub(crate) fn cells(new: Option<Self>, mean: Option<f64>, sd_of_function: Option<f64>) -> Vec<String> {
        let [mean, function] = [mean, sd_of_function].map(|own| own.unwrap_or(f64::NAN));
        let numbers = new.map_or([f64::NAN; 6], |own| own.numbers());
        std::iter::once(mean).chain(numbers).chain([mean, function]).map(cell).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two engines: sums over the rate for all counts, and a distribution function for each.
    #[test]
    fn counts_of_log_normal_rates_are_those_of_a_mixture() {
        for (mean, variance) in [(-3.0, 0.2), (0.0, 0.01), (1.0, 0.5), (2.5, 1.0), (5.0, 0.04)] {
            let predictor = Predictor { mean, variance };
            let (own, mixture) =
                (Predictive::LogRate(predictor), Predictive::Count(CountMixture::of_predictor(&predictor)));
            for p in [0.025, 0.05, 0.25, 0.5, 0.75, 0.95, 0.975] {
                assert_eq!(own.quantile(p), mixture.quantile(p), "{mean} {variance} {p}");
            }
            assert!((own.sd() / mixture.sd() - 1.0).abs() < 1e-7, "{mean} {variance}");
            let p = |count: f64| rate_counts::cdf(count, mean, variance);
            assert!((own.ln_density(3.0).exp() - (p(3.0) - p(2.0))).abs() < 1e-12, "{mean} {variance}");
        }
        // Where the mixture ends before what makes the variance.
        let wide = Predictive::LogRate(Predictor { mean: 0.0, variance: 25.0 });
        assert!((wide.sd().ln() - 25.0).abs() < 1e-9, "{}", wide.sd());
    }
}
