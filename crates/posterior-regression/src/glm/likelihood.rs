//! The likelihood of the rows with the prior, as a hill to climb.

use posterior_math::linalg::Cholesky;

use super::climb::{Hill, Slopes};
use super::model::Glm;
use super::observations::GlmData;
use super::pass::{At, Pass, Want, pass};
use super::response_distribution::{Curvature, ResponseDistribution};
use super::separation;
use crate::Error;

/// Separation is looked for after this many steps: fits that exist have ended by then, or nearly.
const PATIENCE: usize = 6;

/// Kept second derivatives must shorten each step to this proportion of the one before. The last step then
/// leaves less than a tenth of itself.
const SHORTER: f64 = 0.1;

/// A pass with second derivatives costs as much as 1 + p / DEAR passes without.
const DEAR: f64 = 16.0;

/// ln p(y, β) as a hill.
pub(super) struct Likelihood<'m, 'a, L> {
    model: &'m Glm<'a, L>,
    dispersion: f64,
    /// Every stride-th block of rows stands for all.
    stride: usize,
    /// The last step of the climb, where second derivatives are to be spared.
    sparing: Option<f64>,
    chord: Option<Chord>,
    /// The last point of which only the value was asked, with its gradient.
    seen: Option<(Vec<f64>, Pass)>,
}

/// Second derivatives of an earlier point, which stand in for the current ones while steps by them get
/// shorter fast.
pub(super) struct Chord {
    factor: Cholesky,
    /// Of the last step by them, in standard deviations.
    length: f64,
}

impl Chord {
    /// Of a point from which no step was made.
    pub(super) const fn from_elsewhere(factor: Cholesky) -> Self {
        Self { factor, length: f64::INFINITY }
    }

    fn length(factor: &Cholesky, gradient: &[f64]) -> f64 {
        let mut half = gradient.to_vec();
        factor.half_solve_slice_in_place(&mut half);
        half.iter().map(|x| x * x).sum::<f64>().sqrt()
    }

    /// Whether going on with them, from a point with this gradient to steps as short as `last`, is sooner
    /// done than a new start.
    fn serves(&mut self, gradient: &[f64], last: f64) -> bool {
        let length = Self::length(&self.factor, gradient);
        let before = std::mem::replace(&mut self.length, length);
        let proportion = length / before;
        let left = (length / last).ln() / -proportion.ln();
        let known = before < f64::INFINITY || length > last;
        known && proportion <= SHORTER && left <= 1.0 + gradient.len() as f64 / DEAR
    }
}

impl<'m, 'a, L: ResponseDistribution + Sync> Likelihood<'m, 'a, L> {
    /// Of every `stride`-th block.
    pub(super) const fn new(model: &'m Glm<'a, L>, dispersion: f64, stride: usize) -> Self {
        Self { model, dispersion, stride, sparing: None, chord: None, seen: None }
    }

    /// Spares second derivatives, in a climb that ends with a step as short as `last`.
    pub(super) const fn spare(&mut self, last: f64) {
        self.sparing = Some(last);
    }

    /// Begins with these second derivatives.
    pub(super) fn keep(&mut self, chord: Chord) {
        self.chord = Some(chord);
    }

    /// The sums over all rows, or what the sample says about them, with the prior at `x`.
    pub(super) fn sums(&self, at: At<'_>, x: &[f64], want: Want) -> Pass {
        let mut sums = pass(self.model.distribution(), self.model.data(), at, want, self.stride);
        if self.stride > 1 {
            sums.scale(self.stride as f64);
        }
        self.model.add_prior(&mut sums, x, self.dispersion, want);
        sums
    }

    fn at(&self, x: &[f64], want: Want) -> Pass {
        self.sums(At::Coefficients(x), x, want)
    }

    /// The slopes with the second derivatives that are kept, if they serve.
    fn along_chord(&mut self, x: &[f64]) -> Option<Slopes> {
        let last = self.sparing?;
        let mut chord = self.chord.take()?;
        let sums = match self.seen.take() {
            Some((point, sums)) if point == x => sums,
            _ => self.at(x, Want::Gradient),
        };
        if !(sums.value.is_finite() && chord.serves(&sums.gradient, last)) {
            return None;
        }
        let factor = Some(chord.factor.clone());
        self.chord = Some(chord);
        Some(Slopes { value: sums.value, gradient: sums.gradient, factor })
    }

    fn separated(&self, direction: &[f64]) -> Option<Error> {
        let model = self.model;
        // What the prior holds back comes to an end.
        let free = |j: usize| direction[j] == 0.0 || model.prior().precision()[j] == 0.0;
        let free_part: Vec<f64> =
            (0..direction.len()).map(|j| if free(j) { direction[j] } else { 0.0 }).collect();
        let found = separation::along(model.distribution(), model.data(), &free_part)?;
        Some(separated_error(model.data(), found))
    }
}

fn separated_error(data: &GlmData<'_>, found: separation::Separation) -> Error {
    Error::Separated {
        column: data.names()[found.column].clone(),
        complete: found.complete,
        rows: found.rows,
        direction: found.direction,
    }
}

impl<L: ResponseDistribution + Sync> Hill for Likelihood<'_, '_, L> {
    type Error = Error;

    fn value(&mut self, x: &[f64]) -> f64 {
        if self.sparing.is_none() {
            return self.at(x, Want::Value).value;
        }
        let sums = self.at(x, Want::Gradient);
        let value = sums.value;
        self.seen = Some((x.to_vec(), sums));
        value
    }

    fn slopes(&mut self, x: &[f64]) -> Result<Slopes, Error> {
        if let Some(slopes) = self.along_chord(x) {
            return Ok(slopes);
        }
        let mut sums = self.at(x, Want::Information(Curvature::Observed));
        let mut factor = Cholesky::new(&sums.information).ok();
        if factor.is_none() && sums.value.is_finite() {
            sums = self.at(x, Want::Information(Curvature::Expected));
            factor = Cholesky::new(&sums.information).ok();
        }
        if factor.is_none() && sums.value.is_finite() && self.stride == 1 {
            // Weights that have vanished: along the coefficients themselves, if they separate.
            if let Some(error) = self.separated(x) {
                return Err(error);
            }
        }
        if let Some(factor) = factor.as_ref().filter(|_| self.sparing.is_some()) {
            let length = Chord::length(factor, &sums.gradient);
            self.chord = Some(Chord { factor: factor.clone(), length });
        }
        Ok(Slopes { value: sums.value, gradient: sums.gradient, factor })
    }

    fn look(&mut self, _: &[f64], step: &[f64], iteration: usize) -> Result<(), Error> {
        if self.stride > 1 || iteration < PATIENCE {
            return Ok(());
        }
        match self.separated(step) {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }
}
