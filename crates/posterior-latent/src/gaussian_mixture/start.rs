//! Where EM begins. A missing value counts as the mean of its column here.

use std::borrow::Cow;

use posterior_dist::Categorical;
use posterior_math::check;
use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use rand::Rng;
use rand::distr::Distribution;

use super::estimate::scatter;
use super::model::{CovarianceKind, Covariances, GaussianMixture};
use super::problem::GaussianMixtureProblem;
use crate::error::Error;
use crate::gaussian_tiles::{Component, Moments, Scatter, Sharing, Whitening, expectations};
use crate::k_means::{self, KMeansOptions};
use crate::mixture::{check_responsibilities, one_hot};
use crate::observations::Observations;

/// Steps of k-means that give EM its groups.
const K_MEANS: usize = 30;

impl GaussianMixtureProblem<'_> {
    /// The mixture that an M step makes of these responsibilities: observations as rows, components as
    /// columns.
    ///
    /// # Errors
    /// If there is not a row for each observation, an entry is negative or NaN, a row does not add up to one,
    /// or a component has no observation.
    pub fn start_from_responsibilities(
        &self,
        responsibilities: &DMatrix<f64>,
    ) -> Result<GaussianMixture, Error> {
        check_responsibilities(responsibilities, self.data().len())?;
        let data = self.filled();
        let kind = self.options().covariance;
        let (means, moments) = about_means(&data, responsibilities, scatter(kind))?;
        Ok(self.estimator(kind, None).estimate(&moments, &means)?.0)
    }

    /// The mixture of components that know their observations: of k-means, or another clustering.
    ///
    /// # Errors
    /// If there is not a label below `components` for each observation, or a component has none.
    pub fn start_from_labels(&self, labels: &[usize], components: usize) -> Result<GaussianMixture, Error> {
        self.start_from_responsibilities(&one_hot(labels, components, self.data().len())?)
    }

    /// Components about observations that were chosen as by k-means++ (in units of the columns' deviations:
    /// each further one with a probability in proportion to its squared distance from those before), with the
    /// means and numbers of the observations nearest to each, and all with the covariance within these
    /// groups.
    ///
    /// # Errors
    /// If there are fewer distinct observations than components, or none of these.
    pub fn random_start<R: Rng + ?Sized>(
        &self,
        components: usize,
        rng: &mut R,
    ) -> Result<GaussianMixture, Error> {
        check::positive("GaussianMixtureProblem", "components", components as f64)?;
        let data = self.filled();
        let labels = nearest_seeds(&data, components, rng)?;
        let proportions = one_hot(&labels, components, data.len())?;
        let kind = self.options().covariance;
        let (means, moments) = about_means(&data, &proportions, scatter(kind))?;
        let mut within = moments[0].clone();
        for other in &moments[1..] {
            within.add(other);
        }
        // One component with the spread of all about their means, wherever it is.
        let centre = DMatrix::from_fn(1, data.dimension(), |_, j| means[(0, j)]);
        let all = Moments { first: vec![0.0; data.dimension()], ..within };
        let (pooled, _) = self.estimator(kind, None).estimate(&[all], &centre)?;
        let weights: Vec<f64> = moments.iter().map(|moments| moments.weight).collect();
        let d = data.dimension();
        let variance = |j: usize| pooled.covariance(0)[(j, j)];
        let covariances = match kind {
            CovarianceKind::Full => Covariances::Full(vec![pooled.covariance(0); components]),
            CovarianceKind::Tied => Covariances::Tied(pooled.covariance(0)),
            CovarianceKind::Diagonal => {
                Covariances::Diagonal(DMatrix::from_fn(components, d, |_, j| variance(j)))
            }
            CovarianceKind::Spherical => Covariances::Spherical(vec![variance(0); components]),
        };
        GaussianMixture::new(&weights, &means, covariances)
    }

    /// The mixture of the groups that k-means finds, in units of the columns' deviations.
    pub(super) fn start_from_k_means<R: Rng + ?Sized>(
        &self,
        components: usize,
        rng: &mut R,
    ) -> Result<GaussianMixture, Error> {
        let data = self.filled();
        let mut values = data.values().clone();
        for (mut column, unit) in values.column_iter_mut().zip(&self.units) {
            column /= *unit;
        }
        let mut rows = Observations::new(&values)?;
        if let Some(weights) = data.weights() {
            rows = rows.weighted(weights)?;
        }
        let options = KMeansOptions { max_iterations: K_MEANS, ..KMeansOptions::new(components) };
        let found = k_means::fit(&rows, &options, rng.next_u64(), &mut Silent)?;
        self.start_from_labels(&found.labels, components)
    }

    /// The data with means in their gaps.
    fn filled(&self) -> Cow<'_, Observations> {
        if self.data().is_complete() {
            Cow::Borrowed(self.data())
        } else {
            Cow::Owned(self.data().filled_with_means())
        }
    }
}

/// The means under these proportions, and the moments about them.
fn about_means(
    data: &Observations,
    proportions: &DMatrix<f64>,
    scatter: Scatter,
) -> Result<(DMatrix<f64>, Vec<Moments>), Error> {
    let (d, k) = (data.dimension(), proportions.ncols());
    let about = |means: &DMatrix<f64>| {
        let component = |k: usize| Component {
            centre: means.row(k).iter().copied().collect(),
            whitening: Whitening::Diagonal(vec![1.0; d]),
            ln_offset: 0.0,
        };
        let components: Vec<Component> = (0..k).map(component).collect();
        expectations(data, &components, Sharing::Given(proportions), scatter).components
    };
    let first = data.first_counted();
    let origin = DMatrix::from_fn(k, d, |_, j| data.values()[(first, j)]);
    let rough = about(&origin);
    for (k, moments) in rough.iter().enumerate() {
        check::positive("responsibilities", "sum", moments.weight).map_err(|error| error.at(k))?;
    }
    let means = DMatrix::from_fn(k, d, |k, j| origin[(k, j)] + rough[k].first[j] / rough[k].weight);
    let moments = about(&means);
    Ok((means, moments))
}

/// The nearest of K seeds of each observation.
fn nearest_seeds<R: Rng + ?Sized>(
    data: &Observations,
    components: usize,
    rng: &mut R,
) -> Result<Vec<usize>, Error> {
    let (n, d) = (data.len(), data.dimension());
    let counted = || (0..n).filter(|&i| data.weight(i) > 0.0);
    let unit: Vec<f64> = (0..d)
        .map(|j| {
            let column = data.values().column(j);
            let mean = counted().map(|i| data.weight(i) * column[i]).sum::<f64>() / data.total_weight();
            let variance = counted().map(|i| data.weight(i) * (column[i] - mean).powi(2)).sum::<f64>()
                / data.total_weight();
            if variance > 0.0 { variance.sqrt() } else { 1.0 }
        })
        .collect();
    let mut nearest = vec![(0, f64::INFINITY); n];
    for k in 0..components {
        let chances: Vec<f64> = nearest
            .iter()
            .enumerate()
            .map(|(i, &(_, square))| match data.weight(i) {
                0.0 => 0.0,
                weight => weight * if k == 0 { 1.0 } else { square },
            })
            .collect();
        if !chances.iter().any(|&chance| chance > 0.0) {
            return Err(Error::TooFew { what: "the components", needed: components, found: k });
        }
        let seed = Categorical::from_weights(&chances)?.sample(rng);
        let mut squares = vec![0.0; n];
        for (j, unit) in unit.iter().enumerate() {
            let column = data.values().column(j);
            let centre = column[seed];
            for (square, x) in squares.iter_mut().zip(column.iter()) {
                let deviation = (x - centre) / unit;
                *square += deviation * deviation;
            }
        }
        for (nearest, square) in nearest.iter_mut().zip(squares) {
            *nearest = if square < nearest.1 { (k, square) } else { *nearest };
        }
    }
    Ok(nearest.into_iter().map(|(k, _)| k).collect())
}
