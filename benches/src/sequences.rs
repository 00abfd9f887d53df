//! Sequences of symbols and of vectors, which hidden Markov models are timed on.

use std::fs;
use std::path::Path;

use nalgebra::DMatrix;
use rand::{RngExt, SeedableRng};
use rand_distr::{Distribution, StandardNormal};
use rand_pcg::Pcg64;

use crate::clusters::read_rows;
use crate::comparison::Outcome;

/// Symbols of an alphabet.
const SYMBOLS: usize = 50;

/// Numbers of a vector.
const COLUMNS: usize = 4;

/// Positions of a sequence of symbols.
const LENGTH: usize = 1000;

/// Where a hidden Markov model begins.
#[derive(Debug, Clone)]
pub struct Chain {
    /// Probabilities π of the first state.
    pub initial: Vec<f64>,
    /// Probabilities A of the next state, a row for each state.
    pub transition: DMatrix<f64>,
}

impl Chain {
    fn read(folder: &Path, name: &str, states: usize) -> Outcome<Self> {
        let read = |part: &str| read_rows(&folder.join(format!("{name}_{part}.f64")), states);
        Ok(Self { initial: read("initial")?.as_slice().to_vec(), transition: read("transition")? })
    }

    fn sticky(states: usize) -> Self {
        let even = 1.0 / states as f64;
        let step = |i: usize, j: usize| 0.3 * even + if i == j { 0.7 } else { 0.0 };
        Self { initial: vec![even; states], transition: DMatrix::from_fn(states, states, step) }
    }
}

/// Sequences of symbols, and a start.
#[derive(Debug, Clone)]
pub struct Symbols {
    /// The sequences.
    pub sequences: Vec<Vec<usize>>,
    /// π and A.
    pub chain: Chain,
    /// The distributions of symbols, states as rows.
    pub emission: DMatrix<f64>,
}

impl Symbols {
    /// What the peers' program left in `folder` for so many states.
    ///
    /// # Errors
    /// If a file can't be read, or does not hold what it should.
    pub fn read(folder: &Path, states: usize) -> Outcome<Self> {
        let name = format!("symbols_{states}");
        let bytes = fs::read(folder.join(format!("{name}.i64")))?;
        let symbols: Vec<usize> = bytes
            .as_chunks::<8>()
            .0
            .iter()
            .map(|chunk| usize::try_from(i64::from_ne_bytes(*chunk)))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            sequences: symbols.chunks(LENGTH).map(<[usize]>::to_vec).collect(),
            chain: Chain::read(folder, &name, states)?,
            emission: read_rows(&folder.join(format!("{name}_emission.f64")), SYMBOLS)?,
        })
    }

    /// So many symbols from a generator of our own.
    pub fn generate(states: usize, positions: usize) -> Self {
        let mut rng = Pcg64::seed_from_u64(states as u64);
        let symbol = |run: usize, shift: usize| (run * 7 + shift) % SYMBOLS;
        let sequence = |_| {
            let mut run = 0;
            let mut next = || {
                if rng.random::<f64>() < 0.3 {
                    run = rng.random_range(0..states);
                }
                symbol(run, rng.random_range(0..5))
            };
            (0..LENGTH).map(|_| next()).collect()
        };
        let sequences = (0..positions / LENGTH).map(sequence).collect();
        let mut emission = DMatrix::from_fn(states, SYMBOLS, |_, _| 0.5 + rng.random::<f64>());
        for mut row in emission.row_iter_mut() {
            let sum = row.sum();
            row /= sum;
        }
        Self { sequences, chain: Chain::sticky(states), emission }
    }
}

/// One sequence of vectors, and a start.
#[derive(Debug, Clone)]
pub struct Vectors {
    /// Positions as rows.
    pub rows: DMatrix<f64>,
    /// π and A.
    pub chain: Chain,
    /// The means of the states, as rows.
    pub means: DMatrix<f64>,
    /// The variances of the coordinates, states as rows.
    pub variances: DMatrix<f64>,
}

impl Vectors {
    /// What the peers' program left in `folder` for so many states.
    ///
    /// # Errors
    /// If a file can't be read, or does not hold what it should.
    pub fn read(folder: &Path, states: usize) -> Outcome<Self> {
        let name = format!("vectors_{states}");
        let read = |part: &str| read_rows(&folder.join(format!("{name}{part}.f64")), COLUMNS);
        Ok(Self {
            rows: read("")?,
            chain: Chain::read(folder, &name, states)?,
            means: read("_means")?,
            variances: read("_variances")?,
        })
    }

    /// So many vectors from a generator of our own.
    pub fn generate(states: usize, positions: usize) -> Self {
        let mut rng = Pcg64::seed_from_u64(states as u64);
        let centres = DMatrix::from_fn(states, COLUMNS, |_, _| 3.0 * rng.random::<f64>() * states as f64);
        let mut state = 0;
        let mut rows = DMatrix::zeros(positions, COLUMNS);
        for mut row in rows.row_iter_mut() {
            if rng.random::<f64>() < 0.3 {
                state = rng.random_range(0..states);
            }
            for (j, x) in row.iter_mut().enumerate() {
                let noise: f64 = StandardNormal.sample(&mut rng);
                *x = centres[(state, j)] + noise;
            }
        }
        let means = DMatrix::from_fn(states, COLUMNS, |k, j| rows[(k * (positions / states), j)]);
        let variances = DMatrix::from_fn(states, COLUMNS, |_, j| rows.column(j).variance());
        Self { rows, chain: Chain::sticky(states), means, variances }
    }
}
