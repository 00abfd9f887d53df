//! Mean field: the best distribution among those whose blocks of variables are independent.

mod ascent;
mod blocks;
#[cfg(test)]
mod tests;

use std::time::Instant;

use posterior_math::check::{self, ParamError};
use posterior_math::iteration::{Fitted, Observer, Report, Silent, Step, Stop};
use posterior_pgm::{Evidence, GraphicalModel};
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

use crate::belief_propagation::{check_targets, cost};
use crate::sliced::Sliced;
use crate::{Beliefs, Cost, Engine, Error, LnZ, QueryPlan, RunReport, Targets};
use ascent::Ascent;

/// Which variables stay dependent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum DependentBlocks {
    /// None: every variable is a block.
    #[default]
    Variables,
    /// Those of trees, grown greedily from the least variable that is left: inside of a block messages are
    /// exact (Saul and Jordan 1996).
    Trees,
}

/// Mean field: q(x) = ∏ q(block) that maximises the lower bound ELBO = E_q ∑ₛ ln fₛ + H(q) ≤ ln Z, one block
/// after another.
///
/// No update makes the bound fall. It has several maxima as a rule: the first start is the uniform
/// distribution, `restarts` others are random, and the best is kept. ln Z is a [`LnZ::Lower`] bound (-∞ if q
/// has mass on impossible states that it can't leave: there a zero counts as e^-100000). Marginals are too
/// sure of themselves: q seeks one mode (Wainwright and Jordan 2008, section 5). A sweep takes O(cells of all
/// factors × variables of the largest factor).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeanField {
    /// Which variables stay dependent.
    pub blocks: DependentBlocks,
    /// The largest change of a marginal in a sweep that counts as none.
    pub tolerance: f64,
    /// The largest number of sweeps of each start.
    pub max_iterations: usize,
    /// The number of random starts, after the uniform one.
    pub restarts: usize,
    /// The seed of the random starts.
    pub seed: u64,
}

impl Default for MeanField {
    fn default() -> Self {
        Self {
            blocks: DependentBlocks::Variables,
            tolerance: 1e-10,
            max_iterations: 1000,
            restarts: 4,
            seed: 0,
        }
    }
}

/// A start that was followed to its end.
struct Run<'a> {
    ascent: Ascent<'a>,
    trace: Vec<f64>,
    stop: Stop,
    change: f64,
}

impl MeanField {
    /// The beliefs about all variables, with the bound after each sweep of the best start. The observer sees
    /// the sweeps of all starts, one start after another; to break ends them all.
    ///
    /// # Errors
    /// As [`Engine::infer`].
    pub fn fit(
        &self,
        model: &dyn GraphicalModel,
        evidence: &Evidence,
        observer: &mut impl Observer,
    ) -> Result<Fitted<Beliefs>, Error> {
        let plan = self.plan(model, &Targets::All)?;
        self.run(model, &plan, evidence, observer)
    }

    fn check(&self) -> Result<(), ParamError> {
        check::non_negative("MeanField", "tolerance", self.tolerance).map(drop)
    }

    fn run(
        &self,
        model: &dyn GraphicalModel,
        plan: &QueryPlan,
        evidence: &Evidence,
        observer: &mut impl Observer,
    ) -> Result<Fitted<Beliefs>, Error> {
        self.check()?;
        check_targets(model, &plan.targets)?;
        let sliced = Sliced::new(model, evidence)?;
        let blocks = blocks::blocks(&sliced, self.blocks);
        let began = Instant::now();
        let mut rng = Pcg64Mcg::seed_from_u64(self.seed);
        let mut best: Option<Run<'_>> = None;
        for start in 0..=self.restarts {
            let mut ascent = Ascent::new(&sliced, &blocks);
            if start > 0 {
                ascent.randomize(&mut rng);
            }
            let run = self.climb(ascent, began, observer)?;
            let stopped = run.stop == Stop::Observer;
            let bound = |run: &Run<'_>| run.trace.last().copied().unwrap_or(f64::NEG_INFINITY);
            if best.as_ref().is_none_or(|best| bound(&run) > bound(best)) {
                best = Some(run);
            }
            if stopped {
                break;
            }
        }
        let Run { ascent, trace, stop, change } = best.expect("invariant: there is at least one start");
        let beliefs = sliced.beliefs(model, &plan.targets, |v| ascent.marginal(v.index()));
        let report = Report::new(trace, stop);
        let run =
            RunReport::iterative("mean field", plan.cost, report.iterations(), report.converged(), change);
        let model = beliefs.finish(LnZ::Lower(ascent.bound()), run);
        Ok(Fitted { model, report })
    }

    fn climb<'a>(
        &self,
        mut ascent: Ascent<'a>,
        began: Instant,
        observer: &mut impl Observer,
    ) -> Result<Run<'a>, Error> {
        let mut trace = vec![ascent.objective()];
        let (mut stop, mut change) = (Stop::MaxIterations, f64::INFINITY);
        while trace.len() <= self.max_iterations {
            change = ascent.sweep()?;
            let objective = ascent.objective();
            let verdict = observer.step(&Step::new(trace.len(), objective, began.elapsed()));
            trace.push(objective);
            if change <= self.tolerance {
                stop = Stop::Converged;
                break;
            }
            if verdict.is_break() {
                stop = Stop::Observer;
                break;
            }
        }
        Ok(Run { ascent, trace, stop, change })
    }
}

impl Engine for MeanField {
    type Plan = QueryPlan;

    fn plan(&self, model: &dyn GraphicalModel, targets: &Targets) -> Result<QueryPlan, Error> {
        self.check()?;
        QueryPlan::new(model, targets, cost(model))
    }

    fn cost(&self, plan: &QueryPlan) -> Cost {
        plan.cost
    }

    fn infer(
        &self,
        model: &dyn GraphicalModel,
        plan: &QueryPlan,
        evidence: &Evidence,
    ) -> Result<Beliefs, Error> {
        Ok(self.run(model, plan, evidence, &mut Silent)?.model)
    }
}
