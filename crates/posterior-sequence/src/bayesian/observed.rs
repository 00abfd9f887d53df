//! Several sequences of observations, with gaps.

use std::borrow::Borrow;
use std::ops::Range;

use posterior_dist::ExponentialFamily;
use posterior_math::check::{self, ParamError};

use crate::error::Error;

/// Sequences of points of a family: `bool`s for coins, `usize`s for symbols, `u64`s for counts, `[f64]`s for
/// vectors, …
///
/// ```
/// use posterior_sequence::bayesian::Observed;
///
/// let calls = [vec![Some(2_u64), None, Some(5)], vec![], vec![Some(0)]];
/// let data: Observed<'_, u64> = Observed::with_gaps(&calls);
/// assert_eq!((data.sequences(), data.positions()), (3, 4));
/// assert_eq!(data.points(0)[1], None);
/// ```
#[derive(Debug)]
pub struct Observed<'a, X: ?Sized> {
    points: Vec<Option<&'a X>>,
    /// Where each sequence ends.
    ends: Vec<usize>,
}

impl<X: ?Sized> Clone for Observed<'_, X> {
    fn clone(&self) -> Self {
        Self { points: self.points.clone(), ends: self.ends.clone() }
    }
}

impl<'a, X: ?Sized> Observed<'a, X> {
    /// Sequences without gaps.
    pub fn new<P: Borrow<X>>(sequences: &'a [Vec<P>]) -> Self {
        Self::of(sequences.iter().map(|sequence| sequence.iter().map(|point| Some(point.borrow()))))
    }

    /// Sequences in which some positions were not observed: there the state is free.
    pub fn with_gaps<P: Borrow<X>>(sequences: &'a [Vec<Option<P>>]) -> Self {
        Self::of(
            sequences.iter().map(|sequence| sequence.iter().map(|seen| seen.as_ref().map(Borrow::borrow))),
        )
    }

    fn of(sequences: impl Iterator<Item = impl Iterator<Item = Option<&'a X>>>) -> Self {
        let (mut points, mut ends) = (Vec::new(), Vec::new());
        for sequence in sequences {
            points.extend(sequence);
            ends.push(points.len());
        }
        Self { points, ends }
    }

    /// The number of sequences.
    pub const fn sequences(&self) -> usize {
        self.ends.len()
    }

    /// The number of positions of all sequences.
    pub const fn positions(&self) -> usize {
        self.points.len()
    }

    /// The positions of a sequence among those of all, one sequence after the other.
    ///
    /// # Panics
    /// If there is no such sequence.
    #[track_caller]
    pub fn range(&self, sequence: usize) -> Range<usize> {
        let start = if sequence == 0 { 0 } else { self.ends[sequence - 1] };
        start..self.ends[sequence]
    }

    /// The observation at each position of a sequence.
    ///
    /// # Panics
    /// If there is no such sequence.
    #[track_caller]
    pub fn points(&self, sequence: usize) -> &[Option<&'a X>] {
        &self.points[self.range(sequence)]
    }

    /// What was seen at all positions, one sequence after the other.
    pub(crate) fn all(&self) -> &[Option<&'a X>] {
        &self.points
    }

    /// The sequence and the position in it of a position among all.
    pub(crate) fn place(&self, position: usize) -> (usize, usize) {
        let sequence = self.ends.partition_point(|&end| end <= position);
        (sequence, position - self.range(sequence).start)
    }

    /// The labels of paths: a state, one of so many, for each position of all sequences.
    pub(crate) fn labels(&self, paths: &[usize], states: usize) -> Result<Vec<u32>, Error> {
        let (expected, found) = (self.positions(), paths.len());
        check::dimension("states of paths", expected, found)?;
        if let Some(place) = paths.iter().position(|&state| state >= states) {
            let (sequence, position) = self.place(place);
            let message = format!("state {} of {states}", paths[place]);
            return Err(Error::Observation { sequence, position, message });
        }
        Ok(paths.iter().map(|&state| state as u32).collect())
    }

    /// Consecutive sequences in blocks of about this many positions, always the same ones: what is added up
    /// in parallel.
    pub(crate) fn blocks(&self, positions: usize) -> Vec<Range<usize>> {
        let mut blocks = Vec::new();
        let mut start = 0;
        for sequence in 0..self.sequences() {
            if self.ends[sequence] - self.range(start).start >= positions || sequence + 1 == self.sequences()
            {
                blocks.push(start..sequence + 1);
                start = sequence + 1;
            }
        }
        blocks
    }

    /// Whether all points are such that a family speaks of them.
    pub(crate) fn check<F: ExponentialFamily<Point = X>>(&self, fixed: &F::Fixed) -> Result<(), Error> {
        for (place, point) in self.points.iter().enumerate() {
            if let Some(point) = point {
                F::check_point(fixed, point).map_err(|error| {
                    let (sequence, position) = self.place(place);
                    Error::Observation { sequence, position, message: error.to_string() }
                })?;
            }
        }
        Ok(())
    }

    /// An error about these sequences, as one about all positions.
    pub(crate) fn among_all(&self, error: Error) -> posterior_latent::Error {
        match error {
            Error::Parameter(error) => error.into(),
            Error::Dimension(error) => error.into(),
            Error::Latent(error) => error,
            Error::Sampling(error) => error.into(),
            Error::Impossible { sequence, position } | Error::Observation { sequence, position, .. } => {
                posterior_latent::Error::NoBlock { observation: self.range(sequence).start + position }
            }
            // Files are not read here.
            _ => ParamError::new("Observed", "sequences", self.ends.len() as f64, "such that the model fits")
                .into(),
        }
    }
}
