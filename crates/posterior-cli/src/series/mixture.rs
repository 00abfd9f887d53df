//! What is known of a number: a mixture of normal distributions on the scale of a model, one for each point
//! of its parameters.

use std::f64::consts::TAU;

use posterior::math::log_space::ln_sum_exp;
use posterior::math::optimize::{RootOptions, find_root_newton};
use posterior::math::special::{normal_cdf, normal_quantile};

use super::moments::Moments;
use super::transform::Transform;
use crate::level::Level;

/// A number that is not known.
#[derive(Debug, Clone)]
pub(super) struct Mixture {
    /// Weights, which add up to one, and moments.
    parts: Vec<(f64, Moments)>,
    transform: Transform,
}

/// The same in figures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Figures {
    pub(super) mean: f64,
    pub(super) variance: f64,
    pub(super) level: Level,
    /// Where it is with the probability of the level.
    pub(super) band: [f64; 2],
    /// Where it is with probability one half.
    pub(super) half: [f64; 2],
    pub(super) q50: f64,
}

impl Figures {
    pub(super) fn sd(&self) -> f64 {
        self.variance.sqrt()
    }

    /// Half of the width of its band.
    pub(super) fn reach(&self) -> f64 {
        0.5 * (self.band[1] - self.band[0])
    }
}

impl Mixture {
    pub(super) fn new(parts: Vec<(f64, Moments)>, transform: Transform) -> Self {
        Self { parts, transform }
    }

    /// A normal distribution.
    pub(super) fn normal(mean: f64, variance: f64) -> Self {
        Self::new(vec![(1.0, Moments { mean, variance })], Transform::None)
    }

    /// Mean and variance on the scale of the model.
    pub(super) fn moments(&self) -> Moments {
        match self.parts[..] {
            [(_, own)] => own,
            _ => Moments::of(self.parts.iter().copied()),
        }
    }

    pub(super) fn figures(&self, level: Level) -> Figures {
        let Moments { mean, variance } = match self.transform {
            Transform::None => self.moments(),
            transform => {
                let rule = transform.rule();
                Moments::of(self.parts.iter().map(|&(w, own)| (w, transform.moments(own, rule.as_ref()))))
            }
        };
        let [band, half] = [level, Level::HALF].map(|own| own.interval(|p| self.quantile(p)));
        Figures { mean, variance, level, band, half, q50: self.quantile(0.5) }
    }

    pub(super) fn quantile(&self, p: f64) -> f64 {
        self.transform.back(self.model_quantile(p))
    }

    /// On the scale of the model.
    fn model_quantile(&self, p: f64) -> f64 {
        let z = normal_quantile(p);
        let of_part = |(_, own): &(f64, Moments)| own.mean + z * own.sd();
        let all = self.parts.iter().map(of_part);
        // The quantile of the mixture is between those of its parts.
        let (low, high) = (all.clone().fold(f64::INFINITY, f64::min), all.fold(f64::NEG_INFINITY, f64::max));
        if high <= low {
            return low;
        }
        let least = 1e-9 * (high - low);
        let excess = |x: f64| {
            let terms = self.parts.iter().map(|&(w, own)| {
                let sd = own.sd().max(least);
                let z = (x - own.mean) / sd;
                (w * normal_cdf(z), w * (-0.5 * z * z).exp() / (sd * TAU.sqrt()))
            });
            let (cdf, pdf) = terms.fold((0.0, 0.0), |(a, b), (cdf, pdf)| (a + cdf, b + pdf));
            (cdf - p, pdf)
        };
        let options = RootOptions { relative: 1e-10, ..RootOptions::default() };
        find_root_newton(excess, low, high, &options).point
    }

    /// ln of the density of a value; minus infinite where the scale of the model has none.
    pub(super) fn ln_pdf(&self, y: f64) -> f64 {
        if self.transform != Transform::None && y <= 0.0 {
            return f64::NEG_INFINITY;
        }
        let x = self.transform.forward(y);
        let term = |&(w, own): &(f64, Moments)| {
            w.ln() - 0.5 * ((x - own.mean).powi(2) / own.variance + (TAU * own.variance).ln())
        };
        ln_sum_exp(&self.parts.iter().map(term).collect::<Vec<_>>()) + self.transform.ln_slope(y)
    }
}

#[cfg(test)]
mod tests {
    use posterior::dist::{
        Density as _, LogNormal, Mixture as Reference, Moments as _, Normal, Univariate as _,
    };

    use super::*;

    fn parts() -> Vec<(f64, Moments)> {
        [(0.5, -1.0, 0.3), (0.3, 0.7, 2.0), (0.2, 4.0, 0.01)]
            .map(|(weight, mean, variance)| (weight, Moments { mean, variance }))
            .to_vec()
    }

    #[test]
    fn quantiles_and_densities_are_those_of_the_library() {
        let normal = |(_, own): (f64, Moments)| Normal::mean_sd(own.mean, own.sd()).unwrap();
        let reference =
            Reference::from_weights(&[0.5, 0.3, 0.2], parts().into_iter().map(normal).collect()).unwrap();
        let own = Mixture::new(parts(), Transform::None);
        for p in [1e-6, 0.025, 0.3, 0.5, 0.8, 0.975, 0.9999] {
            assert!((own.quantile(p) - reference.quantile(p)).abs() < 1e-7, "{p}");
        }
        for y in [-3.0, 0.0, 3.9, 8.0] {
            assert!((own.ln_pdf(y) - reference.ln_pdf(&y)).abs() < 1e-12, "{y}");
        }
        let figures = own.figures(Level::default());
        let (mean, variance): (Option<f64>, Option<f64>) = (reference.mean(), reference.variance());
        assert!((figures.mean - mean.unwrap()).abs() < 1e-12);
        assert!((figures.variance - variance.unwrap()).abs() < 1e-12);
    }

    #[test]
    fn a_normal_logarithm_is_log_normal() {
        let own = Mixture::new(vec![(1.0, Moments { mean: 1.2, variance: 0.49 })], Transform::Log);
        let reference = LogNormal::new(1.2, 0.7).unwrap();
        let figures = own.figures(Level::default());
        assert!((figures.band[0] - reference.quantile(0.025)).abs() < 1e-9);
        let (mean, variance): (Option<f64>, Option<f64>) = (reference.mean(), reference.variance());
        assert!((figures.mean - mean.unwrap()).abs() < 1e-9);
        assert!((figures.variance / variance.unwrap() - 1.0).abs() < 1e-9);
        assert!((own.ln_pdf(2.5) - reference.ln_pdf(&2.5)).abs() < 1e-12);
    }
}
