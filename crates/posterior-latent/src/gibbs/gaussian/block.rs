//! What is known of the Gaussian of one block: changes of rank one as data come and go.

use super::super::packed_cholesky::{downdate, packed_len, update};
use super::ConjugateGaussians;

/// What is known of the Gaussian of a block.
#[derive(Debug, Clone)]
pub(super) struct Block {
    pub(super) data: usize,
    pub(super) mean: Vec<f64>,
    pub(super) factor: Vec<f64>,
    /// ln |Ψ'| / 2 when the block was last shown to the lanes.
    pub(super) half_ln_determinant: f64,
}

/// Where less than this of Ψ' would be left, a block is made anew from its members: the error of what is left
/// is that of Ψ' over it.
pub(super) const LEAST_LEFT: f64 = 1e-6;

impl Block {
    pub(super) fn empty(model: &ConjugateGaussians) -> Self {
        Self {
            data: 0,
            mean: model.prior.location().as_slice().to_vec(),
            factor: model.prior_factor.clone(),
            half_ln_determinant: f64::NAN,
        }
    }

    pub(super) fn reset(&mut self, model: &ConjugateGaussians) {
        self.data = 0;
        self.mean.copy_from_slice(model.prior.location().as_slice());
        self.factor.copy_from_slice(&model.prior_factor);
    }

    pub(super) fn kappa(&self, model: &ConjugateGaussians) -> f64 {
        model.prior.kappa() + self.data as f64
    }

    /// ln |Ψ'| / 2.
    pub(super) fn to_half_ln_determinant(&self) -> f64 {
        let p = self.mean.len();
        let pivot = |column: usize| self.factor[packed_len(p) - packed_len(p - column)].ln();
        (0..p).map(pivot).sum()
    }

    /// κ + 1, μ + (x - μ) / (κ + 1), Ψ + κ / (κ + 1) (x - μ)(x - μ)ᵀ.
    pub(super) fn insert(&mut self, model: &ConjugateGaussians, row: &[f64], deviation: &mut [f64]) {
        let kappa = self.kappa(model);
        let (proportion, scale) = ((kappa + 1.0).recip(), (kappa / (kappa + 1.0)).sqrt());
        for ((mean, x), deviation) in self.mean.iter_mut().zip(row).zip(deviation.iter_mut()) {
            *deviation = (x - *mean) * scale;
            *mean += (x - *mean) * proportion;
        }
        update(&mut self.factor, deviation);
        self.data += 1;
    }

    /// The way back; says false, and changes nothing, where too little would be left.
    pub(super) fn remove(
        &mut self,
        model: &ConjugateGaussians,
        row: &[f64],
        deviation: &mut [f64],
        removed: &mut [f64],
    ) -> bool {
        let kappa = self.kappa(model);
        let (proportion, scale) = ((kappa - 1.0).recip(), (kappa / (kappa - 1.0)).sqrt());
        for ((mean, x), deviation) in self.mean.iter().zip(row).zip(deviation.iter_mut()) {
            *deviation = (x - mean) * scale;
        }
        if !downdate(&mut self.factor, deviation, removed, LEAST_LEFT) {
            return false;
        }
        for (mean, x) in self.mean.iter_mut().zip(row) {
            *mean -= (x - *mean) * proportion;
        }
        self.data -= 1;
        true
    }
}
