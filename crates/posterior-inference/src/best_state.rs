//! Most probable states: of all variables, and of some when the others are summed over.

use std::borrow::Cow;

use posterior_pgm::{Evidence, GraphicalModel, MaxSum, Table, VarId};

use crate::elimination::{Program, check, ln_sum_product};
use crate::sliced::ln_score;
use crate::{Error, Explanation, MapEngine, Need, VariableElimination, relevant};

/// The most probable joint state of some variables, the others being summed over.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct MarginalExplanation {
    /// The variables, in the order in which they were asked for.
    pub variables: Vec<VarId>,
    /// The state of each.
    pub states: Vec<usize>,
    /// ln ∑ ∏ₛ fₛ over the states of all other variables; of a Bayesian network ln p(states, evidence).
    pub ln_value: f64,
}

/// Logarithms of tables, with the best value that each state of what is left can still reach.
pub(crate) struct Maxima<'a> {
    pub(crate) program: &'a Program,
    /// Inputs, then results of the steps.
    pub(crate) tables: Vec<Cow<'a, Table>>,
}

impl<'a> Maxima<'a> {
    pub(crate) fn new(program: &'a Program, tables: &[Cow<'_, Table>]) -> Result<Self, Error> {
        Self::of_logarithms(program, tables.iter().map(|table| Cow::Owned(table.map(f64::ln))).collect())
    }

    fn of_logarithms(program: &'a Program, logarithms: Vec<Cow<'a, Table>>) -> Result<Self, Error> {
        Ok(Self { program, tables: program.run_keeping::<MaxSum>(logarithms)? })
    }

    /// The greatest value.
    pub(crate) fn best(&self) -> f64 {
        self.program.rest().iter().map(|&t| self.tables[t].values()[0]).sum()
    }

    /// The value of table `t` at these states of all variables.
    pub(crate) fn at(&self, t: usize, states: &[usize]) -> f64 {
        let table = &self.tables[t];
        let mut place = 0;
        for (v, &card) in table.scope().iter().zip(table.cards()) {
            place = place * card + states[v.index()];
        }
        table.values()[place]
    }

    /// Writes the states that reach the greatest value: the variable that went last is decided first. Of
    /// equals, the state with the least number.
    fn decode(&self, cards: &[usize], states: &mut [usize]) {
        for step in self.program.steps().iter().rev() {
            let v = step.variable.index();
            let (mut best, mut best_value) = (0, f64::NEG_INFINITY);
            for state in 0..cards[v] {
                states[v] = state;
                let value = step.tables.iter().map(|&t| self.at(t, states)).sum();
                if value > best_value {
                    (best, best_value) = (state, value);
                }
            }
            states[v] = best;
        }
    }
}

impl MapEngine for VariableElimination {
    /// By max-sum elimination and traceback. Of several best states, the variable that is eliminated last is
    /// in the state with the least number that it has in any of them, and so on.
    fn most_probable(&self, model: &dyn GraphicalModel, evidence: &Evidence) -> Result<Explanation, Error> {
        let part = relevant(model, &[], evidence, Need::BestState)?;
        let program = self.order.program(&part, &[])?;
        check(program.cost_of_keeping(), self.budget)?;
        let maxima = Maxima::new(&program, &part.tables(model, evidence)?)?;
        if maxima.best() == f64::NEG_INFINITY {
            return Err(Error::ImpossibleEvidence);
        }
        let mut states = observed(model, evidence);
        maxima.decode(model.variables().cards(), &mut states);
        let ln_value = ln_score(model, evidence, &states);
        Ok(Explanation::new(states, ln_value, true))
    }
}

impl VariableElimination {
    /// The most probable joint state of `variables` given evidence, where all others are summed over
    /// ("marginal MAP"): it need not agree with [`most_probable`](MapEngine::most_probable), where all others
    /// are in their best states, nor with the best state of each variable alone.
    ///
    /// All sums must be done before the first maximum, so it can be far more costly than either.
    ///
    /// # Errors
    /// Variables that do not exist, evidence that does not fit, [`Error::ImpossibleEvidence`],
    /// [`Error::TooLarge`].
    pub fn most_probable_of(
        &self,
        model: &dyn GraphicalModel,
        evidence: &Evidence,
        variables: &[VarId],
    ) -> Result<MarginalExplanation, Error> {
        let part = relevant(model, variables, evidence, Need::PosteriorAndEvidence)?;
        let [sums, maxima] = self.order.programs_in_turns(&part, variables)?;
        check(sums.cost().then(maxima.cost_of_keeping()), self.budget)?;
        let left = ln_sum_product(&sums, &part.tables(model, evidence)?)?;
        let maxima = Maxima::of_logarithms(&maxima, left.tables.into_iter().map(Cow::Owned).collect())?;
        let best = maxima.best();
        if best == f64::NEG_INFINITY {
            return Err(Error::ImpossibleEvidence);
        }
        let mut states = observed(model, evidence);
        maxima.decode(model.variables().cards(), &mut states);
        Ok(MarginalExplanation {
            variables: variables.to_vec(),
            states: variables.iter().map(|v| states[v.index()]).collect(),
            ln_value: best + left.ln_scale,
        })
    }
}

/// The states that were seen, and 0 of all other variables.
pub(crate) fn observed(model: &dyn GraphicalModel, evidence: &Evidence) -> Vec<usize> {
    model.variables().ids().map(|v| evidence.state(v).unwrap_or(0)).collect()
}
