//! Draws of everything that is not known, and what coefficients say together.

use posterior_dist::Gamma;
use rand::{Rng, RngExt as _};
use rand_distr::{Distribution as _, StandardNormal};

use super::{AveragedPosterior, Point};

/// A draw of what is not known of a linear regression, in the units of the table.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct LinearDraw {
    /// α; 0 without an intercept.
    pub intercept: f64,
    /// The coefficients β, one for each column.
    pub coefficients: Vec<f64>,
    /// σ, of a row of weight 1.
    pub noise_sd: f64,
}

impl AveragedPosterior {
    /// A component with its noise variance, and Vᵀβ in standard units.
    fn drawn<R: Rng + ?Sized>(&self, rng: &mut R) -> Option<(&Point, f64, Vec<f64>)> {
        let spectrum = &self.spectrum;
        let mut left: f64 = rng.random();
        let point = self.points.iter().find(|own| {
            left -= own.weight;
            left < 0.0
        });
        let point = point.or(self.points.last())?;
        let noise = if self.scale_given {
            point.noise
        } else {
            // ν s²/χ², with χ² from a gamma distribution.
            let degrees_of_freedom = spectrum.degrees_of_freedom();
            let square =
                Gamma::shape_scale(0.5 * degrees_of_freedom, 2.0).map_or(f64::NAN, |own| own.sample(rng));
            point.noise * degrees_of_freedom / square
        };
        let each = spectrum.values.iter().zip(&spectrum.along).map(|(value, y)| {
            let shrunk = point.ratio / (1.0 + point.ratio * value * value);
            let normal: f64 = StandardNormal.sample(rng);
            shrunk * value * y + (shrunk * noise).sqrt() * normal
        });
        let along = each.collect();
        Some((point, noise, along))
    }

    /// A draw of intercept, coefficients and noise from their joint posterior. Costs p operations for each
    /// singular value of the design.
    pub fn draw<R: Rng + ?Sized>(&self, rng: &mut R) -> LinearDraw {
        let spectrum = &self.spectrum;
        let columns = spectrum.means.len();
        let Some((point, noise, along)) = self.drawn(rng) else {
            return LinearDraw { intercept: spectrum.mean, coefficients: vec![0.0; columns], noise_sd: 0.0 };
        };
        let mut standard = vec![0.0; columns];
        if spectrum.values.len() < columns {
            // What no row says anything of keeps its prior.
            let free: Vec<f64> = (0..columns)
                .map(|_| {
                    let normal: f64 = StandardNormal.sample(rng);
                    (point.ratio * noise).sqrt() * normal
                })
                .collect();
            let (within, _) = spectrum.project(&free);
            standard = free;
            for (v, within) in spectrum.right.column_iter().zip(&within) {
                standard.iter_mut().zip(v.iter()).for_each(|(own, v)| *own -= within * v);
            }
        }
        for (v, along) in spectrum.right.column_iter().zip(&along) {
            standard.iter_mut().zip(v.iter()).for_each(|(own, v)| *own += along * v);
        }
        let coefficients: Vec<f64> = standard.iter().zip(&spectrum.sds).map(|(own, sd)| own / sd).collect();
        let intercept = if spectrum.intercept {
            let normal: f64 = StandardNormal.sample(rng);
            let centre = spectrum.mean + (noise * spectrum.of_intercept()).sqrt() * normal;
            centre - coefficients.iter().zip(&spectrum.means).map(|(own, mean)| own * mean).sum::<f64>()
        } else {
            0.0
        };
        LinearDraw { intercept, coefficients, noise_sd: noise.sqrt() }
    }

    /// Draws of the proportion of variance that the columns explain, in these rows: the variance of the mean
    /// responses over itself and the variance of the noise. Rows count by their weights; without an intercept
    /// the variance is taken around 0, as the R² of least squares is then.
    ///
    /// # References
    /// A. Gelman, B. Goodrich, J. Gabry, A. Vehtari, R-squared for Bayesian regression models, The American
    /// Statistician 73, 2019.
    pub fn explained<R: Rng + ?Sized>(&self, draws: usize, rng: &mut R) -> Vec<f64> {
        let spectrum = &self.spectrum;
        let one = |rng: &mut R| {
            let Some((_, noise, along)) = self.drawn(rng) else { return 0.0 };
            let each = spectrum.values.iter().zip(&along).map(|(value, own)| (value * own).powi(2));
            let explained = each.sum::<f64>() / spectrum.degrees_of_freedom().max(1.0);
            explained / (explained + noise)
        };
        (0..draws).map(|_| one(rng)).collect()
    }
}
