//! Segmentations: the most probable one, and random ones.

use posterior_dist::choose;
use rand::{Rng, RngExt};

use super::forward::{Distributions, Forward};
use super::model::SemiMarkovModel;
use super::posterior::possible;
use super::windows::{add, largest, proportions_in_place};
use crate::emission::{Emissions, Sequence};
use crate::error::Error;

/// Positions in a row that are in one state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Segment {
    /// The state.
    pub state: usize,
    /// Its first position.
    pub start: usize,
    /// The number of its positions.
    pub length: usize,
}

/// A segmentation and its score.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Segmentation {
    /// The segments, from the first position to the last.
    pub segments: Vec<Segment>,
    /// ln p(observations, segments).
    pub score: f64,
}

impl Segmentation {
    /// The state at each position.
    pub fn states(&self) -> Vec<usize> {
        self.segments.iter().flat_map(|own| std::iter::repeat_n(own.state, own.length)).collect()
    }
}

impl<E: Emissions> SemiMarkovModel<E> {
    /// The most probable segmentation (Viterbi): O(T K (K + D)). Of equal scores, the longest last segment of
    /// the lowest state is taken.
    ///
    /// # Errors
    /// If the emissions do not take the data, or no segmentation explains them ([`Error::Impossible`], of
    /// sequence 0).
    pub fn decode(&self, sequence: &Sequence<'_, E::Data>) -> Result<Segmentation, Error> {
        let distributions = Distributions::of(self);
        let nodes = self.ln_nodes(sequence)?;
        let (states, positions) = (distributions.states, nodes.len() / distributions.states);
        // The best score of what comes before a segment that begins at s, with the observations since, and
        // the state before.
        let mut reached = vec![f64::NEG_INFINITY; states * positions];
        let mut previous = vec![0; states * positions];
        let mut starts = vec![0; states * (positions + 1)];
        let mut ends = vec![f64::NEG_INFINITY; states];
        let mut terms = Vec::new();
        for t in 0..=positions {
            for j in 0..states {
                let reached = &mut reached[j * positions..][..t];
                let from = t.saturating_sub(distributions.durations[j].longest());
                if t > 0 {
                    add(&mut reached[from..], nodes[(t - 1) * states + j]);
                    let from = distributions.terms(j, t, positions, reached, &mut terms);
                    let (place, score) = largest(&terms);
                    (starts[j * (positions + 1) + t], ends[j]) = (from + place, score);
                }
            }
            for j in (0..states).filter(|_| t < positions) {
                let steps = (0..states).map(|i| ends[i] + distributions.ln_transitions[i * states + j]);
                let (before, score) = if t == 0 {
                    (0, distributions.ln_initial[j])
                } else {
                    largest(&steps.collect::<Vec<_>>())
                };
                (previous[j * positions + t], reached[j * positions + t]) = (before, score);
            }
        }
        let (mut state, score) = largest(&ends);
        if positions == 0 {
            return Ok(Segmentation { segments: Vec::new(), score: 0.0 });
        }
        if score == f64::NEG_INFINITY {
            possible(&distributions, &nodes)?;
        }
        let (mut segments, mut end) = (Vec::new(), positions);
        while end > 0 {
            let start = starts[state * (positions + 1) + end];
            segments.push(Segment { state, start, length: end - start });
            (state, end) = (previous[state * positions + start], start);
        }
        segments.reverse();
        Ok(Segmentation { segments, score })
    }

    /// `count` segmentations, independent draws from their distribution given a sequence: one pass, and O(K +
    /// D) for each segment drawn.
    ///
    /// # Errors
    /// If the emissions do not take the data, or no segmentation explains them ([`Error::Impossible`], of
    /// sequence 0).
    pub fn sample<R: Rng + ?Sized>(
        &self,
        sequence: &Sequence<'_, E::Data>,
        count: usize,
        rng: &mut R,
    ) -> Result<Vec<Vec<Segment>>, Error> {
        let distributions = Distributions::of(self);
        let pass = possible(&distributions, &self.ln_nodes(sequence)?)?;
        Ok((0..count).map(|_| draw(&distributions, &pass, rng)).collect())
    }

    /// Segments of the process itself, cut off after so many positions.
    pub fn simulate<R: Rng + ?Sized>(&self, positions: usize, rng: &mut R) -> Vec<Segment> {
        let distributions = Distributions::of(self);
        let (mut segments, mut start) = (Vec::new(), 0);
        let mut ln_next = distributions.ln_initial.to_vec();
        while start < positions {
            let state = pick(&mut ln_next, rng);
            let length = 1 + pick(&mut distributions.duration(state, start).ln_probabilities().to_vec(), rng);
            segments.push(Segment { state, start, length: length.min(positions - start) });
            ln_next =
                distributions.ln_transitions[state * distributions.states..][..distributions.states].to_vec();
            start += length;
        }
        segments
    }
}

/// From the last segment back to the first.
fn draw<R: Rng + ?Sized>(distributions: &Distributions<'_>, pass: &Forward, rng: &mut R) -> Vec<Segment> {
    let (states, positions) = (distributions.states, pass.positions);
    let (mut segments, mut end) = (Vec::new(), positions);
    let mut terms = Vec::new();
    while end > 0 {
        terms.clear();
        terms.extend((0..states).map(|i| {
            let step = segments
                .last()
                .map_or(0.0, |next: &Segment| distributions.ln_transitions[i * states + next.state]);
            pass.ends[i * (positions + 1) + end] + step
        }));
        let state = pick(&mut terms, rng);
        terms.clear();
        let mut seen = 0.0;
        for length in 1..=distributions.durations[state].longest().min(end) {
            let start = end - length;
            seen += pass.nodes[start * states + state];
            let before = pass.begins[state * positions + start];
            terms.push(before + seen + distributions.ln_segment(state, start, length, positions));
        }
        let length = 1 + pick(&mut terms, rng);
        segments.push(Segment { state, start: end - length, length });
        end -= length;
    }
    segments.reverse();
    segments
}

/// An index with probability proportional to exp of its term, of terms some of which are finite; they are
/// used up.
fn pick<R: Rng + ?Sized>(terms: &mut [f64], rng: &mut R) -> usize {
    proportions_in_place(terms);
    choose(terms, rng.random()).unwrap_or_default()
}
