//! The posterior by draws: weighted ones around the mode, or those of the No-U-Turn sampler.

mod weighing;

use posterior_gaussian::Gaussian;
use posterior_math::check;
use posterior_math::linalg::DMatrix;
use posterior_sampling::estimate::LnEstimate;
use posterior_sampling::{Draws, Run};

use self::weighing::{Judgement, weighed};
pub(super) use self::weighing::{Mixture, by_nuts, corrected, drawn_from};

use super::count_mixture::CountMixture;
use super::family::Family;
use super::model::Glm;
use super::posterior::GlmPosterior;
use super::response_distribution::ResponseDistribution;
use super::third_order::ThirdOrder;
use crate::Error;
use crate::coefficients::Coefficient;

/// Groups of draws of similar rates by which a count is predicted.
const GROUPS: usize = 256;

/// A skewness that moves no quantile by much; one, and a distance of the mean from the mode in standard
/// deviations, that nobody would notice.
const SKEWED: f64 = 0.1;
const NOT_SKEWED: f64 = 0.02;
const NOT_MOVED: f64 = 0.03;

/// How the draws of a [`GlmDraws`] were made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum DrawnBy {
    /// Drawn around the mode, and weighted.
    ImportanceSampling,
    /// The No-U-Turn sampler.
    Nuts,
    /// Drawn from Laplace's approximation, with equal weights.
    Laplace,
    /// Gibbs sampling.
    Gibbs,
}

/// The posterior of the coefficients by weighted draws.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(remote = "Self"))]
#[non_exhaustive]
pub struct GlmDraws {
    /// How they were made.
    pub drawn_by: DrawnBy,
    /// The names of the columns.
    pub names: Vec<String>,
    /// k̂ of the weights, where they were made by importance sampling: up to 0.7 they can be trusted.
    pub pareto_shape: Option<f64>,
    /// How many independent draws of equal weight would say as much about the weights; none for chains.
    pub effective_draws: Option<f64>,
    /// ln p(y) with its standard error, by importance sampling alone.
    pub ln_evidence: Option<LnEstimate>,
    /// What the diagnostics of the chains warn of.
    pub warnings: Vec<String>,
    /// One column for each draw.
    #[cfg_attr(feature = "serde", serde(with = "posterior_math::linalg::written"))]
    points: DMatrix<f64>,
    /// They add up to 1.
    weights: Vec<f64>,
}

/// The best of the answers that were asked for.
#[derive(Debug, Clone, PartialEq)]
pub enum Corrected {
    /// Laplace's approximation, which is right as third derivatives or 200 weighted draws say.
    Laplace,
    /// Laplace's approximation around another mean than the mode.
    Moved {
        /// The Gaussian.
        distribution: Gaussian,
        /// ln p(y), by 200 weighted draws.
        ln_evidence: LnEstimate,
    },
    /// Draws.
    Draws(GlmDraws),
}

impl<L: ResponseDistribution + Sync> Glm<'_, L> {
    /// The posterior without the bias of Laplace's approximation, which centres a Gaussian at the mode and
    /// predicts too much of what is rare.
    ///
    /// Draws of a t distribution with the mean and the covariance of the posterior (found in two rounds that
    /// begin at Laplace's) are weighted, and the largest weights smoothed. Where their k̂ is above 0.7 the
    /// No-U-Turn sampler draws instead. Where third derivatives move the mean by less than 0.03 standard
    /// deviations, or the weights of 200 draws of Laplace's approximation are all but equal, it is right, and
    /// is the answer; where they are nearly so, and no coefficient has a skewness above 0.1, it is right
    /// around the mean to the order 1/n, which third derivatives of the log-likelihood say: no quantile from
    /// 2.5 to 97.5 % is then off by more than some 0.05 standard deviations.
    ///
    /// # Errors
    /// As [`laplace`](Self::laplace), of which `laplace` has to be; a prior that is flat somewhere.
    ///
    /// # Cost
    /// A value of the log-likelihood, which is n p operations, for each of 200 draws if Laplace's
    /// approximation is right or nearly so, and else of 12,200; some 50,000 gradients if the sampler is
    /// needed.
    pub fn corrected(&self, laplace: &GlmPosterior, seed: u64) -> Result<Corrected, Error> {
        self.proper()?;
        let names = self.data().names();
        let parts = [(1.0, laplace.distribution.clone())];
        let ThirdOrder { distribution, skewness, shift } = ThirdOrder::of(self, &laplace.distribution)?;
        if skewness <= NOT_SKEWED && shift <= NOT_MOVED {
            return Ok(Corrected::Laplace);
        }
        let judgement = Judgement::of(self, &parts, seed)?;
        if judgement.is_right() {
            return Ok(Corrected::Laplace);
        }
        if judgement.is_nearly_right() && skewness <= SKEWED {
            return Ok(Corrected::Moved { distribution, ln_evidence: judgement.ln_evidence()? });
        }
        Ok(Corrected::Draws(weighed(self, &parts, names, seed)?))
    }

    /// The posterior by chains of the No-U-Turn sampler.
    ///
    /// # Errors
    /// A prior that is flat somewhere; a sampler that ends.
    pub fn by_nuts(&self, run: &Run) -> Result<GlmDraws, Error> {
        self.proper()?;
        by_nuts(self, self.data().names(), run)
    }

    fn proper(&self) -> Result<(), Error> {
        if self.prior().is_proper() {
            return Ok(());
        }
        Err(Error::NoFit { why: "draws need a proper prior of every coefficient" })
    }
}

impl GlmDraws {
    /// A number that coefficients determine: its mean, standard deviation and quantiles.
    ///
    /// # Errors
    /// A number that is not finite.
    pub fn marginal(&self, name: &str, number: impl Fn(&[f64]) -> f64) -> Result<Coefficient, Error> {
        let numbers: Vec<f64> = self.points.column_iter().map(|point| number(point.as_slice())).collect();
        Ok(Coefficient::of_weighted_draws(name, &numbers, &self.weights)?)
    }

    /// The mean of the coefficients.
    pub fn mean(&self) -> Vec<f64> {
        let mut mean = vec![0.0; self.points.nrows()];
        for (point, weight) in self.weighted() {
            mean.iter_mut().zip(point).for_each(|(mean, own)| *mean += weight * own);
        }
        mean
    }

    /// The mean response at a row of columns with this offset.
    ///
    /// # Errors
    /// Another number of columns; a mean that is not finite.
    pub fn response<L: ResponseDistribution>(
        &self,
        distribution: &L,
        row: &[f64],
        offset: f64,
    ) -> Result<Coefficient, Error> {
        let means: Vec<f64> =
            self.predictors(row)?.iter().map(|own| distribution.mean(offset + own)).collect();
        Ok(Coefficient::of_weighted_draws("", &means, &self.weights)?)
    }

    /// A new Poisson count at a row of columns with this offset, with a logarithmic link: by the mean rates
    /// of 256 groups of draws.
    ///
    /// # Errors
    /// As [`response`](Self::response).
    pub fn count(&self, row: &[f64], offset: f64) -> Result<CountMixture, Error> {
        Ok(CountMixture::of_rates(self.mean_responses(&Family::Poisson, row, offset, GROUPS)?))
    }

    /// The mean responses at a row of columns with this offset, and their weights, which add up to 1: in
    /// increasing order, by the averages of so many groups of draws.
    ///
    /// # Errors
    /// As [`response`](Self::response); no groups.
    pub fn mean_responses<L: ResponseDistribution>(
        &self,
        distribution: &L,
        row: &[f64],
        offset: f64,
        groups: usize,
    ) -> Result<Vec<(f64, f64)>, Error> {
        check::at_least_one("GlmDraws", "groups", groups)?;
        let predictors = self.predictors(row)?.into_iter();
        let means = predictors.map(|own| distribution.mean(offset + own));
        let mut means: Vec<(f64, f64)> = means.zip(self.weights.iter().copied()).collect();
        means.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let group = |means: &[(f64, f64)]| {
            let weight: f64 = means.iter().map(|(_, weight)| weight).sum();
            let sum: f64 = means.iter().map(|(mean, weight)| mean * weight).sum();
            (if weight > 0.0 { sum / weight } else { means[0].0 }, weight)
        };
        Ok(means.chunks(means.len().div_ceil(groups)).map(group).collect())
    }

    /// Chains, all draws of which have the same weight.
    pub(crate) fn of_chains(drawn_by: DrawnBy, names: &[String], draws: &Draws) -> Self {
        let count = draws.chains() * draws.len();
        let places = (0..draws.chains()).flat_map(|chain| (0..draws.len()).map(move |draw| (chain, draw)));
        let points: Vec<f64> =
            places.flat_map(|(chain, draw)| draws.draw(chain, draw)[..names.len()].to_vec()).collect();
        Self {
            drawn_by,
            names: names.to_vec(),
            pareto_shape: None,
            effective_draws: None,
            ln_evidence: None,
            warnings: draws.summary().warnings.iter().map(ToString::to_string).collect(),
            points: DMatrix::from_vec(names.len(), count, points),
            weights: vec![(count as f64).recip(); count],
        }
    }

    /// Sorts so many of the first parameters of each draw.
    pub(super) fn put_in_order(&mut self, first: usize) {
        for mut point in self.points.column_iter_mut() {
            let mut own: Vec<f64> = point.rows(0, first).iter().copied().collect();
            own.sort_by(f64::total_cmp);
            point.rows_mut(0, first).copy_from_slice(&own);
        }
    }

    /// The draws with their weights, which add up to 1.
    pub fn weighted(&self) -> impl Iterator<Item = (&[f64], f64)> {
        let points = self.points.as_slice().chunks_exact(self.points.nrows());
        points.zip(self.weights.iter().copied())
    }

    /// One column for each draw, and the weights, which add up to 1.
    pub(super) fn parts(&self) -> (&DMatrix<f64>, &[f64]) {
        (&self.points, &self.weights)
    }

    fn predictors(&self, row: &[f64]) -> Result<Vec<f64>, Error> {
        check::dimension("columns of new rows", self.points.nrows(), row.len())?;
        let predictor = |point: &[f64]| point.iter().zip(row).map(|(own, x)| own * x).sum();
        Ok(self.points.column_iter().map(|point| predictor(point.as_slice())).collect())
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for GlmDraws {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Self::serialize(self, serializer)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for GlmDraws {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let own = Self::deserialize(deserializer)?;
        let (coefficients, draws) = own.points.shape();
        let fits = own.names.len() == coefficients
            && own.weights.len() == draws
            && own.weights.iter().all(|weight| *weight >= 0.0)
            && own.weights.iter().sum::<f64>() > 0.0;
        fits.then_some(own).ok_or_else(|| {
            serde::de::Error::custom("expected a name of each coefficient, and a weight of each draw")
        })
    }
}
