//! A distribution on the real line as the search asks it.

use posterior_dist::text::{AnyUnivariate, Coordinate};
use posterior_dist::{Density, Univariate};
use rand::Rng;
use rand::distr::Distribution;

/// Everything that the search asks of a distribution on the real line.
pub trait Line {
    /// Whether the density is a probability.
    fn is_discrete(&self) -> bool;

    /// ln p(x).
    fn ln_pdf(&self, x: f64) -> f64;

    /// P(X ≤ x).
    fn cdf(&self, x: f64) -> f64;

    /// P(X > x).
    fn sf(&self, x: f64) -> f64;

    /// ln P(X ≤ x).
    fn ln_cdf(&self, x: f64) -> f64;

    /// ln P(X > x).
    fn ln_sf(&self, x: f64) -> f64;

    /// The least x with `cdf(x)` ≥ p.
    fn quantile(&self, p: f64) -> f64;

    /// The least x with `sf(x)` ≤ q.
    fn upper_quantile(&self, q: f64) -> f64;

    /// A draw.
    fn draw(&self, rng: &mut dyn Rng) -> f64;

    /// The mode, of a density that rises up to it and falls from it on.
    fn mode(&self) -> Option<f64>;

    /// Mean, variance, skewness, excess kurtosis and entropy, where they exist.
    fn summaries(&self) -> [Option<f64>; 5];
}

impl Line for AnyUnivariate {
    fn is_discrete(&self) -> bool {
        (**self).is_discrete()
    }

    fn ln_pdf(&self, x: f64) -> f64 {
        (**self).ln_pdf(x)
    }

    fn cdf(&self, x: f64) -> f64 {
        (**self).cdf(x)
    }

    fn sf(&self, x: f64) -> f64 {
        (**self).sf(x)
    }

    fn ln_cdf(&self, x: f64) -> f64 {
        (**self).ln_cdf(x)
    }

    fn ln_sf(&self, x: f64) -> f64 {
        (**self).ln_sf(x)
    }

    fn quantile(&self, p: f64) -> f64 {
        (**self).quantile(p)
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        (**self).upper_quantile(q)
    }

    fn draw(&self, rng: &mut dyn Rng) -> f64 {
        (**self).sample(rng)
    }

    fn mode(&self) -> Option<f64> {
        (**self).mode()
    }

    fn summaries(&self) -> [Option<f64>; 5] {
        let distribution = &**self;
        [
            distribution.mean(),
            distribution.variance(),
            distribution.skewness(),
            distribution.excess_kurtosis(),
            distribution.entropy(),
        ]
    }
}

/// A distribution of any type, without summaries.
#[derive(Debug)]
pub struct Plain<D>(pub D);

impl<D> Line for Plain<D>
where
    D: Univariate + Density<Point: Coordinate> + Distribution<D::Point>,
{
    fn is_discrete(&self) -> bool {
        D::Point::DISCRETE
    }

    fn ln_pdf(&self, x: f64) -> f64 {
        if x.is_nan() {
            return x;
        }
        D::Point::at(x).map_or(f64::NEG_INFINITY, |point| self.0.ln_pdf(&point))
    }

    fn cdf(&self, x: f64) -> f64 {
        self.0.cdf(x)
    }

    fn sf(&self, x: f64) -> f64 {
        self.0.sf(x)
    }

    fn ln_cdf(&self, x: f64) -> f64 {
        self.0.ln_cdf(x)
    }

    fn ln_sf(&self, x: f64) -> f64 {
        self.0.ln_sf(x)
    }

    fn quantile(&self, p: f64) -> f64 {
        self.0.quantile(p)
    }

    fn upper_quantile(&self, q: f64) -> f64 {
        self.0.upper_quantile(q)
    }

    fn draw(&self, rng: &mut dyn Rng) -> f64 {
        self.0.sample(rng).coordinate()
    }

    fn mode(&self) -> Option<f64> {
        None
    }

    fn summaries(&self) -> [Option<f64>; 5] {
        [None; 5]
    }
}
