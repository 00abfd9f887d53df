//! Sums of weighted draws, for each joint state of some scopes.

use posterior_dist::stream::stream;
use posterior_inference::{BeliefsBuilder, Error, Sampling};
use posterior_pgm::{Evidence, MarkovRandomField, VarId};
use rand_pcg::Pcg64;

use super::scope::Scope;
use super::support::Support;
use crate::importance::pareto_smoothed;

/// So many draws share a stream of random numbers.
const BLOCK: usize = 4096;

/// Of fewer effective draws the spread of the weights is not known either.
const FEW: f64 = 100.0;

/// What weighted draws add up to, the weights divided by the greatest.
#[derive(Debug, Clone)]
pub(super) struct Tally {
    /// For each cell of each scope, ∑ w and ∑ w².
    cells: Vec<[f64; 2]>,
    starts: Vec<usize>,
    total: [f64; 2],
    ln_greatest: f64,
    /// Draws, those of weight 0 among them.
    pub(super) draws: usize,
    /// Draws of positive weight.
    pub(super) kept: usize,
    /// The logarithms of all positive weights.
    pub(super) ln_weights: Vec<f64>,
}

impl Tally {
    fn new(scopes: &[Scope]) -> Self {
        let mut starts = vec![0];
        let mut end = 0;
        for scope in scopes {
            end += scope.cells;
            starts.push(end);
        }
        Self {
            cells: vec![[0.0; 2]; end],
            starts,
            total: [0.0; 2],
            ln_greatest: f64::NEG_INFINITY,
            draws: 0,
            kept: 0,
            ln_weights: Vec::new(),
        }
    }

    fn add(&mut self, scopes: &[Scope], states: &[u32], ln_weight: f64) {
        self.draws += 1;
        if ln_weight == f64::NEG_INFINITY {
            return;
        }
        self.kept += 1;
        self.ln_weights.push(ln_weight);
        if ln_weight > self.ln_greatest {
            self.scale_to(ln_weight);
        }
        let w = (ln_weight - self.ln_greatest).exp();
        let both = [w, w * w];
        add(&mut self.total, both);
        for (scope, &start) in scopes.iter().zip(&self.starts) {
            add(&mut self.cells[start + scope.cell(|v| states[v] as usize)], both);
        }
    }

    fn scale_to(&mut self, ln_greatest: f64) {
        let scale = (self.ln_greatest - ln_greatest).exp();
        self.ln_greatest = ln_greatest;
        for sums in self.cells.iter_mut().chain([&mut self.total]) {
            *sums = [sums[0] * scale, sums[1] * scale * scale];
        }
    }

    fn merge(mut self, mut next: Self) -> Self {
        let greatest = self.ln_greatest.max(next.ln_greatest);
        if greatest > f64::NEG_INFINITY {
            self.scale_to(greatest);
            next.scale_to(greatest);
        }
        self.cells.iter_mut().zip(&next.cells).for_each(|(own, &more)| add(own, more));
        add(&mut self.total, next.total);
        self.draws += next.draws;
        self.kept += next.kept;
        self.ln_weights.extend(next.ln_weights);
        self
    }

    /// `draws` draws, each block of them from a stream of its own: `draw` writes states and returns the
    /// logarithm of their weight.
    pub(super) fn of(
        scopes: &[Scope],
        variables: usize,
        (draws, seed): (usize, u64),
        draw: impl Fn(&mut [u32], &mut Vec<f64>, &mut Pcg64) -> f64 + Sync + Send,
    ) -> Self {
        let blocks: Vec<usize> = (0..draws.div_ceil(BLOCK)).collect();
        let tallies = super::each(&blocks, |&block| {
            let mut tally = Self::new(scopes);
            let (mut states, mut scratch) = (vec![0; variables], Vec::new());
            let mut rng = stream(seed, &[block as u64]);
            for _ in 0..BLOCK.min(draws - block * BLOCK) {
                let ln_weight = draw(&mut states, &mut scratch, &mut rng);
                tally.add(scopes, &states, ln_weight);
            }
            tally
        });
        tallies.into_iter().reduce(Self::merge).unwrap_or_else(|| Self::new(scopes))
    }

    /// That some draw has a positive weight.
    ///
    /// # Errors
    /// [`Error::ImpossibleEvidence`] if no draw of `field`, the model with the evidence put in, could have;
    /// [`Error::NoDraw`] if it could.
    pub(super) fn check(&self, field: &MarkovRandomField, alternatives: &'static str) -> Result<(), Error> {
        if self.kept > 0 {
            return Ok(());
        }
        match Support::new(field)?.random_state(&mut stream(0, &[])) {
            Err(Error::ImpossibleEvidence) => Err(Error::ImpossibleEvidence),
            _ => Err(Error::NoDraw { tried: self.draws, alternatives }),
        }
    }

    /// Kish's effective number of draws, (∑ w)² / ∑ w².
    pub(super) fn effective_size(&self) -> f64 {
        self.total[0] * self.total[0] / self.total[1]
    }

    /// ln of the mean weight, and the standard error of that.
    pub(super) fn ln_mean_weight(&self) -> (f64, f64) {
        let n = self.draws as f64;
        let value = (self.total[0] / n).ln() + self.ln_greatest;
        (value, (1.0 / self.effective_size() - 1.0 / n).max(0.0).sqrt())
    }

    /// The proportion of the weight in each cell of scope number `which`.
    pub(super) fn proportions(&self, which: usize) -> Vec<f64> {
        self.own(which).iter().map(|[w, _]| w / self.total[0]).collect()
    }

    fn own(&self, which: usize) -> &[[f64; 2]] {
        &self.cells[self.starts[which]..self.starts[which + 1]]
    }

    /// The standard error of a proportion: that of a ratio of means (the delta method).
    fn standard_error(&self, [w, squares]: [f64; 2]) -> f64 {
        let [total, all_squares] = self.total;
        let p = w / total;
        let variance = ((1.0 - 2.0 * p) * squares + p * p * all_squares) / (total * total);
        let size = self.effective_size();
        let variance = if size < FEW { variance.max(p * (1.0 - p) / size) } else { variance };
        // As if half a draw more of the usual weight had been seen on either side: a cell without draws, or
        // with light ones alone, may lack some.
        (variance + 0.5 / (size * size)).sqrt()
    }

    /// The marginals with their standard errors; scope number i is that of `targets[i]`.
    pub(super) fn beliefs(&self, beliefs: &mut BeliefsBuilder, targets: &[VarId], evidence: &Evidence) {
        for (i, &v) in targets.iter().enumerate() {
            beliefs.marginal_mut(v).copy_from_slice(&self.proportions(i));
            if evidence.state(v).is_none() {
                let errors = beliefs.standard_errors_mut(v);
                errors
                    .iter_mut()
                    .zip(self.own(i))
                    .for_each(|(error, &cell)| *error = self.standard_error(cell));
            }
        }
    }

    pub(super) fn sampling(&self) -> Sampling {
        let mut sampling = Sampling::independent(self.draws);
        (sampling.kept, sampling.effective_size) = (self.kept, self.effective_size());
        let shape = pareto_smoothed(self.ln_weights.clone(), 1.0).map(|own| own.shape);
        sampling.tail_shape = shape.ok().filter(|shape| shape.is_finite());
        sampling
    }
}

fn add(sums: &mut [f64; 2], more: [f64; 2]) {
    sums[0] += more[0];
    sums[1] += more[1];
}
