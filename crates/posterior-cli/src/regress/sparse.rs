//! Few columns that matter: by a penalty, by relevance, or by the horseshoe prior.

mod horseshoe;
mod penalty;
mod relevance;

use posterior::math::linalg::DMatrix;
use posterior::regression::Error;
use serde::{Deserialize, Serialize};

use super::answer::{Answer, Intervals, Predicted};
use super::data_input::Data;
use super::generalized;
use super::new_rows::Wanted;
use super::points::Points;
use crate::args::{Family, RegressFit, RegressPrior};
use crate::failure::{Failure, refused};
use crate::level::Level;
use crate::outcome::OutcomeKind;

/// What is known of the coefficients, in standard units.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Known {
    Penalized(penalty::Known),
    Relevance(relevance::Known),
    Horseshoe(Box<horseshoe::Known>),
}

impl Known {
    /// The prediction of each row.
    pub(super) fn predict(&self, design: &DMatrix<f64>, wanted: Wanted<'_>) -> Result<Vec<Predicted>, Error> {
        match self {
            Self::Penalized(known) => known.predict(design, wanted),
            Self::Relevance(known) => known.predict(design, wanted),
            Self::Horseshoe(known) => known.predict(design, wanted),
        }
    }

    /// What the intervals are of, and what they take as known.
    pub(super) fn intervals(&self, outcome: &OutcomeKind, level: Level) -> Intervals {
        match self {
            Self::Penalized(known) => Intervals::of(outcome, known.taken_as_known(), level).without_means(),
            Self::Relevance(_) => Intervals::of(outcome, relevance::TAKEN_AS_KNOWN, level),
            Self::Horseshoe(_) => Intervals::of(outcome, &[], level),
        }
    }

    /// Draws of the coefficients; none of a penalty's estimates.
    pub(super) fn points(&self, count: usize, seed: u64) -> Option<Points> {
        match self {
            Self::Penalized(_) => None,
            Self::Relevance(known) => Some(known.points(count, seed)),
            Self::Horseshoe(known) => Some(known.points(count, seed)),
        }
    }
}

/// The answer for numbers, two classes or counts.
pub(super) fn answer(args: &RegressFit, data: &Data, y: &[f64]) -> Result<(Answer, Known), Failure> {
    if data.design.values.ncols() == 0 {
        let message = format!("{}: --prior speaks of columns, and there is none that explains", data.source);
        return Err(Failure::data(message));
    }
    match args.prior {
        RegressPrior::Ard | RegressPrior::Horseshoe if args.family != Family::Gaussian => {
            let families =
                if args.prior == RegressPrior::Ard { "gaussian" } else { "gaussian and bernoulli" };
            Err(Failure::Usage(format!("--prior: this one is for the family {families}")))
        }
        RegressPrior::Ard => relevance::answer(args, data, y).map_err(refused),
        RegressPrior::Horseshoe => horseshoe::answer(args, data, y).map_err(refused),
        RegressPrior::Normal | RegressPrior::Lasso | RegressPrior::ElasticNet => {
            generalized::affordable(args, data, 1)?;
            let distribution = match args.family {
                Family::Gaussian => posterior::regression::glm::Family::Gaussian,
                _ => generalized::distribution(args)?,
            };
            penalty::answer(args, data, y, distribution).map_err(refused)
        }
    }
}
