//! Slice samplers: uniform under the density, without a step size that must be right.
//!
//! Under p(x) a height is drawn, ln y = ln p(x) - Exp(1), and then a point of the slice {x′: p(x′) ≥ y}. A
//! slice is not known, only whether a point is in it; each sampler finds a point by shrinking something
//! larger towards x, in such a way that from the point found it would be as likely to come back.
//!
//! | sampler | shrinks | for |
//! |---|---|---|
//! | [`Slice`] | an interval along each coordinate in turn, after it was expanded; tuned by [`AdaptiveSlice`] | few coordinates that do not go together |
//! | [`Hyperrectangle`] | a box; tuned by [`AdaptiveHyperrectangle`] | two or three coordinates, cheap densities |
//! | [`Elliptical`] | an arc of an ellipse | normal priors of any dimension: Gaussian processes |
//!
//! # References
//! R. M. Neal, Slice sampling, Ann. Stat. 31 (2003).

mod adaptive;
mod coordinatewise;
mod elliptical;
mod hyperrectangle;
mod interval;

pub use adaptive::{AdaptiveHyperrectangle, AdaptiveSlice, BoxProgress, WidthProgress};
pub use coordinatewise::{Slice, Slicer};
pub use elliptical::{Elliptical, EllipticalState};
pub use hyperrectangle::{Boxed, Hyperrectangle};
pub use interval::Expansion;

use posterior_math::check::{self, ParamError};

use crate::Info;

/// What a step of a slice sampler took.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Sliced {
    /// Densities.
    pub evaluations: u32,
    /// Steps out, or doublings.
    pub expansions: u32,
    /// Points that were not in the slice.
    pub contractions: u32,
    /// Densities that had no value.
    pub no_value: u32,
}

impl Sliced {
    /// Counts a density, and says whether the point is in the slice.
    fn is_inside(&mut self, ln_density: f64, ln_height: f64) -> bool {
        self.evaluations += 1;
        self.no_value += u32::from(ln_density.is_nan());
        ln_density >= ln_height
    }

    fn add(&mut self, other: Self) {
        self.evaluations += other.evaluations;
        self.expansions += other.expansions;
        self.contractions += other.contractions;
        self.no_value += other.no_value;
    }
}

impl Info for Sliced {
    const NAMES: &'static [&'static str] = &["evaluations", "expansions", "contractions", "no_value"];

    fn write(&self, numbers: &mut [f64]) {
        let counts = [self.evaluations, self.expansions, self.contractions, self.no_value];
        numbers.copy_from_slice(&counts.map(f64::from));
    }
}

/// Widths, one for each coordinate.
fn check_widths(type_name: &'static str, widths: &[f64]) -> Result<Vec<f64>, ParamError> {
    for (i, &width) in widths.iter().enumerate() {
        check::positive(type_name, "widths", width).map_err(|error| error.at(i))?;
    }
    Ok(widths.to_vec())
}
