//! Actions that have a distribution of outcomes each.

use posterior_math::check::{self, DimensionError};
use posterior_math::linalg::DMatrix;

use super::table::{OptimalActions, check_probabilities, rounding};
use crate::Error;

/// For each action the probabilities of the outcomes.
///
/// The example of two treatments is in the [module](super).
#[derive(Debug, Clone, PartialEq)]
pub struct Prospects {
    actions: Vec<String>,
    outcomes: Vec<String>,
    probabilities: DMatrix<f64>,
}

/// Where two actions are equally good: coefficients · losses = 0.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Indifference {
    /// E l of the second action minus that of the first, as a linear function of the losses of the outcomes.
    pub coefficients: Vec<f64>,
}

impl Indifference {
    /// By how much the second action is worse than the first for these losses.
    ///
    /// # Errors
    /// If there is not a loss for each outcome.
    pub fn excess(&self, losses: &[f64]) -> Result<f64, Error> {
        check::dimension("losses", self.coefficients.len(), losses.len())?;
        Ok(self.coefficients.iter().zip(losses).map(|(c, l)| c * l).sum())
    }

    /// The loss of one outcome at which both actions are equally good, those of the others being given (its
    /// own place is ignored); `None` if it makes no difference.
    ///
    /// # Errors
    /// If there is not a loss for each outcome, or no such outcome.
    pub fn break_even(&self, outcome: usize, losses: &[f64]) -> Result<Option<f64>, Error> {
        check::dimension("losses", self.coefficients.len(), losses.len())?;
        let Some(&own) = self.coefficients.get(outcome) else {
            return Err(DimensionError::new("outcomes", self.coefficients.len(), outcome + 1).into());
        };
        let others = self.coefficients.iter().zip(losses).enumerate().filter(|(place, _)| *place != outcome);
        let rest: f64 = others.map(|(_, (c, l))| c * l).sum();
        Ok((own != 0.0).then(|| -rest / own))
    }
}

impl Prospects {
    /// Actions by name, with a probability for each of the outcomes.
    ///
    /// # Errors
    /// If there is no action, an action has not a probability for each outcome, or they do not sum to 1
    /// within 10⁻⁹.
    pub fn new(outcomes: &[&str], actions: &[(&str, &[f64])]) -> Result<Self, Error> {
        check::at_least_one("Prospects", "actions", actions.len())?;
        for (_, distribution) in actions {
            check::dimension("probabilities", outcomes.len(), distribution.len())?;
            check_probabilities("Prospects", distribution)?;
        }
        Ok(Self {
            actions: actions.iter().map(|(name, _)| (*name).to_owned()).collect(),
            outcomes: outcomes.iter().map(|name| (*name).to_owned()).collect(),
            probabilities: DMatrix::from_fn(actions.len(), outcomes.len(), |action, outcome| {
                actions[action].1[outcome]
            }),
        })
    }

    /// The names of the actions.
    pub fn actions(&self) -> &[String] {
        &self.actions
    }

    /// The names of the outcomes.
    pub fn outcomes(&self) -> &[String] {
        &self.outcomes
    }

    /// The probabilities: a row for each action.
    pub const fn probabilities(&self) -> &DMatrix<f64> {
        &self.probabilities
    }

    /// The expected loss of each action, and the actions with the least.
    ///
    /// # Errors
    /// If there is not a loss for each outcome, or one is not finite.
    pub fn decide(&self, losses: &[f64]) -> Result<OptimalActions, Error> {
        check::dimension("losses", self.outcomes.len(), losses.len())?;
        for (place, &loss) in losses.iter().enumerate() {
            check::finite("Prospects", "loss", loss).map_err(|error| error.at(place))?;
        }
        let rows = self.probabilities.row_iter();
        let expected = rows.map(|row| row.iter().zip(losses).map(|(p, l)| p * l).sum()).collect();
        let rounding =
            self.probabilities.row_iter().map(|distribution| rounding(distribution.iter(), losses));
        Ok(OptimalActions::of(expected, &rounding.collect::<Vec<_>>()))
    }

    /// Where two actions are equally good.
    ///
    /// # Errors
    /// If there is no such action.
    pub fn indifference(&self, first: usize, second: usize) -> Result<Indifference, Error> {
        self.check_actions(&[first, second])?;
        let difference = self.probabilities.row(second) - self.probabilities.row(first);
        Ok(Indifference { coefficients: difference.iter().copied().collect() })
    }

    /// Whether the first action loses no more in expectation than the second, for *all* losses that grow
    /// along `order`, from the best outcome to the worst: first-order stochastic dominance.
    ///
    /// Every "at least as good as this outcome" is at least as probable, up to 10⁻¹².
    ///
    /// # Errors
    /// If there is no such action, or the order does not hold every outcome once.
    pub fn dominates(&self, first: usize, second: usize, order: &[usize]) -> Result<bool, Error> {
        self.check_actions(&[first, second])?;
        check::dimension("outcomes in the order", self.outcomes.len(), order.len())?;
        let mut seen = vec![false; order.len()];
        let mut ahead = 0.0;
        let mut never_behind = true;
        for &outcome in order {
            let fresh = seen.get_mut(outcome).is_some_and(|seen| !std::mem::replace(seen, true));
            check::require(fresh, "Prospects", "outcome in the order", outcome as f64, "each outcome once")?;
            ahead += self.probabilities[(first, outcome)] - self.probabilities[(second, outcome)];
            never_behind &= ahead >= -1e-12;
        }
        Ok(never_behind)
    }

    /// Whether the first action loses no more in expectation than the second, for *all* losses of which that
    /// of `best` is least.
    ///
    /// Every other outcome is no more probable, up to 10⁻¹².
    ///
    /// # Errors
    /// If there is no such action or outcome.
    pub fn never_worse_if_best(&self, first: usize, second: usize, best: usize) -> Result<bool, Error> {
        self.check_actions(&[first, second])?;
        let outcomes = self.outcomes.len();
        if best >= outcomes {
            return Err(DimensionError::new("outcomes", outcomes, best + 1).into());
        }
        let others = (0..outcomes).filter(|&outcome| outcome != best);
        Ok(others.into_iter().all(|outcome| {
            self.probabilities[(first, outcome)] <= self.probabilities[(second, outcome)] + 1e-12
        }))
    }

    fn check_actions(&self, actions: &[usize]) -> Result<(), Error> {
        match actions.iter().find(|&&action| action >= self.actions.len()) {
            None => Ok(()),
            Some(action) => Err(DimensionError::new("actions", self.actions.len(), action + 1).into()),
        }
    }
}
