//! A distribution of any type as the search asks it.

use posterior_dist::text::{Coordinate, DynUnivariate};
use posterior_dist::{Density, Univariate};
use rand::Rng;
use rand::distr::Distribution;

/// A distribution of any type, without summaries.
#[derive(Debug)]
pub struct Plain<D>(pub D);

impl<D: Univariate> Univariate for Plain<D> {
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
}

impl<D> DynUnivariate for Plain<D>
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

    fn sample(&self, rng: &mut dyn Rng) -> f64 {
        self.0.sample(rng).coordinate()
    }
}
