//! Raising the bound.

use posterior_dist::target::{EvalError, GradTarget};
use posterior_math::check::{self, ParamError};
use posterior_math::iteration::{Fitted, Observer, Progress, Stop};
use rand::Rng;

use super::natural_gradient::NaturalGradient;
use super::scale::Scale;
use super::stationarity::Block;
use super::{GaussianApproximation, GaussianFamily};
use crate::Error;

/// How to find the Gaussian that is closest to a target.
///
/// Steps follow natural gradients, and so do not depend on the units of the coordinates. At each length of
/// step the iterates go on until two blocks of them in a row do not differ but by noise; their mean is the
/// answer, from which steps of half the length begin. The run has converged when the answer changes no more.
#[derive(Debug, Clone, PartialEq)]
pub struct Advi {
    /// Which Gaussians: mean field by default.
    pub family: GaussianFamily,
    /// The standard deviation of all coordinates at the start: 1 by default.
    pub initial_sd: f64,
    /// Pairs of draws, and twice as many gradients, for a step: 5 by default.
    pub pairs: usize,
    /// The first length of steps, up to 1: 0.4 by default.
    pub rate: f64,
    /// The run has converged when halving the length of the steps changes means and scales by less, in
    /// standard deviations (root of the mean square): 0.02 by default.
    pub tolerance: f64,
    /// The most steps: 20,000 by default.
    pub max_iterations: usize,
}

impl Default for Advi {
    fn default() -> Self {
        Self {
            family: GaussianFamily::MeanField,
            initial_sd: 1.0,
            pairs: 5,
            rate: 0.4,
            tolerance: 0.02,
            max_iterations: 20_000,
        }
    }
}

/// What ends a run before it has converged.
type Ended = Result<Stop, Error>;

impl Advi {
    /// The closest Gaussian, from a start around this point.
    ///
    /// The trace of the report holds estimates of the bound with the noise of the draws of one step; for the
    /// bound itself see [`assess`](GaussianApproximation::assess). Draws where the target has no gradient, or
    /// is zero, are left out: the bound of such a Gaussian is -∞, and free coordinates are the remedy. If all
    /// draws of 50 steps in a row are such, the run has [`Stalled`](Stop::Stalled).
    ///
    /// # Errors
    /// Options that can't be; a start of another dimension, or one where the density is zero or has no value
    /// ([`Error::Start`]); a target that ends the run.
    pub fn fit<T, R>(
        &self,
        target: &T,
        start: &[f64],
        rng: &mut R,
        observer: &mut (impl Observer + ?Sized),
    ) -> Result<Fitted<GaussianApproximation>, Error>
    where
        T: GradTarget + ?Sized,
        R: Rng + ?Sized,
    {
        self.check()?;
        let ln_density = begin(target, start)?;
        let scale = Scale::new(self.family, start.len(), self.initial_sd);
        let q = GaussianApproximation { mean: start.to_vec(), scale };
        let progress = Progress::new(ln_density + q.entropy(), self.max_iterations, observer);
        let gradient = NaturalGradient::new(&q, self.pairs);
        let last_good = q.clone();
        let mut ascent = Ascent { target, rng, q, gradient, progress, last_good, without_value: 0 };
        let stop = ascent.halve_until_settled(self)?;
        Ok(Fitted { model: ascent.q, report: ascent.progress.finish(stop) })
    }

    fn check(&self) -> Result<(), ParamError> {
        const NAME: &str = "Advi";
        check::positive(NAME, "initial_sd", self.initial_sd)?;
        check::require(self.pairs > 0, NAME, "pairs", self.pairs as f64, "positive")?;
        check::require(self.rate > 0.0 && self.rate <= 1.0, NAME, "rate", self.rate, "in (0, 1]")?;
        check::positive(NAME, "tolerance", self.tolerance)?;
        Ok(())
    }
}

/// ln p at the start.
pub(super) fn begin<T: GradTarget + ?Sized>(target: &T, start: &[f64]) -> Result<f64, Error> {
    check::dimension("coordinates of a start", target.dim(), start.len())?;
    let refused = |why: String| Error::Start { position: start.to_vec(), why };
    match target.ln_density(start) {
        Ok(ln_density) if ln_density.is_finite() => Ok(ln_density),
        Ok(ln_density) => Err(refused(format!("ln p(x) is {ln_density}"))),
        Err(why @ EvalError::Fatal(_)) => Err(why.into()),
        Err(why) => Err(refused(why.to_string())),
    }
}

/// A run under way.
struct Ascent<'a, T: ?Sized, R: ?Sized, O: Observer + ?Sized> {
    target: &'a T,
    rng: &'a mut R,
    q: GaussianApproximation,
    gradient: NaturalGradient,
    progress: Progress<'a, O>,
    /// The last q of which a draw had a value.
    last_good: GaussianApproximation,
    /// Steps since then.
    without_value: i32,
}

impl<T: GradTarget + ?Sized, R: Rng + ?Sized, O: Observer + ?Sized> Ascent<'_, T, R, O> {
    /// Goes on with shorter and shorter steps; leaves the last answer in q.
    fn halve_until_settled(&mut self, options: &Advi) -> Ended {
        let mut rate = options.rate;
        let mut settled: Option<GaussianApproximation> = None;
        loop {
            if let Some(stop) = self.settle(rate, options.tolerance)? {
                self.q = settled.unwrap_or_else(|| self.q.clone());
                return Ok(stop);
            }
            if settled.is_some_and(|before| self.q.distance(&before) < options.tolerance) {
                return Ok(Stop::Converged);
            }
            settled = Some(self.q.clone());
            rate *= 0.5;
        }
    }

    /// Takes steps of one length until two blocks in a row agree, and puts q on their mean; or says why it
    /// stopped before.
    fn settle(&mut self, rate: f64, tolerance: f64) -> Result<Option<Stop>, Error> {
        /// A difference that can't matter beside the tolerance.
        const SMALL: f64 = 0.1;
        let mut length = (50.0 / rate) as usize;
        let mut before: Option<Block> = None;
        loop {
            let mut block = Block::new(&self.q);
            for _ in 0..length {
                if let Some(stop) = self.step(rate)? {
                    if let Some(before) = before {
                        self.q = before.average(&self.q);
                    }
                    return Ok(Some(stop));
                }
                block.push(&self.q);
            }
            let same_length = before.filter(|before| before.len() == block.len());
            if let Some(mut before) = same_length {
                if before.agrees_with(&block, &self.q, SMALL * tolerance) {
                    before.merge(&block);
                    self.q = before.average(&self.q);
                    return Ok(None);
                }
                length += length / 2;
            }
            before = Some(block);
        }
    }

    /// One step; why the run ends, if it does.
    fn step(&mut self, rate: f64) -> Result<Option<Stop>, Error> {
        const MOST_WITHOUT_VALUE: i32 = 50;
        if self.progress.exhausted() {
            return Ok(Some(Stop::MaxIterations));
        }
        let entropy = self.q.entropy();
        let mean = self.gradient.estimate(self.target, &self.q, self.rng)?;
        if mean.is_nan() {
            self.without_value += 1;
            if self.without_value == MOST_WITHOUT_VALUE {
                self.q.clone_from(&self.last_good);
                return Ok(Some(Stop::Stalled));
            }
            self.q.clone_from(&self.last_good);
            self.q.scale.rescale(0.5_f64.powi(self.without_value));
        } else {
            self.without_value = 0;
            self.last_good.clone_from(&self.q);
            self.gradient.step(&mut self.q, rate);
        }
        Ok(self.progress.stopped_after(mean + entropy).then_some(Stop::Observer))
    }
}
