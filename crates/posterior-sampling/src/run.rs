//! Several chains at once.

use posterior_dist::stream::stream;
use posterior_dist::target::Target;
use posterior_math::check::{self, DimensionError, ParamError};
use rand_pcg::Pcg64;
#[cfg(feature = "rayon")]
use rayon::prelude::*;

use crate::{Adapt, Chain, ChainReport, DivergentTransition, Draws, Error, Info, Start, State, Transition};

/// How many chains, how long, and from which seed.
///
/// ```text
/// let sampled = Run { seed: 7, ..Run::default() }.sample(&target, &Nuts::default(), &Start::default())?;
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Run {
    /// Chains.
    pub chains: usize,
    /// Steps of each chain in which its transition is tuned; they are not kept.
    pub warm_up: usize,
    /// Draws of each chain that are kept.
    pub draws: usize,
    /// Steps for a draw that is kept: 1 keeps all. Thinning saves memory and never makes an estimate better.
    pub thin: usize,
    /// The seed: each chain has a stream of its own.
    pub seed: u64,
    /// Whether the steps of the warm-up are kept too, as [`Sampled::warm_up`].
    #[cfg_attr(feature = "serde", serde(default))]
    pub keep_warm_up: bool,
}

impl Default for Run {
    /// Four chains of 1,000 draws after 1,000 steps of warm-up, seed 0.
    fn default() -> Self {
        Self { chains: 4, warm_up: 1000, draws: 1000, thin: 1, seed: 0, keep_warm_up: false }
    }
}

/// The draws of a run, and what became of each chain.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Sampled<K> {
    /// The draws, the statistics of each step among them.
    pub draws: Draws,
    /// The steps of the warm-up, of as many as there are for a draw the last; if they were wanted.
    pub warm_up: Option<Draws>,
    /// One report for each chain.
    pub chains: Vec<ChainReport<K>>,
}

/// The chains of a run in the middle of their work: stop anywhere, write them down (feature `serde`), go on
/// to the same bits.
///
/// A file of chains is checked for the shape of its chains when it goes on, and not for the rest: keep it as
/// you keep the program.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Chains<K, S, P> {
    run: Run,
    statistic_names: Vec<String>,
    all: Vec<Chain<K, S, P>>,
}

/// The chains of a sampler `A` on a target `T`.
pub type ChainsOf<A, T> = Chains<
    <A as Adapt<T>>::Tuned,
    <<A as Adapt<T>>::Tuned as Transition<T>>::State,
    <A as Adapt<T>>::Progress,
>;

type InfoOf<A, T> = <<A as Adapt<T>>::Tuned as Transition<T>>::Info;

impl Run {
    /// Runs all chains to their end.
    ///
    /// # Errors
    /// As [`start`](Self::start); a target that ends the run.
    pub fn sample<T, A>(&self, target: &T, sampler: &A, start: &Start) -> Result<Sampled<A::Tuned>, Error>
    where
        T: Target + Sync + ?Sized,
        A: Adapt<T, Progress: Send, Tuned: Transition<T, State: Send> + Send> + Sync,
    {
        let mut chains = self.start(target, sampler, start)?;
        chains.advance(target, sampler, usize::MAX)?;
        chains.finish()
    }

    /// The chains at their starts.
    ///
    /// # Errors
    /// Options that can't be; a start where the density is zero or has no value.
    pub fn start<T, A>(&self, target: &T, sampler: &A, start: &Start) -> Result<ChainsOf<A, T>, Error>
    where
        T: Target + ?Sized,
        A: Adapt<T>,
    {
        self.check()?;
        let chains = (0..self.chains).map(|chain| Chain::begin(self, chain, target, sampler, start));
        let names = ["lp"].iter().chain(<InfoOf<A, T> as Info>::NAMES);
        Ok(Chains {
            run: self.clone(),
            statistic_names: names.map(|&name| name.to_owned()).collect(),
            all: chains.collect::<Result<_, _>>()?,
        })
    }

    fn check(&self) -> Result<(), ParamError> {
        for (name, value) in [("chains", self.chains), ("draws", self.draws), ("thin", self.thin)] {
            check::require(value > 0, "Run", name, value as f64, "positive")?;
        }
        Ok(())
    }

    const fn steps(&self) -> usize {
        self.warm_up.saturating_add(self.draws.saturating_mul(self.thin))
    }
}

impl<K, S: State, P> Chains<K, S, P> {
    /// Each chain takes up to `steps` steps, no more than it has left.
    ///
    /// With the feature `rayon` the chains run on the threads of the pool; their draws are the same on any
    /// number of threads.
    ///
    /// # Errors
    /// A target that ends the run: of several, that of the first chain. A target of another dimension than
    /// that of the start.
    pub fn advance<T, A>(&mut self, target: &T, sampler: &A, steps: usize) -> Result<(), Error>
    where
        T: Target + Sync + ?Sized,
        A: Adapt<T, Tuned = K, Progress = P> + Sync,
        K: Transition<T, State = S> + Send,
        S: Send,
        P: Send,
    {
        let Self { run, all, .. } = self;
        let expected = target.dim();
        if let Some(other) = all.iter().map(|chain| chain.position().len()).find(|&found| found != expected) {
            return Err(DimensionError::new("coordinates of the chains", expected, other).into());
        }
        let advance = |chain: &mut Chain<K, S, P>| {
            let left = run.steps().saturating_sub(chain.iteration());
            (0..steps.min(left)).try_for_each(|_| chain.step(run, target, sampler))
        };
        #[cfg(feature = "rayon")]
        let outcomes: Vec<_> = all.par_iter_mut().map(advance).collect();
        #[cfg(not(feature = "rayon"))]
        let outcomes: Vec<_> = all.iter_mut().map(advance).collect();
        outcomes.into_iter().collect()
    }

    /// The chains.
    pub fn chains(&self) -> &[Chain<K, S, P>] {
        &self.all
    }

    /// Whether all draws are there.
    pub fn is_done(&self) -> bool {
        self.all.iter().all(|chain| chain.iteration() == self.run.steps())
    }

    /// The draws so far.
    ///
    /// # Errors
    /// After an error of [`advance`](Self::advance), where some chains stopped before others.
    pub fn finish(self) -> Result<Sampled<K>, Error> {
        let dim = self.all.first().map_or(0, |chain| chain.position().len());
        let names: Vec<String> = (0..dim).map(|i| format!("x[{i}]")).collect();
        let (mut early, mut late) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
        let mut reports = Vec::new();
        for mut chain in self.all {
            let kept =
                if self.run.keep_warm_up { chain.iteration.min(self.run.warm_up) / self.run.thin } else { 0 };
            let all = [(&mut chain.rows, dim), (&mut chain.statistics, self.statistic_names.len())];
            for (place, (rows, width)) in all.into_iter().enumerate() {
                late[place].push(rows.split_off(kept * width));
                early[place].push(std::mem::take(rows));
            }
            reports.push(chain.report());
        }
        let table = |[rows, numbers]: [Vec<Vec<f64>>; 2]| {
            Draws::new(names.clone(), rows)?.with_statistics(self.statistic_names.clone(), numbers)
        };
        let warm_up = self.run.keep_warm_up.then(|| table(early)).transpose()?;
        Ok(Sampled { draws: table(late)?, warm_up, chains: reports })
    }
}

impl<K, S: State, P> Chain<K, S, P> {
    fn begin<T, A>(run: &Run, chain: usize, target: &T, sampler: &A, start: &Start) -> Result<Self, Error>
    where
        T: Target + ?Sized,
        A: Adapt<T, Tuned = K, Progress = P>,
        K: Transition<T, State = S>,
    {
        let mut rng = stream(run.seed, &[chain as u64]);
        let begin = |position: &[f64], rng: &mut Pcg64| sampler.begin(target, position, run.warm_up, rng);
        let at = start.begin((chain, run.chains), target.dim(), &mut rng, begin)?;
        let (rows, statistics, divergences) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Self { at, rng, iteration: 0, rows, statistics, divergences })
    }

    fn step<T, A>(&mut self, run: &Run, target: &T, sampler: &A) -> Result<(), Error>
    where
        T: ?Sized,
        A: Adapt<T, Tuned = K, Progress = P>,
        K: Transition<T, State = S>,
        K::Info: Info,
    {
        let mut info = self.at.tuned.step(target, &mut self.at.state, &mut self.rng)?;
        if let Some(divergence) = info.take_divergence() {
            self.divergences.push(DivergentTransition { iteration: self.iteration, ..divergence });
        }
        if self.iteration < run.warm_up {
            if run.keep_warm_up && (self.iteration + 1).is_multiple_of(run.thin) {
                self.keep(&info);
            }
            sampler.learn(target, self.at.learner(), &info, &mut self.rng)?;
        } else if (self.iteration - run.warm_up + 1).is_multiple_of(run.thin) {
            self.keep(&info);
        }
        self.iteration += 1;
        Ok(())
    }

    fn keep<I: Info>(&mut self, info: &I) {
        self.rows.extend_from_slice(self.at.state.position());
        self.statistics.push(self.at.state.ln_density());
        let before = self.statistics.len();
        self.statistics.resize(before + I::NAMES.len(), f64::NAN);
        info.write(&mut self.statistics[before..]);
    }
}
