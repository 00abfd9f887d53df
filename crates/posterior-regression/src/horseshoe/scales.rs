//! The scales of the coefficients, and the variables beside them.

use posterior_dist::Gamma;
use posterior_dist::target::EvalError;
use rand::{Rng, RngExt as _};
use rand_distr::{Distribution as _, Exp1};

/// What a variance may be: far beyond what a coefficient can tell, and its square in range.
const RANGE: [f64; 2] = [1e-100, 1e100];

/// λ² and their variables ν for each coefficient, then τ² and its variable ξ.
pub(super) struct Scales<'x>(pub(super) &'x mut [f64]);

impl Scales<'_> {
    /// How many numbers the scales of so many coefficients are.
    pub(super) const fn dim(columns: usize) -> usize {
        2 * columns + 2
    }

    fn columns(&self) -> usize {
        (self.0.len() - 2) / 2
    }

    /// τ² λⱼ².
    pub(super) fn variances(&self) -> Vec<f64> {
        let global = self.0[2 * self.columns()];
        self.0[..self.columns()].iter().map(|own| (own * global).clamp(RANGE[0], RANGE[1])).collect()
    }

    /// Draws all of them, given the squares βⱼ²/σ².
    pub(super) fn draw<R: Rng + ?Sized>(
        &mut self,
        squares: impl Iterator<Item = f64>,
        rng: &mut R,
    ) -> Result<(), EvalError> {
        let columns = self.columns();
        let global = self.0[2 * columns];
        let mut sum = 0.0;
        for (place, square) in squares.enumerate() {
            let beside = self.0[columns + place];
            let local = of_shape_one(beside.recip() + 0.5 * square / global, rng);
            self.0[place] = local;
            self.0[columns + place] = of_shape_one(1.0 + local.recip(), rng);
            sum += square / local;
        }
        let beside = self.0[2 * columns + 1];
        let global = inverse_gamma(0.5 * (columns as f64 + 1.0), beside.recip() + 0.5 * sum, rng)?;
        self.0[2 * columns] = global;
        self.0[2 * columns + 1] = of_shape_one(1.0 + global.recip(), rng);
        Ok(())
    }
}

/// An inverse gamma variable of shape 1.
fn of_shape_one<R: Rng + ?Sized>(scale: f64, rng: &mut R) -> f64 {
    let one: f64 = rng.sample(Exp1);
    (scale / one).clamp(RANGE[0], RANGE[1])
}

/// An inverse gamma variable.
pub(super) fn inverse_gamma<R: Rng + ?Sized>(shape: f64, scale: f64, rng: &mut R) -> Result<f64, EvalError> {
    let one: f64 = Gamma::shape_scale(shape, 1.0).map_err(EvalError::fatal)?.sample(rng);
    Ok((scale / one).clamp(RANGE[0], RANGE[1]))
}
