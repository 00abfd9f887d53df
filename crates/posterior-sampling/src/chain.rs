//! One chain, step by step: a value that can be written down and resumed to the bit.

use posterior_dist::stream::stream;
use posterior_dist::target::Target;
use rand_pcg::Pcg64;

use crate::{Adapt, Divergence, Error, Info, Run, Start, Started, State, Transition};

/// A chain in the middle of its work: its transition `K`, its state `S`, what its tuning has fitted `P`, its
/// random numbers, and its draws.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Chain<K, S, P> {
    at: Started<K, S, P>,
    rng: Pcg64,
    iteration: usize,
    /// The points that are kept.
    pub(crate) rows: Vec<f64>,
    /// For each of them ln p, then the numbers of [`Info`].
    #[cfg_attr(feature = "serde", serde(with = "crate::any_float"))]
    pub(crate) statistics: Vec<f64>,
    divergences: Vec<Divergence>,
}

/// What became of a chain.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ChainReport<K> {
    /// The transition after the warm-up.
    pub tuned: K,
    /// All divergences, those of the warm-up too, in their order.
    pub divergences: Vec<Divergence>,
    /// Where the chain ended: a start for another run.
    pub last: Vec<f64>,
}

impl<K, S: State, P> Chain<K, S, P> {
    pub(crate) fn begin<T, A>(
        run: &Run,
        chain: usize,
        target: &T,
        sampler: &A,
        start: &Start,
    ) -> Result<Self, Error>
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

    /// Steps taken, the warm-up counted.
    pub const fn iteration(&self) -> usize {
        self.iteration
    }

    /// Divergences so far, those of the warm-up too.
    pub fn divergences(&self) -> &[Divergence] {
        &self.divergences
    }

    /// Where the chain is.
    pub fn position(&self) -> &[f64] {
        self.at.state.position()
    }

    pub(crate) fn step<T, A>(&mut self, run: &Run, target: &T, sampler: &A) -> Result<(), Error>
    where
        T: ?Sized,
        A: Adapt<T, Tuned = K, Progress = P>,
        K: Transition<T, State = S>,
        K::Info: Info,
    {
        let mut info = self.at.tuned.step(target, &mut self.at.state, &mut self.rng)?;
        if let Some(divergence) = info.take_divergence() {
            self.divergences.push(Divergence { iteration: self.iteration, ..divergence });
        }
        if self.iteration < run.warm_up {
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

    pub(crate) fn report(self) -> ChainReport<K> {
        let last = self.at.state.position().to_vec();
        ChainReport { tuned: self.at.tuned, divergences: self.divergences, last }
    }
}
