//! Learning log-linear fields whose ln Z is out of reach: the expected features are those of Gibbs chains.

use std::time::Instant;

use posterior_dist::AliasTable;
use posterior_dist::stream::stream;
use posterior_inference::Error;
use posterior_math::check::{self, ParamError};
use posterior_math::iteration::{Fitted, Observer, Report, Step, Stop};
use posterior_pgm::{GraphicalModel, LogLinear, Records, Table};
use rand::distr::Distribution;
use rand::{Rng, RngExt};
use rand_pcg::Pcg64;

use super::each;
use super::gibbs::BlockOrder;
use super::sites::Sites;

/// So many particles share a stream of random numbers.
const BLOCK: usize = 64;
/// Numbers of a table of conditionals, up to which it is worked out anew for each step.
const ROWS: usize = 256;
/// How the rate falls: slower than 1/t, as the mean of the weights wants it (Polyak and Juditsky 1992).
const EXPONENT: f64 = -0.6;

/// Where the chains of each step start.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Negative {
    /// Where they were after the last step (stochastic maximum likelihood, persistent contrastive
    /// divergence): without bias in the limit.
    #[default]
    Persistent,
    /// At records that are drawn anew (contrastive divergence, CD-k): a bias that the number of sweeps
    /// lowers, less noise.
    Contrastive,
}

/// How to learn by sampling.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SampledLearning {
    /// Where the chains of each step start.
    pub negative: Negative,
    /// Chains.
    pub particles: usize,
    /// Sweeps of each chain in each step: the k of CD-k.
    pub sweeps: usize,
    /// Steps of the weights.
    pub steps: usize,
    /// The rate of the first step; step t has rate · (1 + t / `decay`)^−0.6.
    pub rate: f64,
    /// After how many steps the rate begins to fall.
    pub decay: f64,
    /// The last proportion of steps over which the weights are averaged, from 0 (the last weights alone) to
    /// 1.
    pub averaged: f64,
    /// λ of the penalty λ ‖w‖² / 2 for each record.
    pub penalty: f64,
    /// The seed.
    pub seed: u64,
}

impl Default for SampledLearning {
    /// 256 persistent chains, one sweep in each of 2,000 steps, rate 0.5 that falls after 100 steps, the
    /// second half averaged.
    fn default() -> Self {
        Self {
            negative: Negative::Persistent,
            particles: 256,
            sweeps: 1,
            steps: 2000,
            rate: 0.5,
            decay: 100.0,
            averaged: 0.5,
            penalty: 0.0,
            seed: 0,
        }
    }
}

impl SampledLearning {
    /// This first rate, which falls after `decay` steps.
    #[must_use]
    pub const fn with_rate(self, rate: f64, decay: f64) -> Self {
        Self { rate, decay, ..self }
    }

    fn check(&self) -> Result<(), ParamError> {
        const NAME: &str = "SampledLearning";
        for (name, value) in [("particles", self.particles), ("sweeps", self.sweeps), ("steps", self.steps)] {
            check::require(value > 0, NAME, name, value as f64, "positive")?;
        }
        check::positive(NAME, "rate", self.rate)?;
        check::positive(NAME, "decay", self.decay)?;
        check::probability(NAME, "averaged", self.averaged)?;
        check::non_negative(NAME, "penalty", self.penalty).map(drop)
    }
}

/// The weights of greatest likelihood by stochastic approximation: each step moves them by a rate times the
/// mean of the features in the records less their mean in Gibbs chains, where exact learning
/// ([`fit_log_linear`](posterior_inference::learning::fit_log_linear)) has an expectation. The mean of the
/// last weights is returned.
///
/// The trace of the report holds the largest difference of a feature's mean in the records and in the chains,
/// before each step and at the end: noise that should hover about one over the root of the number of chains.
/// It never claims to have converged. One step is O(chains × sweeps × variables + cells of the features).
///
/// # Errors
/// Options that can't be; records of other variables, or with a missing state; no record; weights that run
/// away because the rate is too high.
///
/// # References
/// G. Hinton, Training products of experts by minimizing contrastive divergence, Neural Computation 14, 2002;
/// T. Tieleman, Training restricted Boltzmann machines using approximations to the likelihood gradient, ICML
/// 2008; L. Younes, On the convergence of Markovian stochastic algorithms with rapidly decreasing ergodicity
/// rates, Stochastics 65, 1999.
pub fn fit_by_sampling(
    start: LogLinear,
    records: &Records,
    options: &SampledLearning,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Fitted<LogLinear>, Error> {
    options.check()?;
    let means = start.feature_means(records)?;
    let data = Data::new(records)?;
    let features: Vec<Feature> = start.features().iter().map(Feature::new).collect();
    let mut particles = Particles::random(&start, options);
    let (mut weights, mut model) = (start.weights().to_vec(), start);
    let skipped = options.steps - (options.averaged * options.steps as f64).ceil() as usize;
    let skipped = skipped.min(options.steps - 1);
    let mut mean_weights = vec![0.0; weights.len()];
    let (mut trace, mut stop, began) = (Vec::new(), Stop::MaxIterations, Instant::now());
    let mut counted = 0.0;
    for step in 0..options.steps {
        let positive = match options.negative {
            Negative::Persistent => means.clone(),
            Negative::Contrastive => {
                particles.restart(&data, options.seed, step);
                particles.means(&features)
            }
        };
        particles.sweep(&model, options, step)?;
        let negative = particles.means(&features);
        let rate = options.rate * (1.0 + step as f64 / options.decay).powf(EXPONENT);
        for (k, w) in weights.iter_mut().enumerate() {
            *w += rate * (positive[k] - negative[k] - options.penalty * *w);
        }
        model = model.with_weights(weights.clone())?;
        if step >= skipped {
            counted += 1.0;
            mean_weights.iter_mut().zip(&weights).for_each(|(mean, w)| *mean += (w - *mean) / counted);
        }
        trace.push(gap(&positive, &negative));
        if observer.step(&Step::new(step + 1, trace[step], began.elapsed())).is_break() {
            stop = Stop::Observer;
            break;
        }
    }
    let model = model.with_weights(if counted > 0.0 { mean_weights } else { weights })?;
    particles.sweep(&model, options, options.steps)?;
    trace.push(gap(&means, &particles.means(&features)));
    Ok(Fitted { model, report: Report::new(trace, stop) })
}

/// The largest difference of two means of a feature.
fn gap(positive: &[f64], negative: &[f64]) -> f64 {
    positive.iter().zip(negative).fold(0.0, |gap, (a, b)| gap.max((a - b).abs()))
}

/// Records to draw from.
struct Data {
    states: Vec<Vec<usize>>,
    distribution: AliasTable,
}

impl Data {
    fn new(records: &Records) -> Result<Self, Error> {
        let rows = records.distinct_states()?;
        let (states, counts): (Vec<_>, Vec<f64>) = rows.into_iter().unzip();
        Ok(Self { states, distribution: AliasTable::from_weights(&counts)? })
    }
}

/// A feature, to be read at joint states.
struct Feature {
    values: Vec<f64>,
    strides: Vec<(usize, usize)>,
}

impl Feature {
    fn new(table: &Table) -> Self {
        let mut stride = 1;
        let mut strides = Vec::new();
        for (v, card) in table.scope().iter().zip(table.cards()).rev() {
            strides.push((v.index(), stride));
            stride *= card;
        }
        Self { values: table.values().to_vec(), strides }
    }

    fn at(&self, states: &[usize]) -> f64 {
        self.values[self.strides.iter().map(|&(v, stride)| states[v] * stride).sum::<usize>()]
    }
}

/// The joint states of all chains, in blocks.
struct Particles {
    blocks: Vec<Vec<Vec<usize>>>,
    count: f64,
}

impl Particles {
    /// Uniform states.
    fn random(model: &LogLinear, options: &SampledLearning) -> Self {
        let mut rng = stream(options.seed, &[0]);
        let cards = model.variables().cards();
        let state = |rng: &mut Pcg64| cards.iter().map(|&card| rng.random_range(0..card)).collect();
        let all: Vec<Vec<usize>> = (0..options.particles).map(|_| state(&mut rng)).collect();
        Self { blocks: all.chunks(BLOCK).map(<[_]>::to_vec).collect(), count: options.particles as f64 }
    }

    /// Every chain at a record.
    fn restart(&mut self, data: &Data, seed: u64, step: usize) {
        let mut rng = stream(seed, &[1, step as u64]);
        for particle in self.blocks.iter_mut().flatten() {
            particle.clone_from(&data.states[data.distribution.sample(&mut rng)]);
        }
    }

    fn sweep(&mut self, model: &LogLinear, options: &SampledLearning, step: usize) -> Result<(), Error> {
        let (field, _) = model.field()?;
        let blocks = (0..field.variables().len()).map(|v| vec![v]).collect();
        let sites = Sites::new(&field, &blocks, ROWS);
        let numbered: Vec<(u64, &Vec<Vec<usize>>)> = (0..).zip(&self.blocks).collect();
        self.blocks = each(&numbered, |&(block, particles)| {
            let mut rng = stream(options.seed, &[2, step as u64, block]);
            particles.iter().map(|states| moved(&sites, states, options.sweeps, &mut rng)).collect()
        });
        Ok(())
    }

    fn means(&self, features: &[Feature]) -> Vec<f64> {
        let sum = |f: &Feature| self.blocks.iter().flatten().map(|states| f.at(states)).sum::<f64>();
        features.iter().map(|f| sum(f) / self.count).collect()
    }
}

/// Where a chain is after so many sweeps.
fn moved<R: Rng + ?Sized>(sites: &Sites, states: &[usize], sweeps: usize, rng: &mut R) -> Vec<usize> {
    let mut position = sites.position(states);
    let mut scratch = Vec::new();
    for _ in 0..sweeps {
        sites.sweep(&mut position, BlockOrder::Systematic, &mut scratch, rng);
    }
    sites.states(&position)
}
