//! What an experiment says of its arms.

use posterior::decision::stopping::{
    Contrast, Judgement, coin_confidence_sequence, judge, mean_posterior, proportion_interval,
    proportion_posterior, stitched_radius,
};
use posterior::dist::{Beta, Univariate};
use posterior::math::streaming::MeanVariance;
use serde::Serialize;

use super::ab_input::Seen;
use crate::args::DecideAb;
use crate::failure::{Failure, refused};

/// What was asked, and what comes out.
pub(super) struct Experiment<'a> {
    pub(super) args: &'a DecideAb,
    pub(super) source: String,
    pub(super) arms: Vec<ArmStanding>,
    pub(super) leader: usize,
    pub(super) notes: Vec<String>,
}

/// An estimate with its interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(super) struct Measured {
    pub(super) estimate: f64,
    pub(super) interval: [f64; 2],
    /// One that holds at all times together.
    pub(super) interval_at_all_times: Option<[f64; 2]>,
}

/// An arm beside the control.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Versus {
    pub(super) difference: Measured,
    /// The difference as a part of the control's mean; none if that may be 0 or negative.
    pub(super) lift: Option<Measured>,
    pub(super) probability_better: f64,
}

/// An arm.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct ArmStanding {
    pub(super) arm: String,
    pub(super) units: u64,
    /// None of numbers.
    pub(super) successes: Option<u64>,
    /// Of the outcomes.
    pub(super) sd: f64,
    pub(super) mean: Measured,
    pub(super) probability_best: f64,
    /// Per unit, if it is chosen now.
    pub(super) expected_loss: f64,
    /// None of the control.
    pub(super) versus_control: Option<Versus>,
}

/// How an experiment is judged.
#[derive(Debug, Clone, Copy)]
pub(super) struct Terms {
    pub(super) level: f64,
    pub(super) minimize: bool,
    pub(super) bounds: Option<[f64; 2]>,
}

/// All arms, the control first, and the place of the leader.
pub(super) fn standing(arms: &[(String, Seen)], terms: Terms) -> Result<(Vec<ArmStanding>, usize), Failure> {
    let judgement = judgement(arms, terms.minimize)?;
    let mut all = Vec::new();
    for (place, (name, seen)) in arms.iter().enumerate() {
        let mean = mean(seen, terms, arms.len())?;
        let (units, successes) = match seen {
            Seen::Counts([successes, units]) => (*units, Some(*successes)),
            Seen::Numbers(own) => (own.weight() as u64, None),
        };
        let variance = match seen {
            Seen::Counts(_) => mean.estimate * (1.0 - mean.estimate),
            Seen::Numbers(own) => own.sample_variance(),
        };
        let versus_control = match (place, &arms[0].1, seen) {
            (0, ..) => None,
            (_, Seen::Counts(base), Seen::Counts(other)) => {
                let [base, other] = [base, other].map(|own| proportion_posterior(own[0], own[1]));
                Some(versus(base.map_err(refused)?, other.map_err(refused)?, terms)?)
            }
            (_, Seen::Numbers(base), Seen::Numbers(other)) => {
                let [base, other] = [base, other].map(mean_posterior);
                Some(versus(base.map_err(refused)?, other.map_err(refused)?, terms)?)
            }
            _ => None,
        };
        all.push(ArmStanding {
            arm: name.clone(),
            units,
            successes,
            sd: variance.sqrt(),
            mean,
            probability_best: judgement.probability_best[place],
            expected_loss: judgement.expected_loss[place],
            versus_control,
        });
    }
    let control = all[0].mean;
    for own in &mut all[1..] {
        let mean = own.mean;
        let Some(versus) = &mut own.versus_control else { continue };
        versus.difference.estimate = mean.estimate - control.estimate;
        versus.difference.interval_at_all_times = mean
            .interval_at_all_times
            .zip(control.interval_at_all_times)
            .map(|(own, base)| [own[0] - base[1], own[1] - base[0]]);
        versus.lift = versus.lift.filter(|_| control.estimate > 0.0).map(|lift| Measured {
            estimate: mean.estimate / control.estimate - 1.0,
            interval_at_all_times: mean
                .interval_at_all_times
                .zip(control.interval_at_all_times)
                .filter(|(_, base)| base[0] > 0.0)
                .map(|(own, base)| lift_at_all_times(own, base)),
            ..lift
        });
    }
    Ok((all, judgement.leader))
}

/// The extreme ratios of two intervals, less 1; the base is positive.
fn lift_at_all_times(own: [f64; 2], base: [f64; 2]) -> [f64; 2] {
    let ratio =
        |end: f64, by_least: f64, by_largest: f64| end / if end > 0.0 { by_largest } else { by_least } - 1.0;
    [ratio(own[0], base[0], base[1]), ratio(own[1], base[1], base[0])]
}

/// Whether an arm is the best, and what it loses, in the direction that is wanted.
fn judgement(arms: &[(String, Seen)], minimize: bool) -> Result<Judgement, Failure> {
    let (mut proportions, mut means) = (Vec::new(), Vec::new());
    for (_, seen) in arms {
        match *seen {
            Seen::Counts([won, of]) => {
                let won = if minimize { of - won } else { won };
                proportions.push(proportion_posterior(won, of).map_err(refused)?);
            }
            Seen::Numbers(own) => {
                let sign = if minimize { -1.0 } else { 1.0 };
                let turned =
                    MeanVariance::from_moments(own.weight(), sign * own.mean(), own.sum_of_squares());
                means.push(mean_posterior(&turned).map_err(refused)?);
            }
        }
    }
    if means.is_empty() { judge(&proportions) } else { judge(&means) }.map_err(refused)
}

/// The mean of an arm; intervals that hold at all times hold for all arms together.
fn mean(seen: &Seen, terms: Terms, arms: usize) -> Result<Measured, Failure> {
    let delta = (1.0 - terms.level) / arms as f64;
    Ok(match seen {
        Seen::Counts([won, of]) => {
            let prior = Beta::new(0.5, 0.5).map_err(refused)?;
            Measured {
                estimate: *won as f64 / *of as f64,
                interval: proportion_interval(*won, *of, terms.level).map_err(refused)?,
                interval_at_all_times: Some(
                    coin_confidence_sequence(*won, *of, &prior, delta).map_err(refused)?,
                ),
            }
        }
        Seen::Numbers(own) => {
            let posterior = mean_posterior(own).map_err(refused)?;
            let tail = 0.5 * (1.0 - terms.level);
            let at_all_times = |[low, high]: [f64; 2]| {
                let radius = stitched_radius(own.weight() as u64, 0.5 * (high - low), delta);
                radius.map(|r| [(own.mean() - r).max(low), (own.mean() + r).min(high)])
            };
            Measured {
                estimate: own.mean(),
                interval: [posterior.quantile(tail), posterior.upper_quantile(tail)],
                interval_at_all_times: terms.bounds.map(at_all_times).transpose().map_err(refused)?,
            }
        }
    })
}

/// Intervals against the control; the estimates are put in by who knows the means.
fn versus<B: Univariate, O: Univariate>(base: B, other: O, terms: Terms) -> Result<Versus, Failure> {
    let contrast = Contrast::new(base, other).map_err(refused)?;
    let of = |interval: [f64; 2]| Measured { estimate: f64::NAN, interval, interval_at_all_times: None };
    let ratio = contrast.ratio_interval(terms.level).map_err(refused)?;
    let greater = contrast.probability_greater();
    Ok(Versus {
        difference: of(contrast.difference_interval(terms.level).map_err(refused)?),
        lift: ratio.map(|ends| of(ends.map(|end| end - 1.0))),
        probability_better: if terms.minimize { 1.0 - greater } else { greater },
    })
}
