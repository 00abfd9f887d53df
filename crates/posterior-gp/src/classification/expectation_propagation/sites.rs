//! The sites, and the posterior that they make of the prior.

use posterior_math::linalg::{DMatrix, DVector, symmetrize};

use crate::Error;
use crate::classification::curvature::Curvature;
use crate::classification::observations::ObservationModel;
use crate::likelihood::LogConcave;

/// One site, νᵢ = precision center + offset.
struct Site {
    precision: f64,
    center: f64,
    offset: f64,
}

/// Sites exp(νᵢ gᵢ - ½ τᵢ gᵢ²) of g = f - m, and the distribution N(mean, covariance) of g that they make.
///
/// A site is held as νᵢ = τᵢ centerᵢ + offsetᵢ about the mean that it led to: νᵢ itself is as large as τᵢ
/// times the distance from the prior's mean, and of a million events differences of it have no digits left.
/// Likewise rᵢ = νᵢ - τᵢ meanᵢ and 1 - τᵢ covarianceᵢᵢ are held, and not computed as differences.
pub(super) struct Sites<'a, L: LogConcave> {
    observations: &'a ObservationModel<L>,
    prior_mean: &'a DVector<f64>,
    gram: &'a DMatrix<f64>,
    precisions: DVector<f64>,
    centers: DVector<f64>,
    offsets: DVector<f64>,
    pub(super) mean: DVector<f64>,
    pub(super) covariance: DMatrix<f64>,
    /// r: mean = K r.
    pub(super) weights: DVector<f64>,
    /// 1 - τᵢ covarianceᵢᵢ: by so much the precision of fᵢ is less without its observation.
    left: DVector<f64>,
    pub(super) curvature: Curvature,
    /// Sites that the last sweep left alone.
    pub(super) skipped: usize,
}

impl<'a, L: LogConcave> Sites<'a, L> {
    /// Flat sites: the prior.
    pub(super) fn new(
        observations: &'a ObservationModel<L>,
        prior_mean: &'a DVector<f64>,
        gram: &'a DMatrix<f64>,
    ) -> Result<Self, Error> {
        let zeros = DVector::zeros(observations.len());
        Ok(Self {
            curvature: Curvature::of_positive(gram, &zeros)?,
            observations,
            prior_mean,
            gram,
            precisions: zeros.clone(),
            centers: zeros.clone(),
            offsets: zeros.clone(),
            mean: zeros.clone(),
            covariance: gram.clone(),
            left: DVector::repeat(zeros.len(), 1.0),
            weights: zeros,
            skipped: 0,
        })
    }

    /// The distribution of fᵢ without observation i, as (mean, variance); None where rounding has eaten it.
    fn cavity(&self, i: usize) -> Option<(f64, f64)> {
        let variance = self.covariance[(i, i)] / self.left[i];
        let mean = self.mean[i] - self.weights[i] * variance;
        (variance > 0.0 && variance.is_finite() && mean.is_finite())
            .then(|| (self.prior_mean[i] + mean, variance))
    }

    /// All of them; NaN where there is none.
    pub(super) fn cavities(&self) -> Vec<(f64, f64)> {
        (0..self.weights.len()).map(|i| self.cavity(i).unwrap_or((f64::NAN, f64::NAN))).collect()
    }

    /// Updates all sites, one after the other; the largest change of one in units of its marginal.
    pub(super) fn sweep(&mut self, damping: f64) -> Result<f64, Error> {
        let mut largest = 0.0;
        self.skipped = 0;
        for i in 0..self.weights.len() {
            let Some(site) = self.matched(i) else {
                self.skipped += 1;
                continue;
            };
            let change = self.replace(i, &site, damping);
            if change.is_nan() || change > largest {
                largest = change;
            }
        }
        self.refresh()?;
        Ok(largest)
    }

    /// The site that gives the marginal of fᵢ the moments of the tilted distribution.
    fn matched(&self, i: usize) -> Option<Site> {
        let (mean, variance) = self.cavity(i)?;
        let tilted = self.observations.likelihood().tilted(self.observations.outputs()[i], mean, variance);
        // Log-concave densities only make a distribution narrower: below zero by rounding.
        let precision = (tilted.variance.recip() - variance.recip()).max(0.0);
        let offset = (tilted.mean - mean) / variance;
        let center = tilted.mean - self.prior_mean[i];
        (precision.is_finite() && offset.is_finite()).then_some(Site { precision, center, offset })
    }

    /// Goes from a site to another, all the way or a part of it; by how much, in units of the marginal.
    fn replace(&mut self, i: usize, site: &Site, damping: f64) -> f64 {
        let kept = self.offsets[i] + self.precisions[i] * (self.centers[i] - site.center);
        let by_precision = damping * (site.precision - self.precisions[i]);
        let by_offset = damping * (site.offset - kept);
        (self.centers[i], self.offsets[i]) = (site.center, kept + by_offset);
        // The change of ν, less the mean times that of τ.
        let push = by_offset + by_precision * (site.center - self.mean[i]);
        let variance = self.covariance[(i, i)];
        self.update(i, by_precision, push);
        (by_precision * variance).abs().max(push.abs() * variance.sqrt())
    }

    /// The posterior with another site: by a matrix of rank one.
    fn update(&mut self, i: usize, by_precision: f64, push: f64) {
        let column = self.covariance.column(i).into_owned();
        let widened = 1.0 + by_precision * column[i];
        let (reduced, moved) = (by_precision / widened, push / widened);
        let left = self.left[i] / widened;
        let weight = self.weights[i] + push * left;
        self.mean.axpy(moved, &column, 1.0);
        self.covariance.ger(-reduced, &column, &column, 1.0);
        for (j, &covariance) in column.iter().enumerate() {
            self.weights[j] -= self.precisions[j] * moved * covariance;
            self.left[j] += self.precisions[j] * reduced * covariance * covariance;
        }
        self.precisions[i] += by_precision;
        (self.left[i], self.weights[i]) = (left, weight);
    }

    /// The posterior of the sites afresh, without the rounding of the updates.
    fn refresh(&mut self) -> Result<(), Error> {
        self.curvature = Curvature::of_positive(self.gram, &self.precisions)?;
        self.covariance = self.gram - self.curvature.joint_reduction(self.gram);
        symmetrize(&mut self.covariance);
        self.left = self.curvature.left();
        for (i, &left) in self.left.iter().enumerate().filter(|&(_, &left)| left < 0.5) {
            // Of a narrow distribution the difference has lost its digits.
            self.covariance[(i, i)] = (1.0 - left) / self.precisions[i];
        }
        let moved = &self.centers - self.gram * &self.offsets;
        self.weights = &self.offsets + self.curvature.apply(&moved);
        self.mean = self.gram * &self.weights;
        Ok(())
    }

    /// A change that rounding alone makes: the variances are differences of those of the prior.
    pub(super) fn rounding(&self) -> f64 {
        let ratios = self.gram.diagonal().component_div(&self.covariance.diagonal());
        10.0 * f64::EPSILON * ratios.iter().fold(1.0, |largest: f64, &ratio| largest.max(ratio))
    }

    /// ln Z = Σ ln cᵢ + ln ∫ N(g; 0, K) Π exp(νᵢ gᵢ - ½ τᵢ gᵢ²) dg, with the constants cᵢ by which a site has
    /// the mass of its observation. In the weights and the cavities' variances vᵢ that is Σ (ln massᵢ - ½ ln
    /// leftᵢ + ½ rᵢ² vᵢ - ½ rᵢ meanᵢ) - ½ ln |B|.
    pub(super) fn ln_evidence(&self) -> f64 {
        let likelihood = self.observations.likelihood();
        let terms = (0..self.weights.len()).map(|i| {
            let (weight, mean) = (self.weights[i], self.mean[i]);
            let Some((center, variance)) = self.cavity(i) else {
                return 0.5 * mean * (self.offsets[i] + self.precisions[i] * self.centers[i]);
            };
            let ln_mass = likelihood.tilted(self.observations.outputs()[i], center, variance).ln_mass;
            ln_mass - 0.5 * self.left[i].ln() + 0.5 * weight * (weight * variance - mean)
        });
        terms.sum::<f64>() - 0.5 * self.curvature.ln_determinant()
    }
}
