//! Several sequences of observations, and what is known beside them.

use std::ops::Range;

use super::Emissions;
use crate::error::Error;
use posterior_math::check;

/// One sequence of observations; positions at which nothing was seen, and states that are possible there.
#[derive(Debug)]
pub struct Sequence<'a, D: ?Sized> {
    data: &'a D,
    missing: Option<&'a [bool]>,
    allowed: Option<Vec<bool>>,
}

impl<D: ?Sized> Clone for Sequence<'_, D> {
    fn clone(&self) -> Self {
        Self { data: self.data, missing: self.missing, allowed: self.allowed.clone() }
    }
}

impl<'a, D: ?Sized> Sequence<'a, D> {
    /// A sequence of which everything was seen, but for what the data themselves have as missing.
    pub const fn new(data: &'a D) -> Self {
        Self { data, missing: None, allowed: None }
    }

    /// The same sequence, where nothing was seen at the positions with `true`. What the data hold there has
    /// no influence, but must be something that the emissions take.
    #[must_use]
    pub fn with_missing(self, missing: &'a [bool]) -> Self {
        Self { missing: Some(missing), ..self }
    }

    /// The same sequence, where position t can only be in the states k whose entry t K + k of `allowed` is
    /// true.
    #[must_use]
    pub fn with_allowed(self, allowed: &[bool]) -> Self {
        Self { allowed: Some(allowed.to_vec()), ..self }
    }

    /// The same sequence, the states of which are known at some positions: for learning from labels, or some
    /// of them.
    ///
    /// # Errors
    /// With the position, if a state is not below their number; the number of the sequence is 0.
    pub fn with_states(self, known: &[Option<usize>], states: usize) -> Result<Self, Error> {
        let mut allowed = vec![true; known.len() * states];
        for (position, state) in known.iter().enumerate() {
            let Some(state) = *state else { continue };
            if state >= states {
                let message = format!("state {state} of {states}");
                return Err(Error::Observation { sequence: 0, position, message });
            }
            let row = &mut allowed[position * states..][..states];
            row.fill(false);
            row[state] = true;
        }
        Ok(Self { allowed: Some(allowed), ..self })
    }

    /// The observations.
    pub const fn data(&self) -> &'a D {
        self.data
    }

    /// The positions at which nothing was seen, if there are such.
    pub const fn missing(&self) -> Option<&'a [bool]> {
        self.missing
    }

    /// The states that are possible, K for each position, if not all are.
    pub fn allowed(&self) -> Option<&[bool]> {
        self.allowed.as_deref()
    }

    /// Whether nothing is known but the data, so that [`Emissions::table`] can be taken as it is.
    pub const fn is_plain(&self) -> bool {
        self.missing.is_none() && self.allowed.is_none()
    }

    /// Whether these emissions take the data, and masks have their length.
    ///
    /// # Errors
    /// If not; the number of the sequence is 0.
    pub fn check<E: Emissions<Data = D>>(&self, emissions: &E) -> Result<(), Error> {
        let length = E::length(self.data);
        let sizes = [
            ("positions that may be missing", length, self.missing.map_or(length, <[bool]>::len)),
            (
                "states that may be possible",
                length * emissions.states(),
                self.allowed.as_ref().map_or(length * emissions.states(), Vec::len),
            ),
        ];
        for (what, expected, found) in sizes {
            check::dimension(what, expected, found)?;
        }
        emissions.check(self.data)
    }

    /// As [`Emissions::ln_densities`], with 0 where nothing was seen and -∞ for states that are not possible.
    ///
    /// # Panics
    /// If masks do not have the length of the data, or `out` not that of the range.
    #[track_caller]
    pub fn ln_densities<E: Emissions<Data = D>>(&self, emissions: &E, range: Range<usize>, out: &mut [f64]) {
        let states = emissions.states();
        emissions.ln_densities(self.data, range.clone(), out);
        if let Some(missing) = self.missing {
            for (row, _) in
                out.chunks_exact_mut(states).zip(&missing[range.clone()]).filter(|(_, missing)| **missing)
            {
                row.fill(0.0);
            }
        }
        if let Some(allowed) = &self.allowed {
            let allowed = &allowed[range.start * states..range.end * states];
            for (ln_density, _) in out.iter_mut().zip(allowed).filter(|(_, allowed)| !**allowed) {
                *ln_density = f64::NEG_INFINITY;
            }
        }
    }
}

/// Several sequences of observations, each a beginning of its own.
///
/// ```
/// use posterior_sequence::emission::{Sequence, Sequences};
///
/// let (first, second) = ([0, 1, 1], [1, 0]);
/// let sequences: Sequences<'_, [usize]> = [&first[..], &second[..]].into_iter().collect();
/// assert_eq!(sequences.len(), 2);
///
/// // Of the second, the last position was not seen.
/// let missing = [false, true];
/// let sequences = Sequences::new(vec![
///     Sequence::new(&first[..]),
///     Sequence::new(&second[..]).with_missing(&missing),
/// ]);
/// assert!(!sequences.as_slice()[1].is_plain());
/// ```
#[derive(Debug)]
pub struct Sequences<'a, D: ?Sized> {
    parts: Vec<Sequence<'a, D>>,
}

impl<D: ?Sized> Clone for Sequences<'_, D> {
    fn clone(&self) -> Self {
        Self { parts: self.parts.clone() }
    }
}

impl<'a, D: ?Sized> Sequences<'a, D> {
    /// These sequences.
    pub const fn new(parts: Vec<Sequence<'a, D>>) -> Self {
        Self { parts }
    }

    /// One sequence.
    pub fn one(data: &'a D) -> Self {
        Self { parts: vec![Sequence::new(data)] }
    }

    /// The sequences.
    pub fn as_slice(&self) -> &[Sequence<'a, D>] {
        &self.parts
    }

    /// The number of sequences.
    pub const fn len(&self) -> usize {
        self.parts.len()
    }

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// The positions of all sequences.
    pub fn positions<E: Emissions<Data = D>>(&self) -> usize {
        self.parts.iter().map(|part| E::length(part.data)).sum()
    }

    /// Whether these emissions take all sequences.
    ///
    /// # Errors
    /// With the sequence and the position, if they do not.
    pub fn check<E: Emissions<Data = D>>(&self, emissions: &E) -> Result<(), Error> {
        for (sequence, part) in self.parts.iter().enumerate() {
            part.check(emissions).map_err(|error| error.of_sequence(sequence))?;
        }
        Ok(())
    }
}

impl<'a, D: ?Sized> FromIterator<&'a D> for Sequences<'a, D> {
    fn from_iter<I: IntoIterator<Item = &'a D>>(data: I) -> Self {
        Self { parts: data.into_iter().map(Sequence::new).collect() }
    }
}
