//! One population of particles on its way from the prior to the posterior.

use posterior_dist::stream::stream;
use posterior_dist::target::Target;
use posterior_math::log_space::{ln_softmax_in_place, ln_sum_exp};
use posterior_math::streaming::StreamingCovariance;
use rand_pcg::Pcg64;

use super::conditional_ess::next_beta;
use super::sequential::{SequentialMonteCarlo, Steps};
use super::{StageReport, Tempered, TemperingStage, tasks};
use crate::importance::{NormalizedTarget, ln_density_or_zero};
use crate::{Error, Info, State, Transition};

/// One of many points.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Particle {
    pub(super) position: Vec<f64>,
    ln_likelihood: f64,
    /// Which draw of the prior it descends from.
    pub(super) ancestor: usize,
}

/// A population at one temperature.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Island {
    pub(super) particles: Vec<Particle>,
    /// Normalised.
    pub(super) ln_weights: Vec<f64>,
    pub(super) ln_evidence: f64,
    pub(super) stages: Vec<StageReport>,
    pub(super) rejected: usize,
    beta: f64,
    scale: f64,
}

impl Island {
    /// Draws of the prior.
    pub(super) fn begin<P, L>(
        options: &SequentialMonteCarlo,
        number: u64,
        prior: &P,
        likelihood: &L,
    ) -> Result<Self, Error>
    where
        P: NormalizedTarget + Sync,
        L: Target + Sync,
    {
        let count = options.particles;
        let mut places: Vec<usize> = (0..count).collect();
        let drawn = tasks::for_each(&mut places, |_, &mut ancestor| {
            let mut position = vec![0.0; prior.dim()];
            prior.draw(&mut stream(options.seed, &[number, 0, ancestor as u64]), &mut position);
            let mut rejected = 0;
            let ln_likelihood = ln_density_or_zero(likelihood.ln_density(&position), &mut rejected)?;
            Ok((Particle { position, ln_likelihood, ancestor }, rejected))
        });
        let drawn = drawn.into_iter().collect::<Result<Vec<_>, Error>>()?;
        Ok(Self {
            rejected: drawn.iter().map(|(_, rejected)| rejected).sum(),
            particles: drawn.into_iter().map(|(particle, _)| particle).collect(),
            ln_weights: vec![-(count as f64).ln(); count],
            ln_evidence: 0.0,
            stages: Vec::new(),
            beta: 0.0,
            scale: 1.0,
        })
    }

    /// Whether the particles stand for the posterior.
    pub(super) fn is_done(&self) -> bool {
        self.beta == 1.0
    }

    /// Goes on to the next temperature.
    pub(super) fn advance<'a, P, L, K>(
        &mut self,
        options: &SequentialMonteCarlo,
        number: u64,
        (prior, likelihood): (&'a P, &'a L),
        kernel: &impl Fn(&TemperingStage) -> Result<K, Error>,
    ) -> Result<(), Error>
    where
        P: NormalizedTarget + Sync,
        L: Target + Sync,
        K: Transition<Tempered<&'a P, &'a L>> + Sync,
    {
        let number_of_stage = self.stages.len() as u64 + 1;
        let before = self.beta;
        self.beta = self.next_beta(options)?;
        self.weigh(self.beta - before)?;
        let ess = self.ln_weights.iter().map(|ln| (2.0 * ln).exp()).sum::<f64>().recip();
        let resampled = ess < options.resample_below * self.particles.len() as f64;
        if resampled {
            self.resample(options, &mut stream(options.seed, &[number, number_of_stage]))?;
        }
        let stage = self.stage();
        let target = Tempered::new(prior, likelihood, self.beta)?;
        let path = [number, number_of_stage];
        let (acceptance_rate, squared_way) = self.shift(options, path, &target, &kernel(&stage)?)?;
        let renewal = squared_way / (2.0 * stage.covariance.trace());
        let scale = stage.scale;
        let beta = self.beta;
        self.stages.push(StageReport { beta, ess, resampled, scale, acceptance_rate, renewal });
        if acceptance_rate.is_finite() {
            self.scale *= (2.0 * (acceptance_rate - options.target_accept)).exp();
        }
        Ok(())
    }

    fn next_beta(&self, options: &SequentialMonteCarlo) -> Result<f64, Error> {
        match &options.steps {
            Steps::Given(schedule) => Ok(schedule.betas()[self.stages.len() + 1]),
            &Steps::ConditionalEss { proportion, most } => {
                if self.stages.len() == most {
                    return Err(Error::Tempering { beta: self.beta });
                }
                let ln_likelihoods: Vec<f64> = self.particles.iter().map(|p| p.ln_likelihood).collect();
                if ln_likelihoods.iter().all(|&ln| ln == f64::NEG_INFINITY) {
                    return Err(Error::NoWeight { draws: self.particles.len() });
                }
                next_beta(self.beta, &self.ln_weights, &ln_likelihoods, proportion)
            }
        }
    }

    /// Multiplies the weights by likelihood^step.
    fn weigh(&mut self, step: f64) -> Result<(), Error> {
        for (ln_weight, particle) in self.ln_weights.iter_mut().zip(&self.particles) {
            *ln_weight += step * particle.ln_likelihood;
        }
        let ln_mean = ln_sum_exp(&self.ln_weights);
        if ln_mean == f64::NEG_INFINITY {
            return Err(Error::NoWeight { draws: self.particles.len() });
        }
        ln_softmax_in_place(&mut self.ln_weights);
        self.ln_evidence += ln_mean;
        Ok(())
    }

    fn resample(&mut self, options: &SequentialMonteCarlo, rng: &mut Pcg64) -> Result<(), Error> {
        let count = self.particles.len();
        let weights: Vec<f64> = self.ln_weights.iter().map(|ln| ln.exp()).collect();
        let places = options.resampling.indices(&weights, count, rng)?;
        self.particles = places.into_iter().map(|place| self.particles[place].clone()).collect();
        self.ln_weights.fill(-(count as f64).ln());
        Ok(())
    }

    fn stage(&self) -> TemperingStage {
        let mut moments = StreamingCovariance::new(self.particles[0].position.len());
        for (particle, ln_weight) in self.particles.iter().zip(&self.ln_weights) {
            moments.push_weighted(&particle.position, ln_weight.exp());
        }
        let (mean, covariance) = (moments.mean(), moments.covariance());
        TemperingStage { beta: self.beta, mean, covariance, scale: self.scale }
    }

    /// Moves all particles that have a weight; the mean acceptance rate, and the mean square of the way, by
    /// weight.
    fn shift<T, K>(
        &mut self,
        options: &SequentialMonteCarlo,
        [island, stage]: [u64; 2],
        target: &T,
        kernel: &K,
    ) -> Result<(f64, f64), Error>
    where
        T: Likelihood + Sync,
        K: Transition<T> + Sync,
    {
        let ln_weights = &self.ln_weights;
        let moved = tasks::for_each(&mut self.particles, |index, particle| {
            if ln_weights[index] == f64::NEG_INFINITY {
                return Ok(None);
            }
            let mut rng = stream(options.seed, &[island, stage, index as u64]);
            particle.moved(target, kernel, options.moves, &mut rng).map(Some)
        });
        let (mut acceptance, mut squared_way, mut count) = (0.0, 0.0, 0.0);
        for (outcome, ln_weight) in moved.into_iter().zip(&self.ln_weights) {
            if let Some(moved) = outcome? {
                (acceptance, count) = (acceptance + moved.acceptance_rate, count + 1.0);
                squared_way += ln_weight.exp() * moved.squared_way;
                self.rejected += moved.rejected;
            }
        }
        Ok((acceptance / count, squared_way))
    }
}

/// A target that knows its likelihood.
pub(super) trait Likelihood: Target {
    fn ln_likelihood_or_zero(&self, x: &[f64], rejected: &mut usize) -> Result<f64, Error>;
}

impl<P: Target, L: Target> Likelihood for Tempered<P, L> {
    fn ln_likelihood_or_zero(&self, x: &[f64], rejected: &mut usize) -> Result<f64, Error> {
        Ok(ln_density_or_zero(self.ln_likelihood(x), rejected)?)
    }
}

/// What became of a particle at one temperature.
struct Moved {
    acceptance_rate: f64,
    squared_way: f64,
    /// How often the likelihood had no value.
    rejected: usize,
}

impl Particle {
    /// Takes steps.
    fn moved<T, K>(&mut self, target: &T, kernel: &K, steps: usize, rng: &mut Pcg64) -> Result<Moved, Error>
    where
        T: Likelihood,
        K: Transition<T>,
    {
        let mut state = kernel.init(target, &self.position)?;
        let mut acceptance_rate = 0.0;
        for _ in 0..steps {
            acceptance_rate += acceptance_rate_of(&kernel.step(target, &mut state, rng)?) / steps as f64;
        }
        let mut rejected = 0;
        let way = state.position().iter().zip(&self.position).map(|(to, from)| to - from);
        let squared_way = way.map(|way| way * way).sum();
        self.position.copy_from_slice(state.position());
        self.ln_likelihood = target.ln_likelihood_or_zero(&self.position, &mut rejected)?;
        Ok(Moved { acceptance_rate, squared_way, rejected })
    }
}

/// The number of this name that a step wrote down; NaN if it has none.
fn acceptance_rate_of<I: Info>(info: &I) -> f64 {
    let Some(place) = I::NAMES.iter().position(|&name| name == "acceptance_rate") else {
        return f64::NAN;
    };
    let mut numbers = vec![f64::NAN; I::NAMES.len()];
    info.write(&mut numbers);
    numbers[place]
}
