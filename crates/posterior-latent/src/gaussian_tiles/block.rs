//! One block of observations, tile by tile.

use super::distances::Distances;
use super::proportions::{Normalize, take_largest};
use super::sums::{Accumulate, LANES, Sums};
use super::{BLOCK, Component, Expectations, Lane, Scatter, Sharing, TILE};
use crate::observations::Observations;
use pulp::Arch;

/// The data, the components, and room for the work on a tile.
pub(super) struct Block<'a> {
    data: &'a Observations,
    components: &'a [Component],
    scatter: Scatter,
    arch: Arch,
    /// The coordinates of the tile, zero where the data end.
    x: Vec<Lane>,
    /// Their deviations from a centre.
    deviations: Vec<Lane>,
    /// For each component ln ρ, then the proportions.
    proportions: Vec<Lane>,
    /// For each component ln ρ less the largest.
    shifted: Vec<Lane>,
}

impl<'a> Block<'a> {
    pub(super) fn new(data: &'a Observations, components: &'a [Component], scatter: Scatter) -> Self {
        let zeros = |count: usize| vec![[0.0; TILE]; count];
        let (d, k) = (data.dimension(), components.len());
        let (x, deviations, proportions, shifted) = (zeros(d), zeros(d), zeros(k), zeros(k));
        Self { data, components, scatter, arch: Arch::new(), x, deviations, proportions, shifted }
    }

    /// The first observations of the tiles of the block.
    fn tiles(&self, start: usize) -> impl Iterator<Item = usize> + use<> {
        (start..self.data.len().min(start + BLOCK)).step_by(TILE)
    }

    /// Copies a tile, and returns the weights of its observations and how many there are.
    fn load(&mut self, start: usize) -> (Lane, usize) {
        let (n, count) = (self.data.len(), (self.data.len() - start).min(TILE));
        let values = self.data.values().as_slice();
        for (j, x) in self.x.iter_mut().enumerate() {
            x[..count].copy_from_slice(&values[j * n + start..][..count]);
            x[count..].fill(0.0);
        }
        let mut weights = [0.0; TILE];
        match self.data.weights() {
            Some(all) => weights[..count].copy_from_slice(&all[start..][..count]),
            None => weights[..count].fill(1.0),
        }
        (weights, count)
    }

    /// ln ρ of each component.
    fn ln_densities(&mut self) {
        let Self { x, deviations, proportions, components, .. } = self;
        for (component, ln_density) in components.iter().zip(proportions) {
            self.arch.dispatch(Distances { x, component, deviations, ln_density });
        }
    }

    /// From ln ρ to the proportions; ln Σ ρ and the entropy of the proportions of each observation.
    fn normalize(&mut self) -> (Lane, Lane) {
        let Self { proportions, shifted, .. } = self;
        self.arch.dispatch(Normalize { proportions, shifted })
    }

    /// The statistics of the block that starts here.
    pub(super) fn expectations(mut self, start: usize, sharing: Sharing<'_>) -> Expectations {
        let mut sums: Vec<Sums> =
            self.components.iter().map(|_| Sums::zero(self.data.dimension(), self.scatter)).collect();
        let (mut ln_likelihood, mut entropy) = ([0.0; LANES], [0.0; LANES]);
        let mut impossible = None;
        for tile in self.tiles(start) {
            let (weights, count) = self.load(tile);
            match sharing {
                Sharing::Given(given) => self.take_given(given, tile, count),
                Sharing::Proportional | Sharing::Largest => {
                    self.ln_densities();
                    let (ln_sums, entropies) = if sharing == Sharing::Proportional {
                        self.normalize()
                    } else {
                        (take_largest(&mut self.proportions), [0.0; TILE])
                    };
                    for i in 0..count {
                        // A weight of 0 is no observation, wherever it is.
                        if weights[i] > 0.0 {
                            ln_likelihood[i % LANES] += weights[i] * ln_sums[i];
                            entropy[i % LANES] += weights[i] * entropies[i];
                            if ln_sums[i] == f64::NEG_INFINITY {
                                impossible = impossible.or(Some(tile + i));
                            }
                        }
                    }
                }
            }
            let Self { x, deviations, proportions, components, arch, .. } = &mut self;
            for ((component, proportion), sums) in components.iter().zip(proportions).zip(&mut sums) {
                arch.dispatch(Accumulate {
                    x,
                    centre: &component.centre,
                    weights: &weights,
                    proportion,
                    deviations,
                    sums,
                });
            }
        }
        Expectations {
            components: sums.iter().map(Sums::total).collect(),
            ln_likelihood: ln_likelihood.iter().sum(),
            entropy: entropy.iter().sum(),
            impossible,
        }
    }

    fn take_given(&mut self, given: &posterior_math::linalg::DMatrix<f64>, tile: usize, count: usize) {
        for (k, proportion) in self.proportions.iter_mut().enumerate() {
            proportion[..count].copy_from_slice(&given.column(k).as_slice()[tile..][..count]);
            proportion[count..].fill(0.0);
        }
    }

    /// The proportions of the observations of the block that starts here, component by component, and ln Σ ρ.
    pub(super) fn proportions(mut self, start: usize) -> (Vec<f64>, Vec<f64>) {
        let length = (self.data.len() - start).min(BLOCK);
        let (mut all, mut ln_sums) = (vec![0.0; length * self.components.len()], Vec::with_capacity(length));
        for tile in self.tiles(start) {
            let (_, count) = self.load(tile);
            self.ln_densities();
            let (ln_sum, _) = self.normalize();
            ln_sums.extend_from_slice(&ln_sum[..count]);
            for (column, proportion) in all.chunks_exact_mut(length).zip(&self.proportions) {
                column[tile - start..][..count].copy_from_slice(&proportion[..count]);
            }
        }
        (all, ln_sums)
    }
}
