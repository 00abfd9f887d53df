//! What is known of the coefficients, and what it predicts.

use posterior::dist::stream::stream;
use posterior::dist::{Normal, Univariate as _};
use posterior::gaussian::Gaussian;
use posterior::math::linalg::{DMatrix, DVector};
use posterior::math::quadrature::GaussHermite;
use posterior::regression::Error;
use posterior::regression::coefficients::Coefficient;
use posterior::regression::glm::{
    CountMixture, DrawnBy, Family as GlmFamily, GlmDraws, Predictor, ResponseDistribution as _, RowSpace,
};
use rand::distr::Distribution;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::level::Level;
use crate::predictive::Predictive;
use crate::regress::answer::{MeanOutcome, Predicted};
use crate::regress::estimate::Estimate;
use crate::regress::new_rows::Wanted;
use crate::regress::points::thinned;
use crate::regress::standard::Standard;

/// Nodes of the quadrature over the predictor.
const NODES: usize = 32;

/// Groups of draws that make a new outcome.
const GROUPS: usize = 64;

/// Points to either side of the mean of a predictor, and how many standard deviations they reach.
const POINTS: i32 = 60;
const REACH: f64 = 6.0;

/// The columns that a fit has: standard units, and the coordinates of the rows where there are more columns
/// than rows.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Units {
    standard: Standard,
    space: Option<RowSpace>,
}

impl Units {
    pub(super) fn of(design: &DMatrix<f64>, intercept: bool, isotropic: bool) -> Result<Self, Error> {
        let standard = Standard::of(design, intercept);
        let wide = isotropic && design.ncols() > design.nrows();
        let space = wide.then(|| RowSpace::of(&standard.rows(design))).transpose()?;
        Ok(Self { standard, space })
    }

    /// Rows in these units, behind a column of ones if there is an intercept.
    pub(super) fn with_intercept(&self, design: &DMatrix<f64>) -> Result<DMatrix<f64>, Error> {
        let Some(space) = &self.space else { return Ok(self.standard.with_intercept(design)) };
        Ok(self.standard.behind_ones(space.coordinates(&self.standard.rows(design))?))
    }

    pub(super) fn has_intercept(&self) -> bool {
        self.standard.intercept().is_some()
    }

    /// The names of these columns, the intercept first if there is one.
    pub(super) fn names(&self, names: &[String]) -> Vec<String> {
        let own = match &self.space {
            None => names.to_vec(),
            Some(space) => (1..=space.dimension()).map(|place| format!("coordinate {place}")).collect(),
        };
        self.standard.intercept().map(str::to_owned).into_iter().chain(own).collect()
    }
}

/// The posterior of the coefficients, in standard units.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Posterior {
    Gaussian(Gaussian),
    Draws(GlmDraws),
}

impl Posterior {
    pub(super) const fn draws(&self) -> Option<&GlmDraws> {
        match self {
            Self::Gaussian(_) => None,
            Self::Draws(draws) => Some(draws),
        }
    }

    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Gaussian(_) => "laplace",
            Self::Draws(draws) => match draws.drawn_by {
                DrawnBy::Nuts => "nuts",
                DrawnBy::Gibbs => "gibbs",
                _ => "importance",
            },
        }
    }

    /// So many draws in the units of the table; none where there are coordinates of the rows, which are right
    /// one by one and not together.
    pub(super) fn points(&self, units: &Units, count: usize, seed: u64) -> Option<Vec<(Vec<f64>, f64)>> {
        if units.space.is_some() {
            return None;
        }
        let own = |point: &[f64]| (units.standard.coefficients(point), f64::NAN);
        Some(match self {
            Self::Gaussian(posterior) => {
                let mut rng = stream(seed, &[0]);
                (0..count).map(|_| own(&Distribution::<Vec<f64>>::sample(posterior, &mut rng))).collect()
            }
            Self::Draws(draws) => thinned(draws.weighted(), count, seed).into_iter().map(own).collect(),
        })
    }

    pub(super) fn coefficients(
        &self,
        units: &Units,
        names: &[String],
        level: Level,
    ) -> Result<Vec<Estimate>, Error> {
        let Units { standard, space } = units;
        if let Some(space) = space {
            return self.many_coefficients((standard, space), names, level);
        }
        let names = standard.intercept().into_iter().chain(names.iter().map(String::as_str));
        match self {
            Self::Gaussian(posterior) => {
                let means = standard.coefficients(posterior.mean().as_slice());
                let deviations = standard.deviations(&posterior.cholesky().reconstruct());
                let rows = names.zip(means.iter().zip(&deviations));
                rows.map(|(name, (mean, sd))| Ok(Estimate::of(Coefficient::normal(name, *mean, *sd)?, level)))
                    .collect()
            }
            Self::Draws(draws) => names
                .enumerate()
                .map(|(place, name)| {
                    let own = draws.marginal(name, |own| standard.coefficient(own, place))?;
                    Ok(Estimate::of(own, level))
                })
                .collect(),
        }
    }

    /// The same of more columns than rows: each coefficient is a combination of the coordinates.
    fn many_coefficients(
        &self,
        (standard, space): (&Standard, &RowSpace),
        names: &[String],
        level: Level,
    ) -> Result<Vec<Estimate>, Error> {
        let of = |name: &str, own: &[f64]| -> Result<Estimate, Error> {
            let dot = |point: &[f64]| own.iter().zip(point).map(|(a, b)| a * b).sum::<f64>();
            let own = match self {
                Self::Draws(draws) => draws.marginal(name, dot)?,
                Self::Gaussian(posterior) => {
                    let factor = posterior.cholesky().factor();
                    let sd = factor.tr_mul(&DVector::from_column_slice(own)).norm();
                    Coefficient::normal(name, dot(posterior.mean().as_slice()), sd)?
                }
            };
            Ok(Estimate::of(own, level))
        };
        let first = standard.intercept().is_some();
        let coefficient = |column: usize| {
            let unit = standard.unit(column).recip();
            let own = space.of_coefficient(column).into_iter().map(|number| number * unit);
            of(&names[column], &first.then_some(0.0).into_iter().chain(own).collect::<Vec<_>>())
        };
        let rest: Result<Vec<_>, Error> = (0..names.len()).into_par_iter().map(coefficient).collect();
        let Some(name) = standard.intercept() else { return rest };
        let mut shift = space.coordinates(&standard.shift())?.row(0).iter().copied().collect::<Vec<_>>();
        shift.insert(0, 1.0);
        Ok(std::iter::once(of(name, &shift)?).chain(rest?).collect())
    }

    /// The prediction of each row of a design in these units.
    pub(super) fn predict(
        &self,
        noise: (GlmFamily, Option<f64>),
        design: &DMatrix<f64>,
        wanted: Wanted<'_>,
    ) -> Result<Vec<Predicted>, Error> {
        let (distribution, _) = noise;
        match self {
            Self::Gaussian(posterior) => {
                let rule = GaussHermite::new(NODES)?;
                let row = |(row, own): (usize, &Predictor)| -> Result<Predicted, Error> {
                    let own = Predictor { mean: own.mean + wanted.offset(row), ..*own };
                    let function = mean_outcome(&own, distribution, &rule, wanted.level)?;
                    let new = match distribution {
                        GlmFamily::Poisson => Some(Predictive::LogRate(own)),
                        _ => new_outcome(noise, || Ok(means(&own, distribution)))?,
                    };
                    Ok(predicted(row, function, new, wanted))
                };
                Predictor::of_rows(posterior, design)?.par_iter().enumerate().map(row).collect()
            }
            Self::Draws(draws) => {
                let row = |row: usize| -> Result<Predicted, Error> {
                    let x: Vec<f64> = design.row(row).iter().copied().collect();
                    let offset = wanted.offset(row);
                    let own = draws.response(&distribution, &x, offset)?;
                    let new = match distribution {
                        GlmFamily::Poisson => Some(Predictive::Count(draws.count(&x, offset)?)),
                        _ => new_outcome(noise, || draws.mean_responses(&distribution, &x, offset, GROUPS))?,
                    };
                    let function = MeanOutcome {
                        mean: own.mean,
                        sd: own.sd,
                        interval: wanted.level.interval(|p| own.quantile(p)),
                    };
                    Ok(predicted(row, function, new, wanted))
                };
                (0..design.nrows()).into_par_iter().map(row).collect()
            }
        }
    }
}

/// A new outcome whose mean has these values with weights; none of two classes.
fn new_outcome(
    (distribution, dispersion): (GlmFamily, Option<f64>),
    means: impl FnOnce() -> Result<Vec<(f64, f64)>, Error>,
) -> Result<Option<Predictive>, Error> {
    match (distribution, dispersion) {
        (GlmFamily::NegativeBinomial { size }, _) => {
            Ok(Some(Predictive::Count(CountMixture::of_rates(means()?).with_size(size)?)))
        }
        (_, Some(dispersion)) => {
            let means = means()?;
            Ok(Some(Predictive::gamma(&means, dispersion)?))
        }
        _ => Ok(None),
    }
}

/// The mean outcomes of a predictor that is only known so well, with weights.
fn means(own: &Predictor, distribution: GlmFamily) -> Vec<(f64, f64)> {
    let sd = own.variance.max(0.0).sqrt();
    let at = |place: i32| {
        let z = f64::from(place) * REACH / f64::from(POINTS);
        (distribution.mean(own.mean + sd * z), (-0.5 * z * z).exp())
    };
    let points = if sd > 0.0 { POINTS } else { 0 };
    (-points..=points).map(at).collect()
}

/// The mean response at a predictor that is only known so well.
fn mean_outcome(
    own: &Predictor,
    distribution: GlmFamily,
    rule: &GaussHermite,
    level: Level,
) -> Result<MeanOutcome, Error> {
    let spread = Normal::mean_sd(own.mean, own.variance.sqrt().max(f64::MIN_POSITIVE))?;
    let mean = own.exact(&distribution).unwrap_or_else(|| own.averaged(&distribution, rule));
    let sd = match distribution {
        // That of a log-normal distribution.
        GlmFamily::Poisson | GlmFamily::NegativeBinomial { .. } | GlmFamily::GammaLog => {
            mean * own.variance.exp_m1().sqrt()
        }
        _ => {
            let square = |predictor: f64| (distribution.mean(predictor) - mean).powi(2);
            rule.expectation(own.mean, own.variance, square).sqrt()
        }
    };
    let interval = level.interval(|p| distribution.mean(spread.quantile(p)));
    Ok(MeanOutcome { mean, sd, interval })
}

/// A probability, or a number with the interval of a new one.
fn predicted(row: usize, function: MeanOutcome, new: Option<Predictive>, wanted: Wanted<'_>) -> Predicted {
    match new {
        None => Predicted::probability(function.mean, function.interval),
        Some(new) => Predicted::number(row, &new, function, wanted),
    }
}
