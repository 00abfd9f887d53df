//! Fitted distributions, as the answer and the page of `posterior dist fit` have them.

use posterior::dist::fit::{EstimableFamily, FamilyFit, FitOptions};
use posterior::dist::goodness::{FitStatistic, GoodnessOfFit, NotTested, PValueMethod, ParametricBootstrap};
use rayon::prelude::*;
use serde::Serialize;

use super::sample_input::Input;
use crate::args::DistFit;
use crate::level::Level;
use crate::output::significant;

/// What a run finds, the best first.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) fits: Vec<Fit>,
    /// What was not fitted, with the reason.
    pub(super) refused: Vec<Refused>,
    pub(super) level: Level,
    /// Whether the best fits at all, if that was asked.
    pub(super) test: Option<Tested>,
}

/// Whether the values can be draws of the best distribution.
#[derive(Debug)]
pub(super) struct Tested {
    pub(super) family: &'static str,
    pub(super) answer: Result<GoodnessOfFit, NotTested>,
}

/// Fits as bad as this come up in one of twenty samples of the distribution.
const RARE: f64 = 0.05;

impl Tested {
    /// The best distribution by a parametric bootstrap, on the threads of the run.
    pub(super) fn new(best: &Fit, args: &DistFit, input: &Input, options: &FitOptions) -> Option<Self> {
        if args.simulations == 0 {
            return None;
        }
        let run = || {
            let family = EstimableFamily::named(best.family)?;
            let statistic = FitStatistic::default();
            let test = ParametricBootstrap::of_fitted(
                family,
                &best.own.distribution,
                &input.sample,
                options,
                statistic,
            )?;
            let indices = 0..args.simulations as u64;
            let simulated: Vec<_> =
                indices.into_par_iter().map(|index| test.simulate(args.common.seed, index)).collect();
            test.answer(&simulated)
        };
        Some(Self { family: best.family, answer: run() })
    }

    /// What it says, in a sentence.
    pub(super) fn sentence(&self) -> String {
        let family = self.family;
        let answer = match &self.answer {
            Ok(answer) => answer,
            Err(error) => return format!("whether {family} fits at all is not tested: {error}"),
        };
        let size = significant(answer.statistic);
        let p = if answer.p_value < 0.001 {
            "p < 0.001".to_owned()
        } else {
            format!("p = {:.3}", answer.p_value)
        };
        let verdict = if answer.p_value < RARE { "does not fit" } else { "fits" };
        let (simulations, not_fitted) = self.simulations();
        let without = if not_fitted == 0 {
            String::new()
        } else {
            format!(", without {not_fitted} that could not be fitted")
        };
        format!(
            "{family} {verdict}: Anderson-Darling statistic {size}, {p} by {simulations} simulated samples{without}"
        )
    }

    /// How many simulated samples were fitted, and how many could not be.
    pub(super) fn simulations(&self) -> (usize, usize) {
        match &self.answer {
            Ok(GoodnessOfFit { method: PValueMethod::Simulated { simulations, not_fitted }, .. }) => {
                (*simulations, *not_fitted)
            }
            Ok(_) | Err(_) => (0, 0),
        }
    }
}

/// The fit of a family.
#[derive(Debug)]
pub(super) struct Fit {
    pub(super) family: &'static str,
    pub(super) own: FamilyFit,
    /// How much higher Akaike's criterion is than that of the best.
    pub(super) behind: f64,
}

/// A family that was not fitted.
#[derive(Debug, Serialize)]
pub(super) struct Refused {
    pub(super) family: &'static str,
    pub(super) reason: String,
}

/// A row of cells for each parameter whose interval is known: its family, its name after that of the
/// distribution, and numbers.
pub(super) fn parameters(found: &Found, number: impl Fn(f64) -> String) -> Vec<Vec<String>> {
    let known = found.fits.iter().filter(|own| own.own.parameters.iter().any(|p| p.interval.is_some()));
    known
        .flat_map(|fit| {
            fit.own
                .parameters
                .iter()
                .map(|own| {
                    let there = |value: Option<f64>| value.map_or_else(String::new, &number);
                    let name = format!("{} {}", fit.family, own.name);
                    let (low, high) = (own.interval.map(|own| own.0), own.interval.map(|own| own.1));
                    vec![
                        fit.family.to_owned(),
                        name,
                        number(own.value),
                        there(own.standard_error),
                        there(low),
                        there(high),
                    ]
                })
                .collect::<Vec<_>>()
        })
        .collect()
}
