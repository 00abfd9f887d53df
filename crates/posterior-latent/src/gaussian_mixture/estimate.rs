//! The M step: means and covariances from moments.

use posterior_math::check::{self, ParamError};
use posterior_math::linalg::{Cholesky, DMatrix, DVector};

use super::floor::{raise, raise_variance};
use super::model::{CovarianceKind, Covariances, GaussianMixture, Gaussians};
use super::options::GaussianMixtureOptions;
use super::prior::{Added, Power};
use crate::error::Error;
use crate::gaussian_tiles::{Moments, Scatter};
use crate::mixture::{Happened, IncidentKind};

/// What an M step needs to know beside the moments.
#[derive(Debug, Clone, Copy)]
pub(super) struct Estimator<'a> {
    pub(super) options: &'a GaussianMixtureOptions,
    pub(super) kind: CovarianceKind,
    /// The least variance of each coordinate; 0 for none.
    pub(super) floor: &'a [f64],
    /// Where there is no estimate.
    pub(super) previous: Option<&'a Gaussians>,
}

/// The mean of a component, and the squares about it with what the prior adds to them but for Ψ.
struct Spread {
    weight: f64,
    mean: DVector<f64>,
    /// The diagonal alone, if the moments are that.
    squares: DMatrix<f64>,
}

/// Which second moments covariances of this kind are made of.
pub(super) const fn scatter(kind: CovarianceKind) -> Scatter {
    match kind {
        CovarianceKind::Full | CovarianceKind::Tied => Scatter::Full,
        CovarianceKind::Diagonal | CovarianceKind::Spherical => Scatter::Diagonal,
    }
}

impl Estimator<'_> {
    /// The mixture of the highest likelihood (times the prior) for these moments about the rows of `centres`,
    /// and what happened to components.
    pub(super) fn estimate(
        &self,
        moments: &[Moments],
        centres: &DMatrix<f64>,
    ) -> Result<(GaussianMixture, Happened), Error> {
        let (k, d) = centres.shape();
        let added = self.options.weight_concentration - 1.0;
        let weights: Vec<f64> = moments.iter().map(|moments| moments.weight + added).collect();
        let mut happened = Vec::new();
        let spreads: Vec<Option<Spread>> = moments
            .iter()
            .enumerate()
            .map(|(k, moments)| self.spread(moments, &centres.row(k).transpose()))
            .collect();
        let mut means = DMatrix::zeros(k, d);
        for (k, spread) in spreads.iter().enumerate() {
            match (spread, self.previous) {
                (Some(spread), _) => means.row_mut(k).tr_copy_from(&spread.mean),
                (None, Some(previous)) => {
                    happened.push((k, IncidentKind::Died));
                    means.row_mut(k).copy_from(&previous.means().row(k));
                }
                (None, None) => {
                    return Err(ParamError::new("responsibilities", "sum", 0.0, "positive").at(k).into());
                }
            }
        }
        let covariances = match self.kind {
            CovarianceKind::Full => self.full(&spreads, &mut means, &mut happened)?,
            CovarianceKind::Tied => self.tied(&spreads, &mut happened)?,
            CovarianceKind::Diagonal => self.diagonal(&spreads, &mut means, &mut happened)?,
            CovarianceKind::Spherical => self.spherical(&spreads, &mut means, &mut happened)?,
        };
        Ok((GaussianMixture::new(&weights, &means, covariances)?, happened))
    }

    const fn prior(&self) -> Added<'_> {
        Added(self.options.prior.as_ref())
    }

    /// `None` for a component without weight and prior.
    fn spread(&self, moments: &Moments, centre: &DVector<f64>) -> Option<Spread> {
        let (n, d) = (moments.weight, centre.len());
        let prior = self.options.prior.as_ref();
        if n == 0.0 {
            let squares = DMatrix::zeros(d, d);
            return prior.map(|prior| Spread { weight: 0.0, mean: prior.location().clone(), squares });
        }
        let shift = DVector::from_iterator(d, moments.first.iter().map(|first| first / n));
        let mut squares = match scatter(self.kind) {
            Scatter::Full => {
                let entry = |i: usize, j: usize| moments.second[i.max(j) * (i.max(j) + 1) / 2 + i.min(j)];
                DMatrix::from_fn(d, d, |i, j| entry(i, j) - n * shift[i] * shift[j])
            }
            Scatter::Diagonal => {
                let squares = (0..d).map(|j| moments.second[j] - n * shift[j] * shift[j]);
                DMatrix::from_diagonal(&DVector::from_iterator(d, squares))
            }
        };
        let sample = centre + shift;
        let Some(prior) = prior else {
            return Some(Spread { weight: n, mean: sample, squares });
        };
        let (kappa, pull) = (prior.kappa(), &sample - prior.location());
        squares += &pull * pull.transpose() * (kappa / (kappa + n) * n);
        Some(Spread { weight: n, mean: prior.location() + pull * (n / (kappa + n)), squares })
    }

    /// The covariance in squares over a number of points, with what is added and not below the floor.
    fn covariance(&self, squares: &DMatrix<f64>, count: f64) -> Result<(DMatrix<f64>, bool), ParamError> {
        let mut covariance = squares / count;
        for j in 0..covariance.nrows() {
            covariance[(j, j)] += self.options.added_variance;
        }
        let named =
            |error: posterior_math::linalg::MatrixError| error.of_parameter("GaussianMixture", "covariance");
        let (covariance, raised) = raise(covariance, self.floor).map_err(named)?;
        Cholesky::new(&covariance).map_err(named)?;
        Ok((covariance, raised))
    }

    fn variance(&self, squares: f64, count: f64, floor: f64) -> Result<(f64, bool), ParamError> {
        let (variance, raised) = raise_variance(squares / count + self.options.added_variance, floor);
        Ok((check::positive("GaussianMixture", "variance", variance)?, raised))
    }

    /// The estimate of component k, noted if it was raised; or, noted too, what it had before, mean included.
    /// `None` for one that died.
    fn or_before<T>(
        &self,
        k: usize,
        estimate: Option<Result<(T, bool), ParamError>>,
        before: impl FnOnce(&Gaussians) -> T,
        means: &mut DMatrix<f64>,
        happened: &mut Happened,
    ) -> Result<T, Error> {
        match (estimate, self.previous) {
            (Some(Ok((estimate, raised))), _) => {
                if raised {
                    happened.push((k, IncidentKind::Floored));
                }
                Ok(estimate)
            }
            (Some(Err(why)), Some(previous)) => {
                happened.push((k, IncidentKind::Kept(why)));
                means.row_mut(k).copy_from(&previous.means().row(k));
                Ok(before(previous))
            }
            (None, Some(previous)) => Ok(before(previous)),
            (Some(Err(why)), None) => Err(why.at(k).into()),
            (None, None) => Err(ParamError::new("responsibilities", "sum", 0.0, "positive").at(k).into()),
        }
    }

    fn full(
        &self,
        spreads: &[Option<Spread>],
        means: &mut DMatrix<f64>,
        happened: &mut Happened,
    ) -> Result<Covariances, Error> {
        let (d, prior) = (means.ncols(), self.prior());
        let (psi, power) = (prior.psi(d), prior.power(Power::Matrix, 1, d));
        let mut all = Vec::with_capacity(spreads.len());
        for (k, spread) in spreads.iter().enumerate() {
            let estimate = spread
                .as_ref()
                .map(|spread| self.covariance(&(&spread.squares + &psi), spread.weight + power));
            all.push(self.or_before(k, estimate, |previous| previous.covariance(k), means, happened)?);
        }
        Ok(Covariances::Full(all))
    }

    /// One estimate for all: if it fails, no component has its covariance, and the means stay new.
    fn tied(&self, spreads: &[Option<Spread>], happened: &mut Happened) -> Result<Covariances, Error> {
        let (d, prior) = (self.floor.len(), self.prior());
        let (mut squares, mut count) = (prior.psi(d), prior.power(Power::Matrix, spreads.len(), d));
        for spread in spreads.iter().flatten() {
            squares += &spread.squares;
            count += spread.weight;
        }
        match (self.covariance(&squares, count), self.previous) {
            (Ok((covariance, raised)), _) => {
                happened.extend((0..spreads.len()).filter(|_| raised).map(|k| (k, IncidentKind::Floored)));
                Ok(Covariances::Tied(covariance))
            }
            (Err(why), Some(previous)) => {
                happened.extend((0..spreads.len()).map(|k| (k, IncidentKind::Kept(why))));
                Ok(previous.covariances().clone())
            }
            (Err(why), None) => Err(why.into()),
        }
    }

    fn diagonal(
        &self,
        spreads: &[Option<Spread>],
        means: &mut DMatrix<f64>,
        happened: &mut Happened,
    ) -> Result<Covariances, Error> {
        let (d, prior) = (means.ncols(), self.prior());
        let (psi, power) = (prior.psi(d), prior.power(Power::Coordinate, 1, d));
        let mut rows = DMatrix::zeros(spreads.len(), d);
        for (k, spread) in spreads.iter().enumerate() {
            let estimate = spread.as_ref().map(|spread| {
                let (mut variances, mut any) = (DVector::zeros(d), false);
                for j in 0..d {
                    let squares = spread.squares[(j, j)] + psi[(j, j)];
                    let (variance, raised) = self.variance(squares, spread.weight + power, self.floor[j])?;
                    (variances[j], any) = (variance, any || raised);
                }
                Ok((variances, any))
            });
            let before = |previous: &Gaussians| previous.covariance(k).diagonal();
            rows.row_mut(k).tr_copy_from(&self.or_before(k, estimate, before, means, happened)?);
        }
        Ok(Covariances::Diagonal(rows))
    }

    fn spherical(
        &self,
        spreads: &[Option<Spread>],
        means: &mut DMatrix<f64>,
        happened: &mut Happened,
    ) -> Result<Covariances, Error> {
        let (d, prior) = (means.ncols(), self.prior());
        let power = prior.power(Power::Sphere, 1, d);
        let (scale, floor) = (prior.psi(d).trace() / d as f64, self.floor.iter().sum::<f64>() / d as f64);
        let mut variances = Vec::with_capacity(spreads.len());
        for (k, spread) in spreads.iter().enumerate() {
            let estimate = spread.as_ref().map(|spread| {
                self.variance(spread.squares.trace() + scale, spread.weight * d as f64 + power, floor)
            });
            variances.push(self.or_before(
                k,
                estimate,
                |previous| previous.covariance(k)[(0, 0)],
                means,
                happened,
            )?);
        }
        Ok(Covariances::Spherical(variances))
    }
}
