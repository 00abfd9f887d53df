//! The covariances of a filter, which depend on what is missing and not on what is observed.

use std::marker::PhantomData;
use std::ops::Range;

use super::SteadyState;
use super::convergence::Convergence;
use super::recursion::{Recursion, ScratchMemory};
use super::steps::Steps;
use crate::dimension::{Dimension, Dynamic, SizedWork};
use crate::{Error, Series, StateSpace};

/// Follows the covariances over time.
#[derive(Debug)]
pub(crate) struct CovariancePass<'a, R> {
    model: &'a StateSpace,
    /// The distribution after the last time.
    distribution: Vec<f64>,
    /// The distribution before the last observation.
    predicted: Vec<f64>,
    convergence: Convergence,
    /// Whether matrices and covariances no longer change.
    steady: bool,
    /// Whether they may come to that.
    constant: bool,
    scratch: ScratchMemory,
    root: Vec<f64>,
    gain: Vec<f64>,
    observation: Vec<f64>,
    noise: Vec<f64>,
    which: Vec<usize>,
    recursion: PhantomData<R>,
}

impl<'a, R: Recursion> CovariancePass<'a, R> {
    /// Starts with the distribution after the time before the first that will be asked for, or with the
    /// initial distribution.
    pub(crate) fn new(model: &'a StateSpace, distribution: Vec<f64>, steady_state: SteadyState) -> Self {
        let (n, m) = (model.states(), model.width());
        let (transition, observation) = (model.transition(), model.observation());
        let matrices = [transition.matrix(), transition.noise(), observation.matrix(), observation.noise()];
        Self {
            model,
            predicted: distribution.clone(),
            distribution,
            convergence: Convergence::default(),
            steady: false,
            constant: steady_state == SteadyState::Detect && matrices.iter().all(|m| m.times().is_none()),
            scratch: ScratchMemory::new(n, m),
            root: vec![0.0; m * m],
            gain: vec![0.0; n * m],
            observation: vec![0.0; n * m],
            noise: vec![0.0; m * m],
            which: Vec::with_capacity(m),
            recursion: PhantomData,
        }
    }

    /// Adds the steps at these times.
    pub(crate) fn advance<N: Dimension, M: Dimension>(
        &mut self,
        (n, m): (N, M),
        series: &Series,
        times: Range<usize>,
        steps: &mut Steps,
    ) -> Result<(), Error> {
        for t in times {
            let observed = series.at(t).iter().filter(|value| !value.is_nan()).count();
            if self.steady && observed == m.get() {
                steps.repeat();
                continue;
            }
            if t > 0 {
                self.predict(n, t)?;
            }
            self.detect(n.get(), observed == m.get());
            steps.push_predicted(&self.distribution);
            if observed == m.get() {
                let (transition, noise) =
                    (self.model.observation().matrix().at(t), self.observation_noise(t));
                let regular = R::update(
                    (n.get(), m.get()),
                    (transition, noise),
                    &mut self.distribution,
                    (&mut self.root, &mut self.gain),
                    &mut self.scratch.parts(),
                );
                if !regular {
                    return Err(self.failure(t));
                }
                steps.push_filtered(&self.distribution, observed, &self.root, &self.gain);
            } else {
                self.update_some(n.get(), Dynamic(observed), series.at(t), t)?;
                let (root, gain) = (&self.root[..observed * observed], &self.gain[..n.get() * observed]);
                steps.push_filtered(&self.distribution, observed, root, gain);
            }
        }
        Ok(())
    }

    fn observation_noise(&self, t: usize) -> &'a [f64] {
        R::observation_noise(self.model.observation()).at(t)
    }

    fn predict<N: Dimension>(&mut self, n: N, t: usize) -> Result<(), Error> {
        let transition = self.model.transition();
        let noise = R::transition_noise(transition).at(t - 1);
        R::predict(
            n.get(),
            transition.matrix().at(t - 1),
            noise,
            &mut self.distribution,
            &mut self.scratch.parts(),
        );
        if self.distribution.iter().sum::<f64>().is_finite() {
            Ok(())
        } else {
            Err(Error::Overflow { time: t })
        }
    }

    /// Compares the distribution before this observation with that before the last.
    fn detect(&mut self, n: usize, complete: bool) {
        if !self.constant {
            return;
        }
        if complete {
            let change = R::change(n, &self.predicted, &self.distribution);
            self.steady = self.convergence.is_over(change);
        } else {
            self.steady = false;
            self.convergence.restart();
        }
        self.predicted.copy_from_slice(&self.distribution);
    }

    /// The update by the components that are not missing.
    fn update_some(&mut self, n: usize, observed: Dynamic, row: &[f64], t: usize) -> Result<(), Error> {
        let (m, count) = (row.len(), observed.get());
        if count == 0 {
            return Ok(());
        }
        self.which.clear();
        self.which.extend((0..m).filter(|&i| !row[i].is_nan()));
        let all = self.model.observation().matrix().at(t);
        for (place, entry) in self.observation[..n * count].iter_mut().enumerate() {
            *entry = all[place / count * m + self.which[place % count]];
        }
        let noise = self.observation_noise(t);
        let mut scratch = self.scratch.parts();
        R::select(m, noise, &self.which, &mut scratch, &mut self.noise[..count * count]);
        let regular = R::update(
            (n, count),
            (&self.observation[..n * count], &self.noise[..count * count]),
            &mut self.distribution,
            (&mut self.root[..count * count], &mut self.gain[..n * count]),
            &mut scratch,
        );
        if regular { Ok(()) } else { Err(self.failure(t)) }
    }

    fn failure(&self, time: usize) -> Error {
        let finite = self.distribution.iter().chain(&self.root).sum::<f64>().is_finite();
        if finite { Error::Singular { time } } else { Error::Overflow { time } }
    }
}

/// All covariances for a series, as work for sizes that are known.
#[derive(Debug)]
pub(super) struct AllSteps<'a, 'b, R> {
    pub(super) pass: CovariancePass<'a, R>,
    pub(super) series: &'b Series,
    pub(super) steps: Steps,
}

impl<R: Recursion> SizedWork for AllSteps<'_, '_, R> {
    type Output = Result<Steps, Error>;

    fn run<N: Dimension, M: Dimension>(mut self, n: N, m: M) -> Self::Output {
        self.pass.advance((n, m), self.series, self.steps.len()..self.series.len(), &mut self.steps)?;
        Ok(self.steps)
    }
}
