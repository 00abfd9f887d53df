//! Where chains start.

use posterior_math::check;
use rand::{Rng, RngExt};

use crate::Error;

/// Where chains start.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Start {
    /// Each chain at a point of its own, uniform in the cube [-radius, radius]ⁿ; where the density is zero or
    /// has no value, at another one.
    Uniform {
        /// Half the width of the cube.
        radius: f64,
        /// How many points are tried.
        attempts: usize,
    },
    /// All chains at this point.
    At(Vec<f64>),
    /// Each chain at its point.
    Each(Vec<Vec<f64>>),
}

impl Default for Start {
    /// Uniform in [-2, 2]ⁿ, as Stan does, 100 tries.
    fn default() -> Self {
        Self::Uniform { radius: 2.0, attempts: 100 }
    }
}

impl Start {
    /// Begins chain number `chain` of `chains`: `begin` is called with points until it accepts one.
    pub(crate) fn begin<R: Rng + ?Sized, S>(
        &self,
        (chain, chains): (usize, usize),
        dim: usize,
        rng: &mut R,
        mut begin: impl FnMut(&[f64], &mut R) -> Result<S, Error>,
    ) -> Result<S, Error> {
        match self {
            Self::At(position) => {
                check_dim(position, dim)?;
                begin(position, rng)
            }
            Self::Each(positions) => {
                check::dimension("starts of chains", chains, positions.len())?;
                check_dim(&positions[chain], dim)?;
                begin(&positions[chain], rng)
            }
            &Self::Uniform { radius, attempts } => {
                check::positive("Start", "radius", radius)?;
                let has_width = radius <= 0.5 * f64::MAX;
                check::require(has_width, "Start", "radius", radius, "at most half of the largest number")?;
                let mut why = "no point was tried".to_owned();
                for _ in 0..attempts {
                    let position: Vec<f64> = (0..dim).map(|_| rng.random_range(-radius..=radius)).collect();
                    match begin(&position, rng) {
                        Err(Error::Start { why: refused, .. }) => why = refused,
                        done => return done,
                    }
                }
                Err(Error::NoStart { chain, attempts, radius, why })
            }
        }
    }
}

fn check_dim(position: &[f64], dim: usize) -> Result<(), Error> {
    Ok(check::dimension("coordinates of a start", dim, position.len())?)
}
