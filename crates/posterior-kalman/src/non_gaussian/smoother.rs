//! Draws of a signal from its Gaussian stand-in, weighted.

use posterior_math::check;
use posterior_math::linalg::DMatrix;
use posterior_sampling::importance::ImportanceWeights;
use rand::Rng;
use rand::distr::Distribution;

use super::mode::Problem;
use super::{SignalLikelihood, SignalModeOptions, WeightedSignals, mode};
use crate::simulation::DisturbanceSampler;
use crate::{Error, Series, StateSpace};

/// Importance sampling from the Gaussian model with the same mode.
///
/// Draws come in pairs that are mirrored at the mode (antithetic variables): means of what is nearly linear
/// have small errors. Costs a few Kalman smoothers, and O(T n²) a draw.
///
/// The reported error of the likelihood is that of a mean with a long tail to one side: of two Poisson
/// observations, two standard errors hold the truth 56 times of 100 with 60 draws, 79 with 600 and 92 with
/// 6000.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ImportanceSmoother {
    /// Draws, half of which are the mirror images of the others; rounded up to an even number. 1000 by
    /// default.
    pub draws: usize,
    /// How the mode is found.
    pub mode: SignalModeOptions,
}

impl Default for ImportanceSmoother {
    fn default() -> Self {
        Self { draws: 1000, mode: SignalModeOptions::default() }
    }
}

impl ImportanceSmoother {
    /// The signal and the states given the observations, as weighted draws, with the likelihood.
    ///
    /// # Errors
    /// As [`mode`](mode()); fewer than four draws; a search for the mode that did not converge; a density
    /// that is NaN.
    pub fn run<R: Rng + ?Sized>(
        &self,
        states: &StateSpace,
        likelihood: &SignalLikelihood,
        series: &Series,
        rng: &mut R,
    ) -> Result<WeightedSignals, Error> {
        check::require(self.draws > 3, "ImportanceSmoother", "draws", self.draws as f64, "at least 4")?;
        let found = mode(states, likelihood, series, &self.mode)?;
        let iterations = found.iterations as f64;
        let requirement = "enough for the mode to converge";
        check::require(found.converged, "SignalModeOptions", "max_iterations", iterations, requirement)?;
        let problem = Problem { states, likelihood, series };
        let sampler = DisturbanceSampler::new(&found.model, &found.series)?;
        let centre = sampler.mean();
        let (length, n) = centre.shape();
        let pairs = self.draws.div_ceil(2);
        let mut signals = DMatrix::zeros(2 * pairs, length);
        let mut last = DMatrix::zeros(2 * pairs, n);
        let mut ln_weights = Vec::with_capacity(2 * pairs);
        for pair in 0..pairs {
            let drawn = sampler.sample(rng);
            let mirrored = &centre * 2.0 - &drawn;
            for (place, path) in [drawn, mirrored].into_iter().enumerate() {
                let signal = signal_of(states, &path);
                ln_weights.push(problem.ln_ratio(&signal, &found.model, &found.series));
                signals.row_mut(2 * pair + place).copy_from_slice(&signal);
                if length > 0 {
                    last.set_row(2 * pair + place, &path.row(length - 1));
                }
            }
        }
        let weights = ImportanceWeights::from_ln(ln_weights)?;
        WeightedSignals::new((states, likelihood), found, (signals, last), weights)
    }
}

/// θ = H x + d at each time, of a row of x for each.
fn signal_of(states: &StateSpace, path: &DMatrix<f64>) -> Vec<f64> {
    let observation = states.observation();
    let at = |t: usize| {
        let row = observation.matrix().at(t).iter().enumerate();
        observation.offset().at(t)[0] + row.map(|(i, h)| h * path[(t, i)]).sum::<f64>()
    };
    (0..path.nrows()).map(at).collect()
}
