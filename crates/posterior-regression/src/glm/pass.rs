//! One pass over the rows: log-likelihood, gradient and information, block by block, without a copy of the
//! design.

use posterior_math::linalg::{DMatrix, dot};
#[cfg(feature = "rayon")]
use rayon::prelude::*;

use super::gram::{BLOCK, Block, add_gram};
use super::observations::GlmData;
use super::response_distribution::{Curvature, ResponseDistribution, Terms};

/// The blocks of a shard. Shards may run on different threads; their sums are added in order.
const SHARD: usize = 64;

/// What is asked of a pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Want {
    /// Σ w ln p.
    Value,
    /// And its gradient.
    Gradient,
    /// And the information, minus the second derivatives.
    Information(Curvature),
}

/// Sums over rows for weight 1 of each and dispersion 1: the log-likelihood less its largest value, its
/// gradient, the information.
#[derive(Debug, Clone)]
pub(super) struct Pass {
    pub(super) value: f64,
    pub(super) gradient: Vec<f64>,
    /// Pearson's χ², the sum of squared slopes over expected curvatures: beside the expected information
    /// only, and else 0.
    pub(super) pearson: f64,
    /// The lower triangle.
    pub(super) information: DMatrix<f64>,
}

impl Pass {
    pub(super) fn empty(columns: usize, want: Want) -> Self {
        let square = if matches!(want, Want::Information(_)) { columns } else { 0 };
        Self {
            value: 0.0,
            gradient: vec![0.0; columns],
            pearson: 0.0,
            information: DMatrix::zeros(square, square),
        }
    }

    fn add(mut self, other: &Self) -> Self {
        self.value += other.value;
        self.pearson += other.pearson;
        for (sum, term) in self.gradient.iter_mut().zip(&other.gradient) {
            *sum += term;
        }
        self.information += &other.information;
        self
    }

    /// As if each row were there this often.
    pub(super) fn scale(&mut self, times: f64) {
        self.value *= times;
        self.pearson *= times;
        for slope in &mut self.gradient {
            *slope *= times;
        }
        self.information *= times;
    }
}

/// The predictors at which a pass is made.
#[derive(Clone, Copy)]
pub(super) enum At<'a> {
    /// Those of these coefficients.
    Coefficients(&'a [f64]),
    /// For each row that of the response alone. The gradient is then that of the least-squares problem with
    /// the working responses, at coefficients 0: its solution is the first step.
    Responses,
}

/// A pass over blocks number 0, stride, 2 stride, …; over all of them if the stride is 1.
pub(super) fn pass<L: ResponseDistribution + Sync + ?Sized>(
    distribution: &L,
    data: &GlmData<'_>,
    at: At<'_>,
    want: Want,
    stride: usize,
) -> Pass {
    let blocks: Vec<usize> = (0..data.rows().div_ceil(BLOCK)).step_by(stride).collect();
    let task = Task { distribution, data, at, want };
    let shard = |blocks: &[usize]| {
        let mut sums = Pass::empty(data.columns(), want);
        let mut scratch = Scratch::new(data.columns(), want);
        for &block in blocks {
            scratch.block(&task, block * BLOCK, &mut sums);
        }
        sums
    };
    #[cfg(feature = "rayon")]
    let shards: Vec<Pass> = blocks.par_chunks(SHARD).map(shard).collect();
    #[cfg(not(feature = "rayon"))]
    let shards = blocks.chunks(SHARD).map(shard);
    let mut sums = Pass::empty(data.columns(), want);
    for shard in shards {
        sums = sums.add(&shard);
    }
    sums
}

/// What is computed for each block.
struct Task<'t, L: ?Sized> {
    distribution: &'t L,
    data: &'t GlmData<'t>,
    at: At<'t>,
    want: Want,
}

/// The memory of a block.
struct Scratch {
    predictor: Vec<f64>,
    value: Vec<f64>,
    slope: Vec<f64>,
    curvature: Vec<f64>,
    root: Vec<f64>,
    scaled: Block,
}

impl Scratch {
    fn new(columns: usize, want: Want) -> Self {
        let memory = || vec![0.0; BLOCK];
        let columns = if matches!(want, Want::Information(_)) { columns } else { 0 };
        Self {
            predictor: memory(),
            value: memory(),
            slope: memory(),
            curvature: memory(),
            root: memory(),
            scaled: Block::new(BLOCK, columns),
        }
    }

    /// Adds the rows from `first` on.
    fn block<L: ResponseDistribution + ?Sized>(&mut self, task: &Task<'_, L>, first: usize, sums: &mut Pass) {
        let &Task { distribution, data, at, want } = task;
        let rows = first..(first + BLOCK).min(data.rows());
        let count = rows.len();
        self.predict(distribution, data, at, rows.clone());
        let terms = Terms {
            ln_likelihood: &mut self.value[..count],
            slope: &mut self.slope[..count],
            curvature: &mut self.curvature[..count],
        };
        let kind = if let Want::Information(kind) = want { kind } else { Curvature::Expected };
        distribution.terms(&data.response()[rows.clone()], &self.predictor[..count], kind, terms);
        self.weigh(data, rows.clone());
        sums.value += self.value[..count].iter().sum::<f64>();
        if want == Want::Value {
            return;
        }
        if want == Want::Information(Curvature::Expected) {
            let terms = self.slope[..count].iter().zip(&self.curvature[..count]);
            sums.pearson += terms
                .map(|(slope, expected)| if *slope == 0.0 { 0.0 } else { slope * slope / expected })
                .sum::<f64>();
        }
        if let At::Responses = at {
            for (i, row) in rows.clone().enumerate() {
                if self.curvature[i] != 0.0 {
                    self.slope[i] += self.curvature[i] * (self.predictor[i] - data.offset(row));
                }
            }
        }
        for (column, sum) in sums.gradient.iter_mut().enumerate() {
            *sum += dot(&data.column(column)[rows.clone()], &self.slope[..count]);
        }
        if let Want::Information(_) = want {
            self.inform(data, rows, sums);
        }
    }

    fn predict<L: ResponseDistribution + ?Sized>(
        &mut self,
        distribution: &L,
        data: &GlmData<'_>,
        at: At<'_>,
        rows: std::ops::Range<usize>,
    ) {
        let predictor = &mut self.predictor[..rows.len()];
        match at {
            At::Responses => {
                for (predictor, &y) in predictor.iter_mut().zip(&data.response()[rows]) {
                    *predictor = distribution.start(y);
                }
            }
            At::Coefficients(coefficients) => {
                match data.offsets() {
                    Some(offsets) => predictor.copy_from_slice(&offsets[rows.clone()]),
                    None => predictor.fill(0.0),
                }
                for (column, &coefficient) in coefficients.iter().enumerate() {
                    for (predictor, x) in predictor.iter_mut().zip(&data.column(column)[rows.clone()]) {
                        *predictor += coefficient * x;
                    }
                }
            }
        }
    }

    /// Multiplies all terms by the weights of their rows; what has none is left out, whatever its terms are.
    fn weigh(&mut self, data: &GlmData<'_>, rows: std::ops::Range<usize>) {
        let Some(weights) = data.weights() else { return };
        for (i, &weight) in weights[rows].iter().enumerate() {
            for term in [&mut self.value[i], &mut self.slope[i], &mut self.curvature[i]] {
                *term = if weight == 0.0 { 0.0 } else { weight * *term };
            }
        }
    }

    /// Adds Xᵀ W X: the inner products of columns times √w, and where curvatures are negative less those of
    /// columns times √-w.
    fn inform(&mut self, data: &GlmData<'_>, rows: std::ops::Range<usize>, sums: &mut Pass) {
        let count = rows.len();
        for sign in [1.0, -1.0] {
            if sign < 0.0 && !self.curvature[..count].iter().any(|curvature| *curvature < 0.0) {
                continue;
            }
            for (root, curvature) in self.root[..count].iter_mut().zip(&self.curvature[..count]) {
                *root = if curvature.is_nan() { f64::NAN } else { (sign * curvature).max(0.0).sqrt() };
            }
            for column in 0..data.columns() {
                let x = &data.column(column)[rows.clone()];
                self.scaled.set_column(column, x, &self.root[..count]);
            }
            add_gram(&self.scaled, sign, &mut sums.information);
        }
    }
}
