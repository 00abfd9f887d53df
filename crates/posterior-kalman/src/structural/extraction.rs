//! A smoothed series, taken apart.

use posterior_math::check;
use std::ops::Range;

use super::Structural;
use crate::{Error, Smoothed};

/// A component of one column of a series, or a part of it that is worth looking at, given all observations.
#[derive(Debug, Clone, PartialEq)]
pub struct Extracted {
    name: String,
    column: usize,
    mean: Vec<f64>,
    variance: Vec<f64>,
}

impl Extracted {
    /// What it is: `level`, `trend`, `slope`, `seasonal`, …
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The column of the series.
    pub const fn column(&self) -> usize {
        self.column
    }

    /// Its mean at each time.
    pub fn mean(&self) -> &[f64] {
        &self.mean
    }

    /// Its variance at each time.
    pub fn variance(&self) -> &[f64] {
        &self.variance
    }
}

impl Structural {
    /// The components of a series, column after column; of a trend also its slope, of a regression its
    /// coefficients, of what moves its velocity.
    ///
    /// Components are dependent given the data: their variances do not add up.
    ///
    /// # Errors
    /// If it was not smoothed by this model: of as many states, and of regressions that reach as far.
    pub fn extract(&self, smoothed: &Smoothed) -> Result<Vec<Extracted>, Error> {
        let states = self.states_of_column();
        if !smoothed.is_empty() {
            check::dimension("states of the smoothed series", self.width() * states, smoothed.mean(0).len())?;
        }
        for times in self.components.iter().filter_map(|component| component.kind.times()) {
            check::enough("rows of inputs of the regressions", smoothed.len(), times)?;
        }
        let mut extracted = Vec::new();
        for column in 0..self.width() {
            for (component, place) in self.components.iter().zip(self.places()) {
                let place = column * states + place.start..column * states + place.end;
                for (name, state) in component.kind.signals(place.len()) {
                    // What is the component itself has its name.
                    let name = if state.is_none() { component.name.clone() } else { name };
                    let row = |t: usize, row: &mut [f64]| match state {
                        None => component.kind.write_row(t, row),
                        Some(state) => row[state] = 1.0,
                    };
                    let (mean, variance) = moments(smoothed, &place, row);
                    extracted.push(Extracted { name, column, mean, variance });
                }
            }
        }
        Ok(extracted)
    }
}

/// Mean and variance of h x at each time, for a row h of the states at one place.
fn moments(
    smoothed: &Smoothed,
    place: &Range<usize>,
    write_row: impl Fn(usize, &mut [f64]),
) -> (Vec<f64>, Vec<f64>) {
    let mut row = vec![0.0; place.len()];
    let at = |t: usize| {
        row.fill(0.0);
        write_row(t, &mut row);
        let mean: f64 = row.iter().zip(&smoothed.mean(t)[place.clone()]).map(|(h, x)| h * x).sum();
        // h F Fᵀ hᵀ, by the columns of the root F.
        let columns = smoothed.root(t).chunks_exact(smoothed.states());
        let along = columns.map(|column| row.iter().zip(&column[place.clone()]).map(|(h, f)| h * f).sum());
        (mean, along.map(|along: f64| along * along).sum::<f64>())
    };
    (0..smoothed.len()).map(at).unzip()
}
