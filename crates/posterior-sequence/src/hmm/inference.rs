//! What a whole sequence says about its states.

use rand::Rng;

use super::{HiddenMarkovModel, chain};
use crate::chain::{FilteredChain, ForwardBackward, LinearChain, Path, Score, SmoothedChain};
use crate::emission::{Emissions, Sequence, Sequences};
use crate::error::Error;

/// The path that stands for all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Decoding {
    /// The most probable path, by Viterbi's algorithm; of equally probable ones that with the lowest states,
    /// from the end on. The default.
    #[default]
    Viterbi,
    /// At each position the most probable state: as many right states as can be expected, by a path that may
    /// be impossible.
    Posterior,
    /// The possible path with as many right states as can be expected.
    PossiblePosterior,
}

/// Inference about whole sequences under one model, with room for messages that is used again: nothing is
/// allocated for a sequence no longer than those before.
///
/// Positions at which nothing was seen, and states that are known, are those of the [`Sequence`]. Memory is K
/// numbers a position; for a sequence too long for that, [`Filter`](super::Filter) takes pieces.
///
/// ```
/// use posterior_math::linalg::DMatrix;
/// use posterior_sequence::emission::{CategoricalEmissions, Sequence};
/// use posterior_sequence::hmm::{Decoding, HiddenMarkovModel, Inference};
///
/// let emissions = CategoricalEmissions::new(&DMatrix::from_row_slice(2, 3, &[0.5, 0.4, 0.1, 0.1, 0.3, 0.6]))?;
/// let model = HiddenMarkovModel::new(&[0.6, 0.4], &DMatrix::from_row_slice(2, 2, &[0.7, 0.3, 0.4, 0.6]), emissions)?;
/// let mut inference = Inference::new(&model);
///
/// let seen = Sequence::new(&[0, 1, 2][..]);
/// let smoothed = inference.smooth(&seen)?;
/// assert!((smoothed.score().ln_z - 0.03628_f64.ln()).abs() < 1e-15);
/// assert!((smoothed.at(1)[0] - 0.622932745314).abs() < 1e-12);
///
/// let best = inference.decode(&seen, Decoding::Viterbi)?;
/// assert_eq!(best.states, [0, 0, 1]);
/// assert!((best.score - 0.01512_f64.ln()).abs() < 1e-15);
/// # Ok::<(), posterior_sequence::Error>(())
/// ```
#[derive(Debug)]
pub struct Inference<'m, E> {
    model: &'m HiddenMarkovModel<E>,
    work: ForwardBackward,
    ln_nodes: Vec<f64>,
}

impl<'m, E: Emissions> Inference<'m, E> {
    /// No sequence yet.
    pub fn new(model: &'m HiddenMarkovModel<E>) -> Self {
        Self { model, work: ForwardBackward::new(), ln_nodes: Vec::new() }
    }

    /// ln p(x); -∞ if no path explains what was seen, with the first position at which none is left.
    ///
    /// # Errors
    /// If observations do not go with the model.
    pub fn score(&mut self, sequence: &Sequence<'_, E::Data>) -> Result<Score, Error> {
        let Self { model, work, ln_nodes } = self;
        Ok(work.score(&checked_chain(model, sequence, ln_nodes)?))
    }

    /// p(z_t | x up to t) at all positions, and ln p(x).
    ///
    /// # Errors
    /// If observations do not go with the model, or no path explains them.
    pub fn filter<'a>(&'a mut self, sequence: &'a Sequence<'_, E::Data>) -> Result<FilteredChain<'a>, Error> {
        let Self { model, work, ln_nodes } = self;
        let filtered = work.filter(&checked_chain(model, sequence, ln_nodes)?);
        possible(filtered.score())?;
        Ok(filtered)
    }

    /// p(z_t | x) at all positions, p(z_t, z_{t+1} | x), and ln p(x).
    ///
    /// # Errors
    /// As [`filter`](Self::filter).
    pub fn smooth<'a>(&'a mut self, sequence: &'a Sequence<'_, E::Data>) -> Result<SmoothedChain<'a>, Error> {
        let Self { model, work, ln_nodes } = self;
        let smoothed = work.smooth(&checked_chain(model, sequence, ln_nodes)?);
        possible(smoothed.score())?;
        Ok(smoothed)
    }

    /// A path that stands for all of them, and its ln p together with the observations: -∞ where it is none
    /// of the possible ones.
    ///
    /// # Errors
    /// As [`filter`](Self::filter).
    pub fn decode(&mut self, sequence: &Sequence<'_, E::Data>, decoding: Decoding) -> Result<Path, Error> {
        let Self { model, work, ln_nodes } = self;
        let chain = checked_chain(model, sequence, ln_nodes)?;
        let path = match decoding {
            Decoding::Viterbi => chain.best_path(),
            Decoding::Posterior => scored(&chain, work.smooth(&chain).posterior_decoding()),
            Decoding::PossiblePosterior => scored(&chain, work.smooth(&chain).possible_posterior_decoding()),
        };
        match path {
            Some(path) => Ok(path),
            None => Err(impossible(work.score(&chain))),
        }
    }

    /// The so many most probable paths, the best first, with their ln p together with the observations; fewer
    /// if fewer are possible.
    ///
    /// # Errors
    /// As [`filter`](Self::filter).
    pub fn k_best(&mut self, sequence: &Sequence<'_, E::Data>, count: usize) -> Result<Vec<Path>, Error> {
        let Self { model, work, ln_nodes } = self;
        let chain = checked_chain(model, sequence, ln_nodes)?;
        possible(work.score(&chain))?;
        Ok(chain.k_best_paths(count))
    }

    /// Paths drawn from p(z | x), independently: filtering forward, sampling backward.
    ///
    /// # Errors
    /// As [`filter`](Self::filter).
    pub fn sample_paths<R: Rng + ?Sized>(
        &mut self,
        sequence: &Sequence<'_, E::Data>,
        count: usize,
        rng: &mut R,
    ) -> Result<Vec<Vec<usize>>, Error> {
        let filtered = self.filter(sequence)?;
        Ok((0..count).filter_map(|_| filtered.sample(rng)).collect())
    }
}

impl<E: Emissions> HiddenMarkovModel<E> {
    /// ln p of these sequences, each a beginning of its own.
    ///
    /// # Errors
    /// With sequence and position: observations that do not go with the model, or are impossible.
    pub fn ln_likelihood(&self, sequences: &Sequences<'_, E::Data>) -> Result<f64, Error> {
        let mut inference = Inference::new(self);
        let mut sum = 0.0;
        for (number, sequence) in sequences.as_slice().iter().enumerate() {
            let score = inference.score(sequence).and_then(|score| possible(score).map(|()| score));
            sum += score.map_err(|error| error.of_sequence(number))?.ln_z;
        }
        Ok(sum)
    }

    /// A path for each of these sequences: see [`Inference::decode`].
    ///
    /// # Errors
    /// As [`ln_likelihood`](Self::ln_likelihood).
    pub fn decode(&self, sequences: &Sequences<'_, E::Data>, decoding: Decoding) -> Result<Vec<Path>, Error> {
        let mut inference = Inference::new(self);
        let mut path = |(number, sequence)| {
            inference.decode(sequence, decoding).map_err(|error| error.of_sequence(number))
        };
        sequences.as_slice().iter().enumerate().map(&mut path).collect()
    }
}

/// The chain of states of a sequence; its scores are looked up, or in `ln_nodes`, which is filled.
fn checked_chain<'a, E: Emissions>(
    model: &'a HiddenMarkovModel<E>,
    sequence: &'a Sequence<'_, E::Data>,
    ln_nodes: &'a mut Vec<f64>,
) -> Result<LinearChain<'a>, Error> {
    sequence.check(model.emissions())?;
    chain(model, sequence, ln_nodes)
}

fn possible(score: Score) -> Result<(), Error> {
    if score.impossible.is_some() { Err(impossible(score)) } else { Ok(()) }
}

fn impossible(score: Score) -> Error {
    Error::Impossible { sequence: 0, position: score.impossible.unwrap_or(0) }
}

fn scored(chain: &LinearChain<'_>, states: Option<Vec<usize>>) -> Option<Path> {
    states.map(|states| Path { score: chain.path_score(&states), states })
}
